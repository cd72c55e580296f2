//! Foreign code: how a mutator's thread leaves for it, where no collection waits for the thread, and how it comes back [host.still.away].

use crate::base::still::Presence;
use crate::base::{Failure, Outcome};
use crate::heap::Mutator;
use crate::heap::mutator::state::attention;
use crate::os::thread::current_thread;

/// Lets the calling thread leave for foreign code, where it touches no object.
///
/// # Safety
/// The mutator is live and the calling thread's.
pub(crate) unsafe fn leave_for_foreign(mutator: *mut Mutator) -> Outcome<()> {
    // SAFETY: the caller's promise.
    unsafe {
        let gate = (*mutator).gate;
        if !gate.is_null() {
            (*mutator).refuse_while_open()?;
        }
        (*mutator).foreign += 1;
        if (*mutator).foreign == 1 && !gate.is_null() && presence(mutator).leave() {
            nudge(mutator);
        }
    }
    Ok(())
}

/// As `leave_for_foreign`, when the mutator was found to be the thread's own and that is a matter of one step: whether somebody
/// waits for it, who is to be told (`nudge`). `None` leaves it to the longer way.
///
/// # Safety
/// When `is_own`, the mutator is live, the calling thread's, and in a heap that takes several.
#[inline(always)]
pub(crate) unsafe fn leave_in_one_step(mutator: *mut Mutator, is_own: bool) -> Option<bool> {
    // SAFETY: the caller's promise.
    unsafe {
        if !is_own || (*mutator).foreign != 0 {
            return None;
        }
        // A store before the step would have to be done first.
        let is_wanted = presence(mutator).leave();
        (*mutator).foreign = 1;
        Some(is_wanted)
    }
}

/// Tells whoever waits for a thread that has left.
///
/// # Safety
/// The mutator is live, the calling thread's, and in a heap that takes several.
pub(crate) unsafe fn nudge(mutator: *mut Mutator) {
    // SAFETY: the caller's promise.
    unsafe { (*(*mutator).gate).nudge() };
}

/// As `come_back`, when the mutator was found to be the thread's own and that is a matter of one step: whether it may go on, or has
/// to be admitted first (`admit`). `None` leaves it to the longer way.
///
/// # Safety
/// As of `leave_in_one_step`.
#[inline(always)]
pub(crate) unsafe fn come_back_in_one_step(mutator: *mut Mutator, is_own: bool) -> Option<bool> {
    // SAFETY: the caller's promise.
    unsafe {
        if !is_own || (*mutator).foreign != 1 {
            return None;
        }
        let may_go_on = presence(mutator).come_back();
        (*mutator).foreign = 0;
        Some(may_go_on)
    }
}

/// Waits until nobody keeps a thread still that has come back.
///
/// # Safety
/// As of `nudge`.
pub(crate) unsafe fn admit(mutator: *mut Mutator) {
    // SAFETY: the caller's promise; the gate lives as long as the heap. Nobody keeps the thread still when it arrives.
    unsafe {
        (*(*mutator).gate).admit(current_thread(), presence(mutator), || {
            (*mutator).rests = planted!(456, (*mutator).rests, false);
            (*mutator).satisfy(attention::STOP);
            (*mutator).show_limit();
        });
    }
}

/// Lets the calling thread come back, after waiting for whoever keeps it still.
///
/// # Safety
/// The mutator is live and the calling thread's.
pub(crate) unsafe fn come_back(mutator: *mut Mutator) -> Outcome<()> {
    // SAFETY: the caller's promise.
    unsafe {
        if (*mutator).foreign == 0 {
            return Err(Failure::state(format_args!("the mutator is not in foreign code")));
        }
        (*mutator).foreign -= 1;
        if (*mutator).foreign == 0 {
            arrive(mutator);
        }
    }
    Ok(())
}

/// # Safety
/// The mutator is live and the calling thread's.
unsafe fn arrive(mutator: *mut Mutator) {
    // SAFETY: the caller's promise; the gate lives as long as the heap.
    unsafe {
        let gate = (*mutator).gate;
        if !gate.is_null() && !presence(mutator).come_back() {
            admit(mutator);
        }
    }
}

/// # Safety
/// The mutator is live.
pub(super) unsafe fn presence<'a>(mutator: *mut Mutator) -> &'a Presence {
    // SAFETY: the caller's promise; its words are atomic.
    unsafe { &(*mutator).presence }
}
