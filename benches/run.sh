#!/usr/bin/env bash
# Compares this library with the collectors that are installed, and prints one table of ratios.
#   benches/run.sh          five repetitions of every workload, about ten minutes
#   benches/run.sh 3        three
# What Debian calls them: libgc-dev, ghc, ocaml. Times spread by a third on a shared machine: minima are quoted too.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
results=${RESULTS:-$here/../target/bench-results.json}
peers=ours,malloc
[ -e /usr/include/gc.h ] || [ -e /usr/include/gc/gc.h ] && peers=$peers,bdwgc
command -v ghc >/dev/null && peers=$peers,ghc
command -v ocamlopt >/dev/null && peers=$peers,ocaml
"$here/peers/run.py" --peers "$peers" --reps "${1:-5}" --json "$results" > "${results%.json}.md"
"$here/ratios.py" "$results"
echo "All figures: ${results%.json}.md"
