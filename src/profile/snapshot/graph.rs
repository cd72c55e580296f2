//! A snapshot: all objects of a heap with their references, and all roots, told one by one.
//!
//! Directly after a major collection every object in the blocks is alive, so the walk goes over blocks and
//! not over the graph: it needs no marks and no stack. Statics alone are found by following references, and
//! listed.

use crate::base::size::WORD_BYTES;
use crate::base::{Addr, List, Outcome};
use crate::heap::object::info::{Info, ReferenceTable};
use crate::heap::object::lazy::CAF_VALUE;
use crate::heap::object::model::{HEADER_BITS, SlotSink, info_of};
use crate::heap::object::stack::{self, Stack};
use crate::heap::object::statics::{Caf, each_reference};
use crate::heap::object::weak::Weak;
use crate::heap::object::weak_array::{WeakArray, address_in};
use crate::heap::root::each::each_root;
use crate::heap::root::frame::Visitor;
use crate::heap::{Mutator, Store};
use crate::profile::heap::walk::each_object;
use std::ffi::c_char;

/// The way in which an object refers to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hold {
    /// A field, which keeps its referent alive.
    Strong,
    /// The key of a weak pointer, or an element of a weak array.
    Weak,
    /// A static that the object's code mentions.
    Code,
}

/// A receiver of the graph. It keeps its failures, and reports them when `check` asks.
pub(crate) trait Graph {
    /// Takes an object; its references follow, in order.
    fn object(&mut self, at: Addr, words: usize, info: &Info) -> Outcome<()>;
    /// Takes a field of the last object, or a root of the last name, that refers to an object.
    fn edge(&mut self, hold: Hold, to: Addr);
    /// Takes a field or root that refers to nothing in the heap.
    fn nothing(&mut self);
    /// Ends the last object, or the last name of roots.
    fn end(&mut self);
    /// Begins roots of this name; null for no name.
    fn roots(&mut self, name: *const c_char);
    /// Fails when something could not be written so far.
    fn check(&mut self) -> Outcome<()>;
}

/// Tells `graph` a heap that has just been collected as a whole.
pub(crate) fn tell<G: Graph>(
    store: &mut Store,
    mutator: &mut Mutator,
    get_roots: &mut dyn FnMut(&mut Visitor),
    graph: &mut G,
) -> Outcome<()> {
    let mut statics = Found { slots: List::new(), order: List::new() };
    each_object(store, mutator, &mut |store, object, words| {
        Edges::new(store, graph, &mut statics).object(object, words)
    })?;
    let store = &*store;
    let mut edges = Edges::new(store, graph, &mut statics);
    edges.all_roots(mutator, get_roots)?;
    let mut done = 0;
    while let Some(&at) = edges.statics.order.get(done) {
        done += 1;
        // SAFETY: a static of this heap lies there.
        let words = unsafe { store.model.size(at, info_of(at.load())) };
        planted!(149, Ok(()), edges.object(at, words))?;
    }
    Ok(())
}

/// Statics that are referred to, each once: a hash table of their addresses, and the order in which they
/// came.
struct Found {
    /// The table: null for a free slot. Its length is a power of two, or 0.
    slots: List<Addr>,
    order: List<Addr>,
}

impl Found {
    fn add(&mut self, at: Addr) -> Outcome<()> {
        if self.slots.len() < (self.order.len() + 1) * 2 {
            let mut larger = List::new();
            larger.fill((self.slots.len() * 2).max(256), Addr::NULL)?;
            self.slots = larger;
            for i in 0..self.order.len() {
                let place = self.place(self.order[i]);
                self.slots[place] = self.order[i];
            }
        }
        let place = self.place(at);
        if self.slots[place].is_null() {
            self.order.push(at)?;
            self.slots[place] = at;
        }
        Ok(())
    }

    fn place(&self, at: Addr) -> usize {
        let mask = self.slots.len() - 1;
        let mut place = (at.0 / WORD_BYTES).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32 & mask;
        while !self.slots[place].is_null() && self.slots[place] != at {
            place = (place + 1) & mask;
        }
        place
    }
}

struct Edges<'a, G> {
    store: &'a Store,
    graph: &'a mut G,
    statics: &'a mut Found,
    has_statics: bool,
    /// Whether roots are being told: the names that a client's object gives its own fields are not names
    /// of roots.
    in_roots: bool,
    outcome: Outcome<()>,
}

impl<'a, G: Graph> Edges<'a, G> {
    #[inline(always)]
    fn new(store: &'a Store, graph: &'a mut G, statics: &'a mut Found) -> Edges<'a, G> {
        let has_statics = !store.statics.is_empty();
        Edges { store, graph, statics, has_statics, in_roots: false, outcome: Ok(()) }
    }

    #[inline(always)]
    fn object(&mut self, object: Addr, words: usize) -> Outcome<()> {
        // SAFETY: a well-formed object lies here, as the caller has found.
        let info = info_of(unsafe { object.load() });
        self.graph.object(object, words, info)?;
        let model = self.store.model;
        // SAFETY: as above.
        unsafe { model.each_slot(object, info, self) };
        self.mentions(info.srt);
        self.graph.end();
        std::mem::replace(&mut self.outcome, Ok(()))?;
        self.graph.check()
    }

    #[inline(always)]
    fn reach(&mut self, hold: Hold, address: usize) {
        if address != 0 {
            if self.store.holds(Addr(address)) {
                return self.graph.edge(hold, Addr(address));
            }
            if self.has_statics && self.store.statics.has(Addr(address)) {
                return self.reach_static(hold, Addr(address));
            }
        }
        self.graph.nothing();
    }

    #[cold]
    #[inline(never)]
    fn reach_static(&mut self, hold: Hold, at: Addr) {
        match self.statics.add(at) {
            Ok(()) => self.graph.edge(hold, at),
            Err(failure) => self.outcome = Err(failure),
        }
    }

    #[inline(always)]
    fn mentions(&mut self, table: *const ReferenceTable) {
        if !table.is_null() && self.has_statics {
            // SAFETY: tables are the client's constants.
            unsafe { each_reference(table, |at| self.reach(Hold::Code, at.0)) };
        }
    }

    fn all_roots(&mut self, mutator: &mut Mutator, get_roots: &mut dyn FnMut(&mut Visitor)) -> Outcome<()> {
        self.in_roots = true;
        let store = self.store;
        self.graph.roots(std::ptr::null());
        each_root(store, mutator, self)?;
        self.name(c"the client's callback".as_ptr());
        get_roots(&mut Visitor::new(self));
        self.name(c"kept CAFs".as_ptr());
        let kept = |caf: &&Caf| caf.keep;
        for caf in store.statics.cafs.iter().filter(kept) {
            self.reach(Hold::Strong, caf.at.0);
            self.pointer(caf.at.plus_words(CAF_VALUE));
        }
        self.name(c"weak pointers".as_ptr());
        for list in store.weaks.lists {
            for weak in list.iter() {
                self.reach(Hold::Strong, weak.0.0);
            }
        }
        self.graph.end();
        self.in_roots = false;
        std::mem::replace(&mut self.outcome, Ok(()))?;
        self.graph.check()
    }
}

impl<G: Graph> SlotSink for Edges<'_, G> {
    #[inline(always)]
    fn pointer(&mut self, slot: Addr) {
        // SAFETY: slots are words of objects or of the client's roots, which are readable.
        let word = unsafe { slot.load() };
        self.reach(Hold::Strong, word & !HEADER_BITS);
    }

    #[inline(always)]
    fn tagged(&mut self, slot: Addr) {
        // SAFETY: as above.
        let word = unsafe { slot.load() };
        self.reach(Hold::Strong, self.store.model.tags.address(word));
    }

    fn weak(&mut self, weak: Addr) -> bool {
        let [key, value, finalizer] = Weak(weak).slots();
        // SAFETY: a weak pointer has these words.
        let key = unsafe { key.load() };
        self.reach(Hold::Weak, key & !HEADER_BITS);
        self.pointer(value);
        self.pointer(finalizer);
        true
    }

    fn weak_elements(&mut self, array: Addr, info: &Info) -> bool {
        let array = WeakArray(array);
        // SAFETY: only well-formed objects come here.
        for index in 0..unsafe { array.length() } {
            let address = address_in(array.element(index), info, &self.store.model.tags);
            self.reach(Hold::Weak, address.0);
        }
        true
    }

    fn frames(&mut self, stack: Addr) -> bool {
        stack::each_slot(Stack(stack), self);
        if self.has_statics {
            for (_, info) in Stack(stack).frames() {
                self.mentions(info.srt);
            }
        }
        true
    }

    fn name(&mut self, name: *const c_char) {
        if self.in_roots {
            self.graph.end();
            self.graph.roots(name);
        }
    }
}
