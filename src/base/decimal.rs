//! Decimal numbers with a fraction, read and written. The standard library does both for every number that there is, with tables
//! and code of 30 kilobytes; flags and reports need numbers of few digits.

use std::fmt;

/// Digits that a number is read to: with a unit of 2^40 their product still fits into 128 bits.
const DIGITS: u128 = 10u128.pow(25);

/// A number as it was read: `digits` times ten to the power `exponent`.
struct Read {
    digits: u128,
    exponent: i64,
}

/// Reads digits, of which a point may stand before, between or behind some, and a power of ten such as `e6`.
fn read(text: &str) -> Option<Read> {
    let (number, power) =
        text.split_once(['e', 'E']).map_or((text, None), |(number, power)| (number, Some(power)));
    let mut exponent = match power {
        // Sums with the number of digits never overflow.
        Some(power) => i64::from(power.parse::<i32>().ok()?),
        None => 0,
    };
    let (mut digits, mut count, mut is_behind) = (0u128, 0usize, false);
    for byte in number.bytes() {
        match byte {
            b'0'..=b'9' => {
                count += 1;
                if digits < DIGITS {
                    digits = digits * 10 + u128::from(byte - b'0');
                    exponent -= i64::from(is_behind);
                } else {
                    exponent += i64::from(!is_behind);
                }
            }
            b'.' if !is_behind => is_behind = true,
            _ => return None,
        }
    }
    while digits != 0 && digits.is_multiple_of(10) {
        digits /= 10;
        exponent += 1;
    }
    (count > 0).then_some(Read { digits, exponent })
}

/// A number times `unit`, rounded down. A product beyond a word becomes the greatest word.
pub(crate) fn times(text: &str, unit: u64) -> Option<u64> {
    debug_assert!(unit <= 1 << 40);
    const MOST: u128 = u64::MAX as u128;
    let number = read(text.strip_prefix('+').unwrap_or(text))?;
    let mut product = number.digits * u128::from(unit);
    // A product has less than 39 digits, so that more steps change nothing.
    for _ in 0..number.exponent.unsigned_abs().min(40) {
        product = if number.exponent < 0 { product / 10 } else { product.min(MOST) * 10 };
    }
    Some(product.min(MOST) as u64)
}

/// A number, which may be negative and of any size that a float can have. Up to 15 digits give the nearest float.
pub(crate) fn float(text: &str) -> Option<f64> {
    let (is_negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let number = read(text)?;
    let mut power = 1.0;
    // Powers up to ten to the 22nd are exact, and greater ones than these are beyond every float.
    for _ in 0..number.exponent.unsigned_abs().min(400) {
        power *= 10.0;
    }
    let digits = number.digits as f64;
    let value = if digits == 0.0 {
        0.0
    } else if number.exponent < 0 {
        digits / power
    } else {
        digits * power
    };
    value.is_finite().then_some(if is_negative { -value } else { value })
}

/// A float with so many digits behind the point, 9 at most, rounded to the nearest, and to an even digit in the middle. Beyond
/// ten to the 29th it may be written too small.
pub(crate) struct Fixed(pub f64, pub u32);

impl Fixed {
    /// The number without its sign and without the point: times ten to the power of the digits.
    fn scaled(&self) -> u128 {
        const FRACTION: u32 = f64::MANTISSA_DIGITS - 1;
        let bits = self.0.to_bits();
        let (fraction, power) = (bits & ((1 << FRACTION) - 1), (bits >> FRACTION & 0x7ff) as i32);
        // 53 bits and 30 bits.
        let whole = u128::from(if power == 0 { fraction } else { fraction | 1 << FRACTION });
        let product = whole * 10u128.pow(self.1.min(9));
        // Denormal numbers have the exponent of the smallest normal ones.
        let shift = power.max(1) - 1075;
        if shift >= 0 {
            return if shift as u32 <= product.leading_zeros() { product << shift } else { u128::MAX };
        }
        if shift <= -128 {
            return 0;
        }
        let (floor, rest, half) = (product >> -shift, product & ((1 << -shift) - 1), 1 << (-shift - 1));
        floor + u128::from(rest > half || rest == half && floor % 2 == 1)
    }
}

impl fmt::Display for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.is_finite() {
            return f.pad(if self.0.is_nan() {
                "NaN"
            } else if self.0 < 0.0 {
                "-inf"
            } else {
                "inf"
            });
        }
        // 39 digits and a point.
        let mut text = [0u8; 40];
        let (mut at, mut rest, mut left) = (text.len(), self.scaled(), self.1.min(9) as i32);
        if left == 0 {
            left = -1;
        }
        loop {
            at -= 1;
            if left == 0 {
                text[at] = b'.';
            } else {
                text[at] = b'0' + (rest % 10) as u8;
                rest /= 10;
            }
            // One digit at least stands before the point.
            if left < 0 && rest == 0 {
                break;
            }
            left -= 1;
        }
        f.pad_integral(self.0.is_sign_positive(), "", std::str::from_utf8(&text[at..]).unwrap_or(""))
    }
}

/// A float with as few digits behind the point as tell it from others, 9 at most.
pub(crate) struct Short(pub f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tells = |digits: &u32| {
            // The numerator and the power of ten are exact up to 2^53, so that the quotient is the float that the text would be read as.
            Fixed(self.0, *digits).scaled() as f64 / 10u64.pow(*digits) as f64 == self.0.abs()
        };
        Fixed(self.0, (0..9).find(tells).unwrap_or(9)).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers() -> impl Iterator<Item = f64> {
        let mut state = 11u64;
        let some = [
            0.0,
            0.5,
            1.5,
            2.5,
            0.25,
            0.125,
            0.05,
            0.95,
            9.995,
            99.95,
            1e-9,
            1e-12,
            5e-324,
            1e18,
            123456789.0,
            1e28,
        ];
        some.into_iter().chain((0..200_000).map(move |n| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let random = (state >> 11) as f64 / (1u64 << 53) as f64;
            [
                random,
                random * 100.0,
                random * 1e9,
                (random * 1e6).floor() / 1e3,
                (random * 4096.0).floor() / 1024.0,
            ][n % 5]
        }))
    }

    #[test]
    fn digits_are_as_the_standard_library_writes_them() {
        for number in numbers() {
            for digits in [0, 1, 2, 3, 4, 6, 9] {
                assert_eq!(
                    format!("{:>9}", Fixed(number, digits)),
                    format!("{number:>9.*}", digits as usize)
                );
            }
            assert_eq!(Fixed(-number, 3).to_string(), format!("{:.3}", -number));
        }
        assert_eq!(format!("{:>5}{:>5}", Fixed(f64::NAN, 2), Fixed(f64::INFINITY, 2)), "  NaN  inf");
        assert_eq!(Fixed(1e300, 2).to_string().len(), 40);
    }

    #[test]
    fn few_digits_are_as_the_standard_library_writes_them() {
        for number in numbers().map(|number| (number * 1e6).round() / 1e6).filter(|number| *number < 1e20) {
            assert_eq!(Short(number).to_string(), number.to_string());
        }
        assert_eq!([Short(0.1).to_string(), Short(1e-12).to_string()], ["0.1", "0.000000000"]);
    }

    #[test]
    fn texts_are_read_as_the_standard_library_reads_them() {
        for number in numbers().map(|number| (number * 1e6).round() / 1e6) {
            for text in [format!("{number}"), format!("{number:e}"), format!("-{number:.6}")] {
                assert_eq!(float(&text), text.parse().ok(), "{text}");
            }
        }
        for text in [
            "1.",
            ".5",
            "+5",
            "-0",
            "00.10",
            "1e3",
            "1E-3",
            "1e+3",
            "0e999999999",
            "1e-999999999",
            "0.1000000000000000000000000000000",
        ] {
            assert_eq!(float(text), text.parse().ok(), "{text}");
        }
        for text in [
            "",
            ".",
            "e",
            "e5",
            "1e",
            "1e5.0",
            "1..2",
            "0x1",
            "1 ",
            "--1",
            "+-1",
            "inf",
            "nan",
            "1e99999",
            "1e9999999999",
        ] {
            assert_eq!(float(text), None, "{text}");
        }
    }

    #[test]
    fn products_are_exact_and_rounded_down() {
        assert_eq!(times("1.5", 1 << 30), Some(3 << 29));
        assert_eq!(
            [times("0.9999", 1), times("1e6", 1), times("1.5e3", 1024), times("25e-1", 4)],
            [Some(0), Some(1_000_000), Some(1_536_000), Some(10)]
        );
        assert_eq!([times("18446744073709551615", 1), times("18446744073709551616", 1)], [Some(u64::MAX); 2]);
        assert_eq!(
            [times("9007199254740993", 1), times("0.1", 1 << 40)],
            [Some((1 << 53) + 1), Some((1u64 << 40) / 10)]
        );
        assert_eq!(
            [times("1e30", 1 << 40), times("1e-30", 1 << 40), times("+7", 1)],
            [Some(u64::MAX), Some(0), Some(7)]
        );
        assert_eq!([times("-1", 1), times("", 1), times("1e", 1)], [None; 3]);
        // A number of a million digits costs no more than looking at each.
        let long = "9".repeat(1_000_000);
        assert_eq!([times(&long, 1), times(&format!("0.{long}"), 1024)], [Some(u64::MAX), Some(1023)]);
    }
}
