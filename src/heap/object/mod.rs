//! The object model: layouts, sizes, slots, and the kinds that have rules of their own.

pub mod array;
mod check;
pub(crate) mod header;
pub mod info;
pub mod kind;
pub(crate) mod lazy;
pub mod model;
pub(crate) mod naming;
pub(crate) mod own;
pub mod slots;
pub(crate) mod stack;
pub(crate) mod statics;
pub(crate) mod tags;
pub(crate) mod weak;
pub mod weak_array;
