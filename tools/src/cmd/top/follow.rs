//! What is still being written, as a source that says when it has given all there is: a file, which never ends since at its
//! end it waits for more; and a pipe, which ends when its writer closes it.

use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Called when all that there is has been read, and now and then when there is ever more, with no time then: waits for so long, and
/// does meanwhile what there is to do.
pub type AtEnd<'a> = Box<dyn FnMut(Duration) -> io::Result<()> + 'a>;

/// Short enough to look alive, long enough to cost nothing.
const WAIT: Duration = Duration::from_millis(100);

/// When `AtEnd` was called last.
struct Pace(Instant);

impl Pace {
    /// Whether it has not been called for long.
    fn is_due(&mut self) -> bool {
        let is_due = self.0.elapsed() > WAIT;
        if is_due {
            self.0 = Instant::now();
        }
        is_due
    }
}

pub struct Follow<'a> {
    file: File,
    /// Where it was opened; none of a file that was given open.
    path: Option<PathBuf>,
    position: u64,
    at_end: AtEnd<'a>,
    pace: Pace,
}

impl<'a> Follow<'a> {
    pub fn new(file: File, path: Option<&Path>, at_end: AtEnd<'a>) -> Follow<'a> {
        Follow { file, path: path.map(Path::to_owned), position: 0, at_end, pace: Pace(Instant::now()) }
    }

    /// Whether the file was emptied, or another one has its name: runtimes begin a profile in either way.
    fn is_anew(&self) -> io::Result<bool> {
        let open = self.file.metadata()?;
        // Nothing has the name for a moment, before the new file is there.
        let named = self.path.as_ref().and_then(|path| path.metadata().ok());
        let mark = |found: &Metadata| (found.dev(), found.ino());
        Ok(open.len() < self.position || named.is_some_and(|named| mark(&named) != mark(&open)))
    }
}

impl Read for Follow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.pace.is_due() {
            (self.at_end)(Duration::ZERO)?;
        }
        loop {
            let count = self.file.read(buffer)?;
            if count > 0 {
                self.position += count as u64;
                return Ok(count);
            }
            (self.at_end)(WAIT)?;
            if self.is_anew()? {
                return Err(io::Error::other(StartedAnew));
            }
        }
    }
}

/// The user wants no more.
#[derive(Debug)]
pub struct Ended;

impl Ended {
    pub fn is(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|inner| inner.is::<Ended>())
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ended by the user")
    }
}

impl std::error::Error for Ended {}

/// The file has become shorter or is another one: the program was started again.
#[derive(Debug)]
pub struct StartedAnew;

impl StartedAnew {
    pub fn is(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|inner| inner.is::<StartedAnew>())
    }
}

impl fmt::Display for StartedAnew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the file was started anew")
    }
}

impl std::error::Error for StartedAnew {}

const CHUNK_BYTES: usize = 1 << 16;
/// Chunks that may lie between the pipe and the reader.
const CHUNKS: usize = 4;

/// A pipe. Whether there is more cannot be asked of it everywhere, so a thread waits in its place.
pub struct Arriving<'a> {
    chunks: Receiver<io::Result<Vec<u8>>>,
    chunk: Vec<u8>,
    given: usize,
    at_end: AtEnd<'a>,
    pace: Pace,
}

impl<'a> Arriving<'a> {
    pub fn new(mut source: impl Read + Send + 'static, at_end: AtEnd<'a>) -> Arriving<'a> {
        let (to, chunks) = sync_channel(CHUNKS);
        thread::spawn(move || {
            loop {
                let mut chunk = vec![0; CHUNK_BYTES];
                let read = source.read(&mut chunk).map(|length| {
                    chunk.truncate(length);
                    chunk
                });
                let is_last = !matches!(&read, Ok(chunk) if !chunk.is_empty());
                // Nobody takes it when the reader has found a fault: then there is no more to do.
                if to.send(read).is_err() || is_last {
                    return;
                }
            }
        });
        Arriving { chunks, chunk: Vec::new(), given: 0, at_end, pace: Pace(Instant::now()) }
    }
}

impl Read for Arriving<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.pace.is_due() {
            (self.at_end)(Duration::ZERO)?;
        }
        if self.given == self.chunk.len() {
            let next = loop {
                match self.chunks.try_recv() {
                    Err(TryRecvError::Empty) => (self.at_end)(WAIT)?,
                    Err(TryRecvError::Disconnected) => break None,
                    Ok(next) => break Some(next),
                }
            };
            self.chunk = next.unwrap_or(Ok(Vec::new()))?;
            self.given = 0;
        }
        let count = (self.chunk.len() - self.given).min(buffer.len());
        buffer[..count].copy_from_slice(&self.chunk[self.given..self.given + count]);
        self.given += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source that always has more does not keep keys from being heard.
    #[test]
    fn keys_are_heard_while_there_is_always_more() {
        let looks: [fn(AtEnd<'static>) -> Box<dyn Read>; 2] = [
            |at_end| Box::new(Follow::new(File::open("/dev/zero").expect("there"), None, at_end)),
            |at_end| Box::new(Arriving::new(io::repeat(b'x'), at_end)),
        ];
        for look in looks {
            let at_end = |time: Duration| if time.is_zero() { Err(io::Error::other(Ended)) } else { Ok(()) };
            let mut source = look(Box::new(at_end));
            let (begun, mut buffer) = (Instant::now(), [0; 512]);
            while source.read(&mut buffer).is_ok() {
                assert!(begun.elapsed() < Duration::from_secs(5));
            }
        }
    }
}
