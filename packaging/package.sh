#!/bin/bash
# Makes what is handed out, in OUT (default target/packages): a tarball of the installation and the Debian packages
# libbarrow0 (the shared library), libbarrow-dev (headers, static library, pkg-config, CMake, examples), barrow-tools (the command,
# its manual pages and completions) and barrow-dbgsym (debugging information of both). Without dpkg-deb, the tarball alone.
#
#   packaging/package.sh [OUT] [--no-build]
set -euo pipefail
# Packages are for all users, whoever makes them.
umask 022
cd "$(dirname "$0")/.."
out=target/packages build=()
for word; do
  case $word in --no-build) build=(--no-build) ;; -*) echo "package.sh: $word is not known" >&2; exit 2 ;; *) out=$word ;; esac
done
mkdir -p "$out"
out=$(cd "$out" && pwd)
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
machine=$(uname -m)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
# The same files, whenever they are made.
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}

name=barrow-$version-$machine-linux
./install.sh ${build[@]+"${build[@]}"} --prefix "/$name" --destdir "$stage/tar" >/dev/null
# A tarball is unpacked anywhere: what names its place is relative to it.
rm "$stage/tar/$name/share/barrow/uninstall.sh"
relocate() { sed -i "s|/$name|$2|" "$stage/tar/$name/$1"; }
relocate lib/pkgconfig/barrow.pc '${pcfiledir}/../..'
sed -i "s|^libdir=.*|libdir=\${prefix}/lib|" "$stage/tar/$name/lib/pkgconfig/barrow.pc"
sed -i "s|\"/$name\"|\"\${CMAKE_CURRENT_LIST_DIR}/../../..\"|; s|\"/$name/lib\"|\"\${_barrow_prefix}/lib\"|" \
  "$stage/tar/$name/lib/cmake/barrow/barrow-config.cmake"
if grep -rI "/$name" "$stage/tar/$name/lib" | grep -v "^Binary"; then echo "package.sh: the tarball names its place" >&2; exit 1; fi
tar -C "$stage/tar" --sort=name --owner=0 --group=0 --mtime="@$SOURCE_DATE_EPOCH" -czf "$out/$name.tar.gz" "$name"
echo "$out/$name.tar.gz"

command -v dpkg-deb >/dev/null || { echo "no dpkg-deb: no Debian packages" >&2; exit 0; }
arch=$(dpkg --print-architecture)
triplet=$(gcc -print-multiarch 2>/dev/null || true)
libs=/usr/lib/${triplet:-$machine-linux-gnu}
./install.sh --no-build --prefix /usr --libdir "$libs" --destdir "$stage/all" >/dev/null
rm "$stage/all/usr/share/barrow/uninstall.sh"
# Debian's debuggers look for debugging information by its number.
find "$stage/all" -name '*.debug' -type f | while read -r file; do
  number=$(readelf -n "$file" | sed -n 's/.*Build ID: //p')
  install -D -m 644 "$file" "$stage/all/usr/lib/debug/.build-id/${number:0:2}/${number:2}.debug"
  rm "$file"
done
find "$stage/all/usr/share/man" -name '*.1' -exec gzip -9n {} +

# package NAME SECTION DEPENDS SUMMARY FILES...
package() {
  local name=$1 section=$2 depends=$3 summary=$4 root=$stage/$1 file
  shift 4
  for file; do
    mkdir -p "$root$(dirname "$file")"
    cp -a "$stage/all$file" "$root$file"
  done
  mkdir -p "$root/usr/share/doc/$name" "$root/DEBIAN"
  cat LICENSE-MIT LICENSE-APACHE >"$root/usr/share/doc/$name/copyright"
  gzip -9nc CHANGELOG.md >"$root/usr/share/doc/$name/changelog.gz"
  find "$root" -name '*.so.*' -not -name '*.py' -type f -exec chmod 644 {} +
  if [ "$depends" = shlibs ]; then depends=$(shared_libraries "$root"); fi
  cat >"$root/DEBIAN/control" <<CONTROL
Package: $name
Version: $version-1
Section: $section
Priority: optional
Architecture: $arch
Maintainer: The Barrow developers <barrow@localhost>
Depends: $depends
Installed-Size: $(du -sk --exclude=DEBIAN "$root" | cut -f1)
Description: $summary
CONTROL
  if [ "$name" = libbarrow0 ]; then
    echo "activate-noawait ldconfig" >"$root/DEBIAN/triggers"
    echo "libbarrow 0.1 libbarrow0 (>= $version)" >"$root/DEBIAN/shlibs"
  fi
  (cd "$root" && find usr -type f -exec md5sum {} + | LC_ALL=C sort -k2) >"$root/DEBIAN/md5sums"
  dpkg-deb --root-owner-group -Zxz --build "$root" "$out/${name}_$version-1_$arch.deb" >/dev/null
  echo "$out/${name}_$version-1_$arch.deb"
}
# What the programs of a package need, as dpkg-shlibdeps finds it; else what every one of them needs.
shared_libraries() {
  local found
  mkdir -p "$stage/deps/debian" && echo "Source: barrow" >"$stage/deps/debian/control"
  found=$(cd "$stage/deps" && find "$1/usr" -type f \( -name '*.so.*' -o -path '*/bin/*' \) -not -name '*.py' \
    -exec dpkg-shlibdeps -O --ignore-missing-info {} + 2>/dev/null | sed -n 's/^shlibs:Depends=//p') || true
  echo "${found:-libc6, libgcc-s1}"
}
here() { (cd "$stage/all" && find usr "$@" \( -type f -o -type l \) | sed 's|^|/|' | LC_ALL=C sort); }

# shellcheck disable=SC2046  # no name of ours has a blank
package libbarrow0 libs shlibs "generational heap with profilers, for compilers: the library" $(here -name 'libbarrow.so.*' -not -name '*-gdb.py')
# shellcheck disable=SC2046
package libbarrow-dev libdevel "libbarrow0 (= $version-1)" "generational heap with profilers, for compilers: headers" \
  $(here -path '*/include/*') $(here -name libbarrow.so) $(here -name libbarrow.a) $(here -path '*/pkgconfig/*') \
  $(here -path '*/cmake/*') $(here -name '*-gdb.py') $(here -path '*/share/barrow/*' -not -name '*-gdb.py') $(here -path '*/doc/barrow/html/*') $(here -path '*/doc/barrow/examples/*')
# shellcheck disable=SC2046
package barrow-tools devel shlibs "looks at what programs on the Barrow heap left behind" \
  $(here -path '*/bin/*') $(here -path '*/man/*') $(here -path '*completions*') $(here -path '*/fish/*') $(here -path '*/zsh/*')
# shellcheck disable=SC2046
package barrow-dbgsym debug "libbarrow0 (= $version-1)" "generational heap with profilers, for compilers: debugging information" \
  $(here -path '*/lib/debug/*')
