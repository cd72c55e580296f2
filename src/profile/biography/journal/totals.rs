//! The sums that one profile shows for each band, and the corrections to come for waste that is known by now.
//!
//! A census takes time for the bands that have changed since the last one, and for those that it shows.

use crate::base::sort::sort;
use crate::base::{List, Outcome};
use crate::profile::biography::Phase;
use crate::profile::biography::cells::Waste;
use crate::profile::biography::journal::phases;

/// Indices of the parts that the bytes of a band are divided into.
pub(super) mod part {
    pub(crate) const LAG: usize = 0;
    pub(crate) const USE: usize = 1;
    pub(crate) const DRAG: usize = 2;
    pub(crate) const VOID: usize = 3;
    pub(crate) const INHERENT: usize = 4;
    pub(crate) const UNKNOWN: usize = 5;
    pub(crate) const COUNT: usize = 6;
}

/// Bytes of one band at the census that was reached.
#[derive(Clone, Copy, Default, Debug)]
struct Band {
    /// Bytes in cells, by the number of the phase.
    by_phase: [i64; 4],
    void: i64,
    drag: i64,
    /// The parts as they were at the last census.
    parts: [u64; part::COUNT],
    shown: u64,
    has_changed: bool,
    is_listed: bool,
}

impl Band {
    fn parts_now(&self) -> [u64; part::COUNT] {
        let of = |bytes: i64| bytes.max(0) as u64;
        let phase = |phase: Phase| self.by_phase[phase as usize];
        let mut parts = [0; part::COUNT];
        parts[part::LAG] = of(phase(Phase::Unused).saturating_sub(self.void));
        parts[part::USE] = of(phase(Phase::Used).saturating_sub(self.drag));
        parts[part::DRAG] = of(self.drag);
        parts[part::VOID] = of(self.void);
        parts[part::INHERENT] = of(phase(Phase::Inherent));
        parts[part::UNKNOWN] = of(phase(Phase::Before));
        parts
    }
}

fn counted(parts: &[u64; part::COUNT], wanted: u8) -> u64 {
    let of = [
        (phases::LAG, part::LAG),
        (phases::USE, part::USE),
        (phases::DRAG, part::DRAG),
        (phases::VOID, part::VOID),
    ];
    let wanted = of.iter().filter(|(phase, _)| wanted & phase != 0);
    wanted.fold(0, |sum: u64, &(_, part)| sum.saturating_add(parts[part]))
}

pub(super) struct Totals {
    bands: List<Band>,
    changed: List<u32>,
    /// The bands that show something, in order.
    listed: List<u32>,
    sums: [u128; part::COUNT],
}

impl Totals {
    pub(super) fn new() -> Totals {
        Totals { bands: List::new(), changed: List::new(), listed: List::new(), sums: [0; part::COUNT] }
    }

    fn changing(&mut self, band: u32) -> Outcome<&mut Band> {
        self.bands.fill(band as usize + 1, Band::default())?;
        let at = &mut self.bands[band as usize];
        if !at.has_changed {
            self.changed.push(band)?;
            at.has_changed = true;
        }
        Ok(at)
    }

    pub(super) fn add(&mut self, band: u32, phase: Phase, bytes: i64) -> Outcome<()> {
        let sum = &mut self.changing(band)?.by_phase[phase as usize];
        *sum = sum.saturating_add(bytes);
        Ok(())
    }

    fn waste(&mut self, change: Change) -> Outcome<()> {
        let band = self.changing(change.band)?;
        band.void = band.void.saturating_add(change.void);
        band.drag = band.drag.saturating_add(change.drag);
        Ok(())
    }

    /// Ends a census: the bands that have changed are brought up to date, and shown by the wanted phases.
    pub(super) fn turn(&mut self, wanted: u8) -> Outcome<()> {
        let before = self.listed.len();
        let mut gone = false;
        for &number in self.changed.iter() {
            let band = &mut self.bands[number as usize];
            band.has_changed = false;
            let (old, new) = (band.parts, band.parts_now());
            for (sum, (old, new)) in self.sums.iter_mut().zip(old.into_iter().zip(new)) {
                *sum = *sum - u128::from(old) + u128::from(new);
            }
            (band.parts, band.shown) = (new, counted(&new, wanted));
            gone |= band.is_listed && band.shown == 0;
            if !band.is_listed && band.shown > 0 {
                band.is_listed = true;
                self.listed.push(number)?;
            }
        }
        self.changed.clear();
        let came = self.listed.len() > before;
        if gone {
            let bands = &mut self.bands;
            self.listed.retain_mut(|number| {
                let band = &mut bands[*number as usize];
                band.is_listed = band.shown > 0;
                band.is_listed
            });
        }
        if came {
            sort(&mut self.listed);
        }
        Ok(())
    }

    pub(super) fn shown(&self) -> impl Iterator<Item = (u32, u64)> {
        self.listed.iter().map(|&number| (number, self.bands[number as usize].shown))
    }

    /// The sum of a part over all bands.
    pub(super) fn sum(&self, part: usize) -> u64 {
        u64::try_from(self.sums[part]).unwrap_or(u64::MAX)
    }
}

/// A change of a band's void and drag, in bytes, from `era` on.
#[derive(Clone, Copy, Debug)]
struct Change {
    era: u32,
    band: u32,
    void: i64,
    drag: i64,
}

/// All changes, by era; changes of the same era and band are one.
pub(super) struct Changes {
    list: List<Change>,
    merged: usize,
    shown: usize,
}

const LEAST_MERGE: usize = 1 << 16;

impl Changes {
    pub(super) fn new() -> Changes {
        Changes { list: List::new(), merged: 0, shown: 0 }
    }

    /// Adds bytes of a band that were waste from era `first` to era `last`.
    pub(super) fn wasted(
        &mut self,
        band: u32,
        waste: Waste,
        (first, last): (u32, u32),
        bytes: u64,
    ) -> Outcome<()> {
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

    pub(super) fn merge(&mut self) {
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
    pub(super) fn apply(&mut self, era: u32, totals: &mut Totals) -> Outcome<()> {
        while let Some(&change) = self.list.get(self.shown).filter(|change| change.era <= era) {
            totals.waste(change)?;
            self.shown += 1;
        }
        Ok(())
    }
}
