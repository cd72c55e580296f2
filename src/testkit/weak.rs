//! Weak pointers of random programs: nodes of the graph like other objects. They lie in fields, elements and roots, are
//! keys, values and finalizers of each other, and come one by one or hundreds at once.
//!
//! Their data, which means something to the program alone, tells which is which: by it each is found in the lists of the
//! heap, also when nothing refers to it (`weak_states`).

use super::finalizers::run_function;
use super::graph::{Node, WeakFacts, Word};
use super::kinds::{Role, shape_of};
use super::machine::{Machine, Step, done, last_error};
use super::program::Op;
use super::random::Random;
use super::twin;
use crate::base::Addr;
use crate::ffi::weak::*;
use crate::heap::Kind;
use crate::heap::object::weak::{State, Weak};
use crate::heap::space::generation::Code;
use std::ffi::c_void;

/// Weak pointers that there may be at once, before no more are made.
const MOST_WEAKS: usize = 300;
/// The most weak pointers that one operation makes.
const MOST_AT_ONCE: usize = 120;

impl Machine<'_> {
    pub(super) fn change_weaks(&mut self, op: Op) -> Step {
        match op {
            Op::NewWeak { object, how, seed } if self.weaks().len() < MOST_WEAKS => {
                let mut random = Random::new(seed as u64);
                match how % 6 {
                    0 => self.make_many_weaks(&mut random),
                    _ => self.new_weak(object, &mut random),
                }
            }
            Op::DropWeak { which } => {
                if let Some(weak) = self.any_weak(which as usize) {
                    self.drop_roots_of(weak);
                }
                Ok(())
            }
            Op::FinalizeWeak { which, acts, seed } => match self.any_weak(which as usize) {
                Some(weak) => {
                    self.running_finalizers.begin(acts, seed);
                    self.finalize_weak(weak)
                }
                None => Ok(()),
            },
            Op::RunFinalizers { most, acts, seed } => {
                self.running_finalizers.begin(acts, seed);
                self.run_finalizers(most as usize)
            }
            _ => Ok(()),
        }
    }

    /// The nodes of all weak pointers, whatever their state.
    pub(super) fn weaks(&self) -> Vec<u32> {
        let known = self.graph.known.iter().copied();
        known.filter(|&number| self.graph.node(number).shape().is_weak()).collect()
    }

    pub(super) fn any_weak(&self, any: usize) -> Option<u32> {
        let weaks = self.weaks();
        weaks.get(any % weaks.len().max(1)).copied()
    }
    pub(super) fn weak_state(&self, weak: u32) -> State {
        let info = &raw const *self.graph.node(weak).shape().info as usize;
        Weak::state_of(info).unwrap_or(State::Dead)
    }

    /// The state in the heap, for one that is where it was last seen.
    pub(super) fn state_in_heap(&self, weak: u32) -> Result<State, String> {
        // SAFETY: known nodes lie where they were last seen.
        let header = unsafe { Addr(self.graph.node(weak).at).load() };
        Weak::state_of(header).ok_or_else(|| format!("weak pointer {weak} has the header {header:#x}"))
    }

    pub(super) fn set_weak_state(&mut self, weak: u32, state: State) {
        let others = match state {
            State::Live => 0,
            State::Pending => 1,
            State::Dead => 2,
        };
        self.graph.node_mut(weak).shape = shape_of(Kind::Weak) + others;
    }
    pub(super) fn weak_emptied(&mut self, weak: u32, state: State) {
        let node = self.graph.node_mut(weak);
        node.words.fill(Word::NULL);
        node.weak = match node.weak {
            // The queue has it until its turn comes, and with it each weak pointer that has it for a key.
            Some(facts) if state == State::Pending => {
                // SAFETY: the weak pointer lies where it was last seen; nobody looks at its data any more.
                unsafe { (*Weak(Addr(node.at)).object()).data = facts.id as *mut c_void };
                Some(WeakFacts { has_function: false, ..facts })
            }
            _ => None,
        };
        self.set_weak_state(weak, state);
    }

    pub(super) fn has_finalizer(&self, weak: u32) -> bool {
        let node = self.graph.node(weak);
        node.words[2] != Word::NULL || node.weak.is_some_and(|facts| facts.has_function)
    }

    /// Lazy things may be replaced by others, which are alive then.
    fn unless_lazy(&self, word: Word) -> Word {
        match word {
            Word::Ref { node, .. } if self.graph.node(node).shape().is_lazy() => Word::NULL,
            word => word,
        }
    }

    fn new_weak(&mut self, object: u16, random: &mut Random) -> Step {
        let Some(node) = self.graph.pick(object as usize) else { return Ok(()) };
        let key = self.unless_lazy(Word::Ref { node, tag: random.bits() as u32 & 7 });
        if key == Word::NULL {
            return Ok(());
        }
        let value = self.unless_lazy(self.any_word(random, Role::Pointer));
        let finalizer = match self.graph.pick(random.below(1 << 20)) {
            Some(node) if random.one_in(3) => self.unless_lazy(Word::Ref { node, tag: 0 }),
            _ => Word::NULL,
        };
        let weak = self.make_weak([key, value, finalizer], random.one_in(2))?;
        self.set_root(Some(weak), random);
        Ok(())
    }

    /// A weak pointer of these parts, which nothing holds yet. Nothing is collected here.
    pub(super) fn make_weak(&mut self, parts: [Word; 3], has_function: bool) -> Result<u32, String> {
        let [key, value, finalizer] = parts.map(|word| self.word(word, Role::Pointer, 0) as *mut c_void);
        // SAFETY: the mutator is ours and the objects are alive: so for every call here.
        let weak = unsafe { barrow_weak_new(self.m, key, value, finalizer) };
        if weak.is_null() {
            return Err(format!("weak_new: {}", last_error()));
        }
        self.last_id += 1;
        let id = self.last_id;
        let fixed = Code(self.runtime().store.codes.at(weak as usize)).is_fixed();
        let mut words = parts.to_vec();
        words.resize(6, Word::NULL);
        let mut node = Node::new(shape_of(Kind::Weak), words, weak as usize, fixed);
        node.weak = Some(WeakFacts { id, has_function });
        let made = self.graph.add(node);
        self.coverage.weaks += 1;
        // SAFETY: as above. The library does not look at the data of one without a function.
        unsafe { (*Weak(Addr(weak as usize)).object()).data = id as *mut c_void };
        self.stamp_new(made)?;
        if has_function {
            let (function, data) = (Some(run_function as _), id as *mut c_void);
            // SAFETY: as above.
            let told =
                unsafe { barrow_weak_set_function(self.m, weak, function, data, std::ptr::null_mut()) };
            done(told, "weak_set_function")?;
        }
        Ok(made)
    }

    /// Makes many that are keys, values and finalizers of each other. Some are put into roots and fields of
    /// other objects.
    fn make_many_weaks(&mut self, random: &mut Random) -> Step {
        let most = if random.one_in(3) { MOST_AT_ONCE } else { 20 };
        let count = 4 + random.below(most);
        // Of keys too.
        let linked = !random.one_in(4);
        let mut made = Vec::new();
        for _ in 0..count {
            let mut any = |machine: &Self, of_made: bool| {
                let node = match made.get(random.below(made.len().max(1))) {
                    Some(&node) if of_made => Some(node),
                    _ => machine.graph.pick(random.below(1 << 20)),
                };
                let word = node.map_or(Word::NULL, |node| Word::Ref { node, tag: 0 });
                machine.unless_lazy(word)
            };
            let (key, value, finalizer) = (any(self, linked), any(self, true), any(self, false));
            if key == Word::NULL {
                continue;
            }
            let finalizer = if random.one_in(6) { finalizer } else { Word::NULL };
            made.push(self.make_weak([key, value, finalizer], random.one_in(4))?);
        }
        if made.is_empty() {
            return Ok(());
        }
        for _ in 0..2 + count / 8 {
            let weak = made[random.below(made.len())];
            match random.below(4) {
                0 => self.set_root(Some(weak), random),
                _ => self.store_weak_somewhere(weak, random),
            }
        }
        Ok(())
    }

    /// Stores a weak pointer into a field or an element of any object.
    pub(super) fn store_weak_somewhere(&mut self, weak: u32, random: &mut Random) {
        let Some(owner) = self.graph.pick(random.below(1 << 20)) else { return };
        let Some((index, role)) = self.any_field(owner, random) else { return };
        let word = Word::Ref { node: weak, tag: 0 };
        let (at, field, bits) =
            (self.graph.node(owner).at as *mut c_void, self.field(owner, index), self.word(word, role, 0));
        // SAFETY: the object is alive and has this field; the mutator is ours.
        unsafe {
            match role {
                Role::Pointer => twin::write(self.m, at, field, bits),
                Role::Tagged => twin::write_word(self.m, at, field, bits),
                _ => return,
            }
        }
        self.graph.node_mut(owner).words[index] = word;
    }

    fn drop_roots_of(&mut self, weak: u32) {
        self.roots.each_slot(|slot, model, _| {
            if matches!(*model, Word::Ref { node, .. } if node == weak) {
                *model = Word::NULL;
                // SAFETY: roots of the model are writable.
                unsafe { slot.write(0) };
            }
        });
        self.roots.native.derive();
    }
}
