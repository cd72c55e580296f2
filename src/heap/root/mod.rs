//! Roots, from which objects are reached: frames, native stacks by their maps, registered ranges, handles, and numbers
//! that stay.

pub(crate) mod each;
pub mod frame;
pub(crate) mod ids;
pub(crate) mod native;
pub(crate) mod registered;
pub(crate) mod stable;
pub(crate) mod stack_map;
mod stack_map_read;
