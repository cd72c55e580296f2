//! A snapshot of the object graph to another format: the file is read several times, and never held as a whole.

use crate::out;
use crate::read::snapshot::Index;
use crate::write::heapsnapshot;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Where a snapshot is read from, again and again.
enum Source<'a> {
    File(&'a Path),
    /// A pipe can be read only once.
    Bytes(Vec<u8>),
}

impl Source<'_> {
    fn open(&self) -> io::Result<Box<dyn Read + '_>> {
        Ok(match self {
            Source::File(path) => Box::new(File::open(path)?),
            Source::Bytes(bytes) => Box::new(&bytes[..]),
        })
    }
}

pub fn convert(file: &Path, output: &Path) -> Result<(), String> {
    let (source, name) = if file.as_os_str() == "-" {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map_err(|error| format!("stdin: {error}"))?;
        (Source::Bytes(bytes), "stdin".to_owned())
    } else {
        (Source::File(file), file.display().to_string())
    };
    let opened = source.open().map_err(|error| format!("{name}: {error}"))?;
    let index = Index::read(&name, opened).map_err(|error| error.to_string())?;
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
