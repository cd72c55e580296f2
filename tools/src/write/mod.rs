//! Writers: one file per foreign format, each from a profile in memory to bytes. Writers know nothing of files or of
//! the command line. docs/viewer.md says which program was seen to read each.

pub mod collapsed;
pub mod csv;
pub mod hp;
pub mod json;
pub mod massif;
pub mod png;
pub mod pprof;
pub mod speedscope;
pub mod stacks;
pub mod svg;
pub mod trace;
