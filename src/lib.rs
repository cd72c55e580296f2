//! Barrow.
pub mod base;
pub mod block;
pub mod heap;
pub mod megablock;
pub mod os;
