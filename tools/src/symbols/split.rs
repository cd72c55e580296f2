//! Files beside a program that have the rest of its debug information, as `-gsplit-dwarf` makes them. The program names each,
//! unit by unit, and a reader of the program takes them without asking.

use addr2line::gimli::{self, EndianSlice, RunTimeEndian};
use object::{Object, ObjectSection};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Each file once; none where nothing can be read.
pub fn files(path: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let Ok(bytes) = std::fs::read(path) else { return found };
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

fn as_path(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}
