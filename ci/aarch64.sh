#!/bin/bash
# Builds the library for aarch64 and runs the C tests and random programs there, under qemu's emulation of the processor. The
# kernel is the machine's own. Or looks at the library's code, since an emulator on x86-64 shows no order of memory.
#
#   ci/aarch64.sh            the C tests in small sizes
#   ci/aarch64.sh model      random programs against the model, BARROW_MODEL_PROGRAMS of them (100)
#   ci/aarch64.sh order      the instructions that give the order of docs/threads.md where it is the library's (ci/order.sh has the rest)
#
# BARROW_SHARE=k/n: of the C programs, every n-th (c-tests/pool.sh).
#
# The emulator keeps a table of all addresses that a program reserves: 8 TiB for the marks of a biography take more memory than there
# is. So programs have few addresses, and the library does without what it cannot reserve.
#
# Debian's packages are qemu-user, gcc-aarch64-linux-gnu and libc6-dev-arm64-cross; the standard library for the target comes
# from `rustup target add aarch64-unknown-linux-gnu`, or is built from its source (`rustup component add rust-src`). Where one cannot be
# had, the script says so and skips, which is no failure.
set -uo pipefail
cd "$(dirname "$0")/.."
triple=aarch64-unknown-linux-gnu
skipped() { echo "ci/aarch64.sh: $1: skipped"; exit 0; }
what=${1:-c}
case $what in
  c | model) needs="qemu-aarch64 aarch64-linux-gnu-gcc" ;;
  order) needs="aarch64-linux-gnu-objdump aarch64-linux-gnu-gcc" ;;
  *) echo "ci/aarch64.sh: model, order or nothing, not $what" >&2; exit 2 ;;
esac
for program in $needs; do command -v $program >/dev/null || skipped "there is no $program"; done
standard=()
library=$(rustc --print sysroot)/lib/rustlib
if ! [ -d "$library/$triple/lib" ] && ! rustup target add $triple >/dev/null 2>&1; then
  [ -e "$library/src/rust/library/Cargo.lock" ] || rustup component add rust-src >/dev/null 2>&1 ||
    skipped "there is no standard library for $triple, nor its source"
  standard=(-Zbuild-std)
  export RUSTC_BOOTSTRAP=1
fi
export CARGO_INCREMENTAL=0 CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64 -L /usr/aarch64-linux-gnu"
export BARROW_TEST_FLAGS=-xr256m
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")/aarch64
build() {
  cargo build -q --locked --lib "${standard[@]}" --target $triple --target-dir "$target" 2>"$target.said" && return
  # The standard library is made of crates too, which nothing else here needs.
  [ ${#standard[@]} -eq 0 ] || ! grep -qE 'failed to (download|get|fetch|query|update)|[Uu]nable to update|no matching package' "$target.said" ||
    skipped "the crates of the standard library cannot be had ($(head -1 "$target.said"))"
  cat "$target.said" >&2
  exit 1
}
mkdir -p "$target"
# has FUNCTION PATTERN: its code in the library has such an instruction, or calls the function that is one.
has() {
  aarch64-linux-gnu-objdump -d --no-show-raw-insn --disassemble="$1" "$target/$triple/debug/libbarrow.so" >"$target/body"
  grep -q "<$1>:" "$target/body" || { echo "ci/aarch64.sh: there is no function $1"; failed=1; return; }
  grep -qE "$2" "$target/body" || { echo "ci/aarch64.sh: $1 has no $2"; failed=1; }
}
[ $what = order ] || ulimit -v $((32 << 20)) # KiB
case $what in
  order)
    build
    failed=0
    # One step each, the first with release, the second with acquire.
    has barrow_enter_foreign 'ldaddl|stlxr|ldadd4_(acq_)?rel>'
    has barrow_leave_foreign 'ldaddal?[[:space:]]|ldaxr|ldadd4_acq(_rel)?>'
    [ $failed -eq 0 ] || exit 1
    echo "the library for aarch64 has the order of calls that docs/threads.md promises" ;;
  c)
    build
    # Its samples are asked for by the clock, which goes on while the emulator translates.
    BARROW_WITHOUT="profile_wall ${BARROW_WITHOUT:-}" BARROW_TEST_EMULATED=1 BARROW_CC=aarch64-linux-gnu-gcc BARROW_UNDER="qemu-aarch64 -L /usr/aarch64-linux-gnu" BARROW_LIB=$target/$triple/debug \
      BARROW_BUILD=$target/c-tests c-tests/run.sh small ;;
  model)
    BARROW_MODEL_PROGRAMS=${BARROW_MODEL_PROGRAMS:-100} BARROW_MODEL_SHRINK=0 \
      cargo test -q --locked "${standard[@]}" --target $triple --target-dir "$target" --test model ;;
esac
