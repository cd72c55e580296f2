//! Stacks and threads as objects.

use super::guard::{value_with_mutator, with_mutator};
use super::memory::until_there_is_memory;
use crate::base::{Addr, Status};
use crate::heap::{Info, Mutator};
use std::ffi::c_void;

/// Makes a stack of `words` words with nothing but a stop frame, of which `stop` is the info table; NULL for the
/// library's, a frame of two words. Never collects, but the overflow hook may. NULL when something is wrong, or when that hook has refused.
///
/// # Safety
/// `mutator` is live and the calling thread's; `stop` is NULL or an info table that lives for ever.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn barrow_stack_new(
    mutator: *mut Mutator,
    stop: *const Info,
    words: usize,
) -> *mut c_void {
    let stop = Addr(stop as usize);
    // SAFETY: the caller's promise.
    unsafe {
        until_there_is_memory(mutator, words, |r, m, words, _| r.make_stack(m, stop, words), (0, 0)).cast()
    }
}

/// Lets the mutator run on a stack, or with NULL on none: its window has the stack, `sp` at its newest frame, and
/// `sp_lim`. Code pushes frames by moving `sp` down, and has it in the window at every call that may collect; words
/// that it writes there need no barrier. A small stack may move at any such call, so nothing but the window has
/// addresses in it. The stack that it ran on before keeps its top, and can be entered again. In a heap with
/// several mutators the library no longer knows then who evaluates what was claimed on that: `barrow_wait_for` waits for it.
///
/// # Safety
/// `mutator` is live and the calling thread's; `stack` is NULL or a stack; the window's `sp` is that of the stack that
/// it runs on, if any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_stack_enter(mutator: *mut Mutator, stack: *mut c_void) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |runtime| runtime.enter_stack(mutator, Addr(stack as usize))) }
}

/// Gives the stack that the mutator runs on room for `words` more words: a new chunk, of which the stop frame leads to
/// the full one. Code asks with `barrow_stack_need` (barrow/inline.h). Never collects: `barrow_stack_reserve` does, and the overflow hook may. False when that
/// has refused, or something is wrong.
///
/// # Safety
/// `mutator` is live and the calling thread's; the window's `sp` is that of the stack that it runs on, if any.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn barrow_stack_grow(mutator: *mut Mutator, words: usize) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        !until_there_is_memory(mutator, words, |r, m, words, _| r.grow_stack(m, words), (0, 0)).is_null()
    }
}

/// Gives room like `barrow_stack_grow`, and may collect: for programs that need stack and allocate nothing, whose
/// chunks nobody would look through otherwise. Nothing happens when there is room. A collection comes first when one
/// is due, and when there is no memory for a chunk without it.
///
/// # Safety
/// `mutator` is live and the calling thread's; the window's `sp` is that of the stack that it runs on, if any. Every
/// live reference is in a root.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn barrow_stack_reserve(mutator: *mut Mutator, words: usize) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        !until_there_is_memory(mutator, words, |r, m, words, _| r.reserve_stack(m, words), (0, 0)).is_null()
    }
}

/// Goes back to the chunk that the empty one continues: for the code of a stop frame, when something returns to it.
/// False when there is none: the stack is at its end. The empty chunk is used again where a stack with the same stop
/// frame grows, so it is not entered any more.
///
/// # Safety
/// `mutator` is live and the calling thread's; the window's `sp` is that of the stack that it runs on, if any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_stack_underflow(mutator: *mut Mutator) -> bool {
    // SAFETY: the caller's promise.
    unsafe { value_with_mutator(mutator, false, |runtime| runtime.underflow_stack(mutator)) }
}

/// Looks at every frame of a stack and of the chunks that it continues: the sentence names one that cannot be. In
/// checking mode (`-DS`) this happens around each collection; else a malformed frame is undefined behaviour.
///
/// # Safety
/// `mutator` is live and the calling thread's; `stack` is NULL or a stack; the window's `sp` is that of the stack that
/// it runs on, if any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_stack_check(mutator: *mut Mutator, stack: *mut c_void) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |runtime| runtime.check_stack(mutator, Addr(stack as usize))) }
}

/// Lets the mutator run on the stack of a thread, an object of kind `BARROW_THREAD`.
///
/// # Safety
/// `mutator` is live and the calling thread's; `thread` is a thread; the window's `sp` is that of the stack that it
/// runs on, if any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_thread_enter(mutator: *mut Mutator, thread: *mut c_void) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |runtime| runtime.enter_thread(mutator, Addr(thread as usize))) }
}

/// Puts the stack that the mutator runs on into a thread; the mutator runs on none afterwards.
///
/// # Safety
/// `mutator` is live and the calling thread's; `thread` is a thread; the window's `sp` is that of the stack that it
/// runs on, if any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_thread_leave(mutator: *mut Mutator, thread: *mut c_void) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |runtime| runtime.leave_thread(mutator, Addr(thread as usize))) }
}
