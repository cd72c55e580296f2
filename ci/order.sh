#!/bin/sh
# The instructions that give the order of docs/threads.md, in code that was compiled for aarch64, where plain loads and stores have
# none: each function of ci/order.c is looked at, with each C compiler that is there, and the functions of include/barrow/*.ll, with
# each llc. A C compiler and an llc have to be there.
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

# tells FUNCTION FILE WORD COUNT: its text for LLVM has an order so often. Stores of one address at the ends of two branches may be one in its code.
tells() {
  [ "$(sed -n "/@$1(.*{\$/,/^}/p" "$2" | grep -c "$3")" -ge "$4" ] || { echo "$2: $1 has not $4 of $3"; failed=1; }
}

# plain FUNCTION: it stores, and no instruction of it gives an order.
plain() {
  has "$1" 'st[rp][[:space:]]'
  ! grep -qE 'stlr|stlxr|ldap?r|cas|dmb' "$work/body" || { echo "$compiler: $1 has more than plain stores"; failed=1; }
}

# compile COMMAND...: it makes order.s. A compiler that is there and cannot is a failure: nothing of its code would be looked at.
compile() {
  "$@" -o "$work/order.s" 2>"$work/said" && return
  echo "$compiler: cannot compile for aarch64, so its code is not looked at:"
  head -3 "$work/said"
  failed=1
  return 1
}

# publishes PREFIX: stores and exchanges of fields where other threads look.
publishes() {
  has "$1write" 'stlr'
  has "$1write_word" 'stlr'
  has "$1cas" 'casal|ldaxr|cas8_acq_rel'
  has "$1cas" 'casal|stlxr|cas8_acq_rel'
  has "$1cas_word" 'casal|ldaxr|cas8_acq_rel'
  has "$1cas_word" 'casal|stlxr|cas8_acq_rel'
}

# lazy PREFIX END: what threads do that race for a thunk.
lazy() {
  has "$1update" 'stlr'
  has "$1blackhole" 'stlr'
  has "$1update_shared$2" 'ldap?r'
  many "$1update_shared$2" 'stlr' 2
  has "$1claim" 'ldap?r'
  many "$1claim" 'cas|ldxr' 2
  has "$1info_now" 'ldap?r'
  has "$1indirectee" 'ldap?r'
}

# weak PREFIX WRITE GET: weak pointers that another thread may end, and elements of weak arrays.
weak() {
  many "$1weak_deref" 'ldap?r' 2
  many "$1weak_key" 'ldap?r' 2
  has "$1$2" 'stlr'
  has "$1$2_word" 'stlr'
  has "$1$3" 'ldap?r'
}

compilers=0
for compiler in "aarch64-linux-gnu-gcc" "clang --target=aarch64-linux-gnu"; do
  command -v "${compiler%% *}" >/dev/null || continue
  compilers=$((compilers + 1))
  # shellcheck disable=SC2086
  compile $compiler -std=c11 -O2 -Iinclude -S ci/order.c || continue
  plain fill
  plain store_plainly
  plain store_word_plainly
  publishes ''
  has write_field 'stlr'
  lazy '' ''
  weak '' weak_write weak_element
  has ccs_enter 'ldap?r'
  has read_acquire 'ldap?r'
  has publish_global 'stlr'
  has poll 'ldr'
done

# The forms for LLVM 14 have its old pointers; later versions read the others. Those with gc call the late ones, which are the same
# forms with a collector's pointers; two read words in order themselves.
llcs=0
for v in 14 15 16 17 18 19; do
  command -v llc-$v >/dev/null || continue
  llcs=$((llcs + 1))
  end=.ll
  [ $v != 14 ] || end=-14.ll
  compiler="llc-$v, inline$end"
  if compile llc-$v -O2 -mtriple=aarch64-linux-gnu "include/barrow/inline$end"; then
    publishes barrow_
    lazy barrow_ _
    weak barrow_ weak_array_write weak_array_get
    has barrow_weak_alive 'ldap?r'
    has barrow_ccs_enter 'ldap?r'
    has barrow_alloc 'ldr'
    has barrow_get_published 'ldap?r'
    has barrow_get_word_published 'ldap?r'
  fi
  compiler="llc-$v, inline-gc-late$end"
  compile llc-$v -O2 -mtriple=aarch64-linux-gnu "include/barrow/inline-gc-late$end" || continue
  publishes barrow_late_
  has barrow_late_get_published 'ldap?r'
  has barrow_late_update 'ldap?r'
  many barrow_late_update 'stlr' 2
  tells barrow_late_update "include/barrow/inline-gc-late$end" ' release,' 3
  has barrow_late_weak_array_write 'stlr'
  has barrow_late_weak_array_write_word 'stlr'
  has barrow_late_ccs_enter 'ldap?r'
  has barrow_late_claim 'ldap?r'
  many barrow_late_claim 'cas|ldxr' 2
  compiler="llc-$v, inline-gc$end"
  compile llc-$v -O2 -mtriple=aarch64-linux-gnu "include/barrow/inline-gc$end" || continue
  has barrow_gc_info_now 'ldap?r'
  has barrow_gc_get_word_published 'ldap?r'
done

[ $compilers -gt 0 ] || { echo "no C compiler for aarch64 is there: install aarch64-linux-gnu-gcc, or clang"; failed=1; }
[ $llcs -gt 0 ] || { echo "no llc is there from version 14 on: install llvm-14, or a later one"; failed=1; }
[ $failed -eq 0 ] || exit 1
echo "code for aarch64 has the order that docs/threads.md promises (C compilers: $compilers, llc: $llcs)"
