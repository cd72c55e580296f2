//! Numbers as reports spell them, without allocation.

use crate::base::decimal::Fixed;
use std::fmt;

/// A number with a comma between groups of three digits.
pub struct Commas(pub u64);

impl fmt::Display for Commas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // 20 digits and 6 commas.
        let mut text = [0u8; 26];
        let mut at = text.len();
        let (mut rest, mut digits) = (self.0, 0);
        loop {
            if digits > 0 && digits % 3 == 0 {
                at -= 1;
                text[at] = b',';
            }
            at -= 1;
            text[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            digits += 1;
            if rest == 0 {
                break;
            }
        }
        f.pad_integral(true, "", std::str::from_utf8(&text[at..]).unwrap_or(""))
    }
}

/// Nanoseconds as seconds, for the usual formats with a precision.
pub fn seconds(nanos: u64) -> f64 {
    nanos as f64 / 1e9
}

/// A share of a whole, 0 when there is no whole.
pub fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// A length of time in microseconds with three digits and a unit: `64 us`, `1.02 ms`, `2.1 s`.
pub struct Micros(pub u64);

impl fmt::Display for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, unit) = match self.0 {
            0..1_000 => return write!(f, "{:>4} us", self.0),
            1_000..1_000_000 => (self.0 as f64 / 1e3, "ms"),
            _ => (self.0 as f64 / 1e6, "s "),
        };
        let digits = if value < 9.995 {
            2
        } else if value < 99.95 {
            1
        } else {
            0
        };
        write!(f, "{:>4} {unit}", Fixed(value, digits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_are_between_groups_of_three() {
        let text = |n: u64| format!("{:>8}", Commas(n));
        assert_eq!([text(0), text(999), text(1000)], ["       0", "     999", "   1,000"]);
        assert_eq!(format!("{}", Commas(u64::MAX)), "18,446,744,073,709,551,615");
    }

    #[test]
    fn times_have_three_digits() {
        let text = |n: u64| format!("{}", Micros(n));
        assert_eq!([text(64), text(1024), text(16384)], ["  64 us", "1.02 ms", "16.4 ms"]);
        assert_eq!([text(131_072), text(1_048_576)], [" 131 ms", "1.05 s "]);
    }
}
