//! `hpc`: coverage reports from `.tix` and `.mix` files, by the command lines of hpc 0.68 and a few more.
//!
//! `table` says what there is, `args` and `settings` what was asked, `find` reads the files; then one file for each
//! command. The rules of coverage are in `crate::coverage`, not here.

mod args;
mod classic;
mod draft;
pub mod export;
mod failure;
mod find;
pub mod help;
mod join;
mod markup;
mod output;
mod overlay;
mod page;
mod report;
mod settings;
mod show;
mod summary_page;
pub mod table;

use crate::out::{self, tell};
use failure::Failure;
pub use settings::Settings;
use std::ffi::OsString;
use std::process::ExitCode;
use table::CommandRow;

/// `arguments`: those after the name `hpc`.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let mut plain = Vec::new();
    for argument in arguments {
        match argument.into_string() {
            Ok(text) => plain.push(text),
            Err(raw) => {
                tell!("hpc: the argument {raw:?} is not valid UTF-8");
                return ExitCode::FAILURE;
            }
        }
    }
    let (row, rest) = choose(&plain);
    let mut out = String::new();
    let result = match row {
        Ok(row) => execute(row, rest, &mut out),
        Err(failure) => Err(failure),
    };
    let row = row_for_help(&plain);
    let (told, wrong) = result.as_ref().map_or_else(|failure| failure.print(row), |()| Default::default());
    out.push_str(&told);
    // A reader that has seen enough (`| head`) is no failure to talk about.
    let written = out::print(|to| to.write_all(out.as_bytes()));
    if let Some(line) = wrong.strip_suffix('\n') {
        tell!("{line}");
    }
    let status = out::ended("hpc", written);
    if result.is_ok() { status } else { ExitCode::FAILURE }
}

/// The command of a line, and what follows its name. A line that begins with a flag is one for `help`.
fn choose(line: &[String]) -> (Result<&'static CommandRow, Failure>, &[String]) {
    match line.split_first() {
        Some((name, rest)) if !name.starts_with('-') => {
            (table::command(name).ok_or_else(|| Failure::NoCommand(name.clone())), rest)
        }
        _ => (table::command("help").ok_or_else(|| Failure::NoCommand("help".to_string())), line),
    }
}

/// The command whose help goes with a failure.
fn row_for_help(line: &[String]) -> &'static CommandRow {
    choose(line).0.unwrap_or(&table::COMMANDS[0])
}

fn execute(row: &'static CommandRow, arguments: &[String], out: &mut String) -> Result<(), Failure> {
    let line = args::parse(row, arguments)?;
    let settings = Settings::of(&line.flags);
    match row.run {
        _ if settings.help => out.push_str(&help::command(row, true)),
        Some(run) => run(&settings, &line.operands, out)?,
        None if row.name == "version" => out.push_str("hpc tools, version 0.68\n"),
        None => help_on(line.operands.first(), out)?,
    }
    Ok(())
}

fn help_on(topic: Option<&String>, out: &mut String) -> Result<(), Failure> {
    match topic.map(String::as_str) {
        None => out.push_str(&help::overview()),
        Some("additions") => out.push_str(&help::additions()),
        Some(name) => match table::command(name) {
            Some(row) => out.push_str(&help::command(row, false)),
            None => return Err(Failure::NoCommand(name.to_string())),
        },
    }
    Ok(())
}
