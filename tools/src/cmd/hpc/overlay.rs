//! `hpc overlay`: the `.tix` that overlay files describe.

use super::draft::obstacle;
use super::failure::Failure;
use super::find::{bytes_of, unreadable};
use super::output;
use super::settings::Settings;
use crate::coverage::count::Count;
use crate::coverage::overlay::{Overlay, Tick};
use crate::coverage::source::Source;
use crate::coverage::tix::{Tix, TixModule};
use crate::{read, write};
use std::collections::BTreeMap;
use std::io::ErrorKind;

pub fn run(settings: &Settings, operands: &[String], out: &mut String) -> Result<(), Failure> {
    if operands.is_empty() {
        return Err(Failure::Usage("no overlay file specified".to_string()));
    }
    let mut overlay = Overlay::default();
    for path in operands {
        let (kind, bytes) = bytes_of(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => {
                Failure::told(format!("{path}: openFile: does not exist (No such file or directory)"))
            }
            _ => unreadable(path, &error),
        })?;
        read::overlay::read(&bytes, &mut overlay).map_err(|wrong| {
            Failure::detailed(
                wrong.told,
                match kind {
                    Some(other) => format!("{path}: {}", other.told()),
                    None => wrong.error.in_file(path),
                },
            )
        })?;
    }
    overlay.modules = with_packages(settings, std::mem::take(&mut overlay.modules));

    let mut modules = Vec::new();
    for name in overlay.modules.keys() {
        let mix = settings.places.mix(name, None)?;
        let source = settings.places.source(&mix.source)?;
        let marked = overlay
            .ticks(name, &mix, &Source::new(&source.text))
            .map_err(|why| obstacle(name, &source.path, why))?;
        let ticks: Vec<Count> = marked.iter().map(|&marked| Count::Word(i64::from(marked))).collect();
        // As many as a list in memory can hold, so it fits.
        let claimed = i64::try_from(ticks.len()).unwrap_or(i64::MAX);
        modules.push(TixModule { name: name.clone(), hash: mix.hash, claimed, ticks });
    }
    output::put(settings, &write::tix::write(&Tix { modules }), out)
}

/// `draft` prints the modules of packages with a colon, files have them with a slash.
fn with_packages(settings: &Settings, named: BTreeMap<String, Vec<Tick>>) -> BTreeMap<String, Vec<Tick>> {
    let mut modules: BTreeMap<String, Vec<Tick>> = BTreeMap::new();
    for (name, ticks) in named {
        let of_package = name.replacen(':', "/", 1);
        let name = if settings.places.has_mix(&of_package) { of_package } else { name };
        modules.entry(name).or_default().extend(ticks);
    }
    modules
}
