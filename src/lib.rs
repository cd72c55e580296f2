//! Barrow.
pub mod base;
pub mod block;
pub mod megablock;
pub mod os;
