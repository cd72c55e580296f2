//! Why is this address alive: a shortest way from a root to the object that it lies in.
//!
//! The search is a breadth-first walk over the graph, with a list of the objects found and their finders: no
//! stack, no mark in the heap, and no object moves, so that it can be asked wherever a debugger has stopped
//! the client.

use crate::base::size::WORD_BYTES;
use crate::base::{Addr, Failure, List, Outcome};
use crate::heap::object::info::{Info, ReferenceTable};
use crate::heap::object::lazy::CAF_VALUE;
use crate::heap::object::model::{HEADER_BITS, HEADER_FORWARDED, SlotSink};
use crate::heap::object::statics::each_reference;
use crate::heap::object::weak::{State, Weak};
use crate::heap::object::weak_array::{WeakArray, each_element_outside};
use crate::heap::root::each::each_root;
use crate::heap::root::frame::Visitor;
use crate::heap::space::generation::Code;
use crate::heap::{Mutator, Store};
use std::ffi::{c_char, c_void};

/// `barrow_held.hold`: a root or a field refers to the next object.
#[allow(unreachable_pub)] // of the header
pub const HELD_BY_FIELD: u32 = 0;
/// `barrow_held.hold`: the code of the object, or a frame of the stack, mentions the next object, which
/// is a static.
#[allow(unreachable_pub)] // of the header
pub const HELD_BY_CODE: u32 = 1;
/// `barrow_held.hold`: the object is the key of a weak pointer, and the next object is its value, its
/// finalizer, or the weak pointer.
#[allow(unreachable_pub)] // of the header
pub const HELD_BY_KEY: u32 = 2;

/// One step of the way from a root to an object: a root or an object, and where it refers to the next one.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Held {
    /// The object; NULL for a root, which is the first step.
    pub object: *const c_void,
    /// Address of the word that refers to the next object; in the last step, the address that was asked
    /// for. NULL when there is no such word, or none that stays. For a frame on the stack, it is a local
    /// variable.
    pub slot: *const c_void,
    /// The name of the object in its table, or the name of the roots; NULL for neither.
    pub name: *const c_char,
    /// Words of the object; 0 for a root.
    pub words: usize,
    /// The way in which it holds the next object: `BARROW_HELD_BY_FIELD` and its like.
    pub hold: u32,
    /// Generation of the object; -1 for a root and for a static.
    pub generation: i32,
}

/// The steps to the object that `target` lies in, the root first.
pub(crate) fn why(
    store: &Store,
    mutator: &mut Mutator,
    get_roots: &mut dyn FnMut(&mut Visitor),
    target: Addr,
    steps: &mut List<Held>,
) -> Outcome<()> {
    steps.clear();
    store.close_stack(mutator)?;
    let mut walk = Walk {
        store,
        nodes: List::new(),
        slots: List::new(),
        has_statics: !store.statics.is_empty(),
        from: ROOT,
        hold: HELD_BY_FIELD,
        root_name: c"unnamed roots".as_ptr(),
        outcome: Ok(()),
    };
    each_root(store, mutator, &mut walk)?;
    walk.name(c"the client's callback".as_ptr());
    get_roots(&mut Visitor::new(&mut walk));
    walk.name(c"kept CAFs".as_ptr());
    for caf in store.statics.cafs.iter().filter(|caf| caf.keep) {
        walk.pointer(caf.at.plus_words(CAF_VALUE));
    }
    let mut done = 0;
    loop {
        while let Some(node) = walk.nodes.get(done).copied() {
            let words = walk.look_at(done, node.at)?;
            if node.at <= target && target < node.at.plus_words(words) {
                return walk.tell(done, target, steps);
            }
            done += 1;
        }
        walk.follow_weaks();
        std::mem::replace(&mut walk.outcome, Ok(()))?;
        if done == walk.nodes.len() {
            break;
        }
    }
    let place = if store.holds(target) { "in the heap, and no root leads to it" } else { "not in the heap" };
    Err(Failure::argument(format_args!("{target} is {place}; {done} objects are alive")))
}

/// `Node::parent` of an object that a root refers to.
const ROOT: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Node {
    at: Addr,
    slot: Addr,
    parent: u32,
    hold: u32,
    /// Name of the root; null when the parent is an object.
    root: *const c_char,
}

struct Walk<'a> {
    store: &'a Store,
    /// The objects, in the order in which they were found.
    nodes: List<Node>,
    /// Indices of nodes plus one, by address: an open hash table; 0 is free. Its length is a power of
    /// two, or 0.
    slots: List<u32>,
    has_statics: bool,
    /// Index of the object whose fields are scanned, or `ROOT`.
    from: u32,
    hold: u32,
    root_name: *const c_char,
    /// The first failure in a callback that cannot return it.
    outcome: Outcome<()>,
}

impl Walk<'_> {
    /// Scans an object's references, and gives its size in words.
    fn look_at(&mut self, index: usize, at: Addr) -> Outcome<usize> {
        // SAFETY: an address that was found lies in a block of the heap or is a static that the heap
        // knows.
        let header = unsafe { at.load() };
        if header & HEADER_FORWARDED != 0 {
            return Err(Failure::damaged(format_args!(
                "there is no object at {at}, which {}",
                self.holder(index)
            )));
        }
        // SAFETY: as in the sanity walk: a header that is no table's address is caught here, mostly.
        let info = unsafe { Info::check(Addr(header & !HEADER_BITS)) }.map_err(|failure| {
            Failure::damaged(format_args!(
                "the object at {at}, which {}, has no good info table: {}",
                self.holder(index),
                failure.sentence
            ))
        })?;
        (self.from, self.root_name, self.hold) = (index as u32, std::ptr::null(), HELD_BY_FIELD);
        let model = self.store.model;
        // SAFETY: its table is good.
        let words = unsafe {
            model.each_slot(at, info, self);
            model.size(at, info)
        };
        self.mentions(info.srt);
        std::mem::replace(&mut self.outcome, Ok(()))?;
        Ok(words)
    }

    fn holder(&self, index: usize) -> crate::base::Sentence {
        let node = self.nodes[index];
        match self.nodes.get(node.parent as usize) {
            Some(parent) => {
                crate::base::Sentence::new(format_args!("{} refers to at {}", parent.at, node.slot))
            }
            None => crate::base::Sentence::new(format_args!("a root at {} refers to", node.slot)),
        }
    }

    fn found(&mut self, address: usize, slot: Addr) {
        let at = Addr(address);
        let is_ours = self.store.holds(at) || self.has_statics && self.store.statics.has(at);
        if address == 0 || !is_ours || !at.is_aligned(WORD_BYTES) {
            return;
        }
        if let Err(failure) = self.add(at, slot) {
            self.outcome = Err(failure);
        }
    }

    fn add(&mut self, at: Addr, slot: Addr) -> Outcome<()> {
        if self.slots.len() < (self.nodes.len() + 1) * 2 {
            let mut larger = List::new();
            larger.fill((self.slots.len() * 2).max(1024), 0)?;
            self.slots = larger;
            for index in 0..self.nodes.len() {
                let place = self.place(self.nodes[index].at);
                self.slots[place] = index as u32 + 1;
            }
        }
        let place = self.place(at);
        if self.slots[place] == 0 {
            if self.nodes.len() >= ROOT as usize - 1 {
                return Err(Failure::no_memory(format_args!("there are more objects than this walk counts")));
            }
            let (parent, hold, root) = (self.from, self.hold, self.root_name);
            self.nodes.push(Node { at, slot, parent, hold, root })?;
            self.slots[place] = self.nodes.len() as u32;
        }
        Ok(())
    }

    fn place(&self, at: Addr) -> usize {
        let mask = self.slots.len() - 1;
        let mut place = (at.0 / WORD_BYTES).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32 & mask;
        while self.slots[place] != 0 && self.nodes[self.slots[place] as usize - 1].at != at {
            place = (place + 1) & mask;
        }
        place
    }

    fn index_of(&self, at: Addr) -> Option<u32> {
        if self.slots.is_empty() { None } else { self.slots[self.place(at)].checked_sub(1) }
    }

    /// Follows weak pointers whose key is alive, to their values and finalizers.
    fn follow_weaks(&mut self) {
        let store = self.store;
        for list in store.weaks.lists {
            for weak in list.iter() {
                let key = weak.key();
                let Some(index) = self.index_of(key).or((!store.holds(key)).then_some(ROOT)) else {
                    continue;
                };
                self.from = index;
                self.hold = HELD_BY_KEY;
                self.root_name =
                    if index == ROOT { c"weak pointers of statics".as_ptr() } else { std::ptr::null() };
                let [_, value, finalizer] = weak.slots();
                self.found(weak.0.0, weak.key_slot());
                self.pointer(value);
                self.pointer(finalizer);
            }
        }
    }

    /// Writes the steps to a node, from the last to the first.
    fn tell(&self, last: usize, target: Addr, steps: &mut List<Held>) -> Outcome<()> {
        let (mut index, mut slot, mut hold) = (last as u32, target, HELD_BY_FIELD);
        while let Some(node) = self.nodes.get(index as usize) {
            // SAFETY: the walk has looked at it.
            let info = unsafe { crate::heap::object::model::info_of(node.at.load()) };
            // SAFETY: as above.
            let words = unsafe { self.store.model.size(node.at, info) };
            let code = Code(self.store.codes.at(node.at.0));
            steps.push(Held {
                object: node.at.as_ptr(),
                slot: slot.as_ptr(),
                name: name_of(info),
                words,
                hold,
                generation: if code.is_none() { -1 } else { code.generation() as i32 },
            })?;
            (index, slot, hold) = (node.parent, node.slot, node.hold);
            if index == ROOT {
                steps.push(Held {
                    object: std::ptr::null(),
                    slot: slot.as_ptr(),
                    name: node.root,
                    words: 0,
                    hold,
                    generation: -1,
                })?;
            }
        }
        steps.reverse();
        Ok(())
    }
}

fn name_of(info: &Info) -> *const c_char {
    if info.names.is_null() {
        return std::ptr::null();
    }
    // SAFETY: a non-null `names` points to the client's constant table.
    let names = unsafe { &*info.names };
    if names.description.is_null() { names.type_name } else { names.description }
}

impl SlotSink for Walk<'_> {
    fn pointer(&mut self, slot: Addr) {
        // SAFETY: slots are words of objects or of the client's roots, which are readable.
        let word = unsafe { slot.load() };
        self.found(word & !HEADER_BITS, slot);
    }

    fn tagged(&mut self, slot: Addr) {
        // SAFETY: as above.
        let word = unsafe { slot.load() };
        self.found(self.store.model.tags.address(word), slot);
    }

    fn value(&mut self, word: usize, is_tagged: bool) -> Option<usize> {
        let address = if is_tagged { self.store.model.tags.address(word) } else { word & !HEADER_BITS };
        self.found(address, Addr::NULL);
        Some(word)
    }

    /// Visits the elements of a weak array that are statics; the other elements are not held by it.
    fn weak_elements(&mut self, array: Addr, info: &Info) -> bool {
        let (tags, codes) = (self.store.model.tags, self.store.codes);
        each_element_outside(WeakArray(array), info, &tags, |at| codes.at(at), self);
        true
    }

    /// Visits a weak pointer. A live one is followed from its key; here are those whose finalizer waits.
    fn weak(&mut self, weak: Addr) -> bool {
        // SAFETY: a weak pointer lies there.
        if Weak::state_of(unsafe { weak.load() }) == Some(State::Pending) {
            for slot in Weak(weak).slots() {
                self.pointer(slot);
            }
            self.found(Weak(weak).next().0, weak);
        }
        true
    }

    fn mentions(&mut self, table: *const ReferenceTable) {
        if !table.is_null() && self.has_statics {
            let before = std::mem::replace(&mut self.hold, HELD_BY_CODE);
            // SAFETY: tables are the client's constants.
            unsafe { each_reference(table, |at| self.found(at.0, Addr::NULL)) };
            self.hold = before;
        }
    }

    fn name(&mut self, name: *const c_char) {
        // The names that a client's object gives its own fields are not names of roots.
        if self.from == ROOT {
            self.root_name = if name.is_null() { c"unnamed roots".as_ptr() } else { name };
        }
    }
}
