#!/bin/sh
# The instructions that give the order of docs/threads.md, in code that was compiled for aarch64, where plain loads and stores have
# none: each function of ci/order.c is looked at, with each compiler that is there.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# has FUNCTION PATTERN: its code has an instruction like this.
has() {
  sed -n "/^$1:/,/\\.size[[:space:]]*$1,/p" "$work/order.s" >"$work/body"
  [ -s "$work/body" ] || { echo "$compiler: there is no function $1"; failed=1; return; }
  grep -qE "$2" "$work/body" || { echo "$compiler: $1 has no $2"; failed=1; }
}

# many FUNCTION PATTERN COUNT: at least so many of them.
many() {
  has "$1" "$2"
  [ "$(grep -cE "$2" "$work/body")" -ge "$3" ] || { echo "$compiler: $1 has not $3 of $2"; failed=1; }
}

tried=0
for compiler in "aarch64-linux-gnu-gcc" "clang --target=aarch64-linux-gnu"; do
  command -v "${compiler%% *}" >/dev/null || continue
  # shellcheck disable=SC2086
  $compiler -std=c11 -O2 -Iinclude -S ci/order.c -o "$work/order.s" 2>"$work/said" || { head -3 "$work/said"; continue; }
  tried=$((tried + 1))
  has write_field 'stlr'
  has write_any 'stlr'
  has write_word 'stlr'
  has cas 'casal|ldaxr|cas8_acq_rel'
  has update 'stlr'
  has blackhole 'stlr'
  has update_shared 'ldap?r'
  many update_shared 'stlr' 2
  has claim 'ldap?r'
  many claim 'cas|ldxr' 2
  has info_now 'ldap?r'
  has indirectee 'ldap?r'
  has read_acquire 'ldap?r'
  has poll 'ldr'
done
[ $failed -eq 0 ] || exit 1
[ $tried -gt 0 ] || { echo "no compiler for aarch64 is there: the order of its code is not looked at"; exit 0; }
echo "code for aarch64 has the order that docs/threads.md promises ($tried compilers)"
