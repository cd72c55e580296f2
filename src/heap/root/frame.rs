//! Roots in frames: those of a shadow stack, and LLVM's own chain of frames.

use crate::base::size::WORD_BYTES;
use crate::base::{Addr, Failure, Outcome};
use crate::heap::object::slots::SlotSink;
use crate::os::debugger::Readable;

pub use crate::heap::object::slots::Visitor;

/// A frame of the shadow stack; it is followed by `count` values.
#[repr(C)]
pub struct Frame {
    pub up: *mut Frame,
    /// Number of values; with `BARROW_FRAME_TAGGED` added, they are tagged words.
    pub count: usize,
}

/// Added to a frame's count: its values are tagged words.
pub const FRAME_TAGGED: usize = 1 << 63;

// A frame with more roots than this is a wild pointer, not a frame.
const MOST_ROOTS: usize = 1 << 28;

/// Looks at every frame before any root is moved, so that a broken chain is an error and not a damaged heap.
///
/// # Safety
/// `top` is null or the newest of a chain of frames.
pub unsafe fn check_frames(top: *mut Frame) -> Outcome<usize> {
    // SAFETY: the caller's promise.
    unsafe { check(top, |_, _| true) }
}

/// As `check_frames`, for a chain that may lead anywhere: a frame that cannot be read, with its values, is an error.
pub(crate) fn check_any_frames(top: *mut Frame, readable: &mut Readable) -> Outcome<usize> {
    // SAFETY: nothing is read that the system does not call readable.
    unsafe { check(top, |at, words| readable.has(at as usize, words * WORD_BYTES)) }
}

/// # Safety
/// As many words can be read as `readable` agrees to.
unsafe fn check(top: *mut Frame, mut readable: impl FnMut(*mut Frame, usize) -> bool) -> Outcome<usize> {
    const WORDS: usize = size_of::<Frame>() / WORD_BYTES;
    let mut frame = top;
    let mut hare = top;
    let mut depth = 0;
    while !frame.is_null() {
        if !Addr(frame as usize).is_aligned(WORD_BYTES) {
            return Err(Failure::argument(format_args!(
                "shadow-stack frame {depth} lies at {frame:?}, not at a word"
            )));
        }
        let nowhere = |what: &str| {
            Err(Failure::argument(format_args!(
                "shadow-stack frame {depth} is said to lie at {frame:?}, where {what}; was the top stored over, or a frame left without restoring it?"
            )))
        };
        if !readable(frame, WORDS) {
            return nowhere("nothing can be read");
        }
        // SAFETY: the caller's promise.
        let count = unsafe { (*frame).count } & !FRAME_TAGGED;
        if count > MOST_ROOTS {
            return Err(Failure::argument(format_args!(
                "shadow-stack frame {depth} at {frame:?} says that it has {count} roots; was it left without restoring the top?"
            )));
        }
        if !readable(frame, WORDS + count) {
            return nowhere("not all of its roots can be read");
        }
        for _ in 0..2 {
            if hare.is_null() || !Addr(hare as usize).is_aligned(WORD_BYTES) || !readable(hare, WORDS) {
                // A chain that leads nowhere is no circle; its frames are told of one by one.
                hare = std::ptr::null_mut();
                break;
            }
            // SAFETY: as above; the hare runs ahead on the same chain.
            hare = unsafe { (*hare).up };
        }
        // SAFETY: as above.
        frame = unsafe { (*frame).up };
        depth += 1;
        if !hare.is_null() && hare == frame {
            return Err(Failure::argument(format_args!(
                "the shadow stack runs in a circle at frame {frame:?}"
            )));
        }
    }
    Ok(depth)
}

/// # Safety
/// As for `check_frames`, which has found nothing wrong.
pub unsafe fn visit_frames<S: SlotSink>(top: *mut Frame, sink: &mut S) {
    let mut frame = top;
    while !frame.is_null() {
        // SAFETY: the caller's promise; the values follow the frame.
        unsafe {
            let first = Addr(frame.add(1) as usize);
            let count = (*frame).count;
            for i in 0..count & !FRAME_TAGGED {
                if planted!(18, i > 0 && count & FRAME_TAGGED != 0, count & FRAME_TAGGED != 0) {
                    sink.tagged(first.plus_words(i));
                } else {
                    sink.pointer(first.plus_words(i));
                }
            }
            frame = (*frame).up;
        }
    }
}

/// LLVM's `shadow-stack` strategy: the description of a function.
#[repr(C)]
pub struct LlvmFrameMap {
    pub roots: i32,
    pub metas: i32,
}

/// LLVM's `shadow-stack` strategy: one activation; its roots follow.
#[repr(C)]
pub struct LlvmFrame {
    pub next: *mut LlvmFrame,
    pub map: *const LlvmFrameMap,
}

/// # Safety
/// `top` is null or the newest entry of a chain that LLVM's code maintains.
pub unsafe fn visit_llvm_frames<S: SlotSink>(top: *mut LlvmFrame, sink: &mut S) -> Outcome<()> {
    // SAFETY: the caller's promise.
    unsafe { each_llvm_root(top, sink, |_, _| true) }
}

/// As `visit_llvm_frames`, for a chain that may lead anywhere: a frame that cannot be read is an error. `head` points
/// to the pointer to its newest entry.
pub(crate) fn visit_any_llvm_frames<S: SlotSink>(
    head: *mut *mut LlvmFrame,
    sink: &mut S,
    readable: &mut Readable,
) -> Outcome<()> {
    if !readable.has(head as usize, WORD_BYTES) {
        return Err(Failure::argument(format_args!(
            "the head of LLVM's chain is said to lie at {head:?}, where nothing can be read"
        )));
    }
    // SAFETY: nothing is read that the system does not call readable.
    unsafe { each_llvm_root(*head, sink, |at, bytes| readable.has(at, bytes)) }
}

/// # Safety
/// As many bytes can be read as `readable` agrees to.
unsafe fn each_llvm_root<S: SlotSink>(
    top: *mut LlvmFrame,
    sink: &mut S,
    mut readable: impl FnMut(usize, usize) -> bool,
) -> Outcome<()> {
    let mut frame = top;
    while !frame.is_null() {
        let at = frame as usize;
        let nowhere = || {
            Err(Failure::argument(format_args!(
                "LLVM's chain leads to a frame at {frame:?}, of which not all can be read"
            )))
        };
        if !readable(at, size_of::<LlvmFrame>()) {
            return nowhere();
        }
        // SAFETY: the caller's promise.
        unsafe {
            let map = (*frame).map;
            if map.is_null() || !readable(map as usize, size_of::<LlvmFrameMap>()) || (*map).roots < 0 {
                return Err(Failure::argument(format_args!(
                    "the frame at {frame:?} of LLVM's chain has no map"
                )));
            }
            let first = Addr(frame.add(1) as usize);
            let roots = (*map).roots as usize;
            if !readable(first.0, roots * WORD_BYTES) {
                return nowhere();
            }
            for i in planted!(23, 1, 0)..roots {
                sink.pointer(first.plus_words(i));
            }
            frame = (*frame).next;
        }
    }
    Ok(())
}

/// A root, or a range of them, that the client has registered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Registered {
    pub first: Addr,
    pub count: usize,
    pub tagged: bool,
    /// For profiles and messages; the client's own constant string, or null.
    pub name: *const std::ffi::c_char,
}

impl Registered {
    pub(crate) fn visit<S: SlotSink>(&self, sink: &mut S) {
        sink.name(self.name);
        for i in 0..planted!(22, self.count.max(2) - 1, self.count) {
            let slot = self.first.plus_words(i);
            if self.tagged {
                sink.tagged(slot);
            } else {
                sink.pointer(slot);
            }
        }
    }
}
