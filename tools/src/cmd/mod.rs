//! Chooses the subcommand: by the name the binary was called with (`hp2ps`, `hpc`), else by the first argument.
//! Exit status: 0 done, 1 the input was wrong, 2 the command line was wrong.

mod convert;
mod diff;
mod view;

use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;

/// Looks at what programs on the Barrow heap left behind.
#[derive(Parser)]
#[command(name = "barrow", version)]
struct Barrow {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Convert(convert::Convert),
    Diff(diff::Diff),
    View(view::View),
}

pub fn run(args: Vec<OsString>) -> ExitCode {
    match Barrow::try_parse_from(args) {
        Ok(barrow) => match barrow.command {
            Command::Convert(command) => convert::run(&command),
            Command::Diff(command) => diff::run(&command),
            Command::View(command) => view::run(&command),
        },
        Err(error) => {
            let _ = error.print();
            ExitCode::from(if error.use_stderr() { 2 } else { 0 })
        }
    }
}
