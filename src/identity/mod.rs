//! Identities: numbers from tables of the whole process that only grow, and the names that go with them;
//! names are copied, so that a report never reads a client's memory.
//!
//! Owns the rule that a number, once given, means the same thing until the process ends [identity.number].
//! There are no counters here: those belong to a heap, and are arrays indexed by number. Knows no heap
//! either: callers that have an object's table ask for its number.

use std::sync::MutexGuard;

mod areas;
mod beside;
pub mod ccs;
pub mod cost_centre;
mod edges;
pub mod function;
pub(crate) mod info;
pub(crate) mod maker;
pub(crate) mod names;
mod numbered;
mod path;
pub(crate) mod printed;
pub(crate) mod producer;
pub(crate) mod site;
mod stack;
pub(crate) mod stacks;
#[cfg(test)]
mod tests;
mod text;

pub use ccs::Ccs;
pub use cost_centre::CostCentre;
pub use names::Name;

/// The locks of this layer.
pub struct Held {
    _stacks: MutexGuard<'static, ccs::Known>,
    _centres: MutexGuard<'static, numbered::State>,
    _functions: MutexGuard<'static, numbered::State>,
    _infos: MutexGuard<'static, info::Infos>,
    _names: names::Names,
    _sites: Option<MutexGuard<'static, site::Sites>>,
}

/// Takes all locks of this layer, before a process is copied.
pub(crate) fn hold() -> Held {
    Held {
        _stacks: ccs::hold(),
        _centres: cost_centre::hold(),
        _functions: function::hold(),
        _infos: info::hold(),
        _names: names::names(),
        _sites: planted!(498, None, Some(site::hold())),
    }
}
