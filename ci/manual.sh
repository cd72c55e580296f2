#!/bin/sh
# The manual: every page has its place, every function its entry, every link leads somewhere; a page with a link that leads
# nowhere is refused. Its pieces of C compile (ci/snippets.py). Ten seconds. The manual stays in target/manual (or in the folder that is named).
set -eu
cd "$(dirname "$0")/.."
command -v python3 >/dev/null || { echo "there is no python3: no manual"; exit 0; }
out=${1:-target/manual}
python3 ci/manual.py "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The pages' pieces of C, with each compiler that is here.
compilers=
for compiler in gcc clang; do if command -v $compiler >/dev/null; then compilers="$compilers $compiler"; fi; done
mkdir "$work/snippets"
# shellcheck disable=SC2086
python3 ci/snippets.py "$work/snippets" $compilers
cp -r docs include abi README.md LICENSE-MIT ci "$work"
mkdir -p "$work/src" && cp -r src/ffi "$work/src"
for there in examples-c tests tools packaging benches c-tests fuzz; do ln -s "$PWD/$there" "$work/$there"; done
python3 "$work/ci/manual.py" "$work/out" >/dev/null
echo 'See [nothing](llvm.md#no-such-heading).' >>"$work/docs/limits.md"
if python3 "$work/ci/manual.py" "$work/out" 2>"$work/said"; then echo "a link that leads nowhere was not found" >&2; exit 1; fi
grep -q "limits links to llvm#no-such-heading" "$work/said"
sed -i 's/^BARROW_WRITE(m, cell/BARROW_WRITE(cell/' "$work/docs/embedding.md"
# shellcheck disable=SC2086
if python3 "$work/ci/snippets.py" "$work/snippets" $compilers 2>"$work/said"; then echo "C that is wrong was not found" >&2; exit 1; fi
grep -q "docs/embedding.md has C that" "$work/said"
