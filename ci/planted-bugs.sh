#!/bin/sh
# Plants the bugs of tests/planted one after the other into a copy of the tree, and runs random programs against
# the model (tests/model.rs) with each; a patch whose first line is "Found by: ARGUMENTS" is for `cargo test ARGUMENTS`
# instead. Fails unless every one of them is found.
#
#   ci/planted-bugs.sh [patch...]
#
# PLANTED_EVERY: only one of so many: what the continuous checks have time for.
# PLANTED_PROGRAMS: programs for each bug (1500). PLANTED_TARGET: a build directory to use again.
# BARROW_SLOWER: how much longer than on a quiet machine a run may take (1).
set -eu
cd "$(dirname "$0")/.."
top=$PWD
[ $# -gt 0 ] || set -- tests/planted/*.patch
if [ "${PLANTED_EVERY:-1}" -gt 1 ]; then
    set -- $(printf '%s\n' "$@" | awk -v every="$PLANTED_EVERY" 'NR % every == 0')
fi
programs=${PLANTED_PROGRAMS:-1500}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM HUP

mkdir "$scratch/tree"
git ls-files -z | xargs -0 tar cf - | tar xf - -C "$scratch/tree"
cd "$scratch/tree"
export CARGO_TARGET_DIR="${PLANTED_TARGET:-$scratch/target}"
export CARGO_PROFILE_TEST_DEBUG=0 CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=1
export BARROW_MODEL_PROGRAMS="$programs" BARROW_MODEL_SHRINK=0 RUST_BACKTRACE=0

# What has to find a patch: arguments of cargo test.
finder() {
    sed -n '1s/^Found by: //p' "$1"
}

# build [ARGUMENTS]: the model test, or another.
build() {
    # shellcheck disable=SC2086
    if ! cargo test --quiet ${1:---test model} --no-run >"$scratch/build" 2>&1; then
        cat "$scratch/build"
        return 1
    fi
}

# try [ARGUMENTS]: the model test, or another. Found, missed, or stopped by the clock, which is neither.
try() {
    status=0
    limit=150
    [ -z "$1" ] || limit=300
    # shellcheck disable=SC2086
    timeout $((limit * ${BARROW_SLOWER:-1})) cargo test --quiet ${1:---test model heaps} >"$scratch/run" 2>&1 || status=$?
    return $status
}

# verdict NAME [ARGUMENTS]: says whether the planted bug is found. The model names the seed of a program; another test
# what it has found, by panicking.
verdict() {
    if [ -n "$2" ]; then
        by=$2 signs='panicked at' lines=1
    else
        by="$programs programs" signs='seed [0-9]*:' lines=0
    fi
    if try "$2"; then
        echo "$1: MISSED by $by"
    elif grep -q "$signs" "$scratch/run"; then
        echo "$1: found: $(grep -m1 -A$lines "$signs" "$scratch/run" | tail -1 | sed 's/.*\(seed [0-9]*:\)/\1/' | cut -c1-150)"
        return 0
    else
        tail -5 "$scratch/run"
        echo "$1: the run ended without an answer"
    fi
    return 1
}

for other in $(for patch in "$@"; do finder "$patch" | tr ' ' '+'; done | sort -u); do
    arguments=$(echo "$other" | tr '+' ' ')
    # By itself, since what the clock stops is a run and not a build.
    build "$arguments" || { echo "planted-bugs: the tree as it is does not build $other"; exit 1; }
    try "$arguments" || { cat "$scratch/run"; echo "planted-bugs: the tree as it is fails $other"; exit 1; }
done
for patch in "$@"; do
    [ -n "$(finder "$patch")" ] || { model=yes; break; }
done
[ -z "${model:-}" ] || build || { echo "planted-bugs: the tree as it is does not build"; exit 1; }
[ -z "${model:-}" ] || try "" || { cat "$scratch/run"; echo "planted-bugs: the tree as it is fails the model test"; exit 1; }

found=0
bad=""
for patch in "$@"; do
    case $patch in /*) ;; *) patch=$top/$patch ;; esac
    name=$(basename "$patch" .patch)
    if ! patch -p1 -s -F3 --no-backup-if-mismatch <"$patch" >"$scratch/patch" 2>&1; then
        cat "$scratch/patch"
        echo "$name: does not apply; make it anew"
        bad="$bad $name"
        rm -rf "$scratch/tree/src"
        (cd "$top" && git ls-files -z src | xargs -0 tar cf -) | tar xf - -C "$scratch/tree"
        continue
    fi
    other=$(finder "$patch")
    if ! build "$other"; then
        echo "$name: does not build"
        bad="$bad $name"
    elif verdict "$name" "$other"; then
        found=$((found + 1))
    else
        bad="$bad $name"
    fi
    patch -p1 -s -R -F3 --no-backup-if-mismatch <"$patch" >/dev/null
done
echo "planted-bugs: $found of $# found"
[ -z "$bad" ] || { echo "planted-bugs: not found:$bad"; exit 1; }
