//! The options of heap profiles. They come with a heap's flags, or with the call that starts a profile in mid-run.

use super::option::Value;
use super::{Failure, Outcome, Sentence};
use std::fmt::Write;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProfileKey {
    /// `-h`: a break-down, or with names behind its letter a restriction.
    Heap,
    /// `-i`
    Interval,
    /// `-ib`
    Bytes,
    /// `-in`
    Natural,
    /// `-ix`
    Share,
    /// `-xt`
    Threads,
    /// `-L`
    NameLength,
    /// `-R`
    MostRetainers,
}

/// Letters of break-downs: kind, type, description, module, info table, producer, allocation site, retainer set,
/// biography.
pub const BREAK_DOWNS: &str = "Tydmicarb";
/// `-h` alone: by producer when the program has cost centres, else by kind.
pub const CHOSEN: char = 'h';
/// Letters of restrictions.
pub const RESTRICTIONS: &str = "ydmcCrb";
/// What `-hb` restricts to.
pub const PHASES: [&str; 4] = ["lag", "drag", "void", "use"];

/// When samples are taken.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Sampling {
    /// Every so many seconds of the mutator's CPU time; 0: only by call.
    Seconds(f64),
    /// Every so many bytes allocated.
    Bytes(u64),
    /// At the major collections that happen anyway.
    Natural,
}

#[derive(Clone, Copy, Debug)]
pub struct ProfileFlags {
    letters: [u8; 16],
    count: usize,
    /// `yMap,List dBranch`: letter and names, separated by blanks.
    pub restrictions: Sentence,
    pub sampling: Sampling,
    /// How much of the time without them samples may take, in percent.
    pub share: f64,
    /// Threads and their stacks are shown too.
    pub threads: bool,
    /// Bytes of the name of a cost-centre stack or retainer set.
    pub name_length: usize,
    /// Sets of more retainers are MANY.
    pub most_retainers: usize,
}

impl ProfileFlags {
    pub const NONE: ProfileFlags = ProfileFlags {
        letters: [0; 16],
        count: 0,
        restrictions: Sentence::EMPTY,
        sampling: Sampling::Seconds(0.1),
        share: 40.0,
        threads: false,
        name_length: 25,
        most_retainers: 8,
    };

    /// The break-downs that are wanted, by their letters, each once.
    pub fn break_downs(&self) -> impl Iterator<Item = char> {
        self.letters[..self.count].iter().map(|&letter| letter as char)
    }

    /// Whether there is a restriction of this letter.
    pub fn restricts_by(&self, letter: char) -> bool {
        self.restrictions.as_str().split_ascii_whitespace().any(|part| part.starts_with(letter))
    }

    pub fn set(&mut self, key: ProfileKey, value: Value<'_>) -> Outcome<()> {
        match (key, value) {
            (ProfileKey::Heap, Value::Text(text)) => return self.set_heap(text),
            (ProfileKey::Interval, Value::Number(seconds)) => self.sampling = Sampling::Seconds(seconds),
            (ProfileKey::Bytes, Value::Number(bytes)) => self.sampling = Sampling::Bytes(bytes as u64),
            (ProfileKey::Natural, _) => self.sampling = Sampling::Natural,
            (ProfileKey::Threads, _) => self.threads = true,
            (ProfileKey::Share, Value::Number(percent)) => self.share = percent,
            (ProfileKey::NameLength, Value::Count(length)) => self.name_length = length as usize,
            (ProfileKey::MostRetainers, Value::Count(most)) => self.most_retainers = most as usize,
            _ => {}
        }
        Ok(())
    }

    fn set_heap(&mut self, text: &str) -> Outcome<()> {
        // The older spellings of `-hb` and `-hr`.
        let text = match text {
            "L" => "b",
            "R" => "r",
            other => other,
        };
        let letter = text.chars().next().unwrap_or(CHOSEN);
        let names = text.strip_prefix(letter).unwrap_or("");
        let known = if names.is_empty() { BREAK_DOWNS } else { RESTRICTIONS };
        if !text.is_empty() && !known.contains(letter) {
            let what = if names.is_empty() { "break-down" } else { "restriction" };
            return Err(Failure::argument(format_args!(
                "the flag -h{text} is not understood: the letter of a {what} is one of {known}"
            )));
        }
        if names.is_empty() {
            if !self.break_downs().any(|one| one == letter) && self.count < self.letters.len() {
                self.letters[self.count] = letter as u8;
                self.count += 1;
            }
            return Ok(());
        }
        if letter == 'b'
            && let Some(wrong) = names.split(',').find(|name| !PHASES.contains(name))
        {
            return Err(Failure::argument(format_args!(
                "the flag -h{text} is not understood: {wrong} is none of lag, drag, void and use"
            )));
        }
        let before = self.restrictions;
        let longer = Sentence::new(format_args!("{before} {text}"));
        // What did not fit was cut, which would restrict to something else.
        if !longer.as_str().ends_with(text) {
            return Err(Failure::argument(format_args!(
                "the names of -h{letter} and the restrictions before it are too long: {} bytes may be given in all",
                Sentence::ROOM
            )));
        }
        self.restrictions = longer;
        Ok(())
    }

    /// The value in force, spelled as it would be given.
    pub fn read_back(&self, key: ProfileKey) -> Sentence {
        let number = |n: f64| Sentence::new(format_args!("{n}"));
        match key {
            ProfileKey::Heap => {
                let mut all = Sentence::EMPTY;
                for letter in self.break_downs() {
                    let _ = match letter {
                        CHOSEN => write!(all, "-h "),
                        letter => write!(all, "-h{letter} "),
                    };
                }
                for restriction in self.restrictions.as_str().split_ascii_whitespace() {
                    let _ = write!(all, "-h{restriction} ");
                }
                if all.as_str().is_empty() {
                    let _ = write!(all, "off");
                }
                Sentence::new(format_args!("{}", all.as_str().trim_end()))
            }
            ProfileKey::Interval => match self.sampling {
                Sampling::Seconds(seconds) => number(seconds),
                _ => Sentence::new(format_args!("off")),
            },
            ProfileKey::Bytes => match self.sampling {
                Sampling::Bytes(bytes) => number(bytes as f64),
                _ => Sentence::new(format_args!("off")),
            },
            ProfileKey::Natural => Sentence::new(format_args!(
                "{}",
                if self.sampling == Sampling::Natural { "on" } else { "off" }
            )),
            ProfileKey::Threads => Sentence::new(format_args!("{}", if self.threads { "on" } else { "off" })),
            ProfileKey::Share => number(self.share),
            ProfileKey::NameLength => number(self.name_length as f64),
            ProfileKey::MostRetainers => number(self.most_retainers as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::flags::Flags;

    #[test]
    fn break_downs_and_restrictions() {
        let flags = Flags::parse("-hT -hy -hdBranch,Leaf -hy -i0.5 -hyMap").unwrap();
        assert_eq!(flags.profile.break_downs().collect::<String>(), "Ty");
        assert_eq!(flags.profile.restrictions.as_str().trim(), "dBranch,Leaf yMap");
        assert_eq!(flags.read_back("-h").unwrap().as_str(), "-hT -hy -hdBranch,Leaf -hyMap");
        assert_eq!(
            (flags.read_back("-i").unwrap().as_str(), flags.read_back("-in").unwrap().as_str()),
            ("0.5", "off")
        );
        assert_eq!(Flags::parse("-h").unwrap().profile.break_downs().collect::<String>(), "h");
        assert_eq!(Flags::parse("-h").unwrap().read_back("-h").unwrap().as_str(), "-h");
        assert_eq!(Flags::parse("-hR -hL").unwrap().read_back("-h").unwrap().as_str(), "-hr -hb");
        let wrong = |line: &str| Flags::parse(line).unwrap_err().sentence.as_str().to_string();
        assert!(wrong("-hx").contains("one of Tydmicarb") && wrong("-hTx").contains("restriction"));
        assert!(wrong(&format!("-hd{}", "a".repeat(500))).contains("too long"));
        assert_eq!(Flags::parse("-ib64k").unwrap().read_back("-ib").unwrap().as_str(), "65536");
    }
}
