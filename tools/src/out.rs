//! Where a command's output goes: a file, whole or not at all, or standard output; and what it tells beside it, on
//! standard error. No command prints in any other way, because `println!` and `tell!` panic when nobody reads.

use crate::whole_file;
use barrow::base::Shown;
use std::fmt;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Writes the file `path`, or standard output for `-`.
pub fn write_to(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), String> {
    if path.as_os_str() == "-" {
        return print(write);
    }
    whole_file::write(path, write).map_err(|error| format!("{}: {error}", path.display()))
}

/// Refuses an output that is one of the files it is made from, by whatever name.
pub fn not_over<'a>(output: &Path, inputs: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), String> {
    let Ok(there) = output.metadata() else { return Ok(()) };
    let is_it = |input: &&PathBuf| {
        input
            .metadata()
            .is_ok_and(|input| input.is_file() && (input.dev(), input.ino()) == (there.dev(), there.ino()))
    };
    match inputs.into_iter().find(is_it) {
        Some(input) => Err(format!(
            "{}: what is made of {} would take its place: name another file",
            output.display(),
            input.display()
        )),
        None => Ok(()),
    }
}

/// Writes standard output.
pub fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), String> {
    let mut out = BufWriter::new(io::stdout().lock());
    let written = write(&mut out).and_then(|()| out.flush());
    // A buffer that could not be written would be tried again when it is dropped.
    drop(out.into_parts());
    written.or_else(printed)
}

/// Refuses what is no text where it would be shown.
pub fn not_to_a_terminal() -> Result<(), String> {
    if io::stdout().is_terminal() {
        return Err("this format is not text; name a file with -o".into());
    }
    Ok(())
}

/// Whether a terminal is there that can be drawn on: a dumb one, as editors have, shows commands to it as text.
pub fn can_draw(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("TERM").is_none_or(|kind| kind != "dumb")
}

/// What a failure on standard output means for the command: whoever reads our output may stop reading, as
/// `barrow check … | head` does, and that is none.
pub fn printed(error: io::Error) -> Result<(), String> {
    if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(format!("standard output: {error}")) }
}

/// A line on standard error, in one piece. There is nobody to be told that nobody reads it.
pub fn line_on_stderr(words: fmt::Arguments<'_>) {
    // Names from files are in it; its own lines stay lines.
    let words = words.to_string();
    let lines: Vec<_> = words.split('\n').map(|line| Shown::whole(line.as_bytes()).to_string()).collect();
    let _ = io::stderr().write_all(format!("{}\n", lines.join("\n")).as_bytes());
}

/// `tell!` that does not panic.
macro_rules! tell {
    ($($words:tt)*) => {
        $crate::out::line_on_stderr(format_args!($($words)*))
    };
}
pub(crate) use tell;

/// "1 sample", "2 samples".
pub fn counted(count: usize, what: &'static str) -> impl fmt::Display {
    Counted(count, what)
}

struct Counted(usize, &'static str);

impl fmt::Display for Counted {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}{}", self.0, self.1, if self.0 == 1 { "" } else { "s" })
    }
}

/// Says that the last sample of a heap profile is not in what is written.
pub fn tell_of_cut(command: &str, file: &str, line: u64) {
    tell!("{command}: {file}:{line}: the file ends within this sample; left out");
}

/// How a command ends: well, or with a sentence about what went wrong.
pub fn ended(command: &str, result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            tell!("{command}: {message}");
            ExitCode::FAILURE
        }
    }
}
