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
use crate::out::{self, tell};
use crate::read::hp::{self, Rules};
use crate::read::kind::Kind;
use crate::read::source::Source;
use crate::whole_file;
use bands::Bands;
use flags::{Flags, Request};
use layout::Layout;
use previous::Previous;
use shades::Shades;
use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Bands times samples of a picture, each of which is two lines of some 22 bytes: a small file can name many of both, and
/// its picture would have gigabytes.
const MOST_POINTS: usize = 4 << 20;

/// Runs with the arguments after the command's name.
pub fn run(args: &[OsString]) -> ExitCode {
    match flags::parse(args) {
        Ok(Request::Help) => out::ended("hp2ps", out::print(|out| out.write_all(flags::USAGE.as_bytes()))),
        Ok(Request::Draw(flags)) => out::ended("hp2ps", draw(&flags)),
        Err(text) => {
            tell!("hp2ps: error: {text}\n{}", flags::SHORT_USAGE);
            ExitCode::from(2)
        }
    }
}

/// All phases in order.
fn draw(flags: &Flags) -> Result<(), String> {
    let names = flags.file.as_deref().map(FileNames::of);
    let whole = read(names.as_ref())?;
    let profile = match flags.window {
        Some(window) => window.of(&whole).map_err(|error| format!("the profile {error}"))?,
        None => whole,
    };
    let previous = match &names {
        Some(names) if flags.previous => Previous::read(&names.aux)?,
        _ => Previous::default(),
    };
    let bands = Bands::choose(&profile, flags, &previous);
    let points = bands.shown.len().saturating_mul(profile.times.len());
    if points > MOST_POINTS {
        return Err(format!(
            "{} bands at {} samples are too many for a picture; -m20 draws the greatest ones, and the others as one",
            bands.shown.len(),
            profile.times.len()
        ));
    }
    let layout = Layout::of(&profile, &bands, flags, &previous);
    let mut shades = Shades::new(flags.colour, previous.shades);
    match names {
        None => out::print(|out| page::write(out, &profile, &bands, &layout, &mut shades, flags)),
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
    let (shown, source) = match names {
        None => {
            ("stdin".to_string(), Source::open(Path::new("-")).map_err(|error| format!("stdin: {error}"))?)
        }
        Some(names) => {
            let shown = names.hp.display().to_string();
            let source = Source::open_file(&names.hp).map_err(|error| match error.kind() {
                ErrorKind::NotFound | ErrorKind::PermissionDenied => format!("cannot open {shown}"),
                _ => format!("{shown}: {error}"),
            })?;
            (shown, source)
        }
    };
    if let Some(other) = source.kind.filter(|&kind| kind != Kind::HeapProfile) {
        return Err(format!("{shown}: {}", other.told()));
    }
    let profile = hp::read(source, Rules::Tolerant);
    let profile = profile.map_err(|error| message::of(&error, &shown))?;
    if let Some(cut) = profile.cut {
        tell!("hp2ps: {shown}, line {}: the last sample is incomplete and is left out", cut.line);
    }
    Ok(profile)
}

/// `DIR/BASE` or `DIR/BASE.hp` is read, or `DIR/BASE.hp.gz` where it is named so; `BASE.ps` and `BASE.aux` go to the current directory.
struct FileNames {
    hp: PathBuf,
    ps: PathBuf,
    aux: PathBuf,
}

impl FileNames {
    fn of(argument: &Path) -> FileNames {
        let packed = argument.as_os_str().as_bytes().strip_suffix(b".hp.gz");
        let stem = match argument.extension() {
            _ if packed.is_some() => argument.with_extension("").with_extension(""),
            Some(extension) if extension == "hp" => argument.with_extension(""),
            _ => argument.to_path_buf(),
        };
        let base = stem.file_name().unwrap_or(OsStr::new("hp2ps"));
        FileNames {
            hp: with_suffix(stem.as_os_str(), if packed.is_some() { ".hp.gz" } else { ".hp" }),
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
