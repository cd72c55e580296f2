//! A file that is still being written, as a source that never ends: at its end it waits for more.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::thread::sleep;
use std::time::Duration;

/// Short enough to look alive, long enough to cost nothing.
const WAIT: Duration = Duration::from_millis(100);

pub struct Follow<F> {
    file: File,
    position: u64,
    /// Called at the end of what there is, before each wait.
    at_end: F,
}

impl<F: FnMut() -> io::Result<()>> Follow<F> {
    pub fn new(file: File, at_end: F) -> Follow<F> {
        Follow { file, position: 0, at_end }
    }
}

impl<F: FnMut() -> io::Result<()>> Read for Follow<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.file.read(buffer)?;
            if count > 0 {
                self.position += count as u64;
                return Ok(count);
            }
            (self.at_end)()?;
            if self.file.metadata()?.len() < self.position {
                return Err(io::Error::other(StartedAnew));
            }
            sleep(WAIT);
        }
    }
}

/// The file has become shorter: the program was started again.
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
