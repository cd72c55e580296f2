#!/bin/bash
# Compiles minic, and with it its programs in every way that is possible here; runs them with a collection at every few
# allocations, and compares what they print.
#
# BARROW_LIB: the folder of libbarrow.a and of the command barrow; without it, cargo builds them.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$(dirname "$here")")
if [ -z "${BARROW_LIB:-}" ]; then
  (cd "$root" && cargo build -q --lib && cargo build -q -p barrow-tools) || exit 1
  BARROW_LIB=${CARGO_TARGET_DIR:-$root/target}/debug
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
libraries=("$BARROW_LIB/libbarrow.a" -lpthread -ldl -lm -lrt -lutil)
tool=$BARROW_LIB/barrow
export HPCTIXFILE=/dev/null # where it is not looked at
failures=0 runs=0
fail() { echo "FAILED: $*" >&2; failures=$((failures + 1)); }

cc -std=c99 -O1 -g -Wall -Wextra -Wpedantic -Werror -I"$root/include" "$here"/{minic,read,define,expressions,operations,coverage,functions}.c -o "$work/minic" "${libraries[@]}" || exit 1
llvm=
for v in 15 16 17 18 19; do
  command -v "opt-$v" >/dev/null && command -v "llc-$v" >/dev/null && command -v "llvm-link-$v" >/dev/null && llvm=$v
done
[ -n "$llvm" ] || echo "no LLVM from 15 on is installed: only C is tried"

# agrees PROGRAM WAY: under each set of flags.
agrees() {
  local flags input=/dev/null
  [ -e "$here/programs/$1.in" ] && input=$here/programs/$1.in
  for flags in "" "-A64k -DS" "--stress=3 --seed=5" "--stress=7 -DS -DZ" "--stress=2 -G3 --source=chunks"; do
    case $1,$flags in map,*-DZ) continue ;; esac # ten thousand walks of the heap take minutes
    runs=$((runs + 1))
    # shellcheck disable=SC2086
    "$work/$1-$2" $flags <"$input" >"$work/out" 2>"$work/err" && cmp -s "$work/out" "$here/programs/$1.out" ||
      fail "$1 ($2, $flags): $(head -3 "$work/err")"
  done
}
# profiled PROGRAM WAY: by every profiler at once, on the build as it is; what is written shows something.
profiled() {
  local input=/dev/null stem=$work/$1-$2-all letter letters="T y d m i r b a" step=1k
  case $1 in map) step=64k ;; esac # the others allocate little
  [ -e "$here/programs/$1.in" ] && input=$here/programs/$1.in
  case $2 in profiled | *-all) letters="$letters c" ;; esac
  runs=$((runs + 1))
  # shellcheck disable=SC2046,SC2086  # flags have no blanks
  "$work/$1-$2" $(printf ' -h%s' $letters) -ib$step -A64k -P -r"$stem.ticky" -po"$stem" <"$input" >"$work/out" 2>"$work/err" &&
    cmp -s "$work/out" "$here/programs/$1.out" || { fail "$1 ($2) with every profiler: $(head -3 "$work/err")"; return; }
  for letter in $letters; do
    grep -q '	[1-9][0-9]*$' "$stem.h$letter.hp" || fail "-h$letter shows nothing of $1 ($2)"
  done
  grep -q '^MAIN ' "$stem.prof" || fail "-P shows nothing of $1 ($2)"
  [ "${letters% c}" = "$letters" ] || grep -q '^ *main  *' "$stem.prof" || fail "-P does not show the functions of $1 ($2)"
  grep -qE 'ALLOC|[0-9]' "$stem.ticky" || fail "-r shows nothing of $1 ($2)"
}
# profiled_space PROGRAM WAY: which function allocates, from the program as it is.
profiled_space() {
  local input=/dev/null
  [ -e "$here/programs/$1.in" ] && input=$here/programs/$1.in
  runs=$((runs + 1))
  SPACE=$work/space "$work/$1-$2" <"$input" >"$work/out" 2>"$work/err" && cmp -s "$work/out" "$here/programs/$1.out" &&
    grep -qE '[0-9]' "$work/space" || fail "the space of $1 ($2) by function: $(head -3 "$work/err")"
}
# covers PROGRAM WAY: what is reached how often is known (programs/NAME.counts), and the same whatever collects and
# however it was compiled; two runs add up; the tool's report is as it was, and its page shows what was not reached.
covers() {
  local input=/dev/null flags counts tix=$work/$1-$2.tix
  [ -e "$here/programs/$1.in" ] && input=$here/programs/$1.in
  counts=$(grep -o '\[[0-9,]*\]' "$here/programs/$1.counts")
  for flags in "" "--stress=7 -DS"; do
    case $1,$flags in map,--stress*) flags=-A64k ;; esac
    runs=$((runs + 1))
    rm -f "$tix"
    # shellcheck disable=SC2086
    HPCTIXFILE=$tix "$work/$1-$2" $flags <"$input" >"$work/out" 2>"$work/err" && cmp -s "$work/out" "$here/programs/$1.out" &&
      grep -qF "$counts]" "$tix" || fail "the counts of $1 ($2, $flags): $(head -3 "$work/err"; cat "$tix")"
  done
  if [ ! -x "$tool" ]; then echo "there is no $tool: reports of coverage are not tried"; return; fi
  (cd "$work" && "$tool" hpc report "$tix" && "$tool" hpc markup "$tix" --destdir="$1-$2-pages" >/dev/null) >"$work/report" 2>"$work/err"
  grep -v '^\[' "$here/programs/$1.counts" | diff - "$work/report" >"$work/out" || fail "the report of $1 ($2): $(cat "$work/err" "$work/out")"
  [ "$1" != queens ] || grep -q '<span class="nottickedoff">(print -1)' "$work/$1-$2-pages/"Queens*.html || fail "the page of $1 ($2)"
  HPCTIXFILE=$tix "$work/$1-$2" <"$input" >"$work/out" 2>&1
  [ "$1" != queens ] || grep -q ',184,16,16\]' "$tix" || fail "two runs of $1 ($2) do not add up: $(cat "$tix")"
}
# Any heap profile works on any build.
profile() { # PROGRAM WAY CONSTRUCTOR
  runs=$((runs + 1))
  "$work/$1-$2" -hd -ib64k -po"$work/$1-$2-profile" >/dev/null 2>"$work/err" && grep -q "^$3	[1-9]" "$work/$1-$2-profile.hp" ||
    fail "the heap profile of $1 ($2) does not show $3: $(head -3 "$work/err")"
}

# all PROGRAM WAY: with cost centres and coverage at once. The source has a relative name, as a project's has.
all() { (cd "$work" && ./minic -p --coverage "$2" "$1.mc"); }

for source in "$here"/programs/*.mc; do
  name=$(basename "$source" .mc)
  for way in c profiled; do
    case $way in c) centres= ;; *) centres=-p ;; esac
    # shellcheck disable=SC2086
    "$work/minic" $centres c "$source" >"$work/$name.c" &&
      cc -std=c99 -O2 -I"$root/include" -I"$here" "$work/$name.c" "$here/runtime.c" -o "$work/$name-$way" "${libraries[@]}" || { fail "$name, $way"; continue; }
    agrees "$name" $way
    profiled "$name" $way
    profiled_space "$name" $way
  done
  cp -p "$source" "$work/$name.mc"
  if all "$name" c >"$work/$name.c" && cc -std=c99 -O2 -I"$root/include" -I"$here" "$work/$name.c" "$here/runtime.c" -o "$work/$name-c-all" "${libraries[@]}"; then
    profiled "$name" c-all
    covers "$name" c-all
  else
    fail "$name, c-all"
  fi
  [ -n "$llvm" ] || continue
  for way in frames statepoint; do
    "$work/minic" $way "$source" >"$work/$name-$way.ll" &&
      PROGRAMS=$work DRIVER=$here/runtime.c LLVM=$llvm "$root/examples-c/llvm/build.sh" "$name" $way "$work/$name-$way" "${libraries[@]}" || { fail "$name, $way"; continue; }
    agrees "$name" $way
    profiled "$name" $way
    profiled_space "$name" $way
    if all "$name" $way >"$work/$name-all-$way.ll" &&
      PROGRAMS=$work DRIVER=$here/runtime.c LLVM=$llvm "$root/examples-c/llvm/build.sh" "$name-all" $way "$work/$name-$way-all" "${libraries[@]}"; then
      agrees "$name" $way-all
      profiled "$name" $way-all
      covers "$name" $way-all
    else
      fail "$name, $way-all"
    fi
  done
done

for way in c profiled ${llvm:+frames statepoint}; do profile map $way Node; done

# Wrong programs are told so, by the compiler or when they run.
wrong() { # SENTENCE CODE PROGRAM
  local code
  runs=$((runs + 1))
  echo "$3" >"$work/wrong.mc"
  "$work/minic" c "$work/wrong.mc" >"$work/wrong.c" 2>"$work/err"
  code=$?
  if [ $code = 0 ]; then
    cc -std=c99 -I"$root/include" -I"$here" "$work/wrong.c" "$here/runtime.c" -o "$work/wrong" "${libraries[@]}" || fail "$3"
    "$work/wrong" >"$work/out" 2>"$work/err"
    code=$?
  fi
  [ $code = "$2" ] && grep -q "$1" "$work/err" || fail "$3: $(head -2 "$work/err")"
}
wrong "line 1: x is not known" 1 "(define (main) x)"
wrong "never closed" 1 "(define (main) 1"
wrong "was not opened" 1 "(define (main) 1))"
wrong "f has 1 arguments" 1 "(define (f x) x) (define (main) (f 1 2))"
wrong "no data type has such a constructor" 1 "(define (main) (match 1 ((Nil) 1)))"
wrong "a number was expected" 3 "(define (main) (+ 1 (array 1 1)))"
wrong "division by zero" 3 "(define (main) (/ 1 0))"
wrong "no pattern fits" 3 "(data (A) (B)) (define (main) (match (B) ((A) 1)))"
wrong "only functions can be called" 3 "(define (main) (let f 1 (f 2)))"
wrong "wrong number of arguments" 3 "(define (main) (let f (lambda (x) x) (f 1 2)))"
wrong "no such element" 3 "(define (main) (get (array 1 1) 1))"
wrong "no possible size of an object" 2 "(define (main) (length (array 2000000000000 1)))"

# Flags that are too many for the program are refused. The program is that of the last `wrong`.
"$work/wrong" $(yes -- -DS | head -1000) >"$work/out" 2>"$work/err"
[ $? = 1 ] && grep -q "the flags are too long" "$work/err" || fail "a long command line: $(head -2 "$work/err")"

echo "minic: $runs runs, $failures failed"
[ $failures = 0 ]
