#!/bin/sh
# Makes one object file of the static library, of which only the functions of Barrow can be seen from outside: for
# programs that link a further static library of Rust, with a standard library of its own.
#   localise.sh LIBRARY.a OUTPUT.o      then: cc program.c OUTPUT.o libother.a -Wl,--gc-sections -lpthread -ldl -lm
set -eu
[ $# = 2 ] || { sed -n '2,4p' "$0" >&2; exit 2; }
library=$1 output=$2
symbols=$(dirname "$0")/symbols.txt
[ -e "$symbols" ] || symbols=$(dirname "$0")/../abi/symbols.txt
ld=${LD:-ld} objcopy=${OBJCOPY:-objcopy}
# Only what these functions need is taken out of the library; groups are merged, since their names become local.
# shellcheck disable=SC2046  # no symbol has a blank
"$ld" -r --force-group-allocation $(sed 's/^/-u /' "$symbols") "$library" -o "$output.whole"
"$objcopy" --strip-debug --keep-global-symbols="$symbols" "$output.whole" "$output"
rm -f "$output.whole"
