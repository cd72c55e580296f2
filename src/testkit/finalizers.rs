//! Finalizers of random programs: they are given the parts that the model has, and may do as clients do there: keep
//! them, allocate, collect, make weak pointers and end others.

use super::events::Event;
use super::graph::Word;
use super::kinds::Role;
use super::machine::{Machine, Step, done};
use super::random::Random;
use crate::ffi::weak::{barrow_run_finalizers, barrow_weak_finalize};
use crate::heap::Mutator;
use crate::heap::object::weak::State;
use crate::heap::root::frame::Frame;
use std::cell::Cell;
use std::ffi::c_void;

/// Finalizers that run others run them no deeper than this.
const DEEPEST: usize = 3;
/// The most acts in one operation: weak pointers that they make may be due at once, for ever.
const MOST_ACTS: usize = 60;

thread_local! {
    /// The machine whose finalizers may run now.
    static MACHINE: Cell<*mut c_void> = const { Cell::new(std::ptr::null_mut()) };
    static STRAY: Cell<bool> = const { Cell::new(false) };
}

/// Whether a function was called while no finalizer was to run.
pub(super) fn take_stray_call() -> bool {
    STRAY.take()
}

/// The state of finalizers while they run.
#[derive(Default)]
pub(super) struct Runs {
    acts: bool,
    seed: u64,
    depth: usize,
    /// A function has run, and the object of the same weak pointer is next: finalizer, key, value.
    next: Option<[Word; 3]>,
    count: usize,
    acted: usize,
    wrong: Option<String>,
}

impl Runs {
    pub(super) fn begin(&mut self, acts: bool, seed: u32) {
        *self = Runs { acts, seed: seed as u64, ..Runs::default() };
    }
}

/// The parts that a finalizer was given, in a frame, since it may collect.
#[repr(C)]
struct Given {
    frame: Frame,
    parts: [usize; 3],
}

/// The function of weak pointers; `data` tells which.
pub(super) unsafe extern "C-unwind" fn run_function(
    m: *mut Mutator,
    data: *mut c_void,
    key: *mut c_void,
    value: *mut c_void,
) {
    if m.is_null() {
        return;
    }
    let machine = MACHINE.get().cast::<Machine<'static>>();
    if machine.is_null() {
        STRAY.set(true);
        return;
    }
    // SAFETY: the machine waits for this call, and uses nothing of its own meanwhile.
    let machine = unsafe { &mut *machine };
    let outcome = machine.function_ran(data as usize, key as usize, value as usize);
    machine.note_wrong(outcome);
}

unsafe extern "C-unwind" fn run_object(
    _: *mut c_void,
    _: *mut Mutator,
    finalizer: *mut c_void,
    key: *mut c_void,
    value: *mut c_void,
) {
    // SAFETY: as above; it is set whenever this function is given to the library.
    let machine = unsafe { &mut *MACHINE.get().cast::<Machine<'static>>() };
    let outcome = machine.object_ran([finalizer as usize, key as usize, value as usize]);
    machine.note_wrong(outcome);
}

impl Machine<'_> {
    fn note_wrong(&mut self, outcome: Step) {
        if let Err(wrong) = outcome {
            self.running_finalizers.wrong.get_or_insert(wrong);
        }
    }

    /// Runs finalizers inside of `call`; gives the result of `call`.
    fn running<R>(&mut self, call: impl FnOnce(*mut Mutator) -> R) -> Result<R, String> {
        let m = self.m;
        let before = MACHINE.replace((&raw mut *self).cast());
        let given = call(m);
        MACHINE.set(before);
        match self.running_finalizers.wrong.take() {
            Some(wrong) => Err(wrong),
            None => Ok(given),
        }
    }

    /// The weak pointer has left the queue, or was ended by hand, and holds nothing any more. Gives finalizer, key, value.
    fn ran(&mut self, weak: u32) -> Result<[Word; 3], String> {
        let state = self.state_in_heap(weak)?;
        if state == State::Live {
            return Err(format!("the finalizer of weak pointer {weak} runs, and it is alive"));
        }
        self.note_those_passed()?;
        let words = &self.graph.node(weak).words;
        let parts = [words[2], words[0], words[1]];
        self.weak_emptied(weak, state);
        self.coverage.finalizers += 1;
        Ok(parts)
    }

    /// Weak pointers ended by hand while they waited leave the queue when their turn comes.
    fn note_those_passed(&mut self) -> Step {
        for weak in self.weaks() {
            let passed = self.weak_state(weak) == State::Pending && !self.has_finalizer(weak);
            if passed && self.state_in_heap(weak)? == State::Dead {
                self.weak_emptied(weak, State::Dead);
            }
        }
        Ok(())
    }

    fn function_ran(&mut self, id: usize, key: usize, value: usize) -> Step {
        self.running_finalizers.count += 1;
        let weaks = self.weaks().into_iter();
        let mut found = weaks.filter(|&weak| self.graph.node(weak).weak.is_some_and(|facts| facts.id == id));
        let Some(weak) = found.next() else {
            return Err(format!("the function of the weak pointer with the data {id} was called twice"));
        };
        let parts = self.ran(weak)?;
        let finalizer = self.word(parts[0], Role::Pointer, 0);
        self.act(parts, [finalizer, key, value])?;
        self.running_finalizers.next = (finalizer != 0).then_some(parts);
        Ok(())
    }

    fn object_ran(&mut self, given: [usize; 3]) -> Step {
        let parts = match self.running_finalizers.next.take() {
            Some(parts) => parts,
            None => {
                self.running_finalizers.count += 1;
                let waited = |&weak: &u32| {
                    let holds = self.has_finalizer(weak);
                    let gone = self.state_in_heap(weak) == Ok(State::Dead);
                    holds && self.weak_state(weak) == State::Pending && gone
                };
                let Some(weak) = self.weaks().into_iter().find(waited) else {
                    return Err(format!("the finalizer {:#x} is run, and no weak pointer waited", given[0]));
                };
                self.ran(weak)?
            }
        };
        self.act(parts, given)
    }

    /// Compares the parts of a finalizer with the model, and acts.
    fn act(&mut self, parts: [Word; 3], given: [usize; 3]) -> Step {
        for (&part, &word) in parts.iter().zip(&given) {
            let expected = self.word(part, Role::Pointer, 0);
            if expected != word {
                return Err(format!("a finalizer was given {word:#x} instead of {expected:#x}"));
            }
        }
        let runs = &mut self.running_finalizers;
        runs.acted += 1;
        if !runs.acts || runs.wrong.is_some() || runs.acted > MOST_ACTS {
            return Ok(());
        }
        // SAFETY: the mutator is live and ours; the frame is taken off below.
        let window = unsafe { &raw mut (*self.m).window };
        let mut frame = Given { frame: Frame { up: std::ptr::null_mut(), count: 3 }, parts: given };
        let at = &raw mut frame;
        // SAFETY: as above. The collector writes to the frame, so it is only touched through its address.
        unsafe {
            (*at).frame.up = (*window).frames;
            (*window).frames = &raw mut (*at).frame;
            for (index, &part) in parts.iter().enumerate() {
                self.parts.push(((&raw const (*at).parts[index]), part));
            }
        }
        self.running_finalizers.depth += 1;
        let mut outcome = Ok(());
        self.running_finalizers.seed += 1;
        let mut random = Random::new(self.running_finalizers.seed);
        for _ in 0..1 + random.below(3) {
            outcome = outcome.and_then(|()| self.act_once(parts, &mut random));
        }
        self.running_finalizers.depth -= 1;
        self.parts.truncate(self.parts.len() - 3);
        // SAFETY: as above.
        unsafe { (*window).frames = (*at).frame.up };
        outcome
    }

    fn act_once(&mut self, parts: [Word; 3], random: &mut Random) -> Step {
        self.coverage.event(Event::FinalizerActed);
        let node = match parts[random.below(3)] {
            Word::Ref { node, .. } => Some(node),
            _ => None,
        };
        match random.below(8) {
            0..=1 => self.set_root(node, random),
            2 => {
                let [finalizer, key, value] = parts;
                let finalizer = if random.one_in(3) { finalizer } else { Word::NULL };
                let weak = self.make_weak([key, value, finalizer], random.one_in(2))?;
                self.set_root(Some(weak), random);
            }
            3 if self.running_finalizers.depth < DEEPEST => {
                if let Some(weak) = self.any_weak(random.below(1 << 20)) {
                    return self.finalize_weak(weak);
                }
            }
            4 => return self.collect(random.one_in(2)),
            5 => {
                if let Some(weak) = self.any_weak(random.below(1 << 20)) {
                    self.store_weak_somewhere(weak, random);
                }
            }
            6 if self.running_finalizers.depth < DEEPEST => {
                return self.run_finalizers(1 + random.below(2));
            }
            _ => {
                let shape = random.below(4);
                return self.make(shape, 0, 0, random).map(|_| ());
            }
        }
        Ok(())
    }
    pub(super) fn finalize_weak(&mut self, weak: u32) -> Step {
        let at = self.graph.node(weak).at as *mut c_void;
        let facts = self.graph.node(weak).weak;
        let calls = facts.is_some_and(|facts| facts.has_function);
        let finalizer = self.graph.node(weak).words[2];
        let before = self.weak_state(weak);
        let mut out = std::ptr::dangling_mut();
        let ran = self.running_finalizers.count;
        // SAFETY: the mutator is ours, and the weak pointer alive.
        let status = self.running(|m| unsafe { barrow_weak_finalize(m, at, &mut out) })?;
        self.running_finalizers.next = None;
        if !calls {
            self.weak_emptied(weak, if before == State::Live { State::Dead } else { before });
        }
        done(status, "weak_finalize")?;
        if calls && self.running_finalizers.count == ran {
            return Err(format!("the function of weak pointer {weak} was not called"));
        }
        let expected = self.word(finalizer, Role::Pointer, 0);
        if out as usize != expected {
            return Err(format!("weak_finalize gave {out:?} instead of {expected:#x}"));
        }
        Ok(())
    }

    /// Runs finalizers that are due, `most` at most; 0 for all.
    pub(super) fn run_finalizers(&mut self, most: usize) -> Step {
        let (client, depth) = (std::ptr::null_mut(), self.running_finalizers.depth);
        let before = std::mem::take(&mut self.running_finalizers.count);
        // SAFETY: the mutator is ours.
        let count = self.running(|m| unsafe { barrow_run_finalizers(m, Some(run_object), client, most) })?;
        if most > 0 && count > most || count > self.running_finalizers.count {
            return Err(format!("{count} finalizers were run instead of {most}"));
        }
        self.running_finalizers.count += before;
        self.note_those_passed()?;
        for weak in self.weaks() {
            if self.weak_state(weak) == State::Pending {
                let left = self.state_in_heap(weak)? == State::Pending;
                if !left || most == 0 && depth == 0 {
                    return Err(format!("the finalizer of weak pointer {weak} was not run"));
                }
            }
        }
        Ok(())
    }
}
