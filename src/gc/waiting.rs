//! The stack of fields and objects that a collection has to look at [gc.order].

use std::mem::MaybeUninit;

/// Entries of the stack: structures of some hundred levels. In checking mode it has from one to so many as the second says,
/// another number in each collection, so that tests fill it.
const MOST: usize = 512;
const MOST_WHEN_CHECKING: usize = 8;
/// Slots from `slot` to `end` that were not looked at. Without an end, all of the saved object at `slot`.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub slot: usize,
    pub end: usize,
}

/// The memory of a stack.
pub(super) type Entries = [MaybeUninit<Entry>; MOST];
pub(super) const NO_ENTRIES: Entries = [MaybeUninit::uninit(); MOST];

/// The stack of what waits.
pub(super) struct Waiting<'a> {
    entries: &'a mut Entries,
    count: usize,
    most: usize,
}

impl Waiting<'_> {
    /// A stack for the collection with this number.
    pub(super) fn new(entries: &mut Entries, number: u64, checks: bool) -> Waiting<'_> {
        let most = if checks { 1 + number as usize % MOST_WHEN_CHECKING } else { planted!(215, 1, MOST) };
        Waiting { entries, count: 0, most }
    }

    /// Whether what is saved is scanned where it lies, since nothing more can wait.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.count == self.most
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Turns the order of the entries above the first `kept` around.
    pub(super) fn reverse_from(&mut self, kept: usize) {
        self.entries[kept..self.count].reverse();
    }

    /// Adds an entry to a stack that is not full. True when it is then.
    #[inline(always)]
    pub(super) fn push(&mut self, entry: Entry) -> bool {
        self.entries[self.count & (MOST - 1)].write(entry);
        self.count += 1;
        self.is_full()
    }

    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<Entry> {
        self.count = self.count.checked_sub(1)?;
        // SAFETY: entries below the count were written.
        Some(unsafe { self.entries[self.count & (MOST - 1)].assume_init() })
    }
}
