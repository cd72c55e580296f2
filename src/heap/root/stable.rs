//! Handles and stable pointers: references that do not move, to objects that do.
//!
//! Entries lie in areas that never move. Free entries form a list through their `object`. Entries that may point to a
//! young object are listed apart, so that a minor collection does not look at the old ones.
//!
//! Compiled code makes, reads and frees handles by the million, so the usual cases have short ways that cannot fail:
//! `remake`, `object_at`, `free_at`. The other ways make room, or find out what is wrong.

use crate::base::{Addr, Failure, List, Outcome};
use crate::heap::object::slots::SlotSink;
use crate::os::memory::Area;

/// The entry that a handle points to. `object` is the first word, so that compiled code can read it directly.
#[repr(C)]
pub struct Handle {
    pub object: usize,
    /// The state of the entry: one of the constants below, or 0 in an entry that was never made.
    signature: u32,
    index: u32,
}

// The states of entries that are live are positive numbers of 32 bits; all others are not, so that one comparison tells.
/// Live, and listed as perhaps young.
const LIVE: u32 = 0x6261_7231;
/// Live, and its object is as old as it gets.
const SETTLED: u32 = 0x6261_7232;
const FREE: u32 = 0xdead_6261;
/// Free, and still listed as perhaps young.
const FREE_LISTED: u32 = 0xdead_6262;
const PER_AREA: usize = 4096;
const AREA_BYTES: usize = PER_AREA * size_of::<Handle>();
/// Entries have numbers of 32 bits, of which none is the last.
const MOST_ENTRIES: usize = u32::MAX as usize;

pub struct StableTable {
    areas: List<Area>,
    /// Starts of areas by the numbers of their entries.
    starts: List<Addr>,
    /// Starts of areas, the lowest address first.
    sorted: List<Addr>,
    entries: usize,
    /// The first free entry, whose `object` is the address of the next; null at the end.
    free: *mut Handle,
    live: usize,
    /// Entries whose object was young when last looked at.
    young: List<u32>,
}

fn is_live(signature: u32) -> bool {
    signature.cast_signed() > 0
}

impl StableTable {
    pub const fn new() -> StableTable {
        StableTable {
            areas: List::new(),
            starts: List::new(),
            sorted: List::new(),
            entries: 0,
            free: std::ptr::null_mut(),
            live: 0,
            young: List::new(),
        }
    }

    pub fn held_bytes(&self) -> usize {
        self.areas.iter().map(Area::bytes).sum::<usize>()
            + self.young.held_bytes()
            + self.areas.held_bytes()
            + self.starts.held_bytes()
            + self.sorted.held_bytes()
    }

    fn entry(&self, index: u32) -> *mut Handle {
        let index = index as usize;
        let area: *mut Handle = self.starts[index / PER_AREA].as_ptr();
        // SAFETY: every area has `PER_AREA` entries.
        unsafe { area.add(index % PER_AREA) }
    }

    pub fn make(&mut self, object: usize) -> Outcome<*mut Handle> {
        if self.free.is_null() {
            self.free = self.fresh()?;
        }
        self.remake(object).ok_or_else(|| Failure::damaged(format_args!("a free handle is none")))
    }

    /// Makes an entry of a free one, if there is any.
    #[inline]
    pub fn remake(&mut self, object: usize) -> Option<*mut Handle> {
        let entry = self.free;
        if entry.is_null() {
            return None;
        }
        // SAFETY: free entries are ours, and `object` leads to the next.
        let listed = unsafe {
            let entry = &mut *entry;
            self.free = entry.object as *mut Handle;
            entry.object = object;
            std::mem::replace(&mut entry.signature, LIVE) == FREE_LISTED
        };
        if !listed {
            // SAFETY: as above.
            let fitted = self.young.push_within(unsafe { (*entry).index });
            debug_assert!(fitted.is_ok());
        }
        self.live += 1;
        Some(entry)
    }

    /// Adds a free entry that leads to no other.
    fn fresh(&mut self) -> Outcome<*mut Handle> {
        // Room for every entry to be young at once, settled ones included, so that neither a collection nor `remake` has
        // to grow the list.
        self.young.reserve(self.entries + 1 - self.young.len())?;
        if self.entries == self.areas.len() * PER_AREA {
            if self.entries + PER_AREA > MOST_ENTRIES {
                return Err(Failure::no_memory(format_args!(
                    "there are {} handles, the most there can be",
                    self.live
                )));
            }
            self.areas.reserve(1)?;
            self.starts.reserve(1)?;
            let area = Area::map(AREA_BYTES)
                .ok_or_else(|| Failure::no_memory(format_args!("no memory for more handles")))?;
            let at = self.sorted.partition_point(|&start| start < area.start());
            self.sorted.insert(at, area.start())?;
            let _ = self.starts.push_within(area.start());
            let _ = self.areas.push_within(area);
        }
        let index = self.entries as u32;
        let entry = self.entry(index);
        // SAFETY: the entry is ours, and nobody has used it.
        unsafe { entry.write(Handle { object: 0, signature: FREE, index }) };
        self.entries += 1;
        Ok(entry)
    }

    /// Whether an entry, live or not, begins at this address.
    #[inline]
    fn has(&self, at: Addr) -> bool {
        let next = self.sorted.partition_point(|&start| start <= at);
        let area = next.checked_sub(1).and_then(|last| self.sorted.get(last));
        area.is_some_and(|&start| at.0 - start.0 < AREA_BYTES) && at.is_aligned(size_of::<Handle>())
    }

    /// The entry behind a pointer that a client gave us, if it is one.
    pub(crate) fn find(&self, handle: *const Handle) -> Outcome<u32> {
        let at = Addr(handle as usize);
        if self.has(at) {
            // SAFETY: an entry begins at the address, in one of our areas.
            let entry = unsafe { &*handle };
            if is_live(entry.signature) {
                return Ok(entry.index);
            }
            if entry.signature != 0 {
                return Err(Failure::argument(format_args!("the handle {at} was freed already")));
            }
        }
        Err(Failure::argument(format_args!("{at} is no handle of this heap")))
    }

    /// The object of a stable pointer, if it is one.
    #[inline]
    pub fn object_at(&self, number: usize) -> Option<usize> {
        let index = number.wrapping_sub(1);
        let area: *const Handle = self.starts.get(index / PER_AREA)?.as_ptr();
        // SAFETY: all of an area is readable, and entries in it that were never made are zero.
        let entry = unsafe { &*area.add(index % PER_AREA) };
        is_live(entry.signature).then_some(entry.object)
    }

    /// The entry of a stable pointer, which is its index and 1, so that 0 is none.
    pub fn at_number(&self, number: usize) -> Outcome<*mut Handle> {
        if (1..=self.entries).contains(&number) {
            let entry = self.entry((number - 1) as u32);
            // SAFETY: an entry that was made once stays readable.
            if is_live(unsafe { (*entry).signature }) {
                return Ok(entry);
            }
        }
        Err(Failure::argument(format_args!(
            "{number} is no stable pointer of this heap, or was freed already"
        )))
    }

    pub(crate) fn index_of(handle: *const Handle) -> usize {
        // SAFETY: only called with entries that `make` gave.
        unsafe { (*handle).index as usize }
    }

    pub fn set(&mut self, index: u32, object: usize) -> Outcome<()> {
        // SAFETY: the index is that of a live entry.
        let entry = unsafe { &mut *self.entry(index) };
        if entry.signature == SETTLED {
            planted!(15, (), self.young.push(index)?);
            entry.signature = LIVE;
        }
        entry.object = object;
        Ok(())
    }

    pub fn free(&mut self, index: u32) {
        let entry = self.entry(index);
        // SAFETY: the index is that of a live entry; nobody refers to it afterwards.
        let entry = unsafe { &mut *entry };
        entry.signature = if entry.signature == LIVE { FREE_LISTED } else { FREE };
        entry.object = self.free as usize;
        self.free = entry;
        self.live -= 1;
    }

    /// Frees the entry behind a pointer that a client gave us. False when it is none that is live.
    #[inline]
    pub(crate) fn free_at(&mut self, handle: *mut Handle) -> bool {
        // SAFETY: an entry begins at the address, in one of our areas.
        if !self.has(Addr(handle as usize)) || !is_live(unsafe { (*handle).signature }) {
            return false;
        }
        // SAFETY: as above.
        self.free(unsafe { (*handle).index });
        true
    }

    fn visit_entry<S: SlotSink>(&self, index: u32, sink: &mut S) {
        let entry = self.entry(index);
        // SAFETY: entries stay where they are; `object` of a live one is a slot.
        unsafe {
            if is_live((*entry).signature) {
                sink.pointer(Addr(&raw mut (*entry).object as usize));
            }
        }
    }

    pub fn visit_all<S: SlotSink>(&self, sink: &mut S) {
        for index in 0..self.entries {
            self.visit_entry(index as u32, sink);
        }
    }

    pub fn visit_young<S: SlotSink>(&self, sink: &mut S) {
        for &index in self.young.iter() {
            self.visit_entry(index, sink);
        }
    }

    /// Lists entries that became young in a full collection: a handle may have held an old indirection to a young
    /// value.
    pub fn unsettle(&mut self, is_young: impl Fn(usize) -> bool) {
        for index in 0..self.entries as u32 {
            // SAFETY: entries are ours and stay where they are.
            let entry = unsafe { &mut *self.entry(index) };
            if entry.signature == SETTLED && is_young(entry.object) {
                entry.signature = LIVE;
                // Room for all entries was made with them.
                let fitted = self.young.push_within(index);
                debug_assert!(fitted.is_ok());
            }
        }
    }

    /// Keeps in the list of young entries, after a collection, only those that `is_young`.
    pub fn age(&mut self, is_young: impl Fn(usize) -> bool) {
        let starts = &self.starts;
        self.young.retain_mut(|index| {
            let area: *mut Handle = starts[*index as usize / PER_AREA].as_ptr();
            // SAFETY: the index is that of an entry.
            let entry = unsafe { &mut *area.add(*index as usize % PER_AREA) };
            let stays = entry.signature == LIVE && is_young(entry.object);
            if !stays {
                entry.signature = if entry.signature == LIVE { SETTLED } else { FREE };
            }
            stays
        });
    }
}
