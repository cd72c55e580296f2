#!/bin/sh
# What cost centres cost (docs/performance.md): the same program without them, entering one at each call, and at one
# call in twenty; and the one without them while costs are counted (-p). All run by turns, so that a busy machine is as
# busy for each; the least time of each counts. Where the compiler happens to put a loop of three nanoseconds changes its
# time by a third, so each is built with three alignments, and compared with its own kind.
# With "callgrind" it counts instructions instead, which no other program disturbs and no alignment changes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$(dirname "$here")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$root" && cargo build --release --lib)
library=${CARGO_TARGET_DIR:-$root/target}/release/libbarrow.a
alignments="16 32 64"
for variant in none:UNUSED each:STEP=1 twentieth:STEP=20; do
  for alignment in $alignments; do
    "${CC:-cc}" -O2 "-falign-functions=$alignment" -I"$root/include" -D"${variant#*:}" "$here/cost.c" \
      -o "$work/${variant%%:*}-$alignment" "$library" -lpthread -ldl -lm
  done
done
if [ "${1:-}" = callgrind ]; then
  for name in none each twentieth; do
    (cd "$work" && valgrind --tool=callgrind --callgrind-out-file=/dev/null "./$name-16" 2000000 "-A1m -xr64m" 2>&1 |
      sed -n "s/.*Collected : /$name /p")
  done | awk '$1 == "none" { base = $2 } { printf "%-10s %12d instructions  %.2f x\n", $1, $2, $2 / base }'
  exit
fi
cd "$work"
for round in 1 2 3 4 5 6 7 8 9 10 11; do
  for alignment in $alignments; do
    for name in none each twentieth; do
      echo "$name $alignment $("./$name-$alignment" 20000000)"
    done
    echo "counting $alignment $("./none-$alignment" 20000000 "-A1m -p")"
  done
done | awk '
  { key = $1 " " $2; if (!(key in least) || $3 < least[key]) least[key] = $3 }
  END {
    count = split("none counting each twentieth", order); split("16 32 64", at)
    for (i = 1; i <= count; i++) {
      printf "%-10s", order[i]
      for (k = 1; k <= 3; k++) printf "  %6.2f ns a call %.2f x", least[order[i] " " at[k]], least[order[i] " " at[k]] / least["none " at[k]]
      printf "\n"
    }
  }'
