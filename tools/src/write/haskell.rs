//! Strings and lists in the notation that `read::haskell` reads. Strings are the library's, which writes such files too.
//! Reading is not: the library reads back what it wrote itself, byte by byte and in place, and we whatever a Haskell
//! program prints, with the line of what is wrong.

use crate::coverage::mix::{Decision, Label};
use barrow::report::haskell::{Literal, write_literal};

/// A string literal: ASCII only, so that no reader depends on an encoding.
pub fn string(value: &str) -> String {
    Literal(value).to_string()
}

/// A string literal that keeps letters of all languages, for people.
pub fn readable(value: &str) -> String {
    let mut text = String::new();
    // A string takes everything.
    let _ = write_literal(&mut text, value, char::is_alphanumeric);
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
