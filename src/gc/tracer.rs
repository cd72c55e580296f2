//! The state of one collector thread during one collection.

use super::copies::{Copies, Crowd};
use super::desk::Desk;
use super::gaps::Segments;
use super::marks::Marks;
use super::observer::Observer;
use super::static_lists::StaticLists;
use crate::heap::object::weak_array::WeakArrayList;
use crate::heap::space::generation::{Code, Place};
use crate::heap::space::remember::EntryList;
use crate::heap::{Model, Store};
use crate::megablock::Codes;

/// The record of a field of an old object that still points to a younger one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Notes {
    /// The field is remembered.
    Slots,
    /// The field is one that was remembered: it is remembered again, once [gc.remember.once].
    Again,
    /// Only the fact is kept, in `saw_younger`.
    Fact,
}

pub(super) struct Tracer<'a, C: Codes, O: Observer> {
    pub store: &'a mut Store,
    pub observer: &'a mut O,
    pub codes: C,
    pub model: Model,
    /// The highest place of the generations that are collected.
    pub last: Place,
    pub desk: &'a mut Desk,
    /// The objects in gaps that were left, which are not scavenged yet.
    pub segments: Segments,
    /// Generation of the object whose fields are looked at; 0 for roots.
    pub owner: u8,
    /// The youngest generation in which the owner wants the objects of its fields.
    pub desired: u8,
    pub notes: Notes,
    pub saw_younger: bool,
    /// The youngest generation that was seen when `saw_younger` was set.
    pub youngest: u8,
    /// Whether a field that leads to something younger was rewritten, which happens once in a collection.
    pub saw_moved: bool,
    /// Whether weak pointers with dead keys live on, since another phase of this collection judges them.
    pub keeps_weak: bool,
    /// Whether headers may say that the weak phase waits for their objects.
    pub awaiting: bool,
    /// Weak arrays that were met, and remembered elements of others: for the weak phase.
    pub weak_arrays: WeakArrayList,
    pub weak_slots: EntryList,
    /// Whether indirections that do not move stay as they are, since they form a loop.
    pub keeps_indirections: bool,
    pub statics: StaticLists,
    pub copied_words: u64,
    /// Objects without pointers that were copied.
    pub leaves_saved: usize,
    /// The part that other workers take in copying.
    pub crowd: Crowd,
    pub copies: Option<Box<Copies>>,
    /// The state of marking in place; `OFF` in a copying collection.
    pub marks: Marks,
}

impl<'a, C: Codes, O: Observer> Tracer<'a, C, O> {
    /// Begins a collection. Steps of generations that are not collected receive objects where they ended.
    pub(super) fn new(
        store: &'a mut Store,
        observer: &'a mut O,
        codes: C,
        oldest_collected: usize,
        promote_at_once: bool,
    ) -> Self {
        let model = store.model;
        let desk = Desk::laid(store, oldest_collected, promote_at_once);
        let segments = Segments::within(&store.mark_room);
        let mut tracer = Tracer {
            store,
            observer,
            codes,
            model,
            last: Place::new(oldest_collected, 7),
            desk,
            segments,
            owner: 0,
            desired: 0,
            notes: Notes::Slots,
            saw_younger: false,
            youngest: u8::MAX,
            saw_moved: false,
            keeps_weak: false,
            awaiting: false,
            weak_arrays: WeakArrayList::EMPTY,
            weak_slots: EntryList::EMPTY,
            keeps_indirections: false,
            statics: StaticLists::new(false),
            copied_words: 0,
            leaves_saved: 0,
            crowd: Crowd::ALONE,
            copies: None,
            marks: Marks::OFF,
        };
        tracer.statics.follows =
            oldest_collected == tracer.store.oldest() && !tracer.store.statics.is_empty();
        tracer
    }

    /// The code of blocks that receive objects of a place.
    #[inline]
    pub(super) fn receiving(&self, place: Place, code: Code) -> Code {
        if place <= self.last { code.saved() } else { code }
    }
}
