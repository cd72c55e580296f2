//! A heap with nothing but flags, and a program that uses one, for tests.

use crate::base::Addr;
use crate::base::flag::Flags;
use crate::heap::Mutator;
use crate::heap::object::info::Info;
use crate::heap::root::stable::Handle;
use crate::host::Host;
use crate::profile::retainer::scheme::RetainerScheme;
use crate::runtime::collect::Reason;
use crate::runtime::heap::Values;
use crate::runtime::hooks::Hooks;
use crate::runtime::slot::Slot;

/// The heap, without a mutator.
pub(super) fn bare(flags: &str) -> Slot<Host> {
    let values = Values { tagged_pointers: 0, address_mask: 0, address_offset: 0, alignment: 8 };
    let flags = Flags::parse(flags).unwrap();
    Host::new(flags, values, Hooks::default(), RetainerScheme::OURS).unwrap()
}

/// The heap, and its mutator.
pub(super) fn plain(flags: &str) -> (Slot<Host>, *mut Mutator) {
    let mut heap = bare(flags);
    let m = heap.attach().unwrap();
    (heap, m)
}

/// A heap and its mutator, with what a test of whole collections does to them.
pub(super) struct Program {
    pub heap: Slot<Host>,
    pub m: *mut Mutator,
}

impl Program {
    pub(super) fn new(flags: &str) -> Program {
        let (heap, m) = plain(flags);
        Program { heap, m }
    }

    /// Makes an object of which the first two fields are given, if it has them, and the others are 0.
    pub(super) fn object(&mut self, info: &'static Info, fields: [Addr; 2]) -> Addr {
        let words = 1 + (info.ptrs + info.words) as usize;
        let at = self.heap.allocate(self.m, words, 0).unwrap();
        // SAFETY: the words were just allocated.
        unsafe {
            at.store(&raw const *info as usize);
            (1..words)
                .for_each(|word| at.plus_words(word).store(fields.get(word - 1).map_or(0, |field| field.0)));
        }
        at
    }

    pub(super) fn hold(&mut self, object: Addr) -> *mut Handle {
        self.heap.store.stable.make(object.0).unwrap()
    }

    pub(super) fn free(&mut self, handle: *const Handle) {
        let index = self.heap.store.stable.find(handle).unwrap();
        self.heap.store.stable.free(index);
    }

    pub(super) fn collect(&mut self, reason: Reason) {
        self.heap.collect_for(self.m, reason).unwrap();
    }

    /// A major collection that leaves old objects where they are.
    pub(super) fn leave(&mut self) {
        let oldest = self.heap.store.oldest();
        self.heap.store.generations[oldest].max_blocks = 0;
        let before = self.heap.stats.left;
        self.collect(Reason::Minor);
        assert_eq!(self.heap.stats.left, before + 1, "a major collection that leaves objects");
    }
}
