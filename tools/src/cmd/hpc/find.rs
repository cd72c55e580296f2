//! Finds and reads the files of a command: `.tix` by name, `.mix` and sources by the directories to search.

use super::failure::Failure;
use super::settings::Settings;
use crate::coverage::mix::Mix;
use crate::coverage::module::Module;
use crate::coverage::tix::{Tix, TixModule};
use crate::out::tell;
use crate::read;
use crate::read::fault::Fault;
use crate::read::kind::Kind;
use crate::read::source::Source;
use crate::write::escape::visible;
use crate::write::haskell::strings;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

const DEFAULT_MIX_DIR: &str = ".hpc";

/// Where `.mix` files and sources may be.
#[derive(Default)]
pub struct Places {
    /// Empty for the current one.
    pub source_dirs: Vec<String>,
    /// Besides the default, below each source directory unless absolute.
    pub mix_dirs: Vec<String>,
    pub without_default: bool,
}

/// A module's source, for commands that print it.
pub struct SourceFile {
    pub path: String,
    pub text: String,
}

impl Places {
    fn source_dirs(&self) -> Vec<String> {
        if self.source_dirs.is_empty() { vec![".".to_string()] } else { self.source_dirs.clone() }
    }

    fn mix_dirs(&self) -> Vec<String> {
        let default = (!self.without_default).then(|| DEFAULT_MIX_DIR.to_string());
        let below: Vec<&String> = default.iter().chain(&self.mix_dirs).collect();
        self.source_dirs().iter().flat_map(|source| below.iter().map(move |mix| join(source, mix))).collect()
    }

    /// Where the `.mix` of a module may be: nowhere, if its name would lead out of those folders.
    fn mix_paths(&self, name: &str) -> Vec<String> {
        if name.split('/').any(|part| matches!(part, "" | "." | "..")) || name.contains('\0') {
            return Vec::new();
        }
        self.mix_dirs().iter().map(|dir| join(dir, &format!("{name}.mix"))).collect()
    }

    /// The `.mix` of a module, which must have `hash` if that is known.
    pub fn mix(&self, name: &str, hash: Option<u32>) -> Result<Mix, Failure> {
        let dirs = self.mix_dirs();
        let missing = || format!("can not find {name} in {}", dirs.join(", "));
        let paths = self.mix_paths(name);
        if paths.is_empty() && !dirs.is_empty() {
            return Err(Failure::detailed(missing(), "a module of this name has no .mix file"));
        }
        for path in paths {
            let (kind, bytes) = match bytes_of(&path) {
                Ok(found) => found,
                Err(error) if is_missing(&error) => continue,
                Err(error) => return Err(unreadable(&path, &error)),
            };
            let mix = read::mix::read(&bytes).map_err(|error| {
                Failure::detailed(format!("can not parse {path}"), detail(&path, kind, Kind::Mix, &error))
            })?;
            return match hash {
                Some(hash) if hash != mix.hash => Err(Failure::told(format!(
                    "hash in tix file for module {name} ({hash})\ndoes not match hash in {path} ({})",
                    mix.hash
                ))),
                _ => Ok(mix),
            };
        }
        Err(Failure::told(missing()))
    }

    /// Whether there is a `.mix` for the module of exactly this name.
    pub fn has_mix(&self, name: &str) -> bool {
        self.mix_paths(name).iter().any(|path| Path::new(path).is_file())
    }

    /// Where the source is, if it is anywhere.
    pub fn source_path(&self, source: &str) -> Option<String> {
        self.source_dirs().iter().map(|dir| join(dir, source)).find(|path| Path::new(path).is_file())
    }

    pub fn source(&self, source: &str) -> Result<SourceFile, Failure> {
        let Some(path) = self.source_path(source) else {
            let dirs = strings(&self.source_dirs());
            let name = crate::write::haskell::string(source);
            return Err(Failure::Usage(format!("could not find {name} in path {dirs}")));
        };
        let bytes = fs::read(&path).map_err(|error| unreadable(&path, &error))?;
        // The mark that some editors put before UTF-8 is no character of the text: compilers do not count it.
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
        let text = read::fault::utf8(bytes).map_err(|error| Failure::told(error.in_file(&path)))?.to_string();
        Ok(SourceFile { path, text })
    }
}

/// The `.tix` named exactly so. `missing` makes the failure if there is none.
pub fn tix(path: &str, missing: impl FnOnce() -> Failure) -> Result<Tix, Failure> {
    let (kind, bytes) = match bytes_of(path) {
        Ok(found) => found,
        Err(error) if is_missing(&error) => return Err(missing()),
        Err(error) => return Err(unreadable(path, &error)),
    };
    read::tix::read(&bytes)
        .map_err(|error| Failure::detailed("Prelude.read: no parse", detail(path, kind, Kind::Tix, &error)))
}

/// What is in a file, inflated if need be, and what that is.
pub fn bytes_of(path: &str) -> io::Result<(Option<Kind>, Vec<u8>)> {
    let source = Source::open_file(Path::new(path))?;
    Ok((source.kind, source.whole()?))
}

/// Why a file could not be read: it is another kind of file, or has a fault.
pub fn detail(path: &str, kind: Option<Kind>, wanted: Kind, fault: &Fault) -> String {
    match kind {
        Some(other) if other != wanted => format!("{path}: {}", other.told()),
        _ => fault.in_file(path),
    }
}

/// What a command that looks at one `.tix` works on.
pub struct Program {
    pub tix_path: String,
    /// The modules that the settings and `names` take, in the order of the file.
    pub modules: Vec<TixModule>,
}

/// The `.tix` that a program left, by that name or its own, without the modules not asked for. `missing` begins
/// what is said if there is none.
pub fn program(settings: &Settings, name: &str, names: &[String], missing: &str) -> Result<Program, Failure> {
    let is_whole = name.ends_with(".tix") || name.ends_with(".tix.gz");
    let tix_path = if is_whole { name.to_string() } else { format!("{name}.tix") };
    let tix = tix(&tix_path, || match named_instead(name) {
        Some(told) => Failure::told(told),
        None => Failure::Usage(format!("{missing}{name}")),
    })?;
    let selection = settings.selection_with(names);
    let modules = tix.modules.into_iter().filter(|module| selection.takes(&module.name)).collect();
    Ok(Program { modules, tix_path })
}

/// What to say of a file of this very name, which is no `.tix`. The program itself may be meant: it has left none.
fn named_instead(name: &str) -> Option<String> {
    let kind = Source::open_file(Path::new(name)).ok()?.kind?;
    (!matches!(kind, Kind::Elf | Kind::Tix)).then(|| format!("{name}: {}", kind.told()))
}

impl Program {
    /// Each module with its `.mix`; what does not fit between them is told on standard error.
    pub fn with_mixes(self, settings: &Settings) -> Result<Vec<Module>, Failure> {
        let path = self.tix_path.clone();
        let modules = self.matched(settings)?;
        warn_of_misfits(settings, &path, &modules);
        Ok(modules)
    }

    /// The same, but every box must have its count.
    pub fn with_counted_mixes(self, settings: &Settings) -> Result<Vec<Module>, Failure> {
        let path = self.tix_path.clone();
        let modules = self.matched(settings)?;
        if let Some(module) = modules.iter().find(|module| module.tix.ticks.len() < module.mix.boxes.len()) {
            let misfit = module.misfit().unwrap_or_default();
            return Err(Failure::told(format!("{path}: {misfit}: its page would be wrong")));
        }
        warn_of_misfits(settings, &path, &modules);
        Ok(modules)
    }

    fn matched(self, settings: &Settings) -> Result<Vec<Module>, Failure> {
        let mut modules = Vec::with_capacity(self.modules.len());
        for tix in self.modules {
            let mix = settings.places.mix(&tix.name, Some(tix.hash))?;
            modules.push(Module { tix, mix });
        }
        Ok(modules)
    }
}

fn warn_of_misfits(settings: &Settings, path: &str, modules: &[Module]) {
    if settings.is_quiet() {
        return;
    }
    for misfit in modules.iter().filter_map(Module::misfit) {
        tell!("hpc: warning: {}", visible(&format!("{path}: {misfit}")));
    }
}

fn is_missing(error: &io::Error) -> bool {
    // A name with a NUL byte or too long a name is no file's.
    matches!(
        error.kind(),
        ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidInput | ErrorKind::InvalidFilename
    )
}

pub fn unreadable(path: &str, error: &io::Error) -> Failure {
    Failure::told(format!("{path}: {error}"))
}

/// Joined as file names are: an absolute one stands alone.
fn join(dir: &str, name: &str) -> String {
    if name.starts_with('/') || dir.is_empty() {
        name.to_string()
    } else if dir.ends_with('/') {
        format!("{dir}{name}")
    } else {
        format!("{dir}/{name}")
    }
}
