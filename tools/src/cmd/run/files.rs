//! The files of a run: their names, and which of them it has made. Files of earlier runs of the same names are not taken for its own.

use crate::sort;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::Metadata;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What tells a file from one of the same name.
type Mark = (u64, u64, i64, i64);

pub struct Files {
    stem: PathBuf,
    /// Files that were there before.
    before: BTreeMap<PathBuf, Mark>,
}

impl Files {
    /// The files of `output`, else of the program's name in the current folder.
    pub fn new(output: Option<&Path>, program: &OsStr) -> Result<Files, String> {
        let stem = match output {
            Some(stem) => stem.to_owned(),
            None => {
                let name = Path::new(program).file_stem();
                name.ok_or_else(|| format!("{} is no program's name", program.display()))?.into()
            }
        };
        // The program may go to another folder before it makes its heap.
        let stem = std::path::absolute(&stem).map_err(|error| format!("{}: {error}", stem.display()))?;
        let Some(text) = stem.to_str().filter(|text| !text.contains(|c: char| c.is_ascii_whitespace()))
        else {
            return Err(format!(
                "flags end at a blank, and the names of the files would begin with \"{}\"; -o NAME puts them elsewhere",
                stem.display()
            ));
        };
        if text.ends_with('/') || stem.is_dir() && output.is_some() {
            return Err(format!("{text} is a folder; -o NAME is what the names of files begin with"));
        }
        if let Some(folder) = stem.parent().filter(|folder| !folder.is_dir()) {
            return Err(format!(
                "{}: no such folder, and the profiles would be made there",
                folder.display()
            ));
        }
        let mut files = Files { stem, before: BTreeMap::new() };
        files.before = files.there();
        Ok(files)
    }

    pub fn stem(&self) -> String {
        self.stem.to_string_lossy().into_owned()
    }

    pub fn named(&self, ending: &str) -> PathBuf {
        let mut name = OsString::from(&self.stem);
        name.push(ending);
        name.into()
    }

    /// The profiles that the run has made so far, those of its first heap first, and of each heap in the order of their names.
    pub fn made(&self) -> Vec<PathBuf> {
        let is_new = |(path, mark): &(PathBuf, Mark)| self.before.get(path) != Some(mark);
        let mut made: Vec<PathBuf> = self.there().into_iter().filter(is_new).map(|(path, _)| path).collect();
        let of = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().as_bytes();
            heap_of(name.get(self.stem.file_name().unwrap_or_default().len()..).unwrap_or_default())
        };
        sort::by_key(&mut made, of);
        made
    }

    fn there(&self) -> BTreeMap<PathBuf, Mark> {
        let (Some(folder), Some(name)) = (self.stem.parent(), self.stem.file_name()) else {
            return BTreeMap::new();
        };
        let Ok(entries) = std::fs::read_dir(folder) else { return BTreeMap::new() };
        entries
            .flatten()
            .filter(|entry| is_profile(name.as_bytes(), entry.file_name().as_bytes()))
            .filter_map(|entry| {
                // A pipe of this name would be waited for.
                let found = entry.path().metadata().ok().filter(Metadata::is_file)?;
                Some((entry.path(), mark(&found)))
            })
            .collect()
    }
}

fn mark(found: &Metadata) -> Mark {
    (found.ino(), found.size(), found.mtime(), found.mtime_nsec())
}

/// Whether the page of a run shows a file of this name: the others have pages of their own, or none.
pub fn is_for_the_page(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ["hp", "prof", "stops"].iter().any(|other| ending == *other))
}

/// `STEM.hp`, `STEM.hy.hp`, `STEM.prof`, `STEM.hr.prof`, `STEM.stops`, `STEM.space`, and of a process's later heaps `STEM.2.hy.hp` and
/// so on.
fn is_profile(stem: &[u8], name: &[u8]) -> bool {
    let Some(rest) = name.strip_prefix(stem).and_then(|rest| rest.strip_prefix(b".")) else { return false };
    let mut parts: Vec<&[u8]> = rest.split(|&byte| byte == b'.').collect();
    let is_last = matches!(
        parts.pop(),
        Some(b"hp" | b"prof" | b"stops" | b"space" | b"ticky" | b"pprof" | b"biography")
    );
    let is_middle = |part: &[u8]| {
        part.iter().all(u8::is_ascii_digit) || matches!(part, [b'h'] | [b'h', b'a'..=b'z' | b'T'])
    };
    is_last && parts.len() <= 3 && parts.iter().all(|part| !part.is_empty() && is_middle(part))
}

/// The number of the heap whose file has a name with `rest` behind the stem; the first heap has none in its names.
fn heap_of(rest: &[u8]) -> u64 {
    let number = rest.split(|&byte| byte == b'.').nth(1).and_then(|part| std::str::from_utf8(part).ok());
    number.and_then(|part| part.parse().ok()).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heaps_have_numbers_but_for_the_first() {
        let names = [".hy.hp", ".prof", ".2.hy.hp", ".10.hp"];
        assert_eq!(names.map(|rest| heap_of(rest.as_bytes())), [1, 1, 2, 10]);
    }

    #[test]
    fn profiles_of_the_run_and_no_other_files() {
        let is = |name: &str| is_profile(b"prog", name.as_bytes());
        for name in
            ["prog.hp", "prog.prof", "prog.h.hp", "prog.hy.hp", "prog.hr.prof", "prog.stops", "prog.2.hT.hp"]
        {
            assert!(is(name), "{name}");
        }
        for name in ["prog", "prog.html", "program.hp", "prog.old.hp", "prog.hp.gz", "prog..hp", "x.prog.hp"]
        {
            assert!(!is(name), "{name}");
        }
    }

    #[test]
    fn names_that_flags_cannot_have_are_refused() {
        let of =
            |output: &str| Files::new(Some(Path::new(output)), OsStr::new("prog")).map(|files| files.stem());
        assert!(of("two words").unwrap_err().contains("-o NAME"));
        assert!(of("/tmp").unwrap_err().contains("is a folder"));
        assert!(of("/no/such/folder").unwrap_err().starts_with("/no/such: no such folder"));
        assert_eq!(of("/tmp/b").unwrap(), "/tmp/b");
    }
}
