//! `hpc export`: coverage for services that read LCOV or Cobertura.

use super::failure::Failure;
use super::find::program;
use super::output;
use super::settings::Settings;
use crate::coverage::lines::FileCoverage;
use crate::write::{cobertura, lcov};
use std::time::UNIX_EPOCH;

pub fn run(settings: &Settings, operands: &[String], out: &mut String) -> Result<(), Failure> {
    let Some((name, names)) = operands.split_first() else {
        return Err(Failure::Usage("no .tix file or executable name specified".to_string()));
    };
    if settings.lcov == settings.cobertura {
        return Err(Failure::Usage("need one of --lcov and --cobertura".to_string()));
    }
    let format = if settings.lcov { Format::Lcov } else { Format::Cobertura };
    output::put_plain(settings, &text(settings, name, names, format)?, out)
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Lcov,
    Cobertura,
}

/// The modules that a program left counts of, as services read them.
pub fn text(settings: &Settings, name: &str, names: &[String], format: Format) -> Result<String, Failure> {
    let program = program(settings, name, names, "unable to find tix file for:")?;
    let tix_path = program.tix_path.clone();
    let files: Vec<FileCoverage> = program
        .with_mixes(settings)?
        .iter()
        .map(|module| {
            let source = &module.mix.source;
            let found = settings.places.source_path(source).unwrap_or_else(|| source.clone());
            // Services match files by their path in the repository, which has no part that is a dot.
            let found = found.replace("/./", "/").trim_start_matches("./").to_string();
            FileCoverage::of(module, found)
        })
        .collect();
    Ok(match format {
        Format::Lcov => lcov::write(&files),
        Format::Cobertura => cobertura::write(&files, seconds_of(&tix_path)),
    })
}

/// When the program ran, as far as its `.tix` tells: the same file gives the same text.
fn seconds_of(path: &str) -> u64 {
    let modified = std::fs::metadata(path).and_then(|file| file.modified()).ok();
    modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).map_or(0, |time| time.as_secs())
}
