//! Stacks and threads that exist: finding, checking, and switching between their chunks.

use crate::base::size::*;
use crate::base::{Addr, Failure, Outcome, Status};
use crate::heap::mutator::running::running;
use crate::heap::object::info::Kind;
use crate::heap::object::model::info_of;
use crate::heap::object::stack::{SPARE, Stack};
use crate::heap::space::generation::Code;
use crate::heap::space::remember::{Entry, Remembered};
use crate::heap::{Mutator, Store};
use crate::os::debugger::Readable;
use crate::runtime::Runtime;

/// Chunks of an entered stack that are checked for being put by, at most; a longer stack makes all mutators
/// forget their spare chunks, which costs memory until the next collection.
const MOST_LOOKED_AT: usize = 64;

pub(crate) fn no_stack() -> Failure {
    Failure::state(format_args!("the mutator runs on no stack object: barrow_stack_enter gives it one"))
}

impl Store {
    /// Lets the mutator run on a stack. Stores to it have no barrier, so an old one is remembered.
    pub(crate) fn enter(&mut self, mutator: &mut Mutator, at: Addr) {
        mutator.window.stack = at.as_ptr();
        mutator.window.sp = std::ptr::null_mut();
        mutator.window.sp_lim = std::ptr::null_mut();
        let spares = mutator.spare_stack;
        if !at.is_null() {
            if Stack(at).dirty() == 0 && Code(self.codes.at(at.0)).generation() > 0 {
                self.remember(mutator, Entry::new(Remembered::ObjectOnce, at));
            }
            self.open_stack(mutator);
            mutator.spare_stack = spares;
        }
    }
}

impl Runtime {
    /// The most words that a further chunk of a stack may have (`-K`); a failure when they are not `needed` ones.
    pub(crate) fn room_for_chunk(&self, stack: Stack, needed: usize) -> Outcome<usize> {
        let held = stack.whole_words();
        let room = self.most_stack_words().saturating_sub(held);
        if planted!(182, false, needed > room) { Err(self.stack_overflow(held, needed)) } else { Ok(room) }
    }

    /// Words of a further chunk of a stack that is to hold `needed` words: twice those of the chunk that it continues, up to
    /// `-kc`. A collection looks at a chunk when the mutator has run on it, so a chunk is as large as is cheap to look
    /// at each time; by default it is large enough not to be copied.
    pub(crate) fn wanted_chunk_words(&self, stack: Stack, needed: usize) -> usize {
        (2 * stack.words()).min(self.flags.stack_chunk_bytes / WORD_BYTES).max(needed)
    }

    /// Refuses a new stack of so many words.
    pub(crate) fn refuse_stack_above_limit(&self, words: usize) -> Outcome<()> {
        if words > self.most_stack_words() { Err(self.stack_overflow(0, words)) } else { Ok(()) }
    }

    /// The words that a stack may have in all its chunks, less those that one may get more for alignment.
    fn most_stack_words(&self) -> usize {
        self.flags.stack_limit_bytes.map_or(usize::MAX, |bytes| bytes / WORD_BYTES - self.store.model.round)
    }

    fn stack_overflow(&self, held: usize, asked: usize) -> Failure {
        Failure::new(
            Status::Stack,
            format_args!(
                "stack overflow: {} bytes asked, {} held, limit {} (-K)",
                asked.saturating_mul(WORD_BYTES),
                held * WORD_BYTES,
                self.flags.stack_limit_bytes.unwrap_or(0)
            ),
        )
    }

    pub(crate) fn stack_at(&self, at: Addr) -> Outcome<Stack> {
        self.object_code(at)?;
        // SAFETY: `object_code` found a block of objects there; the client says that it is one.
        if !info_of(unsafe { at.load() }).is(Kind::Stack) {
            return Err(Failure::argument(format_args!("the object at {at} is no stack")));
        }
        Ok(Stack(at))
    }

    /// Goes back to the chunk that an empty one continues. False at the end of the stack.
    pub(crate) fn underflow_stack(&mut self, mutator: *mut Mutator) -> Outcome<bool> {
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
        // The chunk is kept for the next frame that needs one.
        planted!(235, (), m.put_by(stack));
        self.store.has_spares = true;
        Ok(true)
    }

    /// Lets neither a stack nor a chunk that it continues count as put by, by whichever mutator. A client may enter a chunk
    /// that a put-by one continues (generators may share one), or a stack that continues it in another thread; if the put-by
    /// chunk were then used again, the stack would continue itself, or another one.
    pub(crate) fn forget_spares_of(&mut self, mut stack: Stack) {
        for _ in 0..MOST_LOOKED_AT {
            if stack.dirty() == SPARE {
                stack.set_dirty(1);
            }
            let next = stack.next_chunk();
            if next.is_null() {
                return;
            }
            let Ok(next) = self.stack_at(next) else { break };
            stack = next;
        }
        for mutator in self.mutators.iter_mut() {
            mutator.spare_stack = Addr::NULL;
        }
        self.store.has_spares = false;
    }

    pub(crate) fn check_stack(&mut self, mutator: *mut Mutator, at: Addr) -> Outcome<()> {
        // SAFETY: the mutator is live, and only its own thread calls this.
        self.store.close_stack(unsafe { &*mutator })?;
        let mut stack = self.stack_at(at)?;
        let mut readable = Readable::new();
        loop {
            stack
                .check(&mut readable)
                .map_err(|failure| Failure::argument(format_args!("{}", failure.sentence)))?;
            let next = stack.next_chunk();
            if next.is_null() {
                return Ok(());
            }
            stack = self.stack_at(next)?;
        }
    }

    pub(crate) fn thread_at(&self, at: Addr) -> Outcome<Addr> {
        self.object_code(at)?;
        // SAFETY: `object_code` found a block of objects there; the client says that it is one.
        if !info_of(unsafe { at.load() }).is(Kind::Thread) {
            return Err(Failure::argument(format_args!("the object at {at} is no thread")));
        }
        Ok(at.plus_words(1))
    }
}
