//! A reader's fault in the words that users of hp2ps know from it, where it had any; with the line always.

use crate::read::hp::{Fault, HpError, Keyword};

pub fn of(error: &HpError, file: &str) -> String {
    let (line, fault) = match error {
        HpError::Io(error) => return format!("{file}: {error}"),
        HpError::Bad { line, fault } => (line, fault),
    };
    let at = format!("{file}, line {line}");
    match fault {
        Fault::WantsString(word) => format!("{at}: string must follow {}", word.word()),
        Fault::WantsFloat(Keyword::EndSample) => {
            format!("{at}: floating point number must follow END_SAMPLE")
        }
        Fault::WantsFloat(word) => format!("{at}, floating point number must follow {}", word.word()),
        Fault::WantsInteger { .. } => format!("{at}: integer must follow identifier"),
        Fault::StringUnexpected => format!("{at}: string unexpected"),
        Fault::UnterminatedString => format!("{at}: EOF when expecting \""),
        Fault::OutOfSequence => format!("{at}, samples out of sequence"),
        Fault::MarkInSample => format!("{at}, MARK occurs within sample"),
        Fault::Missing(word) => format!("{file}: {} missing", word.word()),
        Fault::Empty => format!("{file}: {} missing", Keyword::Job.word()),
        Fault::NoSamples => format!("{file}: contains no samples"),
        other => format!("{at}: {other}"),
    }
}
