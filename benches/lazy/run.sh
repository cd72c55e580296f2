#!/bin/sh
# Programs that make selectors and update thunks (examples-c/lazy/selectors.c and updates.c), beside the same in Haskell
# (docs/performance.md). They run by turns, so that a busy machine is as busy for each; CPU time of the whole program and
# the most memory, of which the least of five counts.
#
#   benches/lazy/run.sh [SELECTOR-ROUNDS [UPDATE-ROUNDS]]
#
# BARROW_LIB: the directory of libbarrow.a; without it, cargo builds it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$(dirname "$here")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -z "${BARROW_LIB:-}" ]; then
  (cd "$root" && cargo build --release --lib)
  BARROW_LIB=${CARGO_TARGET_DIR:-$root/target}/release
fi
"${CC:-cc}" -O2 "$root/benches/peers/measure.c" -o "$work/measure"
for name in selectors updates; do
  "${CC:-cc}" -O2 -I"$root/include" "$root/examples-c/lazy/$name.c" -o "$work/$name" "$BARROW_LIB/libbarrow.a" -lpthread -ldl -lm
done
ghc -v0 -O2 -rtsopts -outputdir "$work/s" "$here/Selectors.hs" -o "$work/Selectors"
ghc -v0 -O2 -rtsopts -outputdir "$work/u" "$here/Updates.hs" -o "$work/Updates"

# one LABEL PROGRAM ARGUMENTS...
one() {
  label=$1
  shift
  "$work/measure" "$work/numbers" "$work/out" "$work/err" "$@"
  awk -v label="$label" -v said="$(cat "$work/out")" '{ print label, $2 + $3, $4, $5, said }' "$work/numbers"
}

for turn in 1 2 3 4 5; do
  one barrow "$work/selectors" "${1:-20000}"
  one barrow,no-selectors "$work/selectors" "${1:-20000}" +RTS --selectors=off
  one ghc "$work/Selectors" "${1:-20000}" +RTS -A1m
  one ghc,nursery-64m "$work/Selectors" "${1:-20000}" +RTS -A64m
  one barrow "$work/updates" "${2:-1000}"
  one ghc "$work/Updates" "${2:-1000}" +RTS -A1m
  one ghc,nursery-64m "$work/Updates" "${2:-1000}" +RTS -A64m
done | awk '
  $4 != 0 { print "failed: " $0; failed = 1 }
  {
    key = $5 " " $1
    if (($5 in answer) && answer[$5] != $6) { print "the answers differ: " $0; failed = 1 }
    answer[$5] = $6
    if (!(key in least)) { order[++count] = key; least[key] = $2; most[key] = $3 }
    if ($2 < least[key]) least[key] = $2
    if ($3 < most[key]) most[key] = $3
  }
  END {
    for (i = 1; i <= count; i++) printf "%-36s %7.2f s %8.1f MiB\n", order[i], least[order[i]], most[order[i]] / 1024
    exit failed
  }'
