//! Words that clients give for heaps and mutators: looked at before anything behind them is used.
//!
//! Until a word is known for a live heap that runs no callback, its fields are read by themselves, and no reference to
//! it is made: in a callback, the collection holds the only one.

use crate::base::{Failure, Outcome};
use crate::heap::Mutator;
use crate::heap::root::frame::Frame;
use crate::host::Host;
use crate::host::still::Inside;
use crate::os::thread::{self, current_thread};
use crate::runtime::Runtime;
use crate::runtime::heap::{MUTATOR_SIGNATURE, MUTATORS, RUNTIME_SIGNATURE};
use crate::runtime::slot::refuse_elsewhere;
use std::sync::atomic::{AtomicU32, Ordering};

/// The heap at a word. While it collects, callbacks get nothing but their visitor.
///
/// # Safety
/// `heap` may be any word. When a live heap is there that takes one mutator, no other thread uses it.
pub(crate) unsafe fn heap_at<'a>(heap: *mut Host) -> Outcome<Inside<'a>> {
    refuse_elsewhere(heap, "heap")?;
    // SAFETY: slots stay mapped, and the signature tells whether a heap lives in this one.
    if planted!(153, false, unsafe { (*heap).signature } != RUNTIME_SIGNATURE) {
        return Err(Failure::state(format_args!(
            "{heap:?} is no live heap: it was freed, left dead by a fork, or never was one"
        )));
    }
    // SAFETY: a heap lives there.
    unsafe {
        outside_callbacks(heap)?;
        Ok(Inside::enter(heap, std::ptr::null_mut()))
    }
}

/// Refuses a call out of a callback. Of a heap with several mutators, only the thread that is inside can be in one.
///
/// # Safety
/// The heap is live, and no other thread uses it, but by its gate.
unsafe fn outside_callbacks(heap: *mut Host) -> Outcome<()> {
    // SAFETY: the caller's promise. No reference is made before the heap is known to be in no callback.
    unsafe {
        let gate = (&raw const (*heap).runtime.gate).read();
        if !gate.is_null() && !(*gate).has(current_thread()) {
            return Ok(());
        }
        Runtime::refuse_in_callbacks((*heap).runtime.ending, (*heap).runtime.busy.is_set())
    }
}

/// Whether a live mutator is there.
pub(crate) fn is_mutator(mutator: *mut Mutator) -> bool {
    // SAFETY: slots stay mapped, and the signature tells whether a mutator lives in this one.
    !mutator.is_null()
        && MUTATORS.has(mutator as usize)
        && unsafe { (*mutator).signature } == MUTATOR_SIGNATURE
}

/// The heap of a mutator that the calling thread may use.
///
/// # Safety
/// `mutator` may be any word.
pub(crate) unsafe fn heap_of<'a>(mutator: *mut Mutator) -> Outcome<Inside<'a>> {
    // SAFETY: the caller's promise; the owner of a mutator that passes is a live heap.
    unsafe {
        look_at(mutator)?;
        Ok(Inside::enter((*mutator).owner.cast::<Host>(), mutator))
    }
}

/// Refuses what is no mutator that the calling thread may use now.
///
/// # Safety
/// `mutator` may be any word.
pub(crate) unsafe fn look_at(mutator: *mut Mutator) -> Outcome<()> {
    // SAFETY: the caller's promise; a live mutator's owner is a live heap.
    unsafe {
        own(mutator)?;
        if !(*mutator).gate.is_null() && (*mutator).presence.is_away() {
            return Err(Failure::state(format_args!(
                "the mutator {mutator:?} is in foreign code: barrow_leave_foreign comes back first"
            )));
        }
        outside_callbacks((*mutator).owner.cast::<Host>())
    }
}

/// Refuses what is no mutator that the calling thread may leave for foreign code with, or come back.
///
/// # Safety
/// `mutator` may be any word.
pub(crate) unsafe fn may_leave(mutator: *mut Mutator) -> Outcome<()> {
    // SAFETY: the caller's promise; a live mutator's owner is a live heap.
    unsafe {
        own(mutator)?;
        outside_callbacks((*mutator).owner.cast::<Host>())
    }
}

/// Whether a mutator, in a heap that takes several, comes out of line with each allocation.
///
/// # Safety
/// `mutator` may be any word.
pub(crate) unsafe fn is_always_slow_beside_others(mutator: *mut Mutator) -> bool {
    // SAFETY: the caller's promise; the fields are those of a live mutator of this thread.
    unsafe { own(mutator).is_ok() && !(*mutator).gate.is_null() && (*mutator).always_slow }
}

/// Whether a live mutator of the calling thread is there, in a heap that takes several, whose thread is not inside the gate, and whose
/// area is not open: the quick look, which is enough where a closer one follows when it says no. Where threads have no word it always
/// says no.
///
/// # Safety
/// `mutator` may be any word.
#[inline]
pub(crate) unsafe fn is_own_beside_others(mutator: *mut Mutator) -> bool {
    // SAFETY: slots stay mapped, and one that is covered has another behind it.
    unsafe { MUTATORS.covers(mutator as usize) && has_own_word(mutator) }
}

/// As `is_own_beside_others`, in a few instructions without a call; no also for a mutator beyond the first slots.
///
/// # Safety
/// `mutator` may be any word.
#[inline(always)]
pub(crate) unsafe fn is_own_at_first_look(mutator: *mut Mutator) -> bool {
    // SAFETY: as above.
    unsafe { MUTATORS.covers_first::<Mutator>(mutator as usize) && has_own_word(mutator) }
}

/// Whether the word is there that a mutator has then. No other word of a slot equals it.
///
/// # Safety
/// The words that a mutator has can be read there.
#[inline(always)]
unsafe fn has_own_word(mutator: *mut Mutator) -> bool {
    // SAFETY: the caller's promise.
    let word = unsafe { (&raw const (*mutator).home_beside_others).read_unaligned() };
    thread::HAS_POINTER && word == Mutator::word_beside_others()
}

/// Refuses what is no live mutator of the calling thread.
///
/// # Safety
/// `mutator` may be any word.
unsafe fn own(mutator: *mut Mutator) -> Outcome<()> {
    refuse_elsewhere(mutator, "mutator")?;
    if !is_mutator(mutator) {
        return Err(Failure::state(format_args!(
            "{mutator:?} is no live mutator: it was detached, left dead by a fork, or never was one"
        )));
    }
    // SAFETY: a live mutator.
    if planted!(155, false, unsafe { (*mutator).thread } != current_thread()) {
        return Err(Failure::state(format_args!(
            "the mutator {mutator:?} belongs to another thread; each thread attaches its own"
        )));
    }
    Ok(())
}

/// Puts frames back that a mutator had before a function of the client's was called, unless that has detached it: then its place may be
/// another thread's.
///
/// # Safety
/// The mutator was a live one of the calling thread, with these frames, which are still there.
pub(crate) unsafe fn put_frames_back(mutator: *mut Mutator, frames: *mut Frame) {
    // SAFETY: the caller's promise; a mutator of this thread was just found there.
    unsafe {
        if planted!(681, true, own(mutator).is_ok()) {
            (*mutator).window.frames = frames;
        }
    }
}

/// As `heap_of`, for a path on which every nanosecond counts: nothing when anything is wrong, which another
/// path tells. A wild address fails by the signature, which no other word of a slot has.
///
/// # Safety
/// `mutator` may be any word.
#[inline]
pub(crate) unsafe fn usable_heap_of<'a>(mutator: *mut Mutator) -> Option<&'a mut Host> {
    if !mutator.is_aligned() || !MUTATORS.covers(mutator as usize) {
        return None;
    }
    // SAFETY: slots stay mapped, and one that is covered has another behind it. A live mutator's owner is a live heap.
    unsafe {
        if (*mutator).signature != MUTATOR_SIGNATURE || (*mutator).thread != current_thread() {
            return None;
        }
        if !(*mutator).gate.is_null() {
            return None;
        }
        let heap = (*mutator).owner.cast::<Host>();
        let in_callback = (*heap).runtime.busy.is_set() || (*heap).runtime.ending;
        (!in_callback).then(|| &mut *heap)
    }
}

/// The heap behind a mutator that is at home in the calling thread and not in a callback; nothing when a closer look is needed.
///
/// # Safety
/// `mutator` may be any word.
#[inline(always)]
pub(crate) unsafe fn host_at_home<'a>(mutator: *mut Mutator) -> Option<&'a mut Host> {
    // SAFETY: the caller's promise; a mutator that is at home has an owner that lives.
    unsafe {
        if is_at_home(mutator) {
            let owner = (*mutator).owner.cast::<Host>();
            // Said here, the caller does not ask once more whether there is a heap.
            std::hint::assert_unchecked(!owner.is_null());
            Some(&mut *owner)
        } else {
            None
        }
    }
}

/// Whether a mutator is live, the calling thread's, and its heap is not busy. No other word of a slot has the word of a thread.
///
/// # Safety
/// `mutator` may be any word.
#[inline(always)]
unsafe fn is_at_home(mutator: *mut Mutator) -> bool {
    // SAFETY: slots stay mapped, and a slot that is covered has another behind it.
    thread::HAS_POINTER
        && MUTATORS.covers_first::<Mutator>(mutator as usize)
        && thread::pointer() == unsafe { (&raw const (*mutator).home).read_unaligned() }
}

/// Whether a mutator that comes to a safepoint has nothing to do there.
///
/// # Safety
/// `mutator` may be any word.
#[inline(always)]
pub(crate) unsafe fn is_at_ease(mutator: *mut Mutator) -> bool {
    // SAFETY: the caller's promise; other threads access `poll` atomically.
    unsafe {
        is_at_home(mutator)
            && AtomicU32::from_ptr(&raw mut (*mutator).window.poll).load(Ordering::Relaxed)
                | (*mutator).unsettled
                == 0
    }
}

/// As `is_at_ease`, for a mutator of a heap that takes several.
///
/// # Safety
/// `mutator` may be any word.
#[inline]
pub(crate) unsafe fn is_at_ease_beside_others(mutator: *mut Mutator) -> bool {
    if !mutator.is_aligned() || !MUTATORS.covers(mutator as usize) {
        return false;
    }
    // SAFETY: slots stay mapped, and one that is covered has another behind it. Other threads access `poll` atomically.
    unsafe {
        (*mutator).signature == MUTATOR_SIGNATURE
            && (*mutator).thread == current_thread()
            && !(*mutator).gate.is_null()
            && AtomicU32::from_ptr(&raw mut (*mutator).window.poll).load(Ordering::Relaxed)
                | (*mutator).unsettled
                == 0
    }
}
