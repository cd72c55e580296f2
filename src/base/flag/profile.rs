//! The settings of heap profiles. They come with a heap's flags, or with the call that starts a profile.

use super::names::{wants_braces, without_braces};
use super::value::Cut;
use crate::base::{Failure, List, Outcome, Text};

/// Letters of break-downs: kind, type, description, module, info table, producer, allocation site, retainer set,
/// biography.
const BREAK_DOWNS: &str = "Tydmicarb";
/// `-h` alone: by producer when the program has cost centres, else by kind.
pub const CHOSEN: char = 'h';
/// Letters of restrictions.
const RESTRICTIONS: &str = "ydmcCrb";
/// The phases to which `-hb` can be restricted.
const PHASES: [&str; 4] = ["lag", "drag", "void", "use"];
/// The older spellings of break-downs, each with today's.
const OLDER_BREAK_DOWNS: &str = "Cc Mm Dd Yy Rr Bb Lb";
/// The older spellings of restrictions, where `C` has a meaning of its own.
const OLDER_RESTRICTIONS: &str = "Mm Dd Yy Rr Bb";

/// The times of samples.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Sampling {
    /// Seconds of the mutator's CPU time between samples; 0 for samples by call only.
    Seconds(f64),
    /// Seconds of wall time between samples; 0 for samples by call only.
    Wall(f64),
    /// Bytes allocated between samples.
    Bytes(u64),
    /// Samples at the major collections that happen anyway.
    Natural,
}

impl Sampling {
    /// Seconds between samples by a clock; none where another event brings them.
    pub fn interval(self) -> Option<f64> {
        match self {
            Sampling::Seconds(seconds) | Sampling::Wall(seconds) if seconds > 0.0 => Some(seconds),
            _ => None,
        }
    }

    /// Whether the times of the profile are wall time.
    pub fn is_by_wall(self) -> bool {
        matches!(self, Sampling::Wall(_))
    }
}

#[derive(Debug)]
pub struct ProfileFlags {
    /// Letters of the break-downs, each once.
    break_downs: List<char>,
    /// Restrictions as `yMap,List dBranch`: letter and names, separated by blanks.
    pub restrictions: Text,
    pub sampling: Sampling,
    /// Percent of the rest of the time that samples may take.
    pub share: f64,
    /// Whether threads and their stacks are shown too.
    pub threads: bool,
    /// Bytes to which the name of a cost-centre stack or retainer set is cut.
    pub name_length: usize,
    /// Retainers in a set, at most; larger sets are MANY.
    pub most_retainers: usize,
}

impl Default for ProfileFlags {
    fn default() -> ProfileFlags {
        ProfileFlags {
            break_downs: List::new(),
            restrictions: Text::new(),
            sampling: Sampling::Seconds(0.1),
            share: 40.0,
            threads: false,
            // All that any name of a file has.
            name_length: 4900,
            most_retainers: 8,
        }
    }
}

fn of_today(letter: char, older: &str) -> char {
    let today = older.split(' ').find_map(|pair| pair.strip_prefix(letter)?.chars().next());
    today.unwrap_or(letter)
}

impl ProfileFlags {
    /// The letters of the wanted break-downs, each once.
    pub fn break_downs(&self) -> impl Iterator<Item = char> {
        self.break_downs.iter().copied()
    }

    /// Whether there is a restriction of this letter.
    pub fn restricts_by(&self, letter: char) -> bool {
        self.each_restriction().any(|part| part.starts_with(letter))
    }

    fn each_restriction(&self) -> impl Iterator<Item = &str> {
        self.restrictions.as_str().split_ascii_whitespace()
    }

    /// Takes the text behind `-h`: a break-down, or with names behind its letter a restriction.
    pub(super) fn add(&mut self, text: &str) -> Outcome<()> {
        let given = text.chars().next().unwrap_or(CHOSEN);
        let names = text.strip_prefix(given).unwrap_or("");
        let (in_braces, names) = (names, without_braces(names));
        let (what, known, older) = if in_braces.is_empty() {
            ("break-down", BREAK_DOWNS, OLDER_BREAK_DOWNS)
        } else {
            ("restriction", RESTRICTIONS, OLDER_RESTRICTIONS)
        };
        let letter = of_today(given, older);
        if !text.is_empty() && !known.contains(letter) {
            return Err(Failure::argument(format_args!(
                "the flag -h{} is not understood: the letter of a {what} is one of {known}",
                Cut(text)
            )));
        }
        if in_braces.is_empty() {
            return if self.break_downs.contains(&letter) { Ok(()) } else { self.break_downs.push(letter) };
        }
        if names.is_empty() {
            return Err(Failure::argument(format_args!(
                "the flag -h{0} names nothing; try -h{1}, or names between the braces",
                Cut(text),
                given
            )));
        }
        if letter == 'b'
            && let Some(wrong) = names.split(',').find(|name| !PHASES.contains(name))
        {
            return Err(Failure::argument(format_args!(
                "the flag -h{} is not understood: {} is none of lag, drag, void and use",
                Cut(text),
                Cut(wrong)
            )));
        }
        // The names are appended as a whole or not at all, since a part of them would restrict to other
        // objects.
        let before = if self.restrictions.is_empty() { "" } else { " " };
        self.restrictions.add_all(&[before, letter.encode_utf8(&mut [0; 4]), names])
    }

    /// Refuses restrictions without a break-down, which show nothing.
    pub(super) fn check(&self) -> Outcome<()> {
        match self.each_restriction().next() {
            Some(first) if self.break_downs.is_empty() => Err(Failure::argument(format_args!(
                "the flag -h{0} restricts a heap profile, and no flag asks for one: try -hT -h{0}, or -hy for types",
                Cut(first)
            ))),
            _ => Ok(()),
        }
    }

    /// Writes the `-h` flags in force, as they would be given; nothing when there are none.
    pub(super) fn spell(&self, out: &mut Text) -> Outcome<()> {
        let mut between = "-h";
        for letter in self.break_downs() {
            out.add(between)?;
            if letter != CHOSEN {
                out.add(letter.encode_utf8(&mut [0; 4]))?;
            }
            between = " -h";
        }
        for restriction in self.each_restriction() {
            let (letter, list) = restriction.split_at(restriction.chars().next().map_or(0, char::len_utf8));
            let [open, close] = if wants_braces(list) { ["{", "}"] } else { ["", ""] };
            out.add_all(&[between, letter, open, list, close])?;
            between = " -h";
        }
        Ok(())
    }

    pub fn try_clone(&self) -> Outcome<ProfileFlags> {
        let mut break_downs = List::new();
        break_downs.append(&self.break_downs)?;
        let ProfileFlags { sampling, share, threads, name_length, most_retainers, .. } = *self;
        let restrictions = self.restrictions.try_clone()?;
        Ok(ProfileFlags { break_downs, restrictions, sampling, share, threads, name_length, most_retainers })
    }
}
