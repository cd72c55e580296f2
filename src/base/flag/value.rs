//! The argument behind a flag's name: how it is read, its range, and how a message describes it. Each form
//! carries the function that sets it, of the type that the form gives: a row without one, or with a wrong
//! one, does not compile.

use super::flags::Flags;
use crate::base::decimal::{self, Short};
use crate::base::{Failure, Outcome};
use std::fmt;

/// A function that sets a flag without an argument, or one of its words.
pub(super) type Switch = fn(&mut Flags);
pub(super) type SetText = fn(&mut Flags, &str) -> Outcome<()>;

pub enum Argument {
    /// No argument.
    None(Switch),
    /// Bytes, with `k`, `m`, `g` or `t`.
    Size { least: u64, most: u64, set: fn(&mut Flags, u64) },
    /// Bytes as in `Size`, or no argument.
    SizeOrNone { least: u64, most: u64, set: fn(&mut Flags, Option<u64>) },
    /// A whole number.
    Count { least: u64, most: u64, set: fn(&mut Flags, u64) },
    /// A whole number, perhaps with `!` behind it, which takes bounds away that the heap would set.
    CountAnyway { least: u64, most: u64, set: fn(&mut Flags, u64, bool) },
    /// A number with a fraction.
    Factor { least: f64, most: f64, set: fn(&mut Flags, f64) },
    /// Seconds with a fraction; 0 is allowed besides the range, for none.
    Seconds { least: f64, most: f64, set: fn(&mut Flags, f64) },
    /// A number of percent, with or without the sign.
    Percent { least: f64, most: f64, set: fn(&mut Flags, f64) },
    /// A number of percent as in `Percent`, or no argument.
    PercentOrNone { least: f64, most: f64, set: fn(&mut Flags, Option<f64>) },
    /// A file name, which may be left out: for the standard error stream, or for a name that the library
    /// makes.
    File(SetText),
    /// A letter and names.
    Letter(SetText),
    /// A file name.
    Name(SetText),
    /// One of several words.
    Word(&'static [(&'static str, Switch)]),
}

/// The reason why an argument is refused.
pub enum Wrong {
    /// The text does not have the form that `describe` tells.
    Form,
    /// The number is not in this range, nor 0 where `or_zero` allows that.
    Range { least: Number, most: Number, or_zero: bool },
    /// The flag's own reason.
    Own(Failure),
}

/// A bound as messages write it.
pub enum Number {
    Whole(u64),
    Fraction(f64),
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Number::Whole(n) => n.fmt(f),
            Number::Fraction(n) => Short(n).fmt(f),
        }
    }
}

fn whole(n: Option<u64>, least: u64, most: u64) -> Result<u64, Wrong> {
    let n = n.ok_or(Wrong::Form)?;
    if (least..=most).contains(&n) {
        return Ok(n);
    }
    Err(Wrong::Range { least: Number::Whole(least), most: Number::Whole(most), or_zero: false })
}

fn fraction(text: &str, least: f64, most: f64, or_zero: bool) -> Result<f64, Wrong> {
    let n = decimal::float(text).ok_or(Wrong::Form)?;
    if (least..=most).contains(&n) || or_zero && n == 0.0 {
        return Ok(n);
    }
    Err(Wrong::Range { least: Number::Fraction(least), most: Number::Fraction(most), or_zero })
}

fn without_sign(text: &str) -> &str {
    text.strip_suffix('%').unwrap_or(text)
}

impl Argument {
    /// Reads the text behind the name, and sets the value.
    pub fn read(&self, text: &str, flags: &mut Flags) -> Result<(), Wrong> {
        match *self {
            Argument::None(set) if text.is_empty() => set(flags),
            Argument::None(_) => return Err(Wrong::Form),
            Argument::SizeOrNone { set, .. } if text.is_empty() => set(flags, None),
            Argument::SizeOrNone { least, most, set } => set(flags, Some(whole(size(text), least, most)?)),
            Argument::Size { least, most, set } => set(flags, whole(size(text), least, most)?),
            Argument::Count { least, most, set } => set(flags, whole(text.parse().ok(), least, most)?),
            Argument::CountAnyway { least, most, set } => {
                let number = text.strip_suffix('!').unwrap_or(text);
                set(flags, whole(number.parse().ok(), least, most)?, number.len() < text.len());
            }
            Argument::Factor { least, most, set } => set(flags, fraction(text, least, most, false)?),
            Argument::Seconds { least, most, set } => set(flags, fraction(text, least, most, true)?),
            Argument::PercentOrNone { set, .. } if text.is_empty() => set(flags, None),
            Argument::PercentOrNone { least, most, set } => {
                set(flags, Some(fraction(without_sign(text), least, most, false)?));
            }
            Argument::Percent { least, most, set } => {
                set(flags, fraction(without_sign(text), least, most, false)?);
            }
            Argument::Name(_) if text.is_empty() => return Err(Wrong::Form),
            Argument::File(set) | Argument::Letter(set) | Argument::Name(set) => {
                return set(flags, text).map_err(Wrong::Own);
            }
            Argument::Word(words) => {
                let (_, set) = words.iter().find(|(word, _)| *word == text).ok_or(Wrong::Form)?;
                set(flags);
            }
        }
        Ok(())
    }

    /// A placeholder, for messages and help.
    pub fn shape(&self) -> &'static str {
        match self {
            Argument::None(_) => "",
            Argument::Size { .. } => "<size>",
            Argument::SizeOrNone { .. } => "[<size>]",
            Argument::Count { .. } | Argument::Factor { .. } | Argument::Seconds { .. } => "<n>",
            Argument::CountAnyway { .. } => "<n>[!]",
            Argument::Percent { .. } => "<percent>",
            Argument::PercentOrNone { .. } => "[<percent>]",
            Argument::File(_) => "[<file>]",
            Argument::Letter(_) => "[<letter>[<names>]]",
            Argument::Name(_) => "<name>",
            Argument::Word(_) => "<word>",
        }
    }

    /// The words of which the argument is one; none where it is something else.
    pub fn words(&self) -> impl Iterator<Item = &'static str> {
        let words: &'static [(&'static str, Switch)] = match self {
            Argument::Word(words) => words,
            _ => &[],
        };
        words.iter().map(|(word, _)| *word)
    }
}

/// The argument that a flag takes, in words.
impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match self {
            Argument::None(_) => "no argument",
            Argument::Size { .. } | Argument::SizeOrNone { .. } => "a size such as 64k, 4m or 1.5g",
            Argument::Count { .. } => "a whole number",
            Argument::CountAnyway { .. } => "a whole number, or one with ! behind it",
            Argument::Factor { .. } | Argument::Seconds { .. } => "a number such as 2 or 1.5",
            Argument::Percent { .. } => "a percentage such as 3 or 3%",
            Argument::PercentOrNone { .. } => "a percentage such as 30 or 30%, or nothing",
            Argument::File(_) => "a file name or nothing",
            Argument::Letter(_) => "a letter, and names for a restriction",
            Argument::Name(_) => "a file name",
            Argument::Word([first, others @ .., (last, _)]) => {
                f.write_str(first.0)?;
                others.iter().try_for_each(|(word, _)| write!(f, ", {word}"))?;
                return write!(f, " or {last}");
            }
            Argument::Word(_) => "a word",
        };
        f.write_str(words)
    }
}

/// Bytes of a number with an optional unit, exactly. A number without a unit counts bytes.
pub(super) fn size(text: &str) -> Option<u64> {
    let unit = match text.bytes().last()?.to_ascii_lowercase() {
        b'k' => 1u64 << 10,
        b'm' => 1 << 20,
        b'g' => 1 << 30,
        b't' => 1 << 40,
        _ => 1,
    };
    let number = if unit == 1 { text } else { &text[..text.len() - 1] };
    decimal::times(number, unit)
}

/// A piece of a flag in a message, short enough that the reason fits behind it.
pub(super) struct Cut<'a>(pub &'a str);

impl fmt::Display for Cut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 60;
        if self.0.len() <= MOST {
            return f.write_str(self.0);
        }
        let end = (0..=MOST).rev().find(|&end| self.0.is_char_boundary(end)).unwrap_or(0);
        write!(f, "{}...", &self.0[..end])
    }
}
