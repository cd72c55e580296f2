#!/usr/bin/env python3
"""Ratios of minima with an interval, from runs of peers/run.py that were interleaved: `minima.py [--bar 1.0] ours FILE.json ...`

For each workload and each other peer of the file: the least CPU time of the first peer over the least of the other, and the
interval in which nine of ten such ratios lie when as many runs are drawn anew from those that there are. A bar is met when the
upper end is at most the bar, missed when the lower end is above it, and else not decided."""
import argparse, json, random

DRAWS = 4000

def interval(ours, theirs, chance):
    """The ends between which nine of ten ratios of minima lie."""
    ratios = sorted(min(chance.choices(ours, k=len(ours))) / min(chance.choices(theirs, k=len(theirs))) for _ in range(DRAWS))
    return ratios[DRAWS // 20], ratios[-DRAWS // 20]

def verdict(low, high, bar):
    return "met" if high <= bar else "missed" if low > bar else "not decided"

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bar", type=float, default=1.0, help="the largest ratio that is allowed (1.0)")
    parser.add_argument("--of", default="cpu", choices=["cpu", "wall", "max_pause_ms", "rss_mib"], help="the figure to compare (cpu)")
    parser.add_argument("peer", help="the peer whose ratios are wanted")
    parser.add_argument("files", nargs="+", metavar="FILE.json")
    asked = parser.parse_args()
    chance = random.Random(1)
    print("| workload | beside | %s | theirs | ratio of minima | 90 %% interval | bar %.2f |\n|%s" % (asked.of, asked.bar, "---|" * 7))
    for name in asked.files:
        with open(name) as file:
            found = json.load(file)
        runs = {(r["workload"], r["peer"]): [x[asked.of] for x in r["runs"] if x.get(asked.of)] for r in found["results"] if "runs" in r}
        for (workload, peer), theirs in runs.items():
            ours = runs.get((workload, asked.peer))
            if peer == asked.peer or not ours or not theirs:
                continue
            low, high = interval(ours, theirs, chance)
            size = " ".join(map(str, found["params"][workload]))
            print("| %s %s | %s | %.2f | %.2f | %.2f | %.2f to %.2f | %s |" % (
                workload, size, peer, min(ours), min(theirs), min(ours) / min(theirs), low, high, verdict(low, high, asked.bar)))

if __name__ == "__main__":
    main()
