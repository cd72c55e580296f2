//! `barrow completions`: what a shell needs to complete the command line.

use super::described;
use crate::out;
use clap::Args;
use clap_complete::Shell;
use std::process::ExitCode;

/// Print completions for a shell
#[derive(Args)]
#[command(after_help = "\
Examples:
  barrow completions bash > ~/.local/share/bash-completion/completions/barrow
  barrow completions zsh > ~/.zfunc/_barrow
  barrow completions fish > ~/.config/fish/completions/barrow.fish

Exit status: 0 printed, 1 it could not be printed, 2 the command line is wrong.")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

pub fn run(wanted: &Completions) -> ExitCode {
    let mut text = Vec::new();
    clap_complete::generate(wanted.shell, &mut described::barrow(), "barrow", &mut text);
    out::ended("barrow completions", out::print(|out| out.write_all(&text)))
}
