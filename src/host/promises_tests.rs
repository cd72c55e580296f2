//! Tests of promises: the next collection has memory though the system gives none any more and everything lives.

use crate::base::{Addr, fault};
use crate::heap::Mutator;
use crate::heap::object::info::{Info, Kind};
use crate::heap::root::frame::Frame;
use crate::host::Host;
use crate::host::plain::plain;
use crate::runtime::collect::Reason;
use crate::runtime::slot::Slot;

static CELL: Info = Info::plain(Kind::Constr, 1, 1);
const WORDS: usize = 3;
/// Cells that nearly fill a nursery of 8 MiB.
const NURSERY: usize = 330_000;

/// A frame with the newest cell of a list.
#[repr(C)]
struct Root {
    frame: Frame,
    list: Addr,
}

struct Program {
    heap: Slot<Host>,
    m: *mut Mutator,
    root: Box<Root>,
}

impl Program {
    fn new(flags: &str) -> Program {
        let (heap, m) = plain(flags);
        let mut root =
            Box::new(Root { frame: Frame { up: std::ptr::null_mut(), count: 1 }, list: Addr::NULL });
        // SAFETY: the mutator lives as long as the heap, and the root as long as the program.
        unsafe { (*m).window.frames = (&raw mut *root).cast() };
        Program { heap, m, root }
    }

    /// Makes a list longer, without a collection.
    fn grow(&mut self) {
        let before = self.heap.stats.begun;
        for _ in 0..NURSERY {
            // SAFETY: as above; the words were just allocated, and the list is in a root.
            unsafe {
                let end = (*self.m).hp().plus_words(WORDS);
                let at = if end <= Addr((*self.m).window.hp_lim as usize) {
                    std::mem::replace(&mut (*self.m).window.hp, end.as_ptr()) as usize
                } else {
                    self.heap.allocate_in_nursery(self.m, WORDS, 0).unwrap().0
                };
                let at = Addr(at);
                at.store(&raw const CELL as usize);
                at.plus_words(1).store(self.root.list.0);
                at.plus_words(2).store(7);
                self.root.list = at;
            }
        }
        assert_eq!(self.heap.stats.begun, before, "the nursery was too small");
    }

    /// A program with this many nurseries of cells in the oldest generation, and one in its nursery.
    fn of(flags: &str, nurseries: usize) -> Program {
        let mut program = Program::new(flags);
        for _ in 0..nurseries {
            program.grow();
            program.heap.collect_for(program.m, Reason::Major).unwrap();
        }
        program.grow();
        program
    }

    /// Collects with no more memory from the system. Gives the failure, in words.
    fn collect_without_memory(&mut self, reason: Reason) -> Option<String> {
        fault::fail_after(0);
        // Memory that the system has given already, and that is not promised, goes to the client.
        for blocks in [200, 1] {
            while self.heap.client_group(blocks).is_ok() {}
        }
        let told = self.heap.collect_for(self.m, reason);
        fault::stop();
        told.err().map(|failure| failure.sentence.as_str().to_string())
    }

    fn length(&self) -> usize {
        let mut length = 0;
        let mut at = self.root.list;
        while !at.is_null() {
            // SAFETY: cells of the list.
            at = unsafe { Addr(at.plus_words(1).load()) };
            length += 1;
        }
        length
    }

    /// Collects everything, then what has come since with no more memory from the system.
    fn survives(flags: &str, last: Reason) {
        let mut program = Program::of(flags, 1);
        let before = program.heap.stats.compactions;
        assert_eq!(program.collect_without_memory(last), None, "{flags}");
        let stats = &program.heap.stats;
        // A collection without room for copies slides objects together instead.
        assert_eq!((stats.compactions, stats.collections), (before, 2), "{flags}");
        assert_eq!(program.length(), 2 * NURSERY);
    }
}

#[test]
fn copies_of_everything_have_room() {
    Program::survives("--source=chunks -A8m -Fd0 --old=copy", Reason::Major);
}

#[test]
fn copies_of_the_young_have_room() {
    Program::survives("--source=chunks -A8m -Fd0", Reason::Minor);
}

/// A look at all objects copies what otherwise stays where it is, for which nothing was promised.
#[test]
fn copies_without_room_are_not_begun() {
    let mut program = Program::of("--source=chunks -A8m -Fd0", 4);
    let before = program.heap.stats.compactions;
    assert_eq!(program.collect_without_memory(Reason::Whole), None);
    assert_eq!(program.heap.stats.compactions, before + 1, "objects slid instead");
    assert_eq!(program.length(), 5 * NURSERY);
}
