//! Where a command's output goes: a file, whole or not at all, or standard output for `-`.

use crate::whole_file;
use std::io::{self, BufWriter, Write};
use std::path::Path;

pub fn write_to(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), String> {
    if path.as_os_str() != "-" {
        return whole_file::write(path, write).map_err(|error| format!("{}: {error}", path.display()));
    }
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        // Whoever reads our output may stop reading: `barrow convert … | head`.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("standard output: {error}")),
        _ => Ok(()),
    }
}
