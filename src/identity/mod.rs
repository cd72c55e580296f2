//! What things are called. Each gets a number from a table of the whole process that only grows; names are copied, so
//! that a report never reads a client's memory.
//!
//! Owns the rule that a number, once given, means the same thing until the process ends [identity.number]. There are
//! no counters here: those belong to a heap, and are arrays indexed by number. Knows no heap either: whoever has an
//! object's table asks for its number.

use crate::base::List;
use std::sync::MutexGuard;

mod areas;
pub mod ccs;
pub mod cost_centre;
mod edges;
pub mod function;
pub mod info;
pub mod maker;
pub mod names;
mod numbered;
mod path;
pub mod producer;
pub mod site;
pub mod stacks;
#[cfg(test)]
mod tests;
mod text;

pub use ccs::Ccs;
pub use cost_centre::CostCentre;
pub use names::Name;

/// Every lock of this layer.
pub struct Held {
    _stacks: MutexGuard<'static, ccs::Known>,
    _centres: MutexGuard<'static, numbered::State>,
    _functions: MutexGuard<'static, numbered::State>,
    _infos: MutexGuard<'static, List<info::InfoNames>>,
    _names: MutexGuard<'static, names::NameTable>,
}

/// Keeps everybody else out, until it is dropped: before a process is copied.
pub fn hold() -> Held {
    Held {
        _stacks: ccs::hold(),
        _centres: cost_centre::hold(),
        _functions: function::hold(),
        _infos: info::hold(),
        _names: names::names(),
    }
}
