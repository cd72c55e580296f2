//! Chooses the subcommand: by the name the binary was called with (`hp2ps`, `hpc`), else by the first argument.
//! Exit status: 0 done, 1 the input was wrong, 2 the command line was wrong.

mod check;
mod completions;
mod convert;
mod demo;
mod described;
mod diff;
mod found;
mod hp2ps;
mod hpc;
mod man;
mod resolve;
mod run;
mod snapshot;
mod top;
mod view;

use crate::out::{self, tell};
use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// Looks at what programs on the Barrow heap left behind.
#[derive(Parser)]
#[command(
    name = "barrow",
    version,
    after_help = "\
Examples:
  barrow demo                 see the heap at work
  barrow run ./prog           run a program with heap profiles, and see what they found
  barrow view prog.hp         a page of a heap profile, for any browser
  barrow top prog.hp -f       its bands in the terminal, as the program runs
  barrow diff old.hp new.hp   what changed between two runs
  barrow hpc report prog.tix  coverage

`barrow COMMAND --help` has examples for each command; `barrow man DIR` writes all of it as manual pages."
)]
struct Barrow {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Convert(convert::Convert),
    Diff(diff::Diff),
    View(view::View),
    /// Checks files strictly: FILE:LINE: what is wrong
    Check(check::Check),
    /// Draws a heap profile (.hp) as a PostScript page; `barrow hp2ps -?` explains its flags
    #[command(disable_help_flag = true)]
    Hp2ps {
        /// Flags and file, as the hp2ps of GHC takes them
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<OsString>,
    },
    /// Coverage: reports, marked-up sources, sums (the name `hpc` works too)
    #[command(disable_help_flag = true)]
    Hpc {
        /// `barrow hpc help` lists the commands
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
        arguments: Vec<OsString>,
    },
    Demo(demo::Demo),
    /// Shows the bands of a heap profile in the terminal, once or as the file grows
    Top(top::Top),
    Run(run::Run),
    Resolve(resolve::Resolve),
    Completions(completions::Completions),
    Man(man::Man),
}

const OF_GDB: [&str; 6] = ["object", "info", "frames", "why", "moved", "use"];

pub fn run(args: Vec<OsString>) -> ExitCode {
    if called_as(&args, "hp2ps") {
        return hp2ps::run(&args[1..]);
    }
    // hpc has its own syntax, in which even `--` means something: its arguments go past the parser here.
    if called_as(&args, "hpc") {
        return hpc::run(args.into_iter().skip(1));
    }
    match args.get(1) {
        Some(first) if first == "hpc" => return hpc::run(args.into_iter().skip(2)),
        Some(first) if first == "hp2ps" => return hp2ps::run(&args[2..]),
        _ => {}
    }
    // gdb has a command of this name (packaging/gdb).
    if let Some(word) = args.get(1).and_then(|word| word.to_str()).filter(|word| OF_GDB.contains(word)) {
        tell!("barrow: {word} is a command of gdb's `barrow`, and none of the shell's: docs/debugging.md");
        return ExitCode::from(2);
    }
    match Barrow::try_parse_from(args) {
        Ok(barrow) => match barrow.command {
            Command::Convert(command) => convert::run(&command),
            Command::Diff(command) => diff::run(&command),
            Command::View(command) => view::run(&command),
            Command::Check(check) => check::run(&check),
            Command::Hp2ps { args } => hp2ps::run(&args),
            Command::Hpc { arguments } => hpc::run(arguments.into_iter()),
            Command::Demo(demo) => demo::run(&demo),
            Command::Top(top) => top::run(&top),
            Command::Run(wanted) => run::run(&wanted),
            Command::Resolve(resolve) => resolve::run(&resolve),
            Command::Completions(wanted) => completions::run(&wanted),
            Command::Man(man) => man::run(&man),
        },
        Err(error) => {
            if error.use_stderr() {
                // With the colours of the terminal; there is nobody to be told that nobody reads it.
                let _ = error.print();
                return ExitCode::from(2);
            }
            out::ended("barrow", error.print().and_then(|()| io::stdout().flush()).or_else(out::printed))
        }
    }
}

/// How many rows a table has, of an option.
fn rows(text: &str) -> Result<usize, &'static str> {
    text.parse().map_err(|_| "it takes how many rows, 0 for all")
}

/// Whether the binary was started under this name, through a link or a copy.
fn called_as(args: &[OsString], name: &str) -> bool {
    args.first().and_then(|path| Path::new(path).file_stem()).is_some_and(|stem| stem == name)
}
