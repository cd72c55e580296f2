//! Allocations counted by function: the functions that allocated lately, and the places of their numbers.
//!
//! While space is counted, every allocation comes out of line. Most come from code that came before, into an allocation
//! area that was used before: then a look into this table, four stores, and they are done [profile.space.short]. Code that
//! comes with `barrow_try_alloc` has pushed no frame; it takes the same way in `counted_entry.rs`.

use crate::base::list::try_box;
use crate::base::size::{LARGE_OBJECT_WORDS, MIN_OBJECT_WORDS};
use crate::base::{Addr, Outcome};
use crate::heap::mutator::state::Mutator;
use crate::heap::space::side::{self, Entries, Table};
use std::mem::offset_of;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

/// A function that has allocated, its number, and its allocations that are not in its row yet.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Seen {
    pub function: usize,
    pub site: usize,
    pub words: u64,
    /// The number lies between the two counters: side by side, compilers add to both in one vector, which takes longer.
    pub number: u32,
    pub objects: u64,
}

impl Seen {
    pub const NOBODY: Seen = Seen { function: 0, site: 0, number: 0, words: 0, objects: 0 };

    #[inline(always)]
    pub fn is(&self, function: usize, site: usize) -> bool {
        self.site == site && self.function == function
    }
}

pub(crate) const SEEN: usize = 1024;

/// The table of functions seen lately. Mutators on the short way write to it too, so nobody holds a reference to it.
#[derive(Debug)]
pub struct Lately(*mut [Seen; SEEN]);

impl Lately {
    pub fn new() -> Outcome<Lately> {
        Ok(Lately(Box::into_raw(try_box([Seen::NOBODY; SEEN])?)))
    }

    pub fn get(&self, place: usize) -> Seen {
        // SAFETY: the table is ours; the caller has stopped the short way, or is on the thread that goes it.
        unsafe { (*self.0)[place] }
    }

    pub fn set(&mut self, place: usize, seen: Seen) {
        // SAFETY: as above.
        unsafe { (*self.0)[place] = seen };
    }
}

impl Drop for Lately {
    fn drop(&mut self) {
        // SAFETY: it came from a box; the short way is stopped before the profiler goes.
        drop(unsafe { Box::from_raw(self.0) });
    }
}

/// The place of a function in the table: return addresses differ in their low bits, the client's words in those above.
/// A function that has a word is there once for each of its sites.
#[inline(always)]
pub(crate) fn place_of(function: usize, site: usize) -> usize {
    (site ^ function >> 4) % SEEN
}

/// The state of a mutator that stays the same while it allocates in one area.
pub struct Counting {
    /// The end of the words that go the short way; null while every allocation goes the long way.
    edge: Addr,
    /// Entries of producers in the megablock of the area.
    entries: Entries,
    lately: *mut [Seen; SEEN],
    /// The entry of the last allocation in that table.
    last: *mut Seen,
    /// Objects of sizes that share a bit with this are rounded up, the long way.
    round: usize,
    tried: Tried,
}

/// An allocation for which `barrow_try_alloc` had no room. The client comes again with it, from elsewhere.
#[derive(Clone, Copy)]
pub(crate) struct Tried {
    pub site: usize,
    pub words: usize,
    /// The value of `hp` then.
    pub hp: Addr,
}

impl Tried {
    const NOTHING: Tried = Tried { site: 0, words: 0, hp: Addr::NULL };
}

impl Counting {
    pub const OFF: Counting = Counting {
        edge: Addr::NULL,
        entries: Entries::NONE,
        lately: std::ptr::null_mut(),
        last: std::ptr::null_mut(),
        round: 0,
        tried: Tried::NOTHING,
    };

    pub const EDGE: usize = offset_of!(Counting, edge);
    pub const ENTRIES: usize = offset_of!(Counting, entries);
    pub const LATELY: usize = offset_of!(Counting, lately);
    pub const TRIED: usize = offset_of!(Counting, tried);

    pub fn stop(&mut self) {
        self.edge = Addr::NULL;
    }

    /// Allocations up to `edge`, in the area that `at` lies in, go the short way from now on.
    ///
    /// # Safety
    /// `at` and `edge` are in one megablock of the heap. `lately` stays until `stop`.
    pub unsafe fn go(&mut self, at: Addr, edge: Addr, lately: &Lately, round: usize) {
        // SAFETY: the caller's promise.
        let Some(entries) = (unsafe { side::entries_of(Table::Producer, at) }) else { return };
        *self =
            Counting { edge, entries, lately: lately.0, last: lately.0.cast(), round, tried: Tried::NOTHING };
    }
}

const LAST: usize = 16;

/// Mutators that went the short way lately. Each but `NOBODY` was a mutator once, and the memory of mutators is never
/// unmapped.
static LATELY: [AtomicPtr<Mutator>; LAST] = [const { AtomicPtr::new(NOBODY) }; LAST];

static LAST_OF_ALL: AtomicPtr<Mutator> = AtomicPtr::new(NOBODY);

/// No mutator lies there, and nobody else has the address.
const NOBODY: *mut Mutator = (&raw const NOBODYS_PLACE).cast_mut().cast();
static NOBODYS_PLACE: u128 = 0;

fn place_among_mutators(mutator: *mut Mutator) -> usize {
    (mutator as usize >> 10) % LAST
}

impl Mutator {
    /// Whether this is one of the mutators that went the short way lately, so that its `counting` may be read. Like
    /// inline code, the short way does not ask which thread is here.
    #[inline(always)]
    pub(crate) fn counted_lately(this: *mut Mutator) -> bool {
        LAST_OF_ALL.load(Ordering::Relaxed) == this
            || LATELY[place_among_mutators(this)].load(Ordering::Relaxed) == this
    }

    /// Lets allocations with this mutator go the short way.
    pub fn count_shortly(&mut self) {
        LATELY[place_among_mutators(self)].store(self, Ordering::Relaxed);
        LAST_OF_ALL.store(self, Ordering::Relaxed);
    }

    /// Takes words from the allocation area and counts them, where the short way is open.
    ///
    /// # Safety
    /// `counted_lately` has said so, and the thread is the mutator's. While its heap collects or runs a callback the mutator has stopped.
    #[inline(always)]
    pub unsafe fn take_counted(&mut self, words: usize, site: usize) -> Option<Addr> {
        let counting = &self.counting;
        let at = self.hp();
        let end = at.0.wrapping_add(words.wrapping_mul(8));
        // SAFETY: other threads access the field atomically.
        let poll = unsafe { AtomicU32::from_ptr(&raw mut self.window.poll) }.load(Ordering::Relaxed);
        // One comparison for both ends: a number that is too small wraps to a very great one.
        let too_many = words.wrapping_sub(MIN_OBJECT_WORDS) > LARGE_OBJECT_WORDS - MIN_OBJECT_WORDS;
        let function = self.window.function as usize;
        // SAFETY: an edge that is not null says that the table of functions seen lately is there, and `last` in it.
        let is_last = || unsafe { (*counting.last).is(function, site) };
        let goes =
            end <= counting.edge.0 && !too_many && words & counting.round == 0 && poll == 0 && is_last();
        if !goes {
            return None;
        }
        // SAFETY: as above; so are entries of places below the edge.
        unsafe {
            let seen = &mut *counting.last;
            seen.words += planted!(69, 3, words as u64);
            seen.objects += 1;
            counting.entries.set(at, seen.number);
        }
        self.take_to(Addr(end));
        Some(at)
    }

    /// The place at which the client tried to allocate its object before, if it did: that place makes the object.
    pub fn take_tried(&mut self, words: usize) -> Option<usize> {
        let tried = std::mem::replace(&mut self.counting.tried, Tried::NOTHING);
        (tried.words == words && tried.hp == self.hp() && tried.site != 0).then_some(tried.site)
    }

    /// Whether this place in the code has allocated lately, so that `take_counted` may take it for the last one now.
    ///
    /// # Safety
    /// As for `take_counted`.
    #[inline(always)]
    pub unsafe fn has_counted(&mut self, site: usize) -> bool {
        let counting = &mut self.counting;
        if counting.edge.is_null() {
            return false;
        }
        let function = self.window.function as usize;
        // SAFETY: the edge is not null, so the table is there and ours.
        unsafe {
            let seen = counting.lately.cast::<Seen>().add(place_of(function, site));
            let is_there = seen != counting.last && (*seen).is(function, site);
            if is_there {
                counting.last = seen;
            }
            is_there
        }
    }
}
