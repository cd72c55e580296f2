//! Books the uses that are marked: of one object, and of all that died in a group of blocks.

use crate::base::Addr;
use crate::base::size::BLOCK_BYTES;
use crate::block::Block;
use crate::block::descriptor::flag;
use crate::heap::Model;
use crate::heap::space::side::Sides;
use crate::profile::biography::Word;
use crate::profile::biography::running::Running;

/// Number of marks whose entries are prefetched together, and then their objects: marks lie scattered over
/// the heap.
const AT_ONCE: usize = 64;

/// Items that wait to be fetched together.
struct Waiting<T> {
    length: usize,
    all: [T; AT_ONCE],
}

impl<T: Copy> Waiting<T> {
    fn new(nothing: T) -> Waiting<T> {
        Waiting { length: 0, all: [nothing; AT_ONCE] }
    }

    /// Adds an item. True when there is no room for another.
    #[inline(always)]
    fn add(&mut self, one: T) -> bool {
        self.all[self.length % AT_ONCE] = one;
        self.length = self.length % AT_ONCE + 1;
        self.length == AT_ONCE
    }

    fn take(&mut self) -> &[T] {
        &self.all[..std::mem::take(&mut self.length)]
    }
}

impl Running {
    /// Books the use of an object, if a use is marked.
    ///
    /// # Safety
    /// An object of the heap is there, which is well-formed if a collection has met it.
    pub unsafe fn book_marked_use(&mut self, sides: Sides, model: &Model, object: Addr) {
        // SAFETY: the caller's promise.
        unsafe {
            if sides.take_use(object) {
                let entry = sides.biography(object);
                let old = Word::of_entry(entry);
                // An object in no cell need not be filled.
                if old.is_before(self.era()) {
                    sides.set_biography(object, old.used(self.era()).entry_instead_of(entry));
                    self.book_use_of(model, object, old);
                }
            }
        }
    }

    /// Books every use that is marked in a group of blocks that will not be looked at again.
    ///
    /// # Safety
    /// The group holds objects; as for `book_marked_use` of each. No compiled code is running.
    pub unsafe fn book_uses_in(&mut self, sides: Sides, model: &Model, group: Block) {
        let mut marked = Waiting::new(Addr::NULL);
        // SAFETY: the caller's promise; every waiting address is marked.
        unsafe {
            if group.has(flag::LARGE) {
                self.book_marked_use(sides, model, group.object());
                return;
            }
            let bytes = group.blocks() * BLOCK_BYTES;
            let is_youngest = group.fields().generation == 0 && !group.has(flag::PINNED);
            if is_youngest && self.young_are_counted_for == 0 {
                // None of these objects is in a cell. After a compaction other objects may lie there.
                sides.clear_marks(group.start(), bytes);
                return;
            }
            sides.take_uses(group.start(), bytes, |granule| {
                sides.prefetch_biography(granule);
                if marked.add(granule) {
                    self.book_uses_of(sides, model, marked.take());
                }
            });
            self.book_uses_of(sides, model, marked.take());
        }
    }

    /// Books the uses that are marked in a group of blocks of objects that the last census has counted, while
    /// the program goes on: their words say that they are used, and all marks stay, so that no use is booked
    /// twice.
    ///
    /// # Safety
    /// As for `book_uses_in`.
    pub unsafe fn note_uses_in(&mut self, sides: Sides, model: &Model, group: Block) {
        let era = self.era();
        // SAFETY: the caller's promise. Objects that a collection has met are well-formed.
        unsafe {
            if group.has(flag::LARGE) {
                let object = group.object();
                if sides.is_used(object) {
                    self.note_use(sides, model, object, era);
                }
                return;
            }
            sides.each_use(group.start(), group.blocks() * BLOCK_BYTES, |granule| {
                if let Some(object) = Word::object_of(sides.biography(granule), granule) {
                    self.note_use(sides, model, object, era);
                }
            });
        }
    }

    /// # Safety
    /// As for `note_uses_in`: a use of this object is marked.
    unsafe fn note_use(&mut self, sides: Sides, model: &Model, object: Addr, era: u32) {
        // SAFETY: the caller's promise.
        unsafe {
            let entry = sides.biography(object);
            let old = Word::of_entry(entry);
            if old.is_before(era) {
                sides.set_biography(object, old.used(era).entry_instead_of(entry));
                self.book_use_of(model, object, old);
            }
        }
    }

    /// # Safety
    /// As for `book_uses_in`: each of these 16 bytes has the beginning of an object with a
    /// marked use.
    unsafe fn book_uses_of(&mut self, sides: Sides, model: &Model, granules: &[Addr]) {
        let era = self.era();
        let mut counted = Waiting::new((Addr::NULL, Word::NONE));
        for &granule in granules {
            // SAFETY: the caller's promise.
            let entry = unsafe { sides.biography(granule) };
            let old = Word::of_entry(entry);
            // Most of the objects were made in this era.
            if old.is_before(era)
                && let Some(object) = Word::object_of(entry, granule)
            {
                object.prefetch();
                counted.add((object, old));
            }
        }
        for &(object, old) in counted.take() {
            // SAFETY: as above. A collection has met the object.
            unsafe { self.book_use_of(model, object, old) };
        }
    }
}

/// Corrects the entry of an object that a collection has kept and then moved by compaction.
///
/// # Safety
/// As for `book_marked_use`, with the object at its new address. The entry of the biography was
/// carried along.
pub(in crate::profile) unsafe fn has_moved(sides: Sides, to: Addr) {
    // SAFETY: the caller's promise.
    unsafe { sides.set_biography(to, Word::of_entry(sides.biography(to)).entry_at(to)) };
}
