#!/bin/sh
# Refreshes include/barrow/*.ll, made from barrow/inline.h, which code in LLVM's IR links instead of including that header.
#
#   ci/ir.sh          writes the files
#   ci/ir.sh --check  compares them with fresh ones, as far as the compilers are there
#
# The files with -14 have typed pointers, for LLVM 14; the others opaque ones, for 15 and later. A compiler writes them
# for its own machine, whose name is taken out: every 64-bit target has the same layout of the data that they touch.
set -eu
cd "$(dirname "$0")/.."
check=${1:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
state=0

# cleaned KIND: functions for any target, always inlined, in as many modules as want them.
cleaned() {
  awk -v kind="$1" '
    BEGIN {
      print "; Made by ci/ir.sh from barrow/inline.h. Do not edit."
      if (kind == "plain") print "; The inline forms, for llvm-link with a program before it is optimised."
      if (kind == "gc") {
        print "; The inline forms for code with statepoints, for llvm-link with a program before it is optimised. They call"
        print "; barrow_late_ functions, which the -late file has; it follows when the statepoints are there."
      }
      if (kind == "late") {
        print "; The rest of the inline forms for code with statepoints, for llvm-link after rewrite-statepoints-for-gc."
      }
      print "; SPDX-License-Identifier: MIT OR Apache-2.0"
    }
    /^; ModuleID|^source_filename|^target |^; Function Attrs|^attributes |^!llvm/ { next }
    /^![0-9]+ = / { if (/branch_weights/) print; next }
    { gsub(/ local_unnamed_addr/, ""); gsub(/, !llvm.loop ![0-9]+/, ""); gsub(/, !srcloc ![0-9]+/, ""); sub(/ +; preds = .*/, "") }
    /^define / {
      sub(/^define (dso_local )?/, "define linkonce_odr hidden ")
      # What fast paths leave to a function of its own stays one.
      out_of_line = /@barrow_use_unmarked_\(/
      any_out_of_line += out_of_line
      sub(/ #[0-9]+ \{$/, kind == "gc" ? " #0 gc \"statepoint-example\" {" : out_of_line ? " #2 {" : " #0 {")
    }
    /^declare / {
      sub(/ #[0-9]+$/, "")
      if (/@barrow_late_/) $0 = $0 " #1"
    }
    /call / { sub(/ #[0-9]+$/, ""); sub(/ #[0-9]+, !prof/, ", !prof") }
    /^$/ { if (blank) next; blank = 1; print; next }
    { blank = 0; print }
    END {
      print kind == "gc" ? "attributes #0 = { alwaysinline \"frame-pointer\"=\"all\" }" : "attributes #0 = { alwaysinline }"
      if (any_out_of_line) print "attributes #2 = { cold noinline }"
      if (kind == "gc") print "attributes #1 = { nounwind \"gc-leaf-function\" }"
    }'
}

# one FILE KIND VERSION FLAGS...
one() {
  file=include/barrow/$1 kind=$2 cc=clang-$3
  shift 3
  if ! command -v "$cc" >/dev/null; then
    echo "$file: $cc is not there, so whether it is fresh is not known"
    return
  fi
  # Exceptions may pass through a hook of the client's; types say nothing about other languages' accesses.
  "$cc" -std=c11 -Wall -Wextra -Werror -O2 -fexceptions -fno-strict-aliasing -fno-vectorize -fno-slp-vectorize \
    -fno-unroll-loops -fno-asynchronous-unwind-tables -fno-stack-protector -Iinclude "$@" \
    -S -emit-llvm ci/ir/forms.c -o "$work/raw.ll"
  cleaned "$kind" <"$work/raw.ll" >"$work/new.ll"
  if [ "$check" = --check ]; then
    if cmp -s "$work/new.ll" "$file"; then echo "$file is fresh"; else
      echo "$file is not what barrow/inline.h gives; ci/ir.sh refreshes it" >&2
      state=1
    fi
  else
    cp "$work/new.ll" "$file"
    echo "$file: $(grep -c '^define' "$file") functions"
  fi
}

for version in 14 15; do
  if [ $version = 14 ]; then end=-14; else end=; fi
  one inline$end.ll plain $version
  one inline-gc$end.ll gc $version -DBARROW_GC
  one inline-gc-late$end.ll late $version -DBARROW_GC -DBARROW_LATE
done
exit $state
