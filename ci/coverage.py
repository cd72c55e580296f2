"""Reads an lcov file: per cent of lines for each layer, and lines that were not reached, with their reasons.

    coverage.py LCOV REASONS

REASONS has a line for each place: "file | a piece of a line | reason". It holds for the lines beside that one which are not reached
either, and for those directly behind that one, such as the `return` behind a condition; a piece of * is every line of the file, and a
file of * is every file. Reasons that no line needs are named.
"""

import collections
import os
import sys


def read(name):
    """Each file's lines with their counts: the largest, where a line is in several programs."""
    counts, file = collections.defaultdict(dict), None
    for line in open(name):
        tag, _, rest = line.rstrip("\n").partition(":")
        if tag == "SF":
            file = os.path.relpath(rest)
        elif tag == "DA":
            number, count = rest.split(",")[:2]
            lines = counts[file]
            lines[int(number)] = max(lines.get(int(number), 0), int(count))
    return counts


def reasons(name):
    rows = []
    for line in open(name) if os.path.exists(name) else []:
        if line.strip() and not line.startswith("#"):
            file, piece, reason = (part.strip() for part in line.split(" | "))
            rows.append([file, piece, reason, 0])
    return rows


def runs(numbers, text):
    """Numbers of lines that are beside each other, but for lines without code."""
    run = []
    for number in numbers:
        if run and any(line.strip().strip("{}();,") and not line.strip().startswith("//") for line in text[run[-1] : number - 1]):
            yield run
            run = []
        run.append(number)
    if run:
        yield run


def main():
    counts, known = read(sys.argv[1]), reasons(sys.argv[2])
    layers = collections.defaultdict(lambda: [0, 0])
    unknown = []
    for file, lines in sorted(counts.items()):
        text = open(file).read().split("\n")
        layer = layers[file.split("/")[1]]
        layer[0] += sum(1 for count in lines.values() if count)
        layer[1] += len(lines)
        for run in runs(sorted(number for number, count in lines.items() if not count), text):
            codes = [text[number - 1].strip() for number in run]
            near = [text[run[0] - 2], *codes]
            row = next((row for row in known if row[0] in (file, "*") and (row[1] == "*" or any(row[1] in code for code in near))), None)
            if row:
                row[3] += len(run)
            elif any(code.strip("{}();,?") for code in codes):
                unknown += [f"{file}:{number}: {code}" for number, code in zip(run, codes)]
    layers["all"] = [sum(sums) for sums in zip(*layers.values())]
    for name, (reached, lines) in layers.items():
        print(f"{name:10} {100 * reached / lines:6.2f} % of {lines} lines")
    excused, (reached, lines) = sum(row[3] for row in known), layers["all"]
    print(f"not reached, with a reason: {excused} lines; {100 * reached / (lines - excused):.2f} % of the others are reached")
    for file, piece, _, used in known:
        if not used:
            print(f"reached, though it has a reason why not: {file}: {piece}")
    print(f"not reached, without a reason: {len(unknown)} lines")
    print("\n".join(unknown))


main()
