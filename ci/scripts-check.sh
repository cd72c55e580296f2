#!/bin/bash
# The scripts for installing and testing, where something is missing, wrong or elsewhere: install.sh, c-tests/run.sh, ci/consumers.sh,
# ci/install-check.sh, ci/sanitize.sh, examples-c/hosts/needs.sh, .ci/run. Libraries and commands are stand-ins, so that it takes seconds and builds nothing.
set -uo pipefail
cd "$(dirname "$0")/.."
root=$PWD
# Settings of the caller, which the scripts would follow.
unset BARROW_LIB BARROW_SHARE BARROW_TIMES TESTS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
wrong() { echo "scripts-check: $1" >&2; failures=$((failures + 1)); }
# ends STATUS WORDS COMMAND...: it ends with the status, having said the words.
ends() {
  local status=$1 words=$2
  shift 2
  timeout -k 5 120 "$@" >"$work/said" 2>&1 </dev/null
  local code=$?
  [ $code = "$status" ] || wrong "status $code, not $status: $*: $(head -5 "$work/said")"
  [ -z "$words" ] || grep -qF -- "$words" "$work/said" || wrong "without '$words': $*: $(head -5 "$work/said")"
}
# stand_in FILE: an executable script of what is read
stand_in() {
  mkdir -p "$(dirname "$1")"
  { echo '#!/bin/sh'; cat; } >"$1"
  chmod 755 "$1"
}
# A cargo that builds nothing and fails, before everything that is called.
stand_in "$work/failing/cargo" <<<'exit 101'
mkdir -p "$work/built/dist" "$work/built/command"
stand_in "$work/built/command/barrow" <<<'exit 1'
echo 'int barrow_nothing;' >"$work/nothing.c"
cc -shared -fPIC -Wl,-soname,libbarrow.so.0.1 "$work/nothing.c" -o "$work/built/dist/libbarrow.so" &&
  cc -c "$work/nothing.c" -o "$work/nothing.o" && ar rc "$work/built/dist/libbarrow.a" "$work/nothing.o" || exit 1
install_here() { CARGO_TARGET_DIR=$work/built ends 0 "is installed in" ./install.sh --no-build "$@"; }

echo "-- install.sh: help"
ends 0 "--uninstall  remove the installation" ./install.sh --help
grep -qE '^(set|prefix=)' "$work/said" && wrong "install.sh --help shows lines of the script"

echo "-- install.sh: what it says of gdb"
says_source() { grep -qxF "source $work/gdb-place/share/barrow/barrow-gdb.py" "$work/said"; }
# A gdb whose own files are in the folder.
gdb_of() { stand_in "$work/gdb-bin/gdb" <<<"echo 'GDB'\\''s data directory is \"$1/share/gdb\".'"; }
gdb_of /usr
PATH=$work/gdb-bin:$PATH install_here --prefix "$work/gdb-place"
says_source || wrong "install.sh does not say how gdb gets its commands: $(cat "$work/said")"
gdb_of "$work/gdb-place"
PATH=$work/gdb-bin:$PATH install_here --prefix "$work/gdb-place"
says_source && wrong "install.sh tells gdb to load what it loads by itself"

echo "-- install.sh: an earlier installation stays when the new one cannot be made"
install_here --prefix "$work/a"
# Files by name and number: those of a second installation are others.
files() { (cd "$work/a" && find . -printf '%p %i\n' | sort); }
before=$(files)
[ -e "$work/a/lib/libbarrow.so.0.1" ] || wrong "install.sh does not install libbarrow.so.0.1"
unchanged() { [ "$(files)" = "$before" ] || wrong "$1 changes the earlier installation"; }
CARGO_TARGET_DIR=$work/empty ends 1 "libbarrow.so" ./install.sh --no-build --prefix "$work/a"
unchanged "an empty target"
PATH=$work/failing:$PATH CARGO_TARGET_DIR=$work/built ends 101 "" ./install.sh --prefix "$work/a"
unchanged "a failed build"
# Where objcopy knows nothing of the machine that the library is for, files keep their debugging information.
stand_in "$work/foreign/objcopy" <<<'echo "objcopy: file format not recognized" >&2; exit 1'
PATH=$work/foreign:$PATH install_here --prefix "$work/foreign-root"
cmp -s "$work/built/dist/libbarrow.so" "$work/foreign-root/lib/libbarrow.so" || wrong "install.sh loses what objcopy cannot read"

echo "-- install.sh: where one may not write, and without cargo"
mkdir -m 555 "$work/closed"
chmod 755 "$work"
# Root may write everywhere, so somebody else tries.
somebody=()
[ "$(id -u)" != 0 ] || somebody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
if "${somebody[@]}" test -r "$root/install.sh" 2>/dev/null; then
  export CARGO_TARGET_DIR=$work/built
  line="sudo env CARGO_TARGET_DIR=$work/built ./install.sh --no-build --prefix $work/closed/place --libdir $work/closed/lib64"
  ends 1 "$work/closed cannot be written to" "${somebody[@]}" ./install.sh --no-build --libdir "$work/closed/lib64" --prefix="$work/closed/place"
  [ "$(tail -1 "$work/said")" = "$line" ] || wrong "install.sh does not end with $line: $(cat "$work/said")"
  if [ "$(id -u)" = 0 ]; then
    ends 1 "sudo env" "${somebody[@]}" ./install.sh --no-build --prefix "$work/a"
    unchanged "installing without the right to"
  fi
  unset CARGO_TARGET_DIR
else
  echo "skipped: nobody else can read $root here"
fi
# Where no right helps, no line is given.
CARGO_TARGET_DIR=$work/built ends 1 "$work/nothing.c cannot be written to" ./install.sh --no-build --prefix "$work/nothing.c/place"
[ -x /usr/bin/cargo ] || ends 1 "cargo is not in the PATH" env PATH=/usr/bin:/bin ./install.sh --prefix "$work/none"

echo "-- install.sh --uninstall: a copy removes nothing of its original"
cp -a "$work/a" "$work/b"
ends 1 "made for $work/a" ./install.sh --uninstall --prefix "$work/b"
unchanged "uninstalling a copy"
CARGO_TARGET_DIR=$work/built ends 1 "made for $work/a" ./install.sh --no-build --prefix "$work/b"
unchanged "installing over a copy"
mv "$work/a" "$work/moved"
ends 1 "made for $work/a" "$work/moved/share/barrow/uninstall.sh"
mv "$work/moved" "$work/a"
for flag in --no-build --libdir=lib64; do
  ends 2 "means nothing with --uninstall" ./install.sh --uninstall "$flag" --prefix "$work/a"
  unchanged "--uninstall $flag"
done
ends 2 "there is no installation" ./install.sh --uninstall --prefix "$work/none"
# A folder where a file was cannot be removed, by root either.
rm "$work/a/include/barrow.h"
mkdir "$work/a/include/barrow.h"
ends 1 "include/barrow.h" ./install.sh --uninstall --prefix "$work/a"
grep -qF "is removed" "$work/said" && wrong "an uninstallation that failed says that it has not"
rmdir "$work/a/include/barrow.h"
ends 0 "is removed" ./install.sh --uninstall --prefix "$work/a"
[ ! -e "$work/a" ] || wrong "an uninstalled prefix still has $(find "$work/a")"
# A prefix of odd characters, in a folder in which it is put together.
install_here --prefix "/o'dd \$x" --destdir "$work/dest"
ends 0 "is removed from $work/dest/o'dd \$x" ./install.sh --uninstall --prefix "/o'dd \$x/" --destdir "$work/dest"
[ ! -e "$work/dest/o'dd \$x" ] || wrong "an odd prefix still has $(find "$work/dest")"

echo "-- c-tests/run.sh"
run_tests=(env BARROW_LIB="$work/built/dist" BARROW_BUILD="$work/c-tests")
ends 2 "typo" "${run_tests[@]}" TESTS="info typo" c-tests/run.sh variants
ends 1 "0 runs" "${run_tests[@]}" TESTS=raii c-tests/run.sh variants
ends 0 "" "${run_tests[@]}" TESTS=raii BARROW_SHARE=1/10 c-tests/run.sh variants
# Without a library that is handed in, cargo would be called before the names are looked at.
ends 2 "typo" env -u BARROW_LIB PATH="$work/failing:$PATH" TESTS=typo c-tests/run.sh variants
(cd "$work" && BARROW_LIB=built/dist BARROW_BUILD=relative TESTS=raii "$root/c-tests/run.sh" variants >/dev/null 2>&1)
[ -e "$work/relative/libbarrow.so" ] || wrong "c-tests/run.sh loses a relative BARROW_LIB"
line=$(grep '^export BARROW_LIB=' .ci/run)
for given in elsewhere "$root/elsewhere"; do
  got=$(CARGO_TARGET_DIR=$given bash -c "$line; echo \"\$BARROW_LIB\"")
  [ "$got" = "$root/elsewhere/checked" ] || wrong ".ci/run has BARROW_LIB=$got with CARGO_TARGET_DIR=$given"
done

echo "-- .ci/run: turns"
# On a slow machine one part of four runs, and a tenth of it: over so many commits each part has each tenth.
stand_in "$work/commits/git" <<<'case $1 in rev-parse) echo false ;; rev-list) echo "$COMMITS" ;; esac'
runs_late() {
  . .ci/parts
  beside() { "$@"; }
  part() { echo "$1 $share" >>"$work/late"; }
  row() { :; }
  SECONDS=$((last_begin + 1))
  local share turn
  eval "$(grep -E '^(share=|beside optional)' .ci/run)"
}
for COMMITS in $(seq 1099 1138); do (export COMMITS PATH="$work/commits:$PATH"; runs_late); done
optional=$(grep -c '^beside optional' .ci/run)
[ "$optional" -ge 4 ] || wrong ".ci/run has $optional optional parts"
[ "$(sort -u "$work/late" | wc -l)" = $((optional * 10)) ] ||
  wrong "a slow .ci/run leaves tenths of optional parts out for ever; it has $(sort -u "$work/late" | xargs)"

echo "-- .ci/run: rows"
# part_says STATE KIND COMMAND: its row has the state. A part that is cut off ends as if its time were over.
part_says() {
  (
    results=$work/rows work=$(mktemp -dp "$work") longest=60 latest=60 BARROW_TIMES=/dev/null turn=0
    . .ci/parts
    : >"$results"
    case $2 in
      part) part name bash -c "$3" ;;
      cut) optional 0 name bash -c "$3; exit 124" ;;
      beside) beside part name bash -c "$3"; beside part_if other ci/none; beside eval "$3"; all_ended ;;
    esac >/dev/null 2>&1
    grep -qE "work  $1\$" "$results"
  ) || wrong "no row of .ci/run says '$1' of $2 $3: $(cat "$work/rows")"
}
part_says ok part "echo well"
part_says ok part "echo 'ok. 3 passed; 0 failed; 0 skipped'"
part_says "FAILED \(3\)" part "exit 3"
part_says "skipped: a: no b" part "echo 'a: no b: skipped'"
part_says "skipped: no c" part "echo 'skipped: no c'"
part_says "ok, but for 2 that it skipped" part "echo 'its host is skipped'; echo '  skipped: no d'; echo well"
part_says "FAILED \(1\)" part "echo 'a: skipped'; exit 1"
part_says "cut off" cut "echo well"
for word in "1 a: MISSED by b" "1 a: c b ended without an answer (139)" "FAILED: d"; do part_says "FAILED \(and cut off\)" cut "echo '$word'"; done
part_says ok beside :
part_says "FAILED \(without a row\): eval .*" beside 'kill -9 $BASHPID'

echo "-- ci/sanitize.sh"
# Everything that is on the path but valgrind, and a compiler that takes no flag of a sanitizer.
mkdir "$work/bin"
IFS=: read -ra folders <<<"$PATH"
for folder in "${folders[@]}"; do ln -s "$folder"/* "$work/bin/" 2>/dev/null; done
rm -f "$work/bin/valgrind" "$work/bin/cargo"
cp "$work/failing/cargo" "$work/bin/cargo"
ends 0 "skipped" env PATH="$work/bin" ci/sanitize.sh memcheck
for compiler in rustc gcc; do
  stand_in "$work/no-$compiler/$compiler" <<<"case \"\$*\" in *sanitize*) echo 'unknown flag' >&2; exit 1 ;; esac; exec $(command -v $compiler) \"\$@\""
  for kind in address thread; do
    ends 0 "skipped" env PATH="$work/no-$compiler:$work/failing:$PATH" ci/sanitize.sh $kind
  done
done

echo "-- ci/consumers.sh, ci/install-check.sh: programs that fail, with the right words and with none"
# tries FILE FUNCTION WORDS: the function of the script takes a program that says the words, and no other.
tries() {
  local body
  body="fail() { exit 1; }; pkg-config() { echo 7; }; $(sed -n "/^$2() {/,/^}/p" "$1")"
  stand_in "$work/well" <<<"echo '$3'"
  stand_in "$work/late" <<<"echo '$3'; exit 3"
  stand_in "$work/silent" <<<:
  ends 0 "name: $3" bash -euc "$body; $2 name '$work/well'"
  for program in late silent; do ends 1 "" bash -euc "$body; $2 name '$work/$program'"; done
}
tries ci/consumers.sh runs "the last list begins with 9999999"
tries ci/consumers.sh one "100000 cells"
tries ci/install-check.sh run "1000000 cells, barrow 7"

echo "-- benches/threads/run.py: verdicts"
if command -v python3 >/dev/null; then
  (cd benches/threads && PYTHONDONTWRITEBYTECODE=1 python3 - <<'P') || wrong "benches/threads/run.py judges otherwise"
import run
stops = [0] * 40
stops[3] = 10
assert run.verdict(*run.median_stop(stops), 100) == "met" and run.median_stop(stops) == (4, 8)
stops[7] = 11  # 64 to 128 us
assert run.verdict(*run.median_stop(stops), 100) == "not decided"
stops[8] = 22
assert run.missed == 0 and run.verdict(*run.median_stop(stops), 100) == "missed" and run.missed == 1
# A quick exchange of one run and a quick pair of another are no ratio of either.
ratio, low, high, of = run.of_one_run([(6.0, 2.0), (5.0, 1.5), (9.0, 3.5)])
assert ratio == 3.0 and of == (6.0, 2.0) and low < 3 < high
P
else
  echo "skipped: no Python"
fi

echo "-- examples-c/hosts/needs.sh"
# A copy, for which the system's Python has no cffi; its folder of an earlier call has none either.
mkdir -p "$work/tree/examples-c/hosts" "$work/hosts"
sed "s|/usr/bin/python3|$work/pythons/python3|" examples-c/hosts/needs.sh >"$work/tree/examples-c/hosts/needs.sh"
for tool in mkdir dirname; do ln -s "$(command -v $tool)" "$work/hosts/$tool"; done
stand_in "$work/pythons/python3" <<<"case \$1 in -m) echo made >>'$work/made' ;; *) exit 1 ;; esac"
ln -s "$work/pythons/python3" "$work/hosts/python3"
place=$work/tree/target/hosts/python/bin
stand_in "$place/python3" <<<"test -e '$work/has-cffi'"
stand_in "$place/pip" <<<": >'$work/has-cffi'"
for _ in 1 2; do ends 0 "" env -u CARGO_TARGET_DIR PATH="$work/hosts" /bin/sh "$work/tree/examples-c/hosts/needs.sh"; done
[ -e "$work/has-cffi" ] || wrong "needs.sh does not try cffi again after it has failed"
[ "$(wc -l 2>/dev/null <"$work/made")" = 1 ] || wrong "needs.sh does not see the cffi that it has installed"

[ $failures = 0 ] && echo "scripts-check: all well"
[ $failures = 0 ]
