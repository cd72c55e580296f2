#!/bin/sh
# Installs what the hosts in Node and Python need beside their languages, into target/hosts: koffi, and cffi where the system's
# Python has none. c-tests/run.sh finds them there; where one cannot be had, its host is skipped.
set -u
cd "$(dirname "$0")/../.."
place=${CARGO_TARGET_DIR:-target}/hosts
mkdir -p "$place"
if command -v npm >/dev/null && [ ! -d "$place/node_modules/koffi" ]; then
  npm install --prefix "$place" --no-save --no-audit --no-fund --ignore-scripts koffi@3.3.4 >"$place/npm.log" 2>&1 || echo "no koffi: see $place/npm.log"
fi
if command -v python3 >/dev/null && ! /usr/bin/python3 -c 'import cffi' 2>/dev/null &&
  ! "$place/python/bin/python3" -c 'import cffi' 2>/dev/null; then
  python3 -m venv "$place/python" && "$place/python/bin/pip" install -q --disable-pip-version-check cffi || echo "no cffi"
fi
exit 0
