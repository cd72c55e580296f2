"""What C sees of the library, for ci/abi.sh: one program for its parts.

    abi.py stub INCLUDE        a C file that defines every function of barrow.h and names every struct and enum
    abi.py strip FILE          a header without its comments, or the heads of a file of IR, for abi/last
    abi.py stg INCLUDE         a C file that names every type of barrow/stg/
    abi.py constants INCLUDE   macros, inline functions, what C++ sees and the forms as IR: name, tab, text; sorted
    abi.py members INCLUDE     the functions of barrow/table.h, in order
    abi.py leaves              from abidiff's report on standard input: the names of what changed incompatibly
"""

import os
import re
import sys


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)


def read(folder, name):
    return without_comments(open("%s/%s" % (folder, name)).read())


def strip(name):
    text = open(name).read()
    text = "".join(re.findall(r"^define .*\n", text, re.M)) if name.endswith(".ll") else without_comments(text)
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
    name_types(set(re.findall(r"\b((?:struct|enum) barrow_\w+) \{", header)))


# Each type is the argument of a function of its own: in the arguments of one, a new type would move all that follow, and
# abidiff tells that and not what has changed in them.
OF_TYPE = "barrow_type_of_"


def name_types(types):
    for one in sorted(types):
        head = "void %s%s(%s *a)" % (OF_TYPE, one.split()[-1], one)
        print("%s;\n%s { __builtin_trap(); }" % (head, head))


def installed(folder):
    """Every file that a client includes or links as IR, below the folder."""
    for path, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            yield os.path.relpath(os.path.join(path, name), folder)


def members(folder):
    """The functions of the table, in their order."""
    body = read(folder, "barrow/table.h").split("struct barrow_functions {")[1].split("};")[0]
    print("\n".join("barrow_" + name for name in re.findall(r"^  \w.*?\(\*(\w+)\)\(", body, re.M)))


def cpp_heads(text):
    """What a C++ header offers: heads of functions and classes outside of bodies, without what is private."""
    text = re.sub(r"^\s*#.*$", "", text, flags=re.M)
    scopes, hidden, head, at = [], [False], "", 0
    while at < len(text):
        one = text[at]
        at += 1
        if one not in "{};":
            head += one
            access = re.search(r"\b(public|private|protected)\s*:\s*$", head)
            if access and scopes:
                hidden[-1], head = access.group(1) != "public", ""
            continue
        name = re.search(r"using (\w+)", head) or re.search(r"(operator\s*\S+?|~?\w+)\s*\(", head)
        scope = re.search(r"^(?:template\s*<.*?>)?\s*(?:inline )?(?:namespace|class|struct)\s+(\w+)[^()]*$", head.strip(), re.S)
        if one == "}":
            if scopes:
                scopes.pop()
                hidden.pop()
        elif one == "{" and scope:
            scopes.append(scope.group(1))
            hidden.append(" ".join(head.split()).startswith("class"))
        else:
            if name and not hidden[-1]:
                shape = re.sub(r"(\)(?: noexcept)?) : .*", r"\1", " ".join(head.split()))
                yield "%s\t%s" % (name.group(1).replace(" ", ""), "::".join(scopes + [shape]))
            depth = int(one == "{")
            while depth and at < len(text):
                depth += {"{": 1, "}": -1}.get(text[at], 0)
                at += 1
        head = ""


def constants(folder):
    found = set()
    for name in installed(folder):
        if name.endswith(".ll"):
            for result, function, arguments in re.findall(r"^define linkonce_odr hidden (.*?) @(\w+)\(([^{]*)\)", open("%s/%s" % (folder, name)).read(), re.M):
                text = re.sub(r"\b(noundef|nocapture|nonnull|readonly|readnone|writeonly|returned|noalias)\b|%\d+", "", result + " (" + arguments)
                found.add("%s\t%s %s" % (function, name, " ".join(text.split())))
            continue
        text = read(folder, name).replace("\\\n", " ")
        # Names that end in an underscore are the headers' own.
        for macro, value in re.findall(r"^#define (\w*[^_\W]) +(\S.*?)\s*$", text, re.M):
            found.add("%s\t%s" % (macro, " ".join(value.split())))
        for macro, parameters in re.findall(r"^#define (\w*[^_\W])\(([^)]*)\)", text, re.M):
            found.add("%s\t(%s)" % (macro, parameters))
        for line in re.findall(r"^static inline ([^{;]*\))\s*\{", text, re.M):
            function = re.findall(r"(\w+)\(", line)[0]
            if not function.endswith("_"):
                found.add("%s\t%s" % (function, " ".join(line.split())))
        if name.endswith(".hpp"):
            found.update(cpp_heads(text))
    print("\n".join(sorted(found)))


def stg(folder):
    """The types of barrow/stg/, in a file of its own, since its macros are plain words."""
    names = set()
    for name in installed(folder):
        if name.startswith("barrow/stg"):
            text = read(folder, name)
            names.update(re.findall(r"^typedef [^{};]*?\b(\w+);", text, re.M))
            names.update(re.findall(r"^\} (\w+);", text, re.M))
            names.update(re.findall(r"^typedef struct \w* ?\{[^{}]*\} (\w+);", text, re.M))
    print("#include <barrow/stg.h>")
    name_types(names)


def leaves():
    report = sys.stdin.read()
    names = set()
    for line in report.splitlines():
        changed = re.search(r"'(?:struct|enum|union|typedef) (\w+)[^']*' changed", line)
        gone = re.search(r"\[[DC]\] '(?:function )?[^']*?\b(barrow_\w+)\(", line)
        for match in (changed, gone):
            if match:
                names.add(match.group(1).removeprefix(OF_TYPE))
    print("\n".join(sorted(names)))


if __name__ == "__main__":
    {"stub": stub, "stg": stg, "members": members, "strip": strip, "constants": constants, "leaves": leaves}[sys.argv[1]](*sys.argv[2:])
