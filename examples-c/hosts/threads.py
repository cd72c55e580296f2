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


def build(library, heap, number, sums):
    """Makes a list in a heap, by a mutator of this thread, and adds it up. The list's root is the thread's own."""
    calls, mutator, root = library.calls, c.new("barrow_mutator **"), c.new("size_t *")
    library.check(calls.barrow_attach(heap, mutator))
    library.check(calls.barrow_root_add(heap, c.NULL, c.cast("void *", root), 1, False))
    for i in range(NUMBERS):
        cell = c.cast("size_t *", calls.barrow_allocate(mutator[0], 3))
        if not cell:
            raise MemoryError(library.sentence())
        cell[0], cell[1], cell[2] = int(c.cast("size_t", library.cell)), root[0], i * (number + 1)
        root[0] = int(c.cast("size_t", cell))
        if calls.barrow_wants_gc(mutator[0]):
            library.check(calls.barrow_collect(mutator[0], False))
        library.check(calls.barrow_safepoint(mutator[0]))
    library.check(calls.barrow_collect(mutator[0], True))
    at = root[0]
    while at:
        _, at, value = c.unpack(c.cast("size_t *", at), 3)
        sums[number] += value
    library.check(calls.barrow_root_remove(heap, c.cast("void *", root)))
    library.check(calls.barrow_detach(mutator[0]))


def in_threads(library, heaps):
    sums = [0] * THREADS
    threads = [threading.Thread(target=build, args=(library, heaps[i], i, sums)) for i in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
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
