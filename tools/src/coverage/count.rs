//! One tick count: an integer of any size, because a `.tix` may hold one. Almost all fit a machine word, so that is
//! the fast form; the other keeps decimal digits, which parse, add and print in linear time however long they are.

use std::cmp::Ordering;
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Count {
    Word(i64),
    /// Only ever holds what does not fit a word, so that equal numbers have equal forms.
    Long(Box<Decimal>),
}

/// Sign and magnitude; digits are ASCII, most significant first, without leading zeros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    negative: bool,
    digits: Vec<u8>,
}

impl Count {
    pub const ZERO: Count = Count::Word(0);
    pub const ONE: Count = Count::Word(1);

    /// From ASCII digits; anything else in `digits` is the caller's mistake.
    pub fn from_digits(negative: bool, digits: &[u8]) -> Count {
        debug_assert!(digits.iter().all(u8::is_ascii_digit));
        let first = digits.iter().position(|&d| d != b'0').unwrap_or(digits.len());
        Count::normal(negative, digits[first..].to_vec())
    }

    fn normal(negative: bool, digits: Vec<u8>) -> Count {
        // 19 digits reach past i64; the sum stays within i128 for as many as 38.
        if digits.len() <= 19 {
            let magnitude = digits.iter().fold(0i128, |sum, d| sum * 10 + i128::from(d - b'0'));
            if let Ok(word) = i64::try_from(if negative { -magnitude } else { magnitude }) {
                return Count::Word(word);
            }
        }
        Count::Long(Box::new(Decimal { negative, digits }))
    }

    pub fn is_positive(&self) -> bool {
        match self {
            Count::Word(n) => *n > 0,
            Count::Long(long) => !long.negative,
        }
    }

    pub fn is_zero(&self) -> bool {
        *self == Count::ZERO
    }

    /// For formats whose counters are unsigned words: negative gives 0, too large gives the largest.
    pub fn saturated(&self) -> u64 {
        match self {
            Count::Word(n) => u64::try_from(*n).unwrap_or(0),
            Count::Long(long) if long.negative => 0,
            Count::Long(long) => long
                .digits
                .iter()
                .try_fold(0u64, |sum, d| sum.checked_mul(10)?.checked_add(u64::from(d - b'0')))
                .unwrap_or(u64::MAX),
        }
    }

    pub fn plus(&self, other: &Count) -> Count {
        if let (Count::Word(a), Count::Word(b)) = (self, other)
            && let Some(sum) = a.checked_add(*b)
        {
            return Count::Word(sum);
        }
        let (a, b) = (self.decimal(), other.decimal());
        if a.negative == b.negative {
            return Count::from_digits(a.negative, &add(&a.digits, &b.digits));
        }
        match magnitude_order(&a.digits, &b.digits) {
            Ordering::Less => Count::from_digits(b.negative, &subtract(&b.digits, &a.digits)),
            _ => Count::from_digits(a.negative, &subtract(&a.digits, &b.digits)),
        }
    }

    pub fn minus(&self, other: &Count) -> Count {
        let negated = other.decimal();
        self.plus(&Count::normal(!negated.negative, negated.digits))
    }

    fn decimal(&self) -> Decimal {
        match self {
            Count::Word(n) => Decimal {
                negative: *n < 0,
                digits: if *n == 0 { Vec::new() } else { n.unsigned_abs().to_string().into_bytes() },
            },
            Count::Long(long) => (**long).clone(),
        }
    }
}

fn magnitude_order(a: &[u8], b: &[u8]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

fn add(a: &[u8], b: &[u8]) -> Vec<u8> {
    let length = a.len().max(b.len());
    let digit = |number: &[u8], from_end: usize| {
        if from_end < number.len() { number[number.len() - 1 - from_end] - b'0' } else { 0 }
    };
    let mut carry = 0;
    let mut sum: Vec<u8> = Vec::with_capacity(length + 1);
    for place in 0..length {
        let digits = digit(a, place) + digit(b, place) + carry;
        sum.push(b'0' + digits % 10);
        carry = digits / 10;
    }
    sum.push(b'0' + carry);
    sum.reverse();
    sum
}

/// `a - b`, where `a` is not the smaller.
fn subtract(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut borrow = 0;
    let mut difference: Vec<u8> = Vec::with_capacity(a.len());
    for place in 0..a.len() {
        let taken = borrow + if place < b.len() { b[b.len() - 1 - place] - b'0' } else { 0 };
        let digit = a[a.len() - 1 - place] - b'0';
        borrow = u8::from(digit < taken);
        difference.push(b'0' + digit + 10 * borrow - taken);
    }
    difference.reverse();
    difference
}

impl PartialOrd for Count {
    fn partial_cmp(&self, other: &Count) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Count {
    fn cmp(&self, other: &Count) -> Ordering {
        match (self, other) {
            (Count::Word(a), Count::Word(b)) => a.cmp(b),
            _ => {
                let (a, b) = (self.decimal(), other.decimal());
                match (a.negative, b.negative) {
                    (false, true) => Ordering::Greater,
                    (true, false) => Ordering::Less,
                    (false, false) => magnitude_order(&a.digits, &b.digits),
                    (true, true) => magnitude_order(&b.digits, &a.digits),
                }
            }
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Count::Word(n) => f.pad(&n.to_string()),
            Count::Long(long) => {
                let mut text = String::with_capacity(long.digits.len() + 1);
                text.extend(long.negative.then_some('-'));
                text.extend(long.digits.iter().map(|&d| char::from(d)));
                f.pad(&text)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str) -> Count {
        let digits = text.trim_start_matches('-');
        Count::from_digits(text.starts_with('-'), digits.as_bytes())
    }

    #[test]
    fn arithmetic_agrees_with_wide_integers() {
        let edges = [
            0,
            1,
            -1,
            9,
            10,
            -10,
            i128::from(i64::MAX),
            i128::from(i64::MIN),
            1 << 64,
            -(1 << 80),
            10i128.pow(30),
        ];
        for a in edges {
            for b in edges {
                let (x, y) = (count(&a.to_string()), count(&b.to_string()));
                assert_eq!(x.plus(&y).to_string(), (a + b).to_string());
                assert_eq!(x.minus(&y).to_string(), (a - b).to_string());
                assert_eq!(x.cmp(&y), a.cmp(&b));
                assert_eq!(x == y, a == b);
            }
            assert_eq!(count(&a.to_string()).is_positive(), a > 0);
            assert_eq!(count(&a.to_string()).saturated(), u64::try_from(a.max(0)).unwrap_or(u64::MAX));
        }
    }

    #[test]
    fn a_number_that_shrinks_takes_the_short_form_again() {
        let long = count("123456789012345678901234567890");
        assert_eq!(long.minus(&long), Count::ZERO);
        assert!(matches!(count("000000000000000000000000000007"), Count::Word(7)));
    }
}
