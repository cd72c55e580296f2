//! The C surface. Functions here check and convert arguments, call one function below, and convert its outcome, in ten lines
//! at most.
//!
//! The files stand in the order of the header's sections, and the functions of a file in the order of the header
//! (`tests/ffi.rs`). Nothing here decides anything, except that no panic crosses the boundary [ffi.inv.no-panic].

pub(crate) mod guard;

// Versions, statuses and sentences.
pub mod table;
pub mod version;

// Heaps.
pub mod config;
pub mod default_heap;
pub mod fork;
pub mod heap;

// Flags.
pub mod flag;

// Objects.
pub mod info;

// Allocation.
pub mod alloc;
mod memory;

// Roots.
pub mod root;
pub mod stable;

// Roots of compiled code, by LLVM's stack maps.
pub mod compiled;

// Stores into old objects.
pub mod barrier;

// Collecting.
pub mod collect;

// Weak pointers, weak arrays, stable names.
pub mod names;
pub mod weak;

// Lazy evaluation.
pub mod lazy;

// Static objects and CAFs.
pub mod statics;

// Stacks and threads in the heap.
pub mod stack;
pub mod stack_parts;

// Statistics.
pub mod stats;

// Finding mistakes.
pub mod debug;

// The heap's own parts.
pub mod block;
pub mod state;

// Heap profiles.
pub mod census;
pub mod profile;
pub mod samples;
pub mod snapshot;

// Retainers.
pub mod retainer;

// Biographies.
pub mod biography;

// Cost centres.
pub mod cost;

// Time and allocation by cost centre.
pub mod cost_report;

// Space and time by function.
pub mod space;
pub mod walk;

// Ticky counters.
pub mod ticky;

// Coverage.
pub mod coverage;
pub mod mix;
