//! `barrow completions`: what a shell needs to complete the command line.

use super::described;
use clap::Args;
use clap_complete::Shell;
use std::io::{self, Write};
use std::process::ExitCode;

/// Print completions for a shell
#[derive(Args)]
#[command(after_help = "\
Examples:
  barrow completions bash > ~/.local/share/bash-completion/completions/barrow
  barrow completions zsh > ~/.zfunc/_barrow
  barrow completions fish > ~/.config/fish/completions/barrow.fish

Exit status: 0 printed, 1 nobody took all of it, 2 the command line is wrong.")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

pub fn run(wanted: &Completions) -> ExitCode {
    let mut text = Vec::new();
    clap_complete::generate(wanted.shell, &mut described::barrow(), "barrow", &mut text);
    // A reader that has seen enough is no failure to talk about.
    match io::stdout().write_all(&text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
