//! The kinds of objects that programs make, each with its info table and, told a second time and in another way
//! than the library tells it, its layout.

use super::graph::Word;
use crate::ffi::root::{barrow_visit, barrow_visit_word};
use crate::heap::info::*;
use crate::heap::root::Visitor;
use std::cell::Cell;
use std::ffi::{CStr, c_void};
use std::sync::OnceLock;

/// What a word of an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    Pointer,
    Tagged,
    Plain,
    Length,
    /// The object's own address, which its kind's `moved` function keeps up to date.
    Own,
    /// A pointer to something of a lazy kind.
    Lazy,
    /// A pointer to a function of three arguments.
    Function,
    /// How many arguments an application has.
    Arguments,
    /// A word that is the collector's as long as nobody needs it.
    Scratch,
}

pub struct Shape {
    pub name: &'static str,
    pub info: &'static Info,
    pub kind: Kind,
    pub flags: u8,
    ptrs: usize,
    words: usize,
    field: usize,
    bits: &'static [usize],
    own: Option<usize>,
}

impl Shape {
    pub fn is_mutable(&self) -> bool {
        self.flags & FLAG_MUTABLE != 0 || matches!(self.kind, Kind::MutVar | Kind::Array)
    }

    pub fn is_array(&self) -> bool {
        matches!(self.kind, Kind::Array | Kind::ArrayFrozen)
    }

    /// Which word of the payload is a length, when there is one.
    pub fn length_word(&self) -> Option<usize> {
        match self.kind {
            Kind::Sized => Some(self.field),
            Kind::Array | Kind::ArrayFrozen | Kind::Structs | Kind::Bytes | Kind::Custom => Some(0),
            _ => None,
        }
    }

    pub fn can_shrink(&self) -> bool {
        self.length_word().is_some() && self.kind != Kind::Custom
    }

    /// Words behind the header, cards not counted.
    pub fn payload(&self, length: usize) -> usize {
        match self.kind {
            Kind::Sized => self.ptrs + self.words + length,
            Kind::Array | Kind::ArrayFrozen => 1 + length,
            Kind::Structs => 1 + length * self.words,
            Kind::Bytes => 1 + length.div_ceil(8),
            Kind::Custom => 2 + length,
            Kind::Thunk | Kind::Selector => 1 + self.ptrs + self.words,
            Kind::Pap => 2 + self.field,
            Kind::Ap => 3 + self.field,
            _ => self.ptrs + self.words,
        }
    }

    /// Words of the whole object, before they are rounded for alignment.
    pub fn object_words(&self, length: usize) -> usize {
        let cards = if self.is_array() && length >= 128 { length.div_ceil(1024) } else { 0 };
        (1 + self.payload(length) + cards).max(2)
    }

    pub fn role(&self, index: usize) -> Role {
        if self.own == Some(index) {
            return Role::Own;
        }
        if self.length_word() == Some(index) {
            return Role::Length;
        }
        let bit = |i: usize| if self.bits[i / 64] >> (i % 64) & 1 != 0 { Role::Pointer } else { Role::Plain };
        let tail = |otherwise| {
            if self.flags & FLAG_TAIL_TAGGED != 0 {
                Role::Tagged
            } else if self.flags & FLAG_TAIL_POINTERS != 0 {
                Role::Pointer
            } else {
                otherwise
            }
        };
        match self.kind {
            Kind::Constr if self.is_lazy_pair() => Role::Lazy,
            Kind::Constr | Kind::MutVar if index < self.ptrs => Role::Pointer,
            Kind::Tagged if index < self.ptrs => Role::Tagged,
            Kind::Constr | Kind::MutVar | Kind::Tagged | Kind::Bytes => Role::Plain,
            Kind::Bitmap | Kind::BitmapLarge => bit(index),
            Kind::Sized if index < self.ptrs => Role::Pointer,
            Kind::Sized if index < self.ptrs + self.words => Role::Plain,
            Kind::Sized => tail(Role::Plain),
            Kind::Array | Kind::ArrayFrozen => tail(Role::Pointer),
            Kind::Structs => bit((index - 1) % self.words),
            Kind::Custom if index.is_multiple_of(2) => Role::Pointer,
            Kind::Custom => Role::Tagged,
            _ => self.lazy_role(index),
        }
    }

    fn lazy_role(&self, index: usize) -> Role {
        let argument = |i: usize| if i.is_multiple_of(2) { Role::Pointer } else { Role::Plain };
        match (self.kind, index) {
            (Kind::Selector, 0) => Role::Scratch,
            (Kind::Selector, _) => Role::Lazy,
            (Kind::Thunk | Kind::Ap, 0) => Role::Plain,
            (Kind::Thunk, i) if i <= self.ptrs => Role::Pointer,
            (Kind::Pap, 0) | (Kind::Ap, 1) => Role::Arguments,
            (Kind::Pap, 1) | (Kind::Ap, 2) => Role::Function,
            (Kind::Pap, i) => argument(i - 2),
            (Kind::Ap, i) => argument(i - 3),
            (_, i) if i < self.ptrs => Role::Pointer,
            _ => Role::Plain,
        }
    }

    /// Selectors select from these only: their fields never change.
    pub fn is_lazy_pair(&self) -> bool {
        self.name == "lazy pair"
    }

    /// What lazy programs are made of; other operations leave it as it is.
    pub fn is_lazy(&self) -> bool {
        self.kind as u8 >= Kind::Thunk as u8 && (self.kind as u8) < 48 || self.is_lazy_pair()
    }

    pub fn arguments(&self) -> usize {
        self.field
    }

    pub fn selected(&self) -> usize {
        self.field
    }

    /// The length that the words of an object say, or 0.
    pub fn length(&self, words: &[Word]) -> usize {
        match self.length_word().map(|index| words[index]) {
            Some(Word::Raw(length)) => length,
            _ => 0,
        }
    }
}

thread_local! {
    /// A call of a `moved` function that cannot be right.
    static BAD_MOVE: Cell<Option<(usize, usize)>> = const { Cell::new(None) };
    static MOVES: Cell<u64> = const { Cell::new(0) };
}

/// The first wrong call of a `moved` function on this thread since the last time.
pub fn take_bad_move() -> Option<(usize, usize)> {
    BAD_MOVE.take()
}

/// Calls of `moved` functions on this thread.
pub fn moves() -> u64 {
    MOVES.get()
}

/// Keeps payload word 1 equal to the object's address.
unsafe extern "C" fn moved(from: *const c_void, to: *mut c_void) {
    // SAFETY: the object has a payload of two words.
    let own = unsafe { &mut *to.cast::<usize>().add(2) };
    if *own != from as usize {
        BAD_MOVE.set(Some((from as usize, *own)));
    }
    *own = to as usize;
    MOVES.set(MOVES.get() + 1);
}

unsafe extern "C" fn custom_words(object: *const c_void) -> usize {
    // SAFETY: the object's first word of payload is its count.
    3 + unsafe { *object.cast::<usize>().add(1) }
}

unsafe extern "C" fn custom_visit(object: *mut c_void, visitor: *mut Visitor) {
    // SAFETY: the object has as many words as it says.
    unsafe {
        let payload = object.cast::<usize>().add(1);
        for index in 2..2 + *payload {
            let slot = payload.add(index);
            if index % 2 == 0 {
                barrow_visit(visitor, slot.cast());
            } else {
                barrow_visit_word(visitor, slot);
            }
        }
    }
}

struct Draft {
    name: &'static CStr,
    kind: Kind,
    flags: u8,
    ptrs: usize,
    words: usize,
    field: usize,
    bits: &'static [usize],
    own: Option<usize>,
}

const fn draft(name: &'static CStr, kind: Kind, flags: u8, ptrs: usize, words: usize) -> Draft {
    Draft { name, kind, flags, ptrs, words, field: 0, bits: &[], own: None }
}

impl Draft {
    const fn field(self, field: usize) -> Draft {
        Draft { field, ..self }
    }

    const fn bits(self, bits: &'static [usize]) -> Draft {
        Draft { bits, ..self }
    }

    const fn own(self, index: usize) -> Draft {
        Draft { own: Some(index), ..self }
    }
}

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
    draft(c"bytes", Kind::Bytes, 0, 0, 0),
    draft(c"custom", Kind::Custom, FLAG_NOTIFY_MOVED, 0, 0).own(1),
    draft(c"mutable custom", Kind::Custom, FLAG_NOTIFY_MOVED | FLAG_MUTABLE, 0, 0).own(1),
    draft(c"lazy pair", Kind::Constr, 0, 2, 0),
    draft(c"thunk", Kind::Thunk, 0, 2, 1),
    draft(c"bare thunk", Kind::Thunk, 0, 0, 0),
    draft(c"first", Kind::Selector, 0, 1, 0),
    draft(c"second", Kind::Selector, 0, 1, 0).field(1),
    draft(c"function", Kind::Fun, 0, 1, 1).field(3).bits(&[0b101]),
    draft(c"partial application", Kind::Pap, 0, 0, 0).field(2),
    draft(c"suspended application", Kind::Ap, 0, 0, 0).field(3),
];

/// A function that lies outside the heap.
pub fn static_function() -> usize {
    static FUNCTION: OnceLock<usize> = OnceLock::new();
    *FUNCTION.get_or_init(|| {
        let shape = shapes().iter().find(|shape| shape.kind == Kind::Fun);
        let header = shape.map_or(0, |shape| &raw const *shape.info as usize);
        Box::leak(Box::new([header, 0, 0])).as_ptr() as usize
    })
}

/// How many shapes are made as such; the others are what the library makes of thunks.
pub const MADE: usize = DRAFTS.len();

fn library_shape(name: &'static str, kind: Kind, table: crate::base::Addr) -> Shape {
    // SAFETY: the library's tables live for ever.
    let info = unsafe { &*table.as_ptr::<Info>() };
    Shape { name, info, kind, flags: 0, ptrs: 1, words: 0, field: 0, bits: &[], own: None }
}

fn library_shapes() -> Vec<Shape> {
    let tables = crate::heap::lazy::Tables::own();
    vec![
        library_shape("indirection", Kind::Ind, tables.ind),
        library_shape("permanent indirection", Kind::IndPerm, tables.ind_perm),
        library_shape("old indirection", Kind::IndOldgen, tables.ind_oldgen),
        library_shape("old permanent indirection", Kind::IndOldgenPerm, tables.ind_oldgen_perm),
        library_shape("blackhole", Kind::Blackhole, tables.blackhole),
    ]
}

/// The shape of something that the library makes.
pub fn shape_of(kind: Kind) -> usize {
    shapes().iter().position(|shape| shape.kind == kind).unwrap_or(0)
}

struct Shapes(Vec<Shape>);
// SAFETY: the tables that shapes point to are never changed after they are made, but for numbers that the library
// writes by compare-and-swap.
unsafe impl Sync for Shapes {}
// SAFETY: as above.
unsafe impl Send for Shapes {}

/// All shapes. Their info tables live for ever, as the library wants.
pub fn shapes() -> &'static [Shape] {
    static SHAPES: OnceLock<Shapes> = OnceLock::new();
    &SHAPES.get_or_init(|| Shapes(DRAFTS.iter().map(make).chain(library_shapes()).collect())).0
}

fn make(draft: &Draft) -> Shape {
    let custom: &'static Custom = Box::leak(Box::new(Custom {
        size: size_of::<Custom>() as u32,
        reserved: 0,
        object_words: Some(custom_words),
        visit: Some(custom_visit),
        moved: Some(moved),
        shortcut: None,
    }));
    let large: &'static LargeBitmap = Box::leak(Box::new(LargeBitmap {
        size: size_of::<LargeBitmap>() as u32,
        words: (draft.ptrs + draft.words) as u32,
        bits: draft.bits.as_ptr(),
    }));
    let names: &'static Names = Box::leak(Box::new(Names {
        description: draft.name.as_ptr(),
        type_name: std::ptr::null(),
        module: std::ptr::null(),
        source: std::ptr::null(),
    }));
    let info: &'static Info = Box::leak(Box::new(Info {
        size: size_of::<Info>() as u16,
        version: INFO_VERSION,
        id: 0,
        entry: None,
        kind: draft.kind as u8,
        flags: draft.flags,
        field: draft.field as u16,
        ptrs: draft.ptrs as u32,
        words: draft.words as u32,
        reserved: 0,
        bitmap: if draft.bits.len() == 1 { draft.bits[0] } else { 0 },
        large,
        custom,
        srt: std::ptr::null(),
        names,
    }));
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
    }
}
