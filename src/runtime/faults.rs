//! The notes for `--faults`: the objects that have gone, who made them, and the functions of the program.
//!
//! Heaps with the flag are in a table of the process, since a signal belongs to no heap.

use crate::base::sort::sort_by_key;
use crate::base::{Addr, Failure, List, Outcome};
use crate::gc::objects::Objects;
use crate::heap::Mutator;
use crate::heap::aside::Gone;
use crate::heap::object::model::info_of;
use crate::os::symbols::Symbols;
use crate::os::thread::{self, current_thread};
use crate::os::trap;
use crate::os::unwind;
use crate::runtime::{Runtime, fault_told};
use std::ffi::CStr;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};
use std::time::Duration;

/// The most heaps of a process that have the flag at the same time.
const MOST_HEAPS: usize = 1024;

pub(super) static HEAPS: [Place<Runtime>; MOST_HEAPS] = [const { Place::empty() }; MOST_HEAPS];

/// A place of the table. Handlers that look at its heap are counted, since the heap may not go meanwhile: its thread takes it out of the
/// table first, and waits then until nobody is left. Both have an order with all others, so one of the two sees the other.
pub(super) struct Place<H> {
    heap: AtomicPtr<H>,
    visitors: AtomicU32,
}

impl<H> Place<H> {
    const fn empty() -> Place<H> {
        Place { heap: AtomicPtr::new(std::ptr::null_mut()), visitors: AtomicU32::new(0) }
    }

    /// The answer of `look` about the heap that is here, which stays until then.
    pub(super) fn visit<T>(&self, look: impl FnOnce(&H) -> Option<T>) -> Option<T> {
        if self.heap.load(Ordering::Relaxed).is_null() {
            return None;
        }
        self.visitors.fetch_add(1, Ordering::SeqCst);
        // SAFETY: the heap waits for its visitors before it goes.
        let found = unsafe { self.heap.load(Ordering::SeqCst).as_ref() }.and_then(look);
        self.visitors.fetch_sub(1, Ordering::Release);
        found
    }

    /// Whether this heap is here, and not about to go.
    pub(super) fn has(&self, heap: &H) -> bool {
        std::ptr::eq(self.heap.load(Ordering::Relaxed), heap)
    }

    /// Takes a heap away, if it is here. A visitor is in a handler, which comes to its end or takes the process along.
    fn take(&self, heap: *mut H) -> bool {
        let nobody = std::ptr::null_mut();
        let is_here = self.heap.compare_exchange(heap, nobody, Ordering::SeqCst, Ordering::Relaxed).is_ok();
        while is_here && planted!(506, false, self.visitors.load(Ordering::SeqCst) > 0) {
            thread::rest(Duration::from_millis(1));
        }
        is_here
    }
}

/// Forgets the handlers of threads that a child of a fork does not have.
pub(crate) fn forget_visitors() {
    HEAPS.iter().for_each(|place| place.visitors.store(0, Ordering::Relaxed));
}

/// The notes of one heap for its faults.
#[derive(Default)]
pub(crate) struct Faults {
    /// False while a collection changes the notes.
    pub(super) is_settled: AtomicBool,
    /// Functions of the program, of the library, and of those who called it when the mutator was made.
    pub(super) symbols: Symbols,
    /// The stacks of the threads that have mutators, each with its thread's number.
    pub(super) stacks: List<(u64, Range<usize>)>,
    /// The objects before the running collection, by address.
    before: List<Gone>,
    /// Objects, and the addresses to which their allocations returned: by place as of the last collection, and behind them
    /// those made since, in their order.
    made: List<Made>,
}

/// The note of an allocation.
#[derive(Clone, Copy)]
struct Made {
    /// The object, where it is now.
    at: Addr,
    /// The position in the list when the note was made. The last object at a place comes last after sorting.
    order: usize,
    /// The address to which the allocation returned.
    site: usize,
}

impl Runtime {
    /// Lets faults in this heap be told, which does not move until `forget_faults`.
    pub(crate) fn tell_faults(&mut self) -> Outcome<()> {
        if !self.flags.faults {
            return Ok(());
        }
        let own: *mut Runtime = self;
        let free = HEAPS.iter().find(|place| {
            let nobody = std::ptr::null_mut();
            place.heap.compare_exchange(nobody, own, Ordering::AcqRel, Ordering::Relaxed).is_ok()
        });
        let Some(place) = free else {
            return Err(Failure::state(format_args!(
                "--faults: {MOST_HEAPS} heaps of this process have it already"
            )));
        };
        let listening = trap::listen(fault_told::explain);
        if listening.is_err() {
            place.take(own);
        }
        listening
    }

    pub(crate) fn forget_faults(&mut self) {
        let own: *mut Runtime = self;
        if self.flags.faults && HEAPS.iter().any(|place| place.take(own)) {
            trap::stop_listening();
        }
    }

    /// Notes the calling thread's stack, and reads the names of the functions that run on it: a handler may not.
    pub(crate) fn know_this_thread(&mut self) -> Outcome<()> {
        if !self.flags.faults {
            return Ok(());
        }
        let faults = &mut self.checking.faults;
        let here = current_thread();
        faults.stacks.retain_mut(|&mut (thread, _)| thread != here);
        faults.stacks.push((here, trap::own_stack()))?;
        let mut calls = [unwind::Call::default(); 64];
        let found = unwind::calls(&mut calls);
        for call in &calls[..found] {
            faults.symbols.locate(call.returns_to)?;
        }
        Ok(())
    }

    /// Forgets the calling thread's stack, which ends with it.
    pub(crate) fn forget_this_thread(&mut self) {
        let here = current_thread();
        self.checking.faults.stacks.retain_mut(|&mut (thread, _)| thread != here);
    }

    /// Notes the code that made an object. Without memory for the note, the code is not known.
    #[inline]
    pub(crate) fn made_at(&mut self, object: &Outcome<Addr>, site: usize) {
        if let (true, Ok(at)) = (self.flags.faults, object) {
            let made = &mut self.checking.faults.made;
            let _ = made.push(Made { at: *at, order: made.len(), site });
        }
    }

    /// Notes all objects before a collection, while the heap refuses calls. A heap that is not well-formed has no notes: `-DS` says why.
    pub(crate) fn note_before_faults(&mut self, mutator: &mut Mutator) {
        if !self.flags.faults {
            return;
        }
        self.checking.faults.is_settled.store(false, Ordering::Release);
        // A limit is meant for the program, so it gets its memory back.
        let _ = self.store.release_aside(self.flags.heap_limit_bytes.is_some());
        self.checking.faults.before.clear();
        if self.close_for_walk(mutator).is_err() {
            return;
        }
        let Ok(objects) = Objects::find(&self.store, mutator) else { return };
        let before = &mut self.checking.faults.before;
        if before.reserve(objects.starts.len()).is_err() {
            return;
        }
        let made = &mut self.checking.faults.made;
        sort_by_key(made, |one| (one.at, one.order));
        for from in objects.starts.iter() {
            // SAFETY: the walk has found an object here.
            let (info, words) = unsafe {
                let info = info_of(from.load());
                (info, self.store.model.size(from, info))
            };
            let behind = made.partition_point(|one| one.at <= from);
            let maker = behind.checked_sub(1).map(|last| made[last]).filter(|one| one.at == from);
            let site = maker.map_or(0, |one| one.site);
            let _ = before.push_within(Gone { from, words, info, to: Addr::NULL, site });
        }
    }

    /// Takes access from the memory that the collection has emptied, and keeps a record of its objects.
    pub(crate) fn note_after_faults(&mut self, reason: &'static CStr) {
        if !self.flags.faults {
            return;
        }
        let mut gone = std::mem::take(&mut self.checking.faults.before);
        let last = self.checking.moves.as_ref().and_then(|moves| moves.last());
        let mut made = std::mem::take(&mut self.checking.faults.made);
        made.clear();
        gone.retain_mut(|one| {
            if let Some(moved) = last.and_then(|batch| batch.from(one.from)) {
                one.to = moved.to;
            }
            let stays = self.store.holds(one.from);
            let now = if one.to.is_null() && stays { one.from } else { one.to };
            if one.site != 0 && !now.is_null() {
                let _ = made.push(Made { at: now, order: made.len(), site: one.site });
            }
            !stays
        });
        for one in gone.iter().filter(|one| one.site != 0) {
            // The module of the code is read now, since a handler may not.
            let _ = self.checking.faults.symbols.locate(one.site);
        }
        self.checking.faults.made = made;
        self.store.aside.close(self.stats.collections, reason, gone);
        self.checking.faults.is_settled.store(true, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn a_heap_waits_for_its_visitors() {
        static PLACE: Place<u32> = Place::empty();
        static HAS_LEFT: AtomicBool = AtomicBool::new(false);
        let mut heap = 7;
        PLACE.heap.store(&raw mut heap, Ordering::Release);
        let (comes, has_come) = mpsc::channel();
        let visitor = std::thread::spawn(move || {
            PLACE.visit(|heap| {
                comes.send(()).unwrap();
                thread::rest(Duration::from_millis(100));
                HAS_LEFT.store(true, Ordering::Relaxed);
                (*heap == 7).then_some(())
            })
        });
        has_come.recv().unwrap();
        assert!(PLACE.take(&raw mut heap));
        assert!(HAS_LEFT.load(Ordering::Relaxed));
        assert!(visitor.join().unwrap().is_some());
        assert!(PLACE.visit(|_| Some(())).is_none());
        assert!(!PLACE.take(&raw mut heap));
    }
}
