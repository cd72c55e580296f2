//! Remembered old objects and slots that may point to younger objects: chains of blocks of entries.
//!
//! An entry is a word: the address of a slot or of an object, and in its low three bits which of them.

use crate::base::{Addr, fault};
use crate::block::{Block, Blocks, Chain};
use crate::heap::mutator::window::Window;
use std::sync::atomic::{AtomicU64, Ordering};

/// The kinds of entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Remembered {
    /// A field that holds a pointer or null.
    Slot = 0,
    /// A field that holds a tagged word.
    TaggedSlot = 1,
    /// An object, all of whose fields are looked at. It stays as long as its kind is mutable.
    Object = 2,
    /// An object, all of whose fields are looked at, until none of them points to something younger.
    ObjectOnce = 3,
    /// A large array, of which the marked cards are looked at.
    Cards = 4,
    /// An element of a weak array: its object is not kept for it.
    WeakSlot = 5,
    /// An element of a weak array, with a tagged word.
    WeakTaggedSlot = 6,
}

const ENTRY_BITS: usize = 7;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(transparent)]
pub struct Entry(pub usize);

impl Entry {
    pub fn new(what: Remembered, at: Addr) -> Entry {
        Entry(at.0 | what as usize)
    }

    #[inline(always)]
    pub fn at(self) -> Addr {
        Addr(self.0 & !ENTRY_BITS)
    }

    #[inline(always)]
    pub fn what(self) -> Remembered {
        match self.0 & ENTRY_BITS {
            0 => Remembered::Slot,
            1 => Remembered::TaggedSlot,
            2 => Remembered::Object,
            3 => Remembered::ObjectOnce,
            4 => Remembered::Cards,
            5 => Remembered::WeakSlot,
            _ => Remembered::WeakTaggedSlot,
        }
    }
}

/// Entries in a chain of block groups.
#[derive(Debug)]
pub struct EntryList {
    chain: Chain,
    next: Addr,
    limit: Addr,
}

// A list grows by as many blocks as it has, up to this.
const MOST_GROWTH: usize = 16;

impl EntryList {
    pub const EMPTY: EntryList = EntryList { chain: Chain::EMPTY, next: Addr::NULL, limit: Addr::NULL };

    /// False when there is no room; the entry is not kept then.
    #[inline(always)]
    pub fn push(&mut self, blocks: &mut Blocks, entry: Entry) -> bool {
        if self.next == self.limit && !self.grow(blocks) {
            return false;
        }
        // SAFETY: `next` is below `limit`, in a group that this list owns.
        unsafe { self.next.store(entry.0) };
        self.next = self.next.plus_words(1);
        true
    }

    #[cold]
    fn grow(&mut self, blocks: &mut Blocks) -> bool {
        let wanted = (self.chain.blocks + 1).min(MOST_GROWTH);
        let Some(group) = fault::allow_entries().then(|| blocks.alloc_up_to(wanted).ok()).flatten() else {
            return false;
        };
        self.seal();
        self.chain.push(group);
        self.next = group.start();
        self.limit = group.end();
        true
    }

    /// Writes the end of the newest group into its descriptor, so that the groups alone tell the entries.
    fn seal(&mut self) {
        if let Some(first) = self.chain.first.some() {
            first.fields().free = self.next;
        }
    }

    /// Takes everything out. The list is empty afterwards and may be refilled while the chain is looked at.
    pub fn take(&mut self) -> Chain {
        self.seal();
        self.next = Addr::NULL;
        self.limit = Addr::NULL;
        self.chain.take()
    }

    /// Goes on with a chain that was taken out.
    pub fn put_back(&mut self, chain: Chain) {
        if let Some(first) = chain.first.some() {
            self.next = first.fields().free;
            self.limit = first.end();
        }
        self.chain = chain;
    }

    /// Forgets everything.
    pub fn release(&mut self, blocks: &mut Blocks) {
        let mut chain = self.take();
        while let Some(group) = chain.pop() {
            blocks.free_group(group);
        }
    }

    pub fn blocks(&self) -> usize {
        self.chain.blocks
    }

    pub fn for_each(&mut self, visit: impl FnMut(Entry)) {
        self.seal();
        each_entry(&self.chain, visit);
    }

    pub fn len(&mut self) -> usize {
        let mut count = 0;
        self.for_each(|_| count += 1);
        count
    }

    pub fn is_empty(&self) -> bool {
        self.chain.first.is_null()
    }
}

/// Entries ahead at which a slot is prefetched, and then, once it is there, its object: after random writes both lie
/// anywhere.
const SLOT_AHEAD: usize = 64;
const OBJECT_AHEAD: usize = 8;

pub(crate) fn each_entry(chain: &Chain, mut visit: impl FnMut(Entry)) {
    for group in chain.iter() {
        each_entry_between(group.start(), group.fields().free, &mut visit);
    }
}

/// Visits entries that lie one behind the other.
#[inline(always)]
pub(crate) fn each_entry_between(mut at: Addr, end: Addr, mut visit: impl FnMut(Entry)) {
    // SAFETY: entries fill a group of an entry list from its start to its `free`.
    let entry = |at: Addr| Entry(unsafe { at.load() });
    while at < end {
        let (slot, object) = (at.plus_words(SLOT_AHEAD), at.plus_words(OBJECT_AHEAD));
        if slot < end {
            entry(slot).at().prefetch();
        }
        if object < end {
            // SAFETY: an entry is the address of a word in a block of ours, which stays mapped. A worker may be writing to it.
            let word = unsafe { AtomicU64::from_ptr(entry(object).at().as_ptr()) };
            Addr(word.load(Ordering::Relaxed) as usize).prefetch_object();
        }
        visit(entry(at));
        at = at.plus_words(1);
    }
}

/// Blocks of the buffer that compiled code writes entries to. Each change of it takes the heap's lock, and a mutator that waits keeps
/// it until the next collection.
pub(super) const BUFFER_BLOCKS: usize = 8;
/// Blocks of entries beyond which they are looked through, and again when they have doubled since. They are condensed
/// when they take more than a quarter of the blocks of old objects: cards win only when most of them would be marked
/// several times over.
pub(super) const CONDENSE_BLOCKS: usize = 256;

/// A mutator's own entries: the buffer in its window, and the full ones before it.
#[derive(Debug)]
pub struct Buffers {
    pub(super) current: Block,
    pub(super) full: Chain,
    pub(super) condense_at: usize,
}

impl Buffers {
    pub const EMPTY: Buffers =
        Buffers { current: Block::NULL, full: Chain::EMPTY, condense_at: CONDENSE_BLOCKS };

    pub fn blocks(&self) -> usize {
        self.full.blocks + if self.current.is_null() { 0 } else { self.current.blocks() }
    }

    /// Visits the chains of entries of all buffers, the window's included.
    pub fn for_each_chain(&mut self, window: &Window, mut visit: impl FnMut(&Chain)) {
        self.seal(window);
        visit(&self.full);
        if let Some(current) = self.current.some() {
            visit(&Chain { first: current, blocks: current.blocks() });
        }
    }

    /// Visits the entries of all buffers, the window's included.
    pub fn for_each(&mut self, window: &mut Window, mut visit: impl FnMut(Entry)) {
        self.for_each_chain(window, |chain| each_entry(chain, &mut visit));
    }

    pub(super) fn seal(&mut self, window: &Window) {
        if let Some(current) = self.current.some() {
            current.fields().free = Addr(window.remember as usize);
            current.fields().link = Block::NULL;
        }
    }

    pub(super) fn restart(&mut self, window: &mut Window) {
        if let Some(current) = self.current.some() {
            window.remember = current.start().as_ptr();
            window.remember_lim = current.end().as_ptr();
        }
    }

    /// Forgets everything; the window's buffer is empty again.
    pub fn clear(&mut self, window: &mut Window, blocks: &mut Blocks) {
        while let Some(group) = self.full.pop() {
            blocks.free_group(group);
        }
        self.condense_at = CONDENSE_BLOCKS;
        self.restart(window);
    }

    /// Gives all entries to a chain, with the groups that they lie in.
    pub(super) fn hand_over(&mut self, window: &mut Window, into: &mut Chain) {
        self.seal(window);
        if let Some(current) = self.current.some() {
            self.full.push(current);
        }
        into.prepend(self.full);
        *self = Buffers::EMPTY;
        window.remember = std::ptr::null_mut();
        window.remember_lim = std::ptr::null_mut();
    }

    /// Takes entries that others have handed over.
    pub(super) fn take_over(&mut self, entries: Chain) {
        self.full.prepend(entries);
    }

    pub fn release(&mut self, window: &mut Window, blocks: &mut Blocks) {
        self.clear(window, blocks);
        if let Some(current) = self.current.some() {
            blocks.free_group(current);
        }
        *self = Buffers::EMPTY;
        window.remember = std::ptr::null_mut();
        window.remember_lim = std::ptr::null_mut();
    }
}
