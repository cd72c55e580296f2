//! The sentence about a thread for which a collection has waited for long: who it is, and where.

use crate::base::Sentence;
use crate::heap::Mutator;
use crate::identity::ccs::Ccs;
use crate::identity::cost_centre::{SPECIAL_CENTRES, centre};
use crate::os::{clock, output, seen};
use crate::runtime::heap::MUTATORS;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The place of a thread: what the system tells of it, and the cost centre that its code is in, where there is one of the client's. And
/// whether it waits in a call of the system's.
///
/// # Safety
/// The mutator is live.
unsafe fn place_of(mutator: *mut Mutator) -> (Sentence, bool) {
    // SAFETY: the clock never changes, and the thread that is late writes its current stack with one store of a word.
    let (clock, stack): (clock::ThreadClock, *mut Ccs) = unsafe {
        (
            (&raw const (*mutator).clock).read(),
            AtomicPtr::from_ptr(&raw mut (*mutator).window.ccs).load(Ordering::Acquire),
        )
    };
    let (seen, waits) = seen::of(clock);
    // SAFETY: stacks of cost centres live as long as the process.
    let number = unsafe { stack.as_ref() }.map_or(0, |stack| stack.centre);
    let place = match centre(number).filter(|_| number > SPECIAL_CENTRES) {
        None => seen,
        Some(one) => {
            let [label, source] = [one.label, one.source].map(|text| text.to_str().unwrap_or(""));
            Sentence::new(format_args!("{seen} in {label} at {source}"))
        }
    };
    (place, waits)
}

/// Whether the mutator's thread is inside the gate of another heap, by a word that each of its mutators has there.
///
/// # Safety
/// The mutator is live.
unsafe fn is_in_a_call_of_another(mutator: *mut Mutator) -> bool {
    let is_other = |at: usize| {
        let other = at as *mut Mutator;
        // SAFETY: slots stay mapped, and nothing but the one word is read, atomically.
        other != mutator && unsafe { Mutator::is_inside_with(other, mutator) }
    };
    // The caller holds a gate, and this lock may be held until a fork is over: without it, it is not told.
    MUTATORS.try_hold().is_some_and(|slots| slots.each().any(is_other))
}

/// The sentence about a mutator.
///
/// # Safety
/// The mutator is live.
pub(super) unsafe fn sentence(mutator: *mut Mutator, thread: u64, begun: clock::Nanos) -> Sentence {
    let waited = clock::wall().since(begun).0 / 1_000_000;
    // SAFETY: the caller's promise.
    let ((place, waits), is_elsewhere) = unsafe { (place_of(mutator), is_in_a_call_of_another(mutator)) };
    let elsewhere = if is_elsewhere {
        ": it is in a call of another heap, and has not left this one"
    } else if waits {
        ": barrow_enter_foreign comes before what waits"
    } else {
        ""
    };
    Sentence::new(format_args!(
        "barrow: a collection has waited {waited} ms for the mutator {mutator:?} of thread {thread}{place}, which comes to no safepoint{elsewhere}"
    ))
}

/// Writes it to the standard error stream, whose reader may be slow.
pub(super) fn tell(sentence: &Sentence) {
    output::write_standard_error(&mut |out| writeln!(out, "{sentence}"));
}
