//! A kind in outline, and the info table that is made of it: each thread has its own, since a static belongs to one heap, and
//! tables mention statics.

use crate::base::Addr;
use crate::ffi::info::barrow_resolve;
use crate::ffi::root::{barrow_visit, barrow_visit_word};
use crate::heap::object::info::*;
use crate::heap::object::model::{HEADER_BITS, HEADER_FORWARDED};
use crate::heap::root::frame::Visitor;
use std::cell::Cell;
use std::ffi::{CStr, c_void};
use std::sync::atomic::{AtomicU64, Ordering};

thread_local! {
    /// A call of a `moved` function that cannot be right.
    static BAD_MOVE: Cell<Option<(usize, usize)>> = const { Cell::new(None) };
    static MOVES: Cell<u64> = const { Cell::new(0) };
    /// Answers of `shortcut` functions, and one of them that led to where an object had been.
    static ANSWERS: Cell<(u64, Option<usize>)> = const { Cell::new((0, None)) };
    /// Whether the thread plays programs, each of which is alone with its heap.
    static PLAYS: Cell<bool> = const { Cell::new(false) };
}

/// Calls of the functions below by threads that play no program: a heap's workers.
static CALLS_BY_OTHERS: AtomicU64 = AtomicU64::new(0);

/// Says that this thread plays programs.
pub(super) fn play_here() {
    PLAYS.set(true);
}

/// Whether a function of any program was called by a thread that plays none, since the last time.
pub(super) fn take_calls_by_others() -> bool {
    CALLS_BY_OTHERS.load(Ordering::Relaxed) != 0 && CALLS_BY_OTHERS.swap(0, Ordering::Relaxed) != 0
}

fn is_called() {
    if !PLAYS.get() {
        CALLS_BY_OTHERS.fetch_add(1, Ordering::Relaxed);
    }
}

/// The first wrong call of a `moved` function on this thread since the last time.
pub(super) fn take_bad_move() -> Option<(usize, usize)> {
    BAD_MOVE.take()
}

/// Calls of `moved` functions on this thread.
pub(super) fn moves() -> u64 {
    MOVES.get()
}

/// How many answers `shortcut` functions gave on this thread since the last time, and one that cannot be right.
pub(super) fn take_answers() -> (u64, Option<usize>) {
    ANSWERS.take()
}

/// Keeps payload word 1 equal to the object's address.
unsafe extern "C" fn moved(from: *const c_void, to: *mut c_void) {
    is_called();
    // SAFETY: the object has a payload of two words.
    let own = unsafe { &mut *to.cast::<usize>().add(2) };
    if *own != from as usize {
        BAD_MOVE.set(Some((from as usize, *own)));
    }
    *own = to as usize;
    MOVES.set(MOVES.get() + 1);
}

unsafe extern "C" fn custom_words(object: *const c_void) -> usize {
    is_called();
    // SAFETY: the object's first word of payload is its count.
    3 + unsafe { *object.cast::<usize>().add(1) }
}

unsafe extern "C" fn custom_visit(object: *mut c_void, visitor: *mut Visitor) {
    is_called();
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

/// Whether a redex with this word can be replaced by its field.
pub(super) fn can_be_replaced(how: usize) -> bool {
    how & 1 != 0
}

/// The field of a redex that can be replaced: where it is said to be, or where it is now.
unsafe extern "C" fn shortcut(object: *const c_void, resolver: *mut Resolver) -> *mut c_void {
    is_called();
    // SAFETY: the object has a payload of two words, of which the first is a pointer; the resolver is the one that was given.
    unsafe {
        let (field, how) = (*object.cast::<*mut c_void>().add(1), *object.cast::<usize>().add(2));
        if !can_be_replaced(how) {
            return std::ptr::null_mut();
        }
        let now = if how & 2 != 0 { barrow_resolve(resolver, field) } else { field };
        let (count, stale) = ANSWERS.get();
        let at = Addr(now as usize & !HEADER_BITS);
        // A resolved address can be read: an object, or memory of the client.
        let is_stale = how & 2 != 0 && at.0 != 0 && at.load() & HEADER_FORWARDED != 0;
        ANSWERS.set((count + 1, stale.or(is_stale.then_some(at.0))));
        // A thunk there may have no object for its value, which is no answer.
        if now as usize & !HEADER_BITS == 0 { field } else { now }
    }
}

pub(super) struct Draft {
    pub(super) name: &'static CStr,
    pub kind: Kind,
    pub(super) flags: u8,
    pub(super) ptrs: usize,
    pub(super) words: usize,
    pub(super) field: usize,
    pub(super) bits: &'static [usize],
    pub(super) own: Option<usize>,
    /// The statics that its table mentions.
    pub statics: &'static [usize],
}

pub(super) const fn draft(name: &'static CStr, kind: Kind, flags: u8, ptrs: usize, words: usize) -> Draft {
    Draft { name, kind, flags, ptrs, words, field: 0, bits: &[], own: None, statics: &[] }
}

impl Draft {
    pub(super) const fn field(self, field: usize) -> Draft {
        Draft { field, ..self }
    }

    pub(super) const fn bits(self, bits: &'static [usize]) -> Draft {
        Draft { bits, ..self }
    }

    pub(super) const fn own(self, index: usize) -> Draft {
        Draft { own: Some(index), ..self }
    }

    pub(super) fn has_bit(&self, index: usize) -> bool {
        self.bits[index / 64] >> (index % 64) & 1 != 0
    }

    pub(super) const fn statics(self, statics: &'static [usize]) -> Draft {
        Draft { statics, ..self }
    }
}

/// Statics that a thread has room for.
pub(super) const MOST_STATICS: usize = 8;
/// Words of room for each, more than any static has with the collector's word.
pub(super) const ROOM: usize = 8;

thread_local! {
    static PLACES: Cell<usize> = const { Cell::new(0) };
}

/// The address of a static of this thread.
pub(super) fn place(number: usize) -> Addr {
    if PLACES.get() == 0 {
        let memory: &'static mut [u128] = Vec::leak(vec![0; MOST_STATICS * ROOM / 2]);
        PLACES.set(memory.as_mut_ptr() as usize);
    }
    Addr(PLACES.get()).plus_words(number * ROOM)
}

/// The draft's info table, which lives for ever.
pub(super) fn make_info(draft: &Draft) -> &'static Info {
    let custom: &'static Custom = Box::leak(Box::new(Custom {
        size: size_of::<Custom>() as u32,
        reserved: 0,
        object_words: Some(custom_words),
        visit: Some(custom_visit),
        moved: Some(moved),
        shortcut: Some(shortcut),
    }));
    let described = if draft.kind == Kind::Fun { draft.field } else { draft.ptrs + draft.words };
    let large: &'static LargeBitmap = Box::leak(Box::new(LargeBitmap {
        size: size_of::<LargeBitmap>() as u32,
        words: described as u32,
        bits: draft.bits.as_ptr(),
    }));
    let names: &'static Names = Box::leak(Box::new(Names {
        description: draft.name.as_ptr(),
        type_name: std::ptr::null(),
        module: std::ptr::null(),
        source: std::ptr::null(),
    }));
    let statics: Vec<*mut c_void> = draft.statics.iter().map(|&number| place(number).as_ptr()).collect();
    let table: &'static ReferenceTable = Box::leak(Box::new(ReferenceTable {
        size: size_of::<ReferenceTable>() as u32,
        count: statics.len() as u32,
        statics: Vec::leak(statics).as_ptr(),
    }));
    let wide = draft.bits.len() > 1;
    Box::leak(Box::new(Info {
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
        large: if wide { large } else { std::ptr::null() },
        custom,
        srt: if draft.statics.is_empty() { std::ptr::null() } else { table },
        names,
    }))
}
