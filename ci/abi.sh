#!/bin/bash
# The ABI gate: what programs that were compiled against the last release rely on is still so, or a line of the changelog
# says how they migrate. Ten seconds.
#
#   ci/abi.sh            compares with abi/last; then shows on copies that each kind of change is found
#   ci/abi.sh --release  makes what is there now the last release (abi/last)
#
# Four parts: the exported symbols (abi/symbols.txt, from the library itself); the order of the function table; the layout
# of all types and the functions' types by abidiff, from the headers with full debugging information; macros and inline
# functions by their text. The header is generated from the library (ci/header.sh --check), and c-tests/layout.c holds the
# offsets of both sides against each other; so what the headers say is what the library does.
#
# A change that is not compatible needs a line in the changelog's first section that begins with "- ABI:", was not there at
# the last release, and names what changed.
set -uo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
headers="barrow.h barrow/inline.h barrow/ticky.h barrow/stg.h barrow/table.h"

# The changelog's "ABI:" lines of the section that is not released, one to a line.
abi_lines() {
  awk '/^## /{section++} section==1' "$1" | awk '/^- /{if (line ~ /^- ABI:/) print line; line=$0; next} /^  /{line=line " " $0} END{if (line ~ /^- ABI:/) print line}' | tr -s ' '
}

if [ "${1:-}" = --release ]; then
  rm -rf abi/last && mkdir -p abi/last/include/barrow
  for header in $headers; do python3 ci/abi.py strip include/$header >abi/last/include/$header; done
  cp abi/table.txt abi/symbols.txt abi/last/
  abi_lines CHANGELOG.md >abi/last/abi-lines.txt
  exit
fi

export LC_ALL=C
python3 ci/abi.py constants abi/last/include >"$work/constants-last"

# gate TREE: what in it is not as in abi/last, and not told. Silent when all is well.
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
  # Macros and inline functions that are gone or changed.
  python3 ci/abi.py constants "$include" >"$work/constants"
  comm -23 "$work/constants-last" "$work/constants" | cut -f1 >>"$work/changed"
  # Types and prototypes.
  if command -v abidiff >/dev/null; then
    python3 ci/abi.py stub abi/last/include >"$work/last.c"
    python3 ci/abi.py stub "$include" >"$work/now.c"
    for side in last now; do
      local from=$include
      [ $side = last ] && from=abi/last/include
      cc -w -g -O0 -shared -fPIC -I"$from" "$work/$side.c" -o "$work/$side.so" || return 2
    done
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
    [ "$name" = barrow_all_types ] && continue
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
finds() { # NAME WHAT
  found=$((found + 1))
  cmp -s "$work/tree/$3" "$3" && { echo "FAILED: nothing was planted: $2"; failed=$((failed + 1)); return; }
  gate "$work/tree" >"$work/said"
  grep -q ": $1\$" "$work/said" || { echo "FAILED: not found: $2: $(cat "$work/said")"; failed=$((failed + 1)); }
}
copy; sed -i '/^barrow_collect$/d' "$work/tree/abi/symbols.txt"
finds barrow_collect "a symbol that is gone" abi/symbols.txt
copy; sed -i 's/^barrow_collect$/barrow_collected/' "$work/tree/abi/table.txt"
finds barrow_collect "another function in a place of the table" abi/table.txt
copy; sed -i 's/^\(#define BARROW_INFO_VERSION\) 1/\1 2/' "$work/tree/include/barrow.h"
finds BARROW_INFO_VERSION "a macro with another value" include/barrow.h
if command -v abidiff >/dev/null; then
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
