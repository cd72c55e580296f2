#!/bin/bash
# Builds a program against the installed packages with pkg-config, CMake, Meson and plain cc, in a root that holds the
# system's compilers and these packages and nothing else of this project. Where namespaces are not allowed, the packages are
# unpacked into a folder and the programs are built with an empty environment; the last line says which it was.
#   ci/consumers.sh [PACKAGES]     the folder that packaging/package.sh filled; without it, package.sh is run
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
packages=${1:-$work/packages}
[ $# -gt 0 ] || packaging/package.sh "$packages"
command -v dpkg-deb >/dev/null || { echo "consumers: no dpkg-deb: skipped"; exit 0; }
cp -rL packaging/consumers "$work/consumers"

cp ci/ladder.py docs/ladder.md "$work/consumers/"
# The same from the tarball, unpacked in an empty folder, with an empty environment.
if command -v python3 >/dev/null; then
  mkdir "$work/tarball"
  tarball=$(cd "$packages" && pwd)/$(cd "$packages" && ls barrow-*.tar.gz)
  (cd "$work/tarball" && env -i PATH=/usr/bin:/bin HOME="$work" BARROW_TARBALL="$tarball" \
    python3 "$work/consumers/ladder.py" "$work/consumers/ladder.md" tarball)
fi

# The bindings that the tarball brings, each with README.md's program, as far as their compilers are there. Zig's is a package of
# Python's.
place=$(cd "$(dirname "$(ls "$work"/tarball/barrow-*/bin/barrow)")/.." && pwd)
export LD_LIBRARY_PATH=$place/lib PKG_CONFIG_PATH=$place/lib/pkgconfig
runs() {
  local said
  said=$("$2") || { echo "consumers: the program in $1 fails"; exit 1; }
  [ "$said" = "the last list begins with 9999999" ] || { echo "consumers: the program in $1 says something else"; exit 1; }
  echo "$1: $said"
}
cp -r "$place/share/barrow/bindings" "$work/bindings"
if command -v ocamlopt >/dev/null; then
  (cd "$work/bindings/ocaml" && ocamlopt -ccopt "$(pkg-config --cflags barrow) -Wall -Werror" barrow.ml barrow_stubs.c first.ml \
    -cclib "$(pkg-config --libs barrow)" -o first)
  runs OCaml "$work/bindings/ocaml/first"
else
  echo "ocamlopt is not installed: skipped"
fi
zig=${CARGO_TARGET_DIR:-$PWD/target}/zig
case $zig in /*) ;; *) zig=$PWD/$zig ;; esac
python=$zig/bin/python
[ -x "$python" ] || python3 -m venv "$zig" || true
if "$python" -m ziglang version >/dev/null 2>&1 || "$python" -m pip install -q --no-deps --disable-pip-version-check ziglang==0.17.1; then
  export ZIG_GLOBAL_CACHE_DIR=$work/zig-cache ZIG_LOCAL_CACHE_DIR=$work/zig-cache
  (cd "$work/bindings/zig" && "$python" -m ziglang translate-c -lc -I "$place/include" "$place/include/barrow.h" >c.zig &&
    "$python" -m ziglang build-exe -lc first.zig -O ReleaseFast -L "$place/lib" -lbarrow)
  runs Zig "$work/bindings/zig/first"
  # With Zig's checks, after a collection of another thread's, which leaves this one no area.
  cat >"$work/bindings/zig/checked.zig" <<'Z'
const std = @import("std");
const barrow = @import("barrow.zig");

fn collects(heap: *barrow.c.barrow_heap) void {
    var mutator: ?*barrow.c.barrow_mutator = null;
    if (barrow.c.barrow_attach(heap, &mutator) != barrow.c.BARROW_OK) return;
    _ = barrow.c.barrow_collect(mutator.?, true);
    _ = barrow.c.barrow_detach(mutator.?);
}

pub fn main() !void {
    const names: barrow.c.barrow_names = .{ .description = "Cons" };
    var cons = barrow.info(&names, 0, 2);
    const heap = try barrow.Heap.init("--mutators=2");
    defer heap.deinit();
    _ = barrow.c.barrow_enter_foreign(heap.mutator.raw);
    (try std.Thread.spawn(.{}, collects, .{heap.raw})).join();
    _ = barrow.c.barrow_leave_foreign(heap.mutator.raw);
    const cell = heap.mutator.alloc(3).?;
    cell[0] = @intFromPtr(&cons);
    cell[1] = 1;
    cell[2] = 2;
}
Z
  (cd "$work/bindings/zig" && "$python" -m ziglang build-exe -lc checked.zig -O Debug -L "$place/lib" -lbarrow && ./checked)
else
  echo "Zig could not be installed: skipped"
fi
unset LD_LIBRARY_PATH PKG_CONFIG_PATH

# build: run in the consumers' folder; PREFIX and LIBDIR say where the packages are.
cat >"$work/consumers/all.sh" <<'S'
set -eu
one() {
  said=$("$2") || { echo "consumers: the program of $1 fails"; exit 1; }
  [ "$said" = "100000 cells" ] || { echo "consumers: the program of $1 says $said"; exit 1; }
  echo "$1: $said"
}
try() { command -v "$1" >/dev/null || { echo "$1 is not installed: skipped"; return 1; }; }
if try pkg-config && try make; then
  (cd pkg-config && make -s consumer static all-static && one pkg-config ./consumer && one "pkg-config, static" ./consumer-static &&
    one "pkg-config, all static" ./consumer-all-static)
fi
if try cmake; then
  (cd cmake && cmake -S . -B build ${PREFIX:+-DCMAKE_PREFIX_PATH=$PREFIX} >cmake.log 2>&1 && cmake --build build >>cmake.log 2>&1 ||
    { cat cmake.log; exit 1; }; one cmake build/consumer; one "cmake, static" build/consumer-static)
fi
if try meson && try ninja; then
  (cd meson && meson setup build >meson.log 2>&1 && ninja -C build >>meson.log 2>&1 || { cat meson.log; exit 1; }
    one meson build/consumer)
fi
# The ladder of the manual, literally, in a folder that is empty at first.
if try python3; then mkdir ladder && (cd ladder && python3 ../ladder.py ../ladder.md); fi
(cd cc && ./build.sh "${PREFIX:-/usr}" "$LIBDIR" && one cc ./consumer && one "cc, static" ./consumer-static)
S

triplet=$(gcc -print-multiarch 2>/dev/null || true)
libs=/usr/lib/${triplet:-$(uname -m)-linux-gnu}
in_a_root() {
  local root=$work/unpacked
  mkdir -p "$root"/{usr,etc,dev,tmp,proc,work} "$work"/{up,scratch}
  mount -t tmpfs none "$work/up" && mkdir -p "$work/up/"{files,scratch}
  mount -t overlay overlay -o "lowerdir=/usr,upperdir=$work/up/files,workdir=$work/up/scratch" "$root/usr"
  for link in bin sbin lib lib64; do [ -L /$link ] && cp -a /$link "$root/$link"; done
  mount --bind -o ro /etc "$root/etc"
  mount --bind /dev "$root/dev"
  mount -t proc proc "$root/proc"
  # Nothing of ours may be there before.
  [ ! -e "$root/usr/include/barrow.h" ] || { echo "the system has a barrow.h already"; return 1; }
  rm -rf "$root/usr/local/include" "$root/usr/local/lib/pkgconfig"
  for package in libbarrow0 libbarrow-dev barrow-tools; do dpkg-deb -x "$packages"/${package}_*.deb "$root"; done
  cp -r "$work/consumers/." "$root/work"
  chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/bin HOME=/work LIBDIR="$libs" sh -c 'cd /work && sh all.sh && barrow --version'
  # The system's gdb finds the library's commands with no word from us.
  local consumer=work/cc/consumer # chroot begins in the root
  if [ -x "$root/usr/bin/gdb" ] && [ -x "$root/$consumer" ]; then
    chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/bin HOME=/work DEBUGINFOD_URLS= gdb -q -nx -batch -ex 'break barrow_heap_new' \
      -ex run -ex 'info auto-load python-scripts' $consumer >"$work/gdb" 2>&1 && grep -q 'Yes .*libbarrow.so.*-gdb.py' "$work/gdb" ||
      { echo "gdb does not load the commands that are installed: $(cat "$work/gdb")"; return 1; }
    echo "gdb: the commands are there"
  fi
}
export -f in_a_root
export work packages libs
if unshare -m true 2>/dev/null && unshare -m bash -c "set -e; mkdir -p '$work/probe'; mount -t tmpfs none '$work/probe'" 2>/dev/null; then
  unshare -m bash -euc in_a_root
  echo "consumers: all well, in a root of their own"
else
  for package in libbarrow0 libbarrow-dev barrow-tools; do dpkg-deb -x "$packages"/${package}_*.deb "$work/unpacked"; done
  # The packages name /usr; here they are elsewhere.
  sed -i "s|=/usr|=$work/unpacked/usr|" "$work/unpacked$libs/pkgconfig/barrow.pc"
  sed -i "s|\"/usr|\"$work/unpacked/usr|" "$work/unpacked$libs/cmake/barrow/barrow-config.cmake"
  (cd "$work/consumers" && env -i PATH=/usr/bin:/bin HOME="$work" PREFIX="$work/unpacked/usr" LIBDIR="$work/unpacked$libs" \
    LD_LIBRARY_PATH="$work/unpacked$libs" PKG_CONFIG_PATH="$work/unpacked$libs/pkgconfig" sh all.sh)
  echo "consumers: all well, in a folder with an empty environment (namespaces are not allowed here)"
fi
