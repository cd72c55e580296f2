//! The `barrow` command. Each subcommand is one file (or folder) under `cmd/`; this file only chooses.

#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))] // see src/out.rs

mod band_name;
mod cmd;
mod coverage;
mod diff;
mod draw;
#[cfg(test)]
mod fuzz;
mod graph;
mod joined;
mod large_pages;
mod model;
mod moment;
mod out;
mod page;
mod prof;
mod read;
mod sampled;
mod sort;
mod space;
mod stops;
mod symbols;
mod whole_file;
mod write;

use std::process::ExitCode;

fn main() -> ExitCode {
    cmd::run(std::env::args_os().collect())
}
