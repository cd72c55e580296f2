//! Snapshots: the whole graph of live objects, in a file, and the path that keeps one object alive.

pub(crate) mod answers;
pub(crate) mod file;
pub(crate) mod graph;
pub(crate) mod path;
