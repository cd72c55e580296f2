//! `barrow completions`: scripts by which a shell completes the command's own line, and the flags of programs that use the library.

mod programs;

use super::described;
use crate::out::{self, tell};
use clap::Args;
use clap_complete::Shell;
use std::process::ExitCode;

/// Prints completions for a shell
#[derive(Args)]
#[command(after_help = "\
Examples:
  barrow completions bash > ~/.local/share/bash-completion/completions/barrow
  barrow completions zsh > ~/.zfunc/_barrow
  barrow completions fish > ~/.config/fish/completions/barrow.fish
  barrow completions bash --for scheme > ~/.local/share/bash-completion/completions/scheme
  barrow completions zsh --for scheme --for ml > ~/.zfunc/_scheme
  barrow completions fish --for scheme > ~/.config/fish/completions/scheme.fish

A file has the name of the program that --for names first. Zsh looks for it in a folder of
fpath: `fpath=(~/.zfunc $fpath)` stands before `compinit` in ~/.zshrc. Bash and fish look for a
file by each program's name, so that a second one has a file (or a link) of its own.

Exit status: 0 printed, 1 it could not be printed, 2 the command line is wrong.")]
pub struct Completions {
    /// The shell
    shell: Shell,
    /// Complete the library's flags, between +RTS and -RTS, for this program of yours instead
    #[arg(long = "for", value_name = "PROGRAM")]
    programs: Vec<String>,
}

pub fn run(wanted: &Completions) -> ExitCode {
    if !wanted.programs.is_empty() {
        return match programs::script(wanted.shell, &wanted.programs) {
            Ok(text) => out::ended("barrow completions", out::print(|out| out.write_all(text.as_bytes()))),
            Err(wrong) => {
                tell!("barrow completions: {wrong}");
                ExitCode::from(2)
            }
        };
    }
    let mut text = Vec::new();
    clap_complete::generate(wanted.shell, &mut described::barrow(), "barrow", &mut text);
    out::ended("barrow completions", out::print(|out| out.write_all(&text)))
}
