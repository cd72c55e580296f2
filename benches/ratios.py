#!/usr/bin/env python3
"""One table from a run of peers/run.py: this library beside its peers, as ratios. `ratios.py results.json`"""
import json, statistics, sys

# At most so many times the CPU time of: Boehm's collector, GHC with default settings.
BARS = {
    "binarytrees": (0.35, 0.45), "gcbench": (0.45, 0.30), "longlived": (0.50, 0.85), "mutation": (0.65, 0.30),
    "queue": (1.20, 0.55), "bytes": (0.65, 0.50), "rawalloc": (0.10, 0.80),
}

def of(runs, what, fold=statistics.median):
    values = [r[what] for r in runs if r.get(what) is not None and r.get("status") == 0]
    return fold(values) if values else None

def ratio(a, b):
    return "-" if not a or not b else "%.2f" % (a / b)

def verdict(value, bar):
    return "" if value == "-" else " ok" if float(value) <= bar else " above %.2f" % bar

def main(name):
    runs = {(r["workload"], r["peer"]): r["runs"] for r in json.load(open(name))["results"] if "runs" in r}
    print("| workload | CPU s | x Boehm (min) | x GHC (min) | x malloc | x OCaml | peak MiB | peak x GHC | pause ms | pause x GHC |")
    print("|" + "---|" * 10)
    for w, (boehm_bar, ghc_bar) in BARS.items():
        ours = runs.get((w, "ours"))
        if not ours:
            continue
        peer = lambda p: runs.get((w, p), [])
        cpu = lambda p: ratio(of(ours, "cpu"), of(peer(p), "cpu"))
        least = lambda p: ratio(of(ours, "cpu", min), of(peer(p), "cpu", min))
        pause, theirs = of(ours, "max_pause_ms"), of(peer("ghc"), "max_pause_ms")
        print("| %s | %.2f | %s (%s)%s | %s (%s)%s | %s | %s | %.0f | %s | %.1f | %s |" % (
            w, of(ours, "cpu"), cpu("bdwgc"), least("bdwgc"), verdict(cpu("bdwgc"), boehm_bar),
            cpu("ghc"), least("ghc"), verdict(cpu("ghc"), ghc_bar), cpu("malloc"), cpu("ocaml"),
            of(ours, "rss_mib"), ratio(of(ours, "rss_mib"), of(peer("ghc"), "rss_mib")),
            pause, ratio(pause, theirs)))

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
