#!/usr/bin/env python3
"""How many mistakes of a port are found: pushes, slots and barriers of examples-c/minic, lisp and lazy are taken away, one in
each mutant, and the mutant runs a small test once, with --stress=1 -DS -DB --faults.

    ci/mutants.py [--count N] [--seed N] [--jobs N] [--only WORD] [--part K/N] [--list]

A mutant is found when its run ends otherwise than the right program's: with a sentence of the library, or with wrong output. The
sentence is good when it names the type of an object and a place that refers to it. Of the mutants whose code the test runs, and whose
roots somebody needs, 95 in a hundred are to be found, 85 with a good sentence. BARROW_LIB is the folder of
libbarrow.a; without it, cargo builds it. Its end says which mutants were missed.
"""
import argparse, concurrent.futures, os, random, re, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FLAGS = "--stress=1 -DS -DB --faults".split()
FOUND_BAR, NAMED_BAR = 95, 85
LIBRARIES = ["-lpthread", "-ldl", "-lm", "-lrt", "-lutil"]


def functions(text):
    """The spans of functions: from a line at the left edge that ends with a brace to the brace at the left edge."""
    for match in re.finditer(r"^[A-Za-z][^\n;]*\{\n.*?^\}\n", text, re.S | re.M):
        yield match.span()


def arguments(text, at):
    """The arguments of the call whose parenthesis is at `at`, and the position behind it."""
    depth, begin, parts = 0, at + 1, []
    for i in range(at, len(text)):
        if text[i] in "([{":
            depth += 1
        elif text[i] in ")]}":
            depth -= 1
            if depth == 0:
                return parts + [text[begin:i].strip()], i + 1
        elif text[i] == "," and depth == 1:
            parts.append(text[begin:i].strip())
            begin = i + 1
    raise ValueError("a call has no end")


def line_of(text, at):
    return text.count("\n", 0, at) + 1


def points_in(path, text, enter, leave, barriers):
    """The mutants of a file: what is taken away, and the text without it."""
    for begin, end in functions(text):
        body = text[begin:end]
        for match in re.finditer(enter, body):
            roots = match.group("roots")
            watch = "mutant_watch((barrow_frame *)(void *)&(%s) + 1, sizeof %s - sizeof(barrow_frame))" % (roots, roots)
            push = "mutant_ran(), memset(&(%s), 0, sizeof %s), %s" % (roots, roots, watch) if "ENTER" in match.group(0) else "mutant_ran(), " + watch
            new = body[: match.start()] + push + body[match.end() :]
            new = re.sub(leave % re.escape(roots), "mutant_forget((barrow_frame *)(void *)&(%s) + 1)" % roots, new)
            yield ("push", path, line_of(text, begin + match.start()), text[:begin] + new + text[end:])
        for match in re.finditer(r"struct \{ barrow_frame frame; ([^}]*;) \} (\w+);", body):
            for declaration in re.finditer(r"(\w+ \**)([^;]*);", match.group(1)):
                names = [name.strip() for name in declaration.group(2).split(",")]
                kind = declaration.group(1).rstrip("* ")
                for name in names:
                    bare = name.lstrip("*")
                    stars = name[: len(name) - len(bare)] + ("*" if "*" in declaration.group(1) else "")
                    use = re.compile(r"\b%s\.%s\b" % (match.group(2), bare))
                    if not use.search(body):
                        continue
                    rest = [other for other in names if other != name] or ["barrow_nothing"]
                    if rest == ["barrow_nothing"]:
                        fields = match.group(1).replace(declaration.group(0), "barrow_word *barrow_nothing;" if "word" not in kind and "value" not in kind else kind + " barrow_nothing;")
                    else:
                        fields = match.group(1).replace(declaration.group(0), declaration.group(1) + ", ".join(rest) + ";")
                    frame = "struct { barrow_frame frame; %s } %s;" % (fields, match.group(2))
                    if rest == ["barrow_nothing"] and "PUSH" in enter:
                        frame = frame[:-1] + " = {{0, 0}, 0};"
                    new = body[: match.start()] + frame + " %s %sunrooted_%s WATCHED = 0; mutant_ran(); mutant_watch(&unrooted_%s, sizeof unrooted_%s);" % (kind, stars, bare, bare, bare) + body[match.end() :]
                    new = use.sub("unrooted_" + bare, new)
                    yield ("slot " + bare, path, line_of(text, begin + match.start()), text[:begin] + new + text[end:])
    for name, store in barriers.items():
        for match in re.finditer(r"(?<![\w])%s(?=\()" % name, text):
            if text[: match.start()].rfind("\n#define") > text[: match.start()].rfind("\n\n"):
                continue
            if re.match(r"(void|static|value)\b", text[text.rfind("\n", 0, match.start()) + 1 :]):
                continue
            parts, end = arguments(text, match.end())
            new = text[: match.start()] + store(parts) + text[end:]
            yield ("barrier", path, line_of(text, match.start()), new)


def stored(mutator, owner, field, value):
    """A store without a barrier."""
    return "mutant_store(%s, (barrow_word)(%s), (void *)(%s), (barrow_word)(%s))" % (mutator, owner, field, value)


class Program:
    """A program with a small test: its sources, how it is compiled, and the runs that it is tried by."""

    def __init__(self, name, sources, mutated, command, expected, own_flags):
        self.name, self.sources, self.mutated = name, sources, mutated
        self.command, self.expected, self.own_flags = command, expected, own_flags


def read(path):
    with open(path) as file:
        return file.read()


def lisp(work):
    folder = ROOT + "/examples-c/lisp"
    names = sorted(n for n in os.listdir(folder) if n.endswith(".c"))
    test = os.path.join(work, "test.scm")
    with open(test, "w") as file:
        file.write(read(ROOT + "/examples-c/lisp/mutants.scm"))
    program = Program("lisp", [folder + "/" + n for n in names], {}, lambda exe: [exe, test, "+RTS"] + FLAGS, None, None)
    barriers = {"set_field": lambda a: stored("(%s)->m" % a[0], *a[1:])}
    points = []
    for name in names:
        if name in ("suite.c", "main.c", "prelude.c"):
            continue
        path = folder + "/" + name
        points += points_in(path, read(path), r"\bENTER\(s, (?P<roots>\w+)\)", r"\bLEAVE\(s, %s\)", barriers)
    return program, points


def lazy(work, name, replaced, words):
    folder = ROOT + "/examples-c/lazy"
    path = folder + "/%s.c" % name
    text = read(path)
    for old, new in replaced:
        assert old in text, (name, old)
        text = text.replace(old, new)
    program = Program("lazy/" + name, [path], {path: text}, lambda exe: [exe] + words + ["+RTS"] + FLAGS, None, None)
    barriers = {"barrow_write": lambda a: stored(*a)}
    points = []
    for file in (path, folder + "/lazy.h"):
        whole = text if file == path else read(file)
        points += points_in(file, whole, r"\bBARROW_(ENTER|PUSH)\(m, (?P<roots>\w+)\)", r"\bBARROW_LEAVE\(m, %s\)", barriers)
    return program, points


def minic(work, compiler, name, replaced):
    folder = ROOT + "/examples-c/minic"
    source = os.path.join(work, name + ".mc")
    text = read(folder + "/programs/%s.mc" % name)
    for old, new in replaced:
        assert old in text, (name, old)
        text = text.replace(old, new)
    with open(source, "w") as file:
        file.write(text)
    made = subprocess.run([compiler, "c", source], capture_output=True, text=True, check=True).stdout
    path, runtime = os.path.join(work, name + ".c"), folder + "/runtime.c"
    program = Program("minic/" + name, [path, runtime], {path: made}, lambda exe: [exe] + FLAGS, None, None)
    points = []
    for begin, end in functions(made):
        body = made[begin:end]
        entry = re.search(r"\bENTER\((\d+)\);", body)
        if not entry:
            continue
        new = body.replace(entry.group(0), "ENTER_UNROOTED(%s);" % entry.group(1)).replace("LEAVE(", "LEAVE_UNROOTED(")
        points.append(("push", path, line_of(made, begin), made[:begin] + new + made[end:]))
        for slot in sorted(set(re.findall(r"\bV\(\d+\)", body))):
            new = body.replace(entry.group(0), entry.group(0) + " W unrooted WATCHED = NUMBER(0); mutant_ran(); mutant_watch(&unrooted, sizeof unrooted);").replace(slot, "unrooted")
            points.append(("slot " + slot, path, line_of(made, begin), made[:begin] + new + made[end:]))
    whole = read(runtime)
    barriers = {"barrow_write_word": lambda a: stored(*a)}
    points += points_in(runtime, whole, r"\bBARROW_PUSH\(m, (?P<roots>\w+)\)", r"\bBARROW_LEAVE\(m, %s\)", barriers)
    return program, points


# Code that was mutated leaves a file, so that mutants which the test does not run are told from those that nothing found.
#
# A mutant that nothing finds may be none, and two rules tell. A slot that is needed after no allocation need not be a root: so the
# mutant runs once more with MUTANT_CLOBBERS, where each call that may collect overwrites the references that are in no root any more,
# and when the output is as ever even then, nobody reads them afterwards. And a store into a young object, or of what is no address in
# the heap, needs no barrier: `mutant_store` leaves another file when a store does.
RAN = """
#include <barrow/inline.h>
#include <stdio.h>
#include <stdlib.h>
void mutant_ran(void);
void mutant_watch(void *at, size_t bytes);
void mutant_forget(void *at);
void mutant_store(barrow_mutator *m, barrow_word owner, barrow_word *field, barrow_word value);
static void leave_file(const char *name, int *before) {
  FILE *file = (*before)++ ? NULL : fopen(name, "w");
  if (file) fclose(file);
}
void mutant_ran(void) {
  static int ran;
  leave_file("ran", &ran);
}
/* A store needs its barrier when it makes an old object refer into the heap. */
void mutant_store(barrow_mutator *m, barrow_word owner, barrow_word *field, barrow_word value) {
  static int needed;
  void *from = (void *)(owner & ~(barrow_word)7), *to = (void *)(value & ~(barrow_word)7);
  mutant_ran();
  if (barrow_generation_of(barrow_heap_of(m), from) != 0 && barrow_in_heap(barrow_heap_of(m), to)) leave_file("needed", &needed);
  *field = value;
}
static struct { char *at; size_t bytes; barrow_word refers; } watched[4096];
static size_t count;
void mutant_forget(void *at) {
  size_t i, kept = 0;
  for (i = 0; i < count; i++) if (watched[i].at != at) watched[kept++] = watched[i];
  count = kept;
}
void mutant_watch(void *at, size_t bytes) {
  mutant_forget(at);
  if (count < 4096) watched[count].at = at, watched[count++].bytes = bytes;
}
#ifdef MUTANT_CLOBBERS
/* Before a call that may collect: which words refer into the heap. Numbers, constants and statics need no root. */
static void look(barrow_mutator *m) {
  size_t i, k;
  for (i = 0; i < count; i++) {
    watched[i].refers = 0;
    for (k = 0; k < watched[i].bytes / 8 && k < 64; k++)
      if (barrow_in_heap(barrow_heap_of(m), (void *)(((barrow_word *)watched[i].at)[k] & ~(barrow_word)7)))
        watched[i].refers |= (barrow_word)1 << k;
  }
}
static void clobber(void) {
  size_t i, kept = 0, k;
  char here;
  for (i = 0; i < count; i++) {
    if (watched[i].at < &here) continue; /* a frame that was left otherwise */
    for (k = 0; k < watched[i].bytes / 8 && k < 64; k++)
      if (watched[i].refers >> k & 1) ((barrow_word *)watched[i].at)[k] = MUTANT_CLOBBERS;
    watched[kept++] = watched[i];
  }
  count = kept;
}
barrow_word *__real_barrow_alloc_slow(barrow_mutator *m, size_t words);
barrow_word *__wrap_barrow_alloc_slow(barrow_mutator *m, size_t words);
barrow_word *__wrap_barrow_alloc_slow(barrow_mutator *m, size_t words) {
  barrow_word *made;
  look(m);
  made = __real_barrow_alloc_slow(m, words);
  clobber();
  return made;
}
bool __real_barrow_reserve_slow(barrow_mutator *m, size_t words);
bool __wrap_barrow_reserve_slow(barrow_mutator *m, size_t words);
bool __wrap_barrow_reserve_slow(barrow_mutator *m, size_t words) {
  bool made;
  look(m);
  made = __real_barrow_reserve_slow(m, words);
  clobber();
  return made;
}
barrow_status __real_barrow_collect(barrow_mutator *m, bool major);
barrow_status __wrap_barrow_collect(barrow_mutator *m, bool major);
barrow_status __wrap_barrow_collect(barrow_mutator *m, bool major) {
  barrow_status status;
  look(m);
  status = __real_barrow_collect(m, major);
  clobber();
  return status;
}
#endif
"""
WRAPPED = ["-Wl,--wrap=barrow_%s" % name for name in ("alloc_slow", "reserve_slow", "collect")]
UNROOTED = """
#define ENTER_UNROOTED(n) struct { barrow_frame frame; W v[n]; } r; size_t root; \\
  for (root = 0; root < n; root++) r.v[root] = NUMBER(0); mutant_ran(); mutant_watch(r.v, sizeof r.v); LEAVES_NO_CENTRE
#define LEAVE_UNROOTED(value) do { W given = (value); \\
  if (before != barrow_ccs_current(m)) barrow_ccs_leave(m, before); mutant_forget(r.v); return given; } while (0)
"""


def build(program, library, folder, point, clobbers=None):
    """Compiles a program, of which one file may be another text. The program's path, or None."""
    os.makedirs(folder, exist_ok=True)
    sources, changed = [], dict(program.mutated)
    if point:
        changed[point[1]] = point[3]
    for source in program.sources:
        if source in changed:
            name = os.path.join(folder, os.path.basename(source))
            with open(name, "w") as file:
                file.write(changed[source].replace('#include "minic.h"', '#include "minic.h"\n' + UNROOTED, 1))
            sources.append(name)
        else:
            sources.append(source)
    includes = ["-I" + folder]
    for source, text in changed.items():
        if source.endswith(".h"):
            with open(os.path.join(folder, os.path.basename(source)), "w") as file:
                file.write(text)
            # The file that includes it looks in its own folder first.
            for own in program.sources:
                name = os.path.join(folder, os.path.basename(own))
                with open(name, "w") as file:
                    file.write(changed.get(own) or read(own))
            sources = [os.path.join(folder, os.path.basename(own)) for own in program.sources]
    includes += ["-I" + ROOT + "/include"] + ["-I" + ROOT + "/examples-c/" + d for d in ("minic", "lisp", "lazy")]
    exe, ran = os.path.join(folder, "program"), os.path.join(folder, "ran.c")
    with open(ran, "w") as file:
        file.write(RAN)
    more = ["-DWATCHED=__attribute__((cleanup(mutant_forget)))", "-include", os.path.join(folder, "mutant.h")]
    with open(os.path.join(folder, "mutant.h"), "w") as file:
        file.write("#include <barrow/inline.h>\nvoid mutant_ran(void); void mutant_watch(void *at, size_t bytes); void mutant_forget(void *at);\n"
                   "void mutant_store(barrow_mutator *m, barrow_word owner, barrow_word *field, barrow_word value);\n")
    if clobbers:
        more += ["-DMUTANT_CLOBBERS=((barrow_word)%s)" % clobbers] + WRAPPED
    done = subprocess.run(["cc", "-std=c99", "-O1", "-g", "-w", *more, *includes, *sources, ran, "-o", exe, library, *LIBRARIES], capture_output=True, text=True)
    if done.returncode != 0:
        return None, done.stderr
    return exe, ""


def run(program, exe, seconds, flags=None):
    command = program.command(exe)
    try:
        done = subprocess.run(command[: len(command) - len(FLAGS)] + (flags or FLAGS), capture_output=True, timeout=seconds, stdin=subprocess.DEVNULL, cwd=os.path.dirname(exe))
        return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")
    except subprocess.TimeoutExpired as late:
        return "too long", b"", (late.stderr or b"").decode("utf-8", "replace")


PLACE = re.compile(r"field \d+ of the object|the root |word \d+ of the root|of the shadow stack|a variable of|in a register|word of the stack|argument of this call")
TYPE = re.compile(r", an? [\w./<>-]+|\([\w./<>-]+\)|\([\w./<> -]+, kind \d+[^)]*\)|of \w+ \(")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--count", type=int, default=160)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--seconds", type=int, default=300)
    options.add_argument("--only", default="")
    options.add_argument("--part", default="0/1", help="which part of how many is run")
    options.add_argument("--list", action="store_true")
    chosen = options.parse_args()
    folder = os.environ.get("BARROW_LIB")
    if not folder:
        subprocess.run(["cargo", "build", "-q", "--lib"], cwd=ROOT, check=True)
        folder = os.environ.get("CARGO_TARGET_DIR", ROOT + "/target") + "/debug"
    library = os.path.abspath(folder + "/libbarrow.a")
    work = tempfile.mkdtemp(prefix="mutants-")
    compiler = work + "/minic"
    here = ROOT + "/examples-c/minic/"
    names = "minic read define expressions operations coverage functions".split()
    subprocess.run(["cc", "-std=c99", "-O1", "-w", "-I" + ROOT + "/include", *[here + n + ".c" for n in names], "-o", compiler, library, *LIBRARIES], check=True)
    programs = [
        lisp(work),
        lazy(work, "updates", [("TABLE = 20000", "TABLE = 150")], ["2"]),
        lazy(work, "map", [], ["250"]),
        lazy(work, "sieve", [], ["20"]),
        lazy(work, "selectors", [("LENGTH = 1000", "LENGTH = 30")], ["16"]),
        lazy(work, "leak", [], ["50"]),
        minic(work, compiler, "queens", [("(solve 8 0", "(solve 5 0"), ("(print (count found))", 4 * "(print (count found))")]),
        minic(work, compiler, "map", [("(fill 500 2000", "(fill 5 40")]),
        minic(work, compiler, "sieve", [("(array 20000 1)", "(array 100 1)"), ("yes 2 400", "yes 2 40")]),
    ]
    points = [(program, point) for program, some in programs for point in some if chosen.only in "%s %s:%d %s" % (program.name, os.path.basename(point[1]), point[2], point[0])]
    if chosen.list:
        for program, point in points:
            print(program.name, os.path.basename(point[1]), point[2], point[0])
        return 0
    print("seed %d: %d of %d mutants" % (chosen.seed, min(chosen.count, len(points)), len(points)), flush=True)
    # Every n-th from a place that the seed chooses, so that each part of each program has its share.
    step = max(len(points) / chosen.count, 1)
    begin = random.Random(chosen.seed).random() * step
    drawn = [points[int(begin + i * step)] for i in range(min(chosen.count, len(points))) if int(begin + i * step) < len(points)]
    part, parts = map(int, chosen.part.split("/"))
    drawn = drawn[part % parts :: parts]
    for program in {id(p): p for p, _ in drawn}.values():
        exe, why = build(program, library, work + "/right-" + program.name.replace("/", "-"), None)
        if not exe:
            sys.exit("%s does not compile: %s" % (program.name, why))
        code, program.expected, said = run(program, exe, chosen.seconds * 2)
        if code != 0 or "barrow:" in said:
            sys.exit("%s is wrong without a mutant: %s %s" % (program.name, code, said[-400:]))
    tried = found = named = 0

    def one(number):
        program, point = drawn[number]
        exe, why = build(program, library, "%s/%d" % (work, number), point)
        return (number, None, b"", why) if not exe else (number, *run(program, exe, chosen.seconds))

    with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        for number, code, out, said in pool.map(one, range(len(drawn))):
            program, point = drawn[number]
            what = "%s %s:%d %s" % (program.name, os.path.basename(point[1]), point[2], point[0])
            if code is None:
                print("no program:  %s: %s" % (what, said.splitlines()[0] if said else ""), flush=True)
                continue
            if not os.path.exists("%s/%d/ran" % (work, number)):
                print("not run  %s" % what, flush=True)
                continue
            # A client may print the library's sentence without the library's name.
            sentences = [line for line in said.splitlines() if re.search(r"barrow: |0x[0-9a-f]{6}", line)]
            is_found = bool(sentences) or code != 0 or out != program.expected
            is_named = any(PLACE.search(line) and TYPE.search(line) for line in sentences)
            if not is_found:
                clobbers = "0xdeadbeefdeadbee9" if program.name == "lisp" else "0xdeadbeefdeadbee8"
                exe, why = build(program, library, "%s/%d-clobbers" % (work, number), point, clobbers)
                if point[0] != "barrier" and exe and run(program, exe, chosen.seconds, ["--stress=1"])[:2] == (0, program.expected):
                    print("needless %s: nobody reads it after an allocation" % what, flush=True)
                    continue
                if point[0] == "barrier" and not os.path.exists("%s/%d/needed" % (work, number)):
                    print("needless %s: no old object comes to refer into the heap" % what, flush=True)
                    continue
            tried, found, named = tried + 1, found + is_found, named + is_named
            how = "named" if is_named else "found" if is_found else "MISSED"
            text = sentences[-1] if sentences else "code %s, output %s" % (code, "as ever" if out == program.expected else "wrong")
            print("%-7s %s: %s" % (how, what, text[:330]), flush=True)
    subprocess.run(["rm", "-rf", work])
    if not tried:
        sys.exit("no mutant could be tried")
    print("seed %d: %d mutants, %d found (%.0f %%), %d with type and place (%.0f %%)" % (chosen.seed, tried, found, 100 * found / tried, named, 100 * named / tried))
    # One mutant of a small part may be the one that is missed among all.
    allowed = 1 if parts > 1 else 0
    return 0 if 100 * (found + allowed) >= FOUND_BAR * tried and 100 * (named + allowed) >= NAMED_BAR * tried else 1


if __name__ == "__main__":
    sys.exit(main())
