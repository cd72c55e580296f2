//! The `.aux` file: scale, order and shades of a picture, for drawing the next one alike (`-p`).

use super::bands::Bands;
use super::layout::Layout;
use super::shades::Shades;
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

#[derive(Default)]
pub struct Previous {
    pub x_range: f64,
    pub y_range: f64,
    /// The place of each band, counted from 1 at the bottom.
    pub order: HashMap<Vec<u8>, u64>,
    pub shades: HashMap<Vec<u8>, f64>,
}

impl Previous {
    pub fn read(path: &Path) -> Result<Previous, String> {
        let bytes = std::fs::read(path).map_err(|_| format!("cannot open {}", path.display()))?;
        Previous::parse(&bytes).map_err(|(line, text)| {
            let comma = if text.starts_with("floating") { "," } else { ":" };
            format!("{}, line {line}{comma} {text}", path.display())
        })
    }

    /// Of several lines for a name the first counts, of several ranges the last.
    pub fn parse(bytes: &[u8]) -> Result<Previous, (usize, String)> {
        let mut previous = Previous::default();
        for (number, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
            let wrong = |text: &str| (number + 1, text.to_string());
            let line = line.trim_ascii();
            let (word, rest) = split_at_space(line);
            match word {
                b"" => {}
                b"X_RANGE" | b"Y_RANGE" => {
                    let range = float(rest).ok_or_else(|| {
                        let word = String::from_utf8_lossy(word);
                        wrong(&format!("floating point number must follow {word}"))
                    })?;
                    *if word == b"X_RANGE" { &mut previous.x_range } else { &mut previous.y_range } = range;
                }
                b"ORDER" => {
                    let (name, place) = name_and(rest, integer)
                        .ok_or_else(|| wrong("identifier and integer must follow ORDER"))?;
                    previous.order.entry(name).or_insert(place);
                }
                b"SHADE" => {
                    let (name, shade) = name_and(rest, float)
                        .ok_or_else(|| wrong("identifier and floating point number must follow SHADE"))?;
                    previous.shades.entry(name).or_insert(shade);
                }
                _ => return Err(wrong("identifier unexpected")),
            }
        }
        Ok(previous)
    }
}

pub fn write(out: &mut dyn Write, bands: &Bands, layout: &Layout, shades: &mut Shades) -> io::Result<()> {
    writeln!(out, "X_RANGE {}", range(layout.x_range))?;
    writeln!(out, "Y_RANGE {}", range(layout.y_range))?;
    for (place, band) in bands.shown.iter().enumerate() {
        out.write_all(b"ORDER ")?;
        out.write_all(band.name())?;
        writeln!(out, " {}", place + 1)?;
    }
    for band in &bands.shown {
        out.write_all(b"SHADE ")?;
        out.write_all(band.name())?;
        // The codes of colours have six decimals.
        writeln!(out, " {:.*}", if shades.colour { 6 } else { 2 }, shades.of(band.name()))?;
    }
    Ok(())
}

/// Two decimals, unless they would lose a short run.
fn range(value: f64) -> String {
    if value < 0.01 { format!("{value:.9}") } else { format!("{value:.2}") }
}

fn split_at_space(line: &[u8]) -> (&[u8], &[u8]) {
    let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
    (&line[..end], line[end..].trim_ascii())
}

/// The last word is the number and all before it the name, which may hold spaces or start with a digit.
fn name_and<N>(rest: &[u8], number: impl Fn(&[u8]) -> Option<N>) -> Option<(Vec<u8>, N)> {
    let space = rest.iter().rposition(u8::is_ascii_whitespace)?;
    Some((rest[..space].trim_ascii().to_vec(), number(&rest[space + 1..])?))
}

fn float(word: &[u8]) -> Option<f64> {
    if !word.contains(&b'.') {
        return None;
    }
    number(word)
}

fn integer(word: &[u8]) -> Option<u64> {
    number(word)
}

/// Digits and dots, and no more of them than keep a float finite.
fn number<N: std::str::FromStr>(word: &[u8]) -> Option<N> {
    let plain = word.first()?.is_ascii_digit()
        && word.len() <= 32
        && word.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
    std::str::from_utf8(word).ok().filter(|_| plain)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_spaces_and_digits_come_back() {
        let previous =
            Previous::parse(b"ORDER my loop 3\r\nORDER 3d 1\nSHADE 3d 0.5\n\nORDER 3d 2\nX_RANGE 1.5")
                .unwrap();
        assert_eq!(previous.order[&b"my loop"[..]], 3);
        assert_eq!(previous.order[&b"3d"[..]], 1);
        assert_eq!(previous.shades[&b"3d"[..]], 0.5);
        assert_eq!(previous.x_range, 1.5);
    }

    #[test]
    fn faults_have_lines() {
        let cases: [(&[u8], usize); 5] =
            [(b"\nX_RANGE 2", 2), (b"ORDER a", 1), (b"SHADE a -0.5", 1), (b"SHADE a 1", 1), (b"NONSENSE", 1)];
        for (text, line) in cases {
            assert_eq!(Previous::parse(text).err().map(|(line, _)| line), Some(line));
        }
    }

    #[test]
    fn short_ranges_are_kept() {
        assert_eq!(range(0.004), "0.004000000");
        assert_eq!(range(0.216), "0.22");
    }
}
