//! Space and time by function: what each function allocates, keeps and takes, in programs as they were compiled.

pub(crate) mod allocation;
pub(crate) mod asked;
pub(crate) mod calls;
pub(crate) mod course;
pub(crate) mod figures;
pub(crate) mod files;
pub(crate) mod json;
pub(crate) mod kept;
pub(crate) mod kinds;
pub(crate) mod ledger;
pub(crate) mod live;
pub(crate) mod look;
pub(crate) mod naming;
pub(crate) mod options;
pub(crate) mod own;
pub(crate) mod profiler;
pub(crate) mod result;
pub(crate) mod rows;
pub(crate) mod ticks;
pub(crate) mod time;
pub(crate) mod wholes;
