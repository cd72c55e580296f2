#!/bin/sh
# Draws the pictures of docs/profiling.md: builds the examples, runs them with the flags that the page tells, and lets
# `barrow convert` draw. BARROW_LIB is the folder of libbarrow.a and the barrow command; without it, cargo builds them.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$(dirname "$here")")
if [ -z "${BARROW_LIB:-}" ]; then
  (cd "$root" && cargo build --release --workspace)
  BARROW_LIB=${CARGO_TARGET_DIR:-$root/target}/release
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# draw PICTURE EXAMPLE ARGUMENT FLAGS...
draw() {
  picture=$1 example=$2 argument=$3
  shift 3
  [ -x "$example" ] || "${CC:-cc}" -O2 -I"$root/include" "$root/examples-c/$example.c" -o "$example" \
    "$BARROW_LIB/libbarrow.a" -lpthread -ldl -lm
  "./$example" $argument +RTS "$@" >out
  "$BARROW_LIB/barrow" convert "$example.hp" --to svg -o "$here/$picture.svg"
}

draw accumulator lazy-accumulator lazy -hb -ib1m
draw accumulator-mended lazy-accumulator strict -hb -ib1m
draw table table-read-once hold -hb -ib1m
draw table-mended table-read-once drop -hb -ib1m
draw lookup lookup-unforced "" -hr -hdBin -ib1m -L40
draw lookup-mended lookup-unforced force -hr -hdBin -ib1m -L40
