#!/bin/sh
# Drives the viewer's page in headless Chromium, and speedscope's with what we convert for it. Installs the driver
# library and speedscope beside the build, where they are kept.
# Exit status: 0 all passed, or skipped with the reason said; 1 something failed.
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
if [ ! -d "$work/node_modules/playwright-core" ] || [ ! -d "$work/node_modules/speedscope" ]; then
    command -v npm >/dev/null || { echo "skipped: no npm to install playwright-core with"; exit 0; }
    npm install --prefix "$work" --no-save --no-audit --no-fund playwright-core@1 speedscope@1 >"$work/npm.log" 2>&1 ||
        { echo "skipped: playwright-core could not be installed; see $work/npm.log"; exit 0; }
fi
if [ -z "${BARROW:-}" ]; then
    cargo build --release -p barrow-tools --manifest-path "$root/Cargo.toml"
    BARROW=$target/release/barrow
fi
BARROW=$BARROW CHROMIUM=$chromium PAGE_TEST=$work exec node "$here/drive.mjs" "$@"
