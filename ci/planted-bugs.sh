#!/bin/sh
# Builds the library once with all planted bugs (src/base/planted.rs), and with each of them chosen runs the test that has
# to find it (tests/planted/table). Fails unless every bug is found; bugs that no test finds yet ("open") are named.
#
#   ci/planted-bugs.sh [number or name...]
#
# PLANTED_EVERY=n, PLANTED_PART=k: only the bugs whose number is k modulo n (1, 0): a share of them.
# PLANTED_PROGRAMS: random programs for each bug (1500). PLANTED_JOBS: bugs at the same time (1; the model has two processes).
# PLANTED_TARGET: the build directory (target/planted), which is not that of the other tests: their library has no bugs.
# BARROW_SLOWER: factor by which a run may take longer than on a quiet machine (1).
set -eu
cd "$(dirname "$0")/.."
table=$PWD/tests/planted/table
target=${PLANTED_TARGET:-$PWD/target/planted}
programs=${PLANTED_PROGRAMS:-1500}
export CARGO_TARGET_DIR="$target" CARGO_PROFILE_TEST_DEBUG=0 CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=1
# C programs have their small sizes.
export BARROW_MODEL_PROGRAMS="$programs" BARROW_MODEL_SHRINK=0 RUST_BACKTRACE=0 BARROW_TEST_SLOW=1

# rows: the table without its comments, as number|name|finder.
rows() { sed -n 's/^\([0-9][0-9]*\) | \([^ ]*\) | [^ ]* | \([^|]*[^ |]\) | .*/\1|\2|\3/p' "$table"; }

# run FINDER: what has to find a bug, with the one that BARROW_PLANTED chooses; its status, 124 when the clock stops it. A C program
# has a folder for each bug, since several may run at the same time and write files.
run() {
    patience=$((150 * ${BARROW_SLOWER:-1}))
    # shellcheck disable=SC2086
    set -- $1
    kind=$1
    shift
    case $kind in
        model) timeout $patience "$scratch/model" heaps ;;
        test) file=$1; shift; timeout $patience "$scratch/$file" "$@" ;;
        lib) timeout $patience "$(readlink -f "$scratch/lib")" "$@" ;; # its tests know its name
        c | full)
            [ "$kind" = c ] || unset BARROW_TEST_SLOW
            for program in "$@"; do
                at=$scratch/c-$program.d/${BARROW_PLANTED:-none}
                mkdir -p "$at" && (cd "$at" && timeout $patience "../$program") || return $?
            done ;;
    esac
}

# one NUMBER NAME FINDER: says whether the bug is found. The model names the seed of a program, a Rust test what it has
# found, by panicking; a C program by its check, or by the signal that ends it.
one() {
    out=$scratch/out-$1 status=0
    BARROW_PLANTED=$1 run "$3" >"$out" 2>&1 || status=$?
    case $3 in
        model) by="model ($programs programs)" sign='seed [0-9]*:' ;;
        *) by=$3 sign='.' ;;
    esac
    if [ $status = 0 ]; then
        echo "$1 $2: MISSED by $by"
    elif [ $status != 124 ] && grep -q "$sign" "$out"; then
        lines=0
        case $3 in test* | lib*) sign='panicked at' lines=1 ;; esac
        said=$(grep -m1 -A$lines "$sign" "$out" | sed 's/.*\(seed [0-9]*:\)/\1/' | tail -1 | cut -c1-120)
        echo "$1 $2: found by $by: ${said:-status $status}"
        return 0
    elif [ $status = 124 ] && grep -q '^c-tests/[a-z_]*\.[ch]:[0-9]*: ' "$out"; then
        echo "$1 $2: found by $by: $(grep -m1 '^c-tests/' "$out" | cut -c1-120), and did not end"
        return 0
    else
        tail -5 "$out"
        echo "$1 $2: $by ended without an answer ($status)"
    fi
    echo "$1 $2" >>"$scratch/bad"
}

if [ "${1:-}" = --one ]; then
    scratch=$2
    one "$3" "$4" "$5"
    exit 0
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM HUP
if [ $# -gt 0 ]; then
    for wanted in "$@"; do
        rows | awk -F'|' -v wanted="$wanted" '$1 == wanted || $2 == wanted' | grep . ||
            { echo "planted-bugs: there is no bug $wanted" >&2; exit 2; }
    done >"$scratch/rows"
else
    rows | awk -F'|' -v every="${PLANTED_EVERY:-1}" -v part="${PLANTED_PART:-0}" '$1 % every == part' >"$scratch/rows"
fi
sed -n 's/^\([0-9]*\)|\(.*\)|open$/\1 \2: no test finds it yet/p' "$scratch/rows"
open=$(grep -c '|open$' "$scratch/rows") || :
[ $# -gt 0 ] || { grep -v '|open$' "$scratch/rows" >"$scratch/others"; mv "$scratch/others" "$scratch/rows"; }
sed -i 's/|open$/|model/' "$scratch/rows" # asked for by name: perhaps random programs find it now
cut -d'|' -f3 "$scratch/rows" | sort -u >"$scratch/finders"

# Everything that is needed, in one build. Cargo names what it has built: "Executable tests/model.rs (FILE)".
wanted=
while read -r kind name rest; do
    case $kind in
        model) new="--test model" ;;
        test) new="--test $name" ;;
        lib) new=--lib ;;
        *) continue ;;
    esac
    case "$wanted " in *" $new "*) ;; *) wanted="$wanted $new" ;; esac
done <"$scratch/finders"
# shellcheck disable=SC2086
cargo test --locked --features planted ${wanted:---lib} --no-run 2>&1 | tee "$scratch/build" | grep -E '^(error|warning: unused)' && {
    cat "$scratch/build"; echo "planted-bugs: the tree does not build with its planted bugs"; exit 1; }
sed -n 's/^ *Executable .*(\(.*\))$/\1/p' "$scratch/build" | while read -r file; do
    case $file in /*) ;; *) file=$PWD/$file ;; esac
    name=$(basename "$file")
    name=${name%-*}
    [ "$name" != barrow ] || name=lib
    ln -sf "$file" "$scratch/$name"
done
ln -sf "$target/debug/deps/libbarrow.so" "$scratch/libbarrow.so"
soname=$(readelf -d "$scratch/libbarrow.so" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
ln -sf libbarrow.so "$scratch/$soname"
for program in $(sed -n 's/^c //p; s/^full //p' "$scratch/finders"); do
    [ -e "$scratch/c-$program.d" ] && continue
    mkdir "$scratch/c-$program.d"
    ${CC:-cc} -std=c11 -g -O1 -Iinclude "c-tests/$program.c" -o "$scratch/c-$program.d/$program" \
        -L"$scratch" -lbarrow -Wl,-rpath,"$scratch" -lpthread
done

# With none of the bugs all is well.
while read -r finder; do
    status=0
    BARROW_PLANTED=0 run "$finder" >"$scratch/out" 2>&1 </dev/null || status=$?
    case $finder in test* | lib*) grep -q '^test result: ok. [1-9]' "$scratch/out" || status=none ;; esac
    [ "$status" = 0 ] && continue
    tail -40 "$scratch/out"
    [ "$status" != 124 ] || echo "planted-bugs: the clock stopped it; BARROW_SLOWER gives it longer"
    [ "$status" != none ] || echo "planted-bugs: no test is called so"
    echo "planted-bugs: $finder fails without a bug ($status)"
    exit 1
done <"$scratch/finders"

: >"$scratch/bad"
tr '|\n' '\0\0' <"$scratch/rows" | xargs -0 -n 3 -P "${PLANTED_JOBS:-1}" sh ci/planted-bugs.sh --one "$scratch"
all=$(grep -c . "$scratch/rows")
missed=$(grep -c . "$scratch/bad") || :
echo "planted-bugs: $((all - missed)) of $all found; $open that no test finds yet"
[ "$missed" = 0 ] || { echo "planted-bugs: not found:"; sort -n "$scratch/bad"; exit 1; }
