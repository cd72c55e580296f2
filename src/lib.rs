//! Barrow.
pub mod base;
pub mod block;
pub mod ffi;
pub mod gc;
pub mod heap;
pub mod megablock;
pub mod os;
pub mod prof;
pub mod report;
pub mod runtime;
#[cfg(any(test, feature = "testkit"))]
pub mod testkit;
