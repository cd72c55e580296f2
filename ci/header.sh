#!/bin/bash
# Brings include/barrow.h up to date with the library's declarations. With --check it only says whether it is.
set -euo pipefail
cd "$(dirname "$0")/.."
made=$(cargo build --quiet --lib -p barrow --message-format=json |
  sed -n 's/.*"reason":"build-script-executed".*"package_id":"[^"]*barrow[#@][^"]*".*"out_dir":"\([^"]*\)".*/\1/p' | tail -1)
if [ -z "$made" ]; then echo "the build script did not say where it put the header" >&2; exit 1; fi
if [ "${1:-}" = --check ]; then
  diff -u include/barrow.h "$made/barrow.h" || { echo "include/barrow.h is stale; run ci/header.sh" >&2; exit 1; }
else
  cp "$made/barrow.h" include/barrow.h
fi
