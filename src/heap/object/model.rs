//! The two questions about objects: how large is this one, and where are its pointers. Everything asks here.

use crate::base::Addr;
use crate::base::size::*;
use crate::heap::object::array;
use crate::heap::object::info::*;
use crate::heap::object::kind::Kinds;
use crate::heap::object::lazy;
use crate::heap::object::slots::by_bitmap;
use crate::heap::object::stack::{self, Stack};
use crate::heap::object::tags::Tags;
use crate::heap::object::weak::{WEAK_WORDS, Weak};
use crate::heap::object::weak_array::{self, WeakArray};

pub use crate::heap::object::header::*;
pub use crate::heap::object::slots::{SlotSink, Visitor};

#[derive(Clone, Copy, Debug)]
pub struct Model {
    pub tags: Tags,
    /// Object sizes are rounded up by this many words: 0, or 1 when objects are aligned to 16.
    pub round: usize,
}

#[inline(always)]
pub fn has_fixed_size(info: &Info) -> bool {
    info.is_whole_in(Kinds::FIXED) || info.is_whole_in(Kinds::CLOSURE)
}

/// Whether objects with this table have no field that may hold a pointer, of the kinds that vary in size. Such an object
/// may become something else in place.
#[inline(always)]
pub fn has_no_pointers(info: &Info) -> bool {
    const TAIL: u8 = FLAG_TAIL_POINTERS | FLAG_TAIL_TAGGED;
    if info.is(Kind::Sized) {
        planted!(82, true, info.ptrs == 0) && info.flags & TAIL == 0
    } else {
        info.is(Kind::Bytes)
    }
}

impl Model {
    /// The size of an object in words.
    ///
    /// # Safety
    /// A well-formed object with this info table lies at `object`.
    #[inline(always)]
    pub unsafe fn size(&self, object: Addr, info: &Info) -> usize {
        let words = if info.is_whole_in(Kinds::FIXED) {
            1 + info.ptrs as usize + info.words as usize
        } else if info.is_whole_in(Kinds::CLOSURE) {
            lazy::first_field(info) + info.ptrs as usize + info.words as usize
        } else {
            // SAFETY: the caller's promise.
            unsafe { self.variable_size(object, info) }
        };
        self.rounded(words)
    }

    /// Words of an object whose fields and header need `words`.
    #[inline(always)]
    pub fn rounded(&self, words: usize) -> usize {
        ((words + self.round) & !self.round).max(planted!(121, 1, MIN_OBJECT_WORDS))
    }

    /// # Safety
    /// As for `size`.
    unsafe fn variable_size(&self, object: Addr, info: &Info) -> usize {
        let fields = info.ptrs as usize + info.words as usize;
        // SAFETY: the caller promises a well-formed object, so the words that hold lengths are there.
        unsafe {
            match info.kind() {
                Some(Kind::Array | Kind::ArrayFrozen) => array::words(object.plus_words(1).load()),
                Some(Kind::WeakArray) => weak_array::words(WeakArray(object).length()),
                Some(Kind::Bytes) => {
                    2 + object.plus_words(1).load().div_ceil(planted!(6, 2 * WORD_BYTES, WORD_BYTES))
                }
                Some(Kind::Sized) => 1 + fields + object.plus_words(1 + info.field as usize).load(),
                Some(Kind::Structs) => 2 + object.plus_words(1).load() * info.words as usize,
                Some(Kind::Weak) => WEAK_WORDS,
                Some(Kind::Stack) => Stack(object).object_words(),
                Some(Kind::Thread | Kind::StableName) => 1 + fields,
                Some(Kind::Custom) => match (*info.custom).object_words {
                    Some(words) => words(object.as_ptr()),
                    None => MIN_OBJECT_WORDS,
                },
                Some(kind @ (Kind::Pap | Kind::Ap)) => lazy::Application::of(object, kind).words(),
                Some(
                    Kind::ConstrStatic
                    | Kind::FunStatic
                    | Kind::ConstrNocafStatic
                    | Kind::ThunkStatic
                    | Kind::IndStatic,
                ) => lazy::static_words(info),
                // `size` knows these.
                Some(
                    Kind::Constr
                    | Kind::MutVar
                    | Kind::Bitmap
                    | Kind::BitmapLarge
                    | Kind::Tagged
                    | Kind::Thunk
                    | Kind::Selector
                    | Kind::Ind
                    | Kind::IndPerm
                    | Kind::IndOldgen
                    | Kind::IndOldgenPerm
                    | Kind::Blackhole
                    | Kind::CafBlackhole
                    | Kind::Fun,
                ) => lazy::first_field(info) + fields,
                // Frames are no objects, and a damaged table tells nothing.
                Some(Kind::ReturnFrame | Kind::UpdateFrame | Kind::CatchFrame | Kind::StopFrame) | None => {
                    MIN_OBJECT_WORDS
                }
            }
        }
    }

    /// Hands every field of an object that may hold a pointer to `sink`.
    ///
    /// # Safety
    /// As for `size`.
    #[inline(always)]
    pub unsafe fn each_slot<S: SlotSink>(&self, object: Addr, info: &Info, sink: &mut S) {
        if info.is_whole_in(Kinds::RECORD) {
            sink.pointers(object.plus_words(1), info.ptrs as usize);
        } else if info.is_whole_in(Kinds::CLOSURE) {
            sink.pointers(object.plus_words(lazy::first_field(info)), info.ptrs as usize);
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
        // Pointers and elements are handed to the sink at one place, since each sink has a copy of it.
        let (mut plain, mut elements, mut alike) = ((Addr::NULL, 0), (Addr::NULL, 0), (Addr::NULL, 0));
        // SAFETY: the caller promises a well-formed object, so the words that hold lengths are there.
        unsafe {
            match info.kind() {
                Some(Kind::Bitmap) => alike = (payload, 1),
                Some(Kind::BitmapLarge) => {
                    for i in 0..(ptrs + words).div_ceil(64) {
                        by_bitmap(payload.plus_words(i * 64), *(*info.large).bits.add(i), sink);
                    }
                }
                Some(Kind::Tagged) => sink.tagged_words(payload, ptrs),
                Some(Kind::Sized) => {
                    plain = (payload, ptrs);
                    elements =
                        (payload.plus_words(ptrs + words), payload.plus_words(info.field as usize).load());
                }
                Some(Kind::Array | Kind::ArrayFrozen) => elements = (payload.plus_words(1), payload.load()),
                Some(Kind::Structs) => alike = (payload.plus_words(1), payload.load()),
                Some(Kind::Custom) => {
                    if let Some(visit) = (*info.custom).visit {
                        let mut visitor = Visitor::new(sink);
                        visit(object.as_ptr(), &raw mut visitor);
                    }
                }
                Some(kind @ (Kind::Pap | Kind::Ap)) => {
                    lazy::Application::of(object, kind).each_slot(sink);
                }
                Some(Kind::IndStatic) => plain = (payload, 1),
                Some(Kind::Weak) => {
                    if !sink.weak(object) {
                        Weak(object).slots().into_iter().for_each(|slot| sink.pointer(slot));
                    }
                }
                Some(Kind::WeakArray) => {
                    if !sink.weak_elements(object, info) {
                        weak_array::each_element(WeakArray(object), info, sink);
                    }
                }
                Some(Kind::Stack) => {
                    if !sink.frames(object) {
                        stack::each_slot(Stack(object), sink);
                    }
                }
                Some(Kind::Thread | Kind::ConstrStatic | Kind::FunStatic) => plain = (payload, ptrs),
                // `each_slot` knows these.
                Some(
                    Kind::Constr
                    | Kind::MutVar
                    | Kind::Thunk
                    | Kind::Selector
                    | Kind::Ind
                    | Kind::IndPerm
                    | Kind::IndOldgen
                    | Kind::IndOldgenPerm
                    | Kind::Blackhole
                    | Kind::CafBlackhole
                    | Kind::Fun,
                ) => plain = (object.plus_words(lazy::first_field(info)), ptrs),
                // No pointers; and nothing in a static constructor without CAFs is followed.
                Some(Kind::Bytes | Kind::StableName | Kind::ThunkStatic | Kind::ConstrNocafStatic) => {}
                // Frames are no objects, and a damaged table tells nothing.
                Some(Kind::ReturnFrame | Kind::UpdateFrame | Kind::CatchFrame | Kind::StopFrame) | None => {}
            }
            sink.pointers(plain.0, plain.1);
            for i in 0..alike.1 {
                by_bitmap(alike.0.plus_words(planted!(26, i.min(1), i) * words), info.bitmap, sink);
            }
            if elements.1 > 0 {
                self.elements(info, elements.0, elements.1, sink);
            }
        }
    }

    /// Hands a run of elements to `sink`, as the table's flags say. Arrays are pointers unless they are tagged.
    #[inline(always)]
    pub(crate) fn elements<S: SlotSink>(&self, info: &Info, first: Addr, count: usize, sink: &mut S) {
        if info.flags & FLAG_TAIL_TAGGED != 0 {
            sink.tagged_words(first, count);
        } else if info.flags & FLAG_TAIL_POINTERS != 0 || !info.is(Kind::Sized) {
            sink.pointers(first, count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heap::object::info::LargeBitmap;

    struct Seen(Vec<usize>);
    impl SlotSink for Seen {
        fn pointer(&mut self, slot: Addr) {
            self.0.push(slot.0);
        }
        fn tagged(&mut self, _: Addr) {}
    }

    /// Bits behind those of the last word are not the bitmap's.
    #[test]
    fn a_large_bitmap_has_no_more_bits_than_words() {
        let bits = [1 << 63, 1 << 63, !0];
        let large = LargeBitmap { size: size_of::<LargeBitmap>() as u32, words: 128, bits: bits.as_ptr() };
        let info = Info { large: &raw const large, ..Info::plain(Kind::BitmapLarge, 2, 126) };
        let memory = [&raw const info as usize; 129];
        let object = Addr(memory.as_ptr() as usize);
        let model = Model { tags: Tags::checked(0, 0, 0, 8).unwrap(), round: 0 };
        let mut seen = Seen(Vec::new());
        // SAFETY: an object with this table lies there.
        unsafe { model.each_slot(object, &info, &mut seen) };
        assert_eq!(seen.0, [64, 128].map(|word| object.plus_words(word).0));
    }
}
