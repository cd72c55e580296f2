#!/usr/bin/env python3
"""host.py: a runtime in Python that keeps its lists and maps in a Barrow heap, through cffi, which reads barrow.cdef.

    python3 examples-c/hosts/host.py target/release/libbarrow.so include/barrow/barrow.cdef
"""
import os
import sys

import cffi

c = cffi.FFI()


def load(path, declarations):
    """The library, if it has the version of the declarations."""
    with open(declarations) as file:
        c.cdef(file.read())
    library = c.dlopen(path)
    if not library.barrow_function_table(99, 0):
        print("version 99 is refused:", "yes" if c.string(library.barrow_last_error()) else "no")
    if not library.barrow_function_table(library.BARROW_ABI_MAJOR, 0):
        raise SystemExit("host: " + sentence(library))
    return library


def sentence(library):
    return c.string(library.barrow_last_error()).decode()


class Heap:
    """A heap, its roots by name, and the kinds of objects in it."""

    def __init__(self, library, flags):
        self.library, self.roots, self.kept = library, {}, []
        config, flags = c.new("barrow_config *"), c.new("char[]", flags.encode())
        self.check(library.barrow_config_default(config, c.sizeof("barrow_config")))
        config.flags = flags
        heap, mutator = c.new("barrow_heap **"), c.new("barrow_mutator **")
        self.check(library.barrow_heap_new(config, heap, mutator))
        self.heap, self.mutator = heap[0], mutator[0]

    def check(self, status):
        if status != self.library.BARROW_OK:
            raise SystemExit("host: " + sentence(self.library))

    def collections(self):
        stats = c.new("barrow_stats_t *", {"size": c.sizeof("barrow_stats_t")})
        self.check(self.library.barrow_stats(self.heap, stats))
        return stats.collections

    def root(self, name):
        """A word that a collection keeps up to date; 0 is no object.

        The word is registered with the heap. A callback in Python that names roots may end early, by Ctrl-C for instance, and
        what it has not named by then is lost.
        """
        if name not in self.roots:
            text, word = c.new("char[]", name.encode()), c.new("size_t *")
            self.check(self.library.barrow_root_add(self.heap, text, c.cast("void *", word), 1, False))
            self.roots[name] = word  # kept as long as the heap
            self.kept.append(text)
        return self.roots[name]

    def kind(self, description, type_name, pointers, words):
        texts = [c.new("char[]", text.encode()) for text in (description, type_name, "Host", "host.py")]
        names = c.new("barrow_names *", texts)
        info = c.new("barrow_info *", {
            "size": c.sizeof("barrow_info"), "version": self.library.BARROW_INFO_VERSION, "kind": self.library.BARROW_CONSTR,
            "ptrs": pointers, "words": words, "names": names})
        # What the library reads of a kind lives as long as the program.
        self.kept.append((texts, names, info))
        return int(c.cast("size_t", info))

    def new(self, info, *values):
        """Never collects, so addresses stay good until `safepoint`."""
        words = self.library.barrow_allocate(self.mutator, 1 + len(values))
        if not words:
            raise MemoryError(sentence(self.library))
        words = c.cast("size_t *", words)
        words[0] = info
        for i, value in enumerate(values):
            words[i + 1] = value
        return int(c.cast("size_t", words))

    def safepoint(self, major=False):
        """May move everything that is not looked up anew from its root."""
        if major or self.library.barrow_wants_gc(self.mutator):
            self.check(self.library.barrow_collect(self.mutator, major))
        self.check(self.library.barrow_safepoint(self.mutator))  # a sample of a profile is taken here


def fields(address, count):
    return c.unpack(c.cast("size_t *", address) + 1, count)


def insert(heap, node, at, key):
    if not at:
        return heap.new(node, 0, 0, key, 1)
    less, greater, here, count = fields(at, 4)
    if key == here:
        count += 1
    elif key < here:
        less = insert(heap, node, less, key)
    else:
        greater = insert(heap, node, greater, key)
    return heap.new(node, less, greater, here, count)


def sums(at):
    if not at:
        return 0, 0
    less, greater, _, count = fields(at, 4)
    (keys, total), (more_keys, more) = sums(less), sums(greater)
    return keys + more_keys + 1, total + more + count


def in_a_child(heap, a_map):
    """The heap can be used in a copy of this process; nothing that was to be written is written twice."""
    library = heap.library
    os.register_at_fork(before=library.barrow_fork_prepare, after_in_parent=library.barrow_fork_parent,
                        after_in_child=library.barrow_fork_child)
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        heap.safepoint(major=True)
        well = sums(a_map[0]) == (1009, 20000) and library.barrow_heap_free(heap.heap) == 0
        os._exit(0 if well else 1)
    if os.waitpid(child, 0)[1] != 0:
        sys.exit("the child did not find what its parent has made")


def main(path, declarations, flags=""):
    heap = Heap(load(path, declarations), flags)
    cell, node = heap.kind("Cons", "List", 1, 1), heap.kind("Node", "Map", 2, 2)
    a_list, a_map = heap.root("list"), heap.root("map")
    for i in range(1, 100001):
        a_list[0] = heap.new(cell, a_list[0], i)
        heap.safepoint()
    before = a_list[0]
    for i in range(20000):
        a_map[0] = insert(heap, node, a_map[0], i * 7919 % 1009 * 617 % 1009)
        heap.safepoint()
    heap.safepoint(major=True)

    total, at = 0, a_list[0]
    while at:
        at, value = fields(at, 2)
        total += value
    print(f"list: {total}, moved: {'yes' if before != a_list[0] else 'no'}")
    print("map: {} keys, {} in all".format(*sums(a_map[0])))
    print("collections:", "several" if heap.collections() > 1 else "one")
    in_a_child(heap, a_map)
    heap.check(heap.library.barrow_heap_free(heap.heap))


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["libbarrow.so.0.1", "/usr/local/include/barrow/barrow.cdef"]))
