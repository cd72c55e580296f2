"""What C sees of the library, for ci/abi.sh: one program for its parts.

    abi.py stub INCLUDE        a C file that defines every function of barrow.h and names every struct and enum
    abi.py strip FILE          a header without its comments, for abi/last
    abi.py constants INCLUDE   macros and inline functions: name, tab, text; sorted
    abi.py leaves              from abidiff's report on standard input: the names of what changed incompatibly
"""

import re
import sys


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)


def read(folder, name):
    return without_comments(open("%s/%s" % (folder, name)).read())


def strip(name):
    text = without_comments(open(name).read())
    print("\n".join(line.rstrip() for line in text.splitlines() if line.strip()))


def stub(folder):
    header = read(folder, "barrow.h")
    print("#include <barrow.h>\n#include <barrow/ticky.h>")
    for statement in header.split(";"):
        text = re.split(r"[{}]", statement)[-1]
        text = " ".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
        text = " ".join(text.split())
        if re.search(r"\bbarrow_\w+\(.*\)$", text) and "typedef" not in text and "(*" not in text.split("(")[0]:
            print(text.replace("extern ", "") + " { __builtin_trap(); }")
    types = sorted(set(re.findall(r"\b((?:struct|enum) barrow_\w+) \{", header)))
    print("void barrow_all_types(%s);" % ", ".join(one + " *" for one in types))
    arguments = ", ".join("%s *a%d" % (one, i) for i, one in enumerate(types))
    print("void barrow_all_types(%s) { __builtin_trap(); }" % arguments)


def constants(folder):
    found = set()
    for name in ("barrow.h", "barrow/inline.h", "barrow/ticky.h", "barrow/stg.h"):
        text = read(folder, name).replace("\\\n", " ")
        for macro, value in re.findall(r"^#define (BARROW_\w+) +(\S.*?)\s*$", text, re.M):
            found.add("%s\t%s" % (macro, " ".join(value.split())))
        for macro, parameters in re.findall(r"^#define (BARROW_\w+)\(([^)]*)\)", text, re.M):
            found.add("%s\t(%s)" % (macro, parameters))
        for line in re.findall(r"^static inline ([^{;]*\))\s*\{", text, re.M):
            found.add("%s\t%s" % (re.findall(r"(\w+)\(", line)[0], " ".join(line.split())))
    print("\n".join(sorted(found)))


def leaves():
    report = sys.stdin.read()
    names = set()
    for line in report.splitlines():
        changed = re.search(r"'(?:struct|enum|union|typedef) (\w+)[^']*' changed", line)
        gone = re.search(r"\[[DC]\] '(?:function )?[^']*?\b(barrow_\w+)\(", line)
        for match in (changed, gone):
            if match:
                names.add(match.group(1))
    names.discard("barrow_all_types")
    print("\n".join(sorted(names)))


if __name__ == "__main__":
    {"stub": stub, "strip": strip, "constants": constants, "leaves": leaves}[sys.argv[1]](*sys.argv[2:])
