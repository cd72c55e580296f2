//! Static objects in the client's data that a heap knows, and CAFs that were entered.
//!
//! A static belongs to one heap, since its word for the collector can serve only one. One list of the process knows the
//! heap of each.

use crate::base::size::WORD_BYTES;
use crate::base::{Addr, Failure, List, Outcome};
use crate::heap::object::header::{HEADER_BITS, info_of};
use crate::heap::object::info::{Info, Kind, ReferenceTable};
use crate::heap::object::kind::Kinds;
use crate::heap::object::lazy::{CAF_LINK, CAF_SAVED, CAF_VALUE, promise, static_words};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Addresses of statics: one object, or a section of them.
#[derive(Clone, Copy, Debug)]
pub struct StaticRange {
    pub start: usize,
    pub end: usize,
    /// Whether CAFs here keep their values until they are reverted.
    pub keep: bool,
}

/// A CAF that was entered.
#[derive(Clone, Copy, Debug)]
pub struct Caf {
    pub at: Addr,
    pub keep: bool,
}

pub struct Statics {
    /// Ranges of statics, sorted, without overlaps.
    ranges: List<StaticRange>,
    pub cafs: List<Caf>,
    /// CAFs that a collection found dead.
    pub dead_cafs: u64,
}

/// The end of a list through link words, which are 0 outside any list.
pub(crate) const LIST_END: usize = 1;

#[derive(Clone, Copy)]
struct Owned {
    start: usize,
    end: usize,
    owner: usize,
}

static OWNERS: Mutex<List<Owned>> = Mutex::new(List::new());

fn owners() -> MutexGuard<'static, List<Owned>> {
    OWNERS.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) struct HeldOwners(#[allow(dead_code)] MutexGuard<'static, List<Owned>>);

/// Keeps all others out of the list of owners.
pub(crate) fn hold() -> HeldOwners {
    HeldOwners(owners())
}

impl Statics {
    pub const fn new() -> Statics {
        Statics { ranges: List::new(), cafs: List::new(), dead_cafs: 0 }
    }

    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    pub fn find(&self, at: Addr) -> Option<&StaticRange> {
        let after = self.ranges.partition_point(|range| range.start <= at.0);
        let range = self.ranges.get(after.wrapping_sub(1))?;
        (at.0 < range.end).then_some(range)
    }

    pub fn has(&self, at: Addr) -> bool {
        self.find(at).is_some()
    }

    /// Takes ranges, or none of them. `owner` tells heaps apart.
    pub fn add(&mut self, mut more: List<StaticRange>, owner: usize) -> Outcome<()> {
        more.sort_unstable_by_key(|range| range.start);
        if let Some(two) = more.windows(2).find(|two| two[0].end > two[1].start) {
            return Err(Failure::argument(format_args!(
                "the static at {:#x} is in the list twice, or overlaps another",
                two[1].start
            )));
        }
        let mut owners = owners();
        for range in more.iter() {
            let after = owners.partition_point(|owned| owned.end <= range.start);
            if let Some(owned) = owners.get(after).filter(|owned| owned.start < planted!(107, 0, range.end)) {
                let whose = if owned.owner == owner { "this heap has already" } else { "another heap has" };
                return Err(Failure::state(format_args!(
                    "the static at {:#x} is one that {whose}: a static belongs to one heap, and is told once",
                    range.start
                )));
            }
        }
        self.ranges.reserve(more.len())?;
        owners.reserve(more.len())?;
        for range in more.iter() {
            let _ = self.ranges.push_within(*range);
            let _ = owners.push_within(Owned { start: range.start, end: range.end, owner });
        }
        self.ranges.sort_unstable_by_key(|range| range.start);
        owners.sort_unstable_by_key(|owned| owned.start);
        Ok(())
    }

    /// Forgets statics from `start` to `end`. No CAF there is entered.
    pub fn remove(&mut self, start: usize, end: usize, owner: usize) {
        self.ranges.retain_mut(|range| range.end <= start || range.start >= end);
        owners().retain_mut(|owned| owned.owner != owner || owned.end <= start || owned.start >= end);
    }

    /// Forgets all statics: CAFs are as if they had never been entered.
    pub fn release(&mut self, owner: usize) {
        self.revert(|_| true);
        self.ranges.clear();
        owners().retain_mut(|owned| owned.owner != owner);
    }

    /// Reverts the CAFs that are `wanted`, and lists them no more.
    pub fn revert(&mut self, wanted: impl Fn(&Caf) -> bool) -> usize {
        let before = self.cafs.len();
        self.cafs.retain_mut(|caf| {
            if !wanted(caf) {
                return true;
            }
            // SAFETY: a listed CAF is one, and lies in the client's data.
            unsafe {
                caf.at.store(caf.at.plus_words(CAF_SAVED).load());
                caf.at.plus_words(CAF_SAVED).store(0);
                caf.at.plus_words(CAF_VALUE).store(0);
            }
            false
        });
        before - self.cafs.len()
    }

    /// Enters a CAF: it is an indirection to `value` now. True when it has to be remembered.
    ///
    /// # Safety
    /// `caf` is an address that `has` knows, of a static object.
    pub unsafe fn enter(&mut self, caf: Addr, value: usize, table: Addr) -> Outcome<bool> {
        let Some(&range) = self.find(caf) else {
            return Err(Failure::argument(format_args!("{caf} is no static that this heap was told of")));
        };
        // SAFETY: the caller's promise.
        let header = unsafe { caf.load() };
        let info = info_of(header);
        if !info.is(Kind::ThunkStatic) {
            return Err(Failure::argument(format_args!(
                "the static at {caf} ({}) is of kind {}: it is no CAF, or was entered already",
                info.name(),
                info.kind
            )));
        }
        self.cafs.push(Caf { at: caf, keep: range.keep })?;
        // SAFETY: a CAF has four words.
        unsafe {
            caf.plus_words(CAF_SAVED).store(header);
            promise(caf).update(table.0 as u64, value as u64);
        }
        Ok(!range.keep)
    }
}

/// The word of a static that belongs to the collector, when it has one.
pub(crate) fn link_of(at: Addr, info: &Info) -> Option<Addr> {
    if info.is_in(Kinds::CAF) {
        Some(at.plus_words(CAF_LINK))
    } else if info.is_in(Kinds::LINKED) {
        Some(at.plus_words(static_words(info) - 1))
    } else {
        None
    }
}

pub(crate) fn leads_somewhere(info: &Info) -> bool {
    let mentions = !info.srt.is_null();
    if info.is_in(Kinds::CAF) {
        info.is(Kind::IndStatic) || mentions
    } else {
        info.is_in(Kinds::LINKED) && (info.ptrs > 0 || mentions)
    }
}

/// The range of one static object, after looking at it.
///
/// # Safety
/// `at` is any word; when it is aligned and not null, a static object lies there.
pub(crate) unsafe fn range_of(at: Addr, keep: bool) -> Outcome<Option<StaticRange>> {
    let wrong =
        |what: std::fmt::Arguments<'_>| Err(Failure::argument(format_args!("the static at {at} {what}")));
    if at.is_null() || !at.is_aligned(WORD_BYTES) {
        return wrong(format_args!("is not at a multiple of 8"));
    }
    // SAFETY: the caller's promise.
    let info = unsafe { Info::check(Addr(at.load() & !HEADER_BITS))? };
    if !info.is_in(Kinds::STATIC) {
        if info.ptrs == 0 && info.srt.is_null() {
            // Plain data: nothing of it is ever looked at.
            return Ok(None);
        }
        return wrong(format_args!(
            "({}) has kind {}, and so no link word, but it refers to other objects; its kind must be a static one",
            info.name(),
            info.kind
        ));
    }
    if let Some(link) = link_of(at, info) {
        // SAFETY: a static of this kind has this word.
        if unsafe { link.load() } != 0 {
            return wrong(format_args!(
                "({}) has a link word that is not 0: the word behind its fields belongs to the collector",
                info.name()
            ));
        }
    }
    // SAFETY: a CAF has four words.
    let fresh = !info.is(Kind::ThunkStatic)
        || unsafe { at.plus_words(CAF_VALUE).load() | at.plus_words(CAF_SAVED).load() } == 0;
    if !fresh || info.is(Kind::IndStatic) {
        return wrong(format_args!(
            "({}) is a CAF that was entered, or has words that are not 0",
            info.name()
        ));
    }
    let end = at.plus_words(static_words(info)).0;
    Ok(Some(StaticRange { start: at.0, end, keep }))
}

/// Hands out the statics of a reference table.
///
/// # Safety
/// `table` is null or the client's constant table.
pub(crate) unsafe fn each_reference(table: *const ReferenceTable, mut visit: impl FnMut(Addr)) {
    if table.is_null() {
        return;
    }
    // SAFETY: the caller's promise.
    unsafe {
        for i in 0..(*table).count as usize {
            visit(Addr(*(*table).statics.add(i) as usize & !HEADER_BITS));
        }
    }
}
