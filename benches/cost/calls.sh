#!/bin/sh
# Instructions that a call into the library takes, counted by callgrind from its entry to its return: the difference
# between many calls and twice as many. Each stands beside its bar; the script fails when one is above.
# BARROW_LIB: the directory of the release libbarrow.so; without it, cargo builds one.
. "$(dirname "$0")/library.sh"
cc -O2 -std=c11 -I"$root/include" "$here/calls.c" -o "$work/calls" -L"$BARROW_LIB" -lbarrow -Wl,-rpath,"$work" || exit 1

# counted CALL N FUNCTION...: instructions inside these functions
counted() {
  name=$1 times=$2 toggles=
  shift 2
  for function; do toggles="$toggles --toggle-collect=$function"; done
  valgrind --tool=callgrind --callgrind-out-file=/dev/null $toggles "$work/calls" "$name" "$times" 2>&1 |
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

failed=0
printf '%-18s %12s %6s\n' call instructions bar
while read -r call bar functions; do
  # shellcheck disable=SC2086
  count=$((($(counted "$call" 40000 $functions) - $(counted "$call" 20000 $functions)) / 20000))
  state=
  [ "$count" -gt 0 ] && [ "$count" -le "$bar" ] || { state=' missed' failed=1; }
  printf '%-18s %12d %6d%s\n' "$call" "$count" "$bar" "$state"
done <<'BARS'
allocate 80 barrow_allocate
allocate_pinned 150 barrow_allocate_pinned
handle 120 barrow_handle_new barrow_handle_free
safepoint 15 barrow_safepoint
stable_get 25 barrow_stable_get
weak_new 200 barrow_weak_new
BARS
exit $failed
