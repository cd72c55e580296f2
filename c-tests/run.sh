#!/bin/sh
# Builds and runs the C tests. Each argument is a mode:
#
#   quick     one compiler: C99 with the shared library, C11 with the static one, C++17 with the shared one; dlopen;
#             the examples, and the Scheme in examples-c/lisp, which is in all modes but variants
#   matrix    every compiler x C99, C11, C++17 x shared, static, of which the first has full sizes; dlopen; the examples
#   variants  C11, shared, with flags for every heap: chunks instead of a range, the whole heap checked all the time,
#             compaction in every major collection
#   valgrind  C11, shared, under memcheck. The heap reserves a large range, which memcheck would keep a map of: so
#             BARROW_TEST_FLAGS=-xr256m makes it small. What it sees is every access of the library and of the tests
#             to memory that malloc or mmap did not give; inside the heap's own memory all counts as initialised.
#   sanitize  C11 and C++17 with the address and undefined-behaviour sanitizers. The library is stable Rust, so they
#             see the C side only: the tests and the inline functions of the headers.
#   all       matrix beside variants, valgrind and sanitize
#
# BARROW_LIB: the directory of libbarrow.so and libbarrow.a; without it, cargo builds them.
# BARROW_BUILD: where the programs go.   TESTS: run only these.
#
# The programs find BARROW_TEST_SLOW set where sizes are to be small, and BARROW_TEST_VALGRIND under valgrind alone.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
build=${BARROW_BUILD:-$root/target/c-tests}
warnings="-Wall -Wextra -Wpedantic -Werror"
c_tests=$(cat "$here/list.txt")
# The documents' header and the C++ ones are programs of their own language.
cxx_tests="unwind include_cxx raii double"
failures=0
runs=0

if [ -z "${BARROW_LIB:-}" ]; then
  (cd "$root" && cargo build --lib) || exit 1
  BARROW_LIB=${CARGO_TARGET_DIR:-target}/debug # where cargo was called
  case $BARROW_LIB in /*) ;; *) BARROW_LIB=$root/$BARROW_LIB ;; esac
fi
mkdir -p "$build" || exit 1
soname=$(readelf -d "$BARROW_LIB/libbarrow.so" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
for name in libbarrow.so "$soname"; do ln -sf "$BARROW_LIB/libbarrow.so" "$build/$name"; done

have() { command -v "$1" >/dev/null 2>&1; }

failed() {
  echo "FAILED: $*" >&2
  failures=$((failures + 1))
}

# language COMPILER: the C++ driver of a C compiler.
cxx_of() { case $1 in gcc*) echo "g++${1#gcc}" ;; clang*) echo "clang++${1#clang}" ;; *) echo c++ ;; esac; }

# links HOW
links() {
  case $1 in
    shared) echo "-L$build -lbarrow -Wl,-rpath,$build -lpthread" ;;
    static) echo "$BARROW_LIB/libbarrow.a -lpthread -ldl -lm -lrt -lutil" ;;
  esac
}

# compile COMPILER STD HOW TEST OUTPUT FLAGS...
compile() {
  driver=$1 dialect=$2 linking=$3 source=$4 out=$5
  shift 5
  sources="$here/$source.c"
  language=
  case $dialect in c++*) driver=$(cxx_of "$driver") language="-x c++" ;; esac
  case $source in
    unwind | include_cxx | raii) sources="$here/$source.cc" ;;
    double) sources="$here/double_a.cc $here/double_b.cc" ;;
  esac
  # shellcheck disable=SC2046,SC2086
  "$driver" -std=$dialect -g -O1 $warnings "$@" -I"$root/include" $language $sources -x none -o "$out" $(links "$linking")
}

# one COMPILER STD HOW TEST FLAGS...   With PREFIX, the program runs under that.
one() {
  cc=$1 std=$2 how=$3 test=$4
  shift 4
  label="$test ($cc, $std, $how${*:+, $*}${PREFIX:+, $PREFIX}${BARROW_TEST_FLAGS:+, $BARROW_TEST_FLAGS})"
  program="$build/$test-$cc-$std-$how"
  if ! compile "$cc" "$std" "$how" "$test" "$program" "$@"; then
    failed "$label does not compile"
    return
  fi
  case $* in
    *sanitize*) nm "$program" | grep -q __asan_init || failed "$label: the sanitizer is not in the program" ;;
  esac
  runs=$((runs + 1))
  # shellcheck disable=SC2086
  (cd "$build" && ${PREFIX:-} "./${program##*/}" >"$program.out" 2>&1)
  code=$?
  if [ $code -ne 0 ]; then
    failed "$label: $code"
    head -40 "$program.out" >&2
  fi
}

# several COMPILER STD HOW FLAGS...
several() {
  cc=$1 std=$2 how=$3
  shift 3
  for test in ${TESTS:-$c_tests}; do
    case $std,$test in c++*,include_c99) continue ;; esac
    grep -qx "$test" "$here/list.txt" && one "$cc" "$std" "$how" "$test" "$@"
  done
  case $std in
    c++*)
      for test in ${TESTS:-$cxx_tests}; do
        case " $cxx_tests " in *" $test "*) one "$cc" "$std" "$how" "$test" "$@" ;; esac
      done
      ;;
  esac
}

by_name() {
  runs=$((runs + 1))
  # shellcheck disable=SC2086
  "$1" -std=c99 -g -O1 $warnings -I"$root/include" "$here/dlopen.c" -o "$build/dlopen" -ldl &&
    (cd "$build" && ./dlopen "$BARROW_LIB/libbarrow.so" "$root/abi/symbols.txt") || failed "dlopen ($1)"
}

# hosts COMPILER: programs that load the library, in C and in other languages that are installed.
hosts() {
  here_hosts=$root/examples-c/hosts
  "$1" -std=c99 -O1 $warnings -I"$root/include" "$here_hosts/host.c" -o "$build/host" -ldl || failed "hosts/host.c ($1)"
  for flags in "" "-DS --stress=3000" "-G1 --source=chunks" "-hd -hy -ib64k -A256k -po$build/host"; do
    for command in "$build/host LIBRARY" "python3 $here_hosts/host.py LIBRARY" "luajit $here_hosts/host.lua LIBRARY $root/include"; do
      if ! have "${command%% *}"; then
        echo "${command%% *} is not installed: its host is skipped" >&2
        continue
      fi
      runs=$((runs + 1))
      # shellcheck disable=SC2086
      ${command%%LIBRARY*} "$BARROW_LIB/libbarrow.so" ${command##*LIBRARY} "$flags" >"$build/host.out" 2>&1 &&
        diff "$build/host.out" "$here_hosts/host.out" >&2 || failed "${command%%LIBRARY*} $flags"
      case $flags in *-hd*) # both of its kinds, and both of their types, in a profile by description and one by type
        for band in hd:Cons hd:Node hy:List hy:Map; do
          grep -q "^${band#*:}	[1-9]" "$build/host.${band%:*}.hp" || failed "${command%%LIBRARY*}: the profile has no ${band#*:}"
        done
        rm -f "$build"/host.*.hp ;;
      esac
    done
  done
}

# examples COMPILER: they compile in every language, and print what the files beside them say.
examples() {
  for std in c99 c11 c++17; do
    for source in "$root"/examples-c/*.c; do
      name=$(basename "$source" .c)
      [ -f "${source%.c}.out" ] || continue
      driver=$1 language=
      case $std in c++*) driver=$(cxx_of "$1") language="-x c++" ;; esac
      runs=$((runs + 1))
      # shellcheck disable=SC2046,SC2086
      "$driver" -std=$std -O2 $warnings -I"$root/include" $language "$source" -x none -o "$build/$name" $(links static) &&
        "$build/$name" >"$build/$name.out" && diff "$build/$name.out" "${source%.c}.out" >&2 ||
        failed "example $name ($driver, $std)"
    done
  done
}

# lisp COMPILER STD HOW LENGTH FLAGS...: the Scheme of examples-c/lisp, with its own checks.
lisp() {
  cc=$1 std=$2 how=$3 length=$4
  shift 4
  case ${TESTS:-lisp} in *lisp*) ;; *) return ;; esac
  runs=$((runs + 1))
  label="examples-c/lisp ($cc, $std, $how, $length${*:+, $*}${PREFIX:+, $PREFIX})"
  # shellcheck disable=SC2046,SC2086
  "$cc" -std=$std -g -O2 $warnings "$@" -I"$root/include" "$root"/examples-c/lisp/*.c -o "$build/scheme-$cc-$how" \
    $(links "$how") -lm || { failed "$label does not compile"; return; }
  PREFIX=${PREFIX:-} "$root/examples-c/lisp/check.sh" "$build/scheme-$cc-$how" "$length" || failed "$label"
}

# unaware COMPILER: optimised programs that are profiled by function as they are.
unaware() {
  case ${TESTS:-space} in *space*) ;; *) return ;; esac
  runs=$((runs + 1))
  "$here/preload/check.sh" "$1" "$build" "$build" || failed "programs profiled without compiling them again ($1)"
}

# lazy COMPILER FLAGS...: programs of a lazy language, in every language, and with flags that try the heap's patience.
lazy() {
  lazy_cc=$1
  shift
  for std in c99 c11 c++17; do
    for source in "$root"/examples-c/lazy/*.c; do
      name=lazy-$(basename "$source" .c)
      driver=$lazy_cc language=
      case $std in c++*) driver=$(cxx_of "$lazy_cc") language="-x c++" ;; esac
      # shellcheck disable=SC2046,SC2086
      if ! "$driver" -std=$std -O2 $warnings "$@" -I"$root/include" $language "$source" -x none -o "$build/$name" $(links static); then
        failed "lazy example $name ($driver, $std) does not compile"
        continue
      fi
      for flags in "" "-DS --stress=40" "-DS -G1 --source=chunks -A64k" "-G3 -M6m" "-G2 -A64k -O4k -F1.05 -M4m -c0.01" "-G1 -A64k -O4k -F1.05 -M4m -c0.01"; do
        case $std,$flags in c99,* | *,) ;; *) continue ;; esac
        runs=$((runs + 1))
        # With so low limits and shares it has to compact: that it did is in the statistics.
        case $flags in *-c0.01) counted="-t$build/$name.pairs --machine-readable" ;; *) counted= ;; esac
        # shellcheck disable=SC2086
        ${PREFIX:-} "$build/$name" +RTS $flags $counted ${BARROW_TEST_FLAGS:-} >"$build/$name.out" &&
          diff "$build/$name.out" "${source%.c}.out" >&2 || failed "lazy example $name ($driver, $std, $flags)"
        [ -z "$counted" ] || grep -q '"compactions", "[1-9]' "$build/$name.pairs" ||
          failed "lazy example $name ($driver, $std, $flags) has not compacted"
      done
    done
    [ -z "${PREFIX:-}" ] || return
  done
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

for mode in "${@:-quick}"; do
  case $mode in
    quick)
      several $first c99 shared
      several $first c11 static
      several $first c++17 shared
      by_name $first
      hosts $first
      examples $first
      lazy $first
      lisp $first c99 static full
      unaware $first
      ;;
    matrix)
      for cc in $compilers; do
        for std in c99 c11 c++17; do
          for how in shared static; do
            several $cc $std $how
            BARROW_TEST_SLOW=1 # the sizes of the first are enough
            export BARROW_TEST_SLOW
          done
        done
        unset BARROW_TEST_SLOW
        by_name $cc
        hosts $cc
        examples $cc
        lazy $cc
        lisp $cc c99 static full
      done
      ;;
    variants)
      for flags in --source=chunks -DS "--source=chunks -DS" --huge-pages=off; do
        BARROW_TEST_FLAGS=$flags
        export BARROW_TEST_FLAGS
        case $flags in *-DS*) BARROW_TEST_SLOW=1 && export BARROW_TEST_SLOW ;; *) unset BARROW_TEST_SLOW ;; esac
        several $first c11 shared
      done
      # Without those that say where objects are copied to, or when a heap compacts by itself.
      for flags in -c "-c -DS --source=chunks"; do
        BARROW_TEST_FLAGS=$flags
        export BARROW_TEST_FLAGS
        case $flags in *-DS*) BARROW_TEST_SLOW=1 && export BARROW_TEST_SLOW ;; esac
        TESTS=${TESTS:-$(echo "$c_tests" | grep -vxE 'collect|compact|flags')} several $first c11 shared
      done
      unset BARROW_TEST_FLAGS BARROW_TEST_SLOW
      ;;
    valgrind)
      if ! have valgrind; then
        echo "valgrind is not installed: skipped" >&2
        continue
      fi
      BARROW_TEST_VALGRIND=1 BARROW_TEST_SLOW=1 BARROW_TEST_FLAGS=-xr256m
      # One thread runs at a time, and without turns one that spins can keep the clock's from running for minutes.
      PREFIX="valgrind -q --fair-sched=try --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite"
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
      ASAN_OPTIONS=detect_leaks=1
      UBSAN_OPTIONS=print_stacktrace=1
      BARROW_TEST_SLOW=1
      export ASAN_OPTIONS UBSAN_OPTIONS BARROW_TEST_SLOW
      for std in c11 c++17; do
        several $first $std shared -fsanitize=address,undefined -fno-sanitize-recover=all
      done
      BARROW_TEST_FLAGS=-c
      export BARROW_TEST_FLAGS
      TESTS=${TESTS:-names weak stack} several $first c11 shared -fsanitize=address,undefined -fno-sanitize-recover=all
      unset BARROW_TEST_FLAGS
      lisp $first c11 shared short -fsanitize=address,undefined -fno-sanitize-recover=all
      lazy $first -fsanitize=address,undefined -fno-sanitize-recover=all
      unset BARROW_TEST_SLOW
      ;;
    all)
      # Two at a time, each with a place of its own for its programs; the second is told about when the first has ended.
      export BARROW_LIB
      BARROW_BUILD=$build/other "$0" variants valgrind sanitize >"$build/other.out" 2>&1 &
      other=$!
      "$0" matrix || failures=$((failures + 1))
      wait $other || failures=$((failures + 1))
      cat "$build/other.out"
      ;;
    *)
      echo "no such mode: $mode" >&2
      exit 2
      ;;
  esac
done
[ $runs -gt 0 ] && echo "c-tests: $runs runs, $failures failed ($*)"
[ $failures -eq 0 ]
