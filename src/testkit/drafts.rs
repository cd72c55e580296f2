//! The info tables of random programs, which are leaked: each thread has its own, since a static belongs to one heap,
//! and tables mention statics.

use super::draft::{Draft, MOST_STATICS, draft, make_info};
use super::frames::{Frame, make_frames};
use super::random::Random;
use super::shape::Shape;
use crate::base::Addr;
use crate::heap::object::info::*;
use crate::heap::object::own;
use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::CStr;

const DRAFTS: &[Draft] = &[
    draft(c"pair", Kind::Constr, 0, 2, 0),
    draft(c"leaf", Kind::Constr, 0, 0, 1),
    draft(c"one", Kind::Constr, 0, 1, 0),
    draft(c"record", Kind::Constr, 0, 3, 2),
    draft(c"mutable record", Kind::Constr, FLAG_MUTABLE, 2, 1),
    draft(c"huge record", Kind::Constr, FLAG_MUTABLE, 430, 3),
    draft(c"knows itself", Kind::Constr, FLAG_NOTIFY_MOVED, 1, 1).own(1),
    draft(c"variable", Kind::MutVar, 0, 1, 0),
    draft(c"variables", Kind::MutVar, 0, 2, 1),
    draft(c"huge variable", Kind::MutVar, 0, 420, 0),
    draft(c"bitmap", Kind::Bitmap, 0, 3, 2).bits(&[0b11010]),
    draft(c"mutable bitmap", Kind::Bitmap, FLAG_MUTABLE, 2, 1).bits(&[0b101]),
    draft(c"full bitmap", Kind::Bitmap, 0, 32, 32).bits(&[0x8421_f00f_5555_8001]),
    draft(c"constant large bitmap", Kind::BitmapLarge, 0, 10, 56).bits(&[0xf000_0000_0000_00f0, 3]),
    draft(c"large bitmap", Kind::BitmapLarge, FLAG_MUTABLE, 60, 41)
        .bits(&[0xffff_0000_aaaa_0001, 0x11_0000_ffff]),
    draft(c"huge bitmap", Kind::BitmapLarge, FLAG_MUTABLE, 400, 50).bits(&[
        0x8000_0000_0000_0001,
        0x0123_4567_89ab_cdef,
        0,
        usize::MAX,
        1,
        0x5555_5555_5555_5555,
        0xff00_ff00_ff00_ff00,
        3,
    ]),
    draft(c"tagged", Kind::Tagged, 0, 3, 1),
    draft(c"mutable tagged", Kind::Tagged, FLAG_MUTABLE, 8, 0),
    draft(c"huge tagged", Kind::Tagged, FLAG_MUTABLE, 440, 1),
    draft(c"sized plain", Kind::Sized, 0, 1, 2).field(2),
    draft(c"sized pointers", Kind::Sized, FLAG_TAIL_POINTERS | FLAG_MUTABLE, 1, 1).field(1),
    draft(c"sized tagged", Kind::Sized, FLAG_TAIL_TAGGED, 0, 2).field(0),
    draft(c"array", Kind::Array, 0, 0, 0),
    draft(c"tagged array", Kind::Array, FLAG_TAIL_TAGGED, 0, 0),
    draft(c"frozen array", Kind::ArrayFrozen, 0, 0, 0),
    draft(c"frozen tagged array", Kind::ArrayFrozen, FLAG_TAIL_TAGGED, 0, 0),
    draft(c"structs", Kind::Structs, 0, 0, 3).bits(&[0b101]),
    draft(c"mutable structs", Kind::Structs, FLAG_MUTABLE, 0, 2).bits(&[0b10]),
    draft(c"weak array", Kind::WeakArray, 0, 0, 0),
    draft(c"tagged weak array", Kind::WeakArray, FLAG_TAIL_TAGGED, 0, 0),
    draft(c"bytes", Kind::Bytes, 0, 0, 0),
    draft(c"custom", Kind::Custom, FLAG_NOTIFY_MOVED, 0, 0).own(1),
    draft(c"mutable custom", Kind::Custom, FLAG_MUTABLE, 0, 0),
    draft(c"lazy pair", Kind::Constr, 0, 2, 0),
    draft(c"redex", Kind::Constr, FLAG_SHORTCUT, 1, 1),
    draft(c"thunk", Kind::Thunk, 0, 2, 1),
    draft(c"bare thunk", Kind::Thunk, 0, 0, 0),
    draft(c"first", Kind::Selector, 0, 1, 0),
    draft(c"second", Kind::Selector, 0, 1, 0).field(1),
    draft(c"function", Kind::Fun, 0, 1, 1).field(3).bits(&[0b101]),
    draft(c"partial application", Kind::Pap, 0, 0, 0).field(2),
    draft(c"suspended application", Kind::Ap, 0, 0, 0).field(3),
    draft(c"huge thunk", Kind::Thunk, 0, 430, 3),
    draft(c"huge function", Kind::Fun, 0, 440, 1).field(3).bits(&[0b101]),
    draft(c"wide function", Kind::Fun, 0, 1, 1).field(WIDE).bits(&WIDE_BITS),
    draft(c"wide partial application", Kind::Pap, 0, 0, 0).field(WIDE - 1),
    draft(c"wide suspended application", Kind::Ap, 0, 0, 0).field(WIDE),
    draft(c"thread", Kind::Thread, FLAG_MUTABLE, 3, 1),
    draft(c"huge thread", Kind::Thread, FLAG_MUTABLE, 420, 2),
    // Each of these two has one behind it that mentions statics, and is otherwise alike.
    draft(c"small thunk", Kind::Thunk, 0, 1, 0),
    draft(c"thunk with statics", Kind::Thunk, 0, 1, 0).statics(&[5, 2]),
    draft(c"small function", Kind::Fun, 0, 1, 0).field(3).bits(&[0b101]),
    draft(c"function with statics", Kind::Fun, 0, 1, 0).field(3).bits(&[0b101]).statics(&[4, 0]),
    draft(c"short partial application", Kind::Pap, 0, 0, 0).field(1),
    draft(c"short suspended application", Kind::Ap, 0, 0, 0).field(2),
];

/// The statics of a program, by number; tables name the numbers.
pub(super) const STATICS: &[Draft] = &[
    draft(c"static pair", Kind::ConstrStatic, 0, 2, 1),
    draft(c"static record", Kind::ConstrStatic, 0, 1, 0).statics(&[4]),
    draft(c"static function", Kind::FunStatic, 0, 1, 0).field(3).bits(&[0b101]).statics(&[5]),
    draft(c"static constant", Kind::ConstrNocafStatic, 0, 0, 2),
    draft(c"CAF", Kind::ThunkStatic, 0, 0, 0).statics(&[0]),
    draft(c"CAF without statics", Kind::ThunkStatic, 0, 0, 0),
    draft(c"kept CAF", Kind::ThunkStatic, 0, 0, 0).statics(&[1]),
];
pub(super) const STATIC_COUNT: usize = STATICS.len();
const _: () = assert!(STATIC_COUNT <= MOST_STATICS);

/// Arguments of a wide function: as many as make an application of it a large object.
const WIDE: usize = 450;
/// Every second argument is a pointer, as of narrow ones.
const WIDE_BITS: [usize; WIDE.div_ceil(64)] = {
    let mut bits = [0x5555_5555_5555_5555; WIDE.div_ceil(64)];
    bits[WIDE / 64] &= (1 << (WIDE % 64)) - 1;
    bits
};

/// A function that lies outside the heap.
pub(super) fn static_function() -> usize {
    all().function
}

/// A function of many arguments that lies outside the heap.
pub(super) fn static_wide_function() -> usize {
    all().wide_function
}

/// The number of shapes that are made as such; the library makes the others of thunks.
pub(super) const MADE: usize = DRAFTS.len();

/// Tables beside each one that mentions statics: more than a collection remembers having seen, so that their places in its
/// memory collide.
const VARIANTS: usize = 300;
/// The shapes that have variants.
const VARIED: [&CStr; 2] = [c"thunk with statics", c"function with statics"];

/// Tables that are alike but for the statics that they mention: every pair of a static and another one comes.
fn variants() -> Vec<Shape> {
    let of = |name: &CStr| DRAFTS.iter().find(|draft| draft.name == name).expect("a draft that is varied");
    let varied = VARIED.into_iter().flat_map(|name| (0..VARIANTS).map(move |number| (of(name), number)));
    varied
        .map(|(draft, number)| {
            let statics = Vec::leak(vec![number % STATIC_COUNT, number / STATIC_COUNT % STATIC_COUNT]);
            make(&Draft { statics, ..*draft })
        })
        .collect()
}

/// The shape, or now and then a variant of it.
pub(super) fn varied(shape: usize, random: &mut Random) -> usize {
    let place = VARIED.iter().position(|&name| DRAFTS[shape].name == name);
    match place {
        Some(place) if !random.one_in(3) => all().variants + place * VARIANTS + random.below(VARIANTS),
        _ => shape,
    }
}

fn library_shape(name: &'static str, kind: Kind, table: Addr) -> Shape {
    // SAFETY: the library's tables live for ever.
    let info = unsafe { &*table.as_ptr::<Info>() };
    let (ptrs, words) = match kind {
        Kind::StableName => (0, 1),
        // As long as the key lives, whatever the state.
        Kind::Weak => (3, 3),
        _ => (1, 0),
    };
    Shape { name, info, kind, flags: info.flags, ptrs, words, field: 0, bits: &[], own: None, statics: &[] }
}

fn library_shapes() -> Vec<Shape> {
    let tables = crate::heap::object::lazy::Tables::own();
    vec![
        library_shape("indirection", Kind::Ind, tables.ind),
        library_shape("permanent indirection", Kind::IndPerm, tables.ind_perm),
        library_shape("old indirection", Kind::IndOldgen, tables.ind_oldgen),
        library_shape("old permanent indirection", Kind::IndOldgenPerm, tables.ind_oldgen_perm),
        library_shape("blackhole", Kind::Blackhole, tables.blackhole),
        library_shape("CAF's blackhole", Kind::CafBlackhole, tables.caf_blackhole),
        library_shape("stack", Kind::Stack, own::STACK.address()),
        library_shape("stable name", Kind::StableName, own::STABLE_NAME.address()),
        library_shape("entered CAF", Kind::IndStatic, tables.ind_static),
        library_shape("weak pointer", Kind::Weak, own::WEAK.address()),
        library_shape("weak pointer that waits", Kind::Weak, own::PENDING.address()),
        library_shape("dead weak pointer", Kind::Weak, own::DEAD.address()),
    ]
}

/// The tables of a thread for all of its programs, for ever.
pub(super) struct Tables {
    shapes: Vec<Shape>,
    /// The number of each shape, by the address of its table.
    by_table: HashMap<usize, usize>,
    /// The number of the first variant.
    variants: usize,
    pub frames: Vec<Frame>,
    function: usize,
    wide_function: usize,
}

thread_local! {
    static TABLES: Cell<Option<&'static Tables>> = const { Cell::new(None) };
}

fn all() -> &'static Tables {
    TABLES.get().unwrap_or_else(|| {
        let mut shapes: Vec<Shape> = DRAFTS.iter().map(make).collect();
        shapes.extend(library_shapes());
        let first_variant = shapes.len();
        shapes.extend(variants());
        shapes.extend(STATICS.iter().map(make));
        let function_of = |field| {
            let shape = shapes.iter().find(|shape| shape.kind == Kind::Fun && shape.field == field);
            let header = shape.map_or(0, |shape| &raw const *shape.info as usize);
            Box::leak(Box::new([header, 0, 0])).as_ptr() as usize
        };
        let (function, wide_function) = (function_of(3), function_of(WIDE));
        let by_table = (shapes.iter().enumerate())
            .map(|(number, shape)| (&raw const *shape.info as usize, number))
            .collect();
        let tables: &'static Tables = Box::leak(Box::new(Tables {
            frames: make_frames(),
            function,
            wide_function,
            by_table,
            variants: first_variant,
            shapes,
        }));
        TABLES.set(Some(tables));
        tables
    })
}

/// All shapes of this thread. Their info tables live for ever, as the library wants.
pub(super) fn shapes() -> &'static [Shape] {
    &all().shapes
}

/// The shape whose table lies at an address.
pub(super) fn shape_at(table: usize) -> Option<&'static Shape> {
    all().by_table.get(&table).map(|&number| &all().shapes[number])
}

/// All frames of this thread.
pub(super) fn frames() -> &'static [Frame] {
    &all().frames
}

pub(super) fn static_shape(number: usize) -> usize {
    shapes().len() - STATICS.len() + number
}

fn make(draft: &Draft) -> Shape {
    let info = make_info(draft);
    Shape {
        name: draft.name.to_str().unwrap_or(""),
        info,
        kind: draft.kind,
        flags: draft.flags,
        ptrs: draft.ptrs,
        words: draft.words,
        field: draft.field,
        bits: draft.bits,
        own: draft.own,
        statics: draft.statics,
    }
}
