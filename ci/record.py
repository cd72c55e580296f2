"""Writes docs/reliability.md out of what the parts of ci/long have printed.

    record.py FOLDER COMMIT DAY

FOLDER has a file NAME.log for each part that has run to its end, and NAME.seconds beside it. Rows of parts that have not run this
time stay as they are on the page; those of parts that never have say so.
"""

import os
import re
import sys

PAGE = "docs/reliability.md"
SURVIVORS = "ci/survivors"
STEPS = 300  # of a random program, tests/model.rs
NOT_RUN = "not run"


def said(text, pattern):
    """The groups of the last line that fits, as numbers."""
    found = re.findall(pattern, text)
    if not found:
        return None
    last = found[-1] if isinstance(found[-1], tuple) else (found[-1],)
    return [float(group.replace(",", "")) for group in last]


def count(number):
    return f"{int(number):,}"


def model(text, _):
    found = said(text, r"(\d+) programs, \d+ objects made, (\d+) collections")
    return found and f"{count(found[0] * STEPS)} steps in {count(found[0])} programs; {count(found[1])} collections compared"


def faults(text, _):
    found = said(text, r"memory was refused at (\d+) points of (\d+) random programs")
    return found and f"{count(found[0])} refusals, in {count(found[1])} random programs"


def refused(text, _):
    found = said(text, r"refusals: (\d+) runs, of which (\d+) were told")
    return found and f"{count(found[0])} runs, of which {count(found[1])} ended with a sentence and the others went on"


def biography(text, _):
    found = said(text, r"(\d+) histories")
    return found and f"{count(found[0])} histories"


def mutators(text, _):
    found = said(text, r"mutators: (\d+) programs by turns")
    return found and f"{count(found[0])} whose threads take turns, and as many whose threads run at once"


def c_tests(text, _):
    found = said(text, r"c-tests: (\d+) runs, (\d+) failed")
    if not found:
        return None
    programs = said(text, r"(\d+) programs, \d+ objects made")
    also = f"; {count(programs[0])} random programs" if programs else ""
    return f"{count(found[0])} runs of C programs, {count(found[1])} failed{also}"


def planted(text, _):
    found = said(text, r"planted-bugs: (\d+) of (\d+) found; (\d+) that no test finds")
    return found and f"{count(found[0])} of {count(found[1] + found[2])}; {count(found[2])} of these are open: no test finds them yet"


def graph(_, seconds):
    return f"drawn, {seconds:.0f} s with the build"


def fuzz(text, _):
    rows = re.findall(r"^fuzz_\w+ +(\d+) s +(\d+) cases of (\d+) MB", text, re.M)
    if not rows:
        return None
    seconds, cases, megabytes = (sum(int(row[i]) for row in rows) for i in range(3))
    return f"{count(cases)} cases, {count(megabytes)} MB, {seconds / 3600:.2f} h, {len(rows)} readers; nothing open"


def guided(text, _):
    rows = re.findall(r"^fuzz_\w+ +(\d+) s +(\d+) cases", text, re.M)
    if not rows:
        return None
    seconds, cases = (sum(int(row[i]) for row in rows) for i in range(2))
    return f"{count(cases)} cases, {seconds / 3600:.2f} h, {len(rows)} targets; nothing open"


def coverage(text, _):
    rows = re.findall(r"^(\w+) +([\d.]+) % of (\d+) lines", text, re.M)
    unknown = said(text, r"without a reason: (\d+) lines")
    return rows and "; ".join(f"{name} {share} %" for name, share, _ in rows) + f"; {count(unknown[0])} lines without a reason"


def mutants(text, _):
    found = said(text, r"mutants: (\d+) of (\d+) found")
    return found and f"{count(found[0])} of {count(found[1])} found"


def kills(text, _):
    found = said(text, r"kills: (\d+), of which (\d+) before anything was written; (\d+) samples")
    return found and f"{count(found[0] - found[1])}, with {count(found[2])} samples that were read again"


def soak(_, seconds):
    return f"{seconds / 3600:.2f}; each object is looked at before it goes"


# Part of ci/long, the page's words for it, and how its figure is read.
ROWS = [
    ("model", "random steps run against the model", model),
    ("faults", "refusals of memory inside the library, one by one", faults),
    ("refused", "refusals of calls to the system, one by one", refused),
    ("biography", "random histories against the reference's biography", biography),
    ("mutators", "random programs of several mutators beside their model", mutators),
    ("address", "with the address sanitizer in the library", c_tests),
    ("thread", "with the thread sanitizer in the library", c_tests),
    ("valgrind", "under memcheck, which is told what is free", c_tests),
    ("aarch64", "on aarch64, emulated", c_tests),
    ("planted", "planted bugs found, of all", planted),
    ("mutated", "bugs made mechanically, a sample by lot", mutants),
    ("coverage", "lines reached by random programs and C tests together", coverage),
    ("graph", "a page of 30 million objects", graph),
    ("fuzz", "readers given damaged files", fuzz),
    ("guided", "the same and random programs, cases chosen by the code that they reach", guided),
    ("kills", "kills of a program that is profiled, survived by what it had written", kills),
    ("soak", "hours of one program", soak),
]

HEAD = """# Reliability

This page is the record of the checks that are too long for every change. `ci/long` writes it (`ci/record.py`); nothing here is written by
hand. A figure is that of the last time when its part ran to its end without a failure, with the commit on which it ran. `.ci/run` runs a
share of the same on each change.

"""


def exports():
    names = open("abi/symbols.txt").read().split()
    text = "".join(open(f"c-tests/misuse{part}.c").read() for part in ("", "_profilers", "_others"))
    called = sum(1 for name in names if re.search(rf"(?<!\w){name}\(", text))
    return f"{called} of {len(names)}; the others take no argument, and may be called at any time"


def survivors():
    """The sum of ci/survivors: all that were drawn were found by the run, are found since, or stand there."""
    text = open(SURVIVORS).read()
    commit = re.search(r"drawn in commit (\w+)", text)[1]
    found, drawn, since = map(int, re.search(r"(\d+) of (\d+) were found by that run, and (\d+) by tests", text).groups())
    rows = re.findall(r"^src/\S+ \| .* \| (.*)$", text, re.M)
    if found + since + len(rows) != drawn:
        sys.exit(f"ci/record.py: {SURVIVORS} has {len(rows)} rows; {found} and {since} of {drawn} were found")
    unexplained = sum(reason.startswith("open") for reason in rows)
    return f"{len(rows)} of the {drawn} of {commit}, {unexplained} of them open; {since} that its run left are found since"


def main():
    folder, commit, day = sys.argv[1:]
    before = {}
    for line in open(PAGE) if os.path.exists(PAGE) else []:
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == 6:
            before[cells[1]] = cells[2:5]
    page = HEAD + "| what | figure | of commit | on |\n|---|---|---|---|\n"
    page += f"| exported functions that are misused in C | {exports()} | each | |\n"
    for name, words, read in ROWS:
        log = os.path.join(folder, name + ".log")
        cells = before.get(words, [NOT_RUN, "", ""])
        if os.path.exists(log):
            with open(os.path.join(folder, name + ".seconds")) as file:
                figure = read(open(log, errors="replace").read(), float(file.read()))
            if figure:
                cells = [figure, commit, day]
            else:
                print(f"ci/record.py: {name} says nothing that can be read", file=sys.stderr)
        page += f"| {words} | {' | '.join(cells)} |\n"
    page += "\nParts of these figures stand behind them: [the model test](model-test.md), [fuzzing](fuzzing.md); lines that are not reached have\n"
    page += f"their reasons in `ci/unreached`, and bugs made mechanically that no test finds stand in `ci/survivors`:\n{survivors()}.\n"
    open(PAGE, "w").write(page)


main()
