#!/bin/sh
# What cost centres cost (docs/performance.md): the same program without them, entering one at each call, and at one
# call in twenty. The three run by turns, so that a busy machine is as busy for each; the least time of each counts.
# With "callgrind" it counts instructions instead, which no other program disturbs.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$(dirname "$here")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$root" && cargo build --release --lib)
library=${CARGO_TARGET_DIR:-$root/target}/release/libbarrow.a
for variant in none:UNUSED each:STEP=1 twentieth:STEP=20; do
  # shellcheck disable=SC2086
  "${CC:-cc}" -O2 -I"$root/include" -D"${variant#*:}" "$here/cost.c" -o "$work/${variant%%:*}" "$library" -lpthread -ldl -lm
done
if [ "${1:-}" = callgrind ]; then
  for name in none each twentieth; do
    (cd "$work" && valgrind --tool=callgrind --callgrind-out-file=/dev/null "./$name" 2000000 "-A1m -xr64m" 2>&1 |
      sed -n "s/.*Collected : /$name /p")
  done | awk '$1 == "none" { base = $2 } { printf "%-10s %12d instructions  %.2f x\n", $1, $2, $2 / base }'
  exit
fi
for round in 1 2 3 4 5 6 7 8 9 10 11; do
  for name in none each twentieth; do
    echo "$name $("$work/$name" 20000000)"
  done
done | awk '
  !($1 in least) || $2 < least[$1] { least[$1] = $2 }
  END {
    split("none each twentieth", order)
    for (i = 1; i <= 3; i++) printf "%-10s %6.2f ns a call  %.2f x\n", order[i], least[order[i]], least[order[i]] / least["none"]
  }'
