//! Per-function space: for each function, the objects that it allocates, those of them that the collector
//! copies, their kinds, and those that live.
//!
//! Every object that a profiled function makes has the number of its maker in the side table; the counts for
//! each number are here. A number also says which of the nested profiles was the innermost, so the result of
//! a profile is the sum over its own numbers and those of the profiles inside it [profile.space.runs].

use crate::base::{Addr, Failure, List, Outcome};
use crate::block::Block;
use crate::heap::mutator::busy::Mark;
use crate::heap::object::model::{has_fixed_size, info_of};
use crate::heap::space::generation::Place;
use crate::identity::maker::{Maker, Makers};
use crate::os::clock::{self, Nanos};
use crate::profile::heap::tally::Count;
use crate::profile::space::calls::Calls;
use crate::profile::space::kept;
use crate::profile::space::kept::{Alike, Kept, What};
use crate::profile::space::kinds::{Columns, Sort};
use crate::profile::space::live::Live;
use crate::profile::space::own::Own;
use crate::profile::space::rows::{Rows, all_of, manner_in};
use crate::profile::space::time::{Callers, Clock};
use crate::profile::space::wholes::Wholes;

/// The records of a function: bits that the client's callback chooses.
pub(crate) mod manner {
    /// Bytes and objects allocated, and copied in total and out of each generation.
    #[allow(unreachable_pub)] // of the header
    pub const MANNER_SPACE: u32 = 1;
    /// Bytes and objects by kind of object.
    #[allow(unreachable_pub)] // of the header
    pub const MANNER_KINDS: u32 = 2;
    /// Number of calls, where compiled code counts them.
    #[allow(unreachable_pub)] // of the header
    pub const MANNER_CALLS: u32 = 4;
    /// Ticks of the clock at which it is at the top of the stack, and elsewhere.
    #[allow(unreachable_pub)] // of the header
    pub const MANNER_TIME: u32 = 8;
    pub(crate) const MANNER_ALL: u32 = MANNER_SPACE | MANNER_KINDS | MANNER_CALLS | MANNER_TIME;
}

/// The manners for which a function's objects get its number.
pub(crate) const STAMPED: u32 = manner::MANNER_SPACE | manner::MANNER_KINDS;

/// Chooses the records of a function, which is given by the client's word, or when that is NULL, by an
/// address in the code.
pub(crate) type MannerOf = unsafe extern "C" fn(
    client: *mut std::ffi::c_void,
    function: *mut std::ffi::c_void,
    site: *mut std::ffi::c_void,
) -> u32;

/// Writes the functions on the stack, the running one first, and returns their number.
pub(crate) type Walk = unsafe extern "C" fn(
    client: *mut std::ffi::c_void,
    mutator: *mut crate::heap::Mutator,
    functions: *mut *mut std::ffi::c_void,
    room: usize,
) -> usize;

/// The choices for a profile.
#[derive(Clone, Copy)]
pub struct Wish {
    /// The manner of all functions, where there is no callback.
    pub manner: u32,
    pub manner_of: Option<MannerOf>,
    pub client: *mut std::ffi::c_void,
    /// Whether live data are recorded after collections.
    pub live: bool,
    /// Bytes of memory that the profiler may hold, side tables excepted.
    pub limit_bytes: usize,
    /// The part of these bytes for live data at many points of time.
    pub points_bytes: usize,
    /// Nanoseconds for a tick of the clock; 0 for no time.
    pub tick_ns: u64,
    /// The client's walker of its stack, and whether it tells addresses of code, not words of its own.
    pub walk: Option<Walk>,
    pub walk_tells_code: bool,
    /// Depth to which callers are kept.
    pub depth: usize,
}

impl Wish {
    pub fn counts_calls(&self) -> bool {
        self.manner & manner::MANNER_CALLS != 0 || self.manner_of.is_some()
    }

    /// The manner of functions for which there is no memory, in one row: any of them may be asked for by a callback.
    fn manner_of_others(&self) -> u32 {
        let asked = manner::MANNER_SPACE | planted!(638, 0, manner::MANNER_TIME);
        self.manner | if self.manner_of.is_some() { asked } else { 0 }
    }

    /// Whether objects are noted, and not only time.
    pub fn stamps(&self) -> bool {
        self.manner & STAMPED != 0 || self.manner_of.is_some()
    }
}

/// A running profile; each is inside the one before it.
#[derive(Clone, Copy)]
pub struct Run {
    pub id: u32,
    /// The number for functions of this profile for which there was no memory.
    pub(crate) others: u32,
    pub wish: Wish,
    /// The heap's collections, and below the profiler's own counts, when the profile began.
    pub collections_before: u64,
    suspended_before: u64,
    unprofiled_before: Count,
    own_ns_before: u64,
    apart_before: [u64; 3],
}

pub struct Space {
    pub runs: List<Run>,
    /// Calls of functions, for each of the runs.
    pub calls: List<Calls>,
    /// Whether some function has its number in the table of producers.
    pub stamps: bool,
    /// Number of suspensions that were not resumed.
    pub suspended: u32,
    /// Number of collections while the profiler was suspended.
    collections_suspended: u64,
    /// CPU time of the program when the last collection began, in seconds.
    pub(crate) began_seconds: f64,
    pub(crate) rows: Rows,
    pub columns: Columns,
    pub live: Live,
    pub(crate) generations: usize,
    /// The heap's mark, set while a callback of the client's runs.
    pub(crate) mark: Mark,
    /// Bytes that the table of makers holds, which is not in this struct.
    makers_bytes: usize,
    /// The part of each mutator.
    pub(super) own: List<Own>,
    /// Objects that the running collection has kept and that are not in the rows yet.
    kept: Kept,
    /// Whether some function is recorded by kind: new objects are looked at before each collection.
    pub walks: bool,
    /// Objects made by calls, with their makers' numbers, to be looked at before the next collection.
    pub made_by_calls: List<(Addr, u32)>,
    /// The chunks of the nursery that were looked at since the last collection, each with the end of what was there.
    pub walked: List<(Block, Addr)>,
    /// Objects and words made by functions that are not profiled, while a profile ran.
    pub unprofiled: Count,
    /// CPU time in nanoseconds of the profiler's own work after collections.
    pub own_ns: u64,
    pub most_bytes: usize,
    /// Whether there was no memory for some side table, so that copied objects there were not counted.
    pub lost_tables: bool,
    /// The clock, while time is sampled; `clock_run` is the outermost profile that asked for it.
    pub clock: Option<Clock>,
    pub clock_run: u32,
    pub callers: Callers,
    /// The functions of parts of code that were met on stacks.
    pub(crate) wholes: Wholes,
    /// Whether a table could not grow, or the limit was met: since then new functions count as others.
    pub short_of_memory: bool,
}

impl Space {
    pub fn new(generations: usize, mark: Mark) -> Space {
        Space {
            runs: List::new(),
            calls: List::new(),
            stamps: false,
            suspended: 0,
            collections_suspended: 0,
            began_seconds: 0.0,
            rows: Rows::new(generations),
            columns: Columns::new(mark),
            live: Live::default(),
            generations,
            mark,
            makers_bytes: 0,
            own: List::new(),
            kept: Kept::default(),
            walks: false,
            made_by_calls: List::new(),
            walked: List::new(),
            unprofiled: Count::default(),
            own_ns: 0,
            most_bytes: 0,
            lost_tables: false,
            clock: None,
            clock_run: 0,
            callers: Callers::default(),
            wholes: Wholes::default(),
            short_of_memory: false,
        }
    }

    /// Whether allocation and copying are counted now.
    pub fn counts(&self) -> bool {
        self.suspended == 0 && self.stamps && !self.runs.is_empty()
    }

    /// Begins a profile whose number is greater than all before.
    pub fn begin(&mut self, id: u32, wish: Wish, collections: u64, makers: &mut Makers) -> Outcome<()> {
        self.runs.reserve(1)?;
        self.calls.push(Calls::default())?;
        let wishes = self.runs.iter().map(|run| &run.wish).chain([&wish]);
        let manners =
            wishes.enumerate().fold(0, |all, (depth, wish)| all | manner_in(depth, wish.manner_of_others()));
        // The site is an address that no code has.
        let others = makers
            .number(Maker { run: id, site: usize::MAX, ..Maker::NOBODY })
            .and_then(|others| self.rows.make(others, manners).map(|()| others))
            .inspect_err(|_| drop(self.calls.pop()))?;
        self.settle_lately();
        let run = Run {
            id,
            others,
            wish,
            collections_before: collections,
            suspended_before: self.collections_suspended,
            unprofiled_before: self.unprofiled,
            own_ns_before: self.own_ns,
            apart_before: self.ticks_apart(),
        };
        let _ = self.runs.push_within(run);
        self.walks |= wish.manner & manner::MANNER_KINDS != 0 || wish.manner_of.is_some();
        self.live.on |= wish.live;
        self.live.points_bytes = self.live.points_bytes.max(wish.points_bytes);
        self.forget_seen();
        self.makers_bytes = makers.held_bytes();
        self.has_grown();
        Ok(())
    }

    /// The number of a function's objects; 0 where they are not noted.
    pub(crate) fn number_slowly(&mut self, function: usize, site: usize, makers: &mut Makers) -> u32 {
        let (number, manner) = self.number_and_manner(function, site, makers);
        if manner & STAMPED == 0 { 0 } else { number }
    }

    /// The number of a function, which is that of the other functions where there is no memory, and the records of it that any profile
    /// wants.
    #[cold]
    #[inline(never)]
    pub(super) fn number_and_manner(
        &mut self,
        function: usize,
        site: usize,
        makers: &mut Makers,
    ) -> (u32, u32) {
        let Some(&run) = self.runs.last() else { return (0, 0) };
        let maker = Maker { stack: 0, run: run.id, function, site };
        if let Some(number) = makers.find(maker) {
            return (number, self.rows.manner(number));
        }
        let mut manners = 0;
        for (depth, Run { wish, .. }) in self.runs.iter().enumerate() {
            let manner = match wish.manner_of {
                Some(choose) => {
                    let (function, site) = (function as *mut _, site as *mut _);
                    // SAFETY: the client's callback takes its own pointer and two words of the client's own.
                    self.mark.during(|| unsafe { choose(wish.client, function, site) })
                }
                None => wish.manner,
            };
            // An object of an inner profile is the outer ones' too, each of which has its records.
            if planted!(605, depth + 1 == self.runs.len(), true) {
                manners |= manner_in(depth, manner & manner::MANNER_ALL);
            }
        }
        let more = makers.growth_bytes() + self.rows.growth_bytes(makers.count(), manners);
        let made = if more != 0 && !self.may_hold(more) {
            Err(Failure::no_memory(format_args!("the space profiler holds {} bytes", self.held_bytes())))
        } else {
            makers.number(maker).and_then(|number| self.rows.make(number, manners).map(|()| number))
        };
        self.makers_bytes = makers.held_bytes();
        self.has_grown();
        let manner = all_of(manners);
        let number = made.unwrap_or_else(|_| {
            self.short_of_memory |= manner != 0;
            run.others
        });
        (number, planted!(637, manner | manner::MANNER_SPACE, manner))
    }

    /// The records of a number that the innermost profile wants.
    pub(crate) fn manner_of(&self, number: u32) -> u32 {
        self.rows.manner_at(number, self.runs.len().saturating_sub(1))
    }

    /// Counts an object that was made, or words for several.
    #[inline]
    pub fn allocated(&mut self, number: u32, words: usize, objects: u64) {
        let count = if number == 0 { &mut self.unprofiled } else { self.rows.allocated(number) };
        count.words += words as u64;
        count.objects += objects;
    }

    /// Counts the CPU time since the profiler began to work, unless it is suspended.
    pub(super) fn worked(&mut self, begun: Nanos) {
        if planted!(635, true, self.suspended == 0) {
            self.own_ns += clock::cpu().since(begun).0;
        }
    }

    /// The number of the heap's collections that a profile has counted.
    pub fn collections_of(&self, run: &Run, collections: u64) -> u64 {
        let suspended = self.collections_suspended - run.suspended_before;
        (collections - run.collections_before).saturating_sub(suspended)
    }

    /// The count of objects made since a profile began by functions that are not profiled.
    pub fn unprofiled_of(&self, run: &Run) -> Count {
        Count {
            words: self.unprofiled.words - run.unprofiled_before.words,
            objects: self.unprofiled.objects - run.unprofiled_before.objects,
        }
    }

    /// Nanoseconds of the profiler's own work since a profile began, and the ticks apart.
    pub(crate) fn apart_of(&self, run: &Run) -> (u64, [u64; 3]) {
        let (now, before) = (self.ticks_apart(), run.apart_before);
        (
            self.own_ns - run.own_ns_before,
            [0, 1, 2].map(|which: usize| now[which].saturating_sub(before[which])),
        )
    }

    fn ticks_apart(&self) -> [u64; 3] {
        self.clock.as_ref().map_or([0; 3], Clock::apart)
    }

    /// Notes that a chunk of the nursery is looked at up to where it is filled. Gives the place to begin at, if there is
    /// anything new.
    pub(crate) fn walk_to(&mut self, chunk: Block, end: Addr) -> Option<Addr> {
        let start = chunk.start();
        if let Some((_, before)) = self.walked.iter_mut().find(|(seen, _)| *seen == chunk) {
            return Some(std::mem::replace(before, end)).filter(|&from| from < end);
        }
        if start < end && self.walked.push((chunk, end)).is_err() {
            // Objects would be counted twice.
            self.short_of_memory = true;
            return None;
        }
        Some(start).filter(|_| start < end)
    }

    /// Counts objects made since the last collection by their kind, now that they are whole.
    #[inline]
    pub fn made(&mut self, number: u32, sort: Sort, objects: u64) {
        self.rows.add_kinds(number, 0, sort, objects);
    }

    pub fn wants_kinds(&self, number: u32) -> bool {
        self.rows.wants_kinds(number)
    }

    /// Counts a live object with this number, which has come from one place to another.
    ///
    /// # Safety
    /// The collector's promise: the object is whole at `to`.
    #[inline(always)]
    pub unsafe fn kept(&mut self, number: u32, to: Addr, words: usize, was: Place, place: Place) {
        if number == 0 {
            return;
        }
        // SAFETY: the caller's promise.
        let header = unsafe { to.load() };
        let what = What::new(number, was, place);
        if !self.kept.is_like_one(header, what) {
            // SAFETY: the caller's promise.
            unsafe { self.kept_unlike_others(to, header, words, what) };
        }
    }

    /// # Safety
    /// As for `kept`.
    #[cold]
    #[inline(never)]
    unsafe fn kept_unlike_others(&mut self, to: Addr, header: usize, words: usize, what: What) {
        let number = what.number();
        if !self.rows.has(number) {
            return;
        }
        let mut one = Alike { header, words, what, objects: 1, sort: None };
        if self.rows.wants_kinds(number) {
            // SAFETY: the caller's promise.
            one.sort = Some(unsafe { self.columns.sort(to, words) });
        }
        // Objects of other tables differ in size, and in the part that is overhead.
        let before = if has_fixed_size(info_of(header)) { self.kept.put(one) } else { one };
        self.count_kept(before);
    }

    fn count_kept(&mut self, kept: Alike) {
        let Alike { words, what, objects, sort, .. } = kept;
        if objects == 0 {
            return;
        }
        let (number, from) = (what.number(), what.from().min(self.generations - 1));
        self.rows.stays(number, what.to(), words as u64 * objects);
        if self.suspended == 0 {
            let count = Count { words: words as u64 * objects, objects };
            self.rows.copied(number, from, count);
            if let Some(sort) = sort {
                self.rows.add_kinds(number, from + 1, sort, objects);
            }
        }
    }

    fn count_all_kept(&mut self) {
        for at in 0..kept::ALIKE {
            let kept = self.kept.take(at);
            self.count_kept(kept);
        }
    }

    /// Takes in that everything younger than the oldest generation has come there, where it is about to be judged.
    pub fn promoted(&mut self) {
        self.count_all_kept();
        self.rows.settle(self.generations.saturating_sub(2));
    }

    /// Takes the end of a collection of the generations up to `oldest`.
    pub fn collected(&mut self, oldest: usize, collection: u64) {
        self.walked.clear();
        self.collections_suspended += u64::from(self.suspended > 0);
        self.count_all_kept();
        let total = self.rows.settle(oldest);
        if self.live.on && planted!(634, true, self.suspended == 0) {
            self.live.most_bytes = self.live.held_bytes() + self.room();
            let rows = &self.rows;
            self.live.note(self.began_seconds, collection, total, &mut |visit| rows.each_living(visit));
            self.has_grown();
        }
    }

    /// Keeps the live words of each function as a point of its own.
    pub fn keep_point(&mut self, seconds: f64, collection: u64) -> Outcome<()> {
        self.live.most_bytes = self.live.held_bytes() + self.room();
        let (rows, total) = (&self.rows, self.rows.living());
        let kept = self.live.keep(seconds, collection, total, &mut |visit| rows.each_living(visit));
        self.has_grown();
        kept
    }

    /// Notes an object that a call has made, to be looked at by kind before the next collection.
    pub fn made_by_call(&mut self, at: Addr, number: u32) {
        let more = self.made_by_calls.growth_bytes(1);
        if more != 0 && !self.may_hold(more) || self.made_by_calls.push((at, number)).is_err() {
            self.short_of_memory = true;
        }
        if more != 0 {
            self.has_grown();
        }
    }

    pub(crate) fn add_caller(&mut self, parent: u32, number: u32, ticks: u64) -> u32 {
        let more = self.callers.nodes.growth_bytes(1);
        self.callers.is_full = more != 0 && !self.may_hold(more);
        let at = self.callers.add(parent, number, ticks);
        self.short_of_memory |= at == 0;
        if more != 0 {
            self.has_grown();
        }
        at
    }

    /// Bytes that may be held besides the present ones, by the limit of the innermost profile.
    pub fn room(&self) -> usize {
        self.runs.last().map_or(0, |run| run.wish.limit_bytes.saturating_sub(self.held_bytes()))
    }

    fn may_hold(&self, more: usize) -> bool {
        more <= self.room()
    }

    /// Takes stock after any step that may have taken memory.
    pub fn has_grown(&mut self) {
        self.most_bytes = self.most_bytes.max(self.held_bytes());
        self.columns.room = self.room();
    }

    pub fn held_bytes(&self) -> usize {
        self.rows.held_bytes()
            + self.makers_bytes
            + self.columns.held_bytes()
            + self.live.held_bytes()
            + self.callers.nodes.held_bytes()
            + self.wholes.held_bytes()
            + self.made_by_calls.held_bytes()
            + self.calls.iter().map(Calls::held_bytes).sum::<usize>()
            + self.walked.held_bytes()
            + self.lately_bytes()
            + self.own.held_bytes()
            + size_of::<Space>()
    }
}
