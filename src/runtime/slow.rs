//! Where allocation goes when the fast path has no room, and what happens when there is none at all.

use super::collect::Reason;
use super::heap::Runtime;
use crate::base::size::*;
use crate::base::{Addr, Failure, Outcome, Sentence, Status};
use crate::heap::Mutator;
use crate::heap::mutator::attention;

impl Runtime {
    /// Makes room for `words` in the allocation area. May collect. After it, `hp + words <= limit`.
    /// `site` is where the client goes on then.
    pub fn make_room(&mut self, mutator: *mut Mutator, words: usize, site: usize) -> Outcome<()> {
        debug_assert!(words <= MAX_RESERVE_WORDS);
        self.refuse_while_busy()?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        let m = unsafe { &mut *mutator };
        m.called_from = site;
        self.close_space_region(m);
        let asked = m.take_attention();
        if asked & attention::WALK != 0 {
            self.walk_for_space(mutator);
        }
        self.slow_trips += 1;
        let sampled = self.sample_if_due(mutator, words)?;
        if self.flags.stress_every != 0 && self.slow_trips.is_multiple_of(self.flags.stress_every) {
            self.collect_for(mutator, Reason::Stress)?;
        } else if !sampled && (asked & attention::COLLECT != 0 || self.wants_collection()) {
            self.collect_for(mutator, Reason::NoRoom)?;
        }
        // SAFETY: as above; the collection used the mutator and is over.
        let m = unsafe { &mut *mutator };
        let fits = |m: &Mutator| m.limit.0 - m.hp().0 >= words * WORD_BYTES;
        while !fits(m) {
            if !self.store.extend_nursery(m) {
                break;
            }
        }
        if !fits(m) {
            self.collect_for(mutator, Reason::NoRoom)?;
            // SAFETY: as above.
            let m = unsafe { &mut *mutator };
            while !fits(m) {
                if !self.store.extend_nursery(m) {
                    return Err(self.nothing_left());
                }
            }
        }
        self.aim(mutator);
        Ok(())
    }

    /// After a collection there is still no room.
    fn nothing_left(&self) -> Failure {
        let live = (self.live_words() * WORD_BYTES) >> 20;
        Failure::new(
            Status::Limit,
            format_args!(
                "{live} MiB are live, and what is left cannot hold a nursery and the copies of the next collection"
            ),
        )
    }

    pub fn refuse_while_busy(&self) -> Outcome<()> {
        if self.ending {
            return Err(Failure::state(format_args!(
                "the heap is being freed: finalizers that run now must not use it"
            )));
        }
        if self.busy.is_set() {
            return Err(Failure::state(format_args!(
                "a collection is running: callbacks must not allocate, collect or change the heap"
            )));
        }
        Ok(())
    }

    /// Whether pools and large objects have taken so much that a collection is due (`doYouWantToGC`).
    pub fn wants_collection(&self) -> bool {
        self.store.allocated_blocks >= self.allocated_blocks_limit()
    }

    /// Half a nursery, so that one and the other together do not hold much more than the nursery is meant to.
    pub fn allocated_blocks_limit(&self) -> usize {
        self.growth.nursery_blocks / 2
    }

    /// Takes `words` words from the allocation area. May collect.
    pub fn allocate_in_nursery(&mut self, mutator: *mut Mutator, words: usize, site: usize) -> Outcome<Addr> {
        self.allocate_for_site(mutator, words, site, site)
    }

    /// The same for the code at `site`, of a client that goes on at `returns_to`.
    pub fn allocate_for_site(
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
        self.make_room(mutator, words, returns_to)?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        let m = unsafe { &mut *mutator };
        m.allocates_at(site);
        let at = m.hp();
        m.window.hp = at.plus_words(words).as_ptr();
        self.count_taken(m, at, words, site);
        Ok(at)
    }

    /// A large object for a caller that allows a collection: it is collected first when one is due.
    fn allocate_large_collecting(
        &mut self,
        mutator: *mut Mutator,
        words: usize,
        site: usize,
    ) -> Outcome<Addr> {
        self.sample_if_due(mutator, words)?;
        if self.wants_collection() || self.flags.stress_every != 0 {
            self.collect_for(mutator, Reason::NoRoom)?;
        }
        let before = self.words_made_by_calls();
        let outcome = match self.store.allocate_large(words) {
            Ok(at) => Ok(at),
            Err(_) => {
                self.collect_for(mutator, Reason::Major)?;
                self.store.allocate_large(words)
            }
        };
        self.book_since(mutator, before);
        self.count_called(mutator, &outcome, self.words_made_by_calls() - before, site);
        self.stamp_made(mutator, &outcome, site);
        self.aim(mutator);
        outcome
    }

    /// `allocate`: never collects.
    pub fn allocate(&mut self, mutator: *mut Mutator, words: usize, site: usize) -> Outcome<Addr> {
        self.refuse_while_busy()?;
        self.refuse_absurd(words)?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        let m = unsafe { &mut *mutator };
        self.set_ceiling(self.slack_megablocks());
        let before = self.words_made_by_calls();
        let outcome = self.store.allocate(m, words);
        self.book_since(mutator, before);
        self.count_called(mutator, &outcome, self.words_made_by_calls() - before, site);
        self.stamp_made(mutator, &outcome, site);
        self.set_ceiling(0);
        self.ask_when_due(mutator);
        outcome
    }

    pub fn allocate_pinned(
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
        self.set_ceiling(self.slack_megablocks());
        let before = self.words_made_by_calls();
        let outcome = self.store.allocate_pinned(m, words, align, offset);
        self.book_since(mutator, before);
        self.count_called(mutator, &outcome, self.words_made_by_calls() - before, site);
        self.stamp_made(mutator, &outcome, site);
        self.set_ceiling(0);
        self.ask_when_due(mutator);
        outcome
    }

    /// Opens the next allocation area for a client that fills them itself. When there is none, a collection is due.
    pub fn extend_area(&mut self, mutator: *mut Mutator) -> bool {
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
        self.ask_for_sample(mutator);
        if self.wants_collection() {
            // SAFETY: the mutator is live.
            unsafe { Mutator::ask(mutator, attention::COLLECT) };
        }
    }

    /// `allocate` cannot collect, so it may exceed the limit by a sixteenth, and by at least 4 MiB.
    pub fn slack_megablocks(&self) -> usize {
        self.flags.heap_limit_bytes.map_or(0, |limit| (limit / 16 / MEGABLOCK_BYTES).max(4))
    }

    /// Collects when somebody has asked for it.
    pub fn safepoint(&mut self, mutator: *mut Mutator) -> Outcome<()> {
        self.refuse_while_busy()?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        let asked = unsafe {
            (*mutator).called_from = 0;
            (*mutator).take_attention()
        };
        self.sample_if_due(mutator, 0)?;
        if asked & attention::WALK != 0 {
            self.walk_for_space(mutator);
        }
        if asked & attention::COLLECT != 0 || self.wants_collection() {
            self.collect_for(mutator, Reason::NoRoom)?;
        }
        Ok(())
    }

    /// Memory outside the heap that objects keep alive: so much of it as a nursery is worth a collection.
    pub fn external(&mut self, mutator: *mut Mutator, delta: i64) -> Outcome<()> {
        let sum = self.external_bytes.checked_add_signed(delta);
        self.external_bytes = sum.ok_or_else(|| {
            let (bytes, held) = (delta.unsigned_abs(), self.external_bytes);
            if delta > 0 {
                return Failure::argument(format_args!(
                    "{bytes} bytes are added to {held} that were reported, which is more than can be counted"
                ));
            }
            Failure::argument(format_args!("{bytes} bytes are taken back of {held} that were reported"))
        })?;
        if delta > 0 {
            self.store.allocated_blocks += delta as usize / BLOCK_BYTES;
            self.external_since_major = self.external_since_major.saturating_add(delta as u64);
            self.ask_when_due(mutator);
        }
        Ok(())
    }

    fn refuse_absurd(&self, words: usize) -> Outcome<()> {
        if words == 0 || words > MAX_OBJECT_WORDS {
            return Err(Failure::argument(format_args!("{words} words are no possible size of an object")));
        }
        Ok(())
    }

    /// What the client is told when there is no memory: what was asked, what is held, what the limit is.
    pub fn overflow_failure(&self, words: usize, cause: &Failure) -> Failure {
        let megablocks = &self.store.blocks.megablocks;
        let held = megablocks.taken();
        let asked = words.saturating_mul(WORD_BYTES);
        let limit = match self.flags.heap_limit_bytes {
            None => Sentence::new(format_args!("none")),
            Some(bytes) => Sentence::new(format_args!("{} MiB", bytes >> 20)),
        };
        let remedy = match megablocks.range_used_up() {
            None => Sentence::EMPTY,
            Some(bytes) => Sentence::new(format_args!(
                "; the reserved range of {} MiB of addresses is full, copies of the next collection included: -xr<size> \
                 reserves more, --source=chunks needs none",
                bytes >> 20
            )),
        };
        let cause_told = cause.sentence;
        Failure::new(
            cause.status,
            format_args!(
                "heap overflow: {asked} bytes asked, {held} MiB held, limit {limit}: {cause_told}{remedy}"
            ),
        )
    }
}
