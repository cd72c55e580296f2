//! One worker that marks: without room for what it meets, and beside another one that is faster.

use super::super::told::Telling;
use super::super::told::tests::Seen;
use super::*;
use crate::base::flag::Flags;
use crate::heap::space::side::Sides;
use crate::heap::{Store, Tags};
use crate::megablock::AnyCodes;
use crate::os::limits::limits;

static CELL: Info = Info::plain(Kind::Constr, 1, 1);

const CODE: Code = Code::moving(Place::new(1, 0)).saved();

/// An object with these bits in its header, alone in its block, whose fields are 0.
fn cell(store: &mut Store, bits: usize) -> Addr {
    let group = store.blocks.alloc_group(1).unwrap();
    store.codes.set(group.start(), 1, CODE.0);
    let object = group.start().plus_words(64);
    // SAFETY: the words lie in the group.
    unsafe {
        object.store(&raw const CELL as usize | bits);
        (1..3).for_each(|field| object.plus_words(field).store(0));
    }
    object
}

fn work_of_one() -> Work<Packets> {
    Work::new(1, Packets::with_room(1).unwrap(), Packets::with_room(1).unwrap())
}

fn known<'a, C: Codes>(codes: C, store: &Store, work: &'a Work<Packets>) -> Known<'a, C> {
    Known {
        codes,
        model: store.model,
        code: CODE,
        last: Place::new(1, 0),
        between: 7,
        leaves: false,
        statics: None,
        work,
        slices: None,
        told: None,
        eager: false,
    }
}

/// The list that a worker without a packet leaves when it meets an object with these bits in its header, twice.
fn left_of<C: Codes>(codes: C, store: &mut Store, bits: usize, leaves: bool) -> Vec<&'static str> {
    let object = cell(store, bits);
    let work = work_of_one();
    let mut aside = Aside::new(false).unwrap();
    let mut marker = Marker::new(Known { leaves, ..known(codes, store, &work) }, &mut aside);
    let slot = object.0;
    (0..2).for_each(|_| marker.pointer(Addr(&raw const slot as usize)));
    // SAFETY: the line is that of a block of the heap.
    assert_eq!(unsafe { (*codes.line(object.0)).live }, 7);
    let told = std::iter::from_fn(|| aside.pop()).map(|left| match left {
        Left::Unseen(at) if at == object => "unseen",
        Left::Special(at) if at == object => "special",
        _ => "another",
    });
    let mut told: Vec<&str> = told.collect();
    told.sort_unstable();
    told
}

/// How often a worker tells of an object whose bits it lets wait, when another one sets them meanwhile or nobody does.
fn told_of<C: Codes>(codes: C, store: &mut Store, is_others: bool) -> usize {
    let object = cell(store, 0);
    let work = work_of_one();
    let mut seen = Seen(Vec::new());
    let telling = Telling::new(Sides::BY_HEADERS, &mut seen);
    let mut aside = Aside::new(true).unwrap();
    let mut marker = Marker::new(Known { told: telling.told(), ..known(codes, store, &work) }, &mut aside);
    marker.mark(object, true);
    // SAFETY: the line is that of a block of the heap.
    let live = unsafe { live(codes.line(object.0)) };
    assert_eq!(live.load(Ordering::Relaxed), 0, "the bits wait");
    if is_others {
        set(live, 7 << bit(object));
    }
    marker.turn_to(std::ptr::null_mut());
    marker.end();
    assert_eq!(live.load(Ordering::Relaxed), 7 << bit(object));
    assert!(seen.0.iter().all(|&told| told == object.0));
    seen.0.len()
}

/// Runs a test in heaps whose codes lie in a range, and in chunks.
macro_rules! in_each_source {
    (|$codes:ident, $store:ident| $body:expr) => {
        for line in ["--source=range -xr1g", "--source=chunks"] {
            let flags = Flags::parse(line).unwrap();
            let mut store = Store::new(&flags, &limits(), Tags::checked(0, 0, 0, 8).unwrap(), 8).unwrap();
            let $store = &mut store;
            match $store.codes {
                AnyCodes::Range($codes) => $body,
                AnyCodes::Chunks($codes) => $body,
            }
        }
    };
}

/// An object is marked without its fields, and whoever looks through its group is told; for a recorded one that stays where it is,
/// somebody else is.
#[test]
fn what_finds_no_packet_is_left() {
    in_each_source!(|codes, store| {
        assert_eq!(left_of(codes, store, HEADER_RECORDED, true), ["special", "unseen"]);
        assert_eq!(left_of(codes, store, HEADER_RECORDED, false), ["unseen"]);
        assert_eq!(left_of(codes, store, 0, true), ["unseen"]);
        assert_eq!(left_of(codes, store, 0, false), ["unseen"]);
    });
}

#[test]
fn what_another_has_marked_it_tells() {
    in_each_source!(|codes, store| {
        assert_eq!(told_of(codes, store, false), 1);
        assert_eq!(told_of(codes, store, true), 0);
    });
}
