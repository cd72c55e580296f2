//! Strings and lists in the notation that `read::haskell` reads.

use crate::coverage::mix::{Decision, Label};
use crate::read::haskell::CONTROL_NAMES;

/// A string literal: ASCII only, so that no reader depends on an encoding.
pub fn string(value: &str) -> String {
    literal(value, |c| c.is_ascii())
}

/// A string literal that keeps letters of all languages, for people.
pub fn readable(value: &str) -> String {
    literal(value, |c| c.is_ascii() || c.is_alphanumeric())
}

fn literal(value: &str, plain: fn(char) -> bool) -> String {
    let mut text = String::with_capacity(value.len() + 2);
    text.push('"');
    let mut rest = value.chars().peekable();
    while let Some(c) = rest.next() {
        // An escape must not swallow what follows: digits after a number, H after SO.
        let mut swallows: fn(&char) -> bool = |_| false;
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\x7f' => text.push_str("\\DEL"),
            ' '..='~' => text.push(c),
            '\0'..='\x1f' => {
                text.push('\\');
                text.push_str(CONTROL_NAMES[c as usize]);
                if c == '\x0e' {
                    swallows = |&c| c == 'H';
                }
            }
            _ if plain(c) => text.push(c),
            _ => {
                text.push_str(&format!("\\{}", c as u32));
                swallows = char::is_ascii_digit;
            }
        }
        if rest.peek().is_some_and(swallows) {
            text.push_str("\\&");
        }
    }
    text.push('"');
    text
}

pub fn strings(values: &[String]) -> String {
    let quoted: Vec<String> = values.iter().map(|value| string(value)).collect();
    format!("[{}]", quoted.join(","))
}

pub fn truth(value: bool) -> &'static str {
    if value { "True" } else { "False" }
}

/// A box's label as the `.mix` spells it.
pub fn label(label: &Label) -> String {
    match label {
        Label::Expression { alternative } => format!("ExpBox {}", truth(*alternative)),
        Label::TopLevel(path) => format!("TopLevelBox {}", strings(path)),
        Label::Local(path) => format!("LocalBox {}", strings(path)),
        Label::Binary { decision, outcome } => {
            let kind = match decision {
                Decision::Guard => "GuardBinBox",
                Decision::Condition => "CondBinBox",
                Decision::Qualifier => "QualBinBox",
            };
            format!("BinBox {kind} {}", truth(*outcome))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::haskell::string_tail;

    #[test]
    fn what_is_written_reads_back() {
        assert_eq!(string("a\u{e}H\u{e9}5\"\\\x7f\n"), r#""a\SO\&H\233\&5\"\\\DEL\n""#);
        let all: String = ('\0'..='\u{2ff}').chain("🦀0\u{e}H".chars()).collect();
        for text in [string(&all), readable(&all)] {
            assert_eq!(string_tail(&text[1..]), Ok((all.clone(), text.len() - 1)));
        }
        assert_eq!(readable("gr\u{f6}\u{df}er\u{202e}1\""), "\"gr\u{f6}\u{df}er\\8238\\&1\\\"\"");
    }
}
