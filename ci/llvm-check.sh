#!/bin/bash
# LLVM's side: the forms for IR, the three ways to roots, and that compiled code without a right map is refused.
#
#   ci/llvm-check.sh          with every version of LLVM that is installed
#   ci/llvm-check.sh costs    instructions and times of the three ways and of C, on the programs of examples-c/llvm
#
# BARROW_LIB: the folder of libbarrow.so and libbarrow.a; without it, cargo builds them.
set -uo pipefail
cd "$(dirname "$0")/.."
root=$PWD
if [ -z "${BARROW_LIB:-}" ]; then
  if [ "${1:-}" = costs ]; then cargo build -q --release --lib && BARROW_LIB=${CARGO_TARGET_DIR:-$root/target}/release
  else cargo build -q --lib && BARROW_LIB=${CARGO_TARGET_DIR:-$root/target}/debug; fi || exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ulimit -c 0
soname=$(readelf -d "$BARROW_LIB/libbarrow.so" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
for name in libbarrow.so "$soname"; do ln -sf "$(realpath "$BARROW_LIB/libbarrow.so")" "$work/$name"; done
shared=(-L"$work" -lbarrow -Wl,-rpath,"$work")
static=("$BARROW_LIB/libbarrow.a" -lpthread -ldl -lm -lrt -lutil)
failures=0 checks=0
fail() { echo "FAILED: $*" >&2; failures=$((failures + 1)); }

versions=()
for v in 14 15 16 17 18 19; do
  for tool in opt llc llvm-link; do command -v $tool-$v >/dev/null || continue 2; done
  versions+=($v)
done
if [ ${#versions[@]} = 0 ]; then
  echo "no LLVM from 14 on is installed with opt, llc and llvm-link: skipped"
  exit 0
fi
for v in 14 15; do [[ " ${versions[*]} " == *" $v "* ]] || echo "LLVM $v is not installed: its checks are skipped"; done
newest=${versions[-1]}

# program VERSION NAME STYLE -> $work/NAME-STYLE-VERSION
program() {
  LLVM=$1 KEEP=$work/$2-$3-$1.d examples-c/llvm/build.sh "$2" "$3" "$work/$2-$3-$1" "${static[@]}" || fail "$2-$3 with LLVM $1"
}
# in_c VERSION NAME -> $work/NAME-c-VERSION: the same program in C, by that clang where it is there.
in_c() {
  local cc=clang-$1 output=$work/$2-c-$1
  command -v "$cc" >/dev/null || cc=cc
  mkdir -p "$output.d"
  "$cc" -std=c99 -O2 -Wall -Wextra -Wpedantic -Werror -Iinclude -c "examples-c/llvm/$2.c" -o "$output.d/program.o" &&
    "$cc" -std=c99 -O2 -Wall -Wextra -Wpedantic -Werror -Iinclude examples-c/llvm/driver.c "$output.d/program.o" -o "$output" "${static[@]}" ||
    fail "$2 in C with $cc"
}
ours() { PROGRAMS=$root/ci/llvm program "$@"; }

# gives PROGRAM EXPECTED ARGUMENTS...
gives() {
  local name=$1 expected=$2 got
  shift 2
  checks=$((checks + 1))
  got=$("$work/$name" "$@" 2>"$work/err") && [ "$got" = "$expected" ] ||
    fail "$name $*: $got instead of $expected; $(head -3 "$work/err")"
}

# inlined PROGRAM: nothing of the forms is left but the calls that leave for the library.
inlined() {
  checks=$((checks + 1))
  local left
  left=$(grep -hoE 'call [^@]*@barrow_[a-z_]+' "$work/$1.d/final.ll" | grep -oE 'barrow_[a-z_]+' | sort -u |
    grep -vE '_slow$|^barrow_(wrote|wrote_word|collect|gc_safepoint|gc_call)$')
  [ -z "$left" ] || fail "$1 still calls $left"
}

costs() {
  local v=$newest way ticks
  # The nursery has a fixed size, so that all three ways collect equally often.
  local -A size=([tree]="16 40" [queens]="10 40")
  for name in tree queens; do
    for way in frames shadow statepoint c; do
      if [ $way = c ]; then in_c "$v" $name; else program "$v" $name $way; fi
      # shellcheck disable=SC2086
      ticks=$(for _ in 1 2 3 4 5; do
        TIMEFORMAT=%U
        { time "$work/$name-$way-$v" ${size[$name]} 0 -A1m >/dev/null; } 2>&1
      done | sort -n | head -1)
      # shellcheck disable=SC2086
      printf '%-8s %-11s %8s s' $name $way "$ticks"
      if command -v valgrind >/dev/null; then
        # shellcheck disable=SC2086
        valgrind --tool=callgrind --callgrind-out-file="$work/out" "$work/$name-$way-$v" ${size[$name]% *} 2 0 -A1m -xr256m >/dev/null 2>"$work/err"
        printf '  %12s instructions in compiled code' "$(callgrind_annotate --auto=no --show=Ir --threshold=100 "$work/out" |
          awk '/:(make|count|program|cons|safe|solve|digest|barrow_gc_[a-z]*)[^a-z]/ { gsub(",", "", $1); sum += $1 } END { printf "%d", sum }')"
        printf '  %12s in all' "$(sed -n 's/.*Collected : //p' "$work/err")"
      fi
      echo "  text $(size -A "$work/$name-$way-$v.d/program.o" | awk '$1 == ".text" { print $2 }') maps $(size -A "$work/$name-$way-$v.d/program.o" | awk '$1 == "llvm_stackmaps" { print $2 }')"
    done
  done
}
if [ "${1:-}" = costs ]; then costs; exit; fi
ci/ir.sh --check || fail "the forms are not fresh"

declare -A expected=([tree]=508 [queens]=13513398574078825920 [rows]=5550)
for v in "${versions[@]}"; do
  before=$checks
  for name in tree queens rows; do
    for way in frames shadow statepoint c; do
      if [ $way = c ]; then
        [ -e examples-c/llvm/$name.c ] || continue
        in_c "$v" $name
      else
        [ -e examples-c/llvm/$name-$way.ll ] || continue
        program "$v" $name $way
        inlined $name-$way-"$v"
      fi
      gives $name-$way-"$v" ${expected[$name]} 6 3
      # Every allocation collects, and everything that is young moves; major collections are mixed in.
      gives $name-$way-"$v" ${expected[$name]} 6 3 10000 --stress=1
      gives $name-$way-"$v" ${expected[$name]} 6 3 300 --stress=1 --seed=7 -DS -DZ
      gives $name-$way-"$v" ${expected[$name]} 6 3 300 --stress=1 --source=chunks -G1
      gives $name-$way-"$v" ${expected[$name]} 6 3 300 --stress=3 -G3
    done
  done
  ours "$v" forms frames
  inlined forms-frames-"$v"
  gives forms-frames-"$v" 300 0 100
  # One object, which moves while nobody allocates.
  if DRIVER=$root/ci/llvm/host.c PROGRAMS=$root/ci/llvm POLLS=yes LLVM=$v KEEP=$work/poll-$v.d \
    examples-c/llvm/build.sh poll statepoint "$work/poll-$v" "${static[@]}"; then
    grep -q 'barrow_gc_safepoint' "$work/poll-$v.d/final.ll" || fail "no polls were put in by LLVM $v"
    HOST_FLAGS=-DS gives poll-"$v" 14 run 7
    grep -qE '^[2-9] collections' "$work/err" || fail "polls of LLVM $v do not collect: $(cat "$work/err")"
  else
    fail "poll with LLVM $v"
  fi
  # Four threads on one heap: nodes of all on one list, thunks of which each is evaluated once, and foreign code.
  if DRIVER=$root/ci/llvm/threads.c PROGRAMS=$root/ci/llvm LLVM=$v KEEP=$work/shared-$v.d \
    examples-c/llvm/build.sh shared statepoint "$work/shared-$v" "${static[@]}"; then
    inlined shared-"$v"
    gives shared-"$v" "80000 120000 8 720000 720000 720000 720000" 20000
    gives shared-"$v" "1200 1800 8 10800 10800 10800 10800" 300 "--stress=3 -DS"
    gives shared-"$v" "1200 1800 8 10800 10800 10800 10800" 300 "--stress=2 -G1 --source=chunks"
    gives shared-"$v" "80000 120000 8 720000 720000 720000 720000" 20000 "-c -A64k"
  else
    fail "shared with LLVM $v"
  fi
  echo "LLVM $v: $((checks - before)) checks"
done

# ---- several object files, C in the middle, loaded libraries -----------------------------------------------------------

# With the newest, and with 14 where it is there: the two read different forms.
refusals() {
host() { # NAME OUTPUT ARGUMENTS...
  local name=$1 output=$2
  shift 2
  DRIVER=$root/ci/llvm/host.c PROGRAMS=$root/ci/llvm LLVM=$v KEEP=$work/$output.d examples-c/llvm/build.sh "$name" statepoint "$work/$output" "$@" ||
    fail "$output does not link"
}
PROGRAMS=$root/ci/llvm LLVM=$v KEEP=$work/elsewhere.d examples-c/llvm/build.sh elsewhere statepoint - || fail elsewhere
host calls calls "$work/elsewhere.d/program.o" "${static[@]}"
plain=$(HOST_FLAGS=-A1m "$work/calls" run 5 2>/dev/null)
for flags in "--stress=1" "--stress=1 -DS -DZ --seed=3" "--stress=2 -G3 --source=chunks"; do
  HOST_FLAGS=$flags gives calls "$plain" run 5
done
HOST_FLAGS=--stress=1 gives calls "$(HOST_FLAGS=-A1m "$work/calls" run 10 2>/dev/null)" run 10
[ "$(grep -oE '^[0-9]+' "$work/err")" -gt 10000 ] || fail "calls: too few collections: $(cat "$work/err")"

# Exceptions pass the entries and compiled frames.
if c++ -std=c++17 -O2 -Wall -Wextra -Werror -Iinclude ci/llvm/throw.cc "$work/tree-statepoint-$v.d/program.o" -o "$work/throw" "${static[@]}"; then
  gives throw 20
else
  fail throw
fi

cc -shared -fPIC -O2 ci/llvm/library.c "$work/calls.d/program.o" "$work/elsewhere.d/program.o" -o "$work/libcalls.so" || fail "libcalls.so"
readelf -d "$work/libcalls.so" | grep -q TEXTREL && fail "libcalls.so has relocations in its text"
cc -std=c99 -O2 -Wall -Wextra -Werror -DLOADER -rdynamic -Iinclude ci/llvm/host.c -o "$work/loader" "${shared[@]}" -ldl || fail loader
checks=$((checks + 2))
HOST_FLAGS="--stress=1 -DS" "$work/loader" load "$work/libcalls.so" >"$work/out" 2>"$work/err" || fail "loader: $(cat "$work/err")"
[ "$(grep -c '^BARROW_E_STATE: .*returns to' "$work/out")" = 5 ] || fail "a library whose code is on the stack was let go: $(cat "$work/out")"
[ "$(grep -cE '^[0-9]+$' "$work/out")" = 5 ] || fail "the loaded library gives $(cat "$work/out")"

# ---- what is refused -----------------------------------------------------------------------------------------------

# dies SENTENCE PROGRAM ARGUMENTS...: in a collection, with that sentence, by abort.
dies() {
  local sentence=$1 code
  shift
  checks=$((checks + 1))
  "$work/$1" "${@:2}" >"$work/out" 2>"$work/err"
  code=$?
  [ $code = 134 ] && grep -q "^barrow: .*$sentence" "$work/err" || fail "$*: $code, $(head -2 "$work/err")"
}
says() { # SENTENCE PROGRAM ARGUMENTS...
  local sentence=$1
  shift
  checks=$((checks + 1))
  "$work/$1" "${@:2}" 2>&1 | grep -q "$sentence" || fail "$*: $("$work/$1" "${@:2}" 2>&1 | head -2)"
}
dies "no stack map for the return address" calls unregistered
first=$(size -A "$work/calls.d/program.o" | awk '$1 == "llvm_stackmaps" { print $2 }')
HOST_FLAGS=--stress=1 dies "no stack map for the return address" calls part "$first"
says "BARROW_E_ABI: .*version 4" calls version
says "^1 of [0-9]* cuts are taken" calls cut # the end of the first object file's part
dies "not called with barrow_stack_call" calls uncalled
HOST_FLAGS=--stress=1 dies "no stack map for the return address" loader late "$work/libcalls.so"
host plain plain "${static[@]}"
dies "not through one of the barrow_gc_ functions" plain mistake
if [ "$v" != 14 ]; then # the program's pointers have more types than examples-c/llvm/build.sh knows for 14
  host dynamic dynamic "${static[@]}"
  says "BARROW_E_ARG: .*no fixed size" dynamic register
fi
mkdir -p "$work/frameless"
for name in calls elsewhere; do
  sed 's/"frame-pointer"="all"/mustprogress/' ci/llvm/$name-statepoint.ll >"$work/frameless/$name-statepoint.ll"
  FRAME_POINTERS=--frame-pointer=none PROGRAMS=$work/frameless LLVM=$v KEEP=$work/frameless/$name.d \
    examples-c/llvm/build.sh $name statepoint - || fail "$name without frame pointers"
done
cc -std=c99 -O2 -Iinclude ci/llvm/host.c "$work/frameless/"*.d/program.o -o "$work/frameless/calls" "${static[@]}" || fail frameless
dies "no frame pointer that agrees with its size" frameless/calls mistake
}
[ "${versions[0]}" = 14 ] && [ "$newest" != 14 ] && v=14 && refusals
v=$newest
refusals

echo "llvm-check: LLVM ${versions[*]}, $checks checks, $failures failed"
[ $failures = 0 ]
