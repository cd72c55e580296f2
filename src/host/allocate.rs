//! The slow path of allocation, taken when the allocation area has no room, and its end when there is
//! none at all.

use crate::base::size::*;
use crate::base::{Addr, Failure, Outcome};
use crate::heap::Mutator;
use crate::heap::mutator::state::{attention, safepoint};
use crate::host::Host;
use crate::runtime::collect::Reason;

impl Host {
    /// Makes room for `words` words in the allocation area, for one object or several. May collect. Afterwards `hp + words <=
    /// limit`. `site` is the address at which the client goes on.
    pub(crate) fn make_room(
        &mut self,
        mutator: *mut Mutator,
        words: usize,
        is_one: bool,
        site: usize,
    ) -> Outcome<()> {
        debug_assert!(words <= MAX_RESERVE_WORDS);
        self.refuse_while_busy()?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        unsafe { (*mutator).refuse_while_open()? };
        self.stand_aside(mutator);
        // SAFETY: as above.
        let m = unsafe { &mut *mutator };
        m.called_from = site;
        self.profilers.space.close_region(&mut self.runtime, m);
        self.profilers.samples.take_own(&mut self.runtime, m);
        let asked = m.take_attention();
        if asked & attention::WALK != 0 {
            self.profilers.space.walk(mutator);
        }
        self.slow.trips += 1;
        let sampled = self.sample_if_due(mutator, words)?;
        if self.flags.stress_every != 0 && self.slow.trips.is_multiple_of(self.flags.stress_every) {
            self.collect_for(mutator, Reason::Stress)?;
        } else if !sampled && (asked & attention::COLLECT != 0 || self.wants_collection()) {
            self.collect_for(mutator, Reason::NoRoom)?;
        }
        let mut collected = false;
        while !self.extend_for(mutator, words) {
            if collected {
                return Err(self.nothing_left());
            }
            // Another mutator may have collected meanwhile, and left room.
            collected = !self.stop_others(mutator);
            if collected {
                self.collect_for(mutator, Reason::NoRoom)?;
            }
        }
        self.profilers.samples.meets_area(mutator, words, is_one, site);
        self.aim(mutator);
        Ok(())
    }

    /// Opens chunks until `words` words fit. False when there is none that has the room.
    fn extend_for(&mut self, mutator: *mut Mutator, words: usize) -> bool {
        // SAFETY: the mutator is live, and only its own thread calls this.
        let m = unsafe { &mut *mutator };
        loop {
            if m.limit.0 - m.hp().0 >= words * WORD_BYTES {
                return true;
            }
            if !self.store.extend_nursery(m) {
                return false;
            }
        }
    }

    /// Takes `words` words from the allocation area. May collect.
    pub(crate) fn allocate_in_nursery(
        &mut self,
        mutator: *mut Mutator,
        words: usize,
        site: usize,
    ) -> Outcome<Addr> {
        self.allocate_rounded(mutator, words, site, site)
    }

    /// As `allocate_in_nursery`, for the code at `site` of a client that goes on at `returns_to`, where the form in line had no room.
    pub(crate) fn allocate_for_site(
        &mut self,
        mutator: *mut Mutator,
        words: usize,
        site: usize,
        returns_to: usize,
    ) -> Outcome<Addr> {
        self.refuse_less_than_an_object(words)?;
        self.allocate_rounded(mutator, words, site, returns_to)
    }

    #[inline(always)]
    fn allocate_rounded(
        &mut self,
        mutator: *mut Mutator,
        words: usize,
        site: usize,
        returns_to: usize,
    ) -> Outcome<Addr> {
        self.refuse_absurd(words)?;
        let words = self.store.rounded(words);
        if words > LARGE_OBJECT_WORDS {
            return self.allocate_large_collecting(mutator, words, site);
        }
        self.make_room(mutator, words, true, returns_to)?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        let m = unsafe { &mut *mutator };
        m.allocates_at(site);
        let at = m.hp();
        m.take_to(at.plus_words(words));
        self.profilers.space.count_taken(m, at, words, site);
        self.made_at(&Ok(at), site);
        Ok(at)
    }

    /// Allocates a large object for a caller that allows a collection, after a collection if one is due.
    fn allocate_large_collecting(
        &mut self,
        mutator: *mut Mutator,
        words: usize,
        site: usize,
    ) -> Outcome<Addr> {
        // SAFETY: the mutator is live, and only its own thread calls this.
        unsafe { (*mutator).refuse_while_open()? };
        planted!(514, false, self.stand_aside(mutator));
        self.sample_if_due(mutator, words)?;
        if self.wants_collection() || self.flags.stress_every != 0 {
            self.collect_for(mutator, Reason::NoRoom)?;
        }
        let mut before = self.words_made_by_calls();
        let mut outcome = self.store.allocate_large(words);
        if outcome.is_err() {
            self.collect_for_large(mutator, words)?;
            // Calls of other mutators came in between.
            before = self.words_made_by_calls();
            outcome = self.store.allocate_large(words);
        }
        self.book_since(mutator, before);
        self.profilers.space.count_called(mutator, &outcome, self.words_made_by_calls() - before, site);
        self.profilers.heap.stamp_made(mutator, &outcome, site);
        self.made_at(&outcome, site);
        self.profilers.samples.meets_call(&self.runtime, mutator, (&outcome, words), before, site);
        // SAFETY: the mutator is live, and only its own thread calls this.
        unsafe { (*mutator).unsettle(safepoint::FULL, self.wants_collection()) };
        self.aim(mutator);
        outcome
    }

    /// Collects everything for the sake of a large object, which has its room before the next nursery.
    pub(crate) fn collect_for_large(&mut self, mutator: *mut Mutator, words: usize) -> Outcome<()> {
        // SAFETY: the mutator is live, and only its own thread calls this.
        unsafe { (*mutator).large_words = words };
        let outcome = self.collect_for(mutator, Reason::Major);
        // SAFETY: as above.
        unsafe { (*mutator).large_words = 0 };
        outcome
    }

    /// Allocates a small object for `allocate`, when the pool has room and no profile has to hear of it.
    #[inline]
    pub(crate) fn allocate_in_pool(&mut self, mutator: &mut Mutator, words: usize) -> Option<Addr> {
        if words == 0 || words > LARGE_OBJECT_WORDS || self.profilers.hear_of_calls() {
            return None;
        }
        let at = self.runtime.store.allocate_in_pool(mutator, words)?;
        self.book_called(mutator, self.runtime.store.rounded(words));
        Some(at)
    }

    /// Books words that a call has allocated to the current stack.
    #[inline]
    fn book_called(&self, mutator: &mut Mutator, words: usize) {
        let bytes = (words * WORD_BYTES) as u64;
        // Side by side, the two counters would be added to as a vector, which takes twice the instructions.
        self.tick_own(1, |c| &mut c.alloc_rts_ctr);
        mutator.book_bytes(bytes);
        self.tick_own(bytes, |c| &mut c.alloc_rts_tot);
    }

    /// Allocates an object without a collection.
    pub(crate) fn allocate(&mut self, mutator: *mut Mutator, words: usize, site: usize) -> Outcome<Addr> {
        self.refuse_while_busy()?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        let m = unsafe { &mut *mutator };
        if let Some(at) = self.allocate_in_pool(m, words) {
            return Ok(at);
        }
        self.refuse_absurd(words)?;
        let slack = self.slack_megablocks();
        self.set_ceiling(slack);
        let before = self.words_made_by_calls();
        let outcome = self.store.allocate(m, words);
        self.book_since(mutator, before);
        self.profilers.space.count_called(mutator, &outcome, self.words_made_by_calls() - before, site);
        self.profilers.heap.stamp_made(mutator, &outcome, site);
        self.made_at(&outcome, site);
        self.profilers.samples.meets_call(&self.runtime, mutator, (&outcome, words), before, site);
        self.set_ceiling(0);
        self.ask_when_due(mutator);
        outcome
    }

    /// Allocates a small object for `allocate_pinned`, when a block has room and no profile has to hear of it.
    #[inline]
    pub(crate) fn allocate_pinned_in_block(
        &mut self,
        mutator: &mut Mutator,
        words: usize,
        align: usize,
        offset: usize,
    ) -> Option<Addr> {
        if words > LARGE_OBJECT_WORDS || self.profilers.hear_of_calls() {
            return None;
        }
        let (at, words) = self.runtime.store.allocate_pinned_in_block(words, align, offset)?;
        self.book_called(mutator, words);
        Some(at)
    }

    pub(crate) fn allocate_pinned(
        &mut self,
        mutator: *mut Mutator,
        words: usize,
        (align, offset): (usize, usize),
        site: usize,
    ) -> Outcome<Addr> {
        self.refuse_while_busy()?;
        self.refuse_absurd(words)?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        let m = unsafe { &mut *mutator };
        if let Some(at) = self.allocate_pinned_in_block(m, words, align, offset) {
            return Ok(at);
        }
        let slack = self.slack_megablocks();
        self.set_ceiling(slack);
        let before = self.words_made_by_calls();
        let outcome = self.store.allocate_pinned(m, words, align, offset);
        self.book_since(mutator, before);
        self.profilers.space.count_called(mutator, &outcome, self.words_made_by_calls() - before, site);
        self.profilers.heap.stamp_made(mutator, &outcome, site);
        self.made_at(&outcome, site);
        self.profilers.samples.meets_call(&self.runtime, mutator, (&outcome, words), before, site);
        self.set_ceiling(0);
        self.ask_when_due(mutator);
        outcome
    }

    /// Takes words while profiles note each allocation, when there is room and nothing else to do. A place that has tried
    /// for these words before makes the object: `site` is that place afterwards.
    pub(crate) fn allocate_noted(
        &mut self,
        mutator: *mut Mutator,
        words: usize,
        site: &mut usize,
    ) -> Option<Addr> {
        // SAFETY: the mutator is live, and only its own thread calls this.
        *site = unsafe { (*mutator).take_tried(words) }.unwrap_or(*site);
        let Host { runtime, profilers, .. } = self;
        let counted = profilers.space.counted(runtime, mutator, words, *site);
        counted.or_else(|| profilers.heap.sited(runtime, mutator, words, *site))
    }

    /// Makes room for words that the client takes in line, and gives the address of the first. May collect.
    pub(crate) fn reserve(&mut self, mutator: *mut Mutator, words: usize, site: usize) -> Outcome<Addr> {
        if words > MAX_RESERVE_WORDS {
            return Err(Failure::argument(format_args!(
                "{words} words cannot be reserved at once; the most is {MAX_RESERVE_WORDS}"
            )));
        }
        self.make_room(mutator, words, false, site)?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        let m = unsafe { &mut *mutator };
        m.allocates_at(site);
        self.profilers.space.open_region(m, site);
        Ok(m.hp())
    }

    /// Opens the allocation area for a client that fills it itself. Gives its beginning and its end.
    pub(crate) fn open_area(&mut self, m: &mut Mutator) -> Outcome<(*mut usize, *mut usize)> {
        m.refuse_while_open()?;
        self.profilers.space.close_region(&mut self.runtime, m);
        // The code that fills the area is not known.
        m.allocates_at(0);
        m.set_opened(true);
        Ok((m.window.hp, m.limit.as_ptr()))
    }

    /// Closes the allocation area, which the client has filled up to `hp`.
    pub(crate) fn close_area(&mut self, m: &mut Mutator, hp: *mut usize) -> Outcome<()> {
        if !m.opened {
            return Err(Failure::state(format_args!(
                "the allocation area is not open: barrow_open_nursery opens it"
            )));
        }
        if hp < m.window.hp || Addr(hp as usize) > m.limit || !hp.is_aligned() {
            return Err(Failure::argument(format_args!(
                "{hp:?} is not in the allocation area from {:?} to {}",
                m.window.hp, m.limit
            )));
        }
        let from = m.hp();
        m.take_to(Addr(hp as usize));
        self.profilers.space.stamp_filled(&mut self.runtime, m, from);
        self.store.close_nursery(m);
        m.set_opened(false);
        Ok(())
    }

    /// Opens the next allocation area for a client that fills areas itself. When there is none, a collection
    /// is due.
    pub(crate) fn extend_area(&mut self, mutator: *mut Mutator) -> bool {
        // SAFETY: the mutator is live, and only its own thread calls this.
        let extended = self.store.extend_nursery(unsafe { &mut *mutator });
        if !extended {
            // SAFETY: as above.
            unsafe { Mutator::ask(mutator, attention::COLLECT) };
        }
        self.aim(mutator);
        extended
    }

    fn ask_when_due(&mut self, mutator: *mut Mutator) {
        self.profilers.heap.ask_for_sample(&mut self.runtime, mutator);
        if self.profilers.samples.running.is_some() {
            self.aim(mutator);
        }
        if self.wants_collection() {
            // SAFETY: the mutator is live.
            unsafe { Mutator::ask(mutator, attention::COLLECT) };
        }
    }

    /// Collects when a collection was asked for or is due.
    pub(crate) fn safepoint(&mut self, mutator: *mut Mutator) -> Outcome<()> {
        self.refuse_while_busy()?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        unsafe { (*mutator).refuse_while_open()? };
        self.stand_aside(mutator);
        // SAFETY: as above.
        let asked = unsafe {
            (*mutator).called_from = 0;
            (*mutator).unsettle(safepoint::FULL, false);
            (*mutator).take_attention()
        };
        self.sample_if_due(mutator, 0)?;
        if asked & attention::WALK != 0 {
            self.profilers.space.walk(mutator);
        }
        if asked & attention::COLLECT != 0 || self.wants_collection() {
            self.collect_for(mutator, Reason::NoRoom)?;
        }
        Ok(())
    }

    /// Takes a change, in bytes, of memory outside the heap that objects keep alive: as much of it as a
    /// nursery is worth a collection.
    pub(crate) fn external(&mut self, mutator: *mut Mutator, delta: i64) -> Outcome<()> {
        let sum = self.external.bytes.checked_add_signed(delta);
        self.external.bytes = sum.ok_or_else(|| {
            let (bytes, held) = (delta.unsigned_abs(), self.external.bytes);
            if delta > 0 {
                return Failure::argument(format_args!(
                    "{bytes} bytes are added to {held} that were reported, which is more than can be counted"
                ));
            }
            Failure::argument(format_args!("{bytes} bytes are taken back of {held} that were reported"))
        })?;
        if delta > 0 {
            let bytes = planted!(552, 0, self.external.part_of_block) + delta as u64;
            self.external.part_of_block = bytes % BLOCK_BYTES as u64;
            self.store.allocated_blocks += planted!(172, 0, bytes as usize / BLOCK_BYTES);
            self.external.since_major = self.external.since_major.saturating_add(delta as u64);
            self.ask_when_due(mutator);
        }
        Ok(())
    }
}
