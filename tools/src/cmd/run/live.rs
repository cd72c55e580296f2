//! The live line of a program that runs: how long, how much is alive, and what most of it is, from the samples that its profile has
//! so far.

use super::files::Files;
use crate::band_name::numbered;
use crate::cmd::top::table::fit;
use crate::draw::amount;
use crate::read::hp::{Event, HpReader, Rules};
use crate::sort;
use barrow::base::Shown;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

pub struct Live {
    begun: Instant,
    /// The profile by type, once it is there.
    profile: Option<Growing>,
    /// Whether a line stands on the terminal.
    is_shown: bool,
}

/// A profile that is being written, and its last whole sample.
struct Growing {
    file: File,
    /// The head of the file, which the reader wants before each sample.
    head: Vec<u8>,
    /// Bytes that make no whole sample yet.
    rest: Vec<u8>,
    last: Option<Sample>,
    most: u128,
}

struct Sample {
    total: u128,
    /// The greatest bands: bytes and names.
    bands: Vec<(u64, String)>,
}

/// Bands that the line names.
const BANDS: usize = 3;

impl Live {
    pub fn new() -> Live {
        Live { begun: Instant::now(), profile: None, is_shown: false }
    }

    /// Writes the line as it is now. The cursor stays at its beginning, so that what the program writes comes over it.
    pub fn paint(&mut self, files: &Files) {
        if self.profile.is_none() {
            let by_type =
                |path: &PathBuf| path.ends_with(files.named(".hy.hp").file_name().unwrap_or_default());
            self.profile =
                files.made().iter().find(|path| by_type(path)).and_then(|path| Growing::open(path));
        }
        if let Some(profile) = &mut self.profile {
            profile.go_on();
        }
        let width =
            terminal_size::terminal_size_of(io::stderr()).map_or(80, |(width, _)| usize::from(width.0));
        at_once(&format!("\r{}\x1b[K\r", self.line(width)));
        self.is_shown = true;
    }

    /// The last column stays free, where some terminals would begin another line.
    fn line(&self, width: usize) -> String {
        let mut line = format!("{:.1} s", self.begun.elapsed().as_secs_f64());
        if let Some(profile) = &self.profile {
            line.push_str(&profile.told());
        }
        fit(&line, width.saturating_sub(1)).to_owned()
    }

    /// Takes the line away.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            at_once("\r\x1b[K");
        }
    }
}

/// Nothing while the terminal is stopped, as by Ctrl-S: signals would wait with it.
fn at_once(text: &str) {
    let mut room = libc::pollfd { fd: libc::STDERR_FILENO, events: libc::POLLOUT, revents: 0 };
    // SAFETY: one descriptor, which is ours.
    if unsafe { libc::poll(&mut room, 1, 0) } != 1 {
        return;
    }
    // A terminal that is gone has nobody before it.
    let _ = io::stderr().write_all(text.as_bytes());
}

const END: &[u8] = b"\nEND_SAMPLE ";

impl Growing {
    fn open(path: &Path) -> Option<Growing> {
        let file = File::open(path).ok()?;
        Some(Growing { file, head: Vec::new(), rest: Vec::new(), last: None, most: 0 })
    }

    /// Takes in what has been written meanwhile.
    fn go_on(&mut self) {
        // What cannot be read now is read at the next look.
        let _ = self.file.read_to_end(&mut self.rest);
        let ends = self.rest.windows(END.len()).rposition(|window| window == END);
        let Some(end) = ends
            .and_then(|at| Some(at + 1 + self.rest[at + 1..].iter().position(|&byte| byte == b'\n')? + 1))
        else {
            return;
        };
        let rest = self.rest.split_off(end);
        let whole = std::mem::replace(&mut self.rest, rest);
        if self.head.is_empty() {
            let begins = whole.windows(13).position(|window| window == b"BEGIN_SAMPLE ");
            self.head = whole[..begins.unwrap_or(0)].to_vec();
            self.take(&whole);
        } else {
            let text = [self.head.as_slice(), &whole].concat();
            self.take(&text);
        }
    }

    fn take(&mut self, text: &[u8]) {
        let mut reader = HpReader::new(text, Rules::Tolerant);
        while let Ok(Some(event)) = reader.next() {
            let Event::Sample { .. } = event else { continue };
            let mut bands: Vec<(u64, String)> = (reader.bands().listed())
                .map(|(band, bytes)| (bytes, String::from_utf8_lossy(reader.bands().name(band)).into_owned()))
                .collect();
            let total = bands.iter().map(|&(bytes, _)| u128::from(bytes)).sum();
            if total > 0 {
                sort::by(&mut bands, |a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
                bands.truncate(BANDS);
                self.most = self.most.max(total);
                self.last = Some(Sample { total, bands });
            }
        }
    }

    fn told(&self) -> String {
        let Some(Sample { total, bands }) = &self.last else { return String::new() };
        let shares = bands.iter().map(|(bytes, name)| {
            format!(
                "{} {:.0} %",
                Shown::whole(numbered(name).1.as_bytes()),
                *bytes as f64 / *total as f64 * 100.0
            )
        });
        let shares: Vec<String> = shares.collect();
        format!(
            "   {} alive, at most {}: {}",
            amount(*total as f64, true),
            amount(self.most as f64, true),
            shares.join(", ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names cannot command the terminal, nor make the line longer than it is wide.
    #[test]
    fn names_are_shown_and_cut_by_columns() {
        let bands = vec![(4096, "\u{1b}[2J\u{6f22}\u{5b57}".to_owned())];
        let name = std::env::temp_dir().join(format!("barrow-live-{}-names", std::process::id()));
        std::fs::write(&name, "").unwrap();
        let mut growing = Growing::open(&name).unwrap();
        std::fs::remove_file(&name).unwrap();
        (growing.last, growing.most) = (Some(Sample { total: 4096, bands }), 4096);
        let live = Live { begun: Instant::now(), profile: Some(growing), is_shown: false };
        let line = live.line(80);
        assert!(!line.contains('\u{1b}') && line.contains("[2J\u{6f22}\u{5b57} 100 %"), "{line:?}");
        let begin = line.chars().take_while(|&c| c != '\u{6f22}').count();
        assert!(
            live.line(begin + 4).ends_with('\u{6f22}'),
            "the second is two columns wide, and one is left"
        );
    }

    /// However the text is cut, the line shows the last whole sample.
    #[test]
    fn the_last_whole_sample_is_shown() {
        let head = "JOB \"j\"\nDATE \"d\"\nSAMPLE_UNIT \"seconds\"\nVALUE_UNIT \"bytes\"\nBEGIN_SAMPLE 0.000000\nEND_SAMPLE 0.000000\n";
        let first = "BEGIN_SAMPLE 0.100000\nNode\t3072\nLeaf\t1024\nEND_SAMPLE 0.100000\n";
        let second = "BEGIN_SAMPLE 0.200000\nLeaf\t2048\nEND_SAMPLE 0.200000\n";
        let text = format!("{head}{first}{second}");
        for step in [1, 7, 64, 1000] {
            let name = std::env::temp_dir().join(format!("barrow-live-{}-{step}", std::process::id()));
            std::fs::write(&name, "").unwrap();
            let mut growing = Growing::open(&name).unwrap();
            let mut out = File::options().append(true).open(&name).unwrap();
            let mut told = Vec::new();
            for part in text.as_bytes().chunks(step) {
                out.write_all(part).unwrap();
                growing.go_on();
                told.push(growing.told());
            }
            std::fs::remove_file(&name).unwrap();
            assert_eq!(told.last().unwrap(), "   2.00 KiB alive, at most 4.00 KiB: Leaf 100 %", "{step}");
            if step < 64 {
                assert!(
                    told.contains(&"   4.00 KiB alive, at most 4.00 KiB: Node 75 %, Leaf 25 %".to_owned())
                );
            }
        }
    }
}
