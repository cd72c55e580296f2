//! Looks for references that no table tells of: words of objects that are plain, and hold an address from which the
//! collection that is just over has moved an object, or at which there is no object any more.
//!
//! A number can look so by chance, so this is a check that is asked for by name (`-DL`).

use super::moves::Batch;
use super::objects::Objects;
use crate::base::size::WORD_BYTES;
use crate::base::{Addr, Failure, Outcome};
use crate::heap::object::info::Info;
use crate::heap::object::kind::Kinds;
use crate::heap::object::model::{HEADER_BITS, info_of};
use crate::heap::object::slots::Each;
use crate::heap::object::weak::Weak;
use crate::heap::space::generation::Code;
use crate::heap::{Mutator, Store};

/// The most words of an object that are looked at: a bit for each.
const MOST_WORDS: usize = 4096;

/// Runs directly after a collection, when the nursery is empty.
pub(crate) fn check(store: &mut Store, mutator: &mut Mutator, last: &Batch) -> Outcome<()> {
    let objects = Objects::find(store, mutator)?;
    for object in objects.starts.iter() {
        // SAFETY: `Objects::find` has checked the object.
        let header = unsafe { object.load() };
        let info = info_of(header);
        // A weak pointer that is dead keeps its words, which are the library's own.
        if info.is_in(Kinds::PLAIN) && planted!(624, true, Weak::state_of(header).is_none()) {
            look_at(store, last, &objects, object, info)?;
        }
    }
    Ok(())
}

struct Told {
    object: Addr,
    bits: [u64; MOST_WORDS / 64],
}

impl Told {
    /// A client that keeps its references in a way of its own hands in words that lie elsewhere.
    fn note(&mut self, slot: Addr) {
        let object = self.object;
        let word = planted!(623, slot.words_since(object), slot.0.wrapping_sub(object.0) / WORD_BYTES);
        if word < MOST_WORDS {
            self.bits[word / 64] |= 1 << (word % 64);
        }
    }
}

fn look_at(store: &Store, last: &Batch, objects: &Objects, object: Addr, info: &Info) -> Outcome<()> {
    let mut told = Told { object, bits: [0; MOST_WORDS / 64] };
    // SAFETY: `Objects::find` has checked the object.
    let words = unsafe {
        store.model.each_slot(object, info, &mut Each(&mut |slot, _| told.note(slot)));
        store.model.size(object, info)
    };
    for word in 1..words.min(MOST_WORDS) {
        if told.bits[word / 64] >> (word % 64) & 1 != 0 {
            continue;
        }
        // SAFETY: the word lies in the object.
        let value = unsafe { object.plus_words(word).load() };
        let at = Addr(value & !HEADER_BITS);
        let moved = last.from(at);
        if moved.is_some() || is_left(store, objects, at) {
            let to = moved.map_or(Addr::NULL, |one| one.to);
            return Err(Failure::damaged(format_args!(
                "word {word} of the object at {object} ({}) is no pointer by its table, and holds {at}, where collection \
                 {} {}{}: is the table wrong?",
                info.name(),
                last.collection,
                if moved.is_some() { "found an object that it moved to " } else { "left no object" },
                if moved.is_some() {
                    crate::base::Sentence::new(format_args!("{to}"))
                } else {
                    crate::base::Sentence::EMPTY
                },
            )));
        }
    }
    Ok(())
}

/// Whether there was an object, most likely, and is none: in the nursery, which is empty, or in free memory.
fn is_left(store: &Store, objects: &Objects, at: Addr) -> bool {
    if at.is_null() || !at.is_aligned(WORD_BYTES) {
        return false;
    }
    let code = Code(store.codes.at(at.0));
    if code.is_none() {
        return !store.codes.span(at).is_null();
    }
    // Addresses inside objects that never move may be kept as numbers.
    !code.is_fixed() && !objects.has(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_behind_the_last_that_is_looked_at_are_not_noted() {
        let object = Addr(1 << 20);
        let mut told = Told { object, bits: [0; MOST_WORDS / 64] };
        [1, MOST_WORDS - 1, MOST_WORDS, MOST_WORDS + 1]
            .iter()
            .for_each(|&word| told.note(object.plus_words(word)));
        assert_eq!((told.bits[0], told.bits[MOST_WORDS / 64 - 1]), (2, 1 << 63));
        assert_eq!(told.bits.iter().map(|bits| bits.count_ones()).sum::<u32>(), 2);
    }
}
