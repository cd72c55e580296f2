//! Writers of the native formats: data to bytes, and what they wrote back to data. No heap, no clock, no file.

pub mod haskell;
pub mod mix;
pub mod tix;
pub mod tix_read;
