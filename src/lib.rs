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
//! - `ffi`: the C surface
//!
//! A Rust host uses `Host`, as `ffi` does. A function without `unsafe` in its signature refuses misuse with a
//! sentence; the words that the host stores into objects are not checked (docs/rust.md):
//!
//! ```
//! use barrow::base::flag::Flags;
//! use barrow::heap::object::info::{INFO_VERSION, Info, Kind};
//! use barrow::host::Host;
//! use barrow::runtime::collect::Reason;
//! use barrow::runtime::heap::Values;
//! use barrow::runtime::hooks::Hooks;
//!
//! // Writable: the library numbers it.
//! static mut PAIR: Info = Info {
//!     size: size_of::<Info>() as u16,
//!     version: INFO_VERSION,
//!     id: 0,
//!     entry: None,
//!     kind: Kind::Constr as u8,
//!     flags: 0,
//!     field: 0,
//!     ptrs: 1,
//!     words: 1,
//!     reserved: 0,
//!     bitmap: 0,
//!     large: std::ptr::null(),
//!     custom: std::ptr::null(),
//!     srt: std::ptr::null(),
//!     names: std::ptr::null(),
//! };
//!
//! fn main() {
//!     let values = Values { tagged_pointers: 0, address_mask: 0, address_offset: 0, alignment: 8 };
//!     let mut heap = Host::new(Flags::parse("-A1m").unwrap(), values, Hooks::default()).unwrap();
//!     let mutator = heap.attach().unwrap();
//!     for number in 0..1000 {
//!         let pair = heap.allocate_in_nursery(mutator, 3, 0).unwrap();
//!         // SAFETY: three words were just taken; they are filled before anything else may collect.
//!         unsafe {
//!             pair.store(&raw const PAIR as usize);
//!             pair.plus_words(1).store(0);
//!             pair.plus_words(2).store(number);
//!         }
//!     }
//!     heap.collect_for(mutator, Reason::Major).unwrap();
//!     assert_eq!(heap.live_words(), 0); // nothing was in a root
//!     heap.detach(mutator).unwrap();
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
#[cfg(any(test, feature = "testkit"))]
pub mod testkit;
