//! The shade of each band's name: the next of a cycle when the name is first drawn, or the one of the run before.

use std::collections::HashMap;
use std::io::{self, Write};

const GREYS: [f64; 10] = [0.0, 0.2, 0.6, 0.3, 0.9, 0.4, 1.0, 0.7, 0.5, 0.8];

/// Each a decimal fraction: two digits each for red, green and blue, where 05 is half and 10 full.
const COLOURS: [u32; 27] = [
    0, 10, 1000, 1010, 100000, 100010, 101000, 101010, 5, 500, 510, 1005, 50000, 50010, 51000, 51010, 100005,
    100500, 100510, 101005, 505, 50005, 50500, 50510, 51005, 100505, 50505,
];

pub struct Shades {
    pub colour: bool,
    known: HashMap<Vec<u8>, f64>,
    handed_out: usize,
}

impl Shades {
    pub fn new(colour: bool, known: HashMap<Vec<u8>, f64>) -> Shades {
        Shades { colour, known, handed_out: 0 }
    }

    pub fn of(&mut self, name: &[u8]) -> f64 {
        if let Some(&shade) = self.known.get(name) {
            return shade;
        }
        let shade = if self.colour {
            f64::from(COLOURS[self.handed_out % COLOURS.len()]) / 1e6
        } else {
            GREYS[self.handed_out % GREYS.len()]
        };
        self.handed_out += 1;
        self.known.insert(name.to_vec(), shade);
        shade
    }

    /// Makes the name's shade the current one.
    pub fn set(&mut self, out: &mut dyn Write, name: &[u8]) -> io::Result<()> {
        let shade = self.of(name);
        if !self.colour {
            return writeln!(out, "{shade:.6} setgray");
        }
        let [red, green, blue] = [1e2, 1e4, 1e6].map(|factor| {
            // Cut, not rounded, to draw what the old tool drew: 0.051 has a green of 0.9 and not of 1.
            let digits = (shade * factor) as u64;
            (digits % 100) as f64 / 10.0
        });
        writeln!(out, "{red:.6} {green:.6} {blue:.6} setrgbcolor")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colour_of(shade: f64) -> String {
        let mut out = Vec::new();
        Shades::new(true, HashMap::from([(b"a".to_vec(), shade)])).set(&mut out, b"a").unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn colours_come_back_from_six_decimals() {
        for code in COLOURS {
            let direct = colour_of(f64::from(code) / 1e6);
            let through_text = format!("{:.6}", f64::from(code) / 1e6).parse().unwrap();
            assert_eq!(direct, colour_of(through_text));
        }
    }

    #[test]
    fn red_green_and_blue() {
        assert_eq!(colour_of(0.100510), "1.000000 0.500000 1.000000 setrgbcolor\n");
    }
}
