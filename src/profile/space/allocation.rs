//! The space profiler's part of an allocation: the object gets its function's number, and is counted.

use crate::base::size::LARGE_OBJECT_WORDS;
use crate::base::{Addr, Outcome};
use crate::heap::Mutator;
use crate::os::clock;
use crate::profile::space::look::{self, stamp_part};
use crate::profile::space::profiler::{SpaceProfiler, count};
use crate::profile::space::time::Phase;
use crate::runtime::Runtime;
use std::sync::atomic::{AtomicU32, Ordering};

impl SpaceProfiler {
    /// Takes words from the allocation area and counts them, when there is room and nothing else to do.
    #[inline]
    pub(crate) fn counted(
        &mut self,
        rt: &mut Runtime,
        mutator: *mut Mutator,
        words: usize,
        site: usize,
    ) -> Option<Addr> {
        if words == 0 || words > LARGE_OBJECT_WORDS {
            return None;
        }
        let words = rt.store.rounded(words);
        let SpaceProfiler { running: space, makers, .. } = self;
        let space = space.as_deref_mut()?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        let m = unsafe { &mut *mutator };
        let at = m.hp();
        let end = at.plus_words(words);
        // SAFETY: other threads access the field atomically.
        let poll = unsafe { AtomicU32::from_ptr(&raw mut m.window.poll) }.load(Ordering::Relaxed);
        if !space.counts()
            || poll != 0
            || words > LARGE_OBJECT_WORDS
            || end > m.edge()
            || rt.flags.stress_every != 0
            || space.has_region(mutator)
        {
            return None;
        }
        m.take_to(end);
        count(space, makers, m, at, words, site);
        m.count_shortly();
        if let Some(lately) = space.lately_of(mutator) {
            // SAFETY: the area lies in one megablock. The profiler keeps the table until it ends, when limits are
            // shown anew, and looks at it only after it has stopped the short way.
            unsafe { m.counting.go(at, m.edge(), lately, rt.store.model.round) };
        }
        Some(at)
    }

    /// Counts an object that was taken from the allocation area by the long way.
    pub fn count_taken(&mut self, m: &mut Mutator, at: Addr, words: usize, site: usize) {
        let SpaceProfiler { running: space, makers, .. } = self;
        if let Some(space) = space.as_deref_mut().filter(|space| space.counts()) {
            planted!(132, 0, count(space, makers, m, at, words, site));
        }
    }

    /// Counts an object of `words` words that a call has made.
    pub(crate) fn count_called(
        &mut self,
        mutator: *mut Mutator,
        made: &Outcome<Addr>,
        words: u64,
        site: usize,
    ) {
        let SpaceProfiler { running: space, makers, .. } = self;
        let (Some(space), Ok(at)) = (space.as_deref_mut().filter(|space| space.counts()), made) else {
            return;
        };
        // SAFETY: the mutator is live, and only its own thread calls this.
        let number = count(space, makers, unsafe { &mut *mutator }, *at, words as usize, site);
        if space.wants_kinds(number) {
            space.made_by_call(*at, number);
        }
    }

    /// Notes that words from `hp` on were reserved. The objects made of them are counted when the next
    /// call comes.
    pub fn open_region(&mut self, m: &mut Mutator, site: usize) {
        m.counting.stop();
        let SpaceProfiler { running: space, makers, .. } = self;
        if let Some(space) = space.as_deref_mut().filter(|space| space.counts()) {
            let number = space.number(m, site, makers);
            space.open_region(m, number);
        }
    }

    /// Counts the objects made of reserved words; the next allocation goes the long way. Everything below
    /// `hp` is whole now.
    pub fn close_region(&mut self, rt: &mut Runtime, m: &mut Mutator) {
        m.counting.stop();
        let Some(space) = self.running.as_deref_mut() else { return };
        if let Some((from, number)) = space.close_region(m) {
            rt.races.prepare_walk(m.hp().words_since(from));
            // The sizes of objects of the client's own kinds come from its callback.
            rt.busy.mark().during(|| stamp_part(rt, space, from, m.hp(), number));
        }
    }

    /// Stamps the objects that the client itself has made in the allocation area, from `from` to `hp`.
    pub fn stamp_filled(&mut self, rt: &mut Runtime, m: &mut Mutator, from: Addr) {
        let SpaceProfiler { running: space, makers, .. } = self;
        if let Some(space) = space.as_deref_mut().filter(|space| space.counts()) {
            let number = space.number(m, 0, makers);
            rt.races.prepare_walk(m.hp().words_since(from));
            rt.busy.mark().during(|| stamp_part(rt, space, from, m.hp(), number));
        }
    }

    /// Looks at the objects made since the last collection, while they are whole and still in place.
    pub(super) fn take_in(&mut self, rt: &mut Runtime, m: &mut Mutator) {
        if self.running.is_none() {
            return;
        }
        let begun = clock::cpu();
        let before = self.time_is(Phase::Profiler);
        self.close_region(rt, m);
        rt.store.close_nursery(m);
        let Some(space) = self.running.as_deref_mut() else { return };
        if space.walks {
            // All threads stand, and no code needs the words any more that it has left in thunks.
            planted!(616, (), rt.races.clear_slop());
            // The sizes and columns of objects of the client's own kinds come from its callbacks.
            rt.busy.mark().during(|| look::look_at_new(&rt.store, space, m));
            space.has_grown();
        }
        space.worked(begun);
        space.take_ticks(&mut self.makers);
        self.time_is(before);
    }
}
