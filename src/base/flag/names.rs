//! The names of a restriction, `Branch,Leaf`, in braces or not, as the references take them. A comma of a
//! name has a backslash before it, and before a comma a backslash of the name is doubled; other backslashes
//! stand for themselves.

use crate::base::{Outcome, Text};

/// The list without the braces around it, which some shells take for another word.
pub(super) fn without_braces(list: &str) -> &str {
    list.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(list)
}

/// Whether such a list has to be written in braces so that it is read back as it is.
pub(super) fn wants_braces(list: &str) -> bool {
    list.starts_with('{') && list.ends_with('}')
}

/// Gives the names one by one; empty ones are left out.
pub fn each_name(list: &str, take: &mut dyn FnMut(&str) -> Outcome<()>) -> Outcome<()> {
    let mut name = Text::new();
    let mut backslashes = 0;
    for c in list.chars() {
        match c {
            '\\' => backslashes += 1,
            ',' => {
                repeat(&mut name, backslashes / 2)?;
                if planted!(204, false, backslashes % 2 == 1) {
                    name.add(",")?;
                } else {
                    give(&mut name, take)?;
                }
                backslashes = 0;
            }
            _ => {
                repeat(&mut name, backslashes)?;
                backslashes = 0;
                name.add(c.encode_utf8(&mut [0; 4]))?;
            }
        }
    }
    repeat(&mut name, backslashes)?;
    give(&mut name, take)
}

fn repeat(name: &mut Text, backslashes: usize) -> Outcome<()> {
    (0..backslashes).try_for_each(|_| name.add("\\"))
}

fn give(name: &mut Text, take: &mut dyn FnMut(&str) -> Outcome<()>) -> Outcome<()> {
    let whole = std::mem::take(name);
    if whole.is_empty() { Ok(()) } else { take(whole.as_str()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &str) -> Vec<String> {
        let mut all = Vec::new();
        each_name(list, &mut |name| {
            all.push(name.to_owned());
            Ok(())
        })
        .unwrap();
        all
    }

    #[test]
    fn commas_part_names_and_can_be_in_them() {
        for (list, wanted) in [
            ("Branch,Leaf", &["Branch", "Leaf"][..]),
            ("a,,b,", &["a", "b"]),
            ("(\\,),(\\,\\,)", &["(,)", "(,,)"]),
            ("\\x,play\\\\,\\\\", &["\\x", "play\\", "\\\\"]),
            ("a\\\\\\,b", &["a\\,b"]),
            ("größe\\,λ", &["größe,λ"]),
            ("", &[]),
        ] {
            assert_eq!(names(list), wanted, "{list}");
        }
    }

    #[test]
    fn braces_around_the_list_are_not_of_it() {
        assert_eq!(without_braces("{a,b}"), "a,b");
        assert_eq!(without_braces("{{x}}"), "{x}");
        assert_eq!((without_braces("{a"), without_braces("a}")), ("{a", "a}"));
        assert!(wants_braces("{x}") && !wants_braces("a,b"));
    }
}
