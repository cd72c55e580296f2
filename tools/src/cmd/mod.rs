//! Chooses the subcommand: by the name the binary was called with (`hp2ps`, `hpc`), else by the first argument.
//! Exit status: 0 done, 1 the input was wrong, 2 the command line was wrong.

mod hpc;

use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::path::Path;
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
    /// Coverage: reports, marked-up sources, sums (the name `hpc` works too)
    #[command(disable_help_flag = true)]
    Hpc {
        /// `barrow hpc help` lists the commands
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
        arguments: Vec<OsString>,
    },
}

pub fn run(args: Vec<OsString>) -> ExitCode {
    let name = args.first().map(Path::new).and_then(Path::file_stem);
    // hpc has its own syntax, in which even `--` means something: its arguments go past the parser here.
    if name.is_some_and(|name| name == "hpc") {
        return hpc::run(args.into_iter().skip(1));
    }
    if args.get(1).is_some_and(|first| first == "hpc") {
        return hpc::run(args.into_iter().skip(2));
    }
    match Barrow::try_parse_from(args) {
        Ok(barrow) => match barrow.command {
            Command::Hpc { arguments } => hpc::run(arguments.into_iter()),
        },
        Err(error) => {
            let _ = error.print();
            ExitCode::from(if error.use_stderr() { 2 } else { 0 })
        }
    }
}
