//! The stack that a mutator runs on: opened and closed around code that looks at it, and the chunks that it has left.

use crate::base::size::WORD_BYTES;
use crate::base::{Addr, Failure, Outcome};
use crate::heap::mutator::state::Mutator;
use crate::heap::object::info::Info;
use crate::heap::object::stack::{SPARE, Stack};
use crate::heap::space::store::Store;
use std::ops::RangeInclusive;

/// The most spare chunks that are looked at for a large enough one.
const MOST_TRIED: usize = 16;

impl Store {
    /// Writes the top of the stack that a mutator runs on into the stack.
    pub fn close_stack(&self, mutator: &Mutator) -> Outcome<()> {
        let window = &mutator.window;
        let Some(stack) = running(mutator) else { return Ok(()) };
        let top = Addr(window.sp as usize);
        if top < stack.area() || top > stack.end() || !top.is_aligned(WORD_BYTES) {
            return Err(Failure::argument(format_args!(
                "the window's sp is {top}; the stack that the mutator runs on has its words from {} to {}",
                stack.area(),
                stack.end()
            )));
        }
        stack.set_top(top);
        Ok(())
    }

    /// Shows a mutator the stack that it runs on, wherever that is now. The stack will be written to, so it counts as
    /// changed.
    pub fn open_stack(&mut self, mutator: &mut Mutator) {
        mutator.spare_stack = Addr::NULL;
        let Some(stack) = running(mutator) else { return };
        mutator.window.sp = stack.top().as_ptr();
        mutator.window.sp_lim = stack.area().as_ptr();
        stack.set_dirty(1);
    }
}

impl Mutator {
    /// Puts by a chunk that was left with nothing but its stop frame, for when the stack grows again: no collection is
    /// needed to have it back. Its first word, which is not in use, leads to the chunk that was put by before.
    pub fn put_by(&mut self, chunk: Stack) {
        if chunk.area() == chunk.top() {
            return;
        }
        chunk.set_dirty(SPARE);
        // SAFETY: a word of the chunk, which is empty, before its stop frame.
        unsafe { chunk.area().store(self.spare_stack.0) };
        self.spare_stack = chunk.0;
    }

    /// Takes a chunk that was put by, of so many words and with this stop frame. The list ends at a chunk without the mark:
    /// somebody has entered that, or a stack that continues it. A chunk that another mutator has put by again since leads on
    /// in that one's list, whose chunks are as good: all have the mark, and calls take turns.
    pub fn take_spare(&mut self, words: RangeInclusive<usize>, stop: &Info) -> Option<Stack> {
        let mut before: Option<Stack> = None;
        let mut at = self.spare_stack;
        for _ in 0..MOST_TRIED {
            if at.is_null() {
                return None;
            }
            let chunk = Stack(at);
            if planted!(512, false, chunk.dirty() != SPARE) {
                self.go_on_with(before, Addr::NULL);
                return None;
            }
            // SAFETY: a chunk that was put by has the next one there.
            let next = Addr(unsafe { chunk.area().load() });
            if words.contains(&chunk.words()) && std::ptr::eq(chunk.stop(), stop) {
                self.go_on_with(before, next);
                chunk.set_dirty(1);
                return Some(chunk);
            }
            (before, at) = (Some(chunk), next);
        }
        None
    }

    /// Lets the chunk that was put by after another one, or the newest, be this one.
    fn go_on_with(&mut self, before: Option<Stack>, next: Addr) {
        match before {
            // SAFETY: a chunk that was put by has the next one there.
            Some(before) => unsafe { before.area().store(next.0) },
            None => self.spare_stack = next,
        }
    }
}

pub(crate) fn running(mutator: &Mutator) -> Option<Stack> {
    let stack = Addr(mutator.window.stack as usize);
    (!stack.is_null()).then_some(Stack(stack))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heap::object::info::Kind;
    use crate::heap::object::own;
    use crate::heap::object::stack::STACK_HEADER_WORDS;

    static STOP: Info = Info::plain(Kind::StopFrame, 1, 1);
    const WORDS: usize = 20;

    fn chunk(memory: &mut [usize; STACK_HEADER_WORDS + WORDS]) -> Stack {
        let chunk = Stack(Addr(memory.as_mut_ptr() as usize));
        // SAFETY: the memory has room for the fixed part and so many words.
        unsafe { chunk.init(own::STACK.address(), WORDS, &STOP, Addr::NULL) };
        chunk
    }

    #[test]
    fn an_emptied_chunk_has_nothing_but_its_stop_frame() {
        let (mut lower, mut upper) = ([0; STACK_HEADER_WORDS + WORDS], [0; STACK_HEADER_WORDS + WORDS]);
        let (lower, upper) = (chunk(&mut lower), chunk(&mut upper));
        assert_eq!((upper.top(), upper.next_chunk()), (upper.stop_frame(), Addr::NULL));
        upper.set_top(upper.area());
        upper.empty(lower.0);
        assert_eq!((upper.top(), upper.next_chunk()), (upper.stop_frame(), lower.0));
        assert_eq!(upper.frames().count(), 1);
    }

    #[test]
    fn chunks_that_are_put_by_say_so() {
        let (mut one, mut other) = ([0; STACK_HEADER_WORDS + WORDS], [0; STACK_HEADER_WORDS + WORDS]);
        let chunks = [chunk(&mut one), chunk(&mut other)];
        let mut mutator = Mutator::new(0, std::ptr::null_mut());
        for chunk in chunks {
            chunk.set_dirty(0);
            mutator.put_by(chunk);
            assert_eq!(chunk.dirty(), SPARE);
        }
        assert_eq!(mutator.take_spare(WORDS + 1..=WORDS + 2, &STOP), None);
        for chunk in chunks.into_iter().rev() {
            assert_eq!(mutator.take_spare(1..=WORDS, &STOP), Some(chunk));
            assert_eq!(chunk.dirty(), 1);
        }
        assert_eq!(mutator.take_spare(1..=WORDS, &STOP), None);
    }
}
