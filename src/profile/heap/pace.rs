//! The pace of samples: their cost stays below a share of the program's time.

/// A sample: the time from which the next one is due, its end, the words that it has seen, and its cost. By CPU time of the program
/// its end is its beginning, but for what threads in foreign code take meanwhile.
#[derive(Clone, Copy, Default)]
pub struct Taken {
    pub at_ns: u64,
    pub ended_ns: u64,
    pub words: u64,
    pub cost_ns: u64,
}

pub struct Pace {
    /// CPU time that samples may cost, in nanoseconds for each nanosecond of the program's.
    share: f64,
    last: Taken,
    /// The longest time between samples that their cost has enforced so far.
    pub widened_ns: u64,
}

impl Pace {
    pub fn new(share: f64) -> Pace {
        Pace { share, last: Taken::default(), widened_ns: 0 }
    }

    /// Begins at this time: the first sample is due an interval later.
    pub fn begins(&mut self, at_ns: u64) {
        (self.last.at_ns, self.last.ended_ns) = (at_ns, at_ns);
    }

    /// Notes that a sample was taken. Gives the time of the next one.
    pub fn taken(&mut self, wanted_ns: u64, last: Taken) -> u64 {
        self.last = last;
        self.due(wanted_ns, last.words)
    }

    /// Whether a major collection now is as good as one for the sample that is due at `next`: then the heap
    /// need not be collected twice.
    pub fn joins(&self, now_ns: u64, next: u64) -> bool {
        let (since, gap) = (now_ns.saturating_sub(self.last.at_ns), next.saturating_sub(self.last.at_ns));
        since >= gap / 4 * 3
    }

    /// The time at which a sample would be due after the last one if samples cost nothing.
    pub fn wanted(&self, wanted_ns: u64) -> u64 {
        self.last.at_ns + wanted_ns
    }

    /// Notes a sample taken at such a collection, which costs hardly more for it. Gives the time of the next
    /// one.
    pub fn joined(&mut self, wanted_ns: u64, at_ns: u64, words: u64) -> u64 {
        (self.last.at_ns, self.last.ended_ns) = (at_ns, at_ns);
        self.due(wanted_ns, words)
    }

    /// The time at which a sample of `words` words may come: it will cost as much for each word as the last
    /// one did.
    pub fn due(&mut self, wanted_ns: u64, words: u64) -> u64 {
        let growth = (words as f64 / self.last.words.max(1) as f64).max(1.0);
        let rest = (self.last.cost_ns as f64 * growth / self.share) as u64;
        let least = self.last.ended_ns - self.last.at_ns + rest;
        if least > wanted_ns {
            self.widened_ns = self.widened_ns.max(least);
        }
        self.last.at_ns + wanted_ns.max(planted!(166, 0, least))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_cost_no_more_than_their_share() {
        const WANTED: u64 = 1_000_000;
        for growth in [1.0, 1.02, 1.5] {
            let mut pace = Pace::new(0.4);
            let (mut now, mut words, mut spent) = (0, 1000.0, 0);
            let mut next = WANTED;
            for _ in 0..10_000 {
                now += WANTED / 4;
                words = f64::min(words * growth, 1e9);
                if now >= next {
                    next = pace.due(WANTED, words as u64);
                }
                if now >= next {
                    // A sample costs ten nanoseconds for each word.
                    let cost_ns = words as u64 * 10;
                    spent += cost_ns;
                    next =
                        pace.taken(WANTED, Taken { at_ns: now, ended_ns: now, words: words as u64, cost_ns });
                }
            }
            assert!(spent as f64 <= 0.4 * now as f64, "{spent} of {now} with a growth of {growth}");
        }
    }

    #[test]
    fn collections_shortly_before_a_sample_are_one() {
        let mut pace = Pace::new(0.4);
        let next = pace.taken(1000, Taken { at_ns: 5000, ended_ns: 5000, words: 10, cost_ns: 100 });
        assert_eq!(
            [5100, 5749, 5750, 6000, 7000].map(|now| pace.joins(now, next)),
            [false, false, true, true, true]
        );
        assert_eq!(pace.joined(1000, 5800, 10), 6800);
        // A larger heap delays the next sample, as after other samples.
        assert_eq!(pace.joined(1000, 6500, 100), 9000);
    }

    /// By wall time, a sample takes of the time that it measures: the pause begins when it has ended.
    #[test]
    fn the_pause_begins_where_the_sample_ends() {
        let mut pace = Pace::new(0.5);
        assert_eq!(pace.taken(1000, Taken { at_ns: 5000, ended_ns: 5200, words: 10, cost_ns: 200 }), 6000);
        assert_eq!(pace.taken(1000, Taken { at_ns: 6000, ended_ns: 6500, words: 10, cost_ns: 500 }), 7500);
        assert_eq!((pace.wanted(1000), pace.widened_ns), (7000, 1500));
    }

    #[test]
    fn what_costs_little_comes_when_it_is_wanted() {
        let mut pace = Pace::new(0.4);
        assert_eq!(pace.taken(1000, Taken { at_ns: 5000, ended_ns: 5000, words: 10, cost_ns: 100 }), 6000);
        assert_eq!((pace.due(1000, 20), pace.widened_ns), (6000, 0));
        assert_eq!((pace.due(1000, 100), pace.widened_ns), (7500, 2500));
    }
}
