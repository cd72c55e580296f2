//! What can be wrong with a heap profile, and the sentence for each.

use std::fmt;
use std::io;

/// A reader's failure: the file could not be read, or says something wrong on a line.
#[derive(Debug)]
pub enum HpError {
    Io(io::Error),
    Bad { line: u64, fault: Fault },
}

impl HpError {
    pub fn bad(line: u64, fault: Fault) -> HpError {
        HpError::Bad { line, fault }
    }

    /// `FILE:LINE: what is wrong`.
    pub fn at(&self, file: &str) -> String {
        match self {
            HpError::Io(error) => format!("{file}: {error}"),
            HpError::Bad { line, fault } => format!("{file}:{line}: {fault}"),
        }
    }
}

/// The words that begin a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keyword {
    Job,
    Date,
    SampleUnit,
    ValueUnit,
    BeginSample,
    EndSample,
    Mark,
}

impl Keyword {
    pub fn of(word: &[u8]) -> Option<Keyword> {
        Some(match word {
            b"JOB" => Keyword::Job,
            b"DATE" => Keyword::Date,
            b"SAMPLE_UNIT" => Keyword::SampleUnit,
            b"VALUE_UNIT" => Keyword::ValueUnit,
            b"BEGIN_SAMPLE" => Keyword::BeginSample,
            b"END_SAMPLE" => Keyword::EndSample,
            b"MARK" => Keyword::Mark,
            _ => return None,
        })
    }

    pub fn word(self) -> &'static str {
        match self {
            Keyword::Job => "JOB",
            Keyword::Date => "DATE",
            Keyword::SampleUnit => "SAMPLE_UNIT",
            Keyword::ValueUnit => "VALUE_UNIT",
            Keyword::BeginSample => "BEGIN_SAMPLE",
            Keyword::EndSample => "END_SAMPLE",
            Keyword::Mark => "MARK",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The header word is not followed by a quoted string.
    WantsString(Keyword),
    /// BEGIN_SAMPLE, END_SAMPLE or MARK is not followed by a number with a dot.
    WantsFloat(Keyword),
    /// The band's name is not followed by a whole number. Both texts are cut for printing.
    WantsInteger {
        name: String,
        found: String,
    },
    StringUnexpected,
    UnterminatedString,
    OutOfSequence,
    MarkInSample,
    Missing(Keyword),
    /// Not a word is in the file.
    Empty,
    NoSamples,
    /// Values after the last END_SAMPLE belong to no sample.
    StrayValues,
    ValueTooBig,
    NumberTooLong,
    NameTooLong,
    StringTooLong,
    // From here on faults of the strict rules: hp2ps reads on, other readers may not.
    /// The file ends within the sample begun here, or within this statement.
    CutShort,
    BeginTwice,
    EndWithoutBegin,
    EndTimeDiffers,
    OutsideSample,
    ListedTwice(String),
    KeywordAsName(Keyword),
    NameTooLongForHp2ps,
    HeaderTwice(Keyword),
    HeaderLate(Keyword),
    SamplesBehind(Keyword),
    NotOnOneLine,
    TwoDots,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::WantsString(word) => write!(f, "{} needs a text in double quotes after it", word.word()),
            Fault::WantsFloat(word) => {
                write!(f, "{} needs a time with a decimal point after it, such as 1.250000", word.word())
            }
            Fault::WantsInteger { name, found } => {
                write!(f, "the name \"{name}\" needs a whole number after it, not \"{found}\"")
            }
            Fault::StringUnexpected => f.write_str("a quoted text where a statement should begin"),
            Fault::UnterminatedString => f.write_str("the quoted text that begins here never ends"),
            Fault::OutOfSequence => f.write_str("this sample is earlier than the one before it"),
            Fault::MarkInSample => f.write_str("MARK within a sample"),
            Fault::Missing(word) => write!(f, "the file has no {}", word.word()),
            Fault::Empty => f.write_str("the file is empty"),
            Fault::NoSamples => f.write_str("the file has no complete sample"),
            Fault::StrayValues => f.write_str("values after the last END_SAMPLE belong to no sample"),
            Fault::ValueTooBig => f.write_str("the value is greater than 64 bits can hold"),
            Fault::NumberTooLong => f.write_str("the number has more than 32 digits"),
            Fault::NameTooLong => f.write_str("the name is longer than 64 KiB"),
            Fault::StringTooLong => f.write_str("the quoted text that begins here is longer than 4 MiB"),
            Fault::CutShort => f.write_str("the file ends within what begins here"),
            Fault::BeginTwice => f.write_str("BEGIN_SAMPLE before the END_SAMPLE of the sample before"),
            Fault::EndWithoutBegin => f.write_str("END_SAMPLE without a BEGIN_SAMPLE"),
            Fault::EndTimeDiffers => f.write_str("END_SAMPLE has another time than its BEGIN_SAMPLE"),
            Fault::OutsideSample => f.write_str("a value outside of any sample"),
            Fault::ListedTwice(name) => write!(f, "the band \"{name}\" is listed twice in one sample"),
            Fault::KeywordAsName(word) => {
                write!(f, "a band named {}, which other readers take for a statement", word.word())
            }
            Fault::NameTooLongForHp2ps => {
                f.write_str("the name is longer than 4999 bytes, the most that other readers take")
            }
            Fault::HeaderTwice(word) => write!(f, "a second {}", word.word()),
            Fault::HeaderLate(word) => {
                write!(
                    f,
                    "{} out of place: JOB, DATE, SAMPLE_UNIT and VALUE_UNIT begin the file, in this order",
                    word.word()
                )
            }
            Fault::SamplesBehind(word) => {
                write!(
                    f,
                    "{} before a sample: many readers end the file here, so it stands behind the last one",
                    word.word()
                )
            }
            Fault::NotOnOneLine => f.write_str("each statement has a line of its own"),
            Fault::TwoDots => f.write_str("a number with two decimal points"),
        }
    }
}
