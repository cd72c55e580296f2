//! Objects in blocks: their layouts, their allocation, and remembered writes. No tracing here.
//!
//! Owns the object model: sizes and slots are told here and nowhere else [heap.one-layout]. When there is no room it
//! says so; it never calls the collector and names no profiler.

pub(crate) mod aside;
pub mod mutator;
pub mod object;
pub mod root;
pub mod space;

pub use mutator::state::Mutator;
pub use mutator::window::Window;
pub use object::info::{Info, Kind};
pub use object::model::Model;
pub use object::slots::SlotSink;
pub use object::tags::Tags;
pub use space::store::Store;
