#!/bin/bash
# The ABI gate: programs that were compiled against the last release still work, or a line of the changelog says how they
# migrate. Ten seconds.
#
#   ci/abi.sh            compares with abi/last; then shows on copies that each kind of change is found
#   ci/abi.sh --release  makes the present state the last release (abi/last)
#
# Four parts: the exported symbols (abi/symbols.txt, from the library itself); the order of the function table; the layout
# of all types and the functions' types by abidiff, from the headers with full debugging information, those of barrow/stg/
# too; by their text the macros and heads of inline functions in all headers that are installed, the C++ members of
# barrow.hpp, and the heads of the forms as IR. The header is generated from the library (ci/header.sh --check), and c-tests/layout.c holds the
# offsets of both sides against each other; so what the headers say is what the library does.
#
# A change that is not compatible needs a line in the changelog's first section that begins with "- ABI:", was not there at
# the last release, and names what changed.
set -uo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The changelog's "ABI:" lines of the section that is not released, one to a line.
abi_lines() {
  awk '/^## /{section++} section==1' "$1" | awk '/^- /{if (line ~ /^- ABI:/) print line; line=$0; next} /^  /{line=line " " $0} END{if (line ~ /^- ABI:/) print line}' | tr -s ' '
}

if [ "${1:-}" = --release ]; then
  rm -rf abi/last && mkdir -p abi/last/include/barrow
  (cd include && find . -type f) | while read -r header; do
    mkdir -p "abi/last/include/$(dirname "$header")"
    python3 ci/abi.py strip "include/$header" >"abi/last/include/$header"
  done
  cp abi/table.txt abi/symbols.txt abi/last/
  abi_lines CHANGELOG.md >abi/last/abi-lines.txt
  exit
fi

export LC_ALL=C
python3 ci/abi.py constants abi/last/include >"$work/constants-last"
python3 ci/abi.py members abi/last/include >"$work/members-last"

# library INCLUDE NAME: one that has everything that the headers declare.
library() {
  python3 ci/abi.py stub "$1" >"$2.c" && python3 ci/abi.py stg "$1" >"$2-stg.c" &&
    cc -w -g -O0 -shared -fPIC -I"$1" "$2.c" "$2-stg.c" -o "$2.so"
}
if command -v abidiff >/dev/null; then library abi/last/include "$work/last" || exit 1; fi

# gate TREE [text]: what in it is not as in abi/last, and not told. Silent when all is well.
gate() {
  local tree=$1 name line wrong=0
  local include=$tree/include
  : >"$work/changed"
  # Symbols that are gone.
  comm -23 abi/last/symbols.txt "$tree/abi/symbols.txt" >>"$work/changed"
  # The table: what was there stays in its place.
  local places
  places=$(wc -l <abi/last/table.txt)
  head -n "$places" "$tree/abi/table.txt" | diff abi/last/table.txt - | sed -n 's/^[<>] //p' >>"$work/changed"
  python3 ci/abi.py members "$include" | sed -n "1,${places}p" | diff "$work/members-last" - | sed -n 's/^[<>] //p' >>"$work/changed"
  # Macros and inline functions that are gone or changed, and what C++ and IR have of them.
  python3 ci/abi.py constants "$include" >"$work/constants"
  comm -23 "$work/constants-last" "$work/constants" | cut -f1 >>"$work/changed"
  # Types and prototypes.
  if [ "${2:-}" != text ] && command -v abidiff >/dev/null; then
    library "$include" "$work/now" || return 2
    abidiff --leaf-changes-only --no-added-syms "$work/last.so" "$work/now.so" >"$work/report" 2>&1
    # 4: changed, 8: not compatible; 1 and 2: abidiff itself.
    case $? in
      0) ;;
      4 | 8 | 12) python3 ci/abi.py leaves <"$work/report" >"$work/leaves"
        [ -s "$work/leaves" ] && cat "$work/leaves" >>"$work/changed" || echo "something-that-abidiff-reports" >>"$work/changed" ;;
      *) cat "$work/report"; return 2 ;;
    esac
  fi
  abi_lines "$tree/CHANGELOG.md" | grep -vxFf abi/last/abi-lines.txt >"$work/told" || true
  for name in $(sort -u "$work/changed"); do
    grep -qw "$name" "$work/told" || { echo "not as in the last release, and no new ABI line in CHANGELOG.md names it: $name"; wrong=1; }
  done
  return $wrong
}

command -v abidiff >/dev/null || echo "there is no abidiff: types and prototypes are not compared"
if [ -n "${BARROW_LIB:-}" ] || [ -e "${CARGO_TARGET_DIR:-target}/debug/libbarrow.so" ]; then
  nm -D --defined-only "${BARROW_LIB:-${CARGO_TARGET_DIR:-target}/debug}/libbarrow.so" | awk '{print $3}' | LC_ALL=C sort |
    diff abi/symbols.txt - || { echo "the library does not export what abi/symbols.txt lists"; exit 1; }
fi
gate . || { [ -s "$work/report" ] && head -60 "$work/report"; exit 1; }

# ---- each kind of change is found --------------------------------------------------------------------------------------
copy() { rm -rf "$work/tree"; mkdir "$work/tree"; cp -r include abi CHANGELOG.md "$work/tree/"; }
found=0 failed=0
finds() { # NAME WHAT FILE [text]
  found=$((found + 1))
  cmp -s "$work/tree/$3" "$3" && { echo "FAILED: nothing was planted: $2"; failed=$((failed + 1)); return; }
  gate "$work/tree" "${4:-}" >"$work/said"
  grep -q ": $1\$" "$work/said" || { echo "FAILED: not found: $2: $(cat "$work/said")"; failed=$((failed + 1)); }
}
copy; sed -i '/^barrow_collect$/d' "$work/tree/abi/symbols.txt"
finds barrow_collect "a symbol that is gone" abi/symbols.txt text
copy; sed -i 's/^barrow_collect$/barrow_collected/' "$work/tree/abi/table.txt"
finds barrow_collect "another function in a place of the table" abi/table.txt text
copy; sed -i 's/^\(#define BARROW_INFO_VERSION\) 1/\1 2/' "$work/tree/include/barrow.h"
finds BARROW_INFO_VERSION "a macro with another value" include/barrow.h text
copy; sed -i 's/^#define TICK_ALLOC_CON(g, s)/#define TICK_ALLOC_CON(g)/' "$work/tree/include/barrow/stg/ticky.h"
finds TICK_ALLOC_CON "a macro of barrow/stg/ with other parameters" include/barrow/stg/ticky.h text
copy; sed -i 's/^#define g0s0 /#define g0s1 /' "$work/tree/include/barrow/stg/state.h"
finds g0s0 "a macro of barrow/stg/ that is gone" include/barrow/stg/state.h text
copy; sed -i 's/^static inline StgPtr allocate(nat /static inline StgPtr allocate(StgWord /' "$work/tree/include/barrow/stg/storage.h"
finds allocate "an inline function of barrow/stg/ with another parameter" include/barrow/stg/storage.h text
copy; sed -i 's/^#define BARROW_TICKY_ADD(m, counter, n)/#define BARROW_TICKY_ADD(m, counter)/' "$work/tree/include/barrow/ticky.h"
finds BARROW_TICKY_ADD "a macro of barrow/ticky.h with other parameters" include/barrow/ticky.h text
copy; sed -i 's/barrow_status status() const/int status() const/' "$work/tree/include/barrow/barrow.hpp"
finds status "another result in C++" include/barrow/barrow.hpp text
copy; sed -i 's/^\(define linkonce_odr hidden i64 @barrow_gc_array_length\)(ptr addrspace(1)/\1(ptr/' "$work/tree/include/barrow/inline-gc.ll"
finds barrow_gc_array_length "a form as IR with another parameter" include/barrow/inline-gc.ll text
copy; sed -i 's/(\*heap_new)(/(*heap_old)(/' "$work/tree/include/barrow/table.h"
finds barrow_heap_new "another function in a place of barrow/table.h" include/barrow/table.h text
copy; sed -i 's/^static inline void \*barrow_indirectee(/static inline char *barrow_indirectee(/' "$work/tree/include/barrow/inline.h"
finds barrow_indirectee "an inline function with another result" include/barrow/inline.h text
if command -v abidiff >/dev/null; then
  copy; sed -i 's/unsigned int no;/StgWord no;/' "$work/tree/include/barrow/stg/storage.h"
  finds _generation "a type of barrow/stg/ with another layout" include/barrow/stg/storage.h
  copy; python3 - "$work/tree/include/barrow.h" <<'P'
import re, sys
name = sys.argv[1]
text = open(name).read()
start = text.index("typedef struct barrow_info {")
end = text.index("} barrow_info;", start)
body = text[start:end].replace("uint32_t ptrs;", "uint32_t WORDS;").replace("uint32_t words;", "uint32_t ptrs;").replace("WORDS", "words")
open(name, "w").write(text[:start] + body + text[end:])
P
  finds barrow_info "two fields of a struct that change places" include/barrow.h
  copy; sed -i 's/\(barrow_collect(barrow_mutator \*mutator\), bool major)/\1, uint64_t major)/; s/^\( *\)bool major);/\1uint64_t major);/' "$work/tree/include/barrow.h"
  finds barrow_collect "a parameter of another type" include/barrow.h
  # The same change, told: that is allowed.
  sed -i '0,/^- ABI:/s//- ABI: `barrow_collect` and `barrow_collect_with` take 64 bits: cast.\n- ABI:/' "$work/tree/CHANGELOG.md"
  found=$((found + 1))
  gate "$work/tree" >"$work/said" || { echo "FAILED: a change that is told is refused: $(cat "$work/said")"; failed=$((failed + 1)); }
fi
echo "abi: as in the last release but for what CHANGELOG.md tells; $found planted changes, $failed missed"
[ $failed = 0 ]
