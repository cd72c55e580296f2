//! Weak arrays as they lie in the heap: header, length, a link, the elements.
//!
//! Elements keep nothing alive. A collection lists the weak arrays that it meets through their links, which are 0 at
//! all other times, and looks at their elements when live objects are known [gc.weak.arrays].

use crate::base::Addr;
use crate::heap::object::header::HEADER_BITS;
use crate::heap::object::info::{FLAG_TAIL_TAGGED, Info};
use crate::heap::object::slots::SlotSink;
use crate::heap::object::tags::Tags;
use crate::heap::space::remember::Remembered;

/// Words before the elements.
const FIXED_WORDS: usize = 3;
/// The link of the last array in the list: no address, and not 0.
const LAST: usize = 1;

/// Words of a whole weak array, its header included.
#[inline(always)]
pub const fn words(length: usize) -> usize {
    FIXED_WORDS + length
}

/// The kind of entry that remembers a written element of such an array.
#[inline(always)]
pub(crate) fn element_entry(info: &Info) -> Remembered {
    if is_tagged(info) { Remembered::WeakTaggedSlot } else { Remembered::WeakSlot }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WeakArray(pub Addr);

impl WeakArray {
    /// # Safety
    /// A well-formed weak array lies here: so for every function.
    pub unsafe fn length(self) -> usize {
        // SAFETY: the caller's promise.
        unsafe { self.0.plus_words(1).load() }
    }

    pub(crate) fn element(self, index: usize) -> Addr {
        self.0.plus_words(FIXED_WORDS + index)
    }

    fn link_slot(self) -> Addr {
        self.0.plus_words(2)
    }

    /// # Safety
    /// As for `length`.
    pub unsafe fn is_listed(self) -> bool {
        // SAFETY: the caller's promise.
        unsafe { self.link_slot().load() != 0 }
    }
}

/// Hands all elements to `sink` as if they were fields like others.
pub(crate) fn each_element<S: SlotSink>(array: WeakArray, info: &Info, sink: &mut S) {
    // SAFETY: the callers have come to a well-formed weak array.
    let length = unsafe { array.length() };
    for index in 0..length {
        hand_over(array.element(index), info, sink);
    }
}

/// Hands over the elements whose objects lie outside the heap. A weak array keeps statics as other arrays do: whether a
/// static is needed is asked of the code that lives, and its fields mean something only then [gc.weak.array-statics].
pub(crate) fn each_element_outside<S: SlotSink>(
    array: WeakArray,
    info: &Info,
    tags: &Tags,
    codes: impl Fn(usize) -> u8,
    sink: &mut S,
) {
    // SAFETY: as above.
    let length = unsafe { array.length() };
    for index in 0..length {
        let address = address_in(array.element(index), info, tags);
        if !address.is_null() && codes(address.0) == 0 {
            hand_over(array.element(index), info, sink);
        }
    }
}

fn hand_over<S: SlotSink>(element: Addr, info: &Info, sink: &mut S) {
    if is_tagged(info) { sink.tagged(element) } else { sink.pointer(element) }
}

fn is_tagged(info: &Info) -> bool {
    info.flags & FLAG_TAIL_TAGGED != 0
}

/// The address that an element holds, without tag bits; null when it holds none.
pub(crate) fn address_in(element: Addr, info: &Info, tags: &Tags) -> Addr {
    // SAFETY: the callers hand in an element of a weak array.
    let word = unsafe { element.load() };
    Addr(if is_tagged(info) { tags.address(word) } else { word & !HEADER_BITS })
}

/// The weak arrays that a collection has met, each once, through their links.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WeakArrayList(usize);

impl WeakArrayList {
    pub const EMPTY: WeakArrayList = WeakArrayList(LAST);

    /// Lists an array, unless it is listed.
    ///
    /// # Safety
    /// A well-formed weak array lies here.
    pub unsafe fn push(&mut self, array: WeakArray) {
        // SAFETY: the caller's promise; the link is the collector's.
        unsafe {
            if !array.is_listed() {
                array.link_slot().store(self.0);
                self.0 = array.0.0;
            }
        }
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == LAST
    }

    pub(crate) fn pop(&mut self) -> Option<WeakArray> {
        if self.is_empty() {
            return None;
        }
        let array = WeakArray(Addr(self.0));
        // SAFETY: a listed object is a weak array.
        unsafe {
            self.0 = array.link_slot().load();
            array.link_slot().store(0);
        }
        Some(array)
    }
}
