//! Coverage: how often each box of a module was entered, and the files that say so.

pub(crate) mod mix;
pub mod modules;
pub(crate) mod program;
pub(crate) mod tix;
pub mod tix_read;
