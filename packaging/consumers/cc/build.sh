#!/bin/sh
# The plainest way: build.sh PREFIX [LIBDIR]
set -eu
prefix=$1 libdir=${2:-$1/lib}
cc -std=c99 -I"$prefix/include" "$(dirname "$0")/../consumer.c" -o consumer -L"$libdir" -lbarrow -Wl,-rpath,"$libdir"
cc -std=c99 -I"$prefix/include" "$(dirname "$0")/../consumer.c" -o consumer-static "$libdir/libbarrow.a" \
  -lutil -lrt -lpthread -lm -ldl
