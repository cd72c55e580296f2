//! What the debug information of a file of code inflates to, which its sections say, is asked before anything is inflated.
//! Invariant: it stays in proportion to the file, so that no small file takes much of anything.

use super::split;
use object::read::ReadCache;
use object::{BinaryFormat, CompressionFormat, Object, ObjectSection};
use std::path::Path;

/// So much is always inflated.
const FREE: u64 = 4 << 20;
/// Beyond that, at most so many times the size of the file. Debug information comes to 3 to 10.
const RATIO: u64 = 32;

/// Says why the file is not loaded. The loader tells of files that cannot be read at all. A package of split debug
/// information beside the file counts too, and so do the files that hold the rest of its units: the loader takes all of them.
pub fn check(path: &Path) -> Result<(), String> {
    let package = path.with_extension(match path.extension() {
        Some(extension) => {
            let mut extension = extension.to_os_string();
            extension.push(".dwp");
            extension
        }
        None => "dwp".into(),
    });
    check_one(path)?;
    check_one(&package).map_err(|error| format!("{}: {error}", package.display()))?;
    // The file itself is known to be in proportion, so that it may be inflated to see what it names.
    split::files(path)
        .iter()
        .try_for_each(|file| check_one(file).map_err(|error| format!("{}: {error}", file.display())))
}

fn check_one(path: &Path) -> Result<(), String> {
    // To open a pipe waits for its writer, so that this is asked before.
    let Ok(about) = path.metadata() else { return Ok(()) };
    if !about.is_file() {
        return Err("it is no regular file".into());
    }
    let Ok(code) = std::fs::File::open(path) else { return Ok(()) };
    // It reads what it is asked for, and keeps that.
    let cache = ReadCache::new(code);
    let Ok(file) = object::File::parse(&cache) else { return Ok(()) };
    if file.format() == BinaryFormat::MachO {
        // It names whole other files, which the loader would open in their turn.
        return Err("it is a file of another system (Mach-O)".into());
    }
    let mut sum = 0u64;
    for section in file.sections() {
        let Ok(range) = section.compressed_file_range() else { continue };
        if range.format != CompressionFormat::None {
            sum = sum.saturating_add(range.uncompressed_size);
        }
    }
    if sum <= FREE.max(about.len().saturating_mul(RATIO)) {
        return Ok(());
    }
    Err(format!(
        "its debug information inflates to {sum} bytes, more than {RATIO} times the file: if that is right, name the file that \
         `objcopy --decompress-debug-sections` makes of it"
    ))
}
