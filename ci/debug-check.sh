#!/bin/bash
# Debugging as docs/debugging.md says it: each program of examples-c/mistakes has a mistake that its flags find in one run,
# by each compiler at each level of optimisation;
# the commands of barrow-gdb.py are tried on a running program and on a core file. Half a minute.
#   BARROW_LIB: the folder of libbarrow.a; without it, cargo builds it.
set -uo pipefail
cd "$(dirname "$0")/.."
if [ -z "${BARROW_LIB:-}" ]; then
  cargo build -q --lib || exit 1
  BARROW_LIB=${CARGO_TARGET_DIR:-$PWD/target}/debug
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0 checks=0
fail() { echo "FAILED: $*" >&2; failures=$((failures + 1)); }
build() { "${CC:-cc}" -std=c99 -g "$1" -w ${4:-} -Iinclude "$2" -o "$3" "$BARROW_LIB/libbarrow.a" -lpthread -ldl -lm -lrt -lutil; }

# ---- mistakes, each found by its flag -------------------------------------------------------------------------------
compilers=
for CC in gcc clang; do if command -v $CC >/dev/null; then compilers="$compilers $CC"; fi; done
for source in examples-c/mistakes/*.c; do
  name=$(basename "$source" .c)
  flags=$(sed -n 's/^ \* flags: //p' "$source")
  says=$(sed -n 's/^ \* says: \(.*\) \*\/$/\1/p' "$source")
  grep -qF "$name.c" docs/debugging.md || fail "docs/debugging.md does not name $name.c"
  compile=$(sed -n 's/^ \* compile: //p' "$source") # what the compiler is told, when that finds it
  [ -n "$flags$compile" ] && [ -n "$says" ] || { fail "$source does not say what finds it"; continue; }
  for CC in $compilers; do
    for level in -O0 -O1 -O2 -O3; do
      build $level "$source" "$work/$name" "$compile" || { fail "$name does not compile"; continue; }
      checks=$((checks + 1))
      # shellcheck disable=SC2086
      ("$work/$name" $flags; exit $?) >"$work/out" 2>&1 # bash says nothing of an abort
      code=$?
      [ $code != 0 ] && grep -q "$says" "$work/out" || fail "$name $compile $flags ($CC, $level): $code, $(head -3 "$work/out")"
    done
  done
done

# Programs without that mistake run as ever when frames are compared.
for source in examples-c/02-roots.c examples-c/binary-trees.c examples-c/lazy/map.c examples-c/lazy/updates.c; do
  checks=$((checks + 1))
  CC=cc
  build -O2 "$source" "$work/right" -DBARROW_CHECK_FRAMES && "$work/right" >"$work/out" 2>"$work/err" && cmp -s "$work/out" "${source%.c}.out" ||
    fail "$source with BARROW_CHECK_FRAMES: $(head -3 "$work/err")"
done

# ---- the debugger ---------------------------------------------------------------------------------------------------------
python3 - packaging/gdb/barrow-gdb.py include/barrow.h <<'P' || fail "barrow-gdb.py has other kinds than barrow.h"
import re, sys
script, header = (open(name).read() for name in sys.argv[1:])
body = re.search(r"enum barrow_kind.*?\{(.*?)\n\}", header, re.S).group(1)
ours = {int(n): name for name, n in re.findall(r"BARROW_(\w+) = (\d+)", body)}
exec(re.search(r"^KINDS = \{.*?^\}", script, re.S | re.M).group(0))
sys.exit(ours != KINDS)
P
# The numbers by which it finds words of the window are those of the header.
checks=$((checks + 1))
python3 - packaging/gdb/barrow-gdb.py >"$work/window.c" <<'P' && cc -Iinclude -fsyntax-only "$work/window.c" || fail "barrow-gdb.py has other offsets than barrow.h"
import re, sys
exec(re.search(r"^WINDOW = \{.*?\}", open(sys.argv[1]).read(), re.S | re.M).group(0))
print("#include <barrow.h>\n#include <stddef.h>")
for field, at in WINDOW.items():
    print("_Static_assert(offsetof(barrow_window, %s) == %d, \"%s\");" % (field, at, field))
P
unset CC
debugger() { gdb -q -nx -batch -ex 'set debuginfod enabled off' -ex 'set pagination off' -ex 'source packaging/gdb/barrow-gdb.py' "$@" >"$work/out" 2>&1; }
shows() { checks=$((checks + 1)); grep -q -- "$1" "$work/out" || fail "gdb does not show \"$1\": $(cat "$work/out")"; }
has_gdb=
if [ "$(gdb -q -nx -batch -ex 'python print(6 * 7)' 2>&1)" = 42 ]; then
  has_gdb=yes
  # Tagged words, by the rules of docs/values.md. Before the mutator is known, no rule is.
  build -O0 packaging/gdb/tagged.c "$work/tagged" || fail tagged
  tagged() {
    debugger -ex 'break here' -ex run -ex 'barrow object untagged' -ex 'barrow frames' -ex 'barrow use own' -ex 'barrow object tagged' \
      -ex 'barrow frames' --args "$work/tagged" "$@"
    shows '^  \[1\] 0x[0-9a-f]* (tagged)$'
    shows '^barrow frames: no variable here has the type barrow_mutator \*: say which'
    checks=$((checks + 1))
    [ "$(sed -n '/^#0/,$p' "$work/out" | sed 's/ 0x[0-9a-f]*//')" = "#0 frame at (a variable of main)
  [0] -> Node
#1 frame at (a variable of main)
  [0] -> Node
  [1] $number
  [2]" ] && [ "$(grep -c "^  \[4\] 0x[0-9a-f]* $number\$" "$work/out")" = 1 ] || fail "gdb shows of tagged words ($*): $(cat "$work/out")"
  }
  number='(no reference)'
  for rule in even behind high; do tagged $rule; done
  number='(no reference into the heap)'
  tagged nan
  tagged nan --source=chunks
  # A mistake of the user's is a sentence, and no exception of Python's.
  debugger -ex 'break here' -ex run -ex up -ex 'barrow info node_info' -ex 'barrow info 5' -ex 'barrow object 5' -ex 'barrow why nosuch' \
    -ex 'barrow object ((void **)8)[1]' -ex 'barrow object 0.5' -ex 'barrow use 0' -ex 'barrow frames' -ex 'barrow frmes' --args "$work/tagged" even
  shows '^Node: BARROW_TAGGED, 4 pointers, 1 words'
  shows '^barrow info 5: there is no info table at 0x5'
  shows '^barrow object 5: there is no object at 0x5'
  shows '^barrow why nosuch: No symbol "nosuch" in current context'
  shows '^barrow object ((void \*\*)8)\[1\]: Cannot access memory at address 0x10'
  shows '^barrow object 0.5: `0.5` is no address'
  shows '^barrow frames: Cannot access memory'
  shows '^barrow frmes: barrow object|info'
  if grep -q Python "$work/out"; then fail "gdb shows an exception: $(cat "$work/out")"; fi
  build -O2 packaging/gdb/tagged.c "$work/tagged" || fail tagged
  debugger -ex 'break abort' -ex run -ex up -ex 'barrow object gone' --args "$work/tagged" even -A1m abort
  shows '^barrow object gone: the compiler has left no value of `gone` here'
fi
# Some versions of gdb cannot on processors that are younger than they are.
can_call() {
  printf 'int add(int x) { return x + 1; }\nint main(void) { return add(-1); }\n' >"$work/call.c"
  cc -g -O0 "$work/call.c" -o "$work/call" &&
    gdb -q -nx -batch -ex 'break add' -ex run -ex 'print add(41)' "$work/call" 2>/dev/null | grep -q '= 42$'
}
if [ -z "$has_gdb" ]; then
  echo "skipped: no gdb with Python"
elif ! can_call; then
  echo "skipped: this gdb cannot call a function of a program here, which the other commands do"
else
  build -O0 packaging/gdb/client.c "$work/client" || fail client
  debugger -ex 'break here' -ex run -ex 'barrow object r->list' -ex 'barrow object r->row' -ex 'barrow object r->text' \
    -ex 'barrow info &pair_info' -ex 'print pair_info' -ex 'barrow frames' -ex 'barrow why r->list->left->left' \
    -ex 'barrow why &r->row[3]' -ex 'barrow why stale' -ex 'barrow moved r->list' -ex 'barrow moved stale' \
    -ex 'barrow use 0' -ex 'barrow why r->list' -ex 'barrow object m' --args "$work/client" -DS --old=copy
  shows 'is Pair: BARROW_CONSTR, 2 pointers, 1 words, type Pair, module Mistakes; table 0x'
  shows '4 words, generation [01], step 0, moving'
  shows '\[1\] 0x[0-9a-f]* -> Pair'
  shows '\[3\] 0x2a (number)'
  shows 'is Row: BARROW_ARRAY, '
  shows 'is Text: BARROW_BYTES, '
  shows '= Pair: BARROW_CONSTR'
  shows '^#0 frame at .* (a variable of main)'
  shows 'root: what is kept at 0x[0-9a-f]* (kept)'
  shows 'Pair, generation [0-9], refers to in word 1'
  shows 'and the address is word 3 of it'
  shows 'no root leads to it'
  shows 'collection 2 of generations up to 1 moved it here from 0x[0-9a-f]*, because: everything was to be collected'
  shows 'collection 1 of generations up to 0 moved what was here to 0x'
  shows 'the mutator is NULL'
  shows '^barrow object m: there is no info table at'
  # A core file, where the system leaves one in the current folder. What was never touched takes no room in it.
  case $(cat /proc/sys/kernel/core_pattern) in
    core*)
      (cd "$work" && ulimit -c unlimited && ./client -DS --stop-at=2) >/dev/null 2>&1
      core=$(find "$work" -name 'core*' | head -1)
      debugger -ex 'frame function main' -ex 'barrow object r.list' -ex 'barrow frames' "$work/client" "$core"
      shows 'is Pair: BARROW_CONSTR'
      shows '^#0 frame at ' ;;
    *) echo "core files go elsewhere here: none is tried" ;;
  esac
  # Another thread's root, while that thread runs to its next safepoint; and not where it may not run.
  build -O0 packaging/gdb/two.c "$work/two" || fail two
  debugger -ex 'break here' -ex run -ex 'barrow why held->next' -ex 'set scheduler-locking on' -ex 'barrow why held' --args "$work/two"
  shows 'root: shadow stack at 0x[0-9a-f]* (a variable of hold, thread 2)'
  shows 'Cell, generation 0, refers to in word 1'
  shows 'set scheduler-locking off'
  # Who asked for the collection that moved it.
  debugger -ex run -ex backtrace --args "$work/client" -DS --stop-at=2
  shows 'SIGTRAP'
  shows ' asks (m=.*, major=true)'
fi
echo "debug-check: $checks checks, $failures failed"
[ $failures = 0 ]
