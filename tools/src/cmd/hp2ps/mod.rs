//! `barrow hp2ps`: a heap profile as a PostScript page, with the flags, file names and drawing of the hp2ps
//! that comes with GHC, for the scripts and documents that use it.
//! Invariant: an output file appears whole or not at all.
//! Where the two differ, and why, is in docs/formats-tools-hp2ps.md.

mod axes;
mod bands;
mod curves;
pub mod flags;
#[cfg(test)]
mod fuzz;
mod key;
mod layout;
mod message;
mod page;
mod previous;
mod selection_sort;
mod shades;
mod text;
mod title;

use crate::model::HeapProfile;
use crate::read::hp::{self, Rules};
use crate::whole_file;
use bands::Bands;
use flags::{Flags, Request};
use layout::Layout;
use previous::Previous;
use shades::Shades;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs with the arguments after the command's name.
pub fn run(args: &[OsString]) -> ExitCode {
    match flags::parse(args) {
        Ok(Request::Help) => {
            print!("{}", flags::USAGE);
            ExitCode::SUCCESS
        }
        Ok(Request::Draw(flags)) => match draw(&flags) {
            Ok(()) => ExitCode::SUCCESS,
            Err(text) => {
                eprintln!("hp2ps: {text}");
                ExitCode::from(1)
            }
        },
        Err(text) => {
            eprintln!("hp2ps: error: {text}\n{}", flags::SHORT_USAGE);
            ExitCode::from(2)
        }
    }
}

/// All phases in order.
fn draw(flags: &Flags) -> Result<(), String> {
    let names = flags.file.as_deref().map(FileNames::of);
    let profile = read(names.as_ref())?;
    let previous = match &names {
        Some(names) if flags.previous => Previous::read(&names.aux)?,
        _ => Previous::default(),
    };
    let bands = Bands::choose(&profile, flags, &previous);
    let layout = Layout::of(&profile, &bands, flags, &previous);
    let mut shades = Shades::new(flags.colour, previous.shades);
    match names {
        None => {
            let mut out = BufWriter::new(io::stdout().lock());
            page::write(&mut out, &profile, &bands, &layout, &mut shades, flags)
                .and_then(|()| out.flush())
                .map_err(|error| format!("standard output: {error}"))
        }
        Some(names) => {
            whole_file::write(&names.ps, |out| {
                page::write(out, &profile, &bands, &layout, &mut shades, flags)
            })
            .map_err(|error| format!("{}: {error}", names.ps.display()))?;
            whole_file::write(&names.aux, |out| previous::write(out, &bands, &layout, &mut shades))
                .map_err(|error| format!("{}: {error}", names.aux.display()))
        }
    }
}

fn read(names: Option<&FileNames>) -> Result<HeapProfile, String> {
    let (shown, profile) = match names {
        None => ("stdin".to_string(), hp::read(io::stdin().lock(), Rules::Tolerant)),
        Some(names) => {
            let shown = names.hp.display().to_string();
            let file = File::open(&names.hp).map_err(|_| format!("cannot open {shown}"))?;
            (shown, hp::read(file, Rules::Tolerant))
        }
    };
    let profile = profile.map_err(|error| message::of(&error, &shown))?;
    if let Some(cut) = profile.cut {
        eprintln!("hp2ps: {shown}, line {}: the last sample is incomplete and is left out", cut.line);
    }
    Ok(profile)
}

/// `DIR/BASE` or `DIR/BASE.hp` is read; `BASE.ps` and `BASE.aux` go to the current directory.
struct FileNames {
    hp: PathBuf,
    ps: PathBuf,
    aux: PathBuf,
}

impl FileNames {
    fn of(argument: &Path) -> FileNames {
        let stem = match argument.extension() {
            Some(extension) if extension == "hp" => argument.with_extension(""),
            _ => argument.to_path_buf(),
        };
        let base = stem.file_name().unwrap_or(OsStr::new("hp2ps"));
        FileNames {
            hp: with_suffix(stem.as_os_str(), ".hp"),
            ps: with_suffix(base, ".ps"),
            aux: with_suffix(base, ".aux"),
        }
    }
}

/// Appends; `Path::with_extension` would replace the last part of `odd.name`.
fn with_suffix(name: &OsStr, suffix: &str) -> PathBuf {
    let mut name = name.to_os_string();
    name.push(suffix);
    name.into()
}
