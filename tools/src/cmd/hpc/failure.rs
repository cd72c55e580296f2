//! How a command fails: what is printed, where, and the exit status (always 1, as hpc has it).

use super::help;
use super::table::CommandRow;
use crate::write::escape::visible;

#[derive(Debug)]
pub enum Failure {
    /// Wrong use: told on standard output, followed by the command's help.
    Usage(String),
    /// Wrong flags: each told on standard output, followed by the command's help.
    Flags(Vec<String>),
    /// No such command or help topic: told on standard output.
    NoCommand(String),
    /// Anything else: `hpc: TEXT` on standard error, in hpc's words, and below it ours, if they say more.
    Told { text: String, detail: Option<String> },
}

impl Failure {
    pub fn told(text: impl Into<String>) -> Failure {
        Failure::Told { text: text.into(), detail: None }
    }

    pub fn detailed(text: impl Into<String>, detail: impl Into<String>) -> Failure {
        Failure::Told { text: text.into(), detail: Some(detail.into()) }
    }

    /// What went wrong, for commands that have their own way of telling: our words if there are any.
    pub fn words(&self) -> String {
        match self {
            Failure::Usage(text) | Failure::NoCommand(text) => visible(text),
            Failure::Flags(wrong) => wrong.join(", "),
            Failure::Told { text, detail } => visible(detail.as_ref().unwrap_or(text)),
        }
    }

    /// Standard output and standard error.
    pub fn print(&self, command: &CommandRow) -> (String, String) {
        let help = || help::command(command, false);
        match self {
            Failure::Usage(text) => (format!("Error: {}\n{}", lines(text), help()), String::new()),
            Failure::Flags(wrong) => {
                let wrong: String = wrong.iter().map(|text| format!("  {text}\n")).collect();
                (format!("hpc failed:\n{wrong}\n\n{}", help()), String::new())
            }
            Failure::NoCommand(name) => (format!("no such hpc command : {}\n", visible(name)), String::new()),
            Failure::Told { text, detail } => {
                let detail = detail.as_ref().map_or(String::new(), |detail| format!("{}\n", lines(detail)));
                (String::new(), format!("hpc: {}\n{detail}", lines(text)))
            }
        }
    }
}

/// Messages hold names from files: only our own line breaks may break a line, and those callers write as such.
fn lines(text: &str) -> String {
    text.split('\n').map(visible).collect::<Vec<_>>().join("\n")
}
