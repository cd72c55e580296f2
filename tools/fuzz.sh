#!/bin/sh
# Fuzzes each reader of the command, one after the other: damaged files, for so many seconds each (600 unless told), at
# the lowest priority. Prints a line for each. A failure names its case; BARROW_FUZZ_SEED runs that one alone.
#
#     tools/fuzz.sh                    ten minutes for each reader
#     tools/fuzz.sh 60 fuzz_hp         a minute for one
#
# Exit status: 0 nothing was found, 1 something was.
set -u
cd "$(dirname "$0")/.."
seconds=${1:-600}
[ $# -eq 0 ] || shift
# The same build as that of `cargo test --workspace`: of one package alone it would be another.
built=$(cargo test -q --workspace --bin barrow --no-run --message-format=json) || exit 1
program=$(printf '%s\n' "$built" | sed -n 's/.*"profile":{[^}]*"test":true}.*"executable":"\([^"]*\)".*/\1/p' | tail -1)
all=$("$program" --list 2>/dev/null | sed -n 's/^\(.*::fuzz_[a-z_]*\): test$/\1/p' | sort)
status=0
for test in $all; do
  name=${test##*::}
  [ $# -eq 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
  if said=$(cd tools && BARROW_FUZZ_SECONDS=$seconds nice -n 19 "$program" --exact "$test" --nocapture 2>&1); then
    printf '%-16s %5d s  %s\n' "$name" "$seconds" "$(printf '%s\n' "$said" | sed -n 's/^.*\([ ]\|^\)\([0-9]* cases of .*\)$/\2/p')"
  else
    printf '%-16s FAILED\n%s\n' "$name" "$said"
    status=1
  fi
done
exit $status
