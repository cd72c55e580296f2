//! Stacks and threads in random programs: entered and left, with frames of every kind pushed and popped, and grown by
//! chunks.

use super::coverage::Event;
use super::drafts::frames;
use super::frames::{COUNT, Frame, OWN_STOP, PUSHED, STOP};
use super::graph::{Node, Word};
use super::kinds::{Role, STACK_FIXED, shape_of};
use super::machine::{Machine, Step, done, last_error};
use super::random::Random;
use super::stack_frames::Frames;
use crate::base::Addr;
use crate::ffi::stack::*;
use crate::heap::Kind;
use crate::heap::object::kind::Kinds;
use crate::heap::space::generation::Code;
use std::ffi::c_void;

/// More words of frames than this are not pushed.
const MOST_WORDS: usize = 6000;

impl Node {
    pub(super) fn stack(&self) -> &Frames {
        self.frames.as_ref().expect("stacks have frames")
    }

    /// Replaces the frames; their words are those from `top` on.
    pub(super) fn set_frames(&mut self, list: Vec<usize>) {
        let frames = Frames::of(list, self.words.len());
        self.words[1..frames.top].fill(Word::NULL);
        self.frames = Some(Box::new(frames));
    }

    pub(super) fn next_chunk(&self) -> Option<u32> {
        let stop = self.stack().each().last().map_or(0, |(at, _)| at);
        match self.words[stop + 1] {
            Word::Ref { node, .. } => Some(node),
            _ => None,
        }
    }
}

impl Machine<'_> {
    pub(super) fn change_stack(&mut self, how: u8, random: &mut Random) -> Step {
        if self.m.is_null() {
            return Ok(());
        }
        self.check_top()?;
        match how % 16 {
            0 => self.new_stack(random),
            1 => self.enter_some_stack(random),
            2..=8 => self.push_frames(random),
            9..=10 => self.pop_frames_of_stack(random),
            11 => match self.running {
                Some(_) => self.grow_stack(1 + random.below(400)),
                None => self.new_stack(random),
            },
            12 => self.underflow(random),
            13 => self.enter_thread(random),
            14 => self.leave_thread(random),
            _ => self.look_at_stack(random),
        }?;
        self.check_top()
    }

    /// Whether the window has the top of the running stack.
    pub(super) fn check_top(&self) -> Step {
        // SAFETY: the mutator is live and ours.
        let (stack, sp) = unsafe { ((*self.m).window.stack as usize, (*self.m).window.sp as usize) };
        let wanted = self.running.map_or((0, 0), |number| {
            let node = self.graph.node(number);
            (node.at, Addr(node.at).plus_words(1 + node.stack().top).0)
        });
        if (stack, sp) == wanted {
            Ok(())
        } else {
            Err(format!("the window has the stack {stack:#x} with sp {sp:#x} instead of {wanted:#x?}"))
        }
    }

    fn add_stack(&mut self, at: Addr, stop: usize, next: Word) -> Result<u32, String> {
        // SAFETY: a stack was just made there.
        let words = unsafe { at.plus_words(1).load() };
        let fixed = Code(self.runtime().store.codes.at(at.0)).is_fixed();
        let number = self.graph.add(Node::new(shape_of(Kind::Stack), Vec::new(), at.0, fixed));
        self.reset_stack(number, words, stop, next);
        self.stamp_new(number)?;
        Ok(number)
    }

    /// Leaves nothing but a stop frame in a stack.
    fn reset_stack(&mut self, number: u32, words: usize, stop: usize, next: Word) {
        let node = self.graph.node_mut(number);
        node.words = vec![Word::NULL; STACK_FIXED + words];
        node.words[0] = Word::Raw(words);
        node.set_frames(vec![stop]);
        let top = node.stack().top;
        node.words[top] = Word::Raw(frames()[stop].header());
        node.words[top + 1] = next;
    }

    fn new_stack(&mut self, random: &mut Random) -> Step {
        let words = [4, 9, 12, 30, 60, 120, 300, 404, 405, 600][random.below(10)];
        let stop = if random.one_in(3) { OWN_STOP } else { STOP };
        let table = if stop == STOP { std::ptr::null() } else { &raw const *frames()[stop].info };
        // SAFETY: the mutator is live and ours: so for every call here.
        let at = unsafe { barrow_stack_new(self.m, table, words) };
        if at.is_null() {
            return Err(format!("stack_new: {}", last_error()));
        }
        let number = self.add_stack(Addr(at as usize), stop, Word::NULL)?;
        self.coverage.event(Event::StackMade);
        self.set_root(Some(number), random);
        self.enter(Some(number))
    }

    pub(super) fn enter(&mut self, number: Option<u32>) -> Step {
        let at = number.map_or(0, |number| self.graph.node(number).at) as *mut c_void;
        // SAFETY: as above.
        done(unsafe { barrow_stack_enter(self.m, at) }, "stack_enter")?;
        self.entered(number);
        Ok(())
    }

    fn entered(&mut self, number: Option<u32>) {
        self.pause_stack();
        self.stamp_paused();
        self.running = number;
        self.coverage.event(if number.is_some() { Event::StackEntered } else { Event::StackLeft });
    }

    fn known_of(&self, kind: Kind, random: &mut Random) -> Option<u32> {
        let known = &self.graph.known;
        let start = random.below(known.len());
        known[start..]
            .iter()
            .chain(&known[..start])
            .copied()
            .find(|&n| self.graph.node(n).shape().kind == kind)
    }

    fn enter_some_stack(&mut self, random: &mut Random) -> Step {
        match self.known_of(Kind::Stack, random) {
            Some(number) if !random.one_in(6) => self.enter(Some(number)),
            _ => self.enter(None),
        }
    }

    /// Pushes frames as the mutator's own code would: no call of the library, but for room.
    fn push_frames(&mut self, random: &mut Random) -> Step {
        for _ in 0..1 + random.below(5) {
            let Some(stack) = self.running else { return self.enter_some_stack(random) };
            let number = PUSHED + random.below(COUNT - PUSHED);
            let frame = &frames()[number];
            if self.graph.node(stack).words.len() > MOST_WORDS || !self.reach_statics(frame.statics, random) {
                return Ok(());
            }
            if self.graph.node(stack).stack().top < STACK_FIXED + frame.words() {
                self.grow_stack(frame.words())?;
            }
            let mut words = vec![Word::Raw(frame.header())];
            for index in 0..frame.words() - 1 {
                words.push(match frame.role(index) {
                    Role::Lazy => self.any_updatee(random),
                    role => self.any_word(random, role),
                });
            }
            let Some(stack) = self.running else { return Ok(()) };
            let node = self.graph.node(stack);
            let (at, top) = (node.at, node.stack().top - frame.words());
            let mut list = node.stack().list.clone();
            list.push(number);
            // SAFETY: the words lie between the stack's limit and its top, and the mutator runs on it.
            unsafe {
                for (index, &word) in words.iter().enumerate() {
                    let role = if index == 0 { Role::Plain } else { frame.role(index - 1) };
                    Addr(at).plus_words(1 + top + index).store(self.word(word, role, at));
                }
                (*self.m).window.sp = Addr(at).plus_words(1 + top).as_ptr();
            }
            let node = self.graph.node_mut(stack);
            node.words[top..top + words.len()].copy_from_slice(&words);
            node.set_frames(list);
            self.coverage.pushed(number);
        }
        Ok(())
    }

    /// An object that is evaluated, or null. A thunk is evaluated once, so no two update frames have the
    /// same.
    fn any_updatee(&self, random: &mut Random) -> Word {
        let known = &self.graph.known;
        let start = random.below(known.len());
        let found = known[start..].iter().take(80).find(|&&number| {
            let shape = self.graph.node(number).shape();
            shape.is_updatable() && shape.kind != Kind::Selector && !self.is_under_update_frame(number)
        });
        found.map_or(Word::NULL, |&node| Word::Ref { node, tag: 0 })
    }

    /// Whether an update frame has this node, or something that was given it for its value.
    pub(super) fn is_under_update_frame(&self, number: u32) -> bool {
        let known = &self.graph.known;
        known.iter().any(|&stack| {
            let node = self.graph.node(stack);
            let updates = |(at, frame): (usize, &Frame)| {
                frame.is_update() && self.is_or_has(node.words[at + 1], number)
            };
            node.frames.as_ref().is_some_and(|frames| frames.each().any(updates))
        })
    }

    fn is_or_has(&self, word: Word, number: u32) -> bool {
        let Word::Ref { node, .. } = word else { return false };
        let thunk = self.graph.node(node);
        let passes = thunk.shape().kind.is_in(Kinds::PASSING);
        node == number || passes && matches!(thunk.words[0], Word::Ref { node, .. } if node == number)
    }

    fn pop_frames_of_stack(&mut self, random: &mut Random) -> Step {
        let Some(stack) = self.running else { return Ok(()) };
        let count = self.graph.node(stack).stack().list.len();
        self.pop_frames_to(stack, if random.one_in(3) { 1 } else { 1 + random.below(count) });
        Ok(())
    }

    /// Pops all frames but the oldest `kept`.
    fn pop_frames_to(&mut self, stack: u32, kept: usize) {
        let node = self.graph.node_mut(stack);
        let mut list = node.stack().list.clone();
        list.truncate(kept);
        node.set_frames(list);
        let sp = Addr(node.at).plus_words(1 + node.stack().top);
        // SAFETY: the mutator runs on this stack, of which a frame begins there.
        unsafe { (*self.m).window.sp = sp.as_ptr() };
    }

    fn grow_stack(&mut self, words: usize) -> Step {
        let Some(stack) = self.running else { return Ok(()) };
        // SAFETY: as above.
        if !unsafe { barrow_stack_grow(self.m, words) } {
            return Err(format!("stack_grow {words}: {}", last_error()));
        }
        // SAFETY: as above.
        let at = unsafe { (*self.m).window.stack as usize };
        let next = Word::Ref { node: stack, tag: 0 };
        let stop = self.graph.node(stack).stack().list[0];
        let spare = self.spares.iter().position(|&spare| self.graph.node(spare).at == at);
        let chunk = match spare.map(|found| self.spares.swap_remove(found)) {
            Some(spare) => {
                let words = self.graph.node(spare).length();
                self.reset_stack(spare, words, stop, next);
                self.coverage.event(Event::SpareUsed);
                spare
            }
            _ => self.add_stack(Addr(at), stop, next)?,
        };
        self.running = Some(chunk);
        self.coverage.event(Event::StackGrown);
        Ok(())
    }

    /// Underflows, mostly an empty chunk; and now and then the next frame needs it again.
    fn underflow(&mut self, random: &mut Random) -> Step {
        let Some(stack) = self.running else { return Ok(()) };
        if !random.one_in(4) {
            self.pop_frames_to(stack, 1);
        }
        let node = self.graph.node(stack);
        let (next, empty) = (node.next_chunk(), node.stack().list.len() == 1);
        // SAFETY: as above.
        let went = unsafe { barrow_stack_underflow(self.m) };
        if went != (empty && next.is_some()) {
            return Err(format!("stack_underflow said {went}"));
        }
        if went {
            self.running = next;
            if !self.spares.contains(&stack) {
                self.spares.push(stack);
            }
            self.coverage.event(Event::StackUnderflown);
            if random.one_in(2) {
                return self.grow_stack(1);
            }
        }
        Ok(())
    }

    fn enter_thread(&mut self, random: &mut Random) -> Step {
        let Some(thread) = self.known_of(Kind::Thread, random) else { return Ok(()) };
        let node = self.graph.node(thread);
        // SAFETY: as above.
        let status = unsafe { barrow_thread_enter(self.m, node.at as *mut c_void) };
        match node.words[0] {
            Word::Ref { node, .. } => {
                done(status, "thread_enter")?;
                self.entered(Some(node));
                self.coverage.event(Event::ThreadEntered);
                Ok(())
            }
            _ if status == crate::base::Status::Ok => Err("a thread without a stack was entered".to_string()),
            _ => Ok(()),
        }
    }

    fn leave_thread(&mut self, random: &mut Random) -> Step {
        let Some(thread) = self.known_of(Kind::Thread, random) else { return Ok(()) };
        let Some(stack) = self.running else { return Ok(()) };
        let at = self.graph.node(thread).at as *mut c_void;
        // SAFETY: as above.
        done(unsafe { barrow_thread_leave(self.m, at) }, "thread_leave")?;
        self.entered(None);
        self.graph.node_mut(thread).words[0] = Word::Ref { node: stack, tag: 0 };
        self.coverage.event(Event::ThreadLeft);
        Ok(())
    }

    fn look_at_stack(&mut self, random: &mut Random) -> Step {
        let Some(stack) = self.known_of(Kind::Stack, random) else { return Ok(()) };
        let at = self.graph.node(stack).at as *mut c_void;
        // SAFETY: as above.
        done(unsafe { barrow_stack_check(self.m, at) }, "stack_check")?;
        let Some(other) = self.known_of(Kind::Constr, random) else { return Ok(()) };
        // SAFETY: as above.
        let refused = unsafe { barrow_stack_enter(self.m, self.graph.node(other).at as *mut c_void) };
        if refused == crate::base::Status::Ok {
            return Err("something that is no stack was entered".to_string());
        }
        Ok(())
    }
}
