//! The command as its users run it, one file for each thing that it does. One program has them all: each more would be linked
//! with the library and the packages for itself, and run while no other does.

#[path = "../common/mod.rs"]
mod common;
#[path = "../../../tests/support/heaps.rs"]
mod heaps;
mod hpc_support;

// Tests begin in the order of their names: first the one that waits longest.
#[path = "serve.rs"]
mod a_server;

mod biography;
mod check_and_top;
mod convert;
mod convert_hostile;
mod convert_large;
mod demo;
mod diff;
mod eventlog;
mod hp2ps_fixtures;
mod hp2ps_foreign;
mod hpc_additions;
mod hpc_foreign;
mod hpc_hostile;
mod hpc_large;
mod hpc_manifest;
mod kinds;
mod malformed;
mod manual;
mod outputs;
mod pprof;
mod resolve;
mod run;
mod samples;
mod snapshot;
mod top_screen;
mod window;
