#!/usr/bin/env python3
"""threads.py: Python threads with a heap each, and then with one heap together, through cffi, which reads barrow.cdef.

    python3 examples-c/hosts/threads.py target/release/libbarrow.so include/barrow/barrow.cdef

A thread waits for Python's lock while another one computes, and cffi gives that lock away in each call. So a thread that
collects waits for the others without it, and these come to their next safepoint.
"""
import sys
import threading

import cffi

c = cffi.FFI()
THREADS, NUMBERS = 4, 20000


class Library:
    def __init__(self, path, declarations):
        with open(declarations) as file:
            c.cdef(file.read())
        self.calls = c.dlopen(path)
        if not self.calls.barrow_function_table(self.calls.BARROW_ABI_MAJOR, 0):
            raise SystemExit("threads: " + self.sentence())
        texts = [c.new("char[]", text) for text in (b"Cons", b"List", b"Host", b"threads.py")]
        names = c.new("barrow_names *", texts)
        self.cell = c.new("barrow_info *", {
            "size": c.sizeof("barrow_info"), "version": self.calls.BARROW_INFO_VERSION, "kind": self.calls.BARROW_CONSTR,
            "ptrs": 1, "words": 1, "names": names})
        self.kept = texts, names

    def sentence(self):
        return c.string(self.calls.barrow_last_error()).decode()

    def check(self, status):
        if status != self.calls.BARROW_OK:
            raise RuntimeError(self.sentence())

    def heap(self, flags):
        """A heap without a mutator."""
        config, flags = c.new("barrow_config *"), c.new("char[]", flags.encode())
        self.check(self.calls.barrow_config_default(config, c.sizeof("barrow_config")))
        config.flags = flags
        heap = c.new("barrow_heap **")
        self.check(self.calls.barrow_heap_new(config, heap, c.NULL))
        return heap[0]


def build(library, mutator, root, factor):
    """Makes a list, whose root is the word `root`, and adds it up."""
    calls = library.calls
    for i in range(NUMBERS):
        cell = c.cast("size_t *", calls.barrow_allocate(mutator, 3))
        if not cell:
            raise MemoryError(library.sentence())
        cell[0], cell[1], cell[2] = int(c.cast("size_t", library.cell)), root[0], i * factor
        root[0] = int(c.cast("size_t", cell))
        if calls.barrow_wants_gc(mutator):
            library.check(calls.barrow_collect(mutator, False))
        library.check(calls.barrow_safepoint(mutator))
    library.check(calls.barrow_collect(mutator, True))
    total, at = 0, root[0]
    while at:
        _, at, value = c.unpack(c.cast("size_t *", at), 3)
        total += value
    return total


def in_a_thread(library, heap, number, sums):
    """Builds with a mutator and a root of this thread's own. Both are given back whatever happens: the heap would write to the root's
    word after Python has freed it, and the others' collections would wait for this thread."""
    mutator, root = c.new("barrow_mutator **"), c.new("size_t *")
    try:
        library.check(library.calls.barrow_attach(heap, mutator))
        try:
            library.check(library.calls.barrow_root_add(heap, c.NULL, c.cast("void *", root), 1, False))
            try:
                sums[number] = build(library, mutator[0], root, number + 1)
            finally:
                library.check(library.calls.barrow_root_remove(heap, c.cast("void *", root)))
        finally:
            library.check(library.calls.barrow_detach(mutator[0]))
    except Exception as error:
        sums[number] = error  # Python would only print it


def in_threads(library, heaps):
    sums = [0] * THREADS
    threads = [threading.Thread(target=in_a_thread, args=(library, heaps[i], i, sums)) for i in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for error in sums:
        if isinstance(error, Exception):
            raise SystemExit(f"threads: {error}")
    return sums


def main(path, declarations, flags=""):
    library = Library(path, declarations)
    heaps = [library.heap(flags) for _ in range(THREADS)]
    print("a heap each:", *in_threads(library, heaps))
    shared = library.heap(f"{flags} --mutators={THREADS}")
    print("one heap:", *in_threads(library, [shared] * THREADS))
    for heap in heaps + [shared]:
        library.check(library.calls.barrow_heap_free(heap))


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["libbarrow.so.0.1", "/usr/local/include/barrow/barrow.cdef"]))
