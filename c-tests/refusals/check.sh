#!/bin/sh
# Refuses each call of the library to the system for memory, one by one, from outside: a program goes on or is told why
# not, and its heap has the right contents. check.sh COMPILER LIBRARY-FOLDER BUILD-FOLDER [STEP]
#
# Every STEP-th call of each kind (1: all) is refused alone, and every fourth of these with all that follow.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$(dirname "$here")")
cc=$1 libraries=$2 build=$3 step=${4:-1}
"$cc" -std=c11 -O2 -Wall -Wextra -Werror -fPIC -shared "$here/refuse.c" -o "$build/refuse.so" -ldl
"$cc" -std=c11 -g -O1 -Wall -Wextra -Werror -I"$root/include" "$here/program.c" -o "$build/refusals" \
  -L"$libraries" -lbarrow -Wl,-rpath,"$libraries"
cd "$build"
count=$build/refusals.count out=$build/refusals.out failures=0 runs=0 told=0

# once FLAGS: runs the program under the refusals of the environment; 0 and 3 are right.
once() {
  status=0
  LD_PRELOAD=$build/refuse.so REFUSE_COUNT=$count ./refusals "$1" >"$out" 2>&1 || status=$?
  runs=$((runs + 1))
}

for flags in "-A1m" "-A1m --source=chunks -G3" "-A256k -c -M24m -sNONE" "-A512k -hb -porefusals -V0" \
  "-A512k -hb -porefusals -V0 --source=chunks" "-A1m --huge-pages=on -srefusals.s"; do
  flags=$(echo "$flags" | sed 's/ -sNONE//')
  unset REFUSE_CALL REFUSE_AT REFUSE_REST || :
  once "$flags"
  [ $status = 0 ] || { cat "$out"; echo "refusals: the program fails where nothing is refused ($flags)" >&2; exit 1; }
  cp "$count" "$count.all"
  while read -r call calls; do
    at=1
    while [ $at -le "$calls" ]; do
      for rest in "" 1; do
        [ -z "$rest" ] || [ $((at % 4)) = 1 ] || continue
        if [ -n "$rest" ]; then REFUSE_REST=1; export REFUSE_REST; else unset REFUSE_REST || :; fi
        export REFUSE_CALL="$call" REFUSE_AT=$at
        once "$flags"
        case $status in
          0) ;;
          3) told=$((told + 1)) ;;
          *)
            head -5 "$out" >&2
            echo "refusals: $status where $call number $at${rest:+ and all that follow} is refused ($flags)" >&2
            failures=$((failures + 1)) ;;
        esac
      done
      at=$((at + step))
    done
  done <"$count.all"
done
rm -f refusals.hp refusals.*.hp refusals.s
echo "refusals: $runs runs, of which $told were told why they could not go on; $failures failed"
[ $failures = 0 ]
