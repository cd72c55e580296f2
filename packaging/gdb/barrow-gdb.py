"""Commands for gdb that know the heap: objects, info tables, generations, why something is alive, who moved it.

    (gdb) source barrow-gdb.py          unless gdb has loaded it with libbarrow.so
    (gdb) barrow object ADDRESS         what lies there: its table, its fields, its generation
    (gdb) barrow info ADDRESS           an info table
    (gdb) barrow frames                 the roots of the shadow stack
    (gdb) barrow why ADDRESS            why is it alive: the way from a root to it
    (gdb) barrow moved ADDRESS          in checking mode: who moved it last, and where to
    (gdb) barrow use MUTATOR            whose heap; without it, a variable of type barrow_mutator * is looked for

An ADDRESS is any expression: a pointer, a number, a tagged word, or a variable that is a struct, whose address is meant then.
`object`, `info` and `frames` only read memory, so that they work on a core file; `why` and `moved` call the library. Tagged
words are followed by the rule of the mutator's heap. docs/debugging.md of Barrow says which command to use when.
"""

import struct

import gdb

# These are frozen by the ABI: include/barrow.h, checked by ci/debug-check.sh.
KINDS = {
    1: "CONSTR", 2: "MUT_VAR", 3: "BITMAP", 4: "BITMAP_LARGE", 5: "TAGGED", 8: "SIZED", 9: "ARRAY", 10: "ARRAY_FROZEN",
    11: "STRUCTS", 12: "BYTES", 13: "CUSTOM", 14: "WEAK_ARRAY", 32: "THUNK", 33: "SELECTOR", 34: "IND", 35: "IND_PERM", 36: "IND_OLDGEN",
    37: "IND_OLDGEN_PERM", 38: "BLACKHOLE", 39: "CAF_BLACKHOLE", 40: "FUN", 41: "PAP", 42: "AP", 43: "CONSTR_STATIC",
    44: "FUN_STATIC", 45: "THUNK_STATIC", 46: "IND_STATIC", 47: "CONSTR_NOCAF_STATIC", 48: "WEAK", 49: "STACK",
    50: "THREAD", 51: "STABLE_NAME", 52: "RETURN_FRAME", 53: "UPDATE_FRAME", 54: "CATCH_FRAME", 55: "STOP_FRAME",
}
NUMBERS = {name: number for number, name in KINDS.items()}
INFO = struct.Struct("<HHIQBBHIIIQQQQQ")
FLAGS = {1: "mutable", 2: "notify moved", 4: "tail of pointers", 8: "tail of tagged words", 16: "shortcut",
         32: "inherently used", 64: "retainer"}
MEGABLOCK, LOG_BLOCK, DESCRIPTOR = 1 << 20, 12, 64
# Offsets in barrow_window, with which a mutator begins.
WINDOW = {"frames": 16, "heap_base": 24, "heap_length": 32, "tagged_pointers": 112, "address_mask": 120, "address_offset": 128}
FRAME_TAGGED = 1 << 63
WORD, ADDRESS_BITS = (1 << 64) - 1, 48
MOST_FIELDS = 40


def memory(address, count):
    return bytes(gdb.selected_inferior().read_memory(address, count))


def word(address):
    return struct.unpack("<Q", memory(address, 8))[0]


def text(address):
    if not address:
        return None
    out = b""
    while b"\0" not in out and len(out) < 1000:
        out += memory(address + len(out), 16 - (address + len(out)) % 16)
    return out.split(b"\0")[0].decode("utf-8", "replace")


class Info:
    """An info table, as it lies in the client's data."""

    def __init__(self, address):
        self.address = address
        try:
            fields = memory(address, INFO.size)
        except gdb.MemoryError:
            raise gdb.GdbError("there is no info table at %#x: no memory can be read there" % address) from None
        (self.size, self.version, self.id, self.entry, self.kind, self.flags, self.field, self.ptrs, self.words, _,
         self.bitmap, self.large, self.custom, self.srt, names) = INFO.unpack(fields)
        if address % 8 or self.size < INFO.size or self.version != 1 or self.kind not in KINDS:
            raise gdb.GdbError("there is no info table at %#x" % address)
        self.names = [text(at) for at in struct.unpack("<4Q", memory(names, 32))] if names else [None] * 4

    def name(self):
        description, kind, _, _ = self.names
        return description or kind or "(no name)"

    def __str__(self):
        description, kind, module, source = self.names
        more = [("type", kind), ("module", module), ("from", source)]
        flags = [name for bit, name in FLAGS.items() if self.flags & bit]
        return "%s: BARROW_%s, %d pointers, %d words%s%s; table %#x, number %d" % (
            description or "(no name)", KINDS[self.kind], self.ptrs, self.words,
            "".join(", %s %s" % pair for pair in more if pair[1]),
            ", " + ", ".join(flags) if flags else "", self.address, self.id)


class Object:
    """An object in the heap or a static."""

    def __init__(self, address):
        self.address = address & ~7
        try:
            header = word(self.address)
        except gdb.MemoryError:
            raise gdb.GdbError("there is no object at %#x: no memory can be read there" % address) from None
        if header & 1:
            raise gdb.GdbError("the object at %#x was moved to %#x" % (self.address, header & ~7))
        self.info = Info(header & ~7)

    def at(self, index):
        return word(self.address + 8 * index)

    def is_kind(self, *names):
        return self.info.kind in [NUMBERS[name] for name in names]

    def words(self):
        """How many there are, and how many of them lie before the fields that the table counts."""
        info = self.info
        if self.is_kind("ARRAY", "ARRAY_FROZEN"):
            return 2 + self.at(1), 2
        if self.is_kind("BYTES"):
            return 2 + (self.at(1) + 7) // 8, 2
        if self.is_kind("STRUCTS"):
            return 2 + self.at(1) * info.words, 2
        if self.is_kind("SIZED"):
            return 1 + info.ptrs + info.words + self.at(1 + info.field), 1
        if self.is_kind("WEAK"):
            return 4, 1
        if self.is_kind("WEAK_ARRAY"):
            return 3 + self.at(1), 3
        if self.is_kind("THUNK", "SELECTOR"):
            return 2 + info.ptrs + info.words, 2
        return 1 + info.ptrs + info.words, 1

    def sort(self, index, first):
        """What the table says of a word: a reference, a tagged word, or nothing."""
        info, n = self.info, index - first
        if n < 0:
            return ""
        if self.is_kind("BITMAP"):
            return "reference" if info.bitmap >> n & 1 else ""
        if self.is_kind("BITMAP_LARGE"):
            return "reference" if word(word(info.large + 8) + n // 64 * 8) >> n % 64 & 1 else ""
        if self.is_kind("STRUCTS"):
            return "reference" if info.bitmap >> n % info.words & 1 else ""
        if self.is_kind("BYTES", "CUSTOM", "STACK", "PAP", "AP"):
            return ""
        if self.is_kind("ARRAY", "ARRAY_FROZEN", "WEAK_ARRAY"):
            return "tagged" if info.flags & 8 else "reference"
        if self.is_kind("WEAK"):
            return "reference" if n < 3 else ""
        if n >= info.ptrs + info.words:
            return "tagged" if info.flags & 8 else "reference" if info.flags & 4 else ""
        if n < info.ptrs:
            return "tagged" if self.is_kind("TAGGED") else "reference"
        return ""

    def place(self):
        """Generation and step by the block's descriptor; None for what is not in a heap's block."""
        try:
            megablock = self.address & ~(MEGABLOCK - 1)
            at = megablock + (self.address - megablock >> LOG_BLOCK) * DESCRIPTOR
            start, free, _, generation, step, flags, link = struct.unpack("<QQIBBHQ", memory(at, 32))
            if start != self.address & ~4095:
                return None
            if not free:
                generation, step, flags = struct.unpack("<BBH", memory(link + 20, 4))
            sort = "large" if flags & 2 else "pinned" if flags & 4 else "moving"
            return "generation %d, step %d, %s" % (generation, step, sort)
        except gdb.MemoryError:
            return None

    def show(self):
        rule = Rule.known()
        print("%#x is %s" % (self.address, self.info))
        words, first = self.words()
        print("  %d words, %s" % (words, self.place() or "not in a heap"))
        for index in range(1, min(words, MOST_FIELDS)):
            value, sort = self.at(index), self.sort(index, first)
            print("  [%d] %#x%s" % (index, value, describe(value, sort, rule)))
        if words > MOST_FIELDS:
            print("  ... %d more words" % (words - MOST_FIELDS))


class Rule:
    """Which tagged words of a heap are references, and to where: docs/values.md."""

    def __init__(self, mutator):
        self.tags, self.mask, self.offset, self.base, self.length = [
            word(mutator + WINDOW[field])
            for field in ("tagged_pointers", "address_mask", "address_offset", "heap_base", "heap_length")]

    @staticmethod
    def known():
        """The rule of the mutator's heap, or None where no mutator is found."""
        try:
            return Rule(Library.mutator())
        except (gdb.error, gdb.GdbError):
            return None

    def address(self, value):
        """The address in a tagged word; None when the word is no reference."""
        return (value & self.mask) + self.offset & WORD if self.tags >> (value & 15) & 1 else None

    def is_elsewhere(self, address):
        """Whether the heap cannot have this address. A heap in chunks, whose length is 0, may have any that programs have."""
        return address >> ADDRESS_BITS != 0 or self.length != 0 and (address - self.base & WORD) >= self.length


def describe(value, sort, rule):
    """What is printed behind a word, by its sort."""
    if not sort:
        return " (number)"
    if not value:
        return ""
    if sort == "tagged":
        if rule is None:
            return " (tagged)"
        value = rule.address(value)
        if value is None:
            return " (no reference)"
    try:
        return " -> " + Object(value).info.name()
    except (gdb.error, gdb.GdbError) as wrong:
        # The heap leaves such words alone: it may be a double, of a NaN-boxing client.
        if sort == "tagged" and rule.is_elsewhere(value):
            return " (no reference into the heap)"
        return " -> ? (%s)" % wrong


def value_of(expression):
    """A word by its expression. A struct, an array or a function stands for its address."""
    if not expression:
        raise gdb.GdbError("an address is needed")
    value = gdb.parse_and_eval(expression)
    if value.is_optimized_out:
        raise gdb.GdbError("the compiler has left no value of `%s` here: give it as a number" % expression)
    if value.type.strip_typedefs().code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        value = value.referenced_value()
    code = value.type.strip_typedefs().code
    if code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION, gdb.TYPE_CODE_ARRAY, gdb.TYPE_CODE_FUNC):
        if value.address is None:
            raise gdb.GdbError("`%s` lies nowhere in memory, so it has no address" % expression)
        value = value.address
    elif code == gdb.TYPE_CODE_FLT:
        raise gdb.GdbError("`%s` is no address: it has the type %s" % (expression, value.type))
    return int(value) & WORD


def address_of(expression):
    """An address by its expression, which may be a reference with a tag above the address, where no address has bits."""
    value = value_of(expression)
    rule = Rule.known() if value >> ADDRESS_BITS else None
    address = rule.address(value) if rule else None
    return value if address is None else address


class Library:
    """Calls of the library in the stopped program."""

    chosen = None

    @classmethod
    def mutator(cls):
        if cls.chosen is not None:
            return cls.chosen
        frame = gdb.selected_frame()
        while frame is not None and frame.is_valid():
            try:
                block = frame.block()
            except RuntimeError:
                block = None
            while block is not None:
                for symbol in block:
                    if symbol.is_variable or symbol.is_argument:
                        if str(symbol.type) in ("barrow_mutator *", "struct barrow_mutator *"):
                            value = symbol.value(frame)
                            if not value.is_optimized_out and int(value):
                                return int(value)
                if block.function is not None:
                    break
                block = block.superblock
            frame = frame.older()
        raise gdb.GdbError("no variable here has the type barrow_mutator *: say which with `barrow use EXPRESSION`")

    @staticmethod
    def lets_threads_run():
        if len(gdb.selected_inferior().threads()) > 1 and gdb.parameter("scheduler-locking") == "on":
            raise gdb.GdbError("other threads have to come to a safepoint for this: `set scheduler-locking off`")

    @staticmethod
    def call(name, result, *arguments):
        types = ", ".join(["unsigned long"] * len(arguments))
        call = "((%s (*)(%s))%s)(%s)" % (result, types, name, ", ".join("%dUL" % one for one in arguments))
        return int(gdb.parse_and_eval(call))

    @classmethod
    def system(cls, name):
        """A function of the C library. Debug information may know others of that name, so the longer one comes first."""
        try:
            gdb.parse_and_eval("&__libc_" + name)
            return "__libc_" + name
        except gdb.error:
            return name

    @classmethod
    def asked(cls, name, *arguments, room):
        """The bytes that a function writes through its last arguments. `arguments` may be made from their address."""
        at = cls.call(cls.system("malloc"), "unsigned long", 256)
        try:
            gdb.selected_inferior().write_memory(at, room)
            if cls.call(name, "int", *[one(at) if callable(one) else one for one in arguments]):
                raise gdb.GdbError(text(cls.call("barrow_last_error", "unsigned long")))
            return memory(at, len(room))
        finally:
            cls.call(cls.system("free"), "int", at)


HOLDS = {0: "refers to", 1: "has code that mentions", 2: "is the key of a weak pointer that holds"}


def why(address):
    Library.lets_threads_run()
    answer = Library.asked("barrow_why", Library.mutator(), address, lambda at: at, lambda at: at + 8, room=bytes(16))
    steps, count = struct.unpack("<QQ", answer)
    for index in range(count):
        # A path may be as long as a list.
        if 50 <= index < count - 50:
            if index == 50:
                print("  ... %d more" % (count - 100))
            continue
        object_, slot, name, words, hold, generation = struct.unpack("<QQQQIi", memory(steps + 40 * index, 40))
        called = text(name) or "(no name)"
        if not object_:
            print("root: %s at %#x%s" % (called, slot, variable(slot)))
        elif index == count - 1:
            inside = " and the address is word %d of it" % ((slot - object_) // 8) if slot != object_ else ""
            print("  %#x %s, %d words, generation %d%s" % (object_, called, words, generation, inside))
        else:
            where = " in word %d" % ((slot - object_) // 8) if object_ <= slot < object_ + 8 * words else ""
            print("  %#x %s, generation %d, %s%s" % (object_, called, generation, HOLDS.get(hold, "holds"), where))


def variable(slot):
    """The global that a root lies in, or the function in whose frame it lies, and its thread when that is another one."""
    symbol = gdb.execute("info symbol %d" % slot, to_string=True)
    if not symbol.startswith("No symbol"):
        return " (%s)" % symbol.split(" in section")[0].strip()
    here, selected, nearest, found = gdb.selected_thread(), gdb.selected_frame(), 0, ""
    for thread in gdb.selected_inferior().threads():
        thread.switch()
        frame, owner = gdb.newest_frame(), None
        register = "rsp" if "x86" in frame.architecture().name() else "sp"
        top = int(frame.read_register(register))
        # Of the stacks that begin below it, it is in the nearest one.
        if not nearest < top <= slot:
            continue
        while frame is not None and int(frame.read_register(register)) <= slot:
            frame, owner = frame.older(), frame
        nearest, found = top, " (a variable of %s%s)" % (owner.name(), "" if thread == here else ", thread %d" % thread.num)
    here.switch()
    selected.select()
    return found


MOVED = struct.Struct("<IIQQQQ")


def moved(address):
    known = False
    for name, words in (("barrow_moved_here", "moved it here from %#x"), ("barrow_moved_away", "moved what was here to %#x")):
        room = MOVED.pack(MOVED.size, 0, 0, 0, 0, 0)
        _, generation, collection, from_, to, reason = MOVED.unpack(
            Library.asked(name, Library.mutator(), address, lambda at: at, room=room))
        if collection:
            known = True
            other = from_ if name.endswith("here") else to
            print("collection %d of generations up to %d %s, because: %s" % (collection, generation, words % other, text(reason)))
            print("  (run again with --stop-at=%d to see who asked for it)" % collection)
    if not known:
        print("no recent collection moved anything there or away from there")


def frames():
    mutator = Library.mutator()
    rule, at, depth = Rule(mutator), word(mutator + WINDOW["frames"]), 0
    while at:
        up, count = struct.unpack("<QQ", memory(at, 16))
        print("#%d frame at %#x%s" % (depth, at, variable(at)))
        for index in range(count & ~FRAME_TAGGED):
            value = word(at + 16 + 8 * index)
            print("  [%d] %#x%s" % (index, value, describe(value, "tagged" if count & FRAME_TAGGED else "reference", rule)))
        at, depth = up, depth + 1


class Barrow(gdb.Command):
    """What the heap of Barrow says: barrow object|info|frames|why|moved|use. See `help barrow`."""

    __doc__ = globals()["__doc__"]

    def __init__(self):
        super().__init__("barrow", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, line, from_tty):
        try:
            self.run(line)
        except (gdb.error, gdb.GdbError) as wrong:
            # Without this gdb would call it an exception of Python's: a name that it does not know, memory that is not there.
            raise gdb.GdbError("%s: %s" % (("barrow " + line).strip(), wrong)) from None

    @staticmethod
    def run(line):
        words = line.split(None, 1)
        what, rest = (words + ["", ""])[:2]
        if what == "use":
            Library.chosen = value_of(rest)
        elif what == "object":
            Object(address_of(rest)).show()
        elif what == "info":
            print(Info(value_of(rest)))
        elif what == "why":
            why(address_of(rest))
        elif what == "moved":
            moved(address_of(rest))
        elif what == "frames":
            frames()
        else:
            raise gdb.GdbError("barrow object|info|frames|why|moved|use: `help barrow` says more")


class InfoPrinter:
    """`print some_table` in one line."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        address = self.value.address
        return str(Info(int(address))) if address is not None else "a barrow_info"


def printer(value):
    kind = value.type.strip_typedefs()
    return InfoPrinter(value) if kind.code == gdb.TYPE_CODE_STRUCT and kind.tag == "barrow_info" else None


Barrow()
gdb.pretty_printers.append(printer)
