#!/bin/sh
# Makes the profiles in tests/fixtures/leaks: of each of the twenty programs who made what is alive, what it is and who holds it;
# `programs`, which says of each which centre leaks; and two snapshots of one of them, half-way and at its end. LIBRARY names a built libbarrow.a.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
library=${LIBRARY:-${CARGO_TARGET_DIR:-$root/target}/release/libbarrow.a}
out=$here/../fixtures/leaks
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -O2 -std=c11 -I"$root/include" "$here/programs.c" "$library" -lgcc_s -lutil -lrt -lpthread -lm -ldl -o "$work/programs"
rm -rf "$out"
mkdir -p "$out"
"$work/programs" >"$out/programs"
cd "$work"
while read -r name _; do
    ./programs "$name" "-hc -hy -hr -i0 -L60 -po$name"
    gzip -9n "$name".hc.hp "$name".hy.hp "$name".hr.hp "$name".prof
    mv "$name".*.gz "$out"
done <"$out/programs"
./programs forgotten "" forgotten
gzip -9n forgotten.half forgotten.end
mv forgotten.half.gz "$out/forgotten.half.snapshot.gz"
mv forgotten.end.gz "$out/forgotten.end.snapshot.gz"
