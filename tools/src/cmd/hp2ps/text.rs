//! Text in PostScript: how wide, how escaped, and numbers with commas.

use std::io::{self, Write};

/// The width in points of 10-point Helvetica, near enough to lay out a key: each byte has one of five widths.
pub fn width(text: &[u8]) -> f64 {
    let units: u64 = text.iter().map(|&byte| units(byte)).sum();
    UNIT * units as f64
}

/// A millimetre times 0.6.
const UNIT: f64 = 2.834646 * 0.6;

fn units(byte: u8) -> u64 {
    match byte {
        b'!' | b'"' | b'\'' | b',' | b'.' | b':' | b';' | b'I' | b'^' | b'`' | b'i' | b'l' | b'|' => 1,
        b'*' | b'?' | b'[' | b']' | b'j' | b'r' | b't' | b'{' | b'}' | b'~' => 2,
        b'0'..=b'9' => 4,
        b'A'..=b'Z' | b'm' => 5,
        b' '..=b'~' => 3,
        _ => 0,
    }
}

/// As much of the text as fits `most` points, with dots where it was cut.
pub fn shorten(text: &[u8], most: f64) -> Vec<u8> {
    if width(text) <= most {
        return text.to_vec();
    }
    let mut length = 0;
    let mut used = width(b"...");
    for &byte in text {
        used += UNIT * units(byte) as f64;
        if used > most {
            break;
        }
        length += 1;
    }
    // Not within a UTF-8 character.
    while length > 0 && text[length] & 0xc0 == 0x80 {
        length -= 1;
    }
    [&text[..length], b"..."].concat()
}

/// A PostScript string: brackets and backslashes escaped, since unbalanced ones would swallow the page.
pub fn string(out: &mut dyn Write, text: &[u8]) -> io::Result<()> {
    out.write_all(b"(")?;
    for &byte in text {
        match byte {
            b'(' | b')' | b'\\' => out.write_all(&[b'\\', byte])?,
            // Readers written in C stop at it.
            0 => out.write_all(b"\\000")?,
            _ => out.write_all(&[byte])?,
        }
    }
    out.write_all(b")")
}

/// The text of a comment, which must stay on its line.
pub fn comment(text: &[u8]) -> Vec<u8> {
    text.iter().map(|&byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte }).collect()
}

/// A whole number with commas between thousands; what is behind the point is cut off.
pub fn commas(value: f64) -> String {
    let digits = format!("{:.0}", value.trunc());
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_at_any_size() {
        assert_eq!(commas(0.9), "0");
        assert_eq!(commas(999.0), "999");
        assert_eq!(commas(1000.0), "1,000");
        assert_eq!(commas(36893488147419103232.0), "36,893,488,147,419,103,232");
    }

    #[test]
    fn a_shortened_text_fits() {
        let name = "Gr\u{f6}\u{df}e".repeat(40);
        for most in [0.0, 30.0, 55.5, 200.0] {
            let short = shorten(name.as_bytes(), most);
            assert!(width(&short) <= most.max(width(b"...")));
            assert!(std::str::from_utf8(&short).is_ok());
        }
        assert_eq!(shorten(b"ab", 50.0), b"ab");
    }
}
