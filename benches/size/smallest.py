#!/usr/bin/env python3
"""The smallest heap (-M) in which each workload of benches/peers finishes, here and with GHC, to a megabyte.

    benches/size/smallest.py [--quick] [WORKLOAD...]

Halves the distance between a limit with which the program fails and one with which it gives the right answer. Memory
does not depend on how busy the machine is, so one run for each limit is enough. Each side is asked twice: with its
default collector, which copies, and with compaction, which needs less. A collector just below its limit can collect for
hours: a run of more than --seconds of CPU time has failed too."""
import argparse, os, subprocess, sys
from pathlib import Path
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "peers"))
import run

ASK = {                                         # column -> (peer, flags)
    "ours":       ("ours", ""),
    "ours -c":    ("ours", "-c"),
    "GHC":        ("ghc", ""),
    "GHC -c":     ("ghc", "-c"),
}
MOST = 4096                                     # MiB: no workload needs as much

def finishes(column, workload, exe, params, limit, seconds):
    peer, flags = ASK[column]
    argv, env, _, _ = run.command(peer, workload, exe, params, run.BUILD / "smallest")
    limits = ("%s -M%dm" % (flags, limit)).split()
    if peer == "ours":
        env["BARROW_FLAGS"] = " ".join(limits)
    else:
        at = argv.index("-RTS")
        argv[at:at] = limits
    tmp = run.BUILD / "smallest"
    argv = ["sh", "-c", 'ulimit -t %d && exec "$@"' % seconds, "sh", *argv]
    try:
        r = run.measure(argv, env, tmp, timeout=60 * seconds)
    except subprocess.TimeoutExpired:
        return False
    return r["status"] == 0 and "checksum" in (tmp / "stdout").read_text()

def smallest(column, workload, exe, params, seconds):
    fails, works = 0, 1
    while not finishes(column, workload, exe, params, works, seconds):
        fails, works = works, works * 2
        if works > MOST:
            return None
    while works - fails > 1:
        middle = (works + fails) // 2
        if finishes(column, workload, exe, params, middle, seconds): works = middle
        else: fails = middle
    return works

def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--quick", action="store_true", help="small sizes, to see that it works")
    ap.add_argument("--seconds", type=int, default=120, help="CPU time that a run may take (120)")
    ap.add_argument("workloads", nargs="*", metavar="WORKLOAD")
    args = ap.parse_args()
    workloads = args.workloads or [w for w in run.WORKLOADS if w != "binarytrees-lazy"]
    for w in workloads:
        if w not in run.WORKLOADS: ap.error("no workload %s: one of %s" % (w, ", ".join(run.WORKLOADS)))
    run.BUILD.mkdir(parents=True, exist_ok=True)
    run.build_measure()
    columns = [c for c in ASK if ASK[c][0] != "ghc" or run.shutil.which("ghc")]
    print("| workload | " + " | ".join(c + ", MiB" for c in columns) + " |\n|" + "---|" * (len(columns) + 1), flush=True)
    for w in workloads:
        params = run.WORKLOADS[w][1 if args.quick else 0]
        found = []
        for c in columns:
            if sys.stderr.isatty(): print("\r%s, %s ... " % (w, c), end="", file=sys.stderr, flush=True)
            found.append(smallest(c, w, run.build(ASK[c][0], w), params, args.seconds))
        if sys.stderr.isatty(): print("\r\033[K", end="", file=sys.stderr)
        print("| %s | %s |" % (w, " | ".join("-" if f is None else str(f) for f in found)), flush=True)

if __name__ == "__main__":
    main()
