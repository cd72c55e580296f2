//! Counters of one census: words and objects by number of their info table, and by number of their producer.
//!
//! The counters are arrays of full range, indexed by number and never moved, so that counting an object is
//! two loads and two additions for each, without a hash, and a number that comes up during a census has its
//! counter already.

use crate::base::size::WORD_BYTES;
use crate::base::{Addr, Failure, Outcome};
use crate::heap::Info;
use crate::heap::object::model::info_of;
use crate::heap::space::side::{self, Table};
use crate::identity::info::{self, MOST_INFOS};
use crate::identity::producer::{self, MOST_PRODUCERS};
use crate::os::memory::Area;
use crate::profile::heap::restrict::Restrictions;
use crate::profile::heap::sparse::Sparse;
use std::ops::Range;

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub words: u64,
    pub objects: u64,
}

impl Count {
    pub fn bytes(&self) -> u64 {
        self.words * WORD_BYTES as u64
    }
}

pub(crate) fn map(bytes: usize) -> Outcome<Area> {
    Area::map(bytes).ok_or_else(|| {
        Failure::no_memory(format_args!("no address space for the counters of a heap profile"))
    })
}

/// An array of counters with room for every possible number.
pub(crate) struct Counters {
    area: Area,
    length: usize,
}

impl Counters {
    pub(crate) fn new(length: usize) -> Outcome<Counters> {
        Ok(Counters { area: map(length * size_of::<Count>())?, length })
    }

    /// Adds to a counter. The number is less than the length.
    #[inline(always)]
    pub(crate) fn add(&mut self, number: usize, words: usize) {
        self.add_many(number, words as u64, 1);
    }

    #[inline(always)]
    pub(crate) fn add_many(&mut self, number: usize, words: u64, objects: u64) {
        debug_assert!(number < self.length);
        let count = self.area.start().as_ptr::<Count>();
        // SAFETY: the area has a counter for every number below the length, and nobody else uses it.
        unsafe {
            let count = &mut *count.add(number);
            count.words = count.words.wrapping_add(words);
            count.objects = count.objects.wrapping_add(objects);
        }
    }

    /// Takes words and an object from a counter, which may be added only later.
    pub(crate) fn take_back(&mut self, number: usize, words: usize) {
        debug_assert!(number < self.length);
        let count = self.area.start().as_ptr::<Count>();
        // SAFETY: as for `add`.
        unsafe {
            let count = &mut *count.add(number);
            count.words = count.words.wrapping_sub(words as u64);
            count.objects = count.objects.wrapping_sub(1);
        }
    }

    pub(crate) fn get(&self, number: usize) -> Count {
        if number >= self.length {
            return Count::default();
        }
        // SAFETY: as for `add`; an area reads as zero until it is written.
        unsafe { *self.area.start().as_ptr::<Count>().add(number) }
    }

    /// Sets the counters in `used` to zero.
    pub(crate) fn clear(&mut self, used: Range<usize>) {
        let used = used.start.min(self.length)..used.end.min(self.length);
        // SAFETY: as for `add`.
        unsafe { self.area.start().as_ptr::<Count>().add(used.start).write_bytes(0, used.len()) };
    }
}

/// The verdicts of restrictions for each number, which are asked for once.
pub(crate) struct Verdicts {
    area: Area,
}

const UNASKED: u8 = 0;
const COUNTS: u8 = 1;
const LEFT_OUT: u8 = 2;

impl Verdicts {
    pub(crate) fn new(length: usize) -> Outcome<Verdicts> {
        Ok(Verdicts { area: map(length)? })
    }

    #[inline(always)]
    pub(crate) fn of(&mut self, number: u32, ask: impl FnOnce() -> bool) -> bool {
        // SAFETY: the area has a byte for every number of its kind, and nobody else uses it.
        let verdict = unsafe { &mut *self.area.start().as_ptr::<u8>().add(number as usize) };
        if *verdict == UNASKED {
            *verdict = if ask() { COUNTS } else { LEFT_OUT };
        }
        *verdict == COUNTS
    }
}

/// Counts of the objects that restrictions allow, when they look at info tables and producers at once.
struct Crossed {
    restrictions: Restrictions,
    by_info: Counters,
    by_producer: Counters,
    infos: Verdicts,
    producers: Verdicts,
    /// Whether retainer sets matter too, which are known after the collection: `count_late`.
    late: bool,
}

/// The counts of one census so far.
pub struct Tally {
    by_info: Counters,
    by_producer: Option<Counters>,
    /// The part of `by_producer` that is threads and stacks.
    threads: Option<Sparse>,
    /// Whether producers are told apart by the place in the code that allocated, too.
    pub counts_sites: bool,
    /// Whether threads and stacks count where restrictions allow them.
    with_threads: bool,
    crossed: Option<Crossed>,
}

impl Tally {
    pub fn new() -> Outcome<Tally> {
        Ok(Tally {
            by_info: Counters::new(MOST_INFOS)?,
            by_producer: None,
            threads: None,
            counts_sites: false,
            with_threads: true,
            crossed: None,
        })
    }

    /// Counts producers too from now on.
    pub fn count_producers(&mut self) -> Outcome<()> {
        if self.by_producer.is_none() {
            self.threads = Some(Sparse::new(MOST_PRODUCERS)?);
            self.by_producer = Some(Counters::new(MOST_PRODUCERS)?);
        }
        Ok(())
    }

    /// Counts into `crossed` from now on what these restrictions allow, of which some look at more than info
    /// tables.
    pub fn cross(&mut self, restrictions: Restrictions, with_threads: bool) -> Outcome<()> {
        self.crossed = None;
        self.with_threads = with_threads;
        if !restrictions.is_empty() {
            self.crossed = Some(Crossed {
                late: restrictions.ask_for_retainers(),
                restrictions,
                by_info: Counters::new(MOST_INFOS)?,
                by_producer: Counters::new(MOST_PRODUCERS)?,
                infos: Verdicts::new(MOST_INFOS)?,
                producers: Verdicts::new(MOST_PRODUCERS)?,
            });
        }
        Ok(())
    }

    /// Takes modules from producers, or from info tables. Called before the first census.
    pub fn take_modules_of_producers(&mut self, by_producer: bool) {
        if let Some(crossed) = &mut self.crossed {
            crossed.restrictions.take_modules_of_producers(by_producer);
        }
    }

    pub fn stop_producers(&mut self) {
        (self.by_producer, self.threads) = (None, None);
        self.counts_sites = false;
    }

    /// Gives the restrictions back, with the names that they have met.
    pub fn stop_crossing(&mut self) -> Option<Restrictions> {
        self.crossed.take().map(|crossed| crossed.restrictions)
    }

    pub fn counts_producers(&self) -> bool {
        self.by_producer.is_some()
    }

    pub fn clear(&mut self) {
        self.by_info.clear(0..info::count());
        for producers in producer::numbers() {
            if let Some(by_producer) = &mut self.by_producer {
                by_producer.clear(producers.clone());
            }
            if let Some(threads) = &mut self.threads {
                threads.clear(producers.clone());
            }
            if let Some(crossed) = &mut self.crossed {
                crossed.by_producer.clear(producers);
            }
        }
        if let Some(crossed) = &mut self.crossed {
            crossed.by_info.clear(0..info::count());
        }
    }

    /// Counts a live object. Number 0 stands for objects that cannot be named.
    ///
    /// # Safety
    /// A well-formed object lies at `object`.
    pub unsafe fn count(&mut self, object: Addr, words: usize) {
        // SAFETY: the caller's promise.
        unsafe {
            self.count_made(object, words, self.producer(object));
        }
    }

    /// The producer of an object, while producers are counted: otherwise the table may have the numbers of a
    /// space profile.
    ///
    /// # Safety
    /// As for `count`.
    #[inline(always)]
    unsafe fn producer(&self, object: Addr) -> u32 {
        // SAFETY: the caller's promise.
        if self.counts_producers() { unsafe { side::number(Table::Producer, object) } } else { 0 }
    }

    /// As `count`, for an object whose number in the table of producers is known.
    ///
    /// # Safety
    /// As for `count`.
    #[inline(always)]
    pub unsafe fn count_made(&mut self, object: Addr, words: usize, made_by: u32) {
        // SAFETY: the caller's promise.
        let info = unsafe { info_of(object.load()) };
        let number = info.number() as usize;
        self.by_info.add(planted!(127, if number > 3 { 0 } else { number }, number), words);
        if !self.is_plain() {
            let made_by = if self.counts_producers() { made_by } else { 0 };
            self.count_producer(info, words, made_by);
        }
    }

    /// Whether objects with the same info table count alike.
    pub fn is_plain(&self) -> bool {
        self.by_producer.is_none() && self.crossed.is_none()
    }

    /// Counts objects with the same info table, while only tables are counted.
    pub fn count_alike(&mut self, info: &Info, words: u64, objects: u64) {
        debug_assert!(self.is_plain());
        self.by_info.add_many(info.number() as usize, words, objects);
    }

    #[inline]
    fn count_producer(&mut self, info: &Info, words: usize, made_by: u32) {
        if let Some(by_producer) = &mut self.by_producer {
            by_producer.add(made_by as usize, words);
        }
        if info.is_thread() {
            if let Some(threads) = &mut self.threads {
                threads.add(made_by as usize, words);
            }
            if !self.with_threads {
                return;
            }
        }
        if let Some(crossed) = self.crossed.as_mut().filter(|crossed| !crossed.late) {
            crossed.count(info.number(), made_by, words);
        }
    }

    /// Whether restrictions look at retainer sets.
    pub fn counts_late(&self) -> bool {
        self.crossed.as_ref().is_some_and(|crossed| crossed.late)
    }

    /// Counts, after the collection and once retainer sets are known, an object whose set is allowed.
    ///
    /// # Safety
    /// As for `count`.
    pub unsafe fn count_late(&mut self, object: Addr, words: usize) {
        // SAFETY: the caller's promise.
        let (info, made_by) = unsafe { (info_of(object.load()), self.producer(object)) };
        if let Some(crossed) = self.crossed.as_mut().filter(|_| self.with_threads || !info.is_thread()) {
            crossed.count(info.number(), made_by, words);
        }
    }

    /// Moves an object that was counted with the table of the header `before` to its present table.
    ///
    /// # Safety
    /// As for `count`, and the object had the header `before`.
    pub unsafe fn recount(&mut self, object: Addr, words: usize, before: usize) {
        // SAFETY: the caller's promise.
        let (before, now) = unsafe { (info_of(before).number(), info_of(object.load()).number()) };
        self.by_info.take_back(before as usize, words);
        self.by_info.add(now as usize, words);
        // SAFETY: the caller's promise.
        let made_by = unsafe { self.producer(object) };
        if let Some(crossed) = self.crossed.as_mut().filter(|crossed| !crossed.late) {
            if crossed.allows(before, made_by) {
                crossed.by_info.take_back(before as usize, words);
                crossed.by_producer.take_back(made_by as usize, words);
            }
            crossed.count(now, made_by, words);
        }
    }

    /// The count of an info table.
    pub fn of_info(&self, number: u32) -> Count {
        self.by_info.get(number as usize)
    }

    /// The count of an info table as far as restrictions on info tables and producers allow it.
    pub fn allowed_of_info(&self, number: u32) -> Option<Count> {
        self.crossed.as_ref().map(|crossed| crossed.by_info.get(number as usize))
    }

    /// The count of a producer, with threads and stacks or without.
    pub fn of_producer(&self, number: u32, with_threads: bool) -> Count {
        let number = number as usize;
        let all = self.by_producer.as_ref().map_or(Count::default(), |counters| counters.get(number));
        let threads = self.threads.as_ref().map_or(Count::default(), |threads| threads.get(number));
        if with_threads {
            return all;
        }
        Count { words: all.words - threads.words, objects: all.objects - threads.objects }
    }

    /// The count of a producer as far as restrictions allow it.
    pub fn allowed_of_producer(&self, number: u32) -> Option<Count> {
        self.crossed.as_ref().map(|crossed| crossed.by_producer.get(number as usize))
    }

    /// The count of threads and stacks.
    pub fn of_threads(&self) -> Count {
        let mut threads = Count::default();
        info::for_each(|number, info| {
            if info.is_thread {
                threads = sum([threads, self.of_info(number)].into_iter());
            }
        });
        threads
    }

    /// The count of all objects.
    pub fn total(&self) -> Count {
        sum((0..info::count()).map(|number| self.by_info.get(number)))
    }

    /// The first number whose count differs in another tally, with both counts.
    pub fn differs_from(&self, other: &Tally) -> Option<(u32, Count, Count)> {
        (0..info::count()).find_map(|number| {
            let (own, others) = (self.by_info.get(number), other.by_info.get(number));
            (own != others).then_some((number as u32, own, others))
        })
    }
}

pub(crate) fn sum(counts: impl Iterator<Item = Count>) -> Count {
    counts.fold(Count::default(), |sum, more| Count {
        words: sum.words + more.words,
        objects: sum.objects + more.objects,
    })
}

impl Crossed {
    #[inline]
    fn allows(&mut self, number: u32, made_by: u32) -> bool {
        let restrictions = &mut self.restrictions;
        let info = self.infos.of(number, || number != 0 && restrictions.allow(&info::get(number)));
        // Both are asked, so that a name that was met in only one of the two is noted.
        let made = self.producers.of(made_by, || restrictions.allow_producer(made_by));
        info && made
    }

    #[inline]
    fn count(&mut self, number: u32, made_by: u32, words: usize) {
        if self.allows(number, made_by) {
            self.by_info.add(number as usize, words);
            self.by_producer.add(made_by as usize, words);
        }
    }
}
