//! Walkers for the space profiler's clock: functions for `walk` of its options, for stacks that the library knows
//! itself.

use super::guard::{free_standing, is_ours};
use crate::base::Addr;
use crate::base::size::WORD_BYTES;
use crate::heap::Mutator;
use crate::heap::object::stack::Stack;
use crate::os::unwind::{self, Call};
use std::ffi::c_void;

/// The most frames that are looked at; the library's come first, and are left out.
const MOST_CALLS: usize = 320;

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
    unsafe { told(functions, room, || walk_code(mutator, here(&client)), |_| true) }
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
    if !is_ours(mutator) {
        return 0;
    }
    // SAFETY: it is a mutator, of the calling thread by the caller's promise. Frames are chained, newest first.
    let (mut frame, mut llvm) = unsafe {
        let chain = (*mutator).llvm_chain;
        ((*mutator).window.frames, if chain.is_null() { std::ptr::null_mut() } else { *chain })
    };
    let mut has_frame = |(from, to): (usize, usize)| {
        let mut found = false;
        // SAFETY: as above; a frame that was passed is one of a function that still runs.
        unsafe {
            while !frame.is_null() && (frame as usize) < to {
                found |= frame as usize >= from;
                frame = (*frame).up;
            }
            while !llvm.is_null() && (llvm as usize) < to {
                found |= llvm as usize >= from;
                llvm = (*llvm).next;
            }
        }
        found
    };
    // SAFETY: the caller's promise.
    unsafe { told(functions, room, || walk_code(mutator, here(&client)), &mut has_frame) }
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
    if functions.is_null() || !is_ours(mutator) {
        return 0;
    }
    // SAFETY: it is a mutator, of the calling thread by the caller's promise.
    let (stack, sp) = unsafe { ((*mutator).window.stack, (*mutator).window.sp) };
    let mut count = 0;
    let mut chunk = Addr(stack as usize);
    let mut top = Addr(sp as usize);
    // The client writes `sp`. A top outside the stack is an error of the next collection; here it has no frames.
    let is_inside = |stack: Stack| top >= stack.area() && top <= stack.end() && top.is_aligned(WORD_BYTES);
    if !chunk.is_null() && !is_inside(Stack(chunk)) {
        return 0;
    }
    while !chunk.is_null() {
        let stack = Stack(chunk);
        for (_, info) in stack.frames_from(top) {
            if count == room {
                return count;
            }
            if !std::ptr::eq(info, stack.object().stop) {
                // SAFETY: there is room for so many.
                unsafe { *functions.add(count) = (&raw const *info).cast_mut().cast() };
                count += 1;
            }
        }
        chunk = stack.next_chunk();
        if !chunk.is_null() {
            top = Stack(chunk).top();
        }
    }
    count
}

/// An address in the frame of the function whose variable this is.
fn here(variable: &*mut c_void) -> usize {
    std::hint::black_box(variable as *const _ as usize)
}

struct Calls {
    all: [Call; MOST_CALLS],
    /// The index of the client's first call, and the end.
    from: usize,
    to: usize,
}

/// The calls on this stack, but those newer than `here`, which lies in the walker's own frame. The library's own
/// calls end with the one that returns to the client's allocation, or else with the function of the header that the
/// client called.
fn walk_code(mutator: *mut Mutator, here: usize) -> Calls {
    let mut all = [Call::default(); MOST_CALLS];
    let to = unwind::calls(&mut all);
    // SAFETY: it is a mutator, of the calling thread.
    let site = if is_ours(mutator) { unsafe { (*mutator).called_from } } else { 0 };
    let own = all[..to].iter().take_while(|call| call.stack <= here).count();
    let entered = |call: &Call| super::table::has(unwind::function_of(call.returns_to));
    let older = &all[own..to];
    let begin = older.iter().position(|call| site != 0 && call.returns_to == site);
    let begin = begin.or_else(|| older.iter().position(entered).map(|at| at + 1)).unwrap_or(0);
    Calls { all, from: own + begin, to }
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
        if functions.is_null() {
            return Ok(());
        }
        let calls = find();
        for at in calls.from..calls.to {
            let end = if at + 1 < calls.to { calls.all[at + 1].stack } else { usize::MAX };
            // The last call of a stack returns nowhere.
            if calls.all[at].returns_to == 0 {
                break;
            }
            if count < room && wanted((calls.all[at].stack, end)) {
                // SAFETY: the caller's promise.
                unsafe { *functions.add(count) = calls.all[at].returns_to as *mut c_void };
                count += 1;
            }
        }
        Ok(())
    });
    count
}
