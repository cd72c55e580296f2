//! Coverage: the number of entries of each box of a module, and the files for it.

pub(crate) mod mix;
pub mod modules;
pub(crate) mod program;
pub(crate) mod tix;
pub mod tix_read;
