//! Barrow: a generational heap with profilers, as a C library that compilers link.
//!
//! Layers, each of which uses only those before it (`tests/layering.rs`, docs/design/00-map.md):
//!
//! - `base`: words that all layers share, and containers that never abort
//! - `os`: the only place that asks the operating system for anything
//! - `megablock`: aligned megablocks, and what lies at an address
//! - `block`: blocks, groups, descriptors
//! - `identity`: what things are called, numbered for the whole process
//! - `heap`: the object model, nursery, pools, steps, remembering, roots
//! - `gc`: one collection
//! - `report`: figures as text
//! - `runtime`: one heap handle: when to collect, how large things become, what is told
//! - `profile`: the profilers, a folder for each
//! - `host`: the handle that ties a runtime to its profilers
//! - `rust`: the Rust surface
//! - `ffi`: the C surface
//!
//! A program in Rust uses `Heap`, and needs no `unsafe` (docs/rust.md):
//!
//! ```
//! #![forbid(unsafe_code)]
//! use barrow::runtime::collect::Reason;
//! use barrow::{Heap, Shape};
//!
//! static PAIR: Shape = Shape::new(1, 1);
//!
//! fn main() {
//!     let heap = Heap::new("-A1m").unwrap();
//!     let mutator = heap.attach().unwrap();
//!     let mut list = None;
//!     for number in 0..1000 {
//!         list = Some(mutator.make(&PAIR, &[list.as_ref()], &[number]).unwrap());
//!     }
//!     mutator.collect(Reason::Major).unwrap();
//!     assert_eq!(heap.live_words().unwrap(), 3000);
//!     assert_eq!(list.unwrap().word(0).unwrap(), 999);
//!     mutator.collect(Reason::Major).unwrap();
//!     assert_eq!(heap.live_words().unwrap(), 0); // nothing was in a root
//! }
//! ```

#![warn(unreachable_pub)]

#[macro_use]
pub mod base;
pub(crate) mod block;
pub mod ffi;
pub(crate) mod gc;
pub mod heap;
pub mod host;
pub mod identity;
pub(crate) mod megablock;
pub mod os;
pub mod profile;
pub mod report;
pub mod runtime;
mod rust;
#[cfg(any(test, feature = "testkit"))]
pub mod testkit;

pub use rust::{Heap, Mutator, Root, Shape, TypeName};
