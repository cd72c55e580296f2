//! Parts of a stack: a frame that is looked for, frames that are cut off, captured as an object, and put on a stack again.
//!
//! Parts are told by addresses of frames. These hold until the next call that may collect, since small chunks move then and
//! update frames may become one.

use crate::base::size::*;
use crate::base::{Addr, Failure, Outcome};
use crate::heap::Mutator;
use crate::heap::mutator::running::running;
use crate::heap::object::info::Info;
use crate::heap::object::stack::{STACK_HEADER_WORDS, Stack, frame_words};
use crate::host::Host;
use crate::os::debugger::Readable;
use crate::runtime::stack::no_stack;
use std::cell::Cell;

/// A stack and the chunks that it continues, newest first.
fn chunks(stack: Stack) -> impl Iterator<Item = Stack> {
    std::iter::successors(Some(stack), |chunk| {
        Some(chunk.next_chunk()).filter(|next| !next.is_null()).map(Stack)
    })
}

/// The frames of a stack and of the chunks that it continues, newest first and each with its chunk, without stop frames.
fn frames(stack: Stack) -> impl Iterator<Item = (Stack, Addr, &'static Info)> {
    chunks(stack).flat_map(|chunk| {
        let stop = chunk.stop_frame();
        chunk
            .frames()
            .take_while(move |(frame, _)| *frame != stop)
            .map(move |(frame, info)| (chunk, frame, info))
    })
}

/// The chunk in which a frame lies; for no frame, the oldest one.
fn chunk_of(stack: Stack, frame: Addr) -> Outcome<Stack> {
    let found = if frame.is_null() {
        chunks(stack).last()
    } else {
        frames(stack).find(|&(_, at, _)| at == frame).map(|(chunk, ..)| chunk)
    };
    found.ok_or_else(|| {
        Failure::argument(format_args!("no frame of the stack that the mutator runs on begins at {frame}"))
    })
}

/// The words of all frames of a stack and of the chunks that it continues, without stop frames.
fn words_of_frames(stack: Stack) -> usize {
    chunks(stack).map(|chunk| chunk.stop_frame().words_since(chunk.top())).sum()
}

/// The frame that ends a part, or null for none. After the first look it is told by how much is newer, and not by its address:
/// the stack may move between two attempts.
pub(crate) struct Until {
    frame: Addr,
    /// The words of frames that are newer, and of all frames.
    newer: Cell<Option<(usize, usize)>>,
}

impl Until {
    pub(crate) fn at(frame: Addr) -> Until {
        Until { frame, newer: Cell::new(None) }
    }

    /// Where the frame is now.
    fn find(&self, stack: Stack) -> Outcome<Addr> {
        let Some((mut newer, all)) = planted!(511, None, self.newer.get()) else { return Ok(self.frame) };
        if self.frame.is_null() {
            return Ok(Addr::NULL);
        }
        if words_of_frames(stack) != all {
            return Err(Failure::state(format_args!(
                "frames of the stack became one while the overflow hook ran: look for the frame again, and capture then"
            )));
        }
        for chunk in chunks(stack) {
            let held = chunk.stop_frame().words_since(chunk.top());
            if newer < held {
                return Ok(chunk.top().plus_words(newer));
            }
            newer -= held;
        }
        Ok(self.frame)
    }
}

impl Host {
    /// The stack that the mutator runs on, with its top; looked through in checking mode.
    fn closed_stack(&mut self, mutator: *mut Mutator) -> Outcome<Stack> {
        self.refuse_while_busy()?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        let m = unsafe { &*mutator };
        let Some(stack) = running(m) else { return Err(no_stack()) };
        self.store.close_stack(m)?;
        if stack.top() > stack.stop_frame() {
            return Err(Failure::argument(format_args!(
                "the window's sp is {}, behind the stop frame of the stack at {}, which begins at {}",
                stack.top(),
                stack.0,
                stack.stop_frame()
            )));
        }
        if self.flags.sanity {
            let mut readable = Readable::new();
            chunks(stack).try_for_each(|chunk| chunk.check(&mut readable))?;
        }
        Ok(stack)
    }

    /// The newest frame with this table; of those that are older than `after`, when that is a frame. Null when there is none.
    pub(crate) fn find_frame(
        &mut self,
        mutator: *mut Mutator,
        table: *const Info,
        after: Addr,
    ) -> Outcome<Addr> {
        let stack = self.closed_stack(mutator)?;
        let mut frames = frames(stack);
        if !after.is_null() && !frames.any(|(_, frame, _)| frame == after) {
            chunk_of(stack, after)?;
        }
        let found = frames.find(|&(_, _, info)| std::ptr::eq(info, table));
        Ok(found.map_or(Addr::NULL, |(_, frame, _)| frame))
    }

    /// Takes off all frames that are newer than `frame`, or all frames. Chunks that are left are put by.
    pub(crate) fn cut_stack(&mut self, mutator: *mut Mutator, frame: Addr) -> Outcome<()> {
        let stack = self.closed_stack(mutator)?;
        let last = chunk_of(stack, frame)?;
        loop {
            // SAFETY: the mutator is live, and only its own thread calls this.
            let m = unsafe { &mut *mutator };
            let Some(chunk) = running(m) else { return Err(no_stack()) };
            if chunk == last {
                let top = if frame.is_null() { chunk.stop_frame() } else { frame };
                m.window.sp = top.as_ptr();
                return Ok(());
            }
            m.window.sp = chunk.stop_frame().as_ptr();
            self.underflow_stack(mutator)?;
        }
    }

    /// Makes a stack of copies of the frames that are newer than `until`, or of all frames. Never collects; it may be tried
    /// again after a collection.
    pub(crate) fn capture_stack(&mut self, mutator: *mut Mutator, until: &Until) -> Outcome<Addr> {
        let stack = self.closed_stack(mutator)?;
        let (place, until) = (until, until.find(stack)?);
        let last = chunk_of(stack, until)?;
        let is_end = |chunk: Stack| planted!(183, false, chunk == last && !until.is_null());
        let end_in = |chunk: Stack| if is_end(chunk) { until } else { chunk.stop_frame() };
        let mut words = 0;
        for chunk in chunks(stack) {
            words += end_in(chunk).words_since(chunk.top());
            if chunk == last {
                break;
            }
        }
        // SAFETY: a stack has the table of its stop frame, which lives for ever.
        let stop = unsafe { &*stack.stop() };
        // SAFETY: the mutator is live, and only its own thread calls this.
        unsafe { (*mutator).asked_words = STACK_HEADER_WORDS + words + frame_words(stop) };
        let made = self.new_chunk(mutator, stop, words + frame_words(stop), Addr::NULL);
        // Nothing has moved yet. The hook may be asked, and then another attempt looks for the frame again.
        let made = made.inspect_err(|_| place.newer.set(Some((words, words_of_frames(stack)))));
        let made = Stack(made?);
        let top = Addr(made.stop_frame().0 - words * WORD_BYTES);
        let mut to = top;
        for chunk in chunks(stack) {
            let count = end_in(chunk).words_since(chunk.top());
            // SAFETY: the frames of a chunk lie side by side up to there, and the new stack has room for all of them.
            unsafe { to.as_ptr::<usize>().copy_from_nonoverlapping(chunk.top().as_ptr(), count) };
            to = to.plus_words(count);
            if chunk == last {
                break;
            }
        }
        // Objects that calls make are in the nursery, so nothing of this has to be remembered.
        made.set_top(top);
        if planted!(668, false, self.is_shared()) {
            // SAFETY: the mutator is live, and only its own thread calls this.
            self.leave_claims(unsafe { &*mutator }, made);
        }
        Ok(made.0)
    }

    /// Puts copies of a captured part's frames on the stack that the mutator runs on. Never collects.
    pub(crate) fn reinstate_stack(&mut self, mutator: *mut Mutator, part: Addr) -> Outcome<Addr> {
        let part = self.stack_at(part)?;
        let stack = self.closed_stack(mutator)?;
        if part == stack {
            return Err(Failure::argument(format_args!(
                "the stack at {} is the one that the mutator runs on",
                part.0
            )));
        }
        if !part.next_chunk().is_null() {
            return Err(Failure::argument(format_args!(
                "the stack at {} continues another chunk: barrow_stack_capture makes one part of them",
                part.0
            )));
        }
        if self.flags.sanity {
            part.check(&mut Readable::new())?;
        }
        let words = part.stop_frame().words_since(part.top());
        if stack.top().words_since(stack.area()) < words {
            self.grow_stack(mutator, words)?;
        }
        // SAFETY: the mutator is live and only its own thread calls this; its stack has room for the frames of the part, which
        // is another object.
        unsafe {
            let window = &mut (*mutator).window;
            window.sp = window.sp.sub(words);
            window.sp.copy_from_nonoverlapping(part.top().as_ptr(), words);
            Ok(Addr(window.stack as usize))
        }
    }
}
