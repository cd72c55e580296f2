//! The second opinion: walks the whole heap and checks what every collection relies on.
//!
//! Every object is well-formed; every pointer, roots included, leads to the start of an object; every pointer from an
//! older generation to a younger one is remembered; codes, step figures and blocks add up.

use super::moves::{Batch, Move, Moves};
use super::weak_check::ListedWeaks;
use crate::base::size::*;
use crate::base::{Addr, Failure, List, Outcome};
use crate::block::descriptor::flag;
use crate::block::{Block, Chain};
use crate::heap::array::{Array, has_cards};
use crate::heap::each_root::each_root;
use crate::heap::info::{Info, Kind};
use crate::heap::model::{HEADER_BITS, HEADER_FORWARDED, SlotSink};
use crate::heap::nursery::POISON;
use crate::heap::pinned::PinnedBlock;
use crate::heap::remember::{Entry, Remembered};
use crate::heap::root::Visitor;
use crate::heap::space::{Code, Place};
use crate::heap::stack::{Stack, is_frame};
use crate::heap::weak::Weak;
use crate::heap::weak_array::{WeakArray, each_element};
use crate::heap::{Model, Mutator, Store};
use crate::os::debugger;

/// What the walk found, when nothing was wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    pub objects: usize,
    pub words: usize,
    pub slots: usize,
}

/// Checks everything. The heap must have no slop: directly after a major collection, or in checking mode.
pub fn check(
    store: &mut Store,
    mutator: &mut Mutator,
    get_roots: &mut dyn FnMut(&mut Visitor),
    moves: Option<&Moves>,
) -> Outcome<Census> {
    store.close_stack(mutator)?;
    store.close_nursery(mutator);
    mutator.pool.close();
    store.blocks.audit()?;
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
        holder: Addr::NULL,
        root_name: std::ptr::null(),
        generation: 0,
        listed: None,
        slots: 0,
        wrong: None,
    };
    for &object in objects.starts.iter() {
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

/// Every object by walking blocks from their start.
pub struct Objects {
    /// Sorted.
    pub starts: List<Addr>,
    pub words: usize,
    /// Tables that can be read, by a few bits of their addresses.
    readable: [usize; 64],
}

impl Objects {
    pub fn find(store: &Store, mutator: &Mutator) -> Outcome<Objects> {
        let mut found = Objects { starts: List::new(), words: 0, readable: [0; 64] };
        for chunk in mutator.nursery.chunks() {
            found.add_group(store, chunk, Place::NURSERY)?;
        }
        found.add_chain(store, &mutator.pool.blocks, Place::NURSERY)?;
        for (number, generation) in store.all_generations().iter().enumerate() {
            for (step_number, step) in generation.live_steps().iter().enumerate() {
                let place = Place::new(number, step_number);
                let before = found.words;
                found.add_chain(store, &step.blocks, place)?;
                let held: usize = step.blocks.iter().map(|group| group.words_free_to()).sum();
                if held != step.live_words {
                    return Err(Failure::damaged(format_args!(
                        "step {step_number} of generation {number} holds {held} words in its blocks and counts {}",
                        step.live_words
                    )));
                }
                debug_assert!(found.words - before <= held);
                for group in step.large.iter() {
                    found.add_fixed(store, group, place)?;
                }
            }
        }
        found.starts.sort_unstable();
        Ok(found)
    }

    fn add_chain(&mut self, store: &Store, chain: &Chain, place: Place) -> Outcome<()> {
        let mut blocks = 0;
        for group in chain.iter() {
            blocks += group.blocks();
            self.add_group(store, group, place)?;
        }
        if blocks != chain.blocks {
            return Err(Failure::damaged(format_args!(
                "a list of generation {} has {blocks} blocks and counts {}",
                place.generation(),
                chain.blocks
            )));
        }
        Ok(())
    }

    fn add_group(&mut self, store: &Store, group: Block, place: Place) -> Outcome<()> {
        check_code(store, group, Code::moving(place))?;
        let mut at = group.start();
        let end = group.fields().free;
        while at < end {
            // SAFETY: words up to `free` are readable.
            if unsafe { at.load() } == 0 {
                at = at.plus_words(1);
                continue;
            }
            let words = self.add_object(store, at)?;
            if words > LARGE_OBJECT_WORDS {
                return Err(Failure::damaged(format_args!(
                    "the object at {at} has {words} words; one of more than {LARGE_OBJECT_WORDS} is made by \
                     barrow_alloc or barrow_allocate, not by barrow_bump"
                )));
            }
            at = at.plus_words(words);
            if at > end {
                return Err(Failure::damaged(format_args!(
                    "an object of {words} words in generation {} ends at {at}, behind the end {end} of its block",
                    place.generation()
                )));
            }
        }
        Ok(())
    }

    fn add_fixed(&mut self, store: &Store, group: Block, place: Place) -> Outcome<()> {
        check_code(store, group, Code::fixed(place))?;
        if group.has(flag::PINNED) {
            let mut outcome = Ok(());
            PinnedBlock(group).each_object(|object| {
                if outcome.is_ok() {
                    outcome = self.add_object(store, object).map(|_| ());
                }
            });
            return outcome;
        }
        // SAFETY: a large group is readable; a header of zero was not filled yet.
        if unsafe { group.object().load() } != 0 {
            let words = self.add_object(store, group.object())?;
            if group.object().plus_words(words) > group.end() {
                return Err(Failure::damaged(format_args!(
                    "a large object of {words} words at {} is larger than its group",
                    group.object()
                )));
            }
        }
        Ok(())
    }

    fn add_object(&mut self, store: &Store, at: Addr) -> Outcome<usize> {
        // SAFETY: the callers hand in readable words.
        let header = unsafe { at.load() };
        if header == POISON {
            return Err(Failure::damaged(format_args!(
                "at {at} there is freed memory instead of an object: was more taken than was filled before this safepoint?"
            )));
        }
        if header & HEADER_FORWARDED != 0 {
            return Err(Failure::damaged(format_args!("the object at {at} was moved and is still here")));
        }
        if !self.can_read(header & !HEADER_BITS) {
            return Err(Failure::damaged(format_args!(
                "the object at {at} has no good info table: {header:#x} is no address; does the table of the object before it, or of this one, give another size than was filled?"
            )));
        }
        // SAFETY: a header is the address of an info table; if it is not, this is where it shows.
        let info = unsafe { Info::check(Addr(header & !HEADER_BITS)) }.map_err(|failure| {
            Failure::damaged(format_args!("the object at {at} has no good info table: {}", failure.sentence))
        })?;
        // SAFETY: as above.
        let words = unsafe { store.model.size(at, info) };
        if words > MAX_OBJECT_WORDS {
            return Err(Failure::damaged(format_args!(
                "the object at {at} ({}) says that it has {words} words",
                info.name()
            )));
        }
        if info.kind == Kind::Stack as u8 {
            Stack(at).check()?;
        } else if is_frame(info.kind) {
            return Err(Failure::damaged(format_args!(
                "the object at {at} has the table of a frame ({}), and frames lie in stacks",
                info.name()
            )));
        }
        self.starts.push(at)?;
        self.words += words;
        Ok(words)
    }

    /// Whether an info table may lie at an address. One system call for each table.
    fn can_read(&mut self, table: usize) -> bool {
        let place = (table >> 3) % self.readable.len();
        if self.readable[place] == table {
            return true;
        }
        let is_readable =
            debugger::is_readable(table) && debugger::is_readable(table + size_of::<Info>() - WORD_BYTES);
        if is_readable {
            self.readable[place] = table;
        }
        is_readable
    }

    pub fn has(&self, at: Addr) -> bool {
        self.starts.binary_search(&at).is_ok()
    }
}

fn check_code(store: &Store, group: Block, code: Code) -> Outcome<()> {
    let blocks = group.blocks();
    for i in 0..blocks {
        let at = group.start().plus_bytes(i * BLOCK_BYTES);
        let found = Code(store.codes.at(at.0));
        if found != code {
            return Err(Failure::damaged(format_args!(
                "block {at} has code {} instead of {} (generation {}, step {})",
                found.0,
                code.0,
                code.generation(),
                code.place().step()
            )));
        }
    }
    Ok(())
}

/// Everything that is remembered, sorted.
struct RememberedSet {
    slots: List<Addr>,
    objects: List<Addr>,
    forgot: bool,
}

impl RememberedSet {
    fn find(store: &mut Store, mutator: &mut Mutator) -> Outcome<RememberedSet> {
        let mut set = RememberedSet { slots: List::new(), objects: List::new(), forgot: false };
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
            if let Err(failure) = list.push(entry.at()) {
                outcome = Err(failure);
            }
        };
        mutator.buffers.for_each(&mut mutator.window, &mut add);
        for generation in &mut store.generations {
            generation.remembered.for_each(&mut add);
        }
        outcome?;
        set.forgot = store.generations.iter().any(|g| g.forgot);
        set.slots.sort_unstable();
        set.objects.sort_unstable();
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
    /// The object whose fields are looked at; null for roots.
    holder: Addr,
    /// What the client calls the roots that are looked at.
    root_name: *const std::ffi::c_char,
    generation: u8,
    /// The generation that the weak pointer which is looked at is listed with.
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
            let info = crate::heap::model::info_of(object.load());
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

    /// Values of CAFs: what is younger than the oldest generation must be remembered, except where a CAF is a root.
    fn look_at_cafs(&mut self) {
        let store = self.store;
        for caf in store.statics.cafs.iter() {
            self.holder = caf.at;
            self.generation = if caf.keep { 0 } else { store.oldest() as u8 };
            // SAFETY: a listed CAF is a static of the client, with four words.
            let (info, link) = unsafe {
                let info = crate::heap::model::info_of(caf.at.load());
                (info, caf.at.plus_words(crate::heap::lazy::CAF_LINK).load())
            };
            if info.kind != Kind::IndStatic as u8 || link != 0 {
                self.wrong.get_or_insert(Failure::damaged(format_args!(
                    "the CAF at {} ({}) was entered, and has kind {} and link {link:#x} between collections",
                    caf.at,
                    info.name(),
                    info.kind
                )));
                return;
            }
            self.pointer(caf.at.plus_words(crate::heap::lazy::CAF_VALUE));
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
            // Statics and foreign memory are left alone; free memory of ours is not.
            if !self.store.codes.span(at).is_null() {
                self.complain(slot, at, "which is free memory of this heap");
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
        } else if code.generation() < self.generation && !self.is_remembered(slot) {
            self.complain(
                slot,
                at,
                "which is younger, and this is not remembered: a write barrier is missing",
            );
        }
    }

    fn is_remembered(&self, slot: Addr) -> bool {
        if self.remembered.forgot
            || self.remembered.slots.binary_search(&slot).is_ok()
            || self.remembered.objects.binary_search(&self.holder).is_ok()
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
                *array.card(index >> LOG_CARD_ELEMENTS) != 0
            }
        }
    }

    fn complain(&mut self, slot: Addr, at: Addr, what: &str) {
        let before = Before(self.moves.and_then(|moves| moves.from(at)));
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
            let info = crate::heap::model::info_of(unsafe { self.holder.load() });
            Failure::damaged(format_args!(
                "field {} of the object at {} ({}, kind {}, generation {}) points to {at}, {what}{before}",
                slot.words_since(self.holder),
                self.holder,
                info.name(),
                Kind::from_number(info.kind).map_or(0, |kind| kind as u8),
                self.generation
            ))
        };
        self.wrong.get_or_insert(failure);
    }
}

/// What a stale reference led to, when that is known.
struct Before<'a>(Option<(&'a Batch, Move)>);

impl std::fmt::Display for Before<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some((batch, one)) => write!(
                out,
                "; collection {} moved an object from there to {}: was it in no root?",
                batch.collection, one.to
            ),
            None => Ok(()),
        }
    }
}

impl SlotSink for Walk<'_> {
    fn name(&mut self, name: *const std::ffi::c_char) {
        self.root_name = name;
    }

    fn weak(&mut self, weak: Addr) {
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
    }

    fn weak_elements(&mut self, array: Addr, info: &Info) {
        // SAFETY: the holder was checked.
        if unsafe { WeakArray(array).is_listed() } {
            self.wrong.get_or_insert(Failure::damaged(format_args!(
                "the weak array at {array} ({}) has a word of the collector's that is not 0 between collections",
                info.name()
            )));
        }
        each_element(WeakArray(array), info, self);
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
