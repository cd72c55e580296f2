//! Walkers for the space profiler's clock: functions for `walk` of its options, for stacks that the library knows
//! itself.

use super::guard::free_standing;
use crate::base::Addr;
use crate::heap::Mutator;
use crate::heap::object::stack::frames_of_chunks;
use crate::host::calls::{Calls, ShadowFrames};
use crate::host::given::is_mutator;
use std::ffi::c_void;

/// For `walk` of `barrow_space_options`, with `walk_tells_code`: the functions on the machine's own stack, by the unwind
/// tables that compilers write anyway. Nothing has to be compiled for it. Calls from a function without such a table, and
/// what is below them, are not seen.
///
/// # Safety
/// The profiler calls it, or a `walk` of the client's with its own arguments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_walk_code(
    client: *mut c_void,
    mutator: *mut Mutator,
    functions: *mut *mut c_void,
    room: usize,
) -> usize {
    // SAFETY: the caller's promise.
    unsafe { told(functions, room, || calls(mutator, here(&client)), |_| true) }
}

/// Gives the functions of `barrow_walk_code` that have a frame of the shadow stack, ours or LLVM's: the ones that a
/// compiler made, without the C around them. A frame of the shadow stack belongs to the function in whose own frame
/// it lies.
///
/// # Safety
/// The profiler calls it, or a `walk` of the client's with its own arguments; the frames are on the machine's stack.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_walk_frames(
    client: *mut c_void,
    mutator: *mut Mutator,
    functions: *mut *mut c_void,
    room: usize,
) -> usize {
    if !is_mutator(mutator) {
        return 0;
    }
    // SAFETY: it is a mutator, of the calling thread by the caller's promise, and so is the rest; a frame that was passed is
    // one of a function that still runs.
    unsafe {
        let mut frames = ShadowFrames::of(mutator);
        told(functions, room, || calls(mutator, here(&client)), |frame| frames.has_one_in(frame))
    }
}

/// For `walk` of `barrow_space_options`: the frames of the stack object that the mutator runs on, and of the chunks that
/// it continues. Each is told by its info table, whose name it has in reports when `name_of` gives it none. None at all
/// while the mutator runs on no stack, or when the window's `sp` is not in it.
///
/// # Safety
/// The profiler calls it, or a `walk` of the client's with its own arguments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_walk_stack(
    client: *mut c_void,
    mutator: *mut Mutator,
    functions: *mut *mut c_void,
    room: usize,
) -> usize {
    let _ = client;
    if functions.is_null() || !is_mutator(mutator) {
        return 0;
    }
    // SAFETY: it is a mutator, of the calling thread by the caller's promise.
    let (stack, sp) = unsafe { ((*mutator).window.stack, (*mutator).window.sp) };
    let frames = frames_of_chunks(Addr(stack as usize), Addr(sp as usize)).take(room).enumerate();
    // SAFETY: there is room for so many.
    let written = frames.map(|(at, info)| unsafe { *functions.add(at) = info.cast_mut().cast() });
    written.count()
}

/// An address in the frame of the function whose variable this is.
fn here(variable: &*mut c_void) -> usize {
    std::hint::black_box(variable as *const _ as usize)
}

fn calls(mutator: *mut Mutator, here: usize) -> Calls {
    // A safepoint that has something to do ends in a jump, and leaves no frame of its own.
    let closer = super::collect::look_closer as *const () as usize;
    Calls::of_client(mutator, here, |function| function == closer || super::table::has(function))
}

/// Writes return addresses of the calls that are wanted, asked by where their frames begin and end.
///
/// # Safety
/// `functions` has room for `room` addresses.
unsafe fn told(
    functions: *mut *mut c_void,
    room: usize,
    find: impl FnOnce() -> Calls,
    mut wanted: impl FnMut((usize, usize)) -> bool,
) -> usize {
    let mut count = 0;
    free_standing(|| {
        let room = if functions.is_null() { 0 } else { room };
        for (returns_to, _) in find().each().filter(|&(_, frame)| wanted(frame)).take(room) {
            // SAFETY: the caller's promise.
            unsafe { *functions.add(count) = returns_to as *mut c_void };
            count += 1;
        }
        Ok(())
    });
    count
}
