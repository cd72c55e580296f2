//! Names that compilers of Rust and C++ give to functions, `_ZN5store6insert17h0123456789abcdefE`, as people write them. Names of C++
//! with parameters of types stay as they are.

use barrow::os::symbols::without_part;
use std::fmt::{self, Write};

/// A name, and the text that it stands for, are as long as this at most, in bytes: a short name may stand for megabytes.
const LONGEST: usize = 4096;

/// `store::insert`; none for a name that is no such one, or stands for too long a text.
pub fn readable(name: &str) -> Option<String> {
    if name.len() > LONGEST {
        return None;
    }
    let name = &name[..without_part(name.as_bytes()).len()];
    let Ok(path) = rustc_demangle::try_demangle(name) else { return of_cpp(name) };
    let mut told = Bounded(String::new());
    // Without the part that tells versions of a crate apart.
    write!(told, "{path:#}").ok()?;
    Some(told.0).filter(|told| !told.is_empty())
}

/// The path of `_ZN3foo3barEPKc`.
fn of_cpp(name: &str) -> Option<String> {
    let mut rest = name.strip_prefix("_ZN")?;
    let mut told = String::new();
    while !rest.starts_with('E') {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let length: usize = rest[..digits].parse().ok()?;
        let end = digits.checked_add(length)?;
        let part = rest.get(digits..end).filter(|part| !part.is_empty())?;
        if !told.is_empty() {
            told.push_str("::");
        }
        told.push_str(part);
        rest = &rest[end..];
    }
    Some(told).filter(|told| !told.is_empty())
}

/// A text that takes no more than is allowed.
struct Bounded(String);

impl Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > LONGEST {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_rust_and_cpp() {
        for (name, path) in [
            ("_ZN5store6insert17h0123456789abcdefE", "store::insert"),
            ("_ZN5store6insert17h0123456789abcdefE.llvm.77", "store::insert"),
            ("_ZN5store6insert17h0123456789abcdefE.cold", "store::insert"),
            (
                "_ZN3std2rt10lang_start28_$u7b$$u7b$closure$u7d$$u7d$17h50a1c958aed4259bE",
                "std::rt::lang_start::{{closure}}",
            ),
            ("_ZN4core3ptr13drop$LT$T$GT$17h50a1c958aed4259bE", "core::ptr::drop<T>"),
            ("_RNvNtCsjrHSEGnQ3l9_3std2rt19lang_start_internal", "std::rt::lang_start_internal"),
            ("_RNvC1a4main", "a::main"),
            ("_RINvNtC3std3mem8align_ofjdE", "std::mem::align_of::<usize, f64>"),
            ("_ZN3foo3barEPKc", "foo::bar"),
            ("_ZN3foo3barEv.part.0", "foo::bar"),
        ] {
            assert_eq!(readable(name).as_deref(), Some(path), "{name}");
        }
        for other in [
            "",
            "main",
            "_ZN",
            "_ZNE",
            "_ZN3fo",
            "_ZN0E",
            "_ZN99999999999999999999aE",
            "_ZN1\u{e9}E",
            "_ZN3fooIiE",
            "_RNvC1a",
        ] {
            assert_eq!(readable(other), None, "{other}");
        }
    }

    /// Each argument of this name is a pair of the argument before, twice: 300 bytes stand for gigabytes.
    #[test]
    fn a_name_that_stands_for_too_much_stays() {
        assert_eq!(readable("_RINvC1a1bTjjEE").as_deref(), Some("a::b::<(usize, usize)>"));
        let mut name = String::from("_RINvC1a1b");
        // Each argument refers to the one before, which begins at a byte that is counted from behind the first two.
        let mut at = name.len() - 2;
        name.push_str("TjjE");
        for _ in 0..30 {
            let next = name.len() - 2;
            let back = base_62(at);
            name.push_str(&format!("TB{back}B{back}E"));
            at = next;
        }
        name.push('E');
        assert!(name.len() < 400);
        assert_eq!(readable(&name), None);
        assert!(readable(&"_RNvC1a4main".repeat(400)).is_none());
    }

    /// A number as back references have it: nothing for 0, else what is one less.
    fn base_62(number: usize) -> String {
        const DIGITS: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
        let Some(mut left) = number.checked_sub(1) else { return "_".into() };
        let mut digits = vec![DIGITS[left % 62]];
        while left >= 62 {
            left /= 62;
            digits.push(DIGITS[left % 62]);
        }
        digits.reverse();
        String::from_utf8(digits).unwrap() + "_"
    }
}
