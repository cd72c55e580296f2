//! Tells on a terminal how far the reading of a file has come, once that takes more than a second. Elsewhere it is silent, so
//! that no script finds it in what it keeps.

use crate::out::can_draw;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, Read};
use std::time::{Duration, Instant};

/// Whoever waits less asks nothing.
const PATIENCE: Duration = Duration::from_secs(1);
/// The time is asked for each time that so much has been read.
const STEP: u64 = 1 << 20;

pub struct Progress<R> {
    source: R,
    name: String,
    /// Of a regular file.
    length: Option<u64>,
    read: u64,
    asked: u64,
    begun: Instant,
    bar: Option<ProgressBar>,
    is_shown: bool,
}

impl<R: Read> Progress<R> {
    pub fn new(source: R, name: String, length: Option<u64>) -> Progress<R> {
        let is_shown = can_draw(&io::stderr());
        Progress { source, name, length, read: 0, asked: 0, begun: Instant::now(), bar: None, is_shown }
    }

    fn tell(&mut self) {
        if self.bar.is_none() && self.begun.elapsed() >= PATIENCE {
            self.bar = Some(bar(&self.name, self.length, ProgressDrawTarget::stderr()));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.read);
        }
    }
}

fn bar(name: &str, length: Option<u64>, target: ProgressDrawTarget) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(length, target);
    let form = match length {
        Some(_) => "{msg} {wide_bar} {bytes} of {total_bytes}, {eta}",
        None => "{msg} {spinner} {bytes}, {bytes_per_sec}",
    };
    // A form that is wrong is seen by the test below; the crate's own serves as well.
    if let Ok(style) = ProgressStyle::with_template(form) {
        bar.set_style(style);
    }
    bar.set_message(name.to_owned());
    bar
}

impl<R: Read> Read for Progress<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.read += count as u64;
        if self.is_shown && self.read - self.asked >= STEP {
            self.asked = self.read;
            self.tell();
        }
        Ok(count)
    }
}

impl<R> Drop for Progress<R> {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::{InMemoryTerm, TermLike};

    #[test]
    fn a_bar_comes_after_a_second_and_goes_at_the_end() {
        let mut progress = Progress::new(io::repeat(7), "big.hp".into(), Some(64 << 20));
        progress.is_shown = true;
        let mut buffer = vec![0; 1 << 20];
        progress.read_exact(&mut buffer).expect("endless");
        assert!(progress.bar.is_none());
        progress.begun = Instant::now().checked_sub(PATIENCE).expect("a machine that runs for a second");
        progress.read_exact(&mut buffer).expect("endless");
        assert_eq!(progress.bar.as_ref().map(ProgressBar::position), Some(2 << 20));
        progress.is_shown = false;
        progress.read_exact(&mut buffer).expect("endless");
        assert_eq!(progress.bar.as_ref().map(ProgressBar::position), Some(2 << 20));
    }

    #[test]
    fn what_it_shows() {
        let screen = InMemoryTerm::new(5, 80);
        for (length, wanted) in [(Some(64 << 20), "big.hp "), (None, "big.hp ")] {
            let target = ProgressDrawTarget::term_like(Box::new(screen.clone()));
            let bar = bar("big.hp", length, target);
            bar.set_position(16 << 20);
            bar.force_draw();
            let shown = screen.contents();
            assert!(shown.starts_with(wanted) && shown.contains("16.00 MiB"), "{shown}");
            assert_eq!(shown.contains("of 64.00 MiB"), length.is_some(), "{shown}");
            bar.finish_and_clear();
            screen.clear_line().expect("in memory");
        }
    }
}
