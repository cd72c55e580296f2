//! Stacks and threads as clients make, enter, grow and leave them. New chunks are allocated here.

use crate::base::size::*;
use crate::base::{Addr, Failure, Outcome, Status};
use crate::heap::Mutator;
use crate::heap::mutator::running::running;
use crate::heap::object::info::{Info, Kind};
use crate::heap::object::own;
use crate::heap::object::stack::{STACK_HEADER_WORDS, Stack, frame_words};
use crate::heap::space::remember::Remembered;
use crate::host::Host;
use crate::os::debugger::Readable;
use crate::runtime::lazy::ON_A_STACK;
use crate::runtime::stack::no_stack;

/// Refuses a room that no object has, before anything is added to it.
fn refuse_too_large(words: usize) -> Outcome<()> {
    if words > planted!(596, usize::MAX, MAX_OBJECT_WORDS / 2) {
        return Err(Failure::argument(format_args!("no stack has room for {words} words")));
    }
    Ok(())
}

impl Host {
    /// Makes a stack with nothing but its stop frame. Never collects.
    pub(crate) fn make_stack(&mut self, mutator: *mut Mutator, stop: Addr, words: usize) -> Outcome<Addr> {
        self.refuse_while_busy()?;
        let stop = if stop.is_null() { own::STOP.address() } else { stop };
        // SAFETY: the client hands in an info table.
        let info = unsafe { Info::check(stop)? };
        if !info.is(Kind::StopFrame) {
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
        self.refuse_stack_above_limit(words)?;
        self.new_chunk(mutator, info, words, Addr::NULL)
    }

    /// Makes a chunk with nothing but its stop frame. Never collects.
    pub(super) fn new_chunk(
        &mut self,
        mutator: *mut Mutator,
        stop: &Info,
        words: usize,
        next: Addr,
    ) -> Outcome<Addr> {
        // Words added for alignment belong to the stack.
        let words = self.store.rounded(STACK_HEADER_WORDS + words) - STACK_HEADER_WORDS;
        let at = self.allocate(mutator, STACK_HEADER_WORDS + words, 0)?;
        // SAFETY: the words were just allocated.
        unsafe { Stack(at).init(own::STACK.address(), words, stop, next) };
        Ok(at)
    }

    /// Lets the mutator run on this stack from now on, or on none. Its top is written to the stack that
    /// it leaves.
    pub(crate) fn enter_stack(&mut self, mutator: *mut Mutator, at: Addr) -> Outcome<()> {
        self.refuse_while_busy()?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        let m = unsafe { &mut *mutator };
        if !at.is_null() {
            let stack = self.stack_at(at)?;
            if planted!(513, !m.spare_stack.is_null(), self.store.has_spares) {
                self.forget_spares_of(stack);
            }
            if self.flags.sanity && running(m) != Some(stack) {
                stack.check(&mut Readable::new())?;
            }
        }
        self.store.close_stack(m)?;
        if self.is_shared() && running(m).map_or(Addr::NULL, |stack| stack.0) != at {
            // Claims on a stack that is left are nobody's known from now on: any mutator may go on with it [host.ring].
            let word = if at.is_null() { m.own_word } else { self.races.next_owner() | ON_A_STACK };
            planted!(570, (), m.window.owner = word);
        }
        self.pause_stack(mutator);
        // SAFETY: as above.
        self.store.enter(unsafe { &mut *mutator }, at);
        Ok(())
    }

    /// Makes room for `words` more words: a chunk, whose stop frame leads to the full one.
    pub(crate) fn grow_stack(&mut self, mutator: *mut Mutator, words: usize) -> Outcome<Addr> {
        self.refuse_while_busy()?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        let m = unsafe { &mut *mutator };
        let Some(stack) = running(m) else { return Err(no_stack()) };
        refuse_too_large(words)?;
        self.store.close_stack(m)?;
        // SAFETY: a stack has the table of its stop frame, which lives for ever.
        let stop = unsafe { &*stack.stop() };
        let needed = words + frame_words(stop);
        let room = self.room_for_chunk(stack, needed)?;
        if let Some(spare) = m.take_spare(needed..=room, stop) {
            spare.empty(stack.0);
            self.store.enter(m, spare.0);
            return Ok(spare.0);
        }
        let words = self.wanted_chunk_words(stack, needed).min(room);
        m.asked_words = STACK_HEADER_WORDS + words;
        let chunk = self.new_chunk(mutator, stop, words, planted!(116, Addr::NULL, stack.0))?;
        // SAFETY: as above.
        self.store.enter(unsafe { &mut *mutator }, chunk);
        Ok(chunk)
    }

    /// As `grow_stack`, for code that may collect: enough room is left as it is, and a chunk is made after
    /// the collection that is due, or that makes room for it.
    pub(crate) fn reserve_stack(&mut self, mutator: *mut Mutator, words: usize) -> Outcome<Addr> {
        self.stand_unless_open(mutator);
        // SAFETY: the mutator is live, and only its own thread calls this.
        let m = unsafe { &mut *mutator };
        let Some(stack) = running(m) else { return Err(no_stack()) };
        self.store.close_stack(m)?;
        if stack.top().words_since(stack.area()) >= words {
            return Ok(stack.0);
        }
        refuse_too_large(words)?;
        // The failure names the chunk's size, whether there was no memory for the collection or for the
        // chunk.
        m.asked_words = STACK_HEADER_WORDS + self.wanted_chunk_words(stack, words);
        self.safepoint(mutator)?;
        self.grow_stack(mutator, words).or_else(|failure| match failure.status {
            Status::NoMemory | Status::Limit => {
                // SAFETY: as above.
                self.collect_for_large(mutator, unsafe { (*mutator).asked_words })?;
                self.grow_stack(mutator, words)
            }
            _ => Err(failure),
        })
    }

    /// Lets the mutator run on the stack of this thread.
    pub(crate) fn enter_thread(&mut self, mutator: *mut Mutator, thread: Addr) -> Outcome<()> {
        let slot = self.thread_at(thread)?;
        // SAFETY: a thread's first field is its stack.
        let stack = Addr(unsafe { slot.load() });
        if stack.is_null() {
            return Err(Failure::argument(format_args!("the thread at {thread} has no stack")));
        }
        self.enter_stack(mutator, stack)
    }

    /// Gives the thread the stack that the mutator runs on; the mutator runs on none afterwards.
    pub(crate) fn leave_thread(&mut self, mutator: *mut Mutator, thread: Addr) -> Outcome<()> {
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
