//! `barrow man`: the manual pages, made from the same text as `--help`.

use super::hp2ps::flags;
use super::{described, hpc};
use crate::out::tell;
use crate::whole_file;
use clap::{Args, Command};
use clap_mangen::roff::{Roff, roman};
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Writes the manual pages into a folder
#[derive(Args)]
#[command(after_help = "\
Examples:
  barrow man ~/.local/share/man/man1 && man barrow-view
  barrow man . && man ./barrow.1

Exit status: 0 written, 1 a page could not be written, 2 the command line is wrong.")]
pub struct Man {
    /// The folder, made if it is not there
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub fn run(man: &Man) -> ExitCode {
    match write_all(&man.folder) {
        Ok(count) => {
            tell!("{count} pages in {}", man.folder.display());
            ExitCode::SUCCESS
        }
        Err((page, error)) => {
            tell!("barrow man: {}: {error}", page.display());
            ExitCode::FAILURE
        }
    }
}

fn write_all(folder: &Path) -> Result<usize, (PathBuf, io::Error)> {
    let fault = |path: &Path| {
        let path = path.to_owned();
        move |error| (path, error)
    };
    std::fs::create_dir_all(folder).map_err(fault(folder))?;
    let whole = described::barrow();
    let mut count = 0;
    let mut put = |name: &str, text: io::Result<Vec<u8>>| {
        let path = folder.join(format!("{name}.1"));
        text.and_then(|text| whole_file::replace(&path, &text)).map_err(fault(&path))?;
        count += 1;
        Ok(())
    };
    put("barrow", rendered(&whole, "barrow"))?;
    for command in whole.get_subcommands().filter(|command| command.get_name() != "help") {
        let name = format!("barrow-{}", command.get_name());
        let text = match command.get_name() {
            "hp2ps" => verbatim("barrow-hp2ps", command, &[flags::USAGE.to_string()]),
            "hpc" => verbatim("barrow-hpc", command, &hpc::help::whole()),
            _ => rendered(command, &name),
        };
        put(&name, text)?;
    }
    Ok(count)
}

fn rendered(command: &Command, name: &str) -> io::Result<Vec<u8>> {
    // The page's own name has hyphens; what is typed has blanks.
    let page =
        clap_mangen::Man::new(command.clone().display_name(name.to_string())).title(name.to_uppercase());
    let mut text = Vec::new();
    page.render_title(&mut text)?;
    page.render_name_section(&mut text)?;
    page.render_synopsis_section(&mut text)?;
    page.render_description_section(&mut text)?;
    page.render_options_section(&mut text)?;
    if command.has_subcommands() {
        page.render_subcommands_section(&mut text)?;
    }
    if let Some(rest) = command.get_after_long_help().or(command.get_after_help()) {
        let rest = rest.to_string();
        let mut section = Roff::new();
        section.control("SH", [if rest.starts_with("Examples:") { "EXAMPLES" } else { "MORE" }]);
        as_it_stands(&mut section, rest.trim_start_matches("Examples:\n").lines());
        section.to_writer(&mut text)?;
    }
    Ok(text)
}

/// Lines that are laid out already.
fn as_it_stands<'a>(page: &mut Roff, lines: impl Iterator<Item = &'a str>) {
    page.control("nf", []);
    for line in lines {
        if line.is_empty() {
            page.control("sp", []);
        } else {
            page.text([roman(line)]);
        }
    }
    page.control("fi", []);
}

/// A page whose text is laid out already.
fn verbatim(name: &str, command: &Command, parts: &[String]) -> io::Result<Vec<u8>> {
    let mut page = Roff::new();
    let about = command.get_about().map(|about| about.to_string()).unwrap_or_default();
    page.control("TH", [name.to_uppercase().as_str(), "1"]);
    page.control("SH", ["NAME"]);
    page.text([roman(format!("{name} - {about}"))]);
    page.control("SH", ["DESCRIPTION"]);
    as_it_stands(&mut page, parts.iter().flat_map(|part| part.lines()));
    let mut text = Vec::new();
    page.to_writer(&mut text)?;
    Ok(text)
}
