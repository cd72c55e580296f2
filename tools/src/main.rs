//! The `barrow` command. Each subcommand is one file (or folder) under `cmd/`; this file only chooses.

mod cmd;
#[cfg(test)]
mod fuzz;
mod model;
mod read;
mod whole_file;

use std::process::ExitCode;

fn main() -> ExitCode {
    cmd::run(std::env::args_os().collect())
}
