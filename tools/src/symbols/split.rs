//! Files beside a program that have the rest of its debug information, as `-gsplit-dwarf` makes them. The program names each,
//! unit by unit, and a reader of the program takes them without asking. The program is mapped: it may be large, and a profile may
//! name any file.

use addr2line::gimli::{self, EndianSlice, RunTimeEndian};
use memmap2::Mmap;
use object::{Object, ObjectKind, ObjectSection};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Each file once; none where nothing can be read.
pub fn files(path: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let Ok(code) = File::open(path) else { return found };
    // SAFETY: nobody is to write to the file of a program while it is looked into, which its loader asks for, too.
    let Ok(bytes) = (unsafe { Mmap::map(&code) }) else { return found };
    let Ok(file) = object::File::parse(&*bytes) else { return found };
    // All memory of the machine is the dump of a program too.
    if file.kind() == ObjectKind::Core {
        return found;
    }
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

    #[test]
    fn a_large_program_is_not_read_whole() {
        let path = std::env::temp_dir().join(format!("barrow-large-program-{}", std::process::id()));
        std::fs::copy("/bin/true", &path).unwrap();
        std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(64 << 20).unwrap();
        let held = most_held(0, || assert!(files(&path).is_empty()));
        assert!(held < 1 << 20, "{held} bytes");
        std::fs::remove_file(path).unwrap();
    }
}
