#!/bin/sh
# Refreshes what is generated from the library and committed: include/barrow.h and abi/symbols.txt.
set -eu
cd "$(dirname "$0")/.."
cargo build --lib
target=${CARGO_TARGET_DIR:-target}/debug
cp "$(ls -t "$target"/build/barrow-*/out/barrow.h | head -1)" include/barrow.h
nm -D --defined-only "$target/libbarrow.so" | awk '{print $3}' | LC_ALL=C sort >abi/symbols.txt
git --no-pager diff --stat -- include/barrow.h abi/symbols.txt
