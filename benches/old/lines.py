#!/usr/bin/env python3
"""Words that cannot be filled when a share of the objects of a heap has died at random, by how gaps are found.

Objects of 2 to 8 words, most of them small, lie one behind the other; 30, 50 and 70 of a hundred die (or the first argument). A gap is a run of
whole lines in which nothing lives, of 128 or 256 bytes; or any run of dead words of a least length, as docs/design/44-leave.md has it."""
import random, sys

WORDS = 1 << 20

def heap(dies, chance):
    """Dead words as runs (start, end)."""
    at, runs = 0, []
    while at < WORDS:
        size = chance.choice([2, 3, 3, 3, 4, 4, 5, 8])
        if chance.random() < dies:
            if runs and runs[-1][1] == at:
                runs[-1][1] = at + size
            else:
                runs.append([at, at + size])
        at += size
    return runs

def in_lines(runs, line):
    return sum(max(0, end // line - -(-start // line)) * line for start, end in runs)

def in_gaps(runs, least):
    return sum(end - start for start, end in runs if end - start >= least)

def main():
    chance = random.Random(1)
    shares = [int(x) for x in sys.argv[1:]] or [30, 50, 70]
    print("| dies | dead words | lines of 128 bytes | of 256 bytes | gaps from 16 words | from 8 | from 4 |\n|---|---|---|---|---|---|---|")
    for share in shares:
        runs = heap(share / 100, chance)
        dead = sum(end - start for start, end in runs)
        found = [in_lines(runs, 16), in_lines(runs, 32), in_gaps(runs, 16), in_gaps(runs, 8), in_gaps(runs, 4)]
        print("| %d %% | %.0f %% | %s |" % (share, 100 * dead / WORDS, " | ".join("%.0f %%" % (100 * (1 - x / dead)) for x in found)))

if __name__ == "__main__":
    main()
