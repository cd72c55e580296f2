//! Compiled code as programs run it: a small interpreter of stack maps. The frames lie on a stack of the program's own, as a processor
//! would lay them out, and stay there while other operations collect. Calls of C from compiled code part the stack.

use super::coverage::Event;
use super::machine::{Machine, Step, done};
use super::native_frames::{CALLER, FUNCTIONS, Frame, MOST_FRAMES, STACK_WORDS};
use super::random::Random;
use super::word::Word;
use crate::ffi::compiled::barrow_stack_maps_register;
use std::ffi::c_void;

impl Machine<'_> {
    /// Compiled code calls, returns, or calls C that calls compiled code. Its numbers are drawn apart from those of operations.
    pub(super) fn run_compiled(&mut self, number: usize) -> Step {
        if !self.settings.native || self.m.is_null() {
            return Ok(());
        }
        let mut random = Random::new(number as u64 ^ 0x6e61_7469_7665);
        match random.below(12) {
            0..=2 => self.call_compiled(&mut random),
            3 => {
                self.return_from_compiled(1 + random.below(3));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn register_maps(&mut self) -> Step {
        while self.roots.native.registered < 2 {
            let tagged = self.roots.native.registered == 1;
            let text = &self.roots.native.sections[tagged as usize];
            let (start, bytes) = (text.as_ptr().cast::<c_void>(), text.len());
            // SAFETY: the heap is live, and the bytes are there.
            let status = unsafe { barrow_stack_maps_register(self.heap, start, bytes, tagged) };
            done(status, "stack_maps_register")?;
            self.roots.native.registered += 1;
        }
        Ok(())
    }

    fn call_compiled(&mut self, random: &mut Random) -> Step {
        self.register_maps()?;
        let number = random.below(FUNCTIONS.len());
        let function = &FUNCTIONS[number];
        let words: Vec<Word> =
            function.bases.iter().map(|_| self.any_word(random, function.role())).collect();
        let bits: Vec<usize> = words.iter().map(|&word| self.word(word, function.role(), 0)).collect();
        let native = &mut self.roots.native;
        let begins = native.frames.is_empty() || random.one_in(4);
        let low = native.frames.last().map_or(STACK_WORDS, |frame| frame.first);
        // C has a frame of its own between those of compiled code.
        let taken = function.words + if begins { random.below(9) } else { 0 };
        if native.frames.len() == MOST_FRAMES || low < taken {
            return Ok(());
        }
        let caller = native.anchor();
        let (first, end) = (low - taken, low - taken + function.words);
        native.memory[first..low].fill(random.bits() as usize);
        for (&base, bits) in function.bases.iter().zip(bits) {
            native.memory[first + base] = bits;
        }
        native.memory[end - 2] = if begins { random.bits() as usize } else { caller.frame_pointer };
        native.memory[end - 1] = if begins { &raw const CALLER as usize } else { caller.address };
        // SAFETY: the mutator is live and ours; the part lives until its first frame goes.
        unsafe {
            let stack = &mut (*self.m).native;
            let part = begins.then(|| {
                let mut part = Box::new(stack.part_of_a_call());
                (part.address, part.end) = (&raw const CALLER as usize, native.address(end));
                stack.part = &raw mut *part;
                part
            });
            native.frames.push(Frame { function: number, first, words, part });
            stack.left = native.anchor();
        }
        native.derive();
        let parts = native.frames.iter().filter(|frame| frame.part.is_some()).count();
        self.coverage.event(Event::NativeFramePushed);
        if parts > 1 {
            self.coverage.event(Event::NativeStackParted);
        }
        Ok(())
    }

    /// Takes the newest frames off, or all.
    pub(super) fn return_from_compiled(&mut self, count: usize) {
        let native = &mut self.roots.native;
        for _ in 0..count {
            let Some(frame) = native.frames.pop() else { return };
            // SAFETY: the mutator is live and ours.
            let stack = unsafe { &mut (*self.m).native };
            match frame.part {
                Some(part) => (stack.part, stack.left) = (part.up, part.left),
                None => stack.left = native.anchor(),
            }
            self.coverage.event(Event::NativeFramePopped);
        }
    }
}
