//! Live words by function: after collections, at the greatest heap so far, at several maxima, at many points
//! of time.
//!
//! After a collection of all generations the numbers are exact. After a minor one, older generations count as
//! they were left, with the objects that have died in them since.

use crate::base::{Failure, List, Outcome};

/// The live words at one moment.
#[derive(Default)]
pub struct Analysis {
    pub seconds: f64,
    pub collection: u64,
    pub words: u64,
    /// Whether the client has asked for it.
    pub asked: bool,
    /// Pairs of a maker's number and its live words.
    pub parts: List<(u32, u64)>,
}

/// Calls its argument with each number and its words.
pub(crate) type Each<'a> = &'a mut dyn FnMut(&mut dyn FnMut(u32, u64));

/// Share of the total (one part in so many) by which a heap shrinks after a maximum, and grows on the way to
/// the next.
const SWING: u64 = 8;
/// Maxima that are kept; the lowest goes when there are more.
const MOST_MAXIMA: usize = 16;

#[derive(Default)]
pub struct Live {
    pub on: bool,
    pub points_bytes: usize,
    /// The moment of the greatest total.
    pub greatest: Analysis,
    /// Local maxima in the order of time; the last may still be growing.
    pub maxima: List<Analysis>,
    /// Whether the heap is on its way up: then the last maximum is the highest total since `low`.
    climbing: bool,
    low: u64,
    /// Many moments: one in every `every` collections, and those that the client has asked for.
    pub points: List<Analysis>,
    every: u64,
    passed: u64,
    held: usize,
    /// Bytes that all moments together may take; a moment that does not fit is missed.
    pub most_bytes: usize,
    /// Number of collections after which a moment was missed.
    pub missed: u64,
}

impl Analysis {
    fn take(seconds: f64, collection: u64, words: u64, each: Each<'_>) -> Outcome<Analysis> {
        let mut parts = List::new();
        let mut outcome = Ok(());
        each(&mut |number, words| {
            if outcome.is_ok() {
                outcome = parts.push((number, words));
            }
        });
        outcome?;
        Ok(Analysis { seconds, collection, words, asked: false, parts })
    }

    /// Bytes that the parts of a moment to be kept will take, apart from the list that it goes into.
    fn parts_bytes(each: Each<'_>) -> usize {
        let (mut count, none) = (0, List::<(u32, u64)>::new());
        each(&mut |_, _| count += 1);
        // Parts are added one by one, so their list may have room for twice as many.
        2 * none.growth_bytes(count)
    }

    fn bytes(&self) -> usize {
        size_of::<Analysis>() + self.parts.held_bytes()
    }
}

impl Live {
    /// Notes the live words after a collection.
    pub fn note(&mut self, seconds: f64, collection: u64, words: u64, each: Each<'_>) {
        if self.try_note(seconds, collection, words, each).is_err() {
            self.missed += 1;
        }
    }

    fn try_note(&mut self, seconds: f64, collection: u64, words: u64, each: Each<'_>) -> Outcome<()> {
        if words > self.greatest.words {
            self.refuse_what_does_not_fit(0, each)?;
            self.greatest = Analysis::take(seconds, collection, words, each)?;
        }
        self.climb(seconds, collection, words, each)?;
        self.passed += 1;
        if self.passed >= self.every {
            self.passed = 0;
            if self.refuse_what_does_not_fit(self.points.growth_bytes(1), each).is_err() {
                self.thin();
                self.refuse_what_does_not_fit(self.points.growth_bytes(1), each)?;
            }
            let point = Analysis::take(seconds, collection, words, each)?;
            self.add(point)?;
        }
        Ok(())
    }

    /// Follows the total up and down, and keeps the moments at which it turned.
    fn climb(&mut self, seconds: f64, collection: u64, words: u64, each: Each<'_>) -> Outcome<()> {
        if self.climbing {
            let top = self.maxima.last().map_or(0, |top| top.words);
            if words > top {
                self.refuse_what_does_not_fit(0, each)?;
                let higher = Analysis::take(seconds, collection, words, each)?;
                if let Some(last) = self.maxima.last_mut() {
                    *last = higher;
                }
            } else if words < top - top / SWING {
                self.climbing = false;
                self.low = words;
            }
        } else {
            self.low = self.low.min(words);
            if words > self.low + self.low / SWING {
                self.refuse_what_does_not_fit(self.maxima.growth_bytes(1), each)?;
                let higher = Analysis::take(seconds, collection, words, each)?;
                if self.maxima.len() == MOST_MAXIMA {
                    let lowest = (0..MOST_MAXIMA).min_by_key(|&i| self.maxima[i].words).unwrap_or(0);
                    self.maxima.remove(lowest);
                }
                self.maxima.push(higher)?;
                self.climbing = true;
            }
        }
        Ok(())
    }

    /// Keeps a moment that the client has asked for.
    pub fn keep(&mut self, seconds: f64, collection: u64, words: u64, each: Each<'_>) -> Outcome<()> {
        self.refuse_what_does_not_fit(self.points.growth_bytes(1), each)?;
        let mut point = Analysis::take(seconds, collection, words, each)?;
        point.asked = true;
        self.add(point)
    }

    fn refuse_what_does_not_fit(&self, list_grows_by: usize, each: Each<'_>) -> Outcome<()> {
        let more = list_grows_by + Analysis::parts_bytes(each);
        if self.held_bytes() + more <= self.most_bytes {
            return Ok(());
        }
        Err(Failure::no_memory(format_args!(
            "the live data of functions take {more} bytes, which the limit of the space profiler does not allow"
        )))
    }

    fn add(&mut self, point: Analysis) -> Outcome<()> {
        let bytes = point.bytes();
        self.points.push(point)?;
        self.held += bytes;
        if self.held > self.points_bytes {
            self.thin();
        }
        Ok(())
    }

    /// Drops alternate points, except those that were asked for, and takes half as many from now on.
    fn thin(&mut self) {
        let mut odd = false;
        self.points.retain_mut(|point| {
            if point.asked {
                return true;
            }
            odd = !odd;
            odd
        });
        self.held = self.points.iter().map(Analysis::bytes).sum();
        self.every = (2 * self.every).max(2);
    }

    pub fn held_bytes(&self) -> usize {
        // The entries of all points are in the list of points, which has room for more: they are counted
        // once.
        let parts = self.held - self.points.len() * size_of::<Analysis>();
        let of_maxima: usize = self.maxima.iter().map(|top| top.parts.held_bytes()).sum();
        let lists = self.points.held_bytes() + self.maxima.held_bytes();
        lists + parts + of_maxima + self.greatest.parts.held_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(totals: &[u64], points_bytes: usize, most_bytes: usize) -> Live {
        let mut live = Live { on: true, points_bytes, most_bytes, ..Live::default() };
        for (i, &words) in totals.iter().enumerate() {
            live.note(i as f64, i as u64, words, &mut |visit| {
                visit(1, words / 2);
                visit(2, words - words / 2);
            });
        }
        live
    }

    #[test]
    fn maxima_are_where_the_heap_turns() {
        let live = run(&[10, 40, 100, 97, 99, 50, 52, 30, 80, 200, 190, 20, 60], 1 << 20, usize::MAX);
        let tops: Vec<_> = live.maxima.iter().map(|top| (top.collection, top.words)).collect();
        assert_eq!(tops, [(2, 100), (9, 200), (12, 60)]);
        assert_eq!((live.greatest.words, live.greatest.collection), (200, 9));
        assert_eq!(live.greatest.parts[..], [(1, 100), (2, 100)]);
        assert_eq!(live.points.len(), 13);
    }

    #[test]
    fn points_are_thinned_evenly() {
        let totals: Vec<u64> = (0..10_000).map(|i| 100 + i % 7).collect();
        let live = run(&totals, 20_000, usize::MAX);
        let at: Vec<_> = live.points.iter().map(|point| point.collection).collect();
        assert!((60..400).contains(&at.len()), "{} points", at.len());
        let steps: Vec<_> = at.windows(2).map(|two| two[1] - two[0]).collect();
        let (least, most) = (steps.iter().min().unwrap(), steps.iter().max().unwrap());
        assert!(most <= &(2 * least), "steps from {least} to {most}");
        assert!(live.held <= 20_000);
    }

    #[test]
    fn what_passes_the_limit_is_not_kept() {
        let totals: Vec<u64> = (0..10_000).map(|i| 100 + i * 13 % 170).collect();
        for most_bytes in [0, 100, 1000, 3000, 10_000, 50_000] {
            let mut live = run(&totals, 1 << 20, most_bytes);
            assert!(live.held_bytes() <= most_bytes, "{} of {most_bytes} bytes", live.held_bytes());
            assert!(live.missed > 0);
            let kept = (0..1000).filter(|_| live.keep(0.0, 0, 1, &mut |visit| visit(1, 1)).is_ok()).count();
            assert!(kept < 1000 && live.held_bytes() <= most_bytes);
        }
    }
}
