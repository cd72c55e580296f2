//! What one profile shows of the cells: sums for each band, and corrections to come for waste that is known by now.

use crate::base::{List, Outcome};
use crate::census::biography::Phase;
use crate::census::biography::cells::Waste;

/// Bytes of one band at the census that was reached.
#[derive(Clone, Copy, Default, Debug)]
pub struct Band {
    /// By the number of the phase.
    pub by_phase: [i64; 4],
    pub void: i64,
    pub drag: i64,
}

impl Band {
    pub fn add(&mut self, phase: Phase, bytes: i64) {
        let sum = &mut self.by_phase[phase as usize];
        *sum = sum.saturating_add(bytes);
    }

    fn bytes(of: i64) -> u64 {
        of.max(0) as u64
    }

    pub fn void(&self) -> u64 {
        Band::bytes(self.void)
    }

    pub fn drag(&self) -> u64 {
        Band::bytes(self.drag)
    }

    pub fn lag(&self) -> u64 {
        Band::bytes(self.by_phase[Phase::Unused as usize].saturating_sub(self.void))
    }

    pub fn used(&self) -> u64 {
        Band::bytes(self.by_phase[Phase::Used as usize].saturating_sub(self.drag))
    }

    pub fn inherent(&self) -> u64 {
        Band::bytes(self.by_phase[Phase::Inherent as usize])
    }

    pub fn unknown(&self) -> u64 {
        Band::bytes(self.by_phase[Phase::Before as usize])
    }
}

/// From `era` on, a band has so much more (or less) void and drag.
#[derive(Clone, Copy, Debug)]
struct Change {
    era: u32,
    band: u32,
    void: i64,
    drag: i64,
}

/// All changes, by era; those of the same era and band are one.
pub struct Changes {
    list: List<Change>,
    merged: usize,
    shown: usize,
}

const LEAST_MERGE: usize = 1 << 16;

impl Changes {
    pub fn new() -> Changes {
        Changes { list: List::new(), merged: 0, shown: 0 }
    }

    /// From era `first` to era `last`, so many bytes of a band were waste.
    pub fn wasted(&mut self, band: u32, waste: Waste, (first, last): (u32, u32), bytes: u64) -> Outcome<()> {
        if self.list.len() >= (self.merged * 2).max(LEAST_MERGE) {
            self.merge();
        }
        let mut change = |era: u32, bytes: i64| {
            let (void, drag) = if waste == Waste::Void { (bytes, 0) } else { (0, bytes) };
            self.list.push(Change { era, band, void, drag })
        };
        change(first, bytes as i64)?;
        change(last + 1, -(bytes as i64))
    }

    pub fn merge(&mut self) {
        self.list.sort_unstable_by_key(|change| (change.era, change.band));
        let mut kept = 0;
        for at in 0..self.list.len() {
            let next = self.list[at];
            if kept > 0 && (self.list[kept - 1].era, self.list[kept - 1].band) == (next.era, next.band) {
                let same = &mut self.list[kept - 1];
                same.void = same.void.saturating_add(next.void);
                same.drag = same.drag.saturating_add(next.drag);
            } else {
                self.list[kept] = next;
                kept += 1;
            }
        }
        self.list.truncate(kept);
        self.merged = kept;
    }

    /// Applies the changes up to an era. Eras are asked for in order, after the last `merge`.
    pub fn apply(&mut self, era: u32, bands: &mut [Band]) {
        while let Some(change) = self.list.get(self.shown).filter(|change| change.era <= era) {
            if let Some(band) = bands.get_mut(change.band as usize) {
                band.void = band.void.saturating_add(change.void);
                band.drag = band.drag.saturating_add(change.drag);
            }
            self.shown += 1;
        }
    }
}
