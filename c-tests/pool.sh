# Jobs side by side, and programs that are compiled only when they are not fresh; for c-tests/run.sh, which sources it.
#
# BARROW_JOBS: so many at a time; without it, as many as there are processors.
# BARROW_SHARE=k/n: of the jobs, only every n-th, from the k-th on (0 is the first).
# BARROW_PATIENCE: seconds after which a program is ended and has failed (900, and 3600 under valgrind); a hang is a failure like others.
# BARROW_TIMES: a file that gets a line for each job, "milliseconds<tab>what".
#
# A job is a function with arguments, in a process of its own: it takes the environment and the variables as they are
# when it begins, and fails when it has called `failed`. Its output comes out in one piece, when it has ended.

now() { date +%s%3N; }

pool_begin() {
  pool=$(mktemp -d) || exit 1
  trap 'rm -rf "$pool"' EXIT
  trap 'exit 1' INT TERM HUP
  : >"$pool/log"
  jobs=${BARROW_JOBS:-$(nproc 2>/dev/null || echo 2)}
  patience=
  ! command -v timeout >/dev/null || patience="timeout --foreground -k 5 ${BARROW_PATIENCE:-900}"
  share_of= share=
  case ${BARROW_SHARE:-} in */*) share_of=${BARROW_SHARE#*/} share=${BARROW_SHARE%/*} ;; esac
  # A token for each job that may run; the pipe is opened both ways, so that neither end waits for the other.
  mkfifo "$pool/tokens" && exec 9<>"$pool/tokens" || exit 1
  slots=$jobs
  while [ "$slots" -gt 0 ]; do
    echo >&9
    slots=$((slots - 1))
  done
  runs=0 offered=0
}

# job GROUP LABEL FUNCTION ARGUMENT...: begins it as soon as there is room.
job() {
  offered=$((offered + 1))
  [ $((offered % ${share_of:-1})) -eq "${share:-0}" ] || return 0
  read -r _ <&9
  runs=$((runs + 1))
  (
    number=$runs group=$1 label=$2 failures=0
    shift 2
    # Programs write files beside them under names of their own: each run has a folder.
    run=$pool/$number
    trap 'rm -rf "$run"; echo >&9' EXIT
    mkdir "$run"
    begun=$(now)
    "$@" >"$pool/out-$number" 2>&1 9>&-
    state=ok
    [ $failures -eq 0 ] || state=FAILED
    printf '%s\t%s\t%s\t%s\n' $(($(now) - begun)) "$state" "$group" "$label" >>"$pool/log"
    cat "$pool/out-$number" >&2
    rm -f "$pool/out-$number"
  ) &
}

failed() {
  echo "FAILED: $*" >&2
  failures=$((failures + 1))
}

# pool_end: waits for all, tells how long the parts and the slowest jobs took, and sets `failures`. A job that has no line
# in the log has failed too: something ended it.
pool_end() {
  wait
  failures=$((runs - $(awk -F'\t' '$2 == "ok"' "$pool/log" | wc -l)))
  awk -F'\t' '{ time[$3] += $1; count[$3]++ }
    END { for (g in time) printf "%8.1f s  %s, %d runs\n", time[g] / 1000, g, count[g] }' "$pool/log" | sort -rn
  [ "$runs" -lt 10 ] || {
    echo "c-tests: the slowest, of which $jobs run at a time"
    sort -rn "$pool/log" | head -10 | awk -F'\t' '{ printf "%8.1f s  %s\n", $1 / 1000, $4 }'
  }
  [ -z "${BARROW_TIMES:-}" ] || awk -F'\t' '{ print $1 "\tc-tests " $4 }' "$pool/log" >>"$BARROW_TIMES"
}

# fresh OUTPUT "INPUTS" COMMAND...: runs the command unless it was the same when OUTPUT was made, later than all inputs.
# The command ends with the word before the name of its output, which appears when it is whole: two jobs may want the
# same one.
fresh() {
  output=$1 inputs=$2
  shift 2
  # shellcheck disable=SC2086
  set -- "$@" -o
  if [ -e "$output" ] && [ "$(cat "$output.how" 2>/dev/null)" = "$*" ] && [ -z "$(find $inputs -newer "$output" -print -quit)" ]; then
    return 0
  fi
  : >"$run/begun"
  "$@" "$run/fresh" && touch -r "$run/begun" "$run/fresh" && printf '%s' "$*" >"$run/fresh.how" || return 1
  mv "$run/fresh.how" "$output.how" && mv "$run/fresh" "$output"
}
