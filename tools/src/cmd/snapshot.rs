//! A snapshot of the object graph to another format: the file is read several times, and never held as a whole.

use crate::out;
use crate::read::kind::Kind;
use crate::read::snapshot::Index;
use crate::read::source::Source;
use crate::write::heapsnapshot;
use std::io;
use std::path::Path;

/// Where a snapshot is read from, again and again.
enum Place<'a> {
    File(&'a Path),
    /// A pipe can be read only once.
    Bytes(Vec<u8>),
}

impl Place<'_> {
    fn open(&self) -> io::Result<Source<'_>> {
        match self {
            Place::File(path) => Source::open(path),
            Place::Bytes(bytes) => Source::of(&bytes[..]),
        }
    }
}

pub fn convert(file: &Path, output: &Path) -> Result<(), String> {
    let is_pipe = file.as_os_str() == "-";
    let name = if is_pipe { "stdin".to_owned() } else { file.display().to_string() };
    let told = |error: io::Error| format!("{name}: {error}");
    let opened = Source::open(file).map_err(told)?;
    if let Some(other) = opened.kind.filter(|&kind| kind != Kind::Snapshot) {
        return Err(format!("{name}: {}", other.told()));
    }
    let source = if is_pipe { Place::Bytes(opened.whole().map_err(told)?) } else { Place::File(file) };
    let index = Index::read(&name, source.open().map_err(told)?).map_err(|error| error.to_string())?;
    // The output's errors go by the output's name, the input's by its own.
    let mut wrong = None;
    let written = out::write_to(output, |out| {
        heapsnapshot::write(&name, &index, || source.open(), out).map_err(|error| match error {
            heapsnapshot::Error::Read(error) => {
                wrong = Some(error.to_string());
                io::ErrorKind::InvalidData.into()
            }
            heapsnapshot::Error::Io(error) => error,
        })
    });
    match wrong {
        Some(wrong) => Err(wrong),
        None => written,
    }
}
