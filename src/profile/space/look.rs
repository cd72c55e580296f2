//! Walks over new objects, for the space profiler: they give objects their numbers, and count them by kind
//! before each collection, when all of them are whole [profile.space.walk].

use crate::base::Addr;
use crate::heap::object::kind::Kinds;
use crate::heap::object::model::{has_fixed_size, info_of};
use crate::heap::space::side::{self, Table};
use crate::heap::{Mutator, Store};
use crate::profile::space::kinds::Sort;
use crate::profile::space::ledger::Space;
use crate::runtime::Runtime;

/// Gives the objects in a part of the allocation area their maker's number.
pub(crate) fn stamp_part(rt: &Runtime, space: &mut Space, from: Addr, end: Addr, number: u32) {
    let mut objects = 0;
    each_object(rt, from, end, |at| {
        objects += 1;
        // SAFETY: an object of the heap.
        unsafe { side::set_number(Table::Producer, at, number) };
    });
    space.allocated(number, end.words_since(from), objects);
}

fn each_object(rt: &Runtime, from: Addr, end: Addr, mut visit: impl FnMut(Addr)) {
    let mut at = from;
    while at < end {
        // SAFETY: words up to `hp` are readable.
        let header = unsafe { at.load() };
        if header == 0 {
            at = at.plus_words(1);
            continue;
        }
        visit(at);
        let info = info_of(header);
        // SAFETY: a word that is not zero here is the header of an object [heap.inv.filled].
        at = at.plus_words(unsafe { rt.store.model.size(at, info) });
        if info.is_in(Kinds::BLACK) || info.is_in(Kinds::INDIRECTION) {
            at = planted!(565, at, rt.races.end_of_slop(at));
        }
    }
}

/// Objects of one table and one maker that were met in a walk and are not counted yet. They are all alike:
/// the size of such an object is in its table.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Alike {
    header: usize,
    number: u32,
    words: u32,
    objects: u64,
    sort: Sort,
}

const ALIKE: usize = 64;

/// A header that no table has: addresses of tables are even.
const NO_HEADER: usize = 1;

impl Alike {
    /// A free place: neither an object nor a word that was not filled has this header.
    const NONE: Alike = Alike {
        header: NO_HEADER,
        number: 0,
        words: 0,
        objects: 0,
        sort: Sort { column: 0, bytes: 0, overhead: 0 },
    };
}

/// Several counts at once, since objects that are made by turns are met by turns.
struct Met {
    alike: [Alike; ALIKE],
}

impl Met {
    fn new() -> Met {
        Met { alike: [Alike::NONE; ALIKE] }
    }

    #[inline(always)]
    fn place_of(header: usize, number: u32) -> usize {
        (header >> 4 ^ number as usize) % ALIKE
    }

    /// The place of objects of this table and maker, if they have one.
    #[inline(always)]
    fn find(&self, header: usize, number: u32) -> Option<usize> {
        let place = Met::place_of(header, number);
        let alike = &self.alike[place];
        (alike.header == header && alike.number == number).then_some(place)
    }

    /// Counts the object with this header at an address, and gives its size in words.
    ///
    /// # Safety
    /// A well-formed object lies there.
    #[inline(always)]
    unsafe fn meet(
        &mut self,
        store: &Store,
        space: &mut Space,
        at: Addr,
        header: usize,
        number: u32,
    ) -> usize {
        let alike = &mut self.alike[Met::place_of(header, number)];
        if alike.header == header && alike.number == number {
            alike.objects += 1;
            return alike.words as usize;
        }
        let info = info_of(header);
        // SAFETY: the caller's promise.
        let words = unsafe { store.model.size(at, info) };
        if !space.wants_kinds(number) {
            return words;
        }
        // SAFETY: the caller's promise.
        let sort = unsafe { space.columns.sort(at, words) };
        if has_fixed_size(info) {
            let full =
                std::mem::replace(alike, Alike { header, number, words: words as u32, objects: 1, sort });
            full.count(space);
        } else {
            space.made(number, sort, 1);
        }
        words
    }
}

impl Alike {
    fn count(&self, space: &mut Space) {
        if self.objects != 0 {
            space.made(self.number, self.sort, self.objects);
        }
    }
}

/// Counts by kind the objects made since the last walk or collection.
pub(crate) fn look_at_new(store: &Store, space: &mut Space, m: &Mutator) {
    let mut met = Met::new();
    for chunk in m.nursery.chunks() {
        let free = chunk.fields().free;
        if let Some(from) = space.walk_to(chunk, free) {
            look_at_part(store, space, &mut met, from, free);
        }
    }
    for index in 0..space.made_by_calls.len() {
        let (at, number) = space.made_by_calls[index];
        // SAFETY: the objects were made since the last collection, so they have not moved; a header of
        // zero means not filled yet.
        unsafe {
            let header = at.load();
            if header != 0 {
                met.meet(store, space, at, header, number);
            }
        }
    }
    space.made_by_calls.clear();
    for alike in &met.alike {
        alike.count(space);
    }
}

fn look_at_part(store: &Store, space: &mut Space, met: &mut Met, from: Addr, end: Addr) {
    let mut at = from;
    // SAFETY: the part is in a chunk of the nursery, which lies in one megablock.
    let Some(entries) = (unsafe { side::entries_of(Table::Producer, from) }) else { return };
    while at < end {
        // SAFETY: words up to `hp` are readable; a word that is not zero here is the header of an object
        // [heap.inv.filled]. The megablock has an entry for each of its places.
        unsafe {
            let header = at.load();
            if header == 0 {
                at = at.plus_words(1);
                continue;
            }
            let number = entries.number(at);
            at = at.plus_words(met.meet(store, space, at, header, number));
            if let Some(place) = met.find(header, number) {
                at = look_at_alike(met, entries, (at, end), place);
            }
        }
    }
}

/// Counts objects that follow each other and are like those at a place of the table, those of other makers
/// too as long as these were met before. Their common size is known in advance, so the next object's address
/// does not wait for the table. Objects of one maker are added up before they are written to the table.
///
/// # Safety
/// As in `look_at_part`: an object lies at `from`, if that is not the end.
#[inline(always)]
unsafe fn look_at_alike(
    met: &mut Met,
    entries: side::Entries,
    (from, end): (Addr, Addr),
    mut place: usize,
) -> Addr {
    let Alike { header, mut number, words, .. } = met.alike[place];
    let mut at = from;
    let mut objects = 0;
    // SAFETY: the caller's promise; behind an object of this size comes the next.
    unsafe {
        while at < end && at.load() == header {
            let next = entries.number(at);
            if next != number {
                let Some(other) = met.find(header, next) else { break };
                met.alike[place].objects += objects;
                (number, place, objects) = (next, other, 0);
            }
            objects += 1;
            at = at.plus_words(words as usize);
        }
    }
    met.alike[place].objects += objects;
    at
}
