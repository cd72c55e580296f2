//! The second opinion: walks the whole heap and checks the invariants of every collection.
//!
//! Every object is well-formed; every pointer, roots included, leads to the start of an object; every pointer from an
//! older generation to a younger one is remembered; codes, step figures and blocks add up.

use super::moves::Moves;
use super::objects::Objects;
use super::starts::Starts;
use super::weak_check::ListedWeaks;
use crate::base::size::*;
use crate::base::{Addr, Failure, Outcome, Shown};
use crate::block::Block;
use crate::block::descriptor::flag;
use crate::heap::object::array::{Array, has_cards, leads_to};
use crate::heap::object::info::{Info, Kind};
use crate::heap::object::model::{HEADER_BITS, SlotSink};
use crate::heap::object::weak::Weak;
use crate::heap::object::weak_array::{WeakArray, each_element};
use crate::heap::root::each::each_root;
use crate::heap::root::frame::Visitor;
use crate::heap::space::generation::Code;
use crate::heap::space::remember::{Entry, Remembered};
use crate::heap::{Model, Mutator, Store};
use crate::megablock::owners::{Owned, Owner};
use crate::os::debugger;

/// The counts of a walk that found nothing wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    pub objects: usize,
    pub words: usize,
    pub slots: usize,
}

/// Checks everything. The heap must have no slop: directly after a major collection, or in checking mode.
pub(crate) fn check(
    store: &mut Store,
    mutator: &mut Mutator,
    get_roots: &mut dyn FnMut(&mut Visitor),
    moves: Option<&Moves>,
) -> Outcome<Census> {
    mutator.try_each(|mutator| store.close_stack(mutator))?;
    store.close_nursery(mutator);
    mutator.pool.close();
    store.blocks.audit()?;
    super::sums_check::check_sums(store, mutator)?;
    let objects = Objects::find(store, mutator)?;
    let remembered = RememberedSet::find(store, mutator)?;
    let weaks = ListedWeaks::find(store, &objects)?;
    super::weak_check::check_names(store, &objects)?;
    super::marks_check::check_marks(store, mutator, &objects)?;
    let mut walk = Walk {
        store,
        objects: &objects,
        remembered: &remembered,
        weaks: &weaks,
        moves,
        model: store.model,
        owned: store.blocks.megablocks.owned()?,
        holder: Addr::NULL,
        root_name: std::ptr::null(),
        generation: 0,
        listed: None,
        slots: 0,
        wrong: None,
    };
    for object in objects.starts.iter() {
        walk.look_at(object);
        if walk.wrong.is_some() {
            break;
        }
    }
    walk.look_at_roots(mutator, get_roots)?;
    walk.look_at_cafs();
    if let Some(failure) = walk.wrong {
        return Err(failure);
    }
    Ok(Census { objects: objects.starts.len(), words: objects.words, slots: walk.slots })
}

/// Everything that is remembered.
struct RememberedSet {
    slots: Starts,
    objects: Starts,
    forgot: bool,
}

impl RememberedSet {
    fn find(store: &mut Store, mutator: &mut Mutator) -> Outcome<RememberedSet> {
        let mut set = RememberedSet { slots: Starts::new(), objects: Starts::new(), forgot: false };
        let mut outcome = Ok(());
        let mut add = |entry: Entry| {
            let list = match entry.what() {
                Remembered::Slot
                | Remembered::TaggedSlot
                | Remembered::WeakSlot
                | Remembered::WeakTaggedSlot => &mut set.slots,
                Remembered::Object | Remembered::ObjectOnce => &mut set.objects,
                // Cards are looked at where they are.
                Remembered::Cards => return,
            };
            if let Err(failure) = list.add(entry.at()) {
                outcome = Err(failure);
            }
        };
        mutator.buffers.for_each(&mut mutator.window, &mut add);
        for generation in &mut store.generations {
            generation.remembered.for_each(&mut add);
        }
        store.changed.objects().for_each(|object| add(Entry::new(Remembered::ObjectOnce, object)));
        outcome?;
        set.forgot = store.generations.iter().any(|g| g.forgot);
        Ok(set)
    }
}

struct Walk<'a> {
    store: &'a Store,
    objects: &'a Objects,
    remembered: &'a RememberedSet,
    weaks: &'a ListedWeaks,
    moves: Option<&'a Moves>,
    model: Model,
    /// The owners of addresses: this heap and others.
    owned: Owned,
    /// The object whose fields are looked at; null for roots.
    holder: Addr,
    /// The client's name for the roots that are looked at.
    root_name: *const std::ffi::c_char,
    generation: u8,
    /// The generation that the current weak pointer is listed with.
    listed: Option<usize>,
    slots: usize,
    wrong: Option<Failure>,
}

impl Walk<'_> {
    fn look_at(&mut self, object: Addr) {
        self.holder = object;
        self.generation = Code(self.store.codes.at(object.0)).generation();
        // SAFETY: `Objects::find` has checked the object.
        unsafe {
            let info = crate::heap::object::model::info_of(object.load());
            if let Some(failure) =
                super::sanity_lazy::check(self.store, object, info, &|at| self.objects.has(at))
            {
                self.wrong.get_or_insert(failure);
                return;
            }
            let model = self.model;
            model.each_slot(object, info, self);
        }
    }

    fn look_at_roots(
        &mut self,
        mutator: &mut Mutator,
        get_roots: &mut dyn FnMut(&mut Visitor),
    ) -> Outcome<()> {
        self.holder = Addr::NULL;
        self.generation = 0;
        let store = self.store;
        each_root(store, mutator, self)?;
        get_roots(&mut Visitor::new(self));
        Ok(())
    }

    /// Looks at values of CAFs: one younger than the oldest generation must be remembered, unless its CAF is a root.
    fn look_at_cafs(&mut self) {
        let store = self.store;
        for caf in store.statics.cafs.iter() {
            self.holder = caf.at;
            self.generation = if caf.keep { 0 } else { store.oldest() as u8 };
            // SAFETY: a listed CAF is a static of the client, with four words.
            let (info, link) = unsafe {
                let info = crate::heap::object::model::info_of(caf.at.load());
                (info, caf.at.plus_words(crate::heap::object::lazy::CAF_LINK).load())
            };
            if !info.is(Kind::IndStatic) || link != 0 {
                self.wrong.get_or_insert(Failure::damaged(format_args!(
                    "the CAF at {} ({}) was entered, and has kind {} and link {link:#x} between collections",
                    caf.at,
                    info.name(),
                    info.kind
                )));
                return;
            }
            self.pointer(caf.at.plus_words(crate::heap::object::lazy::CAF_VALUE));
        }
    }

    fn look(&mut self, slot: Addr, address: usize) {
        self.slots += 1;
        if address == 0 || self.wrong.is_some() {
            return;
        }
        let at = Addr(address);
        let code = Code(self.store.codes.at(address));
        if code.is_none() {
            // Statics and foreign memory are left alone; free memory of ours and memory of another heap are not.
            if let Some(what) = self.nothing_of_ours(at) {
                self.complain(slot, at, what);
            }
            return;
        }
        if !self.objects.has(at) {
            self.complain(slot, at, "where no object begins");
            return;
        }
        if let Some(listed) = self.listed {
            if (code.generation() as usize) < listed {
                self.complain(
                    slot,
                    at,
                    "which is younger than the generation that the weak pointer is listed with",
                );
            }
        } else if code.generation() < self.generation && !self.is_remembered(slot, code.generation()) {
            self.complain(
                slot,
                at,
                "which is younger, and this is not remembered: a write barrier is missing",
            );
        }
    }

    /// The problem of a reference to memory that holds no objects of this heap, if there is one.
    fn nothing_of_ours(&self, at: Addr) -> Option<&'static str> {
        match planted!(232, Owner::Nobody, self.owned.owner(at)) {
            Owner::This if self.store.codes.span(at).is_null() => {
                Some("where this heap has nothing: was a large object there, which has died?")
            }
            Owner::This => Some("which is free memory of this heap"),
            Owner::Other => {
                Some("which lies in another heap of this process: references do not lead from heap to heap")
            }
            Owner::Nobody if self.store.codes.was_ours(at) && !debugger::is_readable(at.0) => {
                Some("where this heap gave its memory back to the system")
            }
            Owner::Nobody => None,
        }
    }

    fn is_remembered(&self, slot: Addr, generation: u8) -> bool {
        if self.remembered.forgot
            || self.remembered.slots.has(slot)
            || self.remembered.objects.has(self.holder)
        {
            return true;
        }
        if self.store.statics.has(self.holder) {
            return false;
        }
        let group = Block::of(self.holder).head();
        if !group.has(flag::CARDED) || group.object() != self.holder {
            return false;
        }
        let array = Array(self.holder);
        // SAFETY: a carded group holds an array with cards, and the slot is one of its elements.
        unsafe {
            has_cards(array.length()) && {
                let index = slot.words_since(array.element(0));
                let byte = *array.card(index >> LOG_CARD_ELEMENTS);
                byte != 0 && leads_to(byte) <= generation
            }
        }
    }

    /// The object that a stale reference led to, by the moves or by the memory that was set aside.
    fn before(&self, at: Addr) -> Before<'_> {
        let aside = self.store.aside.gone_from(at);
        let name = aside.map(|(_, gone)| gone.info.name());
        match self.moves.and_then(|moves| moves.from(at)) {
            Some((batch, one)) => {
                // SAFETY: the walk has found an object there.
                let now = self
                    .objects
                    .has(one.to)
                    .then(|| crate::heap::object::model::info_of(unsafe { one.to.load() }).name());
                Before { collection: batch.collection, to: Some(one.to), name: name.or(now) }
            }
            None => Before { collection: aside.map_or(0, |(batch, _)| batch.collection), to: None, name },
        }
    }

    fn complain(&mut self, slot: Addr, at: Addr, what: &str) {
        let before = self.before(at);
        let failure = if self.holder.is_null() {
            let name = if self.root_name.is_null() {
                "(no name)"
            } else {
                // SAFETY: names of roots are strings that live as long as the heap.
                unsafe { std::ffi::CStr::from_ptr(self.root_name) }.to_str().unwrap_or("(name is not UTF-8)")
            };
            Failure::damaged(format_args!("the root {name} at {slot} points to {at}, {what}{before}"))
        } else {
            // SAFETY: the holder was checked.
            let info = crate::heap::object::model::info_of(unsafe { self.holder.load() });
            Failure::damaged(format_args!(
                "field {} of the object at {} ({}, kind {}, generation {}) points to {at}, {what}{before}",
                slot.0.wrapping_sub(self.holder.0) / WORD_BYTES,
                self.holder,
                info.name(),
                info.kind().map_or(0, Kind::number),
                self.generation
            ))
        };
        self.wrong.get_or_insert(failure);
    }
}

/// The end of the object that a stale reference led to, as far as it is known: the collection, 0 when it is unknown; the
/// object's place after it, or its death; and its name.
struct Before<'a> {
    collection: u64,
    to: Option<Addr>,
    name: Option<Shown<'a>>,
}

impl std::fmt::Display for Before<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.collection == 0 {
            return Ok(());
        }
        match self.to {
            Some(to) => write!(out, "; collection {} moved an object from there to {to}", self.collection)?,
            None => write!(
                out,
                "; collection {} found an object there that nothing known referred to",
                self.collection
            )?,
        }
        if let Some(name) = &self.name {
            write!(out, " ({name})")?;
        }
        out.write_str(": was it in no root?")
    }
}

impl SlotSink for Walk<'_> {
    fn name(&mut self, name: *const std::ffi::c_char) {
        self.root_name = name;
    }

    fn weak(&mut self, weak: Addr) -> bool {
        match self.weaks.generation(weak) {
            Some(listed) => {
                self.listed = Some(listed);
                for slot in Weak(weak).slots() {
                    self.pointer(slot);
                }
                self.listed = None;
            }
            None => self.complain(weak, weak, "a weak pointer that is in no list"),
        }
        true
    }

    fn weak_elements(&mut self, array: Addr, info: &Info) -> bool {
        // SAFETY: the holder was checked.
        if unsafe { WeakArray(array).is_listed() } {
            self.wrong.get_or_insert(Failure::damaged(format_args!(
                "the weak array at {array} ({}) has a word of the collector's that is not 0 between collections",
                info.name()
            )));
        }
        each_element(WeakArray(array), info, self);
        true
    }

    fn pointer(&mut self, slot: Addr) {
        // SAFETY: slots come from roots and from fields of checked objects.
        let word = unsafe { slot.load() };
        self.look(slot, word & !HEADER_BITS);
    }

    fn tagged(&mut self, slot: Addr) {
        // SAFETY: as above.
        let word = unsafe { slot.load() };
        self.look(slot, self.model.tags.address(word));
    }
}
