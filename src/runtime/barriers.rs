//! `-DB`: stores without the write barrier, found whatever was stored.
//!
//! After each collection the words of all objects are copied. Barriers come out of line in this mode, as they do for heaps in
//! chunks, so that each one is noted. Before the next collection a field that has changed, and that no barrier told of, is a
//! store without one: the object has been through a collection, so it may be old.

use crate::base::size::WORD_BYTES;
use crate::base::{Addr, Failure, List, Outcome, sort};
use crate::gc::objects::Objects;
use crate::heap::object::info::Info;
use crate::heap::object::kind::Kinds;
use crate::heap::object::model::{HEADER_BITS, HEADER_RECORDED, info_of};
use crate::heap::object::slots::Each;
use crate::heap::space::generation::Code;
use crate::heap::{Mutator, Store};
use crate::runtime::Runtime;

/// An object after the last collection.
#[derive(Clone, Copy)]
struct Copied {
    at: Addr,
    /// The position of its words among all that were copied.
    first: usize,
}

/// The copies, and the barriers since.
#[derive(Default)]
pub(crate) struct Barriers {
    objects: List<Copied>,
    words: List<usize>,
    /// Slots and objects that barriers told of.
    told: List<Addr>,
    /// Whether a barrier could not be noted: then nothing is known until the next collection.
    missed: bool,
}

impl Barriers {
    fn clear(&mut self) {
        self.objects.clear();
        self.words.clear();
        self.told.clear();
        self.missed = false;
    }
}

impl Runtime {
    /// Notes a barrier for a slot, or for all slots of an object.
    #[inline]
    pub(crate) fn barrier_told(&mut self, at: Addr) {
        if self.flags.barriers && self.checking.barriers.told.push(at).is_err() {
            self.checking.barriers.missed = true;
        }
    }

    /// Forgets the copies, since objects have moved and the client has not run.
    pub(crate) fn forget_copies(&mut self) {
        self.checking.barriers.clear();
    }

    /// Copies all objects after a collection. Without memory for it, the next stores are not checked.
    pub(crate) fn copy_for_barriers(&mut self, mutator: &mut Mutator) {
        if !self.flags.barriers {
            return;
        }
        self.checking.barriers.clear();
        if self.try_copy(mutator).is_err() {
            self.checking.barriers.clear();
        }
    }

    fn try_copy(&mut self, mutator: &mut Mutator) -> Outcome<()> {
        self.close_for_walk(mutator)?;
        let objects = self.busy.mark().during(|| Objects::find(&self.store, mutator))?;
        let barriers = &mut self.checking.barriers;
        barriers.objects.reserve(objects.starts.len())?;
        for at in objects.starts.iter() {
            // SAFETY: the walk has found an object here.
            let words = unsafe {
                let size = self.busy.mark().words_of(&self.store.model, at, info_of(at.load()));
                std::slice::from_raw_parts(at.as_ptr::<usize>(), size)
            };
            let _ = barriers.objects.push_within(Copied { at, first: barriers.words.len() });
            barriers.words.append(words)?;
        }
        Ok(())
    }

    /// Brings the ends of areas up to date, up to which a walk looks.
    pub(crate) fn close_for_walk(&mut self, mutator: &mut Mutator) -> Outcome<()> {
        self.store.close_stack(mutator)?;
        self.store.close_nursery(mutator);
        mutator.pool.close();
        Ok(())
    }

    /// Looks for fields that changed since the last collection without a barrier.
    pub(crate) fn check_barriers(&mut self) -> Outcome<()> {
        if !self.flags.barriers || self.checking.barriers.missed {
            return Ok(());
        }
        let mut told = std::mem::take(&mut self.checking.barriers.told);
        sort::sort(&mut told);
        // The client names the fields of its own kinds.
        let outcome = planted!(600, self.compare(&told), self.busy.mark().during(|| self.compare(&told)));
        self.checking.barriers.told = told;
        outcome
    }

    fn compare(&self, told: &[Addr]) -> Outcome<()> {
        let barriers = &self.checking.barriers;
        let ends = barriers.objects.iter().skip(1).map(|next| next.first).chain([barriers.words.len()]);
        for (copied, end) in barriers.objects.iter().zip(ends) {
            let was = barriers.words[copied.first];
            // SAFETY: the object was here after the last collection, and no memory is taken from objects between two.
            let header = unsafe { copied.at.load() };
            let info = info_of(was);
            // An object of another kind was changed by a call. Objects that are recorded need no barriers, and stacks have none.
            if (header ^ was) & !HEADER_BITS != 0
                || header & HEADER_RECORDED != 0
                || info.is_in(Kinds::OWN_CALL)
                || told.binary_search(&copied.at).is_ok()
            {
                continue;
            }
            let words = &barriers.words[copied.first..end];
            let mut changed = Changed { store: &self.store, at: copied.at, words, told, found: None };
            // SAFETY: as above; the kind and with it the layout are those of the copy.
            unsafe {
                self.store.model.each_slot(
                    copied.at,
                    info,
                    &mut Each(&mut |slot, is_tagged| changed.meet(slot, is_tagged)),
                )
            };
            if let Some(slot) = changed.found {
                return Err(self.missing_barrier(copied, slot, info));
            }
        }
        Ok(())
    }

    fn missing_barrier(&self, copied: &Copied, slot: Addr, info: &Info) -> Failure {
        let index = slot.words_since(copied.at);
        // SAFETY: the slot is a word of the object.
        let now = unsafe { slot.load() };
        Failure::damaged(format_args!(
            "field {index} of the object at {} ({}, kind {}, generation {}) was changed from {:#x} to {now:#x} after collection {}, and nothing told of the store: a write barrier is missing",
            copied.at,
            info.name(),
            info.kind,
            Code(self.store.codes.at(copied.at.0)).generation(),
            self.checking.barriers.words[copied.first + index],
            self.stats.collections,
        ))
    }
}

/// Finds the first slot of an object that leads to another object of the heap than it did.
struct Changed<'a> {
    store: &'a Store,
    at: Addr,
    words: &'a [usize],
    told: &'a [Addr],
    found: Option<Addr>,
}

impl Changed<'_> {
    /// A word that leads to no object needs no barrier, and clients leave it out for numbers and NULL.
    fn meet(&mut self, slot: Addr, is_tagged: bool) {
        let tags = self.store.model.tags;
        let address = |word| if is_tagged { tags.address(word) } else { word & !HEADER_BITS };
        let at = self.at;
        let index = planted!(621, slot.words_since(at), slot.0.wrapping_sub(at.0) / WORD_BYTES);
        // SAFETY: slots are words of the object, or of the client's function that visits it.
        let now = unsafe { slot.load() };
        // A client that keeps its references in a way of its own hands in words that lie elsewhere. A length that grew would lead
        // behind the copy.
        let was = self.words.get(index).copied().unwrap_or(now);
        if now != was
            && self.found.is_none()
            && self.store.holds(Addr(address(now)))
            && self.told.binary_search(&slot).is_err()
        {
            self.found = Some(slot);
        }
    }
}
