//! One worker that copies: its copies of objects, and what it leaves.

use super::*;
use crate::base::flag::Flags;
use crate::gc::hand::ENOUGH;
use crate::gc::meets::copy_fields;
use crate::gc::static_lists::StaticLists;
use crate::heap::object::info::{Custom, ReferenceTable};
use crate::heap::object::own;
use crate::heap::object::statics::Statics;
use crate::heap::space::gaps::Making;
use crate::heap::{Store, Tags};
use crate::os::limits::limits;

const PLACE: Place = Place::new(1, 0);

/// A worker that has nothing yet, and for which this many words of room are held in a heap of one megablock.
fn with_copier(words: usize, look: impl FnOnce(&mut Copier<'_>)) {
    with_statics(words, None, look);
}

/// As `with_copier`, in a collection that has met these statics.
fn with_statics(words: usize, statics: Option<Seen<'_>>, look: impl FnOnce(&mut Copier<'_>)) {
    let flags = Flags::parse("").unwrap();
    let mut store = Store::new(&flags, &limits(), Tags::checked(0, 0, 0, 8).unwrap(), 8).unwrap();
    store.blocks.set_ceiling(1);
    store.blocks.keep_back(words, 1).unwrap();
    let mut hand = Hand::empty();
    hand.get_room(false).unwrap();
    let work = Work::new(1, Ranges::with_room(1).unwrap(), Ranges::with_room(1).unwrap());
    let Store { blocks, gaps, codes, model, .. } = &mut store;
    let (codes, last, mut there) = (*codes, Place::NURSERY, [0; PLACES]);
    let making = Making { all: false, poisons: false };
    let supply = Supply { blocks, gaps, codes, last, gap_place: None, making, there: &mut there };
    let known = Known {
        codes,
        model: *model,
        last,
        onward: &[PLACE; PLACES],
        places: &[PLACE],
        work: &work,
        supply: Mutex::new(supply),
        first: First::Nothing,
        statics,
        told: None,
        eager: false,
    };
    look(&mut Copier::new(&known, &mut hand));
}

/// The word behind a copy may be the header of an object that lives.
#[test]
fn a_copy_has_as_many_words_as_its_object() {
    let from: [usize; 40] = std::array::from_fn(|i| 100 + i);
    for words in 2..=36 {
        for are_rounded in [false, true] {
            let mut to = [0; 40];
            let (from, start) = (Addr(from.as_ptr() as usize), Addr(to.as_mut_ptr() as usize));
            // SAFETY: so many words lie there, and here.
            unsafe { copy_fields(from, start, words, are_rounded) };
            let copied = |i| if (1..words).contains(&i) { 100 + i } else { 0 };
            assert_eq!(to, std::array::from_fn(copied), "{words} {are_rounded}");
        }
    }
}

#[test]
fn room_is_there_until_it_is_used_up() {
    with_copier(5000, |copier| {
        copier.left = 100;
        let first = copier.room(PLACE, 10, false).expect("room was held");
        assert_eq!(copier.room(PLACE, 10, false), Some(first.plus_words(10)));
        assert!(copier.room(PLACE, 10, true).is_some_and(|leaf| leaf != first.plus_words(20)));
        for _ in 0..5000 / 10 - 3 {
            assert!(copier.room(PLACE, 10, false).is_some());
        }
        assert_eq!((copier.is_out, copier.left), (false, 100));
        while copier.room(PLACE, 10, false).is_some() {}
        assert_eq!((copier.is_out, copier.left), (true, 0));
    });
}

#[test]
fn a_worker_stops_when_it_has_left_enough() {
    with_copier(0, |copier| {
        copier.left = 100;
        (1..ENOUGH).for_each(|i| copier.leave(Addr(8 * i), left::TAGGED));
        assert_eq!(copier.left, 100);
        copier.leave(Addr(8 * ENOUGH), left::TAGGED);
        assert_eq!((copier.left, copier.hand.left.len()), (0, ENOUGH));
    });
}

/// Functions of the client's, which tell size and fields, are called by one thread.
#[test]
fn objects_of_the_client_are_left_with_the_rest() {
    unsafe extern "C" fn called(_: *const std::ffi::c_void) -> usize {
        std::process::abort()
    }
    let custom = Custom {
        size: size_of::<Custom>() as u32,
        reserved: 0,
        object_words: Some(called),
        visit: None,
        moved: None,
        shortcut: None,
    };
    let its_own = Info { custom: &raw const custom, ..Info::plain(Kind::Custom, 0, 0) };
    let weak = own::WEAK.address().0;
    let memory = [weak, 0, 0, 0, 0, 0, 0, &raw const its_own as usize, 0];
    let at = |word: usize| Addr(memory.as_ptr() as usize).plus_words(word);
    with_copier(0, |copier| {
        let end = at(memory.len());
        assert_eq!(copier.scan_unusual(at(0), end, weak, info_of(weak)), at(7));
        assert_eq!((copier.hand.left.pop(), copier.hand.rests.len()), (Some(at(0).0 | left::FIELDS), 0));
        assert_eq!(copier.scan_unusual(at(7), end, memory[7], &its_own), end);
        let rest = copier.hand.rests.pop().map(|rest| (rest.start, rest.end));
        assert_eq!((rest, copier.hand.left.len()), (Some((at(7), end)), 0));
    });
}

/// The thread that collects records an object again whose fields were left to it, because code of its table mentions statics.
#[test]
fn an_object_is_recorded_by_the_one_who_looks_at_it_last() {
    let (lists, statics) = (StaticLists::new(true), Statics::new());
    let table = ReferenceTable { size: 0, count: 0, statics: std::ptr::null() };
    let mentions = Info { srt: &raw const table, ..Info::plain(Kind::Thunk, 0, 1) };
    let header = (&raw const mentions as usize) | HEADER_RECORDED;
    let memory = [header, 0, 0];
    let at = Addr(memory.as_ptr() as usize);
    for (seen, left, entries) in [(lists.seen(&statics), 1, 0), (None, 0, 1)] {
        with_statics(0, seen, |copier| {
            copier.owner = 1;
            assert_eq!(copier.scan_unusual(at, at.plus_words(3), header, &mentions), at.plus_words(3));
            assert_eq!((copier.hand.left.len(), copier.hand.entries.len()), (left, entries));
        });
    }
}
