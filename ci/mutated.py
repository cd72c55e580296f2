#!/usr/bin/env python3
"""Bugs made mechanically in gc, heap, block and megablock, by lot: how many the tests find.

    ci/mutated.py [--count N] [--seed N] [--programs N] [--jobs N] [--list]

A mutant is one line of the source: a condition that is turned round or whose bound is off by one, a number that is one less, a sum that
is a difference, a statement that is left out. All of them stand in one build, in a copy of the tree, behind numbers as planted bugs do
(src/base/planted.rs), so each costs only its run. Those that do not compile are drawn again. Each is looked for by random programs,
then by the library's own tests, then by the C programs in small sizes, each on one processor and several at a time. The end tells the
survivors, and "mutants: F of N found". Copy and builds lie in target/mutated, and beside them what was told, by commit: a run that was
stopped goes on where it was.
"""
import argparse, concurrent.futures, json, os, queue, random, re, shutil, signal, subprocess, sys, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LAYERS = ["gc", "heap", "block", "megablock"]
FIRST = 100_000  # no planted bug has such a number
# A run takes at most so many times what the same run takes without a mutant, and at least so many seconds.
PATIENCE, LEAST_PATIENCE = 6, 30
# Programs of the C tests that measure, or wait for the clock, or take long.
SLOW = "limits cost_many stress profile_wall retained_phases space_limit".split()

NUMBER = r"(?<![\w.])([1-9]\d{0,3})(?![\w.]|u?\d*\])"
SKIPPED = re.compile(r"^\s*(//|#|use |pub use |const |pub const |static |debug_assert|assert|macro_rules|type |pub type |mod |impl|fn |pub fn )")


def ways(line):
    """What a line can become, with the macro for number N in it."""
    text = line.strip()
    if SKIPPED.match(line) or "planted!" in line or '"' in line or text.startswith(("pub", "unsafe fn", "const")) or "=>" in text:
        return
    condition = re.fullmatch(r"(.*\b(?:if|while) )([^{}]+)( \{)", line)
    if condition and " let " not in line and not condition[2].startswith("let "):
        before, inner, after = condition.groups()
        if "while" not in before:
            yield f"{before}planted!(N, !({inner}), {inner}){after}"
        compared = re.fullmatch(r"([^<>=&|!]+) (<|>|<=|>=|==|!=) ([^<>=&|!]+)", inner)
        if compared:
            other = {"<": "<=", ">": ">=", "<=": "<", ">=": ">", "==": "!=", "!=": "=="}[compared[2]]
            yield f"{before}planted!(N, {compared[1]} {other} {compared[3]}, {inner}){after}"
    for match in re.finditer(NUMBER, line):
        if not re.search(r"let |\[", line[: match.start()].rsplit("=", 1)[0]) or "=" in line[: match.start()]:
            number = int(match[1])
            yield f"{line[:match.start()]}planted!(N, {number - 1}, {number}){line[match.end():]}"
    added = re.fullmatch(r"(.*= )([\w.]+) ([+-]) ([\w.]+)(;)", line)
    if added:
        before, left, sign, right, after = added.groups()
        other = {"+": "-", "-": "+"}[sign]
        yield f"{before}planted!(N, {left}.wrapping_{'sub' if other == '-' else 'add'}({right}), {left} {sign} {right}){after}"
    statement = re.fullmatch(r"(\s*)((?:self|store|[a-z_]+(?:\.[a-z_]+)*)[.(][^;=]*\)|[a-z_.]+ (?:[+|&-])?= [^;]+);", line)
    if statement and not text.startswith(("let ", "return", "continue", "break")):
        yield f"{statement[1]}planted!(N, (), {{ {statement[2]}; }});"


def sources(tree):
    for layer in LAYERS:
        for folder, _, names in sorted(os.walk(os.path.join(tree, "src", layer))):
            for name in sorted(names):
                # The table of kinds is evaluated by the compiler, which some mutants of it stop with an error of its own.
                if name.endswith(".rs") and not re.search(r"test|_check|sanity|^kind\.rs$", name):
                    yield os.path.join(folder, name)


def candidates(tree):
    found = []
    for path in sources(tree):
        for index, line in enumerate(open(path).read().split("\n")):
            if line.startswith("mod tests {"):
                break
            found += [(path, index, way) for way in ways(line)]
    return found


def copy(tree):
    """The tree as it is here; files that are the same keep their times."""
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    for name in filter(None, names):
        source, target = os.path.join(ROOT, name), os.path.join(tree, name)
        if os.path.isfile(source) and not (os.path.exists(target) and open(source, "rb").read() == open(target, "rb").read()):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy2(source, target)


def plant(tree, mutants):
    for path in {path for path, _, _ in mutants.values()}:
        lines = open(os.path.join(ROOT, os.path.relpath(path, tree))).read().split("\n")
        for number, (where, index, way) in mutants.items():
            if where == path:
                lines[index] = way.replace("planted!(N,", f"planted!({number},")
        open(path, "w").write("\n".join(lines))


def cargo(tree, *words):
    environment = dict(os.environ, CARGO_TARGET_DIR=os.path.join(ROOT, "target/mutated/build"), CARGO_INCREMENTAL="1", CARGO_PROFILE_TEST_DEBUG="0",
                       CARGO_PROFILE_DEV_DEBUG="0", RUSTFLAGS="-Awarnings")
    return subprocess.run(["cargo", *words, "--locked", "--features", "planted", "--message-format=json"], cwd=tree, env=environment, capture_output=True, text=True)


def spans(those):
    """The places that an error names, and those at which macros were used."""
    for span in those:
        while span:
            yield span
            span = (span.get("expansion") or {}).get("span")


def drawn(tree, count, seed):
    """Mutants by number, at most one in a line, that compile."""
    lot = random.Random(seed)
    pool = candidates(tree)
    lot.shuffle(pool)
    mutants, taken, number = {}, set(), FIRST
    for _ in range(12):
        while len(mutants) < count and pool:
            path, index, way = pool.pop()
            if (path, index) not in taken:
                taken.add((path, index))
                mutants[number] = (path, index, way)
                number += 1
        plant(tree, mutants)
        said = cargo(tree, "check", "--lib")
        wrong = set()
        for line in said.stdout.split("\n"):
            message = json.loads(line).get("message") if line.startswith("{") else None
            if message and message.get("level") == "error":
                wrong |= {(os.path.join(tree, span["file_name"]), span["line_start"] - 1) for span in spans(message["spans"])}
        bad = [number for number, (path, index, _) in mutants.items() if (path, index) in wrong]
        # A mutant may make a type unknown that is used some lines below.
        bad = bad or [number for number, (path, index, _) in mutants.items() if any(file == path and index < line <= index + 10 for file, line in wrong)]
        if said.returncode == 0:
            return mutants
        if not bad:
            sys.exit("ci/mutated.py: the copy does not compile, and not for a mutant:\n" + said.stderr[-2000:])
        for number_of_bad in bad:
            path = mutants.pop(number_of_bad)[0]
            shutil.copy2(os.path.join(ROOT, os.path.relpath(path, tree)), path)
    sys.exit("ci/mutated.py: too many mutants do not compile")


def run(command, number, folder, patience, processor, **more):
    environment = dict(os.environ, BARROW_PLANTED=str(number), BARROW_TEST_SLOW="1", BARROW_MODEL_SHRINK="0", RUST_BACKTRACE="0", **more)
    # A session of its own: what it has started ends with it.
    process = subprocess.Popen(["taskset", "-c", str(processor), *command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        return process.wait(patience)
    except subprocess.TimeoutExpired:
        return "too long"
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()


def finders(tree, programs):
    """Name, and what runs it, given number, patience and processor: it gives 0 when all is well."""
    built = {}
    for line in cargo(tree, "test", "--no-run", "--lib", "--test", "model").stdout.split("\n"):
        artifact = json.loads(line) if line.startswith("{") else {}
        if artifact.get("executable"):
            built[artifact["target"]["name"]] = artifact["executable"]
    cargo(tree, "build", "--lib")
    library, place = os.path.join(ROOT, "target/mutated/build/debug"), os.path.join(ROOT, "target/mutated/c-tests")
    names = [name for name in open(os.path.join(tree, "c-tests/list.txt")).read().split() if name not in SLOW]
    script = os.path.join(tree, "c-tests/run.sh")
    return [
        ("random programs", lambda *how: run([built["model"], "heaps"], how[0], tree, *how[1:], BARROW_MODEL_PROGRAMS=str(programs))),
        ("the library's tests", lambda *how: run([built["barrow"]], how[0], tree, *how[1:])),
        ("C programs", lambda *how: run([script, "small"], how[0], tree, *how[1:], TESTS=" ".join(names), BARROW_LIB=library,
                                        BARROW_BUILD=f"{place}-{how[2]}", BARROW_PATIENCE="60", BARROW_JOBS="1")),
    ]


def timed(finders, processor):
    """The finders with their patience, by runs without a mutant."""
    for name, look in finders:
        begun = time.monotonic()
        # The first run of the C programs on a processor compiles them.
        for again in range(2 if name == "C programs" else 1):
            begun = time.monotonic()
            if look(0, 3600, processor) != 0:
                sys.exit(f"ci/mutated.py: {name} fail without a mutant")
        spent = time.monotonic() - begun
        print(f"without a mutant, {name} take {spent:.0f} s", flush=True)
        yield name, look, max(LEAST_PATIENCE, PATIENCE * spent)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--count", type=int, default=300)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--programs", type=int, default=1500)
    arguments.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments.add_argument("--list", action="store_true")
    given = arguments.parse_args()
    tree = os.path.join(ROOT, "target/mutated/tree")
    os.makedirs(tree, exist_ok=True)
    copy(tree)
    if given.list:
        pool = candidates(tree)
        print("\n".join(f"{os.path.relpath(path, tree)}:{index + 1}: {way.strip()}" for path, index, way in pool))
        print(f"{len(pool)} places")
        return
    mutants = drawn(tree, given.count, given.seed)
    processors = sorted(os.sched_getaffinity(0))[: given.jobs]
    looks = list(timed(finders(tree, given.programs), processors[0]))
    free = queue.SimpleQueue()
    for processor in processors:
        free.put(processor)

    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    told = os.path.join(ROOT, f"target/mutated/told-{head[:12]}-{given.seed}-{given.count}")
    known = dict(line.rstrip("\n").split("\t") for line in open(told)) if os.path.exists(told) else {}

    def fate(number):
        if str(number) in known:
            return known[str(number)]
        processor = free.get()
        try:
            for name, look, patience in looks:
                said = look(number, patience, processor)
                if said != 0:
                    return f"found by {name} ({said})"
            return ""
        finally:
            free.put(processor)

    left, found = dict(mutants), 0
    with concurrent.futures.ThreadPoolExecutor(len(processors)) as pool, open(told, "a") as told:
        for number, said in zip(mutants, pool.map(fate, mutants)):
            path, index, _ = mutants[number]
            print(f"{number} {os.path.relpath(path, tree)}:{index + 1}: {said or 'SURVIVES'}", flush=True)
            if str(number) not in known:
                print(number, said, sep="\t", file=told, flush=True)
            if said:
                found += 1
                left.pop(number)
    for number, (path, index, way) in left.items():
        print(f"SURVIVES {os.path.relpath(path, tree)}:{index + 1}: {way.strip().replace('planted!(N, ', 'planted!(')}")
    print(f"mutants: {found} of {len(mutants)} found")


main()
