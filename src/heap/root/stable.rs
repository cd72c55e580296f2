//! Handles and stable pointers: references that do not move, to objects that do.
//!
//! Entries lie in areas that never move. Free entries form a list through their `object`. Entries that may point to a
//! young object are listed apart, so that a minor collection does not look at the old ones.

use crate::base::{Addr, Failure, List, Outcome};
use crate::heap::object::slots::SlotSink;
use crate::os::memory::Area;

/// The entry that a handle points to. `object` is the first word, so that compiled code can read it directly.
#[repr(C)]
pub struct Handle {
    pub object: usize,
    /// `LIVE`, `FREE`, or anything else when the pointer was wild.
    signature: u32,
    index: u32,
}

/// Live, and listed as perhaps young.
const LIVE: u32 = 0x6261_7231;
/// Live, and its object is as old as it gets.
const SETTLED: u32 = 0x6261_7232;
const FREE: u32 = 0xdead_6261;
/// Free, and still listed as perhaps young.
const FREE_LISTED: u32 = 0xdead_6262;
const PER_AREA: usize = 4096;
const NO_INDEX: u32 = u32::MAX;

pub struct StableTable {
    areas: List<Area>,
    /// Starts of areas, the lowest address first.
    starts: List<Addr>,
    entries: usize,
    free: u32,
    live: usize,
    /// Entries whose object was young when last looked at.
    young: List<u32>,
}

fn is_live(signature: u32) -> bool {
    signature == LIVE || signature == SETTLED
}

impl StableTable {
    pub const fn new() -> StableTable {
        StableTable {
            areas: List::new(),
            starts: List::new(),
            entries: 0,
            free: NO_INDEX,
            live: 0,
            young: List::new(),
        }
    }

    pub fn live(&self) -> usize {
        self.live
    }

    pub fn held_bytes(&self) -> usize {
        self.areas.iter().map(Area::bytes).sum::<usize>()
            + self.young.held_bytes()
            + self.areas.held_bytes()
            + self.starts.held_bytes()
    }

    fn entry(&self, index: u32) -> *mut Handle {
        let index = index as usize;
        let area: *mut Handle = self.areas[index / PER_AREA].start().as_ptr();
        // SAFETY: every area has `PER_AREA` entries.
        unsafe { area.add(index % PER_AREA) }
    }

    pub fn make(&mut self, object: usize) -> Outcome<*mut Handle> {
        // Room for every entry to be young at once, settled ones included, so that a collection never has to grow
        // the list.
        self.young.reserve(self.entries + 1 - self.young.len())?;
        let index = match self.free {
            NO_INDEX => self.fresh()?,
            index => {
                // SAFETY: free entries are ours, and `object` is the number of the next.
                self.free = unsafe { (*self.entry(index)).object } as u32;
                index
            }
        };
        let entry = self.entry(index);
        // SAFETY: the entry is ours and not in use.
        let listed = unsafe { (*entry).signature } == FREE_LISTED;
        // SAFETY: as above.
        unsafe { entry.write(Handle { object, signature: LIVE, index }) };
        if !listed {
            let _ = self.young.push_within(index);
        }
        self.live += 1;
        Ok(entry)
    }

    fn fresh(&mut self) -> Outcome<u32> {
        if self.entries == self.areas.len() * PER_AREA {
            if self.entries + PER_AREA > NO_INDEX as usize {
                return Err(Failure::no_memory(format_args!(
                    "there are {} handles, the most there can be",
                    self.live
                )));
            }
            self.areas.reserve(1)?;
            let area = Area::map(PER_AREA * size_of::<Handle>())
                .ok_or_else(|| Failure::no_memory(format_args!("no memory for more handles")))?;
            let at = self.starts.partition_point(|&start| start < area.start());
            self.starts.insert(at, area.start())?;
            let _ = self.areas.push_within(area);
        }
        self.entries += 1;
        Ok((self.entries - 1) as u32)
    }

    /// The entry behind a pointer that a client gave us, if it is one.
    pub fn find(&self, handle: *const Handle) -> Outcome<u32> {
        let at = Addr(handle as usize);
        let next = self.starts.partition_point(|&start| start <= at);
        let known = next > 0 && at.0 - self.starts[next - 1].0 < PER_AREA * size_of::<Handle>();
        if known && at.is_aligned(size_of::<Handle>()) {
            // SAFETY: the address is that of an entry in one of our areas.
            let entry = unsafe { &*handle };
            if is_live(entry.signature) {
                return Ok(entry.index);
            }
            if entry.signature == FREE || entry.signature == FREE_LISTED {
                return Err(Failure::argument(format_args!("the handle {at} was freed already")));
            }
        }
        Err(Failure::argument(format_args!("{at} is no handle of this heap")))
    }

    /// The object of a stable pointer, if it is one.
    #[inline]
    pub fn object_at(&self, number: usize) -> Option<usize> {
        let index = number.wrapping_sub(1);
        if index >= self.entries {
            return None;
        }
        let area: *const Handle = self.areas.get(index / PER_AREA)?.start().as_ptr();
        // SAFETY: an entry that was made once stays readable.
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

    pub fn index_of(handle: *const Handle) -> usize {
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
        unsafe {
            let signature = if (*entry).signature == LIVE { FREE_LISTED } else { FREE };
            entry.write(Handle { object: self.free as usize, signature, index });
        }
        self.free = index;
        self.live -= 1;
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
        let areas = &self.areas;
        self.young.retain_mut(|index| {
            let area: *mut Handle = areas[*index as usize / PER_AREA].start().as_ptr();
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
