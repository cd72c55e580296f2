#!/bin/sh
# The manual: every page has its place, every function its entry, every link leads somewhere; a page with a link that leads
# nowhere is refused. Five seconds. What is made stays in target/manual (or in the folder that is named).
set -eu
cd "$(dirname "$0")/.."
command -v python3 >/dev/null || { echo "there is no python3: no manual"; exit 0; }
out=${1:-target/manual}
python3 ci/manual.py "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r docs include abi README.md LICENSE-MIT ci "$work"
mkdir -p "$work/src" && cp -r src/ffi "$work/src"
for there in examples-c tests tools packaging benches c-tests fuzz; do ln -s "$PWD/$there" "$work/$there"; done
python3 "$work/ci/manual.py" "$work/out" >/dev/null
echo 'See [nothing](llvm.md#no-such-heading).' >>"$work/docs/limits.md"
if python3 "$work/ci/manual.py" "$work/out" 2>"$work/said"; then echo "a link that leads nowhere was not found" >&2; exit 1; fi
grep -q "limits links to llvm#no-such-heading" "$work/said"
