//! One writer per file format: each turns a model into text and decides nothing. `file` alone touches the disk.

pub mod cobertura;
pub mod coverage_json;
pub mod coverage_text;
pub mod coverage_xml;
pub mod escape;
pub mod file;
pub mod haskell;
pub mod lcov;
pub mod tix;
