//! Weak pointers against the model: what may be dead, what must be, and what finalizers are given.
//!
//! A minor collection may leave a weak pointer alive whose key nobody reaches; then key and value count as reached. A
//! major one may not. What died since the last comparison holds key and value for its finalizer, but no other key.

use super::graph::Word;
use super::kinds::Role;
use super::machine::{Machine, Step, done, last_error};
use super::program::Op;
use super::random::Random;
use crate::census::tally::Count;
use crate::ffi::stable::{barrow_handle_free, barrow_handle_new, barrow_handle_set};
use crate::ffi::weak::*;
use crate::heap::Mutator;
use crate::heap::stable::Handle;
use crate::heap::weak::{State, WEAK_WORDS, Weak, WeakObject};
use std::ffi::c_void;

const MOST_WEAKS: usize = 32;

/// A weak pointer that a handle holds.
pub struct WeakRoot {
    handle: *mut Handle,
    key: Word,
    value: Word,
    finalizer: Word,
    /// How often its function was called, when it has one. It outlives the heap.
    called: Option<&'static std::cell::Cell<u32>>,
    /// When last compared.
    state: State,
}

impl WeakRoot {
    fn at(&self) -> *mut WeakObject {
        // SAFETY: the handle is live; its first word is the object.
        unsafe { (*self.handle).object as *mut WeakObject }
    }

    fn state_now(&self) -> Result<State, String> {
        // SAFETY: the handle holds an object of the heap.
        let header = unsafe { (*self.at()).header };
        Weak::state_of(header).ok_or_else(|| format!("a weak pointer has the header {header:#x}"))
    }

    /// The words in the heap, each with what the model says of it.
    fn fields(&self) -> [(usize, Word); 3] {
        // SAFETY: as above.
        let weak = unsafe { &*self.at() };
        [
            (weak.key as usize, self.key),
            (weak.value as usize, self.value),
            (weak.finalizer as usize, self.finalizer),
        ]
    }
}

unsafe extern "C-unwind" fn count_call(_: *mut Mutator, data: *mut c_void, key: *mut c_void, _: *mut c_void) {
    // SAFETY: the data of a model's weak pointer is its counter.
    let called = unsafe { &*data.cast::<std::cell::Cell<u32>>() };
    called.set(called.get() + if key.is_null() { 100 } else { 1 });
}

/// What was run: finalizer, key, value.
type Runs = Vec<[usize; 3]>;

unsafe extern "C-unwind" fn note_run(
    client: *mut c_void,
    _: *mut Mutator,
    finalizer: *mut c_void,
    key: *mut c_void,
    value: *mut c_void,
) {
    // SAFETY: the client is the list of runs.
    unsafe { (*client.cast::<Runs>()).push([finalizer as usize, key as usize, value as usize]) };
}

impl Machine<'_> {
    pub fn change_weaks(&mut self, op: Op) -> Step {
        match op {
            Op::NewWeak { object, seed } if self.weaks.len() < MOST_WEAKS => {
                self.new_weak(object, &mut Random::new(seed as u64))
            }
            Op::DropWeak { which } if !self.weaks.is_empty() => {
                let index = which as usize % self.weaks.len();
                let weak = &self.weaks[index];
                let queued = weak.state_now()? == State::Pending;
                let acts = queued || weak.called.is_some() || weak.finalizer != Word::NULL;
                if acts && which < 224 {
                    return Ok(());
                }
                // What nobody sees any more may wait in the queue and hold anything.
                self.unseen_finalizers |= acts;
                let weak = self.weaks.swap_remove(index);
                // SAFETY: the mutator is ours: so for every call here.
                done(unsafe { barrow_handle_free(self.m, weak.handle) }, "handle_free")
            }
            Op::FinalizeWeak { which } if !self.weaks.is_empty() => {
                self.finalize_weak(which as usize % self.weaks.len())
            }
            Op::RunFinalizers { most } => self.run_finalizers(most as usize),
            _ => Ok(()),
        }
    }

    fn new_weak(&mut self, object: u16, random: &mut Random) -> Step {
        let Some(node) = self.graph.pick(object as usize) else { return Ok(()) };
        let plain = |word| match word {
            Word::Ref { node, .. } if self.graph.node(node).shape().is_lazy() => Word::NULL,
            word => word,
        };
        if self.graph.node(node).shape().is_lazy() {
            return Ok(());
        }
        let key = Word::Ref { node, tag: random.bits() as u32 & 7 };
        let value = plain(self.any_word(random, Role::Pointer));
        let finalizer = match self.graph.pick(random.below(1 << 20)) {
            Some(node) if random.one_in(3) => Word::Ref { node, tag: 0 },
            _ => Word::NULL,
        };
        let finalizer = plain(finalizer);
        let word = |word| self.word(word, Role::Pointer, 0) as *mut c_void;
        let mut handle = std::ptr::null_mut();
        // SAFETY: the objects are alive; a handle keeps the weak pointer. It is made first, so that nothing is left of
        // a weak pointer that is refused.
        unsafe {
            done(barrow_handle_new(self.m, std::ptr::null_mut(), &mut handle), "handle_new")?;
            let weak = barrow_weak_new(self.m, word(key), word(value), word(finalizer));
            if weak.is_null() {
                let wrong = format!("weak_new: {}", last_error());
                done(barrow_handle_free(self.m, handle), "handle_free")?;
                return Err(wrong);
            }
            done(barrow_handle_set(self.m, handle, weak), "handle_set")?;
            self.coverage.weaks += 1;
            self.weaks.push(WeakRoot { handle, key, value, finalizer, called: None, state: State::Live });
            if random.one_in(2) {
                let counter: &'static std::cell::Cell<u32> = Box::leak(Box::default());
                let data = (&raw const *counter).cast_mut().cast();
                let told =
                    barrow_weak_set_function(self.m, weak, Some(count_call), data, std::ptr::null_mut());
                done(told, "weak_set_function")?;
                if let Some(last) = self.weaks.last_mut() {
                    last.called = Some(counter);
                }
            }
        }
        Ok(())
    }

    fn finalize_weak(&mut self, index: usize) -> Step {
        let before = self.weaks[index].state_now()?;
        let mut out = std::ptr::dangling_mut();
        // SAFETY: the mutator is ours, and the weak pointer alive.
        let status = unsafe { barrow_weak_finalize(self.m, self.weaks[index].at().cast(), &mut out) };
        done(status, "weak_finalize")?;
        let (due, finalizer) = match before {
            State::Dead => (false, 0),
            _ => (true, self.word(self.weaks[index].finalizer, Role::Pointer, 0)),
        };
        let weak = &mut self.weaks[index];
        if out as usize != finalizer {
            return Err(format!("weak_finalize gave {out:?} instead of {finalizer:#x}"));
        }
        weak.check_called(due)?;
        weak.emptied(if before == State::Live { State::Dead } else { before });
        Ok(())
    }

    fn run_finalizers(&mut self, most: usize) -> Step {
        let mut due = Vec::new();
        for index in 0..self.weaks.len() {
            let weak = &self.weaks[index];
            if weak.state_now()? == State::Pending {
                due.push((index, weak.fields().map(|(word, _)| word)));
            }
        }
        let mut runs = Runs::new();
        let client = (&raw mut runs).cast();
        // SAFETY: the mutator is ours; the list outlives the call.
        let count = unsafe { barrow_run_finalizers(self.m, Some(note_run), client, most) };
        if most > 0 && count > most {
            return Err(format!("{count} finalizers were run instead of {most}"));
        }
        for (index, [key, value, finalizer]) in due {
            let weak = &mut self.weaks[index];
            if weak.state_now()? == State::Pending {
                if most == 0 {
                    return Err("a finalizer was not run".to_string());
                }
                continue;
            }
            let was = key != 0;
            weak.check_called(was)?;
            if finalizer != 0 && !runs.contains(&[finalizer, key, value]) {
                return Err(format!("the finalizer {finalizer:#x} of {key:#x} was not run"));
            }
            weak.emptied(State::Dead);
            self.coverage.finalizers += 1;
        }
        Ok(())
    }

    /// After the roots were matched: settles what the model says of weak pointers. `exact`: the last collection was a
    /// major one, and the only one since the last comparison.
    pub fn match_weaks(&mut self, exact: bool, waiting: &mut Vec<u32>, addresses: &mut Vec<usize>) -> Step {
        let weaks = std::mem::take(&mut self.weaks);
        let outcome = self.match_each_weak(&weaks, exact, waiting, addresses);
        self.weaks = weaks;
        for weak in &mut self.weaks {
            weak.state = weak.state_now()?;
            if weak.state == State::Dead {
                weak.emptied(State::Dead);
            }
        }
        outcome
    }

    fn match_each_weak(
        &mut self,
        weaks: &[WeakRoot],
        exact: bool,
        waiting: &mut Vec<u32>,
        addresses: &mut Vec<usize>,
    ) -> Step {
        // Those that waited before hold what they have.
        for weak in weaks.iter().filter(|weak| weak.state == State::Pending) {
            self.match_fields(weak, waiting, addresses)?;
        }
        let mut live = Vec::new();
        for weak in weaks.iter().filter(|weak| weak.state == State::Live) {
            live.push((weak, weak.state_now()?, false));
        }
        // Slowly and obviously: until nothing changes.
        loop {
            let mut any = false;
            for (weak, state, matched) in live.iter_mut().filter(|(_, _, matched)| !matched) {
                if self.is_seen(weak.key) {
                    if *state != State::Live {
                        return Err(format!("a weak pointer died, and its key {:x?} is reachable", weak.key));
                    }
                    self.match_fields(weak, waiting, addresses)?;
                    (*matched, any) = (true, true);
                }
            }
            // A minor collection may leave something that only weak arrays refer to, and keys with it.
            if !any && !self.match_weak_arrays(false, waiting, addresses)? {
                break;
            }
        }
        for (weak, state, _) in live.iter().filter(|(_, _, matched)| !matched) {
            match state {
                State::Live if exact && !self.unseen_finalizers => {
                    return Err(format!(
                        "a weak pointer is alive, and its key {:x?} is unreachable",
                        weak.key
                    ));
                }
                State::Dead => {
                    self.coverage.weak_deaths += 1;
                    if weak.finalizer != Word::NULL || weak.called.is_some() {
                        return Err("a weak pointer died, and its finalizer does not wait".to_string());
                    }
                }
                _ => {
                    self.coverage.weak_deaths += (*state == State::Pending) as u64;
                    self.match_fields(weak, waiting, addresses)?;
                }
            }
            if let Some(called) = weak.called
                && called.get() != 0
            {
                return Err("a finalizer was called by nobody".to_string());
            }
        }
        // Those that only finalizers reach were looked at when these had kept what they reach.
        self.match_weak_arrays(true, waiting, addresses)?;
        Ok(())
    }

    /// Objects of the library's own that are alive: each weak pointer that a handle holds, dead ones included.
    pub fn count_of_own_objects(&self) -> Count {
        let words = self.rounded(WEAK_WORDS) * self.weaks.len();
        Count { words: words as u64, objects: self.weaks.len() as u64 }
    }

    fn is_seen(&self, word: Word) -> bool {
        match word {
            Word::Ref { node, .. } => self.graph.node(node).seen == self.seen,
            _ => true,
        }
    }

    fn match_fields(&mut self, weak: &WeakRoot, waiting: &mut Vec<u32>, addresses: &mut Vec<usize>) -> Step {
        for (index, (word, expected)) in weak.fields().into_iter().enumerate() {
            self.match_word(word, expected, Role::Pointer, 0, waiting, addresses)
                .map_err(|wrong| format!("field {} of a weak pointer: {wrong}", index + 1))?;
        }
        self.match_waiting(waiting, addresses)
    }
}

impl WeakRoot {
    fn check_called(&self, due: bool) -> Step {
        match self.called.map(|called| called.get()) {
            Some(count) if count != due as u32 => {
                Err(format!("a finalizer's function was called {count} times instead of {}", due as u32))
            }
            _ => Ok(()),
        }
    }

    /// It was finalized: nothing is left in it.
    fn emptied(&mut self, state: State) {
        self.key = Word::NULL;
        self.value = Word::NULL;
        self.finalizer = Word::NULL;
        self.called = None;
        self.state = state;
    }
}
