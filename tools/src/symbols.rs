//! Places in code, `program+0x1234`, turned into functions and lines by the debug information of the files that hold the
//! code. Static functions and position-independent programs are no exceptions: offsets are those of the file.

#[cfg(test)]
mod fuzz;
mod inflated;
mod names;
pub mod samples;
mod split;

pub use names::readable;

use crate::out::tell;
use addr2line::Loader;
use barrow::os::symbols::without_part;
use object::read::ReadCache;
use object::{Object, ObjectSegment};
use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Where code may lie, besides what the user names: the linker's usual folders.
const LIBRARIES: [&str; 9] = [
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/lib/x86_64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu",
    "/lib/aarch64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
];

pub struct Symbols {
    /// Files that the user has named.
    named: Vec<PathBuf>,
    /// Folders that are looked into first.
    folders: Vec<PathBuf>,
    /// When the profile was written: younger code is not what ran.
    written: Option<SystemTime>,
    modules: HashMap<String, Option<Module>>,
    /// Files of code that are not there.
    missing: Vec<String>,
    /// The sentences about other modules, one for each.
    notes: Vec<String>,
    /// How many places were looked up, and of how many something was known.
    pub places: usize,
    pub known: usize,
}

/// So many files that are missing are named.
const MOST_NAMED: usize = 3;

impl Symbols {
    pub fn new(named: Vec<PathBuf>, folders: Vec<PathBuf>, written: Option<SystemTime>) -> Symbols {
        Symbols {
            named,
            folders,
            written,
            modules: HashMap::new(),
            missing: Vec::new(),
            notes: Vec::new(),
            places: 0,
            known: 0,
        }
    }

    /// The function and line of a place, `grow<list.c:17>`, or as much as is known; nothing for a text that is no place, or
    /// of code that was not found or says nothing.
    pub fn resolve(&mut self, place: &str) -> Option<String> {
        let (module, offset) = place.rsplit_once("+0x")?;
        let offset = u64::from_str_radix(offset, 16).ok().filter(|_| !module.is_empty())?;
        self.look_up(module, offset).map(|found| found.to_string())
    }

    /// The function and line at an address of a file of code, or as much as is known.
    pub fn look_up(&mut self, module: &str, offset: u64) -> Option<Found> {
        if !self.modules.contains_key(module) {
            let loaded = self.load(module, "");
            self.modules.insert(module.to_owned(), loaded);
        }
        self.places += 1;
        let module = self.modules.get(module)?.as_ref()?;
        let found = described(&module.loader, offset);
        self.known += usize::from(found.is_some());
        found
    }

    /// The functions at a byte of a file of code, the innermost of inlined ones first; none where nothing is known, or the file has
    /// another build id (hexadecimal; empty is unknown). The file may be elsewhere now.
    pub fn frames_in(&mut self, path: &str, build_id: &str, offset: u64) -> Vec<Found> {
        if !self.modules.contains_key(path) {
            let loaded = self.load(path, build_id);
            self.modules.insert(path.to_owned(), loaded);
        }
        self.places += 1;
        let Some(Some(module)) = self.modules.get(path) else { return Vec::new() };
        let found = module.address(offset).map_or_else(Vec::new, |address| frames(&module.loader, address));
        self.known += usize::from(!found.is_empty());
        found
    }

    /// Sentences about modules.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = self.notes.clone();
        if let Some((last, before)) = self.missing.split_last() {
            let (named, more) = before.split_at(before.len().min(MOST_NAMED));
            let (told, paths) = match (named, more.len()) {
                ([], _) => (format!("{last} was"), "its path"),
                (_, 0) => (format!("{} and {last} were", named.join(", ")), "their paths"),
                (_, more) => {
                    (format!("{} and {} more files of code were", named.join(", "), more + 1), "their paths")
                }
            };
            notes.push(format!("{told} not found: give {paths}, barrow resolve --code PATH"));
        }
        notes
    }

    /// Says them on standard error.
    pub fn tell(&self) {
        self.notes().iter().for_each(|note| tell!("barrow resolve: {note}"));
    }

    fn load(&mut self, module: &str, build_id: &str) -> Option<Module> {
        let Some(path) = self.find(module) else {
            self.missing.push(module.to_owned());
            return None;
        };
        let (segments, own) = described_by(&path);
        if !build_id.is_empty() && !own.is_empty() && build_id != own && is_hexadecimal(build_id) {
            self.notes.push(format!("{} is another build than the one that ran", path.display()));
            return None;
        }
        let changed = path.metadata().and_then(|metadata| metadata.modified()).ok();
        if changed.zip(self.written).is_some_and(|(changed, written)| changed > written) {
            self.notes.push(format!("{} is younger than the profile: lines may be others'", path.display()));
        }
        match inflated::check(&path).and_then(|()| Loader::new(&path).map_err(|error| error.to_string())) {
            Ok(loader) => Some(Module { loader, segments }),
            Err(error) => {
                self.notes.push(format!("{}: {error}", path.display()));
                None
            }
        }
    }

    fn find(&self, module: &str) -> Option<PathBuf> {
        let path = Path::new(module);
        let module = path.file_name()?;
        let own = |path: &&PathBuf| path.file_name().is_some_and(|name| name == module);
        if let Some(path) = self.named.iter().find(own) {
            return Some(path.clone());
        }
        if path.is_absolute() && path.is_file() {
            return Some(path.to_owned());
        }
        let folders = self.folders.iter().map(PathBuf::as_path).chain(LIBRARIES.iter().map(Path::new));
        folders.map(|folder| folder.join(module)).find(|path| path.is_file())
    }
}

/// A file of code that was read.
struct Module {
    loader: Loader,
    segments: Vec<Segment>,
}

/// A part of a file that is mapped, and the address for which it was linked.
struct Segment {
    offset: u64,
    size: u64,
    address: u64,
}

impl Module {
    fn address(&self, offset: u64) -> Option<u64> {
        let holds = |segment: &&Segment| offset.wrapping_sub(segment.offset) < segment.size;
        let segment = self.segments.iter().find(holds)?;
        segment.address.checked_add(offset - segment.offset)
    }
}

/// The segments of a file of code and its build id, hexadecimal; empty where it has none. A file that is no regular one is not opened:
/// to open a pipe waits for its writer.
fn described_by(path: &Path) -> (Vec<Segment>, String) {
    let is_file = path.metadata().is_ok_and(|about| about.is_file());
    let Some(code) = is_file.then(|| std::fs::File::open(path).ok()).flatten() else {
        return Default::default();
    };
    let cache = ReadCache::new(code);
    let Ok(file) = object::File::parse(&cache) else { return Default::default() };
    let segments = file.segments().map(|segment| {
        let (offset, size) = segment.file_range();
        Segment { offset, size, address: segment.address() }
    });
    let build_id = file.build_id().ok().flatten().unwrap_or_default();
    (segments.collect(), build_id.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn is_hexadecimal(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// What is known of a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    pub function: String,
    pub file: Option<String>,
    pub line: Option<u32>,
}

impl fmt::Display for Found {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(out, "{}<{file}:{line}>", self.function),
            (Some(file), None) => write!(out, "{}<{file}>", self.function),
            _ => out.write_str(&self.function),
        }
    }
}

fn frames(loader: &Loader, address: u64) -> Vec<Found> {
    let mut all = Vec::new();
    if let Ok(mut frames) = loader.find_frames(address) {
        while let Ok(Some(frame)) = frames.next() {
            let Some(function) = frame.function.as_ref().and_then(named).or_else(|| symbol(loader, address))
            else {
                continue;
            };
            let (file, line) = frame.location.as_ref().map_or((None, None), |at| (at.file, at.line));
            all.push(Found { function, file: file.map(str::to_owned), line });
        }
    }
    if all.is_empty()
        && let Some(function) = symbol(loader, address)
    {
        all.push(Found { function, file: None, line: None });
    }
    all
}

/// The function by the file's table of symbols: debug information of lines alone names no functions.
fn symbol(loader: &Loader, address: u64) -> Option<String> {
    loader.find_symbol(address).map(told)
}

fn named<R: addr2line::gimli::Reader>(name: &addr2line::FunctionName<R>) -> Option<String> {
    name.raw_name().ok().map(|name| told(&name))
}

/// A compiler's name as people write it, or without the part that tells copies of a function apart.
fn told(name: &str) -> String {
    readable(name).unwrap_or_else(|| name[..without_part(name.as_bytes()).len()].to_owned())
}

fn described(loader: &Loader, offset: u64) -> Option<Found> {
    let mut best: Option<Found> = None;
    if let Ok(mut frames) = loader.find_frames(offset) {
        while let Ok(Some(frame)) = frames.next() {
            let Some(function) = frame.function.as_ref().and_then(named).or_else(|| symbol(loader, offset))
            else {
                continue;
            };
            let (file, line) = frame.location.as_ref().map_or((None, None), |at| (at.file, at.line));
            let file = file.map(|file| file.rsplit('/').next().unwrap_or(file).to_owned());
            // The library's own inline functions allocate for those that they are part of.
            let is_ours = function.starts_with("barrow_");
            let found = Found { function, file, line };
            if !is_ours {
                return Some(found);
            }
            best.get_or_insert(found);
        }
    }
    best.or_else(|| symbol(loader, offset).map(|function| Found { function, file: None, line: None }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_places_are_looked_up() {
        let mut symbols = Symbols::new(Vec::new(), Vec::new(), None);
        assert_eq!(symbols.resolve("(12)parse/main"), None);
        assert_eq!(symbols.resolve("a+b"), None);
        assert_eq!(symbols.resolve("+0x12"), None);
        assert!(symbols.notes().is_empty());
        assert_eq!(symbols.resolve("no such module+0x12"), None);
        assert_eq!(symbols.resolve("no such module+0x13"), None);
        assert_eq!(symbols.notes().len(), 1);
    }

    /// Only operators: a function of another file that is inlined here would be named in its place.
    #[inline(never)]
    fn a_static_function(number: usize) -> usize {
        (number ^ 0x6261_7272) % 97
    }

    #[test]
    fn this_very_program_is_known() {
        let own = std::env::current_exe().unwrap();
        let name = own.file_name().unwrap().to_str().unwrap().to_owned();
        let place = barrow::os::code::place(a_static_function as *const () as usize).unwrap().unwrap();
        let mut symbols = Symbols::new(vec![own], Vec::new(), None);
        let found = symbols.resolve(&format!("{name}+{:#x}", place.offset)).unwrap();
        assert!(found.starts_with("barrow::symbols::tests::a_static_function<symbols.rs:"), "{found}");
    }
}
