//! The state of the allocator and collector that the reference lists, for debuggers and for clients that look.

use super::guard::{check_sized, give, with_heap};
use crate::base::Status;
use crate::host::Host;

pub use crate::runtime::state::{GenerationState, HeapState, StepState};

/// Reads the state of a heap.
///
/// # Safety
/// `heap` is live; `out` points to a state with its `size` set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_heap_state(heap: *mut Host, out: *mut HeapState) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            check_sized(out, "barrow_heap_state_t")?;
            give(out, runtime.state(), "out")
        })
    }
}

/// Reads the state of a generation.
///
/// # Safety
/// `heap` is live; `out` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_generation_state(
    heap: *mut Host,
    generation: u32,
    out: *mut GenerationState,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            let state = runtime.generation_state(generation as usize)?;
            give(out, state, "out")
        })
    }
}

/// Reads the state of a step.
///
/// # Safety
/// `heap` is live; `out` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_step_state(
    heap: *mut Host,
    generation: u32,
    step: u32,
    out: *mut StepState,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            let state = runtime.step_state(generation as usize, step as usize)?;
            give(out, state, "out")
        })
    }
}
