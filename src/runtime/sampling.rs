//! When samples of a heap profile are due: by CPU time, by bytes allocated, or at collections that happen anyway. What is due
//! soon by time is taken at such a collection as well.

use super::heap::Runtime;
use super::pace::Taken;
use super::profile::Profile;
use crate::base::profile_flags::Sampling;
use crate::base::size::WORD_BYTES;
use crate::base::{Outcome, Status};
use crate::heap::Mutator;
use crate::heap::mutator::attention;
use crate::os::clock;

fn ns(seconds: f64) -> u64 {
    (seconds * 1e9) as u64
}

impl Runtime {
    pub fn allocated_bytes_now(&mut self) -> u64 {
        let mut words = self.stats.nursery_words + self.store.pool_words + self.store.large_words_allocated;
        for index in 0..self.mutators.len() {
            self.store.close_nursery(&mut self.mutators[index]);
            words += self.mutators[index].nursery.allocated_words() as u64;
        }
        words * WORD_BYTES as u64
    }

    /// Lets the fast path of a mutator come to the slow path at the very word where a sample is due.
    pub fn aim(&mut self, mutator: *mut Mutator) {
        let Some(Profile { sampling: Sampling::Bytes(_), next, .. }) = self.profile else { return };
        let left = next.saturating_sub(self.allocated_bytes_now()) as usize / WORD_BYTES;
        // SAFETY: the mutator is live, and only its own thread calls this.
        unsafe { (*mutator).stop_after(left) };
    }

    /// After something was made that no allocation area shows: asks for a sample when that made one due.
    pub fn ask_for_sample(&mut self, mutator: *mut Mutator) {
        if matches!(&self.profile, Some(Profile { sampling: Sampling::Bytes(_), .. })) {
            if self.sample_is_due(0) {
                // SAFETY: the mutator is live.
                unsafe { Mutator::ask(mutator, attention::SAMPLE) };
            } else {
                self.aim(mutator);
            }
        }
    }

    /// Whether a sample falls due before the next `words` are allocated.
    fn sample_is_due(&mut self, words: usize) -> bool {
        let Some(profile) = &self.profile else { return false };
        let next = profile.next;
        match profile.sampling {
            Sampling::Seconds(seconds) => {
                let now = self.mutator_ns(clock::cpu());
                seconds > 0.0 && now >= next && !self.put_off(seconds, now)
            }
            Sampling::Bytes(_) => self.allocated_bytes_now() + (words * WORD_BYTES) as u64 > next,
            Sampling::Natural => false,
        }
    }

    /// Puts a sample off that would cost too much, since much more lives than at the last one. True when it was.
    fn put_off(&mut self, seconds: f64, now_ns: u64) -> bool {
        let words = self.live_words() as u64;
        let Some(profile) = &mut self.profile else { return false };
        profile.next = profile.pace.due(ns(seconds), words);
        now_ns < profile.next
    }

    /// Takes a sample when one is due; true when it was. To be called where a collection may run, before `words` are
    /// allocated.
    pub fn sample_if_due(&mut self, mutator: *mut Mutator, words: usize) -> Outcome<bool> {
        if self.profile.is_none() || !self.sample_is_due(words) {
            return Ok(false);
        }
        let before = clock::cpu();
        // Without room to collect everything there is no sample; the next time there may be.
        let taken = self.take_census(mutator);
        let after = clock::cpu();
        let (now, allocated) = (self.mutator_ns(after), self.allocated_bytes_now());
        let words = self.live_words() as u64;
        if let Some(profile) = &mut self.profile {
            match profile.sampling {
                Sampling::Seconds(seconds) => {
                    let cost_ns = after.since(before).0;
                    let taken = Taken { at_ns: now, words, cost_ns };
                    profile.next = profile.pace.taken(ns(seconds), taken);
                }
                Sampling::Bytes(bytes) => {
                    let reached = allocated.max(profile.next);
                    profile.next = (reached / bytes + 1) * bytes;
                }
                Sampling::Natural => {}
            }
        }
        self.aim(mutator);
        match taken {
            Err(failure) if failure.status == Status::Damaged => Err(failure),
            taken => Ok(taken.is_ok()),
        }
    }

    /// Whether a major collection that happens anyway should count, because a sample would be due by time soon. A walk for
    /// retainers costs more than the collection, and comes when it is due.
    pub fn joins_sample(&self, now_ns: u64) -> bool {
        match &self.profile {
            Some(Profile { sampling: Sampling::Seconds(seconds), pace, next, .. }) => {
                *seconds > 0.0 && pace.joins(now_ns, *next) && !self.wants_retainers()
            }
            _ => false,
        }
    }

    /// That collection has counted.
    pub fn joined_sample(&mut self) {
        let (at, words) = (self.census.began_ns, self.live_words() as u64);
        if let Some(profile) = &mut self.profile
            && let Sampling::Seconds(seconds) = profile.sampling
        {
            profile.next = profile.pace.joined(ns(seconds), at, words);
        }
    }

    /// Whether major collections that happen anyway are to count.
    pub fn samples_naturally(&self) -> bool {
        matches!(&self.profile, Some(Profile { sampling: Sampling::Natural, .. }))
    }
}
