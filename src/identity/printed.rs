//! Names as heap profiles print them, so that a name read there can be given to a restriction.
//!
//! The rule is that of `base::shown`, and a name is also one word: readers of the format take words up to the
//! next white space.

use crate::base::shown::{LONGEST_JOINED, Seen, Unit, fitting, units};
use std::io::Result;

const KEYWORDS: [&[u8]; 8] =
    [b"JOB", b"DATE", b"SAMPLE_UNIT", b"VALUE_UNIT", b"BEGIN_SAMPLE", b"END_SAMPLE", b"MARK", b""];

/// Whether a name would be read as a keyword. Such a name is printed in `<` and `>`.
fn is_keyword(name: &[u8]) -> bool {
    KEYWORDS.contains(&name)
}

/// The printed form of unit number `at` of a name: white space and control characters of ASCII become `_`, a
/// quotation mark at the beginning becomes `'`.
fn seen(at: usize, unit: Unit) -> Seen {
    match unit {
        Unit::Char('"') if at == 0 => Seen::byte(b'\''),
        Unit::Char('\0'..=' ' | '\x7f') => Seen::byte(b'_'),
        other => other.seen(),
    }
}

fn pieces(name: &[u8]) -> impl Iterator<Item = Seen> + Clone {
    let end = if is_keyword(name) { Some(Seen::byte(b'>')) } else { None };
    let begin = end.map(|_| Seen::byte(b'<'));
    begin.into_iter().chain(units(name).enumerate().map(|(at, unit)| seen(at, unit))).chain(end)
}

/// Writes a name as one word, with a mark if it is cut.
pub(crate) fn write(name: &[u8], out: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
    let is_plain = |(at, byte): (usize, &u8)| (b'!'..=b'~').contains(byte) && (at > 0 || *byte != b'"');
    if name.len() <= LONGEST_JOINED && !is_keyword(name) && name.iter().enumerate().all(is_plain) {
        return out(name);
    }
    fitting(pieces(name), LONGEST_JOINED, out)
}

/// Whether `wanted` is the name itself, or its printed form.
pub(crate) fn is_called(name: &[u8], wanted: &[u8]) -> bool {
    if name == wanted || has_units(name, wanted) {
        return true;
    }
    // Only keywords and cut names are left to compare, and no printed form is longer than the limit.
    if wanted.len() > LONGEST_JOINED || !is_keyword(name) && !wanted.ends_with(b"...") {
        return false;
    }
    let mut rest = Some(wanted);
    // Comparing does not fail.
    let _ = write(name, &mut |piece| {
        rest = rest.and_then(|rest| rest.strip_prefix(piece));
        Ok(())
    });
    rest.is_some_and(<[u8]>::is_empty)
}

/// Whether each unit of the name is in `wanted`, as itself or as it is printed.
fn has_units(name: &[u8], wanted: &[u8]) -> bool {
    let rest = units(name).enumerate().try_fold(wanted, |rest, (at, unit)| {
        rest.strip_prefix(unit.own().bytes()).or_else(|| rest.strip_prefix(seen(at, unit).bytes()))
    });
    !is_keyword(name) && rest.is_some_and(<[u8]>::is_empty)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(name: &[u8]) -> Vec<u8> {
        let mut text = Vec::new();
        write(name, &mut |piece| {
            text.extend_from_slice(piece);
            Ok(())
        })
        .unwrap();
        text
    }

    #[test]
    fn a_name_is_found_by_itself_and_as_it_is_printed() {
        for (name, wanted) in [
            ("Maybe Int", "Maybe Int"),
            ("Maybe Int", "Maybe_Int"),
            ("a b\tc d", "a_b_c d"),
            ("\"x\"", "'x\""),
            ("DATE", "<DATE>"),
            ("DATE", "DATE"),
            ("<x>", "<x>"),
            ("", "<>"),
            ("a\u{202e}b", "a\\u{202e}b"),
            ("a\u{202e}b", "a\u{202e}b"),
        ] {
            assert!(is_called(name.as_bytes(), wanted.as_bytes()), "{name:?} {wanted:?}");
        }
        for (name, wanted) in
            [("Maybe_Int", "Maybe Int"), ("ab", "a_b"), ("x\"", "x'"), ("DATES", "<DATES>"), ("a b", "a_bc")]
        {
            assert!(!is_called(name.as_bytes(), wanted.as_bytes()), "{name:?} {wanted:?}");
        }
    }

    #[test]
    fn names_are_words_that_can_be_asked_for() {
        let long = "länger ".repeat(20_000);
        for name in ["", "MARK", "a b", "\"", "\u{85}\u{a0}\u{3000}", "\u{202e}x", long.as_str(), "x\\u{a}"] {
            let word = printed(name.as_bytes());
            assert!(!word.is_empty() && word.len() <= LONGEST_JOINED, "{name:?}");
            assert!(!word.iter().any(|byte| *byte <= b' ' || *byte == 127) && word[0] != b'"', "{name:?}");
            assert!(is_called(name.as_bytes(), &word), "{name:?}");
            assert_eq!(printed(&word), word);
        }
        assert_eq!(printed(b"a\x9bb"), b"a\\x9bb");
        assert!(printed(long.as_bytes()).ends_with(b"..."));
        assert!(!is_called("länger ".as_bytes(), &printed(long.as_bytes())));
    }
}
