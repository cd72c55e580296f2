//! `barrow view`: writes the page, or serves it and follows the files as they grow.

mod serve;

use crate::diff::ground;
use crate::out::{self, tell};
use crate::page::{self, Data};
use crate::read::ReadError;
use crate::read::any::{self, Input, Profile};
use crate::symbols::{Symbols, samples};
use clap::Args;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Makes one HTML page of heap and time profiles, to be opened in any browser
///
/// The page needs no network and no other file: it can be mailed or kept beside the profile. It takes heap profiles
/// (.hp), time and allocation reports (.prof), their JSON form, space by function (JSON), snapshots of the object graph, and
/// samples, whose calls get functions and lines where the program's file is still there; `-` reads from a pipe.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  barrow view leak.hp                         writes leak.html, and of leak.hy.hp leak.hy.html
  barrow view leak.hp -o - | gzip > page.gz   writes the page to a pipe
  barrow view leak.hp leak.prof               bands show the retainers or centres of their run
  barrow view before.hp after.hp --diff       what changed between two runs
  barrow view work.space.json                 space and time by function
  barrow view prog.snapshot                   what keeps which objects alive
  barrow view leak.hp --serve                 follows a program that is still running

In the page: drag to zoom, click a band to look at it closely, press ? for all keys.

Exit status: 0 done, 1 the input is wrong or the output can't be written, 2 the command line is wrong.")]
pub struct View {
    /// Profiles of one run (or, with --diff, of two)
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where to write the page [default: the first file's name, with .html in the place of .hp and the like, in the current folder]
    #[arg(short, long, value_name = "PAGE")]
    output: Option<PathBuf>,
    /// Show what changed from the first file to the second
    #[arg(long)]
    diff: bool,
    /// Serve the page on this machine alone, and update it whenever the files grow
    #[arg(long, conflicts_with = "output")]
    serve: bool,
    /// The port to serve on; 0 takes a free one
    #[arg(long, default_value_t = 0, requires = "serve")]
    port: u16,
}

pub fn run(view: &View) -> ExitCode {
    out::ended("barrow view", show(view))
}

fn show(view: &View) -> Result<(), String> {
    if view.diff && view.files.len() != 2 {
        return Err(format!("--diff compares two files, not {}", view.files.len()));
    }
    if view.serve {
        return serve::serve(&view.files, view.diff, view.port);
    }
    let output = view.output.clone().unwrap_or_else(|| page_name(&view.files[0]));
    out::not_over(&output, &view.files)?;
    let inputs = read_all(&view.files, view.diff)?;
    write_page(&inputs, view.diff, &output)
}

/// Also what `barrow diff --html` does.
pub fn write_page(inputs: &[Input], diff: bool, output: &Path) -> Result<(), String> {
    make_page(inputs, diff, output)?;
    if output.as_os_str() == "-" {
        return Ok(());
    }
    out::print(|out| writeln!(out, "{}", output.display()))
}

/// The page, and no word of it.
pub fn make_page(inputs: &[Input], diff: bool, output: &Path) -> Result<(), String> {
    page::fits(inputs)?;
    let page = Data::new(inputs, diff, None).page();
    out::write_to(output, |out| out.write_all(page.as_bytes()))
}

/// The files as they are now, on common ground if they are to be compared.
fn read_all(files: &[PathBuf], diff: bool) -> Result<Vec<Input>, String> {
    // One profile of each is compared.
    let open =
        |file: &PathBuf| if diff { any::open_all(file).map(|one| vec![one]) } else { any::open_each(file) };
    let inputs: Result<Vec<Vec<Input>>, ReadError> = files.iter().map(open).collect();
    let mut inputs = inputs.map_err(|error| error.to_string())?;
    inputs
        .iter_mut()
        .zip(files)
        .for_each(|(inputs, file)| inputs.iter_mut().for_each(|input| locate(input, file)));
    let mut inputs: Vec<Input> = inputs.into_iter().flatten().collect();
    for input in &inputs {
        input.notes.iter().for_each(|note| tell!("barrow view: {}: {note}", input.name));
    }
    if diff {
        let notes = ground::common(&mut inputs)?;
        notes.iter().for_each(|note| tell!("barrow view: {note}"));
        // The page of a difference says it too.
        inputs.iter_mut().last().into_iter().for_each(|last| last.notes.extend(notes.clone()));
    }
    Ok(inputs)
}

/// Gives the calls of samples their functions and lines, where the files of code are that were mapped: at their paths, beside the
/// profile or where libraries lie.
fn locate(input: &mut Input, file: &Path) {
    let Profile::Samples(sampled) = &mut input.profile else { return };
    let written = file.metadata().and_then(|metadata| metadata.modified()).ok();
    let beside = file.parent().unwrap_or(Path::new("")).to_owned();
    let mut symbols = Symbols::new(Vec::new(), vec![beside], written);
    samples::locate(sampled, &mut symbols);
    input.notes.extend(symbols.notes());
}

/// The endings of the names of profiles.
const ENDINGS: [&str; 11] = [
    ".hp",
    ".prof",
    ".stops",
    ".space",
    ".snapshot",
    ".ticky",
    ".pprof",
    ".pb",
    ".eventlog",
    ".json",
    ".biography",
];

/// The file's name with `.html` in the place of one ending. What is before that tells the profiles of one run apart, as `prog.hy.hp`
/// and `prog.hr.hp`.
fn page_name(first: &Path) -> PathBuf {
    let name = match first.file_name() {
        Some(name) if first.as_os_str() != "-" => name.as_bytes(),
        _ => b"profile",
    };
    let name = name.strip_suffix(b".gz").unwrap_or(name);
    let stem = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending.as_bytes())).unwrap_or(name);
    let mut page = OsStr::from_bytes(stem).to_owned();
    page.push(".html");
    page.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_one_run_have_names_of_their_own() {
        let pages = [
            ("leak.hp", "leak.html"),
            ("runs/prog.hy.hp", "prog.hy.html"),
            ("prog.2.hr.hp.gz", "prog.2.hr.html"),
            ("prog.prof", "prog.html"),
            ("work.space.json", "work.space.html"),
            ("prog-1.2", "prog-1.2.html"),
            ("-", "profile.html"),
        ];
        for (file, page) in pages {
            assert_eq!(page_name(Path::new(file)), Path::new(page), "{file}");
        }
    }
}
