//! The two questions about objects: how large is this one, and where are its pointers. Everything asks here.

use crate::base::Addr;
use crate::base::size::*;
use crate::heap::object::array;
use crate::heap::object::info::*;
use crate::heap::object::lazy;
use crate::heap::object::stack::{self, Stack};
use crate::heap::object::tags::Tags;
use crate::heap::object::weak::{WEAK_WORDS, Weak};
use crate::heap::object::weak_array::{self, WeakArray};
use crate::heap::root::frame::Visitor;

/// Bits 0 to 2 of a header word belong to the collector.
pub const HEADER_BITS: usize = 7;
/// The object has moved; the rest of the word is its new address.
pub const HEADER_FORWARDED: usize = 1;
/// `recordMutable` was called for the object: it is recorded again wherever it goes.
pub const HEADER_RECORDED: usize = 2;
/// Pointers to the object were replaced by another one: with `HEADER_FORWARDED`, and then word 1 is that pointer.
pub const HEADER_REPLACED: usize = 2;

/// The collector's weak phase waits for this object, which is no replaceable one. Only set during that phase.
pub const HEADER_AWAITED: usize = 4;

/// Receives the fields of an object, or roots, that may hold pointers.
pub trait SlotSink {
    /// Slots are rewritten to where objects will be, but are not yet.
    const AHEAD: bool = false;
    /// The slot holds a pointer, perhaps with a tag in its low three bits, or null.
    fn pointer(&mut self, slot: Addr);
    /// The slot holds a word that the heap's tag rule decides on.
    fn tagged(&mut self, slot: Addr);
    /// The fields of a weak pointer, which the collector does not follow like others.
    fn weak(&mut self, weak: Addr) {
        for slot in Weak(weak).slots() {
            self.pointer(slot);
        }
    }
    /// The elements of a weak array, which keep nothing alive. Whoever does not care looks at them like others.
    fn weak_elements(&mut self, array: Addr, info: &Info)
    where
        Self: Sized,
    {
        weak_array::each_element(WeakArray(array), info, self);
    }
    /// The frames of a stack.
    fn frames(&mut self, stack: Addr)
    where
        Self: Sized,
    {
        stack::each_slot(Stack(stack), self);
    }
    /// Code that waits on a stack mentions the statics of this table.
    fn mentions(&mut self, _table: *const ReferenceTable) {}
    /// The roots that follow go by this name; null for none.
    fn name(&mut self, _name: *const std::ffi::c_char) {}
}

/// The object model of one heap.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    pub tags: Tags,
    /// Object sizes are rounded up by this many words: 0, or 1 when objects are aligned to 16.
    pub round: usize,
}

/// The info table of a header word that is not a forwarding address.
#[inline(always)]
pub fn info_of<'a>(header: usize) -> &'a Info {
    debug_assert!(header & HEADER_FORWARDED == 0 && header > HEADER_BITS);
    // SAFETY: the header of a well-formed object is the address of an info table, which lives for ever.
    unsafe { &*((header & !HEADER_BITS) as *const Info) }
}

/// Whether all objects with this table are of one size.
#[inline(always)]
pub fn has_fixed_size(info: &Info) -> bool {
    info.kind <= LAST_FIXED_KIND || lazy::is_fixed(info.kind)
}

/// Whether objects with this table have no field that may hold a pointer, of the kinds that vary in size. Such an object
/// may become something else in place.
#[inline(always)]
pub fn has_no_pointers(info: &Info) -> bool {
    const TAIL: u8 = FLAG_TAIL_POINTERS | FLAG_TAIL_TAGGED;
    match info.kind {
        k if k == Kind::Bytes as u8 => true,
        k if k == Kind::Sized as u8 => planted!(82, true, info.ptrs == 0) && info.flags & TAIL == 0,
        _ => false,
    }
}

impl Model {
    /// The size of an object in words.
    ///
    /// # Safety
    /// A well-formed object with this info table lies at `object`.
    #[inline(always)]
    pub unsafe fn size(&self, object: Addr, info: &Info) -> usize {
        let words = if info.kind <= LAST_FIXED_KIND {
            1 + info.ptrs as usize + info.words as usize
        } else if lazy::is_fixed(info.kind) {
            lazy::first_field(info.kind) + info.ptrs as usize + info.words as usize
        } else {
            // SAFETY: the caller's promise.
            unsafe { self.variable_size(object, info) }
        };
        self.rounded(words)
    }

    /// The words that an object takes when its fields and its header need so many.
    #[inline(always)]
    pub fn rounded(&self, words: usize) -> usize {
        ((words + self.round) & !self.round).max(planted!(121, 1, MIN_OBJECT_WORDS))
    }

    /// # Safety
    /// As for `size`.
    unsafe fn variable_size(&self, object: Addr, info: &Info) -> usize {
        // SAFETY: the caller promises a well-formed object, so the words that hold lengths are there.
        unsafe {
            match info.kind {
                k if k == Kind::Array as u8 || k == Kind::ArrayFrozen as u8 => {
                    array::words(object.plus_words(1).load())
                }
                k if k == Kind::WeakArray as u8 => weak_array::words(WeakArray(object).length()),
                k if k == Kind::Bytes as u8 => {
                    2 + object.plus_words(1).load().div_ceil(planted!(6, 2 * WORD_BYTES, WORD_BYTES))
                }
                k if k == Kind::Sized as u8 => {
                    1 + info.ptrs as usize
                        + info.words as usize
                        + object.plus_words(1 + info.field as usize).load()
                }
                k if k == Kind::Structs as u8 => 2 + object.plus_words(1).load() * info.words as usize,
                k if k == Kind::Weak as u8 => WEAK_WORDS,
                k if k == Kind::Stack as u8 => Stack(object).object_words(),
                k if k == Kind::Thread as u8 || k == Kind::StableName as u8 => {
                    1 + info.ptrs as usize + info.words as usize
                }
                k if k == Kind::Custom as u8 => match (*info.custom).object_words {
                    Some(words) => words(object.as_ptr()),
                    None => MIN_OBJECT_WORDS,
                },
                k if k == Kind::Pap as u8 || k == Kind::Ap as u8 => lazy::Application::of(object, k).words(),
                k => lazy::static_words(k, info),
            }
        }
    }

    /// Hands every field of an object that may hold a pointer to `sink`.
    ///
    /// # Safety
    /// As for `size`.
    #[inline(always)]
    pub unsafe fn each_slot<S: SlotSink>(&self, object: Addr, info: &Info, sink: &mut S) {
        if info.kind <= Kind::MutVar as u8 {
            pointers(object.plus_words(1), info.ptrs as usize, sink);
        } else if lazy::is_fixed(info.kind) {
            pointers(object.plus_words(lazy::first_field(info.kind)), info.ptrs as usize, sink);
        } else {
            // SAFETY: the caller's promise.
            unsafe { self.each_slot_of_rare(object, info, sink) }
        }
    }

    /// # Safety
    /// As for `size`.
    unsafe fn each_slot_of_rare<S: SlotSink>(&self, object: Addr, info: &Info, sink: &mut S) {
        let payload = object.plus_words(1);
        let (ptrs, words) = (info.ptrs as usize, info.words as usize);
        // SAFETY: the caller promises a well-formed object, so the words that hold lengths are there.
        unsafe {
            match info.kind {
                k if k == Kind::Bitmap as u8 => by_bitmap(payload, info.bitmap, sink),
                k if k == Kind::BitmapLarge as u8 => {
                    for i in 0..(ptrs + words).div_ceil(64) {
                        by_bitmap(payload.plus_words(i * 64), *(*info.large).bits.add(i), sink);
                    }
                }
                k if k == Kind::Tagged as u8 => tagged(payload, ptrs, sink),
                k if k == Kind::Sized as u8 => {
                    pointers(payload, ptrs, sink);
                    let tail = payload.plus_words(ptrs + words);
                    let length = payload.plus_words(info.field as usize).load();
                    self.elements(info, tail, length, sink);
                }
                k if k == Kind::Array as u8 || k == Kind::ArrayFrozen as u8 => {
                    self.elements(info, payload.plus_words(1), payload.load(), sink);
                }
                k if k == Kind::Structs as u8 => {
                    for i in 0..payload.load() {
                        by_bitmap(
                            payload.plus_words(1 + planted!(26, i.min(1), i) * words),
                            info.bitmap,
                            sink,
                        );
                    }
                }
                k if k == Kind::Custom as u8 => {
                    if let Some(visit) = (*info.custom).visit {
                        let mut visitor = Visitor::new(sink);
                        visit(object.as_ptr(), &raw mut visitor);
                    }
                }
                k if k == Kind::Pap as u8 || k == Kind::Ap as u8 => {
                    lazy::Application::of(object, k).each_slot(sink);
                }
                k if k == Kind::ConstrStatic as u8 || k == Kind::FunStatic as u8 => {
                    pointers(payload, ptrs, sink);
                }
                k if k == Kind::IndStatic as u8 => sink.pointer(payload),
                k if k == Kind::Weak as u8 => sink.weak(object),
                k if k == Kind::WeakArray as u8 => sink.weak_elements(object, info),
                k if k == Kind::Stack as u8 => sink.frames(object),
                k if k == Kind::Thread as u8 => pointers(payload, ptrs, sink),
                _ => {}
            }
        }
    }

    /// Hands a run of elements to `sink`, as the table's flags say. Arrays are pointers unless they are tagged.
    #[inline(always)]
    pub fn elements<S: SlotSink>(&self, info: &Info, first: Addr, count: usize, sink: &mut S) {
        if info.flags & FLAG_TAIL_TAGGED != 0 {
            tagged(first, count, sink);
        } else if info.flags & FLAG_TAIL_POINTERS != 0 || info.kind != Kind::Sized as u8 {
            pointers(first, count, sink);
        }
    }
}

#[inline(always)]
fn pointers<S: SlotSink>(first: Addr, count: usize, sink: &mut S) {
    for i in 0..count {
        sink.pointer(first.plus_words(i));
    }
}

#[inline(always)]
fn tagged<S: SlotSink>(first: Addr, count: usize, sink: &mut S) {
    for i in 0..count {
        sink.tagged(first.plus_words(i));
    }
}

#[inline(always)]
pub fn by_bitmap<S: SlotSink>(first: Addr, mut bits: usize, sink: &mut S) {
    while bits != 0 {
        sink.pointer(first.plus_words(bits.trailing_zeros() as usize));
        bits &= bits - 1;
    }
}
