//! The Rust surface: heaps for programs without `unsafe`.
//!
//! Owns the borrows that make misuse impossible: a `Root` borrows its `Mutator`, which borrows its `Heap`, and none of them
//! leaves its thread. A misuse that the types let through is refused with a sentence. Objects are made whole, from a
//! `Shape`, so the collector never meets one that is not filled. No hook of a client is called, so no call is made while
//! another runs. It names the host and what lies below; `ffi` has nothing to do with it.
//!
//! A heap stays in its thread:
//!
//! ```compile_fail,E0277
//! let heap = barrow::Heap::new("").unwrap();
//! std::thread::spawn(move || drop(heap));
//! ```
//!
//! A mutator stays in its thread too, even when it is only lent:
//!
//! ```compile_fail,E0277
//! let heap = barrow::Heap::new("").unwrap();
//! let mutator = heap.attach().unwrap();
//! std::thread::scope(|scope| drop(scope.spawn(|| mutator.safepoint())));
//! ```
//!
//! A root does not outlive its mutator, nor a mutator its heap:
//!
//! ```compile_fail,E0505
//! static UNIT: barrow::Shape = barrow::Shape::new(0, 1);
//! let heap = barrow::Heap::new("").unwrap();
//! let mutator = heap.attach().unwrap();
//! let unit = mutator.make(&UNIT, &[], &[1]).unwrap();
//! drop(mutator);
//! drop(unit);
//! ```
//!
//! Functions that follow a word wherever it leads are `unsafe`, or the library's own:
//!
//! ```compile_fail,E0603
//! barrow::heap::object::model::info_of(8);
//! ```
//!
//! ```compile_fail,E0624
//! struct Sink;
//! impl barrow::heap::SlotSink for Sink {
//!     fn pointer(&mut self, _: barrow::base::Addr) {}
//!     fn tagged(&mut self, _: barrow::base::Addr) {}
//! }
//! let mut visitor = barrow::heap::object::slots::Visitor::new(&mut Sink); // would outlive the sink
//! visitor.pointer(barrow::base::Addr(8));
//! ```

mod heap;
mod root;
mod shape;

pub use heap::{Heap, Mutator};
pub use root::Root;
pub use shape::{Shape, TypeName};
