#!/bin/sh
# What heap profiles cost (docs/performance.md, "Heap profiles"): three programs, each against itself with the same major
# collections and nothing counted, and one sample of five million live objects of five words, beside the Glasgow runtime where
# ghc and ghc-prof are installed. All variants run by turns, so that a busy machine is as busy for each; the least CPU time
# counts.
#
#   benches/cost/heap.sh [ROUNDS] [SCALE]     CPU time (7 rounds, scale 1000)
#   PROGRAMS="trees live" benches/cost/heap.sh ...   only these
#   benches/cost/heap.sh callgrind [SCALE]    instructions, which no other program disturbs
#   benches/cost/heap.sh large                -i0.001 beside 2 GB of live data, and a snapshot of 30 million objects
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$(dirname "$here")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
library=${BARROW_LIBRARY:-}
if [ -z "$library" ]; then
  (cd "$root" && cargo build --release --lib)
  library=${CARGO_TARGET_DIR:-$root/target}/release/libbarrow.a
fi
for variant in plain: centres:-DCENTRES uses:-DUSES; do
  # shellcheck disable=SC2086
  "${CC:-cc}" -O2 -I"$root/include" ${variant#*:} "$here/heap.c" -o "$work/${variant%%:*}" "$library" -lpthread -ldl -lm
done

# NAME BINARY FLAGS: what is compared with what is in `summary`. Samples are made at sixteen moments of a short run, six to thirty
# milliseconds apart; with -long there are none but those that a profile makes by itself, each 0.1 s, in a run of seconds.
variants="off|plain|
majors|plain|major
types|plain|-hy -i0
modules|plain|-hm -i0
natural|plain|-hy -in
centres-off|centres|
centres-majors|centres|major
producer|centres|-hc -i0
site|plain|-ha -i0
uses-off|uses|
uses-majors|uses|major
biography|uses|-hb -i0
uses-long|uses|
biography-long|uses|-hb
retainers|plain|-hr -i0"

summary='
  { key = $1 " " $2; if (!(key in all) || $3 < all[key]) all[key] = $3; if (!(key in part) || $4 < part[key]) part[key] = $4; if ($5 > 0) live[$1] = $5 }
  function row(program, name, base, bar) {
    printf "%-6s %-14s %6.2f x %-14s (%s)\n", program, name, all[program " " name] / all[program " " base], base, bar
  }
  END {
    split("trees map array", programs)
    for (i = 1; i <= 3; i++) {
      p = programs[i]
      if (!((p " off") in all)) continue
      row(p, "types", "majors", "1.15"); row(p, "modules", "majors", "1.15"); row(p, "natural", "off", "1.03")
      row(p, "producer", "centres-majors", "1.5"); row(p, "site", "majors", "no bar"); row(p, "biography", "uses-majors", "16 samples at once: no bar")
      row(p, "biography-long", "uses-long", "1.3")
      row(p, "uses-off", "off", "1.05")
      printf "%-6s retainers: a sample is %.2f x a major collection (3 x mean visits)\n", p, part[p " retainers"] / part[p " majors"]
    }
    split("majors types producer biography retainers ghc-majors ghc-types ghc-producer ghc-biography ghc-retainers", names)
    split("- 13 20 25 45 - - - - -", bars)
    for (i = 1; i <= 10; i++) if (("live " names[i]) in part) {
      samples = names[i] ~ /ghc/ ? 1 : 10 * live["live"]
      printf "live   %-13s %6.1f a live object and sample (%s)\n", names[i], part["live " names[i]] / samples, bars[i]
    }
  }'

if [ "${1:-}" = callgrind ]; then
  scale=${2:-30}
  for program in ${PROGRAMS:-trees map array live}; do
    echo "$variants" | grep -v long | while IFS='|' read -r name binary flags; do
      (cd "$work" && valgrind --tool=callgrind --callgrind-out-file=/dev/null "./$binary" $program "$flags -xr512m" "$scale" 2>&1) |
        awk -v n="$name" -v p="$program" '/^[0-9]+ [0-9]+ [0-9]+ -?[0-9]+$/ { live = $3 } /Collected :/ { print p, n, $4, $4, live }'
    done
  done | awk "$summary"
  exit
fi
if [ "${1:-}" = large ]; then
  cd "$work"
  for round in 1 2 3; do
    for flags in "" "-hy -i0.001"; do echo "$flags|$(./plain hold "$flags" 10)"; done
  done | awk -F'|' '{ split($2, n, " "); if (!($1 in least) || n[1] < least[$1]) least[$1] = n[1] }
    END { printf "-i0.001 beside 2 GB of live data: %.2f x (1.5)\n", least["-hy -i0.001"] / least[""] }'
  sed -n 's/.*samples up to \(.*\) apart.*/the file says: samples up to \1 apart/p' plain.hp | tail -1
  ./plain snapshot "" | grep snapshot
  exit
fi
rounds=${1:-7} scale=${2:-1000} programs=${PROGRAMS:-trees map array live}
have_ghc=
if command -v ghc >/dev/null && (cd "$work" && cp "$here/Live.hs" . && ghc -prof -O -fno-full-laziness -rtsopts -v0 Live.hs -o live-ghc >/dev/null 2>&1); then
  have_ghc=yes
fi
round=0
while [ $round -lt "$rounds" ]; do
  round=$((round + 1))
  echo "$variants" | while IFS='|' read -r name binary flags; do
    for program in $programs; do
      case $program,$name in live,off | live,modules | live,natural | live,*-off | live,centres-majors | live,uses-majors | live,*-long | live,site) continue ;; esac
      case $program,$name in trees,*-long) long=8 ;; map,*-long) long=3 ;; array,*-long) long=40 ;; *) long=1 ;; esac
      echo "$program $name $(cd "$work" && "./$binary" $program "$flags" $((scale * long)))"
    done
  done
  case $programs in *live*) ;; *) continue ;; esac
  if [ -n "$have_ghc" ]; then
    for kind in majors: types:-hT producer:-hc biography:-hb retainers:-hr; do
      # shellcheck disable=SC2086
      each=$(cd "$work" && ./live-ghc $((scale * 5000)) +RTS -A4g -i0 ${kind#*:} | tail -1)
      echo "live ghc-${kind%%:*} 0 $each"
    done
  fi
done | awk "$summary"
