#!/bin/bash
# Builds Barrow and installs it: the shared library with its links, the static one, headers, barrow.pc, licences, examples, and
# the barrow command with its manual pages and completions. At the end it says what a shell needs to use it, if anything.
#
#   ./install.sh [--prefix DIR] [--libdir DIR] [--destdir DIR] [--no-build]
#   ./install.sh --uninstall [--prefix DIR] [--destdir DIR]
#
# --prefix     where it will live (default /usr/local)
# --libdir     where the libraries go (default PREFIX/lib); an absolute path, or one below the prefix
# --destdir    a folder in which the installation is put together, for packages; nothing refers to it afterwards
# --no-build   install the files that an earlier call has built: one that may not write to PREFIX ends with such a line for sudo
# --uninstall  remove the installation, as PREFIX/share/barrow/uninstall.sh does
set -euo pipefail
# Installed files are for all users, whoever installs them.
umask 022

# As a command, though it was given to bash.
case $0 in */*) script=$0 ;; *) script=./$0 ;; esac
prefix=/usr/local libdir= destdir= build=yes remove= building=
# The lines above the first one that is no comment.
usage() { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; }
wrong() { echo "install.sh: $1" >&2; exit 2; }
while [ $# -gt 0 ]; do
  flag=${1%%=*}
  case $flag in
    --prefix|--libdir|--destdir)
      if [ "$flag" = "$1" ]; then
        [ $# -ge 2 ] || wrong "$flag needs a folder"
        value=$2; shift
      else
        value=${1#*=}
      fi
      [ -n "$value" ] || wrong "$flag needs a folder"
      declare "${flag#--}=$value"
      [ "$flag" != --libdir ] || building=$flag ;;
    --no-build) build=no building=$flag ;;
    --uninstall) remove=yes ;;
    --help|-h) usage; exit 0 ;;
    *) wrong "$1 is not known; --help says what is" ;;
  esac
  shift
done
case $prefix in /*) ;; *) wrong "the prefix $prefix is not an absolute path" ;; esac
case $libdir in
  "") libdir=$prefix/lib ;;
  /*) ;;
  *) libdir=$prefix/$libdir ;;
esac
# A relative destdir is meant from where the caller is.
case $destdir in ""|/*) ;; *) destdir=$PWD/$destdir ;; esac

# A script that knows what it removes is part of the installation.
if [ -n "$remove" ]; then
  [ -z "$building" ] || wrong "$building means nothing with --uninstall"
  [ -e "$destdir$prefix/share/barrow/uninstall.sh" ] || wrong "there is no installation in $destdir$prefix"
  exec sh "$destdir$prefix/share/barrow/uninstall.sh" "$destdir"
fi

cd "$(dirname "$0")"
version=$(sed -n '/^version = /{s/^version = "\(.*\)"/\1/p;q;}' Cargo.toml)
# While the version is 0.x, each minor version may change the ABI, so the name of the library carries it.
case $version in
  0.*) abi=${version%.*} ;;
  *) abi=${version%%.*} ;;
esac
# The whole library is optimised at once only without its form for Rust, so it is built by itself. The flags are for size:
# collections take the same instructions with them (docs/decisions/0032-library-size.md). Incremental builds give other sizes.
if [ $build = yes ]; then
  if ! command -v cargo >/dev/null; then
    echo "install.sh: cargo is not in the PATH of $(id -un); whoever has it builds with ./install.sh, which says how to install then" >&2
    exit 1
  fi
  export CARGO_INCREMENTAL=0
  cargo rustc --profile command --locked -p barrow-tools --bin barrow -- -C llvm-args=-inlinehint-threshold=50 \
    -C llvm-args=-inline-cold-callsite-threshold=0 -C llvm-args=-align-loops=1
  cargo rustc --profile dist --locked -p barrow --lib --crate-type cdylib,staticlib -- -C llvm-args=-inline-threshold=5 \
    -C llvm-args=-inlinehint-threshold=25 -C llvm-args=-inline-cold-callsite-threshold=0 -C llvm-args=-align-loops=8 \
    -C llvm-args=-align-all-functions=2
fi
from=${CARGO_TARGET_DIR:-target}/dist
command=${CARGO_TARGET_DIR:-target}/command/barrow

# Everything is put together here first, so that what is installed can be listed.
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
put() { install -D -m "$1" "$2" "$stage$3"; }
# put_program MODE FILE TO: without debugging information, which goes into .debug beside it, where debuggers look, and without the
# compilers' names. A file for
# another machine, which objcopy may not know, stays whole.
put_program() {
  put "$@"
  command -v objcopy >/dev/null || return 0
  local file=$stage$3 debug
  debug=$(dirname "$file")/.debug/$(basename "$file").debug
  mkdir -p "$(dirname "$debug")"
  if objcopy --only-keep-debug --compress-debug-sections "$file" "$debug"; then
    chmod 644 "$debug"
    objcopy --strip-all --remove-section=.comment --add-gnu-debuglink="$debug" "$file"
  else
    echo "install.sh: $3 keeps its debugging information" >&2
    rm -f "$debug"
    rmdir "$(dirname "$debug")" 2>/dev/null || true
  fi
}
case $(uname -s) in
  Darwin)
    put 755 "$from/libbarrow.dylib" "$libdir/libbarrow.$abi.dylib"
    ln -sf "libbarrow.$abi.dylib" "$stage$libdir/libbarrow.dylib" ;;
  *)
    put_program 755 "$from/libbarrow.so" "$libdir/libbarrow.so.$version"
    ln -sf "libbarrow.so.$version" "$stage$libdir/libbarrow.so.$abi"
    ln -sf "libbarrow.so.$abi" "$stage$libdir/libbarrow.so" ;;
esac
put 644 "$from/libbarrow.a" "$libdir/libbarrow.a"
if command -v objcopy >/dev/null && ! objcopy --strip-debug "$stage$libdir/libbarrow.a"; then
  echo "install.sh: $libdir/libbarrow.a keeps its debugging information" >&2
  put 644 "$from/libbarrow.a" "$libdir/libbarrow.a"
fi
put 644 include/barrow.h "$prefix/include/barrow.h"
find include/barrow -type f | while read -r header; do put 644 "$header" "$prefix/$header"; done
put_program 755 "$command" "$prefix/bin/barrow"
find examples-c -type f | while read -r file; do
  mode=644
  [ ! -x "$file" ] || mode=755
  put $mode "$file" "$prefix/share/doc/barrow/examples/${file#examples-c/}"
done
for licence in LICENSE-MIT LICENSE-APACHE; do put 644 "$licence" "$prefix/share/doc/barrow/$licence"; done
find bindings -type f | while read -r file; do put 644 "$file" "$prefix/share/barrow/$file"; done

# Commands for gdb, which loads them with the shared library when its own files are below the same prefix.
put 644 packaging/gdb/barrow-gdb.py "$prefix/share/barrow/barrow-gdb.py"
put 644 packaging/gdb/barrow-gdb.py "$prefix/share/gdb/auto-load$libdir/libbarrow.so.$version-gdb.py"

# The manual, where it can be made.
if command -v python3 >/dev/null; then python3 ci/manual.py "$stage$prefix/share/doc/barrow/html" >/dev/null; fi

# For programs with two static libraries of Rust.
put 755 packaging/localise.sh "$prefix/share/barrow/localise.sh"
put 644 abi/symbols.txt "$prefix/share/barrow/symbols.txt"

# What the command says of itself. A package for another machine brings these from a build for this one.
if "$command" man "$stage$prefix/share/man/man1" 2>/dev/null; then
  complete() { mkdir -p "$stage$prefix/share/$2" && "$command" completions "$1" >"$stage$prefix/share/$2/$3"; }
  complete bash bash-completion/completions barrow
  complete zsh zsh/site-functions _barrow
  complete fish fish/vendor_completions.d barrow.fish
else
  echo "install.sh: barrow does not run here: no manual pages and completions" >&2
fi

# With the characters that sed would take for its own escaped.
escaped() { printf '%s' "$1" | sed 's/[&|\\]/\\&/g'; }
fill() {
  mkdir -p "$stage$2"
  name=$(basename "$1" .in)
  sed -e "s|@PREFIX@|$(escaped "$prefix")|" -e "s|@LIBDIR@|$(escaped "$libdir")|" -e "s|@VERSION@|$version|" \
    -e "s|@ABI@|$abi|" "$1" > "$stage$2/$name"
  chmod 644 "$stage$2/$name"
}
fill packaging/barrow.pc.in "$libdir/pkgconfig"
fill packaging/barrow-config.cmake.in "$libdir/cmake/barrow"
fill packaging/barrow-config-version.cmake.in "$libdir/cmake/barrow"

# Whoever builds may not be allowed to write there, and root may have no cargo: then this much is done, and the rest is for root.
closed() {
  echo "install.sh: nothing is installed, since $1 cannot be written to" >&2
  if [ "$(id -u)" != 0 ] && [ -d "$1" ]; then
    local line=(sudo)
    [ -z "${CARGO_TARGET_DIR:-}" ] || line+=(env "CARGO_TARGET_DIR=$CARGO_TARGET_DIR")
    line+=("$script" --no-build --prefix "$prefix")
    [ "$libdir" = "$prefix/lib" ] || line+=(--libdir "$libdir")
    [ -z "$destdir" ] || line+=(--destdir "$destdir")
    printf -v line ' %q' "${line[@]}"
    printf 'what is built is installed by:\n%s\n' "${line# }" >&2
  fi
  exit 1
}
while read -r folder; do
  folder=$destdir/$folder
  while [ ! -e "$folder" ]; do folder=$(dirname "$folder"); done
  [ -d "$folder" ] && [ -w "$folder" ] || closed "$folder"
done < <(cd "$stage" && find . -mindepth 2 \( -type f -o -type l \) | sed 's|^\./||; s|/[^/]*$||' | LC_ALL=C sort -u)

# An earlier installation in this place goes first, with what this one may not have. A build or a file that
# is missing has ended the script before, with that installation in its place.
root=$destdir$prefix
if [ -e "$root/share/barrow/uninstall.sh" ]; then sh "$root/share/barrow/uninstall.sh" "$destdir" >/dev/null; fi
# Folders that were not there are removed with the installation when nothing else is in them.
folders=
while read -r folder; do
  if [ ! -d "$destdir$folder" ]; then
    mkdir -p "$destdir$folder"
    folders="$folder
$folders"
  fi
done < <(cd "$stage" && find . -mindepth 1 -type d | LC_ALL=C sort | sed 's/^\.//')
# The script is there before the files, so that an installation that is interrupted can be removed.
{
  cat <<HEAD
#!/bin/sh
# Removes this installation of Barrow $version, with folders that it made and that are empty then.
#   uninstall.sh [DESTDIR]     the folder that it was put together in, when that is not its place
set -u
destdir=\${1:-}
prefix='$(printf '%s' "$prefix" | sed "s/'/'\\\\''/g")'
# The files are named by their paths, so a copy of the installation would remove the original.
here=\$(cd "\$(dirname "\$0")" && pwd -P) || exit 1
if [ "\$here" != "\$(cd "\$destdir\$prefix/share/barrow" 2>/dev/null && pwd -P)" ]; then
  echo "uninstall.sh: \$here was copied or moved here, and made for \$destdir\$prefix: nothing is removed" >&2
  exit 1
fi
failed=
while read -r file; do rm -f "\$destdir\$file" || failed=yes; done <<'FILES'
HEAD
  (cd "$stage" && find . -type f -o -type l | sed 's/^\.//' | LC_ALL=C sort)
  cat <<MIDDLE
FILES
if [ -n "\$failed" ]; then
  echo "uninstall.sh: not everything could be removed from \$destdir\$prefix" >&2
  exit 1
fi
rm -f "\$destdir\$prefix/share/barrow/uninstall.sh" || exit 1
while read -r folder; do rmdir "\$destdir\$folder" 2>/dev/null; done <<'FOLDERS'
MIDDLE
  printf '%s' "$folders"
  cat <<TAIL
FOLDERS
echo "barrow $version is removed from \$destdir\$prefix"
TAIL
} >"$root/share/barrow/uninstall.sh"
chmod 755 "$root/share/barrow/uninstall.sh"
while read -r file; do
  rm -f "$destdir$file"
  cp -P --preserve=mode,timestamps "$stage$file" "$destdir$file"
done < <(cd "$stage" && find . -type f -o -type l | sed 's/^\.//')

echo "barrow $version is installed in $destdir$prefix, its libraries in $destdir$libdir"
[ -z "$destdir" ] || exit 0

# The dynamic linker knows a library in its own folders when it has been told.
PATH=$PATH:/usr/sbin:/sbin
export_line=
add() { export_line="$export_line $1=\"$2\${$1:+:\$$1}\""; }
if command -v ldconfig >/dev/null; then
  # grep reads all of it: ldconfig would fail for a reader that has gone.
  if [ -w /etc/ld.so.cache ] && { ldconfig -vNX 2>/dev/null || true; } | grep "^$libdir:" >/dev/null; then ldconfig; fi
  ldconfig -p | grep -F "=> $libdir/libbarrow.so.$abi" >/dev/null || add LD_LIBRARY_PATH "$libdir"
fi
[ "$(pkg-config --variable=libdir barrow 2>/dev/null || true)" = "$libdir" ] || add PKG_CONFIG_PATH "$libdir/pkgconfig"
[ "$(command -v barrow || true)" = "$prefix/bin/barrow" ] || add PATH "$prefix/bin"
if [ -n "$export_line" ]; then
  echo "to use it from there:"
  echo "export$export_line"
fi
# A gdb of another prefix does not look below this one, and loads nothing from folders that it has not been told to trust.
if command -v gdb >/dev/null && ! gdb -nx -batch -ex 'show data-directory' 2>/dev/null | grep -F "\"${prefix%/}/share/gdb\"" >/dev/null; then
  echo "for its commands in gdb, there or in ~/.gdbinit:"
  echo "source $prefix/share/barrow/barrow-gdb.py"
fi
