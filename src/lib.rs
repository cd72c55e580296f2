//! Barrow.
pub mod base;
pub mod megablock;
pub mod os;
