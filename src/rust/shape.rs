//! The shape of objects: pointers, then plain words. It is a static of the program, and the library numbers it.

use crate::base::Addr;
use crate::heap::object::info::{Info, Kind, Names};
use std::cell::UnsafeCell;
use std::ffi::CStr;
use std::ptr::null;

/// The name by which profiles call objects.
pub struct TypeName(Names);

// SAFETY: the texts live for ever and are never written.
unsafe impl Sync for TypeName {}

impl TypeName {
    pub const fn new(name: &'static CStr) -> TypeName {
        let name = name.as_ptr();
        TypeName(Names { description: name, type_name: name, module: null(), source: null() })
    }
}

/// A layout of objects. In a cell, since the library writes its number into the table: a static that is not would lie in
/// memory that cannot be written.
pub struct Shape(UnsafeCell<Info>);

// SAFETY: nothing in the table changes but its number, which is written by compare-and-swap.
unsafe impl Sync for Shape {}

impl Shape {
    /// Objects of `pointers` references and `words` plain words. The references stay as they were made.
    pub const fn new(pointers: u32, words: u32) -> Shape {
        Shape::of(Kind::Constr, pointers, words)
    }

    /// As `new`, for objects whose references change.
    pub const fn variable(pointers: u32, words: u32) -> Shape {
        Shape::of(Kind::MutVar, pointers, words)
    }

    /// Names the shape.
    pub const fn named(self, name: &'static TypeName) -> Shape {
        let mut info = self.0.into_inner();
        info.names = &raw const name.0;
        Shape(UnsafeCell::new(info))
    }

    const fn of(kind: Kind, ptrs: u32, words: u32) -> Shape {
        Shape(UnsafeCell::new(Info::plain(kind, ptrs, words)))
    }

    pub(super) fn address(&'static self) -> Addr {
        Addr(self.0.get() as usize)
    }

    /// The number of references, and of plain words behind them.
    pub(super) fn fields(&self) -> (usize, usize) {
        // SAFETY: these two never change; no reference to the table's number is made.
        unsafe { ((*self.0.get()).ptrs as usize, (*self.0.get()).words as usize) }
    }
}
