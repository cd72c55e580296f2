//! Objects in blocks: what they look like, where they are made, what is remembered of writes. No tracing here.
//!
//! Owns the object model: sizes and slots are told here and nowhere else [heap.one-layout]. When there is no room it says so (`Need`); it never calls the collector and names no
//! profiler.

pub mod array;
pub mod booking;
pub mod counted_entry;
pub mod counting;
pub mod each_root;
pub mod info;
pub mod lazy;
pub mod model;
pub mod mutator;
pub mod names;
pub mod naming;
pub mod native;
pub mod nursery;
pub mod own;
pub mod pinned;
pub mod pool;
pub mod remember;
pub mod root;
pub mod side;
mod sides;
pub mod space;
pub mod stable;
pub mod stack;
pub mod stack_map;
mod stack_map_read;
pub mod statics;
pub mod store;
pub mod tags;
pub mod ticky;
pub mod weak;
pub mod weak_array;
pub mod window;

pub use info::{Info, Kind};
pub use model::{Model, SlotSink};
pub use mutator::Mutator;
pub use store::Store;
pub use tags::Tags;
pub use window::Window;
