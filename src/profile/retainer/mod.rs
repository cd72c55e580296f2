//! Retainer sets: for each live object, the set of the retainers from which it can be reached without meeting
//! another retainer.
//!
//! Owns: the sets are the least solution of the equations of the reference, whatever the order of the walk
//! [profile.inv.retainers]: a root's retainer is in the root's set, and an object passes itself on to its
//! successors when it is a retainer, else its own set. A set that would have more members than the limit is
//! MANY, which has every retainer as a member, so no object is visited more often than the limit and once
//! more.
//!
//! A `Scheme` says which objects are retainers, what they are called, and what an object costs.

pub(crate) mod edges;
pub(crate) mod figures;
pub(crate) mod files;
pub(crate) mod profile;
pub(crate) mod scheme;
pub(crate) mod set;
pub(crate) mod walk;

pub(crate) use set::{Retainer, SetId, Sets};
pub(crate) use walk::{Figures, Scheme, Walk};
