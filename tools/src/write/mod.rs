//! Writers: one file per format, each from a model in memory to bytes. Writers decide nothing and know nothing of the
//! command line and nothing of the disk. docs/viewer.md says which program was seen to read each.

pub mod cobertura;
pub mod collapsed;
pub mod coverage_json;
pub mod coverage_text;
pub mod coverage_xml;
pub mod csv;
pub mod escape;
pub mod haskell;
pub mod heapsnapshot;
pub mod hp;
pub mod json;
pub mod lcov;
pub mod massif;
pub mod png;
pub mod pprof;
pub mod speedscope;
pub mod stacks;
pub mod svg;
pub mod tix;
pub mod trace;
