#!/usr/bin/env python3
"""host.py: a runtime in Python that keeps its lists and maps in a Barrow heap, through ctypes.

    python3 examples-c/hosts/host.py target/release/libbarrow.so
"""
import ctypes as c
import os
import sys

ABI_MAJOR = 0
BARROW_OK = 0
CONSTR = 1

Roots = c.CFUNCTYPE(None, c.c_void_p, c.c_void_p)


class Names(c.Structure):
    _fields_ = [("description", c.c_char_p), ("type", c.c_char_p), ("module", c.c_char_p), ("source", c.c_char_p)]


class Info(c.Structure):
    _fields_ = [("size", c.c_uint16), ("version", c.c_uint16), ("id", c.c_uint32), ("entry", c.c_void_p),
                ("kind", c.c_uint8), ("flags", c.c_uint8), ("field", c.c_uint16), ("ptrs", c.c_uint32),
                ("words", c.c_uint32), ("reserved", c.c_uint32), ("bitmap", c.c_size_t), ("large", c.c_void_p),
                ("custom", c.c_void_p), ("srt", c.c_void_p), ("names", c.POINTER(Names))]


class Geometry(c.Structure):
    _fields_ = [(name, c.c_uint32) for name in ("block_bytes", "megablock_bytes", "descriptor_bytes",
                                                "max_inline_words", "max_reserve_words", "card_elements")]


class Config(c.Structure):
    _fields_ = [("size", c.c_uint32), ("abi_major", c.c_uint32), ("geometry", Geometry), ("flags", c.c_char_p),
                ("tagged_pointers", c.c_uint16), ("object_alignment", c.c_uint16), ("reserved", c.c_uint32),
                ("address_mask", c.c_size_t), ("address_offset", c.c_size_t), ("roots", Roots),
                ("overflow", c.c_void_p), ("finalizers_ready", c.c_void_p), ("fatal", c.c_void_p),
                ("event", c.c_void_p), ("client", c.c_void_p)]


class FunctionTable(c.Structure):
    _fields_ = [(name, c.c_uint32) for name in ("size", "abi_major", "abi_minor", "count")]


def load(path):
    """The library, if it has the version that this file was written for."""
    library = c.CDLL(path)
    library.barrow_last_error.restype = c.c_char_p
    library.barrow_function_table.restype = c.POINTER(FunctionTable)
    library.barrow_function_table.argtypes = [c.c_uint32, c.c_uint32]
    if not library.barrow_function_table(99, 0):
        print("version 99 is refused:", "yes" if library.barrow_last_error() else "no")
    if not library.barrow_function_table(ABI_MAJOR, 0):
        raise SystemExit("host: " + library.barrow_last_error().decode())
    library.barrow_allocate.restype = c.c_void_p
    library.barrow_allocate.argtypes = [c.c_void_p, c.c_size_t]
    library.barrow_wants_gc.restype = c.c_bool
    library.barrow_wants_gc.argtypes = [c.c_void_p]
    library.barrow_collect.argtypes = [c.c_void_p, c.c_bool]
    library.barrow_safepoint.argtypes = [c.c_void_p]
    library.barrow_visit.argtypes = [c.c_void_p, c.c_void_p]
    library.barrow_visit.restype = None
    library.barrow_heap_free.argtypes = [c.c_void_p]
    return library


class Heap:
    """A heap, its roots by name, and the kinds of objects in it."""

    def __init__(self, library, flags):
        self.library, self.roots, self.collections = library, {}, 0
        # Kept as long as the heap: the library calls it.
        self.callback = Roots(self.visit)
        config = Config(size=c.sizeof(Config), abi_major=ABI_MAJOR, flags=flags.encode(), roots=self.callback,
                        geometry=Geometry(4096, 1048576, 64, 256, 4096, 128))
        self.heap, self.mutator = c.c_void_p(), c.c_void_p()
        self.check(library.barrow_heap_new(c.byref(config), c.byref(self.heap), c.byref(self.mutator)))

    def check(self, status):
        if status != BARROW_OK:
            raise SystemExit("host: " + self.library.barrow_last_error().decode())

    def visit(self, _client, visitor):
        self.collections += 1
        for root in self.roots.values():
            self.library.barrow_visit(visitor, c.addressof(root))

    def root(self, name):
        return self.roots.setdefault(name, c.c_void_p())

    def kind(self, description, type_name, pointers, words):
        names = Names(description.encode(), type_name.encode(), b"Host", b"host.py")
        info = Info(size=c.sizeof(Info), version=1, kind=CONSTR, ptrs=pointers, words=words, names=c.pointer(names))
        self.__dict__.setdefault("kinds", []).append((info, names))
        return info

    def new(self, info, *fields):
        """Never collects, so addresses stay good until `safepoint`."""
        address = self.library.barrow_allocate(self.mutator, 1 + len(fields))
        if not address:
            raise MemoryError(self.library.barrow_last_error().decode())
        words = (c.c_size_t * (1 + len(fields))).from_address(address)
        words[0] = c.addressof(info)
        for i, field in enumerate(fields):
            words[i + 1] = field or 0
        return address

    def safepoint(self, major=False):
        """May move everything that is not looked up anew from its root."""
        if major or self.library.barrow_wants_gc(self.mutator):
            self.check(self.library.barrow_collect(self.mutator, major))
        self.check(self.library.barrow_safepoint(self.mutator))  # a sample of a profile is taken here


def fields(address, count):
    return (c.c_size_t * (count + 1)).from_address(address)[1:]


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
        well = sums(a_map.value) == (1009, 20000) and library.barrow_heap_free(heap.heap) == 0
        os._exit(0 if well else 1)
    if os.waitpid(child, 0)[1] != 0:
        sys.exit("the child did not find what its parent has made")


def main(path, flags=""):
    heap = Heap(load(path), flags)
    cell, node = heap.kind("Cons", "List", 1, 1), heap.kind("Node", "Map", 2, 2)
    a_list, a_map = heap.root("list"), heap.root("map")
    for i in range(1, 100001):
        a_list.value = heap.new(cell, a_list.value, i)
        heap.safepoint()
    for i in range(20000):
        a_map.value = insert(heap, node, a_map.value, i * 7919 % 1009 * 617 % 1009)
        heap.safepoint()
    before = a_list.value
    heap.safepoint(major=True)

    total, at = 0, a_list.value
    while at:
        at, value = fields(at, 2)
        total += value
    print(f"list: {total}, moved: {'yes' if before != a_list.value else 'no'}")
    print("map: {} keys, {} in all".format(*sums(a_map.value)))
    print("collections:", "several" if heap.collections > 1 else "one")
    in_a_child(heap, a_map)
    heap.check(heap.library.barrow_heap_free(heap.heap))


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["libbarrow.so.0.1"]))
