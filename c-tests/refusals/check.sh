#!/bin/sh
# Refuses each call of the library to the system for memory, one by one, from outside: a program goes on or is told why
# not, and its heap has the right contents. check.sh COMPILER LIBRARY-FOLDER BUILD-FOLDER [STEP [STEP-WITH-THREADS]]
#
# Every STEP-th call of each kind (1: all) is refused alone, and every fourth of these with all that follow; of a program with
# several mutators and workers every STEP-WITH-THREADS-th (1).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$(dirname "$here")")
cc=$1 libraries=$2 build=$3 step=${4:-1} with_threads=${5:-1}
"$cc" -std=c11 -O2 -Wall -Wextra -Werror -fPIC -shared "$here/refuse.c" -o "$build/refuse.so" -ldl
for program in program threads; do
  "$cc" -std=c11 -g -O1 -Wall -Wextra -Werror -I"$root/include" "$here/$program.c" -o "$build/refusals-$program" \
    -L"$libraries" -lbarrow -lpthread -Wl,-rpath,"$libraries"
done
cd "$build"
count=$build/refusals.count out=$build/refusals.out failures=0 runs=0 told=0

# once PROGRAM FLAGS: runs it under the refusals of the environment; 0 and 3 are right, and what hangs is ended. Memory that the
# C library has given, or got back, holds rubbish.
once() {
  status=0
  timeout -k 5 60 env MALLOC_PERTURB_=165 LD_PRELOAD="$build/refuse.so" REFUSE_COUNT="$count" "./refusals-$1" "$2" >"$out" 2>&1 ||
    status=$?
  runs=$((runs + 1))
}

# each PROGRAM STEP FLAGS: refuses one call after the other.
each() {
  unset REFUSE_CALL REFUSE_AT REFUSE_REST || :
  once "$1" "$3"
  [ $status = 0 ] || { cat "$out"; echo "refusals: the program fails where nothing is refused ($1 $3)" >&2; exit 1; }
  cp "$count" "$count.all"
  while read -r call calls; do
    at=1 turn=0
    while [ $at -le "$calls" ]; do
      for rest in "" 1; do
        [ -z "$rest" ] || [ $((turn % 4)) = 0 ] || continue
        if [ -n "$rest" ]; then REFUSE_REST=1; export REFUSE_REST; else unset REFUSE_REST || :; fi
        export REFUSE_CALL="$call" REFUSE_AT=$at
        once "$1" "$3"
        case $status in
          0) ;;
          3) told=$((told + 1)) ;;
          *)
            head -5 "$out" >&2
            echo "refusals: $status where $call number $at${rest:+ and all that follow} is refused ($1 $3)" >&2
            failures=$((failures + 1)) ;;
        esac
      done
      at=$((at + $2)) turn=$((turn + 1))
    done
  done <"$count.all"
}

for flags in "-A1m" "-A1m --source=chunks -G3" "-A256k -c -M24m" "-A512k -hb -porefusals -V0" \
  "-A512k -hb -porefusals -V0 --source=chunks" "-A1m --huge-pages=on -srefusals.s"; do
  each program "$step" "$flags"
done
for flags in "-A256k --workers=2!" "-A64k --workers=3! --source=chunks -G3" "-A64k --workers=2! -c -M16m" \
  "-A256k --workers=2! -hb -ib256k -porefusals -V0" "-A256k --workers=2! -p --stops -porefusals" \
  "-A256k --workers=2! --space=refusals.space"; do
  each threads "$with_threads" "--mutators=4 $flags"
done
rm -f refusals.hp refusals.*.hp refusals.s refusals.prof refusals.stops refusals.space refusals.biography
echo "refusals: $runs runs, of which $told were told why they could not go on; $failures failed"
[ $failures = 0 ]
