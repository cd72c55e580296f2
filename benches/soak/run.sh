#!/bin/bash
# Builds the library and runs soak.c for so many seconds (1200), with the flags in BARROW_FLAGS (-M24m, of which 16 MiB live).
set -euo pipefail
cd "$(dirname "$0")/../.."
cargo build --release --locked -p barrow
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -O2 -Wall -Iinclude -o "$work/soak" benches/soak/soak.c target/release/libbarrow.a -lpthread -ldl -lm
"$work/soak" "${1:-1200}"
