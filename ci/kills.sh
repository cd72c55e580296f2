#!/bin/bash
# Kills a program that takes a heap profile and a biography, at times by lot, and reads what it has left: the profile has whole samples
# alone, and the biography's journal is completed (docs/profiling.md).
#
#   ci/kills.sh [N]      N kills (200)
#
# BARROW_LIB: the folder of libbarrow.a and of the command; without it, cargo builds them.
set -uo pipefail
cd "$(dirname "$0")/.."
kills=${1:-200}
if [ -z "${BARROW_LIB:-}" ]; then
  cargo build -q --locked --workspace || exit 1
  BARROW_LIB=${CARGO_TARGET_DIR:-$PWD/target}/debug
fi
tool=$(realpath "$BARROW_LIB/barrow")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -std=c99 -O1 -Iinclude examples-c/binary-trees.c -o "$work/program" "$BARROW_LIB/libbarrow.a" -lpthread -ldl -lm -lrt -lutil || exit 1
cd "$work" || exit 1
failures=0 early=0 begun=0 samples=0
fail() { echo "FAILED: $*" >&2; failures=$((failures + 1)); }
RANDOM=${SEED:-1}
while [ $begun -lt "$kills" ]; do
  begun=$((begun + 1))
  rm -f left.*
  # Every other one without the biography, which writes its profile at the end.
  flags=-hd
  [ $((begun % 2)) = 0 ] || flags=-hb
  BARROW_FLAGS="$flags -i0.002 -poleft" ./program 24 >/dev/null 2>&1 &
  sleep "0.$(printf %03d $((RANDOM % 900)))"
  kill -9 $! 2>/dev/null || fail "number $begun had ended by itself"
  wait $! 2>/dev/null
  case $flags in
    -hb) file=left.biography ;;
    *) file=left.hp ;;
  esac
  # Killed before anything was written.
  [ -s $file ] || { early=$((early + 1)); continue; }
  if [ $file = left.biography ]; then
    "$tool" convert left.biography --to hp -o left.made.hp >said 2>&1 || { fail "number $begun: $(head -3 said)"; continue; }
    file=left.made.hp
  fi
  "$tool" check $file >said 2>&1 || grep -q 'no sample' said || fail "number $begun: $(head -3 said)"
  [ "$(grep -c '^BEGIN_SAMPLE' $file)" = "$(grep -c '^END_SAMPLE' $file)" ] || fail "number $begun: half a sample is left"
  samples=$((samples + $(grep -c '^END_SAMPLE' $file)))
done
echo "kills: $begun, of which $early before anything was written; $samples samples read; $failures failed"
[ $failures = 0 ]
