//! `barrow resolve`: a heap profile by allocation site with functions and lines for names, and a profile of space by
//! function with the files and lines of its functions.

use crate::model::{Band, HeapProfile, Series};
use crate::out::{self, counted, tell};
use crate::read::any::{self, Profile};
use crate::read::kind::Kind;
use crate::sort;
use crate::space::Space;
use crate::symbols::{Symbols, samples};
use crate::write::{hp, pprof};
use clap::Args;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Names the bands of a heap profile by allocation site (-ha) after functions and lines; adds lines to a space profile
///
/// The names of such bands are a file of code and an address in it, `program+0x1234`. With the debug information of that
/// file (`-g`), this writes the same profile with bands such as `grow<list.c:17>`; without, functions by the symbol table.
/// What is not known keeps its name. Bands of one line become one.
///
/// In the JSON of a profile of space by function, each function gets the file and the line of the first place in it that
/// allocates, which `barrow view` shows; functions that had no name get theirs.
///
/// Code is looked for by the name of its file: where --code says, beside the profile, in the current folder, and where
/// libraries lie.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  barrow resolve prog.hp -o lines.hp && barrow top lines.hp
  barrow resolve prog.hp --code build/prog | barrow view - -o prog.html
  barrow resolve prog.space.json --code build/prog -o lines.json && barrow view lines.json -o prog.html
  barrow resolve prog.ha.hp --code /opt/app/lib/libapp.so --code /opt/app/bin

Exit status: 0 done, 1 no place was resolved, the input is wrong or the output can't be written, 2 the command line is wrong.")]
pub struct Resolve {
    /// The heap profile, or the JSON of a space profile; `-` is standard input
    file: PathBuf,
    /// A file of code, or a folder of such; may be given several times
    #[arg(long, value_name = "PATH")]
    code: Vec<PathBuf>,
    /// Where to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(command: &Resolve) -> ExitCode {
    out::ended("barrow resolve", resolve(command))
}

fn resolve(command: &Resolve) -> Result<(), String> {
    let input = any::open(&command.file).map_err(|error| error.to_string())?;
    input.notes.iter().for_each(|note| tell!("barrow resolve: {}: {note}", input.name));
    let (mut named, mut folders) = (Vec::new(), Vec::new());
    for path in &command.code {
        if !path.exists() {
            return Err(format!("{}: there is no such file or folder", path.display()));
        }
        if path.is_dir() { folders.push(path.clone()) } else { named.push(path.clone()) }
    }
    folders.push(command.file.parent().unwrap_or(Path::new("")).to_owned());
    folders.push(PathBuf::from("."));
    let written = command.file.metadata().and_then(|metadata| metadata.modified()).ok();
    let mut symbols = Symbols::new(named, folders, written);
    let output = command.output.as_deref().unwrap_or(Path::new("-"));
    let wrote = match input.profile {
        Profile::Heap(mut heap) => {
            if let Some(cut) = heap.cut {
                out::tell_of_cut("barrow resolve", &input.name, cut.line);
            }
            rename(&mut heap, |name| symbols.resolve(name));
            symbols.tell();
            out::write_to(output, |out| hp::write(&heap, out))
        }
        Profile::Space(mut space) => {
            locate(&mut space, &mut symbols);
            symbols.tell();
            out::write_to(output, |out| {
                serde_json::to_writer(&mut *out, &space)?;
                writeln!(out)
            })
        }
        Profile::Samples(mut sampled) => {
            if output.as_os_str() == "-" {
                out::not_to_a_terminal()?;
            }
            samples::locate(&mut sampled, &mut symbols);
            symbols.tell();
            out::write_to(output, |out| pprof::write_samples(&sampled, out))
        }
        Profile::Snapshot(_) => Err(format!("{}: {}", input.name, Kind::Snapshot.told())),
        Profile::Stops(_) => Err(format!("{}: {}", input.name, Kind::Stops.told())),
        Profile::Prof(_) => {
            Err(format!("{} is no heap profile: a time profile names its cost centres itself", input.name))
        }
    };
    wrote?;
    match (symbols.places, symbols.known) {
        (0, _) => tell!(
            "barrow resolve: {}: there is nothing to resolve: no place in code, such as `prog+0x1234` of a profile by -ha",
            input.name
        ),
        (places, 0) => {
            return Err(format!("{}: none of the {} was resolved", input.name, counted(places, "place")));
        }
        _ => {}
    }
    Ok(())
}

/// Gives functions the file and line of their first place.
fn locate(space: &mut Space, symbols: &mut Symbols) {
    for function in &mut space.functions {
        let module = function.module.rsplit('/').next().unwrap_or_default();
        if module.is_empty() || function.offset == 0 {
            continue;
        }
        let Some(found) = symbols.look_up(module, function.offset) else { continue };
        if function.name.starts_with(&format!("{module}+0x")) {
            function.name = found.function;
        }
        (function.file, function.line) = (found.file, found.line.map(u64::from));
    }
}

/// Gives bands other names; those that have the same one then become one.
fn rename(heap: &mut HeapProfile, mut other: impl FnMut(&str) -> Option<String>) {
    let mut bands: Vec<Band> = Vec::new();
    let mut known: HashMap<Vec<u8>, usize> = HashMap::new();
    for mut band in std::mem::take(&mut heap.bands) {
        if let Some(name) = other(&band.name.to_string()) {
            band.name = name.as_bytes().into();
        }
        match known.get(band.name.as_bytes()) {
            Some(&at) => bands[at].series = sum(&bands[at].series, &band.series),
            None => {
                known.insert(band.name.as_bytes().to_vec(), bands.len());
                bands.push(band);
            }
        }
    }
    heap.bands = bands;
}

fn sum(one: &Series, other: &Series) -> Series {
    let mut all: Vec<(usize, u64)> = one.iter().chain(other.iter()).collect();
    sort::by_key(&mut all, |&(sample, _)| sample);
    let mut series = Series::default();
    let mut all = all.into_iter().peekable();
    while let Some((sample, mut value)) = all.next() {
        while let Some((_, more)) = all.next_if(|&(at, _)| at == sample) {
            value = value.saturating_add(more);
        }
        series.push(sample, value);
    }
    series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_of_one_name_become_one() {
        let band = |name: &str, values: &[(usize, u64)]| {
            let mut series = Series::default();
            values.iter().for_each(|&(sample, value)| series.push(sample, value));
            Band { name: name.as_bytes().into(), series }
        };
        let mut heap = HeapProfile {
            times: vec![0.0, 1.0, 2.0],
            bands: vec![
                band("p+0x1", &[(0, 1), (2, 5)]),
                band("other", &[(1, 9)]),
                band("p+0x2", &[(1, 7), (2, 3)]),
            ],
            ..HeapProfile::default()
        };
        rename(&mut heap, |name| name.starts_with("p+").then(|| "f<a.c:1>".to_owned()));
        assert_eq!(heap.bands, [band("f<a.c:1>", &[(0, 1), (1, 7), (2, 8)]), band("other", &[(1, 9)])]);
    }
}
