//! Slots: the words that may hold pointers, and their receivers.

use crate::base::Addr;
use crate::heap::object::info::{Info, ReferenceTable};

/// Receives the fields of an object, or roots, that may hold pointers.
pub trait SlotSink {
    /// Whether slots are rewritten to addresses at which objects are not yet.
    const AHEAD: bool = false;
    /// The slot holds a pointer, perhaps with a tag in its low three bits, or null.
    fn pointer(&mut self, slot: Addr);
    /// The slot holds a word that the heap's tag rule decides on.
    fn tagged(&mut self, slot: Addr);
    /// Looks in its own way at a word that the client hands in without its place, and gives the word to keep instead. Such
    /// words come as slots that nobody has afterwards when this is none.
    fn value(&mut self, _word: usize, _is_tagged: bool) -> Option<usize> {
        None
    }
    /// As `pointer`, for slots side by side.
    #[inline(always)]
    fn pointers(&mut self, first: Addr, count: usize) {
        for i in 0..count {
            self.pointer(first.plus_words(i));
        }
    }
    /// As `tagged`, for slots side by side.
    #[inline(always)]
    fn tagged_words(&mut self, first: Addr, count: usize) {
        for i in 0..count {
            self.tagged(first.plus_words(i));
        }
    }
    /// Looks in its own way at the fields of a weak pointer, which the collector does not follow like others. When this is
    /// false, they come like those of other objects.
    fn weak(&mut self, _weak: Addr) -> bool {
        false
    }
    /// As `weak`, for the elements of a weak array, which keep nothing alive.
    fn weak_elements(&mut self, _array: Addr, _info: &Info) -> bool {
        false
    }
    /// As `weak`, for the frames of a stack.
    fn frames(&mut self, _stack: Addr) -> bool {
        false
    }
    /// Code that waits on a stack mentions the statics of this table.
    fn mentions(&mut self, _table: *const ReferenceTable) {}
    /// The roots that follow go by this name; null for none.
    fn name(&mut self, _name: *const std::ffi::c_char) {}
}

/// Hands each slot to a function, and says whether it holds a tagged word. Each sink has a copy of the code for all kinds of objects: those that
/// may be slow share this one's.
pub(crate) struct Each<'f>(pub &'f mut dyn FnMut(Addr, bool));

impl SlotSink for Each<'_> {
    fn pointer(&mut self, slot: Addr) {
        (self.0)(slot, false);
    }

    fn tagged(&mut self, slot: Addr) {
        (self.0)(slot, true);
    }
}

/// Hands roots and fields from client code to the sink that asked for them. Valid during the call that it was given to.
#[repr(C)]
pub struct Visitor {
    sink: *mut (),
    pointer: fn(*mut (), Addr),
    tagged: fn(*mut (), Addr),
    name: fn(*mut (), *const std::ffi::c_char),
    value: fn(*mut (), usize, bool) -> Option<usize>,
}

impl Visitor {
    pub(crate) fn new<S: SlotSink>(sink: &mut S) -> Visitor {
        fn pointer<S: SlotSink>(sink: *mut (), slot: Addr) {
            // SAFETY: `sink` is the `&mut S` that `new` was given, and a visitor is not used beyond it.
            unsafe { (*sink.cast::<S>()).pointer(slot) }
        }
        fn tagged<S: SlotSink>(sink: *mut (), slot: Addr) {
            // SAFETY: as above.
            unsafe { (*sink.cast::<S>()).tagged(slot) }
        }
        fn name<S: SlotSink>(sink: *mut (), name: *const std::ffi::c_char) {
            // SAFETY: as above.
            unsafe { (*sink.cast::<S>()).name(name) }
        }
        fn value<S: SlotSink>(sink: *mut (), word: usize, is_tagged: bool) -> Option<usize> {
            // SAFETY: as above.
            unsafe { (*sink.cast::<S>()).value(word, is_tagged) }
        }
        Visitor {
            sink: (&raw mut *sink).cast(),
            pointer: pointer::<S>,
            tagged: tagged::<S>,
            name: name::<S>,
            value: value::<S>,
        }
    }

    pub fn pointer(&mut self, slot: Addr) {
        (self.pointer)(self.sink, slot);
    }

    pub fn tagged(&mut self, slot: Addr) {
        (self.tagged)(self.sink, slot);
    }

    /// The word to keep instead of one that has no place and no name.
    pub(crate) fn value(&mut self, word: usize, is_tagged: bool) -> usize {
        self.name(std::ptr::null());
        (self.value)(self.sink, word, is_tagged).unwrap_or_else(|| {
            let mut place = word;
            let slot = Addr(&raw mut place as usize);
            if is_tagged {
                self.tagged(slot)
            } else {
                self.pointer(slot)
            }
            // SAFETY: the variable above, which the sink has perhaps written to by its address.
            unsafe { slot.load() }
        })
    }

    pub(crate) fn name(&mut self, name: *const std::ffi::c_char) {
        (self.name)(self.sink, name);
    }

    /// Visits `count` words side by side, under a name.
    pub(crate) fn range(
        &mut self,
        name: *const std::ffi::c_char,
        first: Addr,
        count: usize,
        are_tagged: bool,
    ) {
        self.name(name);
        for slot in (0..count).map(|index| first.plus_words(index)) {
            if are_tagged { self.tagged(slot) } else { self.pointer(slot) }
        }
    }
}

#[inline(always)]
pub(crate) fn by_bitmap<S: SlotSink>(first: Addr, mut bits: usize, sink: &mut S) {
    while bits != 0 {
        sink.pointer(first.plus_words(bits.trailing_zeros() as usize));
        bits &= bits - 1;
    }
}
