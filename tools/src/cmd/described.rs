//! The whole command line as one description, for completions and manual pages. `hp2ps` and `hpc` have a syntax of
//! their own, which their own parsers read; here they are described from the same texts and tables as their help.

use super::hp2ps::flags;
use super::hpc;
use clap::{Arg, ArgAction, Command, CommandFactory, ValueHint};

pub fn barrow() -> Command {
    let mut whole = super::Barrow::command().mut_subcommand("hp2ps", described_hp2ps);
    whole = whole.mut_subcommand("hpc", described_hpc);
    whole.build();
    whole
}

fn described_hp2ps(command: Command) -> Command {
    let about = command.get_about().cloned().unwrap_or_default();
    let mut own = Command::new("hp2ps").about(about).disable_help_flag(true);
    for line in flags::USAGE.lines() {
        let Some((flag, words)) = line.strip_prefix("  -").and_then(|rest| rest.split_once("  ")) else {
            continue;
        };
        let Some(letter) = flag.chars().next() else { continue };
        let name: &'static str = &flag[..letter.len_utf8()];
        let takes = if flag == name { ArgAction::SetTrue } else { ArgAction::Set };
        own = own.arg(Arg::new(name).short(letter).action(takes).help(words.trim()));
    }
    own.arg(Arg::new("FILE").value_hint(ValueHint::FilePath))
}

fn described_hpc(command: Command) -> Command {
    let about = command.get_about().cloned().unwrap_or_default();
    let mut own = Command::new("hpc").about(about).disable_help_flag(true).disable_help_subcommand(true);
    for row in hpc::table::COMMANDS {
        let mut one = Command::new(row.name).about(row.summary).disable_help_flag(true);
        for flag in row.flags.iter().chain(row.additions).map(|flag| flag.row()) {
            let takes = if flag.argument.is_some() { ArgAction::Append } else { ArgAction::SetTrue };
            let mut arg = Arg::new(flag.name).long(flag.name).action(takes).help(flag.help.join("; "));
            if let Some(name) = flag.argument {
                arg = arg.value_name(name);
            }
            one = one.arg(arg);
        }
        own = own.subcommand(one.arg(Arg::new("FILE").num_args(0..).value_hint(ValueHint::FilePath)));
    }
    own
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_description_is_well_formed() {
        super::barrow().debug_assert();
    }

    #[test]
    fn every_help_has_examples_and_says_what_the_exit_status_means() {
        for command in super::barrow().get_subcommands_mut() {
            if ["help", "hpc", "hp2ps"].contains(&command.get_name()) {
                continue;
            }
            let help = command.render_long_help().to_string();
            assert!(help.contains("Exit status: 0 "), "{}: no exit status", command.get_name());
            assert!(help.contains("Examples:\n"), "{}: no examples", command.get_name());
        }
    }

    #[test]
    fn every_flag_of_the_old_tools_is_described() {
        let whole = super::barrow();
        let hp2ps = whole.find_subcommand("hp2ps").unwrap();
        let letters: String = hp2ps.get_arguments().filter_map(|arg| arg.get_short()).collect();
        assert_eq!(letters, "bscdieglmMptwy?");
        let hpc = whole.find_subcommand("hpc").unwrap();
        assert_eq!(hpc.get_subcommands().count(), super::hpc::table::COMMANDS.len());
        let markup = hpc.find_subcommand("markup").unwrap();
        assert!(markup.get_arguments().any(|arg| arg.get_long() == Some("destdir")));
    }
}
