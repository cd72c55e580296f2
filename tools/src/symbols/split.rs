//! Files beside a program that have the rest of its debug information, as `-gsplit-dwarf` makes them. The program names each,
//! unit by unit, and a reader of the program takes them without asking.

use addr2line::gimli::{self, EndianSlice, RunTimeEndian};
use object::read::ReadCache;
use object::{Object, ObjectKind, ObjectSection};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Each file once; none where nothing can be read.
pub fn files(path: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let Some(bytes) = program(path) else { return found };
    let Ok(file) = object::File::parse(&*bytes) else { return found };
    let endian = if file.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
    let load = |id: gimli::SectionId| -> gimli::Result<Cow<'_, [u8]>> {
        let section = file.section_by_name(id.name());
        Ok(section.and_then(|section| section.uncompressed_data().ok()).unwrap_or_default())
    };
    let Ok(sections) = gimli::DwarfSections::load(load) else { return found };
    let dwarf = sections.borrow(|section| EndianSlice::new(section, endian));
    let mut units = dwarf.units();
    while let Ok(Some(header)) = units.next() {
        let Ok(unit) = dwarf.unit(header) else { continue };
        let Ok(Some(name)) = unit.dwo_name() else { continue };
        let Ok(name) = dwarf.attr_string(&unit, name) else { continue };
        let folder = unit.comp_dir.as_ref().map_or(Path::new(""), |folder| as_path(folder.slice()));
        found.insert(folder.join(as_path(name.slice())));
    }
    found
}

/// The bytes of a program. A profile may name any file: of another one no more than the head is read, and nothing behind the end that
/// the system tells, where a file of /proc may have more.
fn program(path: &Path) -> Option<Vec<u8>> {
    let code = File::open(path).ok()?;
    let length = code.metadata().ok()?.len();
    // All memory of the machine is the dump of a program too.
    object::File::parse(&ReadCache::new(code)).ok().filter(|file| file.kind() != ObjectKind::Core)?;
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(length).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

fn as_path(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::memory::most_held;

    /// A profile may name any file, whatever it is and however long.
    #[test]
    fn what_is_no_program_is_not_read_whole() {
        let path = std::env::temp_dir().join(format!("barrow-no-program-{}", std::process::id()));
        File::create(&path).unwrap().set_len(64 << 20).unwrap();
        for path in [&*path, Path::new("/proc/self/pagemap")] {
            let held = most_held(0, || assert!(files(path).is_empty()));
            assert!(held < 1 << 20, "{}: {held} bytes", path.display());
        }
        std::fs::remove_file(path).unwrap();
    }
}
