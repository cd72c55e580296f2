//! Where a reader's bytes come from: a file or standard input, inflated if it is a gzip file, with its kind known before the
//! first byte is given.
//! Invariant: what is inflated stays in proportion to what was read of the file, so that no small file takes much of
//! anything.

use super::kind::{HEAD, Kind};
use super::progress::Progress;
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;

/// So much is always inflated.
const FREE: u64 = 64 << 20;
/// Beyond that, at most so many times what was read. Profiles come to some 50; the format allows 1032.
const RATIO: u64 = 256;
/// The most that is inflated for a reader that holds the whole.
const MOST_HELD: u64 = 1 << 30;

pub struct Source<'a> {
    pub kind: Option<Kind>,
    /// Not a byte is in it.
    pub is_empty: bool,
    is_gzip: bool,
    bytes: Box<dyn Read + 'a>,
}

impl Source<'static> {
    /// `-` is standard input.
    pub fn open(path: &Path) -> io::Result<Source<'static>> {
        if path.as_os_str() == "-" {
            Source::of(Progress::new(io::stdin().lock(), "stdin".into(), None))
        } else {
            Source::open_file(path)
        }
    }

    pub fn open_file(path: &Path) -> io::Result<Source<'static>> {
        let file = File::open(path).map_err(|error| with_ending(path, error))?;
        let length = file.metadata().ok().filter(|about| about.is_file()).map(|about| about.len());
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Source::of(Progress::new(file, name, length))
    }
}

impl<'a> Source<'a> {
    pub fn of(source: impl Read + 'a) -> io::Result<Source<'a>> {
        let mut source = source;
        let start = beginning(&mut source)?;
        if !start.starts_with(b"\x1f\x8b") {
            let (kind, is_empty) = (Kind::of(&start), start.is_empty());
            return Ok(Source {
                kind,
                is_empty,
                is_gzip: false,
                bytes: Box::new(Cursor::new(start).chain(source)),
            });
        }
        let packed = Counted { source: Cursor::new(start).chain(source), read: 0 };
        let mut inflated = Inflated { decoder: MultiGzDecoder::new(packed), given: 0 };
        let start = beginning(&mut inflated)?;
        let (kind, is_empty) = (Kind::of(&start), start.is_empty());
        Ok(Source { kind, is_empty, is_gzip: true, bytes: Box::new(Cursor::new(start).chain(inflated)) })
    }

    /// All of it.
    pub fn whole(mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        if !self.is_gzip {
            self.bytes.read_to_end(&mut bytes)?;
            return Ok(bytes);
        }
        self.bytes.by_ref().take(MOST_HELD + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MOST_HELD {
            return Err(io::Error::other("this gzip file holds more than 1 GiB: gunzip it first"));
        }
        Ok(bytes)
    }
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.bytes.read(buffer)
    }
}

/// hp2ps takes the name of a profile without its ending, so people leave it out.
fn with_ending(path: &Path, error: io::Error) -> io::Error {
    let mut whole = path.as_os_str().to_owned();
    whole.push(".hp");
    let whole = Path::new(&whole);
    if error.kind() != io::ErrorKind::NotFound || !whole.is_file() {
        return error;
    }
    io::Error::new(error.kind(), format!("{error}; {} is there", whole.display()))
}

fn beginning(source: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::with_capacity(HEAD);
    source.by_ref().take(HEAD as u64).read_to_end(&mut start)?;
    Ok(start)
}

struct Counted<R> {
    source: R,
    read: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.read += count as u64;
        Ok(count)
    }
}

struct Inflated<R> {
    decoder: MultiGzDecoder<Counted<R>>,
    given: u64,
}

impl<R: Read> Read for Inflated<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.decoder.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => error,
            _ => io::Error::new(error.kind(), format!("this gzip file is damaged or cut short: {error}")),
        })?;
        self.given += count as u64;
        if self.given > FREE.max(self.decoder.get_ref().read.saturating_mul(RATIO)) {
            let told = format!(
                "this gzip file inflates to more than {RATIO} times its size: gunzip it first, if that is right"
            );
            return Err(io::Error::other(told));
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;

    fn packed(parts: &[&[u8]]) -> Vec<u8> {
        let mut out = Vec::new();
        for part in parts {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(part).expect("to memory");
            out.extend(encoder.finish().expect("to memory"));
        }
        out
    }

    #[test]
    fn a_gzip_file_gives_what_is_in_it_and_its_kind() {
        let file = packed(&[b"JOB \"a\"\n", b"DATE \"b\"\n"]);
        let source = Source::of(&file[..]).expect("sound");
        assert_eq!(source.kind, Some(Kind::HeapProfile));
        assert_eq!(source.whole().expect("sound"), b"JOB \"a\"\nDATE \"b\"\n");
        let twice = Source::of(&packed(&[&file])[..]).map(|source| source.kind);
        assert_eq!(twice.expect("sound"), Some(Kind::Gzip));
        let cut = Source::of(&file[..12]).map(|_| ()).expect_err("cut").to_string();
        assert!(cut.starts_with("this gzip file is damaged or cut short: "), "{cut}");
    }

    #[test]
    fn what_inflates_without_end_is_refused_early() {
        let zeros = vec![0; 16 << 20];
        let bomb = packed(&[&zeros[..]; 64]);
        assert!(bomb.len() < 2 << 20);
        let mut source = Source::of(&bomb[..]).expect("sound so far");
        let mut given = 0;
        let mut buffer = vec![0; 1 << 16];
        let error = loop {
            match source.read(&mut buffer) {
                Ok(0) => panic!("{given} bytes came out"),
                Ok(count) => given += count as u64,
                Err(error) => break error.to_string(),
            }
        };
        assert!(error.contains("more than 256 times its size"), "{error}");
        assert!(given <= FREE.max(RATIO * bomb.len() as u64), "{given}");
    }
}
