//! The C surface. Functions here check and convert arguments, call one function below, and convert its outcome.
//!
//! One file per section of the header. Nothing here decides anything, except that no panic crosses the boundary
//! [ffi.inv.no-panic].

pub mod alloc;
pub mod barrier;
pub mod biography;
pub mod block;
pub mod census;
pub mod collect;
pub mod compiled;
pub mod config;
pub mod cost;
pub mod cost_report;
pub mod coverage;
pub mod debug;
pub mod default_heap;
pub mod flag;
pub mod fork;
pub(crate) mod guard;
pub mod heap;
pub mod info;
pub mod lazy;
pub mod mix;
pub mod names;
pub mod profile;
pub mod retainer;
pub mod root;
pub mod snapshot;
pub mod space;
pub mod stable;
pub mod stack;
pub mod state;
pub mod statics;
pub mod stats;
pub mod table;
pub mod ticky;
pub mod version;
pub mod walk;
pub mod weak;
