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
//! - `census`: what is alive, by which identity
//! - `prof`: what happened, attributed to the program
//! - `report`: figures as text
//! - `runtime`: one heap handle: when to collect, how large things become, what is told
//! - `ffi`: the C surface

pub mod base;
pub mod block;
pub mod census;
pub mod ffi;
pub mod gc;
pub mod heap;
pub mod identity;
pub mod megablock;
pub mod os;
pub mod prof;
pub mod report;
pub mod runtime;
#[cfg(any(test, feature = "testkit"))]
pub mod testkit;
