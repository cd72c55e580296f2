#!/bin/bash
# Builds the library so that a memory checker sees into it, and runs the C tests and random programs with it.
#
#   ci/sanitize.sh address    the address sanitizer in the library and in the tests; it is told which memory of the heap is free
#   ci/sanitize.sh memcheck   valgrind, which is told the same by its client requests
#   ci/sanitize.sh thread     the thread sanitizer in the library and in the tests: two threads at one word
#
# BARROW_MODEL_PROGRAMS: random programs (300).   BARROW_SHARE=k/n: of the C programs, every n-th (c-tests/pool.sh).
#
# The stable compiler has the sanitizers' runtimes, but takes their flag only when it is told to be its own next version. Builds
# lie in target/sanitized. Programs are gcc's or clang's: a library that is linked into them gets their runtime. Where a compiler
# does not take the flag, or valgrind is not installed, the script says that it skips the kind, which is no failure.
set -uo pipefail
cd "$(dirname "$0")/.."
kind=${1:-address}
triple=$(rustc -vV | sed -n 's/^host: //p')
target=${CARGO_TARGET_DIR:-$PWD/target}/sanitized/$kind
failed=0
skipped() { echo "ci/sanitize.sh: $1: skipped"; exit 0; }
case $kind in
  address | thread)
    export RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=$kind -Cunsafe-allow-abi-mismatch=sanitizer"
    [ $kind = thread ] || RUSTFLAGS+=' --cfg barrow_shadow="address"'
    try=$(mktemp -d)
    trap 'rm -rf "$try"' EXIT
    # shellcheck disable=SC2086 # flags are words
    rustc ${RUSTFLAGS%% --cfg*} - -o "$try/rust" <<<'fn main() {}' 2>"$try/said" ||
      skipped "rustc has no $kind sanitizer ($(head -1 "$try/said"))"
    gcc -fsanitize=$kind -x c - -o "$try/c" <<<'int main(void) { return 0; }' 2>"$try/said" ||
      skipped "gcc has no $kind sanitizer ($(head -1 "$try/said"))"
    ;;
  memcheck)
    command -v valgrind >/dev/null || skipped "valgrind is not installed"
    export RUSTFLAGS='--cfg barrow_shadow="memcheck"'
    ;;
  *) echo "ci/sanitize.sh: address, thread or memcheck, not $kind" >&2; exit 2 ;;
esac
export CARGO_INCREMENTAL=0
mkdir -p "$target"
# The thread sanitizer has to see the locks inside the standard library too, which is built from its source for that.
standard=()
if [ $kind = thread ]; then
  source=$(rustc --print sysroot)/lib/rustlib/src/rust/library/Cargo.lock
  [ -e "$source" ] || rustup component add rust-src >/dev/null 2>&1
  [ -e "$source" ] || skipped "there is no source of the standard library (rustup component add rust-src)"
  standard=(-Zbuild-std)
  # Its runtime has parts of the address space for itself, where some systems put programs in one start of many.
  under="setarch $(uname -m) -R"
  $under "$try/c" >/dev/null 2>&1 || under=
  $under "$try/c" >"$try/said" 2>&1 || skipped "programs with the thread sanitizer do not run here ($(head -1 "$try/said"))"
fi
# A target that is named keeps the flags from what is built for building. Random programs come with a library of their own, which
# the C programs can have too: the one with a way to refuse memory inside.
model=(cargo test -q --locked --target "$triple" --target-dir "$target" --test model)
case $kind in
  address) "${model[@]}" --no-run || exit 1; built=$target/$triple/debug/deps ;;
  *)
    cargo build -q --locked --lib "${standard[@]}" --target "$triple" --target-dir "$target" 2>"$target.said" || {
      # The standard library is made of crates too, which nothing else here needs.
      [ $kind = thread ] && grep -qE 'failed to (download|get|fetch|query|update)|[Uu]nable to update|no matching package' "$target.said" &&
        skipped "the crates of the standard library cannot be had ($(head -1 "$target.said"))"
      cat "$target.said" >&2
      exit 1
    }
    built=$target/$triple/debug ;;
esac
flags=$RUSTFLAGS
unset RUSTFLAGS
export BARROW_LIB=$built BARROW_BUILD=$target/c-tests
if [ $kind = thread ]; then
  # The library tells the runtime of its accesses: a race of a program and one inside the library are reported, with the list of those
  # that are to be left alone.
  nm -D "$built/libbarrow.so" | grep -c __tsan_write >/dev/null || { echo "ci/sanitize.sh: FAILED: the thread sanitizer is not in the library"; failed=1; }
  race=$target/race
  gcc -std=c11 -g -O1 -Iinclude -fsanitize=thread c-tests/stale/race.c c-tests/threads/words.c -o "$race" \
    "$built/libbarrow.a" -lpthread -ldl -lm -lrt -lutil || exit 1
  for where in program library; do
    TSAN_OPTIONS="halt_on_error=1 history_size=7 suppressions=$PWD/c-tests/tsan.supp" $under "$race" $where >"$race.out" 2>&1 &&
      { echo "ci/sanitize.sh: FAILED: thread does not see a race of the $where"; failed=1; }
    grep -q "WARNING: ThreadSanitizer: data race" "$race.out" && { [ $where = program ] || grep -q "src/ffi/version.rs" "$race.out"; } ||
      { echo "ci/sanitize.sh: FAILED: thread says something else of a race of the $where"; head -20 "$race.out"; failed=1; }
  done
  # Its runtime cannot start threads in the child of a fork, and faults where the system refuses memory.
  BARROW_WITHOUT="fork refused ${BARROW_WITHOUT:-}" BARROW_UNDER=$under c-tests/run.sh threads || failed=1
  exit $failed
fi
# What is wrong is seen: the very first wrong access, and not later.
stale=$target/stale
gcc -std=c11 -g -O1 -Iinclude $([ "$kind" != address ] || echo -fsanitize=address) c-tests/stale/stale.c -o "$stale" \
  "$BARROW_LIB/libbarrow.a" -lpthread -ldl -lm -lrt -lutil || exit 1
case $kind in
  address) "$stale" >"$stale.out" 2>&1 ;;
  memcheck) BARROW_TEST_FLAGS=-xr256m valgrind -q --error-exitcode=99 "$stale" >"$stale.out" 2>&1 ;;
esac && { echo "ci/sanitize.sh: FAILED: $kind does not see an access to what is free"; failed=1; }
grep -A3 "the next access is wrong" "$stale.out" | grep -qE "use-after-poison|Invalid read of size" ||
  { echo "ci/sanitize.sh: FAILED: $kind says something else of an access to what is free"; head -20 "$stale.out"; failed=1; }
# The handler of faults reads the whole stack, the sanitizer's gaps too; and which memory objects have left, the sanitizer tells first.
case $kind in
  address) BARROW_WITHOUT=faults c-tests/run.sh sanitize || failed=1 ;;
  memcheck) c-tests/run.sh valgrind || failed=1 ;;
esac
[ "$kind" != memcheck ] || exit $failed
# What Rust's test harness keeps to the end is no leak of ours.
ASAN_OPTIONS=detect_leaks=0 RUSTFLAGS=$flags BARROW_MODEL_PROGRAMS=${BARROW_MODEL_PROGRAMS:-300} BARROW_MODEL_SHRINK=0 \
  "${model[@]}" -- --nocapture || failed=1
exit $failed
