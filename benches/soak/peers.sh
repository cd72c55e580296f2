#!/bin/bash
# Builds the same soak for Boehm's collector and for GHC, and runs both for so many seconds (1200): with the limit in SOAK_LIMIT_BOEHM (40m)
# and SOAK_LIMIT_GHC (128m), the least with which they finished. benches/soak/run.sh has ours.
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "Boehm"
if cc -O2 -Wall -o "$work/boehm" boehm.c -lgc; then
  GC_MAXIMUM_HEAP_SIZE=${SOAK_LIMIT_BOEHM:-40m} "$work/boehm" "${1:-1200}" || echo "it did not finish"
fi
if command -v ghc >/dev/null; then
  echo "GHC, --nonmoving-gc"
  ghc -v0 -O2 -XBangPatterns -rtsopts -i../peers/haskell -outputdir "$work/objects" -o "$work/haskell" Soak.hs
  "$work/haskell" "${1:-1200}" +RTS "-M${SOAK_LIMIT_GHC:-128m}" --nonmoving-gc -T || echo "it did not finish"
fi
