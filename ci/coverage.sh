#!/bin/bash
# Which lines of the collector the random programs (rings and lazy keys among them), the refused memory, the library's
# own tests and the C tests reach together: in per cent for each of gc, heap, block, megablock and runtime, and each line that is not
# reached, with the reason that ci/unreached gives for it.
#
#   ci/coverage.sh           builds, runs and tells; some minutes
#   ci/coverage.sh tell      tells again what the last run reached
#
# BARROW_MODEL_PROGRAMS: random programs (4000).   BARROW_FAULT_PROGRAMS: those with refused memory (60).
#
# The counters are the stable compiler's (-Cinstrument-coverage). Only the compiler's own llvm-profdata and llvm-cov read them:
# `rustup component add llvm-tools`. Where that cannot be had, the script says so and skips, which is no failure.
set -uo pipefail
cd "$(dirname "$0")/.."
triple=$(rustc -vV | sed -n 's/^host: //p')
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")/coverage
tools=$(rustc --print sysroot)/lib/rustlib/$triple/bin
[ -x "$tools/llvm-cov" ] || rustup component add llvm-tools >/dev/null 2>&1
[ -x "$tools/llvm-cov" ] || { echo "ci/coverage.sh: there is no llvm-cov of this compiler: skipped"; exit 0; }
export CARGO_INCREMENTAL=0 BARROW_MODEL_PROGRAMS=${BARROW_MODEL_PROGRAMS:-4000} BARROW_FAULT_PROGRAMS=${BARROW_FAULT_PROGRAMS:-60}
built() {
  RUSTFLAGS=-Cinstrument-coverage LLVM_PROFILE_FILE=/dev/null cargo "$@" --locked --target "$triple" --target-dir "$target" \
    --message-format=json -q | sed -n 's/.*"profile":{[^}]*"test":true}.*"executable":"\([^"]*\)".*/\1/p'
}
failed=0
if [ "${1:-}" != tell ]; then
  rm -rf "$target/raw" "$target/programs"
  mkdir -p "$target/raw"
  built build --lib || exit 1
  # Tests run in the order in which they are built.
  built test --no-run --test model --test faults --test library --lib >"$target/programs" || exit 1
  # Runs of one program add to few files, however many processes there are.
  export LLVM_PROFILE_FILE=$target/raw/%4m.profraw
  while read -r program; do
    BARROW_MODEL_SHRINK=0 "$program" -q >"$target/said" 2>&1 || { tail -20 "$target/said"; failed=1; }
  done <"$target/programs"
  BARROW_LIB=$target/$triple/debug BARROW_BUILD=$target/c-tests c-tests/run.sh small >"$target/said" 2>&1 ||
    { grep -A5 FAILED "$target/said"; failed=1; }
  # A process that was killed while it wrote has left a file that cannot be read.
  "$tools/llvm-profdata" merge -sparse -failure-mode=all -o "$target/all" "$target"/raw/*.profraw || exit 1
fi
# Each program by itself: a function that differs between two of them, by a switch of the tests', would count for one alone.
mapfile -t programs <"$target/programs"
for program in "$target/$triple/debug/libbarrow.so" "${programs[@]}"; do
  "$tools/llvm-cov" export -format=lcov -instr-profile="$target/all" "$program" -sources src/gc src/heap src/block src/megablock \
    src/runtime || exit 1
done >"$target/lines"
python3 ci/coverage.py "$target/lines" ci/unreached || failed=1
exit $failed
