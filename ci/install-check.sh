#!/bin/bash
# Installs into an empty folder, and uses only the files there: a C program is built with pkg-config against the
# shared and the static library, and run. The link line that README.md and barrow.pc give is compared with the
# compiler's own.
set -euo pipefail
cd "$(dirname "$0")/.."
# The folder may be given as a relative path, and cargo is called from other folders too.
target=${CARGO_TARGET_DIR:-target}
case $target in /*) ;; *) target=$PWD/$target ;; esac
export CARGO_TARGET_DIR=$target
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "install-check: $1" >&2; exit 1; }

ci/scripts-check.sh

./install.sh --prefix /opt/barrow --libdir lib64 --destdir "$work/root" "$@"
root=$work/root/opt/barrow
libs=$root/lib64
pc=$libs/pkgconfig/barrow.pc
grep -q "$work" "$pc" && fail "barrow.pc names the folder that it was put together in"
# Paths in barrow.pc are those of the installation, which lies below $work/root for now.
export PKG_CONFIG_PATH=$libs/pkgconfig PKG_CONFIG_SYSROOT_DIR=$work/root

echo "-- names"
soname=$(readelf -d "$libs/libbarrow.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
[ -e "$libs/$soname" ] || fail "the library is called $soname, and no file is"
readelf -d "$libs/libbarrow.so" | grep -q NODELETE || fail "the library can be unloaded"
[ "$(pkg-config --modversion barrow)" = "$("$root/bin/barrow" --version | cut -d' ' -f2)" ] ||
  fail "barrow.pc and the barrow command have different versions"

find include/barrow -type f | while read -r file; do cmp -s "$file" "$root/$file" || fail "$file is not installed"; done

echo "-- link line"
# Which system's libraries these are does not depend on how it is optimised.
native=$(cargo rustc --quiet --lib -p barrow --crate-type staticlib -- --print native-static-libs 2>&1 |
  sed -n 's/.*native-static-libs: //p' | tail -1)
# Without a change cargo prints the compiler's words again, so an empty answer is a mistake here.
[ -n "$native" ] || fail "the compiler did not say what a static library needs"
# Without -lgcc_s: cc adds that by itself, and with -static another library, which has the same functions.
native="-Wl,--gc-sections ${native#-lgcc_s }"
grep -qxF "Libs.private: $native" packaging/barrow.pc.in || fail "barrow.pc should say: Libs.private: $native"
grep -qF -- "$native" README.md || fail "README.md should say: $native"

echo "-- sizes, in bytes"
awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' README.md >"$work/program.c"
# shellcheck disable=SC2086
cc -O2 -I"$root/include" "$work/program.c" "$libs/libbarrow.a" $native -s -o "$work/sample"
# at_most BYTES FILE
at_most() {
  local bytes
  bytes=$(stat -Lc %s "$2")
  echo "$bytes of $1: $(basename "$2")"
  [ "$bytes" -le "$1" ] || fail "$2 has $bytes bytes, more than $1"
}
at_most 1800000 "$libs/libbarrow.so"
at_most 4500000 "$root/bin/barrow"
at_most 1700000 "$work/sample"
for file in "$libs/libbarrow.so" "$root/bin/barrow"; do
  readelf -SW "$file" | grep -qE '\.(symtab|debug_info)' && fail "$file is not stripped"
  file=$(readlink -f "$file")
  debug=$(dirname "$file")/.debug/$(basename "$file").debug
  [ "$(readelf -n "$file" | grep 'Build ID')" = "$(readelf -n "$debug" | grep 'Build ID')" ] || fail "$debug is not of $file"
done

echo "-- stack, in bytes"
cc -O2 -I"$root/include" benches/size/stack.c -o "$work/stack" -L"$libs" -lbarrow -Wl,-rpath,"$libs" -lpthread
(cd "$work" && ./stack 32768 65536 131072 2>stack.err) || fail "the library takes more of a thread's stack than docs/limits.md says"

echo "-- another static library of Rust"
if command -v rustc >/dev/null; then
  rust=packaging/consumers/rust
  rustc --edition 2024 -O --crate-type staticlib "$rust/other.rs" -o "$work/libother.a"
  "$root/share/barrow/localise.sh" "$libs/libbarrow.a" "$work/barrow.o"
  readelf -sW "$work/barrow.o" | awk '($5 == "GLOBAL" || $5 == "WEAK") && $7 != "UND" { print $8 }' | LC_ALL=C sort | diff - abi/symbols.txt ||
    fail "the object file shows other symbols than ours"
  cc -O1 -I"$root/include" "$rust/main.c" "$work/barrow.o" "$work/libother.a" -Wl,--gc-sections -lpthread -ldl -lm -o "$work/two"
  cc -O1 -I"$root/include" "$rust/main.c" "$work/libother.a" -L"$libs" -lbarrow -Wl,-rpath,"$libs" -lpthread -ldl -lm -o "$work/two-shared"
  for program in two two-shared; do
    said=$("$work/$program") && [ "$said" = "7 different bytes, and a heap" ] || fail "$program does not work"
  done
fi

echo "-- a crate that compiles C against the headers (docs/rust.md)"
cp -r packaging/consumers/crate "$work/crate"
sed -i "s|\"../../..\"|\"$PWD\"|" "$work/crate/Cargo.toml"
cp Cargo.lock "$work/crate" # the versions that are here
(cd "$work/crate" && cargo build --quiet --offline --target-dir "$target")
built=$(cd "$work/crate" && cargo tree --offline --edges normal,build --package barrow --prefix none | cut -d' ' -f1 | sort -u | xargs)
[ "$built" = "barrow libc memmap2 once_cell" ] || fail "a crate that depends on barrow builds $built"
said=$("$target/debug/with-fast-paths") && [ "$said" = 100000 ] || fail "a crate with C of its own does not work"

cat > "$work/use.c" <<'C'
#include <barrow/inline.h>
#include <stdio.h>
static barrow_info pair = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, 0, BARROW_CONSTR, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0};
int main(void) {
  barrow_config config;
  barrow_heap *heap;
  barrow_mutator *m;
  struct { barrow_frame frame; barrow_word *list; } r;
  int i, length = 0;
  barrow_config_init(&config);
  if (barrow_heap_new(&config, &heap, &m)) return fprintf(stderr, "%s\n", barrow_last_error()), 1;
  BARROW_ENTER(m, r);
  for (i = 0; i < 1000000; i++) {
    barrow_word *p = barrow_alloc(m, 3);
    if (!p) return 1;
    p[0] = (barrow_word)&pair;
    p[1] = (barrow_word)r.list;
    p[2] = 0;
    r.list = p;
  }
  if (barrow_collect(m, true)) return 1;
  while (r.list) { length++; r.list = (barrow_word *)r.list[1]; }
  BARROW_LEAVE(m, r);
  printf("%d cells, barrow %s\n", length, barrow_version());
  return barrow_heap_free(heap) || length != 1000000;
}
C
cflags=$(pkg-config --cflags barrow)
warnings="-std=c99 -Wall -Wextra -Wpedantic -Werror"
# run NAME COMMAND...: the program ends well, and says so many cells and this version.
run() {
  local said
  said=$("${@:2}") || fail "the program of $1 fails"
  [ "$said" = "1000000 cells, barrow $(pkg-config --modversion barrow)" ] || fail "the program of $1 says $said"
  echo "$1: $said"
}

echo "-- shared"
# shellcheck disable=SC2086  # flags are words
gcc $warnings $cflags "$work/use.c" -o "$work/shared" $(pkg-config --libs barrow)
readelf -d "$work/shared" | grep -q "NEEDED.*$soname" || fail "the program does not ask for $soname"
run shared env LD_LIBRARY_PATH="$libs" "$work/shared"

echo "-- static library"
# shellcheck disable=SC2086
gcc $warnings $cflags "$work/use.c" -o "$work/static" \
  "$(pkg-config --variable=staticlib barrow | sed "s|^/opt|$work/root/opt|")" $native
readelf -d "$work/static" | grep -q "NEEDED.*barrow" && fail "the program asks for the shared library"
run static "$work/static"

echo "-- pkg-config --static, with no shared library there"
mkdir "$work/only-static"
cp "$libs/libbarrow.a" "$work/only-static/"
# shellcheck disable=SC2086
gcc $warnings $cflags "$work/use.c" -o "$work/pkg" -L"$work/only-static" \
  $(pkg-config --static --libs-only-l barrow)
run pkg "$work/pkg"

echo "-- C++"
# shellcheck disable=SC2086
g++ -std=c++17 -Wall -Wextra -x c++ $cflags - -o "$work/cxx" $(pkg-config --libs barrow) <<'C'
#include <barrow/inline.h>
int main() { return barrow_abi_version(nullptr) != BARROW_ABI_MAJOR; }
C
LD_LIBRARY_PATH=$libs "$work/cxx"

echo "-- the README's program, by the README's commands, after the line that install.sh prints"
# Only what a new shell has, so that nothing of the folder above is found.
# Everything that is installed is for all users, however careful the one is who installs.
(umask 077 && ./install.sh --no-build --prefix "$work/place") >"$work/said"
[ -z "$(find "$work/place" \( -type f ! -perm -004 -o -type d ! -perm -005 \))" ] || fail "files are closed to other users"
line=$(sed -n '/^export /p' "$work/said")
[ -n "$line" ] || fail "install.sh does not say how its prefix is used"
# commands FROM TO: the lines with a compiler between two lines of the README
commands() { sed -n "/$1/,/$2/s/^    \(cc\|ln\) /\1 /p" README.md; }
mkdir "$work/readme"
cp "$work/program.c" "$work/readme/"
# follow LINE COMMANDS: each of the programs runs.
follow() {
  local count=0 command
  [ -n "$2" ] || fail "the README has no commands where they are looked for"
  while read -r command; do
    (cd "$work/readme" && env -i PATH=/usr/bin:/bin HOME="$work" sh -euc "$1
$command
case '$command' in cc*) said=\$(./a.out); test \"\$said\" = 'the last list begins with 9999999';; esac" 2>"$work/errors") ||
      fail "$command: $(cat "$work/errors")"
    count=$((count + 1))
  done <<<"$2"
  echo "$count commands"
}
follow "$line" "$(commands '^## Building and linking' '^Without installing')"
# The prefix is found in the system's own way too: with what barrow prints there.
env -i PATH=/usr/bin:/bin sh -euc "$line; barrow --version" >/dev/null || fail "the barrow command is not found"
for example in 01-allocate 02-roots 03-collect; do
  (cd "$work/readme" && env -i PATH=/usr/bin:/bin sh -euc "$line
cc -std=c99 -O2 '$work/place/share/doc/barrow/examples/$example.c' \$(pkg-config --cflags --libs barrow) -o example && ./example" >"$work/example") &&
    diff "$work/example" "examples-c/$example.out" || fail "the installed example $example does not work"
done

echo "-- the same, without installing"
cargo build --quiet --release --locked
ln -s "$PWD/include" "$work/readme/include"
ln -s "$target" "$work/readme/target"
follow : "$(commands '^Without installing' '^- Two Rust')"

echo "-- gdb finds its commands by itself"
if [ "$(gdb -q -nx -batch -ex 'python print(6 * 7)' 2>&1)" != 42 ]; then
  echo "skipped: no gdb with Python"
else
  # A prefix is part of where gdb looks, so this needs an installation in its place.
  there=$(dirname "$(find "$work/place" -name libbarrow.so)")
  cc -g -I"$work/place/include" "$work/use.c" -L"$there" -lbarrow -Wl,-rpath,"$there" -o "$work/debugged"
  # What the system's gdb has for its own folder, said for this one.
  gdb -q -nx -batch -iex 'set debuginfod enabled off' -iex "set auto-load scripts-directory $work/place/share/gdb/auto-load" \
    -iex "set auto-load safe-path $work/place/share/gdb/auto-load" -ex 'break barrow_heap_free' -ex run \
    -ex 'info auto-load python-scripts' -ex 'up' -ex 'barrow use m' -ex 'barrow frames' -ex 'help barrow object' "$work/debugged" >"$work/gdb" 2>&1 || true
  grep -q 'Yes .*libbarrow.so.*-gdb.py' "$work/gdb" || fail "gdb does not load what lies beside the library: $(cat "$work/gdb")"
  gdb -q -nx -batch -iex 'set debuginfod enabled off' -ex 'info line barrow_heap_free' "$there/libbarrow.so" 2>&1 | grep -q 'heap.rs' ||
    fail "gdb does not find the debugging information beside the library"
  grep -qi 'undefined' "$work/gdb" && fail "gdb does not know the commands: $(cat "$work/gdb")"
fi

echo "-- manual pages and completions"
share=$root/share
for file in man/man1/barrow.1 man/man1/barrow-view.1 bash-completion/completions/barrow zsh/site-functions/_barrow \
  fish/vendor_completions.d/barrow.fish; do
  [ -s "$share/$file" ] || fail "there is no $share/$file"
done

echo "-- uninstalling"
mkdir -p "$work/place/lib/other"
./install.sh --uninstall --prefix "$work/place" >/dev/null
[ "$(cd "$work/place" && find . | sort | xargs)" = ". ./lib ./lib/other" ] || fail "an uninstalled prefix still has $(find "$work/place")"

echo "install-check: all well"
