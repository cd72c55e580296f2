#!/usr/bin/env python3
"""Bars of heaps with several mutators, with the release library: single calls, two mutators in one heap beside two processes,
64 mutators of which 62 wait, and 64 that run. Runs to compare are interleaved, and the least of each kind counts, with the 90 % interval of the
ratio of minima over resampled runs. A bar is missed only when the whole interval is above it; else it is met or not decided. The status is 1
when a bar is missed.

    ./run.py [--runs 15] [--quick]

BARROW_LIB: the directory of libbarrow.so; without it, cargo builds one.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile
import time

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(here))


def built():
    """The program, linked to the library; the folder goes with the process."""
    library = os.environ.get("BARROW_LIB")
    if not library:
        subprocess.run(["cargo", "build", "-q", "--release", "--lib"], cwd=root, check=True)
        library = os.path.join(os.environ.get("CARGO_TARGET_DIR", os.path.join(root, "target")), "release")
    folder = tempfile.TemporaryDirectory()
    os.symlink(os.path.join(os.path.abspath(library), "libbarrow.so"), os.path.join(folder.name, "libbarrow.so.0.1"))
    program = os.path.join(folder.name, "mutators")
    subprocess.run(
        [os.environ.get("CC", "cc"), "-O2", "-Wall", "-I" + os.path.join(root, "include"), os.path.join(here, "mutators.c"), "-o", program,
         "-L" + folder.name, "-l:libbarrow.so.0.1", "-lpthread", "-Wl,-rpath," + folder.name], check=True)
    return folder, program


def numbers(program, *words):
    out = subprocess.run([program, *map(str, words)], check=True, capture_output=True, text=True).stdout
    return [float(word) for word in out.split()]


def in_one_heap(program, work, size):
    return numbers(program, "work", work, size, 2, "-A8m")[0]


def in_two_processes(program, work, size):
    begun = time.monotonic()
    both = [subprocess.Popen([program, "work", work, str(size), "1", "-A4m"], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    slowest = max(float(one.communicate()[0]) for one in both)
    if any(one.returncode for one in both):
        sys.exit("a process failed")
    return min(slowest, time.monotonic() - begun)


def on_one_processor(program, *runs):
    """CPU time of programs that run at the same time on one processor: what their code takes, without what caches pass between processors."""
    one = {min(os.sched_getaffinity(0))}
    started = [subprocess.Popen([program, *map(str, run)], stdout=subprocess.DEVNULL, preexec_fn=lambda: os.sched_setaffinity(0, one))
               for run in runs]
    total = 0.0
    for process in started:
        _, status, used = os.wait4(process.pid, 0)
        if status:
            sys.exit("a process failed")
        total += used.ru_utime + used.ru_stime
    return total


def interval(ours, others):
    """The ratio of minima, and the 5th and 95th of a hundred such ratios of resampled runs."""
    draw = random.Random(1)
    ratios = sorted(min(draw.choices(ours, k=len(ours))) / min(draw.choices(others, k=len(others))) for _ in range(1000))
    return min(ours) / min(others), ratios[50], ratios[949]


def median_stop(stops):
    """The bounds between which the median stop lies, in microseconds, from counts by powers of two."""
    half, passed = sum(stops) / 2, 0.0
    for bucket, count in enumerate(stops):
        passed += count
        if count and passed >= half:
            return (2 ** (bucket - 1) if bucket else 0), 2 ** bucket
    sys.exit("no stop was counted")


def of_one_run(pairs):
    """The median over runs of what the first figure is of the second of the same run, with its interval, and both figures of that run."""
    draw = random.Random(1)
    by_ratio = sorted(pairs, key=lambda run: run[0] / run[1])
    ratios = [first / second for first, second in by_ratio]
    middle = len(pairs) // 2
    medians = sorted(sorted(draw.choices(ratios, k=len(ratios)))[middle] for _ in range(1000))
    return ratios[middle], medians[50], medians[949], by_ratio[middle]


missed = 0


def verdict(low, high, bar):
    """Of a figure between these bounds, which should not be above the bar."""
    global missed
    missed += low > bar
    return "met" if high <= bar else "missed" if low > bar else "not decided"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    folder, program = built()
    runs = 3 if options.quick else options.runs

    if (os.cpu_count() or 1) > 1:
        print(f"| a cache line from one processor to another and back | {min(numbers(program, 'line')[0] for _ in range(runs)):.0f} ns | | |")
    for count, which in ((1, "leaving for foreign code and back"), (64, "the same, of the 64th mutator")):
        pairs = [numbers(program, "foreign", count) for _ in range(runs)]
        ratio, low, high, (pair, exchange) = of_one_run(pairs)
        print(f"| {which} | {pair:.1f} ns, {ratio:.2f} ({low:.2f} to {high:.2f}) x an exchange of {exchange:.1f} ns | 3 x | {verdict(low, high, 3)} |")
    for others, which in ((0, "attaching and detaching"), (1000, "the same beside 1,000 other mutators")):
        attach = min(numbers(program, "attach", others)[0] for _ in range(runs))
        print(f"| {which} | {attach:.2f} us | 5 us | {verdict(attach, attach, 5)} |")
    idle = numbers(program, "idle", 200)[0] / 1024
    print(f"| a mutator that waits, with its thread's stack | {idle:.1f} KiB | 64 KiB | {verdict(idle, idle, 64)} |")

    works = [("trees", 14 if options.quick else 18), ("gcbench", 12 if options.quick else 18), ("writes", 1000000 if options.quick else 8000000),
             ("raw", 10000000 if options.quick else 100000000)]
    for work, size in works:
        one, two = [], []
        for _ in range(runs):
            one.append(in_one_heap(program, work, size))
            two.append(in_two_processes(program, work, size))
        ratio, low, high = interval(one, two)
        print(f"| {work} {size}: two mutators of one heap, two processes | {min(one):.3f} s, {min(two):.3f} s: {ratio:.2f} ({low:.2f} to {high:.2f}) "
              f"| 1.1 | {verdict(low, high, 1.1)} |")
        together, apart = [], []
        for _ in range(runs):
            together.append(on_one_processor(program, ("work", work, size, 2, "--workers=2! -A8m")))
            apart.append(on_one_processor(program, *[("work", work, size, 1, "-A4m")] * 2))
        ratio, low, high = interval(together, apart)
        print(f"| the same on one processor, CPU time, two workers | {min(together):.3f} s, {min(apart):.3f} s: {ratio:.2f} ({low:.2f} to {high:.2f}) | | |")

    few, many, stops = [], [], [0.0] * 40
    seconds = 0.3 if options.quick else 1
    for _ in range(runs):
        few.append(1 / numbers(program, "crowd", 0, 2, seconds)[0])
        told = numbers(program, "crowd", 62, 2, seconds)
        many.append(1 / told[0])
        for bucket, count in enumerate(told[3:]):
            stops[bucket] += count
    ratio, low, high = interval(few, many)
    print(f"| throughput of two beside 62 in foreign code | {ratio:.3f} of two alone ({low:.3f} to {high:.3f}) | 0.95 | "
          f"{verdict(-high, -low, -0.95)} |")
    low, high = median_stop(stops)
    print(f"| median time to stop, of {int(sum(stops))} stops | {low} to {high} us | 100 us | {verdict(low, high, 100)} |")

    stops, longest, wakes = [0.0] * 40, 0.0, []
    for _ in range(runs):
        told = numbers(program, "crowd", 0, 64, seconds)
        longest = max(longest, told[2] / 1000)
        for bucket, count in enumerate(told[3:]):
            stops[bucket] += count
        wakes.append(numbers(program, "wake", 64))
    woken = sorted(median for median, _ in wakes)[runs // 2]
    print(f"| time to stop when 64 run, and from the system's wake of 64 threads to the last of them | median of {int(sum(stops))} stops below "
          f"{median_stop(stops)[1]} us, most {longest:.0f} us; median {woken:.0f} us, most {max(most for _, most in wakes):.0f} us | | |")
    del folder
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
