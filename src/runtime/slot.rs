//! The memory of heaps and mutators: it is never freed, so that a dead or wild handle is recognised by
//! looking.
//!
//! The memory comes from the system allocator, so that leak checkers see the memory of heaps that were not
//! freed.

use crate::base::fault;
use crate::base::list::List;
use crate::base::{Addr, Failure, Outcome};
use std::alloc::{Layout, alloc_zeroed};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

// Slots of the first area; each further area has twice as many as the one before. A look at an address is cheapest for the first area, so
// that has the mutators of all programs but those with very many threads: its memory is touched only where a slot was taken.
const FIRST_SLOTS: usize = 128;
/// Slots begin at lines of the cache.
const LINE: usize = 64;
const MOST_AREAS: usize = 24;
// Slots of dead handles that wait before they are reused, so that the use of a dead handle is noticed.
const RESTING: usize = 8;

/// An address far above all of a program's, so that no address lies shortly behind it.
const NOWHERE: usize = 1 << (usize::BITS - 1);

const fn slot_bytes<T>() -> usize {
    size_of::<T>().next_multiple_of(LINE)
}

/// All slots of one type.
pub(crate) struct Slots {
    bytes: usize,
    /// Address of the first area; `NOWHERE` until there is one.
    first: AtomicUsize,
    /// Addresses as the system gave them, which leak checkers look for; 0 for an area that is not there yet.
    areas: [AtomicUsize; MOST_AREAS],
    state: Mutex<State>,
}

struct State {
    made: usize,
    /// Addresses of slots that rest or are free, longest dead first.
    free: List<usize>,
}

impl Slots {
    pub(crate) const fn of<T>() -> Slots {
        Slots {
            bytes: slot_bytes::<T>(),
            first: AtomicUsize::new(NOWHERE),
            areas: [const { AtomicUsize::new(0) }; MOST_AREAS],
            state: Mutex::new(State { made: 0, free: List::new() }),
        }
    }

    /// Address of the first slot of an area; 0 for one that is not there yet.
    #[inline(always)]
    fn start(area: &AtomicUsize) -> usize {
        area.load(Ordering::Acquire).next_multiple_of(LINE)
    }

    /// Whether a slot, in use or not, begins at this address.
    #[inline]
    pub(crate) fn has(&self, at: usize) -> bool {
        for (number, area) in self.areas.iter().enumerate() {
            let start = Slots::start(area);
            if start == 0 {
                return false;
            }
            let offset = at.wrapping_sub(start);
            if offset < (FIRST_SLOTS << number) * self.bytes {
                return offset.is_multiple_of(self.bytes);
            }
        }
        false
    }

    /// Whether an address is among the first slots, so that a word can be read there.
    #[inline(always)]
    pub(crate) fn covers_first<T>(&self, at: usize) -> bool {
        at.wrapping_sub(self.first.load(Ordering::Acquire)) < (FIRST_SLOTS - 1) * slot_bytes::<T>()
    }

    /// Whether an address is in memory of slots, so that a word can be read there.
    #[inline]
    pub(crate) fn covers(&self, at: usize) -> bool {
        let areas = self.areas.iter().map(Slots::start).take_while(|&start| start != 0);
        areas
            .enumerate()
            .any(|(number, start)| at.wrapping_sub(start) < ((FIRST_SLOTS << number) - 1) * self.bytes)
    }

    /// Takes the lock, so that no other thread takes or gives back a slot.
    pub(crate) fn hold(&'static self) -> HeldSlots {
        HeldSlots { slots: self, state: self.lock() }
    }

    /// As `hold`, unless another thread has the lock.
    pub(crate) fn try_hold(&'static self) -> Option<HeldSlots> {
        let state = match self.state.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        Some(HeldSlots { slots: self, state })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Outcome<usize> {
        let mut state = self.lock();
        if state.free.len() > RESTING {
            return Ok(state.free.remove(0));
        }
        // Room for all slots is reserved here, since giving back must never need memory.
        let most = state.made + 1;
        let held = state.free.len();
        state.free.reserve(most - held)?;
        let (mut number, mut index) = (0, state.made);
        while index >= FIRST_SLOTS << number {
            index -= FIRST_SLOTS << number;
            number += 1;
        }
        let refused = || Failure::no_memory(format_args!("no memory for a handle of {} bytes", self.bytes));
        let area = self.areas.get(number).ok_or_else(refused)?;
        if area.load(Ordering::Acquire) == 0 {
            // The system has zeroed memory at hand for all alignments but great ones, for which every byte would be written.
            let layout = Layout::from_size_align((FIRST_SLOTS << number) * self.bytes + LINE, 1);
            // SAFETY: the size is not zero.
            let fresh = layout.ok().filter(|_| fault::allow()).map(|layout| unsafe { alloc_zeroed(layout) });
            let fresh = fresh.filter(|start| !start.is_null()).ok_or_else(refused)?;
            area.store(fresh as usize, Ordering::Release);
            if number == 0 {
                self.first.store(Slots::start(area), Ordering::Release);
            }
        }
        state.made += 1;
        Ok(Slots::start(area) + index * self.bytes)
    }

    fn give_back(&self, at: usize) {
        let _ = self.lock().free.push_within(at);
    }
}

/// The lock on slots: while it is held, none is taken or given back.
pub(crate) struct HeldSlots {
    slots: &'static Slots,
    state: MutexGuard<'static, State>,
}

impl HeldSlots {
    /// The addresses of all slots that were ever taken.
    pub(crate) fn each(&self) -> impl Iterator<Item = usize> + use<> {
        let (slots, made) = (self.slots, self.state.made);
        let area = move |number: usize| {
            let start = Slots::start(&slots.areas[number]);
            (0..FIRST_SLOTS << number).map(move |index| start + index * slots.bytes)
        };
        (0..MOST_AREAS).flat_map(area).take(made)
    }
}

/// A type whose values have a pool of slots.
pub(crate) trait Placed: Sized {
    fn slots() -> &'static Slots;
}

/// Refuses null, and an address at which no value of this type was ever put.
pub(crate) fn refuse_elsewhere<T: Placed>(at: *mut T, what: &str) -> Outcome<()> {
    if at.is_null() {
        return Err(Failure::argument(format_args!("the {what} is NULL")));
    }
    if !T::slots().has(at as usize) {
        return Err(Failure::argument(format_args!("{at:?} is no {what}")));
    }
    Ok(())
}

/// A type whose values clients hold by their addresses.
pub(crate) trait Held: Placed {
    const WHAT: &'static str;
    /// The end of the sentence about a value that has ended.
    const GONE: &'static str;
    fn is_live(&self) -> bool;
}

/// The value at a word that a client gives.
///
/// # Safety
/// `at` may be any word. When a live value is there, nobody else uses it.
pub(crate) unsafe fn live<'a, T: Held>(at: *mut T) -> Outcome<&'a mut T> {
    refuse_elsewhere(at, T::WHAT)?;
    // SAFETY: slots stay mapped, and the signature tells whether a value lives in this one.
    let value = unsafe { &mut *at };
    if !value.is_live() {
        return Err(Failure::state(format_args!("the {} {}, or never was one", T::WHAT, T::GONE)));
    }
    Ok(value)
}

/// A box whose memory is only ever reused for another value of the same type.
pub(crate) struct Slot<T: Placed>(NonNull<T>);

impl<T: Placed> Slot<T> {
    pub(crate) fn new(value: T) -> Outcome<Slot<T>> {
        let at = Addr(T::slots().take()?).as_ptr::<T>();
        // SAFETY: the slot is large enough, aligned to a cache line, and nobody else's.
        unsafe { at.write(value) };
        NonNull::new(at).map(Slot).ok_or_else(|| Failure::damaged(format_args!("a slot lies at 0")))
    }

    pub(crate) fn into_raw(self) -> *mut T {
        let at = self.0.as_ptr();
        std::mem::forget(self);
        at
    }

    /// The address of the value.
    pub(crate) fn as_raw(&self) -> *mut T {
        self.0.as_ptr()
    }

    /// # Safety
    /// `at` came from `into_raw`, and was not turned back yet.
    pub(crate) unsafe fn from_raw(at: *mut T) -> Slot<T> {
        // SAFETY: `into_raw` gives no null.
        Slot(unsafe { NonNull::new_unchecked(at) })
    }
}

impl<T: Placed> Deref for Slot<T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: the value lives as long as its owner.
        unsafe { self.0.as_ref() }
    }
}

impl<T: Placed> DerefMut for Slot<T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above, and this is the only owner.
        unsafe { self.0.as_mut() }
    }
}

impl<T: Placed> Drop for Slot<T> {
    fn drop(&mut self) {
        // SAFETY: the owner ends, and with it the value. The memory stays readable.
        unsafe { self.0.drop_in_place() };
        T::slots().give_back(self.0.as_ptr() as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Thing(u64);
    impl Placed for Thing {
        fn slots() -> &'static Slots {
            static SLOTS: Slots = Slots::of::<Thing>();
            &SLOTS
        }
    }

    #[test]
    fn a_dead_slot_rests_and_is_reused() {
        let first = Slot::new(Thing(1)).unwrap();
        let at = &raw const *first as usize;
        assert!(Thing::slots().has(at) && !Thing::slots().has(at + 8) && !Thing::slots().has(at + (1 << 30)));
        drop(first);
        assert!(Thing::slots().has(at));
        let mut seen = Vec::new();
        for n in 0..100 {
            let thing = Slot::new(Thing(n)).unwrap();
            assert_eq!((*thing).0, n);
            seen.push(&raw const *thing as usize);
        }
        assert!(!seen[..RESTING].contains(&at) && seen.contains(&at));
        seen.sort_unstable();
        seen.dedup();
        assert!(seen.len() <= RESTING + 2);
        let all: Vec<usize> = Thing::slots().hold().each().collect();
        assert!(seen.iter().all(|at| all.contains(at)));
    }

    struct Many(u64);
    impl Placed for Many {
        fn slots() -> &'static Slots {
            static SLOTS: Slots = Slots::of::<Many>();
            &SLOTS
        }
    }

    #[test]
    fn further_areas_have_slots_like_the_first() {
        let many: Vec<_> = (0..1000).map(|n| Slot::new(Many(n)).unwrap()).collect();
        let taken: Vec<usize> = many.iter().map(|one| one.as_raw() as usize).collect();
        assert_eq!(taken, Many::slots().hold().each().collect::<Vec<_>>());
        for (n, &at) in taken.iter().enumerate() {
            assert!((*many[n]).0 == n as u64 && at.is_multiple_of(LINE));
            assert!(Many::slots().has(at) && !Many::slots().has(at + 8));
            let is_last = [127, 383, 895].contains(&n);
            assert_eq!(
                (Many::slots().covers(at), Many::slots().covers_first::<Many>(at)),
                (!is_last, n < 127)
            );
        }
    }
}
