//! Samples by wall time that did not come, by the reason for it.

use crate::base::Sentence;

/// Nanoseconds by which samples came later than they were asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Missed {
    /// Put off, so that samples cost no more than their share.
    share: u64,
    /// Due during a collection, which took none.
    collecting: u64,
    /// Due while the program neither allocated nor called a safepoint.
    idle: u64,
    /// The part of `collecting` since the last sample.
    since_last: u64,
}

impl Missed {
    /// Notes a sample that was asked for at `wanted`, allowed from `due` on, and taken at `taken`.
    pub fn note(&mut self, wanted: u64, due: u64, taken: u64) {
        let allowed = due.min(taken).max(wanted.min(taken));
        self.share += allowed.saturating_sub(wanted);
        let late = taken.saturating_sub(allowed);
        let collecting = std::mem::take(&mut self.since_last).min(late);
        self.collecting += collecting;
        self.idle += late - collecting;
    }

    /// Notes the time by which a collection made a sample late.
    pub fn collected(&mut self, late: u64) {
        self.since_last += late;
    }

    /// Says how many samples came and why the others did not. `came` is less than `asked`.
    pub fn told(&self, came: u64, asked: u64) -> Sentence {
        let missing = asked.saturating_sub(came);
        let all = (self.share + self.collecting + self.idle).max(1) as f64;
        let part = |ns: u64| ((missing as f64 * ns as f64 / all).round() as u64).min(missing);
        let share = part(self.share);
        let collecting = part(self.collecting).min(missing - share);
        let idle = missing - share - collecting;
        let mut text = Sentence::new(format_args!("{came} of {asked} samples:"));
        let mut between = "";
        let reasons = [
            (share, "put off for -ix"),
            (collecting, "due in collections"),
            (idle, "due while the program neither allocated nor called a safepoint"),
        ];
        for (number, reason) in reasons.into_iter().filter(|&(number, _)| number > 0) {
            text = Sentence::new(format_args!("{text}{between} {number} {reason}"));
            between = ",";
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_add_up_to_what_is_missing() {
        let mut missed = Missed::default();
        missed.note(100, 100, 100);
        assert_eq!(missed, Missed::default());
        missed.note(200, 500, 500);
        missed.collected(50);
        missed.note(600, 600, 750);
        assert_eq!((missed.share, missed.collecting, missed.idle), (300, 50, 100));
        assert_eq!(
            missed.told(5, 10).as_str(),
            "5 of 10 samples: 3 put off for -ix, 1 due in collections, 1 due while the program neither allocated nor called a safepoint"
        );
        assert_eq!(missed.told(9, 10).as_str(), "9 of 10 samples: 1 put off for -ix");
    }

    /// A collection before its time joins, and then nothing is late.
    #[test]
    fn what_comes_early_is_not_late() {
        let mut missed = Missed::default();
        missed.note(100, 900, 80);
        assert_eq!(missed, Missed::default());
        missed.note(100, 900, 300);
        assert_eq!((missed.share, missed.idle), (200, 0));
    }
}
