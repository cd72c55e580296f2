# The release library that a script in this folder measures: $root is the project, $BARROW_LIB the library's folder, $work a folder
# that goes when the script ends, with the library under the name that programs ask for. Without valgrind the script is skipped.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$(dirname "$here")")
command -v valgrind >/dev/null || { echo "valgrind is not installed: skipped"; exit 0; }
if [ -z "${BARROW_LIB:-}" ]; then
  (cd "$root" && cargo build -q --release --lib) || exit 1
  BARROW_LIB=${CARGO_TARGET_DIR:-$root/target}/release
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ln -s "$BARROW_LIB/libbarrow.so" "$work/libbarrow.so.0.1"
