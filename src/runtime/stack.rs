//! Stacks and threads as clients see them: made, entered, grown by chunks, left.

use super::heap::Runtime;
use crate::base::size::*;
use crate::base::{Addr, Failure, Outcome};
use crate::heap::info::{Info, Kind};
use crate::heap::model::info_of;
use crate::heap::own;
use crate::heap::remember::{Entry, Remembered};
use crate::heap::space::Code;
use crate::heap::stack::{STACK_HEADER_WORDS, Stack, frame_words, running};
use crate::heap::{Mutator, Store};

/// Chunks that the library adds double up to this. A chunk is what a collection looks at when the mutator has run on
/// it, so it is as large as is cheap to look at each time; it is large enough not to be copied.
const CHUNK_WORDS: usize = 4096;

impl Runtime {
    /// Makes a stack with nothing but its stop frame. Never collects.
    pub fn make_stack(&mut self, mutator: *mut Mutator, stop: Addr, words: usize) -> Outcome<Addr> {
        self.refuse_while_busy()?;
        let stop = if stop.is_null() { own::STOP.address() } else { stop };
        // SAFETY: the client hands in an info table.
        let info = unsafe { Info::check(stop)? };
        if info.kind != Kind::StopFrame as u8 {
            return Err(Failure::argument(format_args!(
                "a stack ends with a frame of kind BARROW_STOP_FRAME, and {} is of kind {}",
                info.name(),
                info.kind
            )));
        }
        if words < frame_words(info) || words > MAX_OBJECT_WORDS - STACK_HEADER_WORDS {
            return Err(Failure::argument(format_args!(
                "a stack of {words} words is not possible: its stop frame has {}",
                frame_words(info)
            )));
        }
        self.new_chunk(mutator, info, words, Addr::NULL)
    }

    fn new_chunk(&mut self, mutator: *mut Mutator, stop: &Info, words: usize, next: Addr) -> Outcome<Addr> {
        // What is added for alignment belongs to the stack.
        let words = self.store.rounded(STACK_HEADER_WORDS + words) - STACK_HEADER_WORDS;
        let at = self.allocate(mutator, STACK_HEADER_WORDS + words, 0)?;
        // SAFETY: the words were just allocated.
        unsafe { Stack(at).init(own::STACK.address(), words, stop, next) };
        Ok(at)
    }

    fn stack_at(&self, at: Addr) -> Outcome<Stack> {
        self.object_code(at)?;
        // SAFETY: `object_code` found a block of objects there; the client says that it is one.
        if info_of(unsafe { at.load() }).kind != Kind::Stack as u8 {
            return Err(Failure::argument(format_args!("the object at {at} is no stack")));
        }
        Ok(Stack(at))
    }

    /// The mutator runs on this stack from now on, or on none. The one that it ran on has its top.
    pub fn enter_stack(&mut self, mutator: *mut Mutator, at: Addr) -> Outcome<()> {
        self.refuse_while_busy()?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        let m = unsafe { &mut *mutator };
        if !at.is_null() {
            let stack = self.stack_at(at)?;
            if self.flags.sanity && running(m) != Some(stack) {
                stack.check()?;
            }
        }
        self.store.close_stack(m)?;
        self.pause_stack(mutator);
        // SAFETY: as above.
        self.store.enter(unsafe { &mut *mutator }, at);
        Ok(())
    }

    /// Room for `words` more words: a chunk, of which the stop frame leads to the one that is full.
    pub fn grow_stack(&mut self, mutator: *mut Mutator, words: usize) -> Outcome<Addr> {
        self.refuse_while_busy()?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        let m = unsafe { &mut *mutator };
        let Some(stack) = running(m) else { return Err(no_stack()) };
        if words > MAX_OBJECT_WORDS / 2 {
            return Err(Failure::argument(format_args!("no stack has room for {words} words")));
        }
        self.store.close_stack(m)?;
        // SAFETY: a stack has the table of its stop frame, which lives for ever.
        let stop = unsafe { &*stack.object().stop };
        let needed = words + frame_words(stop);
        let spare = std::mem::take(&mut m.spare_stack);
        if !spare.is_null() && Stack(spare).object().words >= needed {
            Stack(spare).empty(stack.0);
            self.store.enter(m, spare);
            return Ok(spare);
        }
        let words = (2 * stack.object().words).min(CHUNK_WORDS).max(needed);
        let chunk = self.new_chunk(mutator, stop, words, stack.0)?;
        // SAFETY: as above.
        self.store.enter(unsafe { &mut *mutator }, chunk);
        Ok(chunk)
    }

    /// Goes back to the chunk that an empty one continues. False at the end of the stack.
    pub fn underflow_stack(&mut self, mutator: *mut Mutator) -> Outcome<bool> {
        self.refuse_while_busy()?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        let m = unsafe { &mut *mutator };
        let Some(stack) = running(m) else { return Err(no_stack()) };
        self.store.close_stack(m)?;
        if stack.top() != stack.stop_frame() {
            return Err(Failure::state(format_args!(
                "the stack at {} has {} words of frames before its stop frame: only an empty chunk is left",
                stack.0,
                stack.stop_frame().0.saturating_sub(stack.top().0) / WORD_BYTES
            )));
        }
        let next = stack.next_chunk();
        if next.is_null() {
            return Ok(false);
        }
        self.stack_at(next)?;
        self.store.enter(m, next);
        // The next frame may need it again.
        m.spare_stack = stack.0;
        Ok(true)
    }

    pub fn check_stack(&mut self, mutator: *mut Mutator, at: Addr) -> Outcome<()> {
        // SAFETY: the mutator is live, and only its own thread calls this.
        self.store.close_stack(unsafe { &*mutator })?;
        let mut stack = self.stack_at(at)?;
        loop {
            stack.check().map_err(|failure| Failure::argument(format_args!("{}", failure.sentence)))?;
            let next = stack.next_chunk();
            if next.is_null() {
                return Ok(());
            }
            stack = self.stack_at(next)?;
        }
    }

    fn thread_at(&self, at: Addr) -> Outcome<Addr> {
        self.object_code(at)?;
        // SAFETY: `object_code` found a block of objects there; the client says that it is one.
        if info_of(unsafe { at.load() }).kind != Kind::Thread as u8 {
            return Err(Failure::argument(format_args!("the object at {at} is no thread")));
        }
        Ok(at.plus_words(1))
    }

    /// The mutator runs on the stack of this thread.
    pub fn enter_thread(&mut self, mutator: *mut Mutator, thread: Addr) -> Outcome<()> {
        let slot = self.thread_at(thread)?;
        // SAFETY: a thread's first field is its stack.
        let stack = Addr(unsafe { slot.load() });
        if stack.is_null() {
            return Err(Failure::argument(format_args!("the thread at {thread} has no stack")));
        }
        self.enter_stack(mutator, stack)
    }

    /// The thread has the stack that the mutator runs on, which runs on none afterwards.
    pub fn leave_thread(&mut self, mutator: *mut Mutator, thread: Addr) -> Outcome<()> {
        let slot = self.thread_at(thread)?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        let Some(stack) = running(unsafe { &*mutator }) else { return Err(no_stack()) };
        self.enter_stack(mutator, Addr::NULL)?;
        // SAFETY: as above.
        unsafe { slot.store(stack.0.0) };
        self.wrote(mutator, thread, slot, Remembered::Slot);
        Ok(())
    }
}

fn no_stack() -> Failure {
    Failure::state(format_args!("the mutator runs on no stack object: barrow_stack_enter gives it one"))
}

impl Store {
    /// What is written to the stack is told to nobody, so an old one is remembered.
    fn enter(&mut self, mutator: &mut Mutator, at: Addr) {
        mutator.window.stack = at.as_ptr();
        mutator.window.sp = std::ptr::null_mut();
        mutator.window.sp_lim = std::ptr::null_mut();
        mutator.spare_stack = Addr::NULL;
        if !at.is_null() {
            if Stack(at).object().dirty == 0 && Code(self.codes.at(at.0)).generation() > 0 {
                self.remember(mutator, Entry::new(Remembered::ObjectOnce, at));
            }
            self.open_stack(mutator);
        }
    }
}
