#!/bin/sh
# Refreshes the committed files that are generated from the library: include/barrow.h, include/barrow/table.h,
# include/barrow/barrow.cdef, abi/table.txt, abi/symbols.txt, and include/barrow/*.ll as far as their compilers are there.
# With --check it ends with 1 when one of them was not fresh.
set -eu
cd "$(dirname "$0")/.."
cargo build --lib --features generate
target=${CARGO_TARGET_DIR:-target}/debug
out=$(dirname "$(ls -t "$target"/build/barrow-*/out/barrow.h | head -1)")
nm -D --defined-only "$target/libbarrow.so" | awk '{print $3}' | LC_ALL=C sort >"$target/symbols.txt"
# A file that is the same keeps its time: programs that include it stay fresh.
refresh() { cmp -s "$1" "$2" || cp "$1" "$2"; }
refresh "$out/barrow.h" include/barrow.h
refresh "$out/table.h" include/barrow/table.h
refresh "$out/barrow.cdef" include/barrow/barrow.cdef
refresh "$out/table.txt" abi/table.txt
refresh "$target/symbols.txt" abi/symbols.txt
ci/ir.sh >/dev/null
git --no-pager diff --stat -- include abi
if [ "${1:-}" = --check ]; then git diff --quiet -- include abi || { echo "these were not fresh: commit them" >&2; exit 1; }; fi
