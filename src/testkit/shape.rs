//! The kinds of objects that programs make. Each has its info table and its layout, which is described here a second time, in
//! another way than in the library.

use super::word::Word;
use crate::heap::object::info::*;
use crate::heap::object::kind::Kinds;
use crate::heap::object::stack::STACK_HEADER_WORDS;

/// The role of a word in an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Pointer,
    Tagged,
    /// A pointer that keeps nothing alive.
    Weak,
    /// A tagged word that keeps nothing alive.
    WeakTagged,
    Plain,
    Length,
    /// A word of the collector's that is 0 between collections.
    Link,
    /// The object's own address, which its kind's `moved` function keeps up to date.
    Own,
    /// A pointer to something of a lazy kind.
    Lazy,
    /// A pointer to a function of three arguments.
    Function,
    /// A pointer to a function of many arguments.
    WideFunction,
    /// A pointer to a stack, or null.
    Stack,
    /// The number of an application's arguments.
    Arguments,
    /// A word that the collector may use for itself.
    Scratch,
}

pub(super) struct Shape {
    pub name: &'static str,
    pub info: &'static Info,
    pub kind: Kind,
    pub flags: u8,
    pub(super) ptrs: usize,
    pub(super) words: usize,
    pub(super) field: usize,
    pub(super) bits: &'static [usize],
    pub(super) own: Option<usize>,
    /// Numbers of the statics in its reference table.
    pub statics: &'static [usize],
}

/// Words of a stack before its frames.
pub(super) const STACK_FIXED: usize = STACK_HEADER_WORDS - 1;

impl Shape {
    pub(super) fn is_mutable(&self) -> bool {
        self.flags & FLAG_MUTABLE != 0 || matches!(self.kind, Kind::MutVar | Kind::Array | Kind::WeakArray)
    }

    /// Whether the collector follows the object as the cell of a list.
    pub(super) fn is_cell(&self) -> bool {
        self.kind == Kind::Constr && self.flags == 0 && self.ptrs == 1 && self.statics.is_empty()
    }

    pub(super) fn is_weak_array(&self) -> bool {
        self.kind == Kind::WeakArray
    }

    pub(super) fn is_array(&self) -> bool {
        matches!(self.kind, Kind::Array | Kind::ArrayFrozen)
    }

    /// The word of the payload that is a length, when there is one.
    pub(super) fn length_word(&self) -> Option<usize> {
        match self.kind {
            Kind::Sized => Some(self.field),
            Kind::Array | Kind::ArrayFrozen | Kind::WeakArray | Kind::Structs => Some(0),
            Kind::Bytes | Kind::Custom | Kind::Stack => Some(0),
            _ => None,
        }
    }

    pub(super) fn can_shrink(&self) -> bool {
        self.length_word().is_some() && !matches!(self.kind, Kind::Custom | Kind::Stack)
    }

    /// Words behind the header, cards not counted.
    pub(super) fn payload(&self, length: usize) -> usize {
        match self.kind {
            Kind::Sized => self.ptrs + self.words + length,
            Kind::Array | Kind::ArrayFrozen => 1 + length,
            Kind::WeakArray => 2 + length,
            Kind::Structs => 1 + length * self.words,
            Kind::Bytes => 1 + length.div_ceil(8),
            Kind::Custom => 2 + length,
            Kind::Stack => STACK_FIXED + length,
            Kind::ThunkStatic => 1,
            Kind::Thunk | Kind::Selector => 1 + self.ptrs + self.words,
            Kind::Pap => 2 + self.field,
            Kind::Ap => 3 + self.field,
            _ => self.ptrs + self.words,
        }
    }

    /// Words of the whole object, before they are rounded for alignment.
    pub(super) fn object_words(&self, length: usize) -> usize {
        let cards = if self.is_array() && length >= 128 { length.div_ceil(1024) } else { 0 };
        (1 + self.payload(length) + cards).max(2)
    }

    pub(super) fn role(&self, index: usize) -> Role {
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
            Kind::WeakArray if index == 1 => Role::Link,
            Kind::WeakArray if self.flags & FLAG_TAIL_TAGGED != 0 => Role::WeakTagged,
            Kind::WeakArray => Role::Weak,
            Kind::Structs => bit((index - 1) % self.words),
            Kind::Custom if index == 1 => Role::Plain,
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
            (Kind::Pap, 1) | (Kind::Ap, 2) if self.field > 64 => Role::WideFunction,
            (Kind::Pap, 1) | (Kind::Ap, 2) => Role::Function,
            (Kind::Thread, 0) => Role::Stack,
            // Frames have roles of their own, which the node knows.
            (Kind::Stack, 1..) => Role::Scratch,
            (Kind::IndStatic, _) => Role::Lazy,
            (Kind::Pap, i) => argument(i - 2),
            (Kind::Ap, i) => argument(i - 3),
            (_, i) if i < self.ptrs => Role::Pointer,
            _ => Role::Plain,
        }
    }

    /// Whether this is the kind that selectors select from. Its fields never change.
    pub(super) fn is_lazy_pair(&self) -> bool {
        self.name == "lazy pair"
    }

    /// Whether the object is one that the client's function may replace.
    pub(super) fn is_redex(&self) -> bool {
        self.flags & FLAG_SHORTCUT != 0
    }

    /// Whether the object is a part of lazy programs; other operations leave it as it is.
    pub(super) fn is_lazy(&self) -> bool {
        (self.kind.number() >= Kind::Thunk.number() && self.kind.number() < Kind::Weak.number())
            || self.is_lazy_pair()
            || self.is_redex()
    }

    /// Whether objects of this kind are made and changed by calls of their own alone.
    pub(super) fn is_own(&self) -> bool {
        matches!(self.kind, Kind::Stack | Kind::StableName | Kind::Weak)
    }

    /// Whether the object is a weak pointer, in any of its three states.
    pub(super) fn is_weak(&self) -> bool {
        self.kind == Kind::Weak
    }

    pub(super) fn is_static(&self) -> bool {
        self.kind.is_in(Kinds::STATIC)
    }

    pub(super) fn arguments(&self) -> usize {
        self.field
    }

    pub(super) fn selected(&self) -> usize {
        self.field
    }

    /// Whether `barrow_update` may give the object a value.
    pub(super) fn is_updatable(&self) -> bool {
        self.kind.is_in(Kinds::UPDATABLE)
    }

    /// The length that the words of an object say, or 0.
    pub(super) fn length(&self, words: &[Word]) -> usize {
        match self.length_word().map(|index| words[index]) {
            Some(Word::Raw(length)) => length,
            _ => 0,
        }
    }
}
