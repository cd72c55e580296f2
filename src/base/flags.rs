//! The options of one heap, read from its line of flags.

use super::cost_flags::{CostFlags, file_name};
use super::option::{self, Key, Value};
use super::profile_flags::ProfileFlags;
use super::{Outcome, Sentence};

/// Where memory comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    Auto,
    Range,
    Chunks,
}

/// A file name, kept without allocation.
pub type FileName = Sentence;

/// Where a report goes: nowhere, to standard error, or to a file.
#[derive(Clone, Copy, Debug)]
pub enum Destination {
    Nowhere,
    StandardError,
    File(FileName),
}

impl Destination {
    pub fn is_wanted(&self) -> bool {
        !matches!(self, Destination::Nowhere)
    }

    /// The name of the file; `on` is the standard error stream.
    fn read_back(&self) -> Sentence {
        match self {
            Destination::Nowhere => Sentence::new(format_args!("off")),
            Destination::StandardError => Sentence::new(format_args!("on")),
            Destination::File(name) => *name,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Flags {
    /// As they were given, for the head of reports.
    pub line: Sentence,
    /// `None`: adaptive.
    pub nursery_bytes: Option<usize>,
    pub nursery_chunk_bytes: usize,
    pub old_factor: f64,
    pub old_minimum_bytes: usize,
    /// Above so many live bytes the oldest generation grows by the square root only; `None`: it does not.
    pub square_root_above: Option<usize>,
    /// Every major collection compacts.
    pub compact_always: bool,
    /// Major collections compact when more than this share of the limit lives.
    pub compact_percent: f64,
    /// 0: none.
    pub heap_hint_bytes: usize,
    /// `-H` with no size: as much as was used at most.
    pub heap_hint_follows_peak: bool,
    /// `None`: unlimited.
    pub heap_limit_bytes: Option<usize>,
    pub free_percent: f64,
    pub keep_percent: f64,
    pub generations: usize,
    /// `None`: 2, or 1 while most of the nursery survives.
    pub steps: Option<usize>,
    pub summary: Destination,
    pub each_collection: Destination,
    pub one_line: Destination,
    pub machine_readable: bool,
    pub squeeze: bool,
    pub sanity: bool,
    pub poison: bool,
    /// Plain words are looked at for references after each collection.
    pub plain_words: bool,
    /// 0: off; else the collection before which the process stops for a debugger.
    pub stop_at: u64,
    /// 0: off; else collect at every n-th trip to the slow path.
    pub stress_every: u64,
    pub seed: u64,
    pub source: Source,
    /// 0: chosen from the size of memory.
    pub reserve_bytes: usize,
    /// `None`: on, unless this is a virtual machine.
    pub huge_pages: Option<bool>,
    pub profile: ProfileFlags,
    /// Uses are marked beside all addresses while a biography is taken.
    pub marks: bool,
    /// Collections evaluate selectors.
    pub selectors: bool,
    pub cost: CostFlags,
    /// The file of ticky counters; an empty name: `<program>.ticky`.
    pub ticky: Option<FileName>,
}

impl Default for Flags {
    fn default() -> Flags {
        Flags {
            line: Sentence::EMPTY,
            nursery_bytes: None,
            nursery_chunk_bytes: 1 << 20,
            old_factor: 2.0,
            old_minimum_bytes: 1 << 20,
            square_root_above: None,
            compact_always: false,
            compact_percent: 30.0,
            heap_hint_bytes: 0,
            heap_hint_follows_peak: false,
            heap_limit_bytes: None,
            free_percent: 3.0,
            keep_percent: 200.0,
            generations: 2,
            steps: None,
            summary: Destination::Nowhere,
            each_collection: Destination::Nowhere,
            one_line: Destination::Nowhere,
            machine_readable: false,
            squeeze: false,
            sanity: false,
            poison: false,
            plain_words: false,
            stop_at: 0,
            stress_every: 0,
            seed: 1,
            source: Source::Auto,
            reserve_bytes: 0,
            huge_pages: None,
            profile: ProfileFlags::NONE,
            marks: true,
            selectors: true,
            cost: CostFlags::NONE,
            ticky: None,
        }
    }
}

impl Flags {
    pub fn parse(line: &str) -> Outcome<Flags> {
        let mut flags = Flags { line: Sentence::new(format_args!("{line}")), ..Flags::default() };
        option::parse(line, |spec, value| flags.set(spec.key, value))?;
        Ok(flags)
    }

    fn set(&mut self, key: Key, value: Value<'_>) -> Outcome<()> {
        let number = if let Value::Number(n) = value { n } else { 0.0 };
        let bytes = number as usize;
        let count = if let Value::Count(n) = value { n } else { 0 };
        match key {
            Key::Nursery => self.nursery_bytes = Some(bytes),
            Key::NurseryChunk => self.nursery_chunk_bytes = bytes,
            Key::OldFactor => self.old_factor = number,
            Key::OldMinimum => self.old_minimum_bytes = bytes,
            Key::SquareRoot => self.square_root_above = Some(bytes),
            Key::Compact => match value {
                Value::Number(percent) => {
                    self.compact_percent = percent;
                    self.compact_always = false;
                }
                _ => self.compact_always = true,
            },
            Key::HeapHint => {
                self.heap_hint_bytes = bytes;
                self.heap_hint_follows_peak = bytes == 0;
            }
            Key::HeapLimit => self.heap_limit_bytes = Some(bytes),
            Key::FreePercent => self.free_percent = number,
            Key::Keep => self.keep_percent = number,
            Key::Generations => self.generations = count as usize,
            Key::Steps => self.steps = Some(count as usize),
            Key::Summary => self.summary = destination(value)?,
            Key::EachCollection => self.each_collection = destination(value)?,
            Key::OneLine => self.one_line = destination(value)?,
            Key::Machine => self.machine_readable = true,
            Key::Squeeze => self.squeeze = true,
            Key::NoSqueeze => self.squeeze = false,
            Key::Ticky => {
                self.ticky = Some(match value {
                    Value::Text(name) => file_name(name)?,
                    _ => FileName::EMPTY,
                })
            }
            Key::Sanity => self.sanity = true,
            Key::Poison => self.poison = true,
            Key::PlainWords => self.plain_words = true,
            Key::StopAt => self.stop_at = count,
            Key::Stress => self.stress_every = count,
            Key::Seed => self.seed = count,
            Key::Source => {
                self.source = match value {
                    Value::Text("range") => Source::Range,
                    Value::Text("chunks") => Source::Chunks,
                    _ => Source::Auto,
                }
            }
            Key::Profile(key) => self.profile.set(key, value)?,
            Key::Reserve => self.reserve_bytes = bytes,
            Key::Cost(key) => self.cost.set(key, value)?,
            Key::HugePages => {
                self.huge_pages = match value {
                    Value::Text("on") => Some(true),
                    Value::Text("off") => Some(false),
                    _ => None,
                }
            }
            Key::Marks => self.marks = value == Value::Text("on"),
            Key::Selectors => self.selectors = value == Value::Text("on"),
        }
        Ok(())
    }

    /// The value in force of one flag, spelled as it would be given; `None` when there is no such flag.
    pub fn read_back(&self, flag: &str) -> Option<Sentence> {
        let spec = option::TABLE.iter().find(|spec| spec.flag == flag)?;
        let on = |yes: bool| Sentence::new(format_args!("{}", if yes { "on" } else { "off" }));
        let number = |n: f64| Sentence::new(format_args!("{n}"));
        let count = |n: u64| Sentence::new(format_args!("{n}"));
        let count_or_off = |n: u64| if n == 0 { on(false) } else { count(n) };
        Some(match spec.key {
            Key::Nursery => match self.nursery_bytes {
                Some(bytes) => number(bytes as f64),
                None => Sentence::new(format_args!("adaptive")),
            },
            Key::NurseryChunk => number(self.nursery_chunk_bytes as f64),
            Key::OldFactor => number(self.old_factor),
            Key::OldMinimum => number(self.old_minimum_bytes as f64),
            Key::SquareRoot => match self.square_root_above {
                Some(bytes) => number(bytes as f64),
                None => on(false),
            },
            Key::Compact if self.compact_always => Sentence::new(format_args!("always")),
            Key::Compact => number(self.compact_percent),
            Key::HeapHint if self.heap_hint_follows_peak => on(true),
            Key::HeapHint => number(self.heap_hint_bytes as f64),
            Key::HeapLimit => match self.heap_limit_bytes {
                Some(bytes) => number(bytes as f64),
                None => Sentence::new(format_args!("unlimited")),
            },
            Key::FreePercent => number(self.free_percent),
            Key::Keep => number(self.keep_percent),
            Key::Generations => number(self.generations as f64),
            Key::Steps => match self.steps {
                Some(steps) => number(steps as f64),
                None => Sentence::new(format_args!("adaptive")),
            },
            Key::Summary => self.summary.read_back(),
            Key::EachCollection => self.each_collection.read_back(),
            Key::OneLine => self.one_line.read_back(),
            Key::Machine => on(self.machine_readable),
            Key::Squeeze => on(self.squeeze),
            Key::NoSqueeze => on(!self.squeeze),
            Key::Ticky => match self.ticky {
                Some(name) if !name.as_str().is_empty() => name,
                ticky => on(ticky.is_some()),
            },
            Key::Sanity => on(self.sanity),
            Key::Poison => on(self.poison),
            Key::PlainWords => on(self.plain_words),
            Key::StopAt => count_or_off(self.stop_at),
            Key::Stress => count_or_off(self.stress_every),
            Key::Seed => count(self.seed),
            Key::Source => Sentence::new(format_args!(
                "{}",
                match self.source {
                    Source::Auto => "auto",
                    Source::Range => "range",
                    Source::Chunks => "chunks",
                }
            )),
            Key::Profile(key) => self.profile.read_back(key),
            // What was chosen, when it was left to the library; none is reserved for chunks.
            Key::Reserve => count_or_off(self.reserve_bytes as u64),
            Key::Cost(key) => self.cost.read_back(key),
            Key::HugePages => match self.huge_pages {
                Some(yes) => on(yes),
                None => Sentence::new(format_args!("auto")),
            },
            Key::Marks => on(self.marks),
            Key::Selectors => on(self.selectors),
        })
    }
}

fn destination(value: Value<'_>) -> Outcome<Destination> {
    let Value::Text(name) = value else { return Ok(Destination::StandardError) };
    if name.is_empty() {
        return Ok(Destination::StandardError);
    }
    Ok(Destination::File(file_name(name)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the table of flags gives as a default is what is in force when nothing is given.
    #[test]
    fn defaults_are_read_back_as_the_help_has_them() {
        let flags = Flags::parse("").unwrap();
        for spec in option::TABLE {
            // These two depend on the machine and on the program.
            if matches!(spec.default, "4 x memory" | "the program") {
                continue;
            }
            let read = flags.read_back(spec.flag).unwrap();
            let bytes = |text: &str| option::parse_size(text.trim_end_matches('%'));
            let same = read.as_str() == spec.default || bytes(read.as_str()) == bytes(spec.default);
            assert!(same && !read.as_str().is_empty(), "{}: {read} and {}", spec.flag, spec.default);
        }
    }

    #[test]
    fn what_was_given_is_read_back_exactly() {
        let line = "--seed=9007199254740993 --stop-at=9007199254740995 -Sa -sb -tc -rd -G3";
        let flags = Flags::parse(line).unwrap();
        for (flag, value) in [
            ("--seed", "9007199254740993"),
            ("--stop-at", "9007199254740995"),
            ("-S", "a"),
            ("-s", "b"),
            ("-t", "c"),
            ("-r", "d"),
            ("-G", "3"),
        ] {
            assert_eq!(flags.read_back(flag).unwrap().as_str(), value, "{flag}");
        }
        let bare = Flags::parse("-S -s -t -r -H").unwrap();
        for flag in ["-S", "-s", "-t", "-r", "-H"] {
            assert_eq!(bare.read_back(flag).unwrap().as_str(), "on", "{flag}");
        }
    }
}
