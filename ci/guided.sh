#!/bin/bash
# Coverage-guided fuzzing: libFuzzer drives the same bodies as `cargo test fuzz_`, with the address sanitizer inside, on the
# stable compiler. Readers of the command, and random programs on the heap (`fuzz_programs`).
#
#   ci/guided.sh                        a minute for each
#   ci/guided.sh 3600 fuzz_hp           an hour for one
#   ci/guided.sh keep fuzz_hp           what was found worth keeping, minimised, into fuzz/corpus: the sixty smallest files
#   ci/guided.sh case FILE fuzz_hp      one case again
#
# BARROW_SHARE=k/n: of them all, only every n-th, from number k on (0 is the first).
#
# Beside what is committed in fuzz/corpus, cases that reach new code are kept in target/guided/kept. A failure leaves its case
# in target/guided/found and is told with the command that repeats it. Exit status: 0 nothing was found, 1 something was.
set -uo pipefail
cd "$(dirname "$0")/.."
seconds=60 mode=fuzz most_kept=60
case ${1:-} in
  keep) mode=keep; shift ;;
  case) mode=case file=$2; shift 2 ;;
  [0-9]*) seconds=$1; shift ;;
esac
triple=$(rustc -vV | sed -n 's/^host: //p')
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")/guided
command -v c++ >/dev/null || { echo "ci/guided.sh: there is no C++ compiler for libFuzzer: skipped"; exit 0; }
# The compiler takes the sanitizer's flag only when it is told to be its own next version; the passes are the stable one's.
export RUSTC_BOOTSTRAP=1 CARGO_INCREMENTAL=0
export RUSTFLAGS="--cfg fuzzing -Zsanitizer=address -Cunsafe-allow-abi-mismatch=sanitizer -Cpasses=sancov-module
  -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters
  -Cllvm-args=-sanitizer-coverage-pc-table -Ccodegen-units=1"
RUSTFLAGS=$(echo $RUSTFLAGS)
built() {
  cargo test -q --locked --target "$triple" --target-dir "$target" --no-run --message-format=json "$@" |
    sed -n 's/.*"profile":{[^}]*"test":true}.*"executable":"\([^"]*\)".*/\1/p' | tail -1
}
readers=$(built -p barrow-tools --bin barrow) && programs=$(built --test fuzz) || exit 1
[ -x "$readers" ] && [ -x "$programs" ] || { echo "ci/guided.sh: there is no program to run" >&2; exit 1; }
# name, tab, program, tab, the test's whole name
all=$(for program in "$readers" "$programs"; do
  "$program" --list 2>/dev/null | sed -n 's/^\(.*fuzz_[a-z_]*\): test$/\1/p' |
    while read -r test; do printf '%s\t%s\t%s\n' "${test##*::}" "$program" "$test"; done
done | sort)
status=0 ran=0 offered=0
# Allocators are made to fail and files kept open on purpose; leaks are looked for by ci/sanitize.sh.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
while IFS=$'\t' read -r name program test; do
  [ $# -eq 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
  offered=$((offered + 1))
  case ${BARROW_SHARE:-} in */*) [ $(((offered - 1) % ${BARROW_SHARE#*/})) -eq "${BARROW_SHARE%/*}" ] || continue ;; esac
  ran=$((ran + 1))
  kept=$target/kept/$name found=$target/found
  mkdir -p "$kept" "$found"
  cp -n fuzz/corpus/"$name"/* "$kept"/ 2>/dev/null
  folder=.
  [ "$program" != "$readers" ] || folder=tools
  run() { (cd $folder && BARROW_GUIDED="$*" "$program" --exact "$test" --nocapture --test-threads=1 2>&1 </dev/null); }
  case $mode in
    case) run "$kept $(realpath "$file")" || status=1 ;;
    keep)
      small=$target/small-$name
      rm -rf "$small" && mkdir "$small"
      find "$kept" -type f -size -4k -exec cp {} "$small"/ \;
      # The first folder gets of the second what adds code; libFuzzer starts the program anew after each case that ends it.
      chosen=$target/chosen-$name
      rm -rf "$chosen" && mkdir "$chosen"
      again=$target/again-$name
      printf '#!/bin/sh\nBARROW_GUIDED="%s $*" exec "%s" --exact "%s" --nocapture --test-threads=1\n' \
        "$target/none" "$program" "$test" >"$again"
      chmod +x "$again"
      export BARROW_GUIDED_AGAIN=$again
      run "$chosen -merge=1 $small" | grep "MERGE-OUTER: .* new files"
      unset BARROW_GUIDED_AGAIN
      # Seeds are merged too, whatever their size: they are made anew each time.
      find "$chosen" -type f -size +4k -delete
      # The smallest ones: they are in every clone.
      (cd "$chosen" && ls -rS | tail -n +$((most_kept + 1)) | xargs -r rm)
      if [ -n "$(ls "$chosen")" ]; then
        rm -rf "fuzz/corpus/$name" && cp -r "$chosen" "fuzz/corpus/$name"
      else
        echo "$name: nothing was chosen, fuzz/corpus stays as it is"
        status=1
      fi
      echo "$name: $(ls "fuzz/corpus/$name" | wc -l) files, $(du -sk "fuzz/corpus/$name" | cut -f1) KB" ;;
    fuzz)
      said=$(run "$kept -max_total_time=$seconds -max_len=65536 -timeout=30 -rss_limit_mb=2048 -artifact_prefix=$found/$name- -print_final_stats=1")
      code=$?
      if [ $code -eq 0 ]; then
        printf '%s\n' "$said" | awk -v name="$name" -v seconds="$seconds" '
          /stat::number_of_executed_units/ { cases = $2 } / cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") code = $(i + 1) }
          END { printf "%-16s %5d s  %d cases, %d places of the code\n", name, seconds, cases, code }'
      else
        printf '%-16s FAILED (%d)\n%s\n' "$name" $code "$(printf '%s\n' "$said" | tail -60)"
        printf '%s\n' "$said" | sed -n "s|.*Test unit written to \(.*\)|again: ci/guided.sh case \1 $name|p"
        status=1
      fi ;;
  esac
done <<<"$all"
[ $ran -gt 0 ] || [ $offered -gt 0 ] || { echo "ci/guided.sh: there is no such test; there are" $(cut -f1 <<<"$all") >&2; exit 2; }
exit $status
