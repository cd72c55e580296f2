//! The times of a heap profile's samples: by CPU time, by wall time, by bytes allocated, or at collections that happen
//! anyway. A sample that is due soon by time is taken at such a collection as well.

use crate::base::Outcome;
use crate::base::flag::Sampling;
use crate::base::size::WORD_BYTES;
use crate::heap::Mutator;
use crate::heap::mutator::state::{attention, safepoint};
use crate::profile::heap::pace::Taken;
use crate::profile::heap::profile::Profile;
use crate::profile::heap::profiler::HeapProfiler;
use crate::runtime::Runtime;
use crate::runtime::collect::Clocks;

impl HeapProfiler {
    /// Lets the fast path of a mutator come to the slow path at the very word where a sample is due.
    /// Returns the words until then.
    pub(crate) fn aim(&mut self, rt: &mut Runtime, mutator: *mut Mutator) -> usize {
        let timed = matches!(self.profile, Some(Profile { sampling: Sampling::Seconds(seconds), .. }) if seconds > 0.0);
        // SAFETY: the mutator is live, and only its own thread calls this.
        unsafe { (*mutator).unsettle(safepoint::TIMED, timed) };
        let Some(Profile { sampling: Sampling::Bytes(_), next, .. }) = self.profile else {
            return usize::MAX;
        };
        let left = next.saturating_sub(rt.allocated_bytes_now()) as usize / WORD_BYTES;
        // SAFETY: the mutator is live, and only its own thread calls this.
        unsafe { (*mutator).stop_after(left) };
        left
    }

    /// Lets the alarm of a profile by wall time ask this mutator, which begins.
    pub(crate) fn watch(&self, mutator: *mut Mutator) -> Outcome<()> {
        match &self.profile {
            Some(Profile { alarm: Some(alarm), .. }) => alarm.watch(mutator),
            _ => Ok(()),
        }
    }

    /// Keeps the alarm from asking a mutator that ends.
    pub(crate) fn unwatch(&self, mutator: *const Mutator) {
        if let Some(Profile { alarm: Some(alarm), .. }) = &self.profile {
            alarm.unwatch(mutator);
        }
    }

    /// Asks for a sample when it became due by an object that no allocation area shows.
    pub(crate) fn ask_for_sample(&mut self, rt: &mut Runtime, mutator: *mut Mutator) {
        if matches!(&self.profile, Some(Profile { sampling: Sampling::Bytes(_), .. })) {
            if self.sample_is_due(rt, 0) {
                // SAFETY: the mutator is live.
                unsafe { Mutator::ask(mutator, attention::SAMPLE) };
            } else {
                self.aim(rt, mutator);
            }
        }
    }

    /// The time by which samples go, at a moment in nanoseconds: that of the profile, or the program's own CPU time.
    pub(crate) fn sample_ns(&self, rt: &Runtime, clocks: Clocks) -> u64 {
        self.profile
            .as_ref()
            .map_or_else(|| rt.mutator_ns(clocks.cpu), |profile| profile.sample_ns(rt, clocks))
    }

    /// Whether a sample falls due before the next `words` words are allocated.
    pub(super) fn sample_is_due(&mut self, rt: &mut Runtime, words: usize) -> bool {
        let Some(profile) = &self.profile else { return false };
        let next = profile.next;
        match profile.sampling {
            Sampling::Seconds(seconds) | Sampling::Wall(seconds) => {
                let now = profile.sample_ns(rt, Clocks::now(rt));
                seconds > 0.0 && now >= next && !self.put_off(rt, seconds, now)
            }
            Sampling::Bytes(_) => rt.allocated_bytes_now() + (words * WORD_BYTES) as u64 > next,
            Sampling::Natural => false,
        }
    }

    /// Puts a sample off that would cost too much, since much more is alive than at the last one. True when
    /// it was put off.
    fn put_off(&mut self, rt: &mut Runtime, seconds: f64, now_ns: u64) -> bool {
        let words = rt.live_words() as u64;
        let Some(profile) = &mut self.profile else { return false };
        profile.next = profile.pace.due(ns(seconds), words);
        profile.show_next();
        now_ns < profile.next
    }

    /// Notes that a sample was taken, or tried, which began at `before`. The next one is due later.
    pub(crate) fn sampled(&mut self, rt: &mut Runtime, before: Clocks) {
        let after = Clocks::now(rt);
        let (words, allocated) = (rt.live_words() as u64, rt.allocated_bytes_now());
        let Some(profile) = &mut self.profile else { return };
        let began = profile.sample_ns(rt, before);
        let now = profile.sample_ns(rt, after).max(began);
        match profile.sampling {
            Sampling::Seconds(seconds) => {
                // Threads in foreign code go on meanwhile: their time is the program's.
                let cost_ns = after.cpu.since(before.cpu).0.saturating_sub(now - began);
                let taken = Taken { at_ns: began, ended_ns: now, words, cost_ns };
                profile.next = profile.pace.taken(ns(seconds), taken);
            }
            Sampling::Wall(seconds) => {
                let interval = ns(seconds).max(1);
                let wanted = profile.pace.wanted(interval);
                profile.missed.note(wanted, profile.next, began);
                // A sample that comes a little late does not put off those behind it.
                let at_ns = if profile.next > wanted { began } else { began - (began - wanted) % interval };
                let taken = Taken { at_ns, ended_ns: now, words, cost_ns: now - began };
                profile.next = profile.pace.taken(interval, taken);
                profile.show_next();
            }
            Sampling::Bytes(bytes) => {
                let reached = allocated.max(profile.next);
                profile.next = (reached / bytes + 1) * bytes;
            }
            Sampling::Natural => {}
        }
    }

    /// Decides whether a collection that is about to begin counts: since a census was asked for, because the
    /// profile counts at all major collections, or for a sample that would be due soon.
    pub fn will_count(&mut self, is_major: bool) -> bool {
        let joins = is_major && !self.census.wanted && self.joins_sample(self.census.began_ns);
        // Without counters there is no sample here; the next one that is due reports why.
        self.joined = joins && self.census.prepare().is_ok();
        self.counts()
    }

    /// Whether the collection that runs counts if it is a major one.
    pub(super) fn counts(&self) -> bool {
        self.census.wanted || self.joined || self.samples_naturally()
    }

    /// Whether the profile that runs wants retainers at each census.
    pub fn wants_retainers(&self) -> bool {
        self.profile.as_ref().is_some_and(|profile| profile.by_retainer.is_some())
    }

    /// Whether a major collection that happens anyway should count, because a sample would be due by time
    /// soon. A walk for retainers costs more than the collection, so it waits until it is due.
    fn joins_sample(&self, now_ns: u64) -> bool {
        let Some(Profile { sampling, pace, next, .. }) = &self.profile else { return false };
        let Some(seconds) = sampling.interval() else { return false };
        // Such a sample costs hardly anything, so by wall time it need not wait for its share.
        let next = if sampling.is_by_wall() { pace.wanted(ns(seconds)) } else { *next };
        pace.joins(now_ns, next) && !self.wants_retainers()
    }

    /// Notes that such a collection has counted.
    pub fn joined_sample(&mut self, rt: &mut Runtime) {
        let (at, words) = (self.census.began_ns, rt.live_words() as u64);
        let Some(profile) = &mut self.profile else { return };
        let Some(seconds) = profile.sampling.interval() else { return };
        profile.missed.note(profile.pace.wanted(ns(seconds)), profile.next, at);
        profile.next = profile.pace.joined(ns(seconds), at, words);
        profile.show_next();
    }

    /// Notes that a collection has ended which took no sample: one that fell due meanwhile waited for it.
    pub(super) fn collected_without(&mut self, rt: &Runtime) {
        let began = self.census.began_ns;
        if let Some(profile) = &mut self.profile
            && profile.sampling.is_by_wall()
        {
            let now = profile.sample_ns(rt, Clocks::now(rt));
            profile.missed.collected(now.saturating_sub(began.max(profile.next)));
        }
    }

    /// Whether major collections that happen anyway are to count.
    fn samples_naturally(&self) -> bool {
        matches!(&self.profile, Some(Profile { sampling: Sampling::Natural, .. }))
    }
}

pub(super) fn ns(seconds: f64) -> u64 {
    (seconds * 1e9) as u64
}
