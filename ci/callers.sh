#!/bin/bash
# The functions that eight threads call at the same time in the C tests: seen by the dynamic linker, which tells of each call
# (c-tests/callers/audit.c; programs.txt has the programs), and compared with what the header says of threads (build/threads.txt).
#
#   ci/callers.sh [--all]    with --all, the number of threads for each function
#
# BARROW_LIB: the directory of libbarrow.so; without it, cargo builds it.
set -euo pipefail
cd "$(dirname "$0")/.."
[ "$(uname -m)" = x86_64 ] || { echo "ci/callers.sh: the linker's calls are known for x86-64 alone: skipped"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -z "${BARROW_LIB:-}" ]; then
  cargo build -q --locked --lib
  BARROW_LIB=${CARGO_TARGET_DIR:-target}/debug
fi
lib=$(realpath "$BARROW_LIB")
soname=$(readelf -d "$lib/libbarrow.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
ln -s "$lib/libbarrow.so" "$work/$soname"
gcc -O1 -Wall -Wextra -shared -fPIC c-tests/callers/audit.c -o "$work/audit.so"

run() { # NAME
  # Functions are to be looked up at their first call, whatever is usual here.
  gcc -O1 -Iinclude "c-tests/$1.c" -o "$work/$1" "$work/$soname" -Wl,-rpath,"$work" -Wl,-z,lazy -lpthread -lm
  mkdir "$work/in-$1"
  (cd "$work/in-$1" && BARROW_TEST_SLOW=1 BARROW_CALLERS=$work/callers LD_AUDIT=$work/audit.so "../$1" >"$work/said-$1" 2>&1) ||
    { echo "ci/callers.sh: $1 failed"; tail -5 "$work/said-$1"; exit 1; }
}
while read -r name; do
  run "$name" </dev/null
done <c-tests/callers/programs.txt

# Each function's most threads in a program, with its class; by its first parameter where build/threads.txt has none.
sort -k2,2 -k1,1nr "$work/callers" | awk '!seen[$2]++ { print $2, $1 }' >"$work/most"
awk '$1 != "#" && $1 != "=" && NF > 1 { for (i = 2; i <= NF; i++) print $i, $1 }' build/threads.txt >"$work/classes"
# Code that has the address of a function calls it without the linker: what test code in assembler is handed.
grep -oE '\(void \*\)\(size_t\)barrow_\w+' c-tests/threads_compiled.c c-tests/threads_calls.c | sed 's/.*)//' | sort -u >"$work/handed"
awk -v all="${1:-}" '
  FILENAME ~ /most$/ { most[$1] = $2; next }
  FILENAME ~ /classes$/ { class[$1] = $2; next }
  FILENAME ~ /handed$/ { handed[$1] = 1; next }
  {
    kind = ($1 in class) ? class[$1] : "several"
    if (all) printf "%3d %-8s %s\n", most[$1], kind, $1
    # Nothing else calls these at the same time, or a callback does; the header says so. A child of fork has one thread.
    if (kind ~ /^(one|lone|first|single|callback)$/ || $1 == "barrow_fork_child" || $1 ~ /^barrow_(visit|resolve)/ || $1 in handed) { passed++; next }
    counted++
    if (most[$1] < 8) { printf "FAILED: %s, which any thread may call, is called by %d threads at a time\n", $1, most[$1]; failed = 1 }
  }
  END {
    printf "callers: %d functions are called by eight threads at a time or more, %d are not to be\n", counted, passed
    exit failed
  }' "$work/most" "$work/classes" "$work/handed" abi/symbols.txt
