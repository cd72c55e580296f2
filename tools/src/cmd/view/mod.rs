//! `barrow view`: writes the page, or serves it and follows the files as they grow.

mod serve;

use crate::out;
use crate::page::Data;
use crate::read::ReadError;
use crate::read::any::{self, Input};
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// Makes one HTML page of heap and time profiles, to be opened in any browser
///
/// The page needs no network and no other file: it can be mailed or kept beside the profile. It takes heap profiles
/// (.hp), time and allocation reports (.prof), their JSON form, and space by function (JSON); `-` reads from a pipe.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  barrow view leak.hp                         writes leak.html
  barrow view leak.hp -o - | gzip > page.gz   writes the page to a pipe
  barrow view leak.hp leak.prof               bands show the retainers or centres of their run
  barrow view before.hp after.hp --diff       what changed between two runs
  barrow view work.space.json                 space and time by function
  barrow view leak.hp --serve                 follows a program that is still running

In the page: drag to zoom, click a band to look at it closely, press ? for all keys.

Exit status: 0 done, 1 the input is wrong or the output can't be written, 2 the command line is wrong.")]
pub struct View {
    /// Profiles of one run (or, with --diff, of two)
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where to write the page [default: the first file's name with .html, in the current folder]
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
    match show(view) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("barrow view: {message}");
            ExitCode::FAILURE
        }
    }
}

fn show(view: &View) -> Result<(), String> {
    if view.diff && view.files.len() != 2 {
        return Err(format!("--diff compares two files, not {}", view.files.len()));
    }
    if view.serve {
        return serve::serve(&view.files, view.diff, view.port);
    }
    let inputs = read_all(&view.files).map_err(|error| error.to_string())?;
    comparable(&inputs, view.diff)?;
    let output = view.output.clone().unwrap_or_else(|| page_name(&view.files[0]));
    write_page(&inputs, view.diff, &output)
}

/// Also what `barrow diff --html` does.
pub fn write_page(inputs: &[Input], diff: bool, output: &std::path::Path) -> Result<(), String> {
    make_page(inputs, diff, output)?;
    if output.as_os_str() != "-" {
        println!("{}", output.display());
    }
    Ok(())
}

/// The page, and no word of it.
pub fn make_page(inputs: &[Input], diff: bool, output: &std::path::Path) -> Result<(), String> {
    let page = Data::new(inputs, diff, None).page();
    out::write_to(output, |out| out.write_all(page.as_bytes()))
}

fn read_all(files: &[PathBuf]) -> Result<Vec<Input>, ReadError> {
    let inputs: Result<Vec<Input>, ReadError> = files.iter().map(|file| any::open(file)).collect();
    for input in inputs.iter().flatten() {
        input.notes.iter().for_each(|note| eprintln!("barrow view: {}: {note}", input.name));
    }
    inputs
}

/// A difference is one between two of a kind.
pub fn comparable(inputs: &[Input], diff: bool) -> Result<(), String> {
    use any::Profile::{Heap, Prof, Space};
    let [first, second] = inputs else { return Ok(()) };
    if !diff {
        return Ok(());
    }
    match (&first.profile, &second.profile) {
        (Heap(_), Heap(_)) => Ok(()),
        (Prof(a), Prof(b)) if a.report.is_some() && b.report.is_some() => Ok(()),
        (Space(_), _) | (_, Space(_)) => {
            Err("space by function is not compared yet; without --diff both are shown side by side".into())
        }
        (Prof(_), Prof(_)) => {
            Err("one of the files has retainer sets only; there is no report to compare".into())
        }
        _ => Err(format!(
            "{} and {} are profiles of different kinds; a heap profile is compared with a heap profile",
            first.name, second.name
        )),
    }
}

fn page_name(first: &std::path::Path) -> PathBuf {
    match first.file_stem() {
        Some(stem) if first.as_os_str() != "-" => PathBuf::from(stem).with_extension("html"),
        _ => PathBuf::from("profile.html"),
    }
}
