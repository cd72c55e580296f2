#!/bin/sh
# Profiles programs that were compiled without any thought of it: the Scheme of examples-c/lisp and an example, optimised. Their
# functions, which are mostly static, must be told by the names that their own symbol tables have at the places of the
# allocating code; one that was inlined is told as the function that it was inlined into. check.sh COMPILER LIBRARY-FOLDER BUILD-FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$(dirname "$here")")
cc=$1 libraries=$2 build=$3
flags="-O2 -I$root/include -L$libraries -Wl,-rpath,$libraries"
# shellcheck disable=SC2086
{
  "$cc" -std=c11 -D_GNU_SOURCE -fPIC -shared $flags "$here/space.c" -o "$build/space-preload.so" -lbarrow -ldl
  "$cc" -std=c99 $flags "$root"/examples-c/lisp/*.c -o "$build/scheme-preload" -lbarrow -lm
  "$cc" -std=c99 $flags "$root/examples-c/binary-trees.c" -o "$build/trees-preload" -lbarrow
}
cat >"$build/preload.scm" <<'S'
(define (count n) (let loop ((i 0) (all '())) (if (= i n) all (loop (+ i 1) (cons (vector i) all)))))
(display (length (count 100000)))
S
report=$build/preload.space

# named PROGRAM ARGUMENT...: runs it, and looks at each line of the report.
named() {
  program=$1
  shift
  rm -f "$report"
  LD_PRELOAD=$build/space-preload.so SPACE_REPORT=$report "$build/$program" "$@" >"$build/preload.out"
  nm "$build/$program" | awk '$2 ~ /[tT]/ { sub(/\.(part|isra|constprop|cold).*/, "", $3); print $3 }' | sort -u >"$build/preload.names"
  awk 'seen && $0 !~ /total profiled/ { print $3 } /name$/ { seen = 1 }' "$report" | sed 's/\.\(part\|isra\|constprop\|cold\).*//' |
    sort -u >"$build/preload.told"
  [ -s "$build/preload.told" ] || { echo "$program: nothing was profiled" >&2; exit 1; }
  # Stacks are the library's.
  if comm -13 "$build/preload.names" "$build/preload.told" | grep -vxF '(unknown)'; then
    echo "$program: these are no functions of it" >&2
    exit 1
  fi
  # The functions add up to the total.
  awk '/total profiled/ { total = $1; next } seen { sum += $1 } /name$/ { seen = 1 }
       END { if (sum != total || total < 1000000) { print "sum " sum ", total " total; exit 1 } }' "$report"
}

named scheme-preload "$build/preload.scm"
[ "$(cat "$build/preload.out")" = 100000 ]
named trees-preload
