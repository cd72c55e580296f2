#!/bin/bash
# Builds the library for aarch64 and runs the C tests and random programs there, under qemu's emulation of the processor. The
# kernel is the machine's own.
#
#   ci/aarch64.sh            the C tests in small sizes
#   ci/aarch64.sh model      random programs against the model, BARROW_MODEL_PROGRAMS of them (100)
#
# BARROW_SHARE=k/n: of the C programs, every n-th (c-tests/pool.sh).
#
# The emulator keeps a table of all addresses that a program reserves: 8 TiB for the marks of a biography take more memory than there
# is. So programs have few addresses, and the library does without what it cannot reserve.
#
# Debian's packages are qemu-user, gcc-aarch64-linux-gnu and libc6-dev-arm64-cross; the standard library for the target comes
# from `rustup target add aarch64-unknown-linux-gnu`. Where one cannot be had, the script says so and skips, which is no failure.
set -uo pipefail
cd "$(dirname "$0")/.."
triple=aarch64-unknown-linux-gnu
skipped() { echo "ci/aarch64.sh: $1: skipped"; exit 0; }
for program in qemu-aarch64 aarch64-linux-gnu-gcc; do command -v $program >/dev/null || skipped "there is no $program"; done
[ -d "$(rustc --print sysroot)/lib/rustlib/$triple/lib" ] || rustup target add $triple >/dev/null 2>&1 ||
  skipped "there is no standard library for $triple"
export CARGO_INCREMENTAL=0 CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64 -L /usr/aarch64-linux-gnu"
ulimit -v $((32 << 20)) # KiB
export BARROW_TEST_FLAGS=-xr256m
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")/aarch64
case ${1:-c} in
  c)
    cargo build -q --locked --lib --target $triple --target-dir "$target" || exit 1
    # Its samples are asked for by the clock, which goes on while the emulator translates.
    BARROW_WITHOUT="profile_wall ${BARROW_WITHOUT:-}" BARROW_TEST_EMULATED=1 BARROW_CC=aarch64-linux-gnu-gcc BARROW_UNDER="qemu-aarch64 -L /usr/aarch64-linux-gnu" BARROW_LIB=$target/$triple/debug \
      BARROW_BUILD=$target/c-tests c-tests/run.sh small ;;
  model)
    BARROW_MODEL_PROGRAMS=${BARROW_MODEL_PROGRAMS:-100} BARROW_MODEL_SHRINK=0 \
      cargo test -q --locked --target $triple --target-dir "$target" --test model ;;
  *) echo "ci/aarch64.sh: model or nothing, not $1" >&2; exit 2 ;;
esac
