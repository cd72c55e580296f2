//! One reader per file format; each turns bytes it does not trust into a model, or says at which line they are wrong.
//! A reader never touches the file system and never recurses on what it reads.

pub mod error;
#[cfg(test)]
mod fuzz;
pub mod haskell;
pub mod mix;
pub mod overlay;
pub mod tix;
