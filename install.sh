#!/bin/bash
# Builds Barrow and installs it: the shared library with its links, the static one, headers, barrow.pc, licences, and
# the barrow command with its manual pages and completions.
#
#   ./install.sh [--prefix DIR] [--libdir DIR] [--destdir DIR] [--no-build]
#
# --prefix    where it will live (default /usr/local)
# --libdir    where the libraries go (default PREFIX/lib); an absolute path, or one below the prefix
# --destdir   a folder in which the installation is put together, for packages; nothing refers to it afterwards
# --no-build  install what cargo build --release --workspace has built before
set -euo pipefail

prefix=/usr/local libdir= destdir= build=yes
usage() { sed -n '2,11p' "$0" | sed 's/^# \{0,1\}//'; }
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
      declare "${flag#--}=$value" ;;
    --no-build) build=no ;;
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

cd "$(dirname "$0")"
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
# While the version is 0.x, each minor version may change the ABI, so the name of the library carries it.
case $version in
  0.*) abi=${version%.*} ;;
  *) abi=${version%%.*} ;;
esac
if [ $build = yes ]; then cargo build --release --workspace --locked; fi
from=${CARGO_TARGET_DIR:-target}/release

put() { install -D -m "$1" "$2" "$destdir$3"; }
case $(uname -s) in
  Darwin)
    put 755 "$from/libbarrow.dylib" "$libdir/libbarrow.$abi.dylib"
    ln -sf "libbarrow.$abi.dylib" "$destdir$libdir/libbarrow.dylib" ;;
  *)
    put 755 "$from/libbarrow.so" "$libdir/libbarrow.so.$version"
    ln -sf "libbarrow.so.$version" "$destdir$libdir/libbarrow.so.$abi"
    ln -sf "libbarrow.so.$abi" "$destdir$libdir/libbarrow.so" ;;
esac
put 644 "$from/libbarrow.a" "$libdir/libbarrow.a"
put 644 include/barrow.h "$prefix/include/barrow.h"
find include/barrow -type f | while read -r header; do put 644 "$header" "$prefix/$header"; done
put 755 "$from/barrow" "$prefix/bin/barrow"
for licence in LICENSE-MIT LICENSE-APACHE; do put 644 "$licence" "$prefix/share/doc/barrow/$licence"; done

# Commands for gdb: with the shared library gdb loads them by itself.
put 644 packaging/gdb/barrow-gdb.py "$prefix/share/barrow/barrow-gdb.py"
put 644 packaging/gdb/barrow-gdb.py "$prefix/share/gdb/auto-load$libdir/libbarrow.so.$version-gdb.py"

# The manual, where it can be made.
if command -v python3 >/dev/null; then python3 ci/manual.py "$destdir$prefix/share/doc/barrow/html" >/dev/null; fi

# For programs with two static libraries of Rust.
put 755 packaging/localise.sh "$prefix/share/barrow/localise.sh"
put 644 abi/symbols.txt "$prefix/share/barrow/symbols.txt"

# What the command says of itself. A package for another machine brings these from a build for this one.
if "$from/barrow" man "$destdir$prefix/share/man/man1" 2>/dev/null; then
  complete() { mkdir -p "$destdir$prefix/share/$2" && "$from/barrow" completions "$1" >"$destdir$prefix/share/$2/$3"; }
  complete bash bash-completion/completions barrow
  complete zsh zsh/site-functions _barrow
  complete fish fish/vendor_completions.d barrow.fish
else
  echo "install.sh: barrow does not run here: no manual pages and completions" >&2
fi

# With the characters that sed would take for its own escaped.
escaped() { printf '%s' "$1" | sed 's/[&|\\]/\\&/g'; }
fill() {
  mkdir -p "$destdir$2"
  name=$(basename "$1" .in)
  sed -e "s|@PREFIX@|$(escaped "$prefix")|" -e "s|@LIBDIR@|$(escaped "$libdir")|" -e "s|@VERSION@|$version|" \
    -e "s|@ABI@|$abi|" "$1" > "$destdir$2/$name"
  chmod 644 "$destdir$2/$name"
}
fill packaging/barrow.pc.in "$libdir/pkgconfig"
fill packaging/barrow-config.cmake.in "$libdir/cmake/barrow"
fill packaging/barrow-config-version.cmake.in "$libdir/cmake/barrow"
echo "barrow $version is installed in $destdir$prefix, its libraries in $destdir$libdir"
