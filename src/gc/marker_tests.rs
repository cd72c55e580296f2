//! One worker that marks, and that has no room for what it meets.

use super::*;
use crate::base::flag::Flags;
use crate::heap::{Store, Tags};
use crate::megablock::AnyCodes;
use crate::os::limits::limits;

static CELL: Info = Info::plain(Kind::Constr, 1, 1);

/// The list that a worker without a packet leaves when it meets an object with these bits in its header, twice.
fn left_of<C: Codes>(codes: C, store: &mut Store, bits: usize, leaves: bool) -> Vec<&'static str> {
    let code = Code::moving(Place::new(1, 0)).saved();
    let group = store.blocks.alloc_group(1).unwrap();
    store.codes.set(group.start(), 1, code.0);
    let object = group.start().plus_words(64);
    // SAFETY: the words lie in the group.
    unsafe { object.store(&raw const CELL as usize | bits) };
    let work = Work::new(1, Packets::with_room(1).unwrap(), Packets::with_room(1).unwrap());
    let known = Known {
        codes,
        model: store.model,
        code,
        last: Place::new(1, 0),
        between: 7,
        leaves,
        statics: None,
        work: &work,
        slices: None,
        told: None,
        eager: false,
    };
    let mut aside = Aside::new(false).unwrap();
    let mut marker = Marker::new(known, &mut aside);
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

/// An object is marked without its fields, and whoever looks through its group is told; for a recorded one that stays where it is,
/// somebody else is.
#[test]
fn what_finds_no_packet_is_left() {
    for line in ["--source=range -xr1g", "--source=chunks"] {
        let flags = Flags::parse(line).unwrap();
        let mut store = Store::new(&flags, &limits(), Tags::checked(0, 0, 0, 8).unwrap(), 8).unwrap();
        let mut look = |bits, leaves| match store.codes {
            AnyCodes::Range(codes) => left_of(codes, &mut store, bits, leaves),
            AnyCodes::Chunks(codes) => left_of(codes, &mut store, bits, leaves),
        };
        assert_eq!(look(HEADER_RECORDED, true), ["special", "unseen"]);
        assert_eq!(look(HEADER_RECORDED, false), ["unseen"]);
        assert_eq!(look(0, true), ["unseen"]);
        assert_eq!(look(0, false), ["unseen"]);
    }
}
