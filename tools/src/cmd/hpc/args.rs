//! Reads a command line by the table: long flags only, `--name=VALUE` or `--name VALUE`, cut short where that is
//! unambiguous, mixed with operands; `--` ends the flags.

use super::failure::Failure;
use super::help::flag_list;
use super::table::{CommandRow, Flag, FlagRow};

#[derive(Default, Debug)]
pub struct Line {
    pub flags: Vec<(Flag, String)>,
    pub operands: Vec<String>,
}

/// All that is wrong is told at once: first wrong uses of known flags, then unknown ones.
pub fn parse(command: &CommandRow, arguments: &[String]) -> Result<Line, Failure> {
    let mut line = Line::default();
    let (mut misused, mut unknown) = (Vec::new(), Vec::new());
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if argument == "--" {
            line.operands.extend(rest.by_ref().cloned());
        } else if let Some(long) = argument.strip_prefix("--") {
            let (name, value) =
                long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
            match matching(command, name)[..] {
                [] => unknown.push(argument.clone()),
                [row] => match (row.argument, value) {
                    (None, None) => line.flags.push((row.flag, String::new())),
                    (None, Some(_)) => misused.push(format!("option `--{name}' doesn't allow an argument")),
                    (Some(_), Some(value)) => line.flags.push((row.flag, value.to_string())),
                    (Some(what), None) => match rest.next() {
                        Some(value) => line.flags.push((row.flag, value.clone())),
                        None => misused.push(format!("option `--{name}' requires an argument {what}")),
                    },
                },
                ref several => {
                    let list = flag_list(several, false);
                    misused.push(format!(
                        "option `--{name}' is ambiguous; could be one of:\n{}",
                        list.trim_end()
                    ));
                }
            }
        } else if argument.len() > 1 && argument.starts_with('-') {
            // No flag has a short form.
            unknown.extend(argument.chars().skip(1).map(|letter| format!("-{letter}")));
        } else {
            line.operands.push(argument.clone());
        }
    }
    misused.extend(unknown.iter().map(|flag| format!("unrecognized option `{flag}'")));
    if misused.is_empty() { Ok(line) } else { Err(Failure::Flags(misused)) }
}

/// An exact name wins; otherwise every flag that begins so, but of the additions only exact ones.
fn matching(command: &CommandRow, name: &str) -> Vec<&'static FlagRow> {
    let exact = command.flags.iter().chain(command.additions).find(|flag| flag.row().name == name);
    match exact {
        Some(flag) => vec![flag.row()],
        None => {
            command.flags.iter().map(|flag| flag.row()).filter(|row| row.name.starts_with(name)).collect()
        }
    }
}
