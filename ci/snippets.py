"""Compiles the manual's pieces of C:     snippets.py WORK [COMPILER]...

Every block of a page in docs/ that begins with ```c, and has no file's name behind it, is a piece (those with a name are
whole programs: ci/ladder.py). Each is put into a function, or between functions when it defines one; `...` stands for code that
the page leaves out. What pieces take for granted is in ci/snippets.h. A name or a type that is no longer so is an error.
"""

import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def program(page, pieces):
    """One file of a page: what the preprocessor is told first, then each piece."""
    directives = [line for piece in pieces for line in piece.splitlines() if line.startswith("#")]
    text = ["/* docs/%s */" % page] + [line for line in directives if "define" in line]
    text += ['#include "snippets.h"'] + [line for line in directives if "include" in line]
    for number, piece in enumerate(pieces):
        body = re.sub(r"(?<=[)\s])\.\.\.(?=\s|$)", "{}", "\n".join("" if line.startswith("#") else line for line in piece.splitlines()))
        outside = re.search(r"^[\w *]+\([^;]*\) \{$", body, re.M)
        head = "" if outside else "void piece_%d(void);\nvoid piece_%d(void) {\n" % (number, number)
        text.append("%s#line 1 \"docs/%s, piece %d\"\n%s\n%s" % (head, page, number + 1, body, "" if outside else "}"))
    return "\n".join(text) + "\n"


def passes():
    """The options of the page's order of passes, which the script that the tests use has as well."""
    block = open(ROOT + "/docs/llvm.md").read().split("### The order of passes")[1].split("\n\n")[1]
    return [word.strip("'") for word in re.findall(r"(?<= )-\S+", re.sub(r"#[^\n]*", "", block))]


def main():
    work, compilers = sys.argv[1], sys.argv[2:] or ["cc"]
    pages = compiled = 0
    for path in sorted(glob.glob(ROOT + "/docs/**/*.md", recursive=True)):
        page = os.path.relpath(path, ROOT + "/docs")
        pieces = re.findall(r"^```c\n(.*?)^```$", open(path).read(), re.S | re.M)
        if not pieces:
            continue
        file = os.path.join(work, page.replace("/", "-") + ".c")
        open(file, "w").write(program(page, pieces))
        for compiler in compilers:
            flags = ["-std=gnu99", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unused", "-Wno-missing-field-initializers", "-Wno-uninitialized"]
            if subprocess.call([compiler] + flags + ["-I" + ROOT + "/include", "-I" + ROOT + "/ci", file]) != 0:
                sys.exit("docs/%s has C that %s does not compile" % (page, compiler))
        pages, compiled = pages + 1, compiled + len(pieces)
    missing = [word for word in passes() if word not in open(ROOT + "/examples-c/llvm/build.sh").read()]
    if missing:
        sys.exit("docs/llvm.md has passes and options that examples-c/llvm/build.sh has not: " + " ".join(missing))
    print("snippets: %d pieces of C on %d pages compile" % (compiled, pages))
    sys.exit(pages < 5 or compiled < 15)


if __name__ == "__main__":
    main()
