#!/bin/sh
# Compiles the headers for other machines, and the library too where Rust's standard library for that machine is installed.
set -eu
cd "$(dirname "$0")/.."
if command -v aarch64-linux-gnu-gcc >/dev/null; then
  for source in c-tests/include_c99.c c-tests/layout.c c-tests/alloc.c c-tests/ticky.c c-tests/stg.c; do
    aarch64-linux-gnu-gcc -std=c99 -O1 -Wall -Wextra -Wpedantic -Werror -Iinclude -c "$source" -o /dev/null
  done
  echo "the headers compile for aarch64"
else
  echo "there is no aarch64-linux-gnu-gcc: the headers are not tried"
fi
if rustc --print target-libdir --target aarch64-unknown-linux-gnu 2>/dev/null | xargs -r test -d; then
  cargo check --quiet --lib --target aarch64-unknown-linux-gnu
  echo "the library checks for aarch64"
else
  echo "Rust's standard library for aarch64 is not there: the library is not tried"
fi
