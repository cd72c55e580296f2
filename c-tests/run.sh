#!/bin/sh
# Builds and runs the C tests. Each argument is a mode:
#
#   quick     one compiler: C99 with the shared library, in small sizes but where a planted bug wants full ones; of C11 with the
#             static one and C++17 with the shared one this commit's tenth (ci/share.sh); dlopen; the examples, and the Scheme
#             in examples-c/lisp, which is in all modes but variants
#   matrix    all of these, C99 in full sizes, and more compilers: every two of compiler, language (C99, C11, C++17) and library
#             (shared, static) meet, C11 with gcc and the static library, and C11 and C++17 with clang,
#             in this commit's tenth; C++17 with the first compiler and C99 with the second take turns, and the one whose turn it
#             is not has a tenth; the compilers read all programs as C11 and C++17
#   variants  C11, shared, with flags for every heap: chunks instead of a range, the whole heap checked all the time,
#             compaction in every major collection; in small sizes, and a tenth in full ones; of checked heaps in chunks a tenth,
#             whether they compact or not; compaction and no huge pages take turns
#
# A tenth is BARROW_SHARE's, or this commit's without one, and so is a turn; BARROW_SHARE=0/1 has all.
#   valgrind  C11, shared, under memcheck. The heap reserves a large range, which memcheck would keep a map of: so
#             BARROW_TEST_FLAGS=-xr256m makes it small. Memcheck sees every access of the library and of the tests
#             to memory that malloc or mmap did not give; inside the heap's own memory all counts as initialised.
#   sanitize  C11, and C++17 for what is C++, with the address and undefined-behaviour sanitizers. A library as cargo builds it is
#             stable Rust, so they see the C side only: the tests and the inline functions of the headers; ci/sanitize.sh hands in
#             one that they see into.
#   threads   C11 with the thread sanitizer, for a library that has it too (ci/sanitize.sh thread), under the command BARROW_UNDER
#   full      C11, shared, in full sizes, and nothing else (ci/long mutators)
#   small     C11, shared, in small sizes, by the compiler BARROW_CC and under the command BARROW_UNDER (ci/aarch64.sh)
#   all       matrix, variants, valgrind and sanitize
#
# Programs run side by side (pool.sh), each in a folder of its own, and are compiled when they are not fresh. At the end it
# says how long each part took, and the slowest programs.
#
# BARROW_LIB: the directory of libbarrow.so and libbarrow.a; without it, cargo builds them.
# BARROW_BUILD: where the programs go.   TESTS: run only these, or lisp.   BARROW_WITHOUT: not these.   BARROW_JOBS, BARROW_SHARE, BARROW_TIMES: see pool.sh.
#
# The programs find BARROW_TEST_SLOW set where sizes are to be small, BARROW_TEST_VALGRIND under valgrind alone, and BARROW_TEST_EMULATED
# under an emulator (ci/aarch64.sh). BARROW_TEST_SEEDS, BARROW_TEST_SEED: how many random programs of several threads, and from where
# (seeds.h).
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
build=${BARROW_BUILD:-$root/target/c-tests}
warnings="-Wall -Wextra -Wpedantic -Werror"
headers="$(echo "$here"/*.h "$root"/examples-c/*.h "$root"/examples-c/*/*.h) $root/include"
c_tests=$(cat "$here/list.txt")
# The documents' header and the C++ ones are programs of their own language.
cxx_tests="unwind include_cxx raii double"
for test in ${TESTS:-}; do
  # shellcheck disable=SC2086
  printf '%s\n' $c_tests $cxx_tests lisp | grep -qxF -- "$test" || { echo "c-tests: no such test: $test" >&2; exit 2; }
done
. "$here/pool.sh"
pool_begin

if [ -z "${BARROW_LIB:-}" ]; then
  (cd "$root" && cargo build --lib) || exit 1
  BARROW_LIB=${CARGO_TARGET_DIR:-target}/debug # where cargo was called
  case $BARROW_LIB in /*) ;; *) BARROW_LIB=$root/$BARROW_LIB ;; esac
fi
# Links to it lie in other folders, and programs run in their own.
case $BARROW_LIB in /*) ;; *) BARROW_LIB=$PWD/$BARROW_LIB ;; esac
mkdir -p "$build/objects" || exit 1
build=$(cd "$build" && pwd)
soname=$(readelf -d "$BARROW_LIB/libbarrow.so" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
for name in libbarrow.so "$soname"; do ln -sf "$BARROW_LIB/libbarrow.so" "$build/$name"; done
# Without its debugging information a program is linked in half the time.
if [ -e "$BARROW_LIB/libbarrow.a" ]; then
  run=$pool
  # The compiler's own strip knows the processor that the library was built for.
  fresh "$build/libbarrow.a" "$BARROW_LIB/libbarrow.a" "$("${BARROW_CC:-cc}" -print-prog-name=strip)" -S "$BARROW_LIB/libbarrow.a" || exit 1
fi

have() { command -v "$1" >/dev/null 2>&1; }

# language COMPILER: the C++ driver of a C compiler.
cxx_of() { case $1 in gcc*) echo "g++${1#gcc}" ;; clang*) echo "clang++${1#clang}" ;; *) echo c++ ;; esac; }

# links HOW
links() {
  case $1 in
    shared) echo "-L$build -lbarrow -Wl,-rpath,$build -lpthread ${also:-}" ;;
    static) echo "$build/libbarrow.a -lpthread -ldl -lm -lrt -lutil" ;;
  esac
}

# program COMPILER STD HOW NAME "SOURCES" FLAGS...: makes $build/NAME-COMPILER-STD-HOW out of objects, which both ways of
# linking share, and sets `program`. Lines are what backtraces want; places of variables cost a quarter of the compiler's time.
program() {
  cc=$1 std=$2 how=$3 name=$4 sources=$5
  shift 5
  driver=$cc language=
  case $std in c++*) driver=$(cxx_of "$cc") language="-x c++" ;; esac
  case $* in *sanitize*) name=$name-sanitized ;; esac
  objects=
  for source in $sources; do
    object=$build/objects/$name-$(basename "${source%.*}")-$cc-$std.o
    case $source in *.cc) as= ;; *) as=$language ;; esac
    # shellcheck disable=SC2086
    fresh "$object" "$source $headers" "$driver" -std=$std -g1 $warnings "$@" -I"$root/include" -c $as "$source" || return 1
    objects="$objects $object"
  done
  library=$BARROW_LIB/libbarrow.so
  [ "$how" = shared ] || library=$build/libbarrow.a
  program=$build/$name-$cc-$std-$how
  # shellcheck disable=SC2046,SC2086
  fresh "$program" "$objects $library" "$driver" "$@" $objects $(links "$how") -lm
}

# one COMPILER STD HOW TEST FLAGS...   With PREFIX, the program runs under that.
one() {
  sources="$here/$4.c"
  case $4 in
    unwind | include_cxx | raii) sources="$here/$4.cc" ;;
    double) sources="$here/double_a.cc $here/double_b.cc" ;;
  esac
  test=$4
  one_cc=$1 one_std=$2 one_how=$3
  shift 4
  program "$one_cc" "$one_std" "$one_how" "$test" "$sources" -O1 "$@" || { failed "$label does not compile"; return; }
  case $* in
    *sanitize*) nm "$program" | grep -qE '__(a|t)san_init' || failed "$label: the sanitizer is not in the program" ;;
  esac
  # shellcheck disable=SC2086
  (cd "$run" && $patience ${PREFIX:-} "$program" >out 2>&1)
  code=$?
  if [ $code -ne 0 ]; then
    failed "$label: $code"
    # Its first lines and its last: what valgrind says of the library's calls can stand between them.
    sed '21,$d' "$run/out" >&2
    sed 1,20d "$run/out" | tail -20 >&2
  else
    sed -n "s|^[a-z_]*: .*: skipped\$|$label: &|p" "$run/out" >&2
  fi
}

# several COMPILER STD HOW FLAGS...
several() {
  several_how="$1, $2, $3"
  how_run="${PREFIX:+, ${PREFIX%% *}}${BARROW_TEST_FLAGS:+, $BARROW_TEST_FLAGS}"
  case $* in *sanitize*) how_run=", sanitized$how_run" ;; esac
  group="$mode: programs ($several_how$how_run)"
  case $2 in c++*) all_tests="$c_tests $cxx_tests" ;; *) all_tests=$c_tests ;; esac
  for test in ${TESTS:-$all_tests}; do
    case $2,$test in c++*,include_c99) continue ;; esac
    case " ${BARROW_WITHOUT:-} " in *" $test "*) continue ;; esac
    for known in $all_tests; do
      [ "$known" != "$test" ] || job "$group" "$test ($several_how$how_run)" one_of "$test" "$@"
    done
  done
}
# small_but NAMES COMPILER STD HOW: in small sizes, but the ones that are named in full ones; full_but is the other way round.
small_but() {
  names=$1
  shift
  in_two_sizes "$names" "$(printf '%s\n' $c_tests | grep -vxF "$names")" "$@"
}
full_but() {
  names=$1
  shift
  in_two_sizes "$(printf '%s\n' $c_tests | grep -vxF "$names")" "$names" "$@"
}
# in_two_sizes FULL SMALL COMPILER STD HOW
in_two_sizes() {
  unset BARROW_TEST_SLOW
  full_ones=$1 small_ones=$2 known_c_tests=$c_tests
  shift 2
  c_tests=$full_ones
  several "$@"
  BARROW_TEST_SLOW=1 c_tests=$small_ones
  export BARROW_TEST_SLOW
  several "$@"
  c_tests=$known_c_tests
}
commits_share=$("$root/ci/share.sh")
# a_share COMPILER STD HOW: this commit's tenth of the programs, when no tests and no share are asked for.
a_share() {
  known_share=$share known_share_of=$share_of
  [ -n "${TESTS:-}$share_of" ] || share=$commits_share share_of=10
  several "$@"
  share=$known_share share_of=$known_share_of
}
# in_turn 0|1 COMPILER STD HOW: the programs with every other commit, a tenth with the others; C++'s own with each.
in_turn() {
  turn=$1
  shift
  if [ -n "${TESTS:-}$share_of" ] || [ $((commits_share % 2)) -eq "$turn" ]; then
    several "$@"
    return
  fi
  a_share "$@"
  case $2 in c++*) TESTS=$cxx_tests several "$@" ;; esac
}
# small_and_a_share_in_full: C11, shared, in small sizes, and this commit's tenth in full ones too, but for what fills the memory that
# there is, which takes minutes then.
small_and_a_share_in_full() {
  several $first c11 shared
  a_share_in_full
}
a_share_in_full() {
  unset BARROW_TEST_SLOW
  small_ones=$c_tests
  c_tests=$(printf '%s\n' $c_tests | grep -vxF limits)
  a_share $first c11 shared
  c_tests=$small_ones BARROW_TEST_SLOW=1
  export BARROW_TEST_SLOW
}
one_of() {
  test=$1 one_cc=$2 one_std=$3 one_how=$4
  shift 4
  one "$one_cc" "$one_std" "$one_how" "$test" "$@"
}

by_name() {
  job "$mode: hosts" "dlopen ($1)" open_by_name "$1"
}
open_by_name() {
  # shellcheck disable=SC2086
  "$1" -std=c99 -g1 -O1 $warnings -I"$root/include" "$here/dlopen.c" -o "$run/dlopen" -ldl &&
    (cd "$run" && $patience ./dlopen "$BARROW_LIB/libbarrow.so" "$root/abi/symbols.txt") || failed "dlopen ($1)"
}

# hosts COMPILER: programs that load the library, in C and in other languages that are installed.
hosts() {
  here_hosts=$root/examples-c/hosts
  cdef=$root/include/barrow/barrow.cdef
  # Only languages whose packages examples-c/hosts/needs.sh has installed, or the system has.
  here_needs=${CARGO_TARGET_DIR:-target}/hosts
  case $here_needs in /*) ;; *) here_needs=$root/$here_needs ;; esac
  python=
  for one in "$here_needs/python/bin/python3" python3 /usr/bin/python3; do
    if [ -z "$python" ] && "$one" -c 'import cffi' 2>/dev/null; then python=$one; fi
  done
  export NODE_PATH="${NODE_PATH:-$here_needs/node_modules}"
  node=node
  node -e 'require("koffi")' 2>/dev/null || node="node-with-koffi"
  for command in "$build/host LIBRARY" "${python:-python3-with-cffi} $here_hosts/host.py LIBRARY $cdef" \
    "luajit $here_hosts/host.lua LIBRARY $cdef" "$node $here_hosts/host.js LIBRARY $cdef"; do
    if have "${command%% *}" || [ "${command%% *}" = "$build/host" ]; then
      job "$mode: hosts" "${command%% LIBRARY*} ($1)" host "$1" "$command"
    else
      echo "${command%% *} is not installed: its host is skipped" >&2
    fi
  done
  for language in python go; do
    command=$language
    [ $language = go ] || command=${python:-python3-with-cffi}
    if have "$command"; then
      job "$mode: hosts" "threads in $language ($1)" threads_host "$1" $language
    else
      echo "$command is not installed: its host of threads is skipped" >&2
    fi
  done
}
threads_host() {
  case $2 in
    python) command="$python $here_hosts/threads.py $BARROW_LIB/libbarrow.so $cdef" ;;
    go)
      command=$run/threads
      CC=$1 GO111MODULE=off GOCACHE="$build/go" CGO_CFLAGS="-I$root/include" CGO_LDFLAGS="-L$build -lbarrow -Wl,-rpath,$build" \
        go build -o "$command" "$here_hosts/threads.go" >&2 || { failed "hosts/threads.go does not build"; return; } ;;
  esac
  for flags in "" "-DS --stress=3000" "-G1 --source=chunks -A64k"; do
    # shellcheck disable=SC2086
    case $2 in python) $patience $command "$flags" ;; go) $patience $command $flags ;; esac >"$run/out" 2>&1 &&
      diff "$run/out" "$here_hosts/threads.out" >&2 || failed "threads in $2, $flags"
  done
}
host() {
  # shellcheck disable=SC2086
  case $2 in "$build/host "*)
    fresh "$build/host" "$here_hosts/host.c $headers" "$1" -std=c99 -O1 $warnings -I"$root/include" "$here_hosts/host.c" -ldl ||
      { failed "hosts/host.c ($1)"; return; } ;;
  esac
  for flags in "" "-DS --stress=3000" "-G1 --source=chunks" "-hd -hy -ib64k -A256k -po$run/host"; do
    # shellcheck disable=SC2086
    $patience ${2%%LIBRARY*} "$BARROW_LIB/libbarrow.so" ${2##*LIBRARY} "$flags" >"$run/out" 2>&1 &&
      diff "$run/out" "$here_hosts/host.out" >&2 || failed "${2%%LIBRARY*} $flags"
    case $flags in *-hd*) # both of its kinds, and both of their types, in a profile by description and one by type
      for band in hd:Cons hd:Node hy:List hy:Map; do
        grep -q "^${band#*:}	[1-9]" "$run/host.${band%:*}.hp" || failed "${2%%LIBRARY*}: the profile has no ${band#*:}"
      done ;;
    esac
  done
}

# The languages of the examples: C99 alone in the quick mode, whose examples are written for all.
example_languages() { if [ $mode = quick ]; then echo c99; else echo c99 c11 c++17; fi; }

# examples COMPILER: they compile in every language, and print what the files beside them say.
examples() {
  for std in $(example_languages); do
    for source in "$root"/examples-c/*.c; do
      [ ! -f "${source%.c}.out" ] || job "$mode: examples" "$(basename "$source" .c) ($1, $std)" example "$1" $std "$source"
    done
  done
}
example() {
  source_of_example=$3
  program "$1" "$2" static "$(basename "$3" .c)" "$3" -O2 &&
    $patience "$program" >"$run/out" && diff "$run/out" "${source_of_example%.c}.out" >&2 || failed "example $label"
}

# lisp COMPILER STD HOW LENGTH FLAGS...: the Scheme of examples-c/lisp, with its own checks.
lisp() {
  case ${TESTS:-lisp} in *lisp*) ;; *) return ;; esac
  how_run="${PREFIX:+, ${PREFIX%% *}}"
  case $* in *sanitize*) how_run=", sanitized" ;; esac
  job "$mode: lisp" "examples-c/lisp ($1, $2, $3, $4$how_run)" scheme "$@"
}
scheme() {
  lisp_cc=$1 lisp_std=$2 lisp_how=$3 length=$4
  shift 4
  program "$lisp_cc" "$lisp_std" "$lisp_how" scheme "$(echo "$root"/examples-c/lisp/*.c)" -O2 "$@" ||
    { failed "$label does not compile"; return; }
  PREFIX="$patience ${PREFIX:-}" "$root/examples-c/lisp/check.sh" "$program" "$length" || failed "$label"
}

# unaware COMPILER: optimised programs that are profiled by function as they are.
unaware() {
  case ${TESTS:-space} in *space*) ;; *) return ;; esac
  job "$mode: unaware" "programs profiled without compiling them again ($1)" not_aware "$1"
}
not_aware() { $patience "$here/preload/check.sh" "$1" "$build" "$run" || failed "$label"; }

# refusals COMPILER STEP STEP-WITH-THREADS: each STEP-th call of the library to the system for memory is refused once.
refusals() {
  case ${TESTS:-refused} in *refused*) ;; *) return ;; esac
  job "$mode: refusals" "refused calls to the system ($1)" refusals_one "$1" "$2" "$3"
}
refusals_one() { $patience "$here/refusals/check.sh" "$1" "$build" "$run" "$2" "$3" || failed "$label"; }

# lazy COMPILER FLAGS...: programs of a lazy language, in every language, and with flags that try the heap's patience.
lazy() {
  sanitized=
  case $* in *sanitize*) sanitized=", sanitized" ;; esac
  for std in $(example_languages); do
    for source in "$root"/examples-c/lazy/*.c; do
      job "$mode: lazy" "lazy example $(basename "$source" .c) ($1, $std$sanitized)" lazy_one "$source" $std "$@"
    done
    [ -z "${PREFIX:-}" ] || return
  done
}
lazy_one() {
  lazy_source=$1 std=$2 cc=$3
  shift 3
  program "$cc" $std static "lazy-$(basename "$lazy_source" .c)" "$lazy_source" -O2 "$@" || { failed "$label does not compile"; return; }
  for flags in "" "-DS --stress=40" "-DS -G1 --source=chunks -A64k" "-G3 -M6m" "-G2 -A64k -O4k -F1.05 -M4m -c0.01" "-G1 -A64k -O4k -F1.05 -M4m -c0.01"; do
    case $std,$flags in c99,* | *,) ;; *) continue ;; esac
    # With so low limits and shares it has to compact: that it did is in the statistics.
    case $flags in *-c0.01) counted="-t$run/pairs --machine-readable" ;; *) counted= ;; esac
    # shellcheck disable=SC2086
    (cd "$run" && $patience ${PREFIX:-} "$program" +RTS $flags $counted ${BARROW_TEST_FLAGS:-} >out) &&
      diff "$run/out" "${lazy_source%.c}.out" >&2 || failed "$label, $flags"
    [ -z "$counted" ] || grep -q '"compactions", "[1-9]' "$run/pairs" || failed "$label, $flags: it has not compacted"
  done
}

# threaded COMPILER FLAGS...: programs with several mutators, with several numbers of threads.
threaded() {
  for std in $(example_languages | sed "s/ c11//"); do
    for source in "$root"/examples-c/threads/*.c; do
      job "$mode: threads" "threads example $(basename "$source" .c) ($1, $std)" threaded_one "$source" $std "$@"
    done
  done
}
threaded_one() {
  threaded_source=$1 std=$2 cc=$3
  shift 3
  program "$cc" $std static "threads-$(basename "$threaded_source" .c)" "$threaded_source" -O2 "$@" || { failed "$label does not compile"; return; }
  for arguments in "1" "4" "2 +RTS -DS --stress=9000 -A64k" "16 +RTS -c --source=chunks -A64k" "8 +RTS -DS -G1"; do
    # shellcheck disable=SC2086
    (cd "$run" && $patience "$program" $arguments >out) && diff "$run/out" "${threaded_source%.c}.out" >&2 || failed "$label, $arguments"
  done
}

# reads COMPILER...: all tests are read in the languages in which a share of them is compiled.
reads() {
  for cc in "$@"; do
    for std in c11 c++17; do job "$mode: reads" "all programs ($cc, $std)" reads_as "$cc" $std; done
  done
}
reads_as() {
  driver=$1 language=
  case $2 in c++*) driver=$(cxx_of "$1") language="-x c++" ;; esac
  for test in $c_tests; do
    case $2,$test in c++*,include_c99) continue ;; esac
    # shellcheck disable=SC2086
    "$driver" -std=$2 -O1 $warnings -I"$root/include" -fsyntax-only $language "$here/$test.c" >&2 || failed "$label: $test does not compile"
  done
}

# beside_the_programs COMPILER...: hosts, examples and checks that are scripts of their own.
beside_the_programs() {
  [ -n "${TESTS:-}" ] || reads "$@"
  for cc in "$@"; do
    by_name $cc
    hosts $cc
    examples $cc
    lazy $cc
    threaded $cc
  done
  unaware $first
}

first=
compilers=
for cc in gcc clang cc; do
  if have $cc && have "$(cxx_of $cc)"; then
    case $compilers,$cc in ?*,cc) continue ;; esac
    first=${first:-$cc}
    compilers="$compilers $cc"
  fi
done
if [ -z "$first" ]; then
  echo "no C compiler is installed" >&2
  exit 77
fi

[ $# -gt 0 ] || set -- quick
modes= skipped=
for mode in "$@"; do
  case $mode in all) modes="$modes matrix variants valgrind sanitize" ;; *) modes="$modes $mode" ;; esac
done
for mode in $modes; do
  case $mode in
    quick)
      # The longest ones begin first.
      refusals $first 6 151
      lisp $first c99 static short
      # These find a planted bug in full sizes alone.
      small_but "$(sed -n 's/.*| full \([a-z_]*\) |.*/\1/p' "$root/tests/planted/table")" $first c99 shared
      a_share $first c11 static
      a_share $first c++17 shared
      TESTS=${TESTS:-$cxx_tests} several $first c++17 shared
      unset BARROW_TEST_SLOW
      beside_the_programs $first
      ;;
    matrix)
      # All heaps of the Scheme where all is asked for, and one of ten otherwise; the longest ones begin first.
      case $share_of in ?*) lisp $first c99 static full ;; *) lisp $first c99 static "$commits_share/10" ;; esac
      refusals $first 5 97
      # Filling the memory that there is takes minutes.
      case $share_of in ?*) several $first c99 shared ;; *) full_but limits $first c99 shared ;; esac
      BARROW_TEST_SLOW=1 # the sizes of the first are enough
      export BARROW_TEST_SLOW
      a_share $first c11 static
      in_turn 0 $first c++17 shared
      for cc in $compilers; do
        [ $cc != $first ] || continue
        in_turn 1 $cc c99 static
        a_share $cc c11 shared
        a_share $cc c++17 static
        lisp $cc c99 static short
      done
      unset BARROW_TEST_SLOW
      # shellcheck disable=SC2086
      beside_the_programs $compilers
      ;;
    variants)
      # These say where objects are copied to, when a heap compacts by itself, or which memory objects have left.
      by_place='collect|compact|leave|peak|faults|flags'
      for flags in --source=chunks -DS "--source=chunks -DS" --huge-pages=off; do
        BARROW_TEST_FLAGS=$flags BARROW_TEST_SLOW=1
        export BARROW_TEST_FLAGS BARROW_TEST_SLOW
        case $flags in
          --source=chunks) small_and_a_share_in_full ;;
          "--source=chunks -DS") a_share $first c11 shared ;;
          --huge-pages=off) in_turn 0 $first c11 shared ;;
          *) several $first c11 shared ;;
        esac
      done
      for flags in -c "-c -DS --source=chunks"; do
        BARROW_TEST_FLAGS=$flags all_c_tests=$c_tests
        c_tests=$(echo "$c_tests" | grep -vxE "$by_place")
        case $flags in
          -c) in_turn 1 $first c11 shared
            a_share_in_full ;;
          *) a_share $first c11 shared ;;
        esac
        c_tests=$all_c_tests
      done
      unset BARROW_TEST_FLAGS BARROW_TEST_SLOW
      ;;
    valgrind)
      if ! have valgrind; then
        echo "valgrind is not installed: skipped" >&2
        skipped=yes
        continue
      fi
      BARROW_TEST_VALGRIND=1 BARROW_TEST_SLOW=1 BARROW_TEST_FLAGS=-xr256m
      [ -z "$patience" ] || patience="timeout --foreground -k 5 ${BARROW_PATIENCE:-3600}"
      # One thread runs at a time, and without turns one that spins can keep the clock's from running for minutes.
      PREFIX="valgrind -q --fair-sched=try --suppressions=$here/valgrind.supp --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite"
      export BARROW_TEST_VALGRIND BARROW_TEST_SLOW BARROW_TEST_FLAGS
      several $first c11 shared
      # Compaction with everything that has a rule of its own in it.
      BARROW_TEST_FLAGS="-xr256m -c" TESTS=${TESTS:-names weak stack} several $first c11 shared
      BARROW_TEST_FLAGS=-xr256m
      lisp $first c11 shared short
      TESTS="unwind raii" several $first c++17 shared
      unset BARROW_TEST_VALGRIND BARROW_TEST_SLOW BARROW_TEST_FLAGS PREFIX
      ;;
    sanitize)
      # Local variables lie on second stacks, as clang has it without being asked.
      ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1
      UBSAN_OPTIONS=print_stacktrace=1
      BARROW_TEST_SLOW=1
      export ASAN_OPTIONS UBSAN_OPTIONS BARROW_TEST_SLOW
      BARROW_WITHOUT="walk ${BARROW_WITHOUT:-}" several $first c11 shared -fsanitize=address,undefined -fno-sanitize-recover=all
      # Frames of the shadow stack are looked for on the thread's own.
      [ -n "${TESTS:-}" ] || TESTS=walk ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=0 several $first c11 shared -fsanitize=address,undefined -fno-sanitize-recover=all
      BARROW_TEST_FLAGS=-c
      export BARROW_TEST_FLAGS
      TESTS=${TESTS:-names weak stack} several $first c11 shared -fsanitize=address,undefined -fno-sanitize-recover=all
      unset BARROW_TEST_FLAGS
      lisp $first c11 shared short -fsanitize=address,undefined -fno-sanitize-recover=all
      lazy $first -fsanitize=address,undefined -fno-sanitize-recover=all
      TESTS=${TESTS:-$cxx_tests} several $first c++17 shared -fsanitize=address,undefined -fno-sanitize-recover=all
      unset BARROW_TEST_SLOW
      ;;
    threads)
      PREFIX=${BARROW_UNDER:-}
      # Suppressions are by names on the stack of the other access, which has to be remembered.
      BARROW_TEST_SLOW=1 TSAN_OPTIONS="halt_on_error=1 history_size=7 suppressions=$here/tsan.supp ${TSAN_OPTIONS:-}"
      export BARROW_TEST_SLOW TSAN_OPTIONS
      # Where the runtime has these, they are not taken.
      also=$build/words.a
      $first -O1 -c "$here/threads/words.c" -o "$build/words.o" && rm -f "$also" && ar rc "$also" "$build/words.o" || exit 1
      several $first c11 shared -fsanitize=thread
      unset BARROW_TEST_SLOW TSAN_OPTIONS PREFIX also
      ;;
    full)
      unset BARROW_TEST_SLOW
      several $first c11 shared
      ;;
    small)
      BARROW_TEST_SLOW=1 PREFIX=${BARROW_UNDER:-}
      export BARROW_TEST_SLOW
      several "${BARROW_CC:-$first}" c11 shared
      unset BARROW_TEST_SLOW PREFIX
      ;;
    *)
      echo "no such mode: $mode" >&2
      exit 2
      ;;
  esac
done
pool_end
echo "c-tests: $runs runs, $failures failed ($*)"
# No run at all is a mistake, but for a small share, or without valgrind.
[ $runs -gt 0 ] || [ -n "${BARROW_SHARE:-}$skipped" ] || failures=1
[ $failures -eq 0 ]
