#!/bin/sh
# Builds one of the programs here, as a compiler's driver would:
#
#   build.sh PROGRAM STYLE OUTPUT [LINKER ARGUMENTS...]      such as   build.sh tree statepoint tree -lbarrow
#
# STYLE is frames, shadow or statepoint. LLVM is the version, 15 if it is not set; with 14, types of pointers are put
# in. POLLS=yes lets LLVM put a poll into each loop. KEEP is a folder for what lies between.
# INCLUDE is the folder of barrow.h and barrow/, PROGRAMS that of the programs, DRIVER the C file that has `main`. With - as
# the output, only KEEP/program.o is made.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=$1 style=$2 output=$3
shift 3
v=${LLVM:-15}
programs=${PROGRAMS:-$here}
include=${INCLUDE:-$here/../../include}
if [ -n "${KEEP:-}" ]; then work=$KEEP; mkdir -p "$work"; else
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi
if [ "$v" = 14 ]; then end=-14; else end=; fi

# For LLVM 14: references are i64 addrspace(1)*, all other pointers i8*, and slots that hold one i8**.
typed() {
  sed -E 's/ptr addrspace\(1\)/i64 addrspace(1)*/g
    s/alloca ptr/alloca i8*/
    s/load ptr, ptr/load i8*, i8**/
    s/store ptr (%[a-z.]+|null), ptr/store i8* \1, i8**/
    s/gcroot\(ptr %/gcroot(i8** %/; s/@llvm.gcroot\(ptr, ptr\)/@llvm.gcroot(i8**, i8*)/
    s/\bptr\b/i8*/g' "$1"
}
if [ "$v" = 14 ]; then typed "$programs/$program-$style.ll" >"$work/program.ll"; else cp "$programs/$program-$style.ll" "$work/program.ll"; fi
frame_pointers=${FRAME_POINTERS:---frame-pointer=all}

case $style in
  statepoint)
    # The forms come in two parts: before the statepoints, what may collect; after them, what sees addresses as numbers.
    "llvm-link-$v" -S "$work/program.ll" "$include/barrow/inline-gc$end.ll" -o "$work/linked.ll"
    "opt-$v" -S -O2 "$work/linked.ll" -o "$work/optimised.ll"
    if [ "${POLLS:-}" = yes ]; then
      # Up to LLVM 16 this pass is known to the old pass manager only.
      case $v in
        14 | 15 | 16) "opt-$v" -S -enable-new-pm=0 -place-safepoints "$work/optimised.ll" -o "$work/polled.ll" ;;
        *) "opt-$v" -S -passes=place-safepoints "$work/optimised.ll" -o "$work/polled.ll" ;;
      esac
      mv "$work/polled.ll" "$work/optimised.ll"
    fi
    "opt-$v" -S -passes=rewrite-statepoints-for-gc "$work/optimised.ll" -o "$work/statepoints.ll"
    "llvm-link-$v" -S "$work/statepoints.ll" "$include/barrow/inline-gc-late$end.ll" -o "$work/late.ll"
    "opt-$v" -S -passes='always-inline,function(sroa,early-cse,simplifycfg,instcombine,simplifycfg),globaldce' "$work/late.ll" -o "$work/final.ll"
    ;;
  *)
    "llvm-link-$v" -S "$work/program.ll" "$include/barrow/inline$end.ll" -o "$work/linked.ll"
    "opt-$v" -S -O2 "$work/linked.ll" -o "$work/final.ll"
    ;;
esac
# shellcheck disable=SC2086
"llc-$v" -O2 $frame_pointers --relocation-model=pic -filetype=obj "$work/final.ll" -o "$work/program.o"
if [ "$style" = statepoint ]; then
  # A name that the linker gives a start and an end, and writable, so that a position-independent program can relocate it.
  objcopy --rename-section .llvm_stackmaps=llvm_stackmaps,alloc,load,data,contents "$work/program.o"
fi
[ "$output" != - ] || exit 0
define=$(echo "$style" | tr '[:lower:]' '[:upper:]')
"${CC:-cc}" -std=c99 -O2 -Wall -Wextra -Wpedantic -Werror -D"$define" -I"$include" ${DRIVER:-$here/driver.c} "$work/program.o" -o "$output" "$@"
