//! Static objects in random programs: constructors, functions and CAFs outside the heap, which live as long as something
//! refers to them or code that lives mentions them; and CAFs that are kept.

use super::coverage::Event;
use super::draft::{ROOM, place};
use super::drafts::{STATIC_COUNT as COUNT, STATICS, static_shape};
use super::graph::{Node, Word};
use super::kinds::{Role, shape_of, shapes};
use super::machine::{Machine, Step, done, last_error};
use super::random::Random;
use crate::ffi::alloc::barrow_allocate;
use crate::ffi::barrier::barrow_record_old_to_new;
use crate::ffi::lazy::barrow_table;
use crate::ffi::statics::*;
use crate::heap::Kind;
use crate::heap::object::model::HEADER_BITS;
use crate::heap::space::generation::Code;
use std::ffi::c_void;

const KEPT: usize = 6;

fn table(number: usize) -> usize {
    &raw const *shapes()[static_shape(number)].info as usize
}

fn is_caf(number: usize) -> bool {
    STATICS[number].kind == Kind::ThunkStatic
}

/// Words before the collector's own, which is the next one.
fn fields(number: usize) -> usize {
    shapes()[static_shape(number)].payload(0)
}
fn reset() {
    for number in 0..COUNT {
        for index in 0..ROOM {
            // SAFETY: the memory is this thread's, and no heap knows it now.
            unsafe { place(number).plus_words(index).store(if index == 0 { table(number) } else { 0 }) };
        }
    }
}

/// After the heap is gone: no link is left, and CAFs are as they were.
pub(super) fn left_as_they_were() -> Step {
    for (number, draft) in STATICS.iter().enumerate() {
        // SAFETY: the memory is this thread's.
        let (header, link) =
            unsafe { (place(number).load(), place(number).plus_words(1 + fields(number)).load()) };
        let linked = draft.kind != Kind::ConstrNocafStatic && link != 0;
        if header != table(number) || linked {
            return Err(format!(
                "the heap has left static {number} with the header {header:#x} and the link {link:#x}"
            ));
        }
    }
    Ok(())
}

impl Machine<'_> {
    pub(super) fn add_statics(&mut self) -> Step {
        reset();
        let all: Vec<*mut c_void> = (0..COUNT).map(|number| place(number).as_ptr()).collect();
        // SAFETY: the statics are well-formed, and stay as long as the thread.
        unsafe {
            done(barrow_statics_add(self.heap, all.as_ptr(), KEPT, false), "statics_add")?;
            done(barrow_statics_add(self.heap, all[KEPT..].as_ptr(), 1, true), "statics_add")
        }
    }

    fn header_of(&self, number: usize) -> usize {
        // SAFETY: the memory is this thread's.
        unsafe { place(number).load() & !HEADER_BITS }
    }

    /// Lets code mention some statics. False when that is impossible for now: a CAF that nothing reached has a value
    /// until the next full collection, of which the graph knows nothing any more.
    pub(super) fn reach_statics(&mut self, numbers: &[usize], random: &mut Random) -> bool {
        !self.settings.statics || numbers.iter().all(|&number| self.reach_static(number, random).is_some())
    }

    fn reach_static(&mut self, number: usize, random: &mut Random) -> Option<u32> {
        if self.statics[number].is_some() {
            return self.statics[number];
        }
        if self.header_of(number) != table(number) {
            return None;
        }
        let at = place(number).0;
        let shape = static_shape(number);
        let words = if is_caf(number) { vec![Word::NULL] } else { vec![Word::NULL; fields(number)] };
        let node = self.graph.add(Node { static_number: Some(number), ..Node::new(shape, words, at, true) });
        self.statics[number] = Some(node);
        for &other in STATICS[number].statics {
            // In the worst case something else keeps an old value; then this one waits, too.
            if self.reach_static(other, random).is_none() {
                self.statics[number] = None;
                self.graph.known.retain(|&known| known != node);
                return None;
            }
        }
        for index in 0..if is_caf(number) { 0 } else { fields(number) } {
            self.write_static(number, node, index, random);
        }
        self.record(number);
        Some(node)
    }

    fn write_static(&mut self, number: usize, node: u32, index: usize, random: &mut Random) {
        let role = shapes()[static_shape(number)].role(index);
        let word = self.any_word(random, role);
        // SAFETY: the static has this field, and the memory is this thread's.
        unsafe { place(number).plus_words(1 + index).store(self.word(word, role, place(number).0)) };
        self.graph.node_mut(node).words[index] = word;
    }

    /// A static that was written to.
    fn record(&mut self, number: usize) {
        // SAFETY: the mutator is ours, and the static one that the heap knows.
        let _ = unsafe { barrow_record_old_to_new(self.m, place(number).as_ptr()) };
    }

    pub(super) fn change_statics(&mut self, which: u8, random: &mut Random) -> Step {
        if !self.settings.statics || self.m.is_null() {
            return Ok(());
        }
        let number = random.below(COUNT);
        if which.is_multiple_of(8) {
            return self.revert(random);
        }
        let Some(node) = self.reach_static(number, random) else { return Ok(()) };
        self.set_root(Some(node), random);
        match which % 8 {
            1..=3 if is_caf(number) && self.header_of(number) == table(number) => {
                self.enter_caf(number, node)
            }
            4..=6 if !is_caf(number) => {
                let index = random.below(fields(number));
                self.write_static(number, node, index, random);
                self.record(number);
                self.coverage.event(Event::StaticWritten);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Enters a CAF as its code does: with a blackhole in the heap, which will be updated.
    fn enter_caf(&mut self, number: usize, node: u32) -> Step {
        // SAFETY: the mutator is ours: so for every call here.
        let at = unsafe { barrow_allocate(self.m, 2) };
        if at.is_null() {
            return Err(format!("blackhole of a CAF: {}", last_error()));
        }
        // SAFETY: as above; two words were given.
        unsafe {
            at.write(barrow_table(self.heap, Kind::CafBlackhole as u32) as usize);
            at.add(1).write(0);
        }
        let fixed = Code(self.runtime().store.codes.at(at as usize)).is_fixed();
        let black = Node::new(shape_of(Kind::CafBlackhole), vec![Word::NULL], at as usize, fixed);
        let black = self.graph.add(black);
        self.stamp_new(black)?;
        // SAFETY: as above.
        done(unsafe { barrow_new_caf(self.m, place(number).as_ptr(), at.cast()) }, "new_caf")?;
        let entered = self.graph.node_mut(node);
        entered.shape = shape_of(Kind::IndStatic);
        entered.words = vec![Word::Ref { node: black, tag: 0 }];
        self.coverage.event(if number == KEPT { Event::KeptCafEntered } else { Event::CafEntered });
        self.entered_cafs[number] = true;
        Ok(())
    }

    /// Statics that its code mentions are mentioned again.
    fn revert(&mut self, random: &mut Random) -> Step {
        // A selector of such a CAF's value that waits is not evaluated any more once the CAF is reverted; the
        // model has evaluated it. After a full collection none waits.
        self.collect(true)?;
        if !self.cleared {
            return Ok(());
        }
        if self.entered_cafs[KEPT] && !self.reach_statics(STATICS[KEPT].statics, random) {
            return Ok(());
        }
        // SAFETY: as above.
        done(unsafe { barrow_revert_cafs(self.m) }, "revert_cafs")?;
        if std::mem::take(&mut self.entered_cafs[KEPT]) {
            self.coverage.event(Event::CafReverted);
        }
        if let Some(node) = self.statics[KEPT] {
            let caf = self.graph.node_mut(node);
            caf.shape = static_shape(KEPT);
            caf.words = vec![Word::NULL];
        }
        Ok(())
    }

    /// A CAF that is kept is a root while it is entered.
    pub(super) fn kept_caf(&self) -> Option<(usize, Word, Role)> {
        let node = self.statics[KEPT].filter(|_| self.entered_cafs[KEPT])?;
        Some((place(KEPT).0, Word::Ref { node, tag: 0 }, Role::Pointer))
    }

    /// A static that code which lives mentions.
    pub(super) fn mentioned(&mut self, number: usize, waiting: &mut Vec<u32>) -> Step {
        if !self.settings.statics {
            return Ok(());
        }
        let Some(node) = self.statics[number] else {
            return Err(format!("the model has lost static {number}, which is mentioned"));
        };
        let seen = self.seen;
        if self.graph.node(node).seen != seen {
            self.graph.node_mut(node).seen = seen;
            waiting.push(node);
        }
        Ok(())
    }

    /// After the heap was matched: which statics live, and that collections have left them whole.
    pub(super) fn check_statics(&mut self, exact: bool) -> Step {
        if !self.settings.statics {
            return Ok(());
        }
        for (number, draft) in STATICS.iter().enumerate() {
            let lives = self.statics[number].is_some_and(|node| self.graph.node(node).seen == self.seen);
            if !lives {
                self.statics[number] = None;
            }
            // SAFETY: the static has this word.
            let link = unsafe { place(number).plus_words(1 + fields(number)).load() };
            if draft.kind != Kind::ConstrNocafStatic && link != 0 {
                return Err(format!("static {number} has the link {link:#x} behind a collection"));
            }
            if !is_caf(number) || number == KEPT || lives || !self.entered_cafs[number] {
                continue;
            }
            if self.header_of(number) == table(number) {
                self.entered_cafs[number] = false;
                self.coverage.event(Event::CafDied);
            } else if exact {
                return Err(format!("nothing reaches CAF {number}, and it keeps its value"));
            }
        }
        Ok(())
    }
}
