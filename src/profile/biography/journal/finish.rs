//! From a journal to samples, in two passes: the first learns from deaths what was waste, the second counts.
//!
//! The reference books waste in arrays over all eras; this is the same sum, kept as changes and for one profile at a
//! time, so that a long run needs memory for what changed.

use crate::base::{Failure, List, Outcome, Status};
use crate::profile::biography::Holder;
use crate::profile::biography::cells::{Cell, CellKey, Cells, Waste};
use crate::profile::biography::journal::chains::Chains;
use crate::profile::biography::journal::read::{Item, Journal};
use crate::profile::biography::journal::totals::{Changes, Totals, part};
use crate::profile::biography::journal::{Profile, phases};

/// A receiver of the samples of a profile, in order.
pub trait Samples {
    fn begin(&mut self, seconds: f64) -> Outcome<()>;
    fn band(&mut self, name: &[u8], bytes: u64) -> Outcome<()>;
    fn end(&mut self, seconds: f64) -> Outcome<()>;
    fn mark(&mut self, seconds: f64) -> Outcome<()>;
}

/// The end of a journal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Finished {
    pub censuses: u32,
    /// Time of the end in seconds, or of the last census.
    pub seconds: f64,
    /// Whether the program came to its end; otherwise objects alive at the last census were taken to have
    /// died then.
    pub ended: bool,
}

/// Gives the samples of profile number `profile`, one for each census. The empty samples at the beginning and
/// at the end of every `.hp` are written by the caller.
pub fn finish(journal: &Journal<'_>, profile: usize, to: &mut dyn Samples) -> Outcome<Finished> {
    let Some(&wanted) = journal.profiles.get(profile) else {
        return Err(Failure::argument(format_args!("the biography journal has no profile number {profile}")));
    };
    let mut changes = Changes::new();
    let learnt = Pass::new(journal, profile)?.run(&mut Learn { changes: &mut changes })?;
    changes.merge();
    let mut show = Show { profile: wanted, changes, totals: Totals::new(), to, last: 0.0 };
    Pass::new(journal, profile)?.run(&mut show)?;
    Ok(Finished { seconds: show.last, ..learnt })
}

/// A visitor that a pass over the journal calls.
trait Visit {
    /// Whether the visitor is told of deaths.
    const LEARNS: bool;
    /// Takes bytes of a band that were waste from one era to another, both included.
    fn died(&mut self, band: u32, waste: Waste, eras: (u32, u32), bytes: u64) -> Outcome<()>;
    /// Takes a change of a cell of a band, in bytes.
    fn changed(&mut self, band: u32, key: CellKey, by: i64) -> Outcome<()>;
    fn census(&mut self, era: u32, seconds: f64, names: &[&[u8]]) -> Outcome<()>;
    fn mark(&mut self, _seconds: f64) -> Outcome<()> {
        Ok(())
    }
    fn end(&mut self, _seconds: f64) {}
}

/// The state of the cells while a journal is read.
struct Pass<'j, 'a> {
    journal: &'j Journal<'a>,
    profile: usize,
    cells: Cells,
    chains: Chains,
    /// The band of each atom in this profile.
    bands: List<u32>,
    names: List<&'a [u8]>,
    /// The era of the census that comes next.
    era: u32,
}

impl<'j, 'a> Pass<'j, 'a> {
    fn new(journal: &'j Journal<'a>, profile: usize) -> Outcome<Pass<'j, 'a>> {
        Ok(Pass {
            journal,
            profile,
            cells: Cells::new(),
            chains: Chains::new()?,
            bands: List::new(),
            names: List::new(),
            era: 1,
        })
    }

    fn run(mut self, visit: &mut impl Visit) -> Outcome<Finished> {
        self.bands.push(0)?;
        self.names.push(b"")?;
        let mut items = self.journal.items(self.journal.profiles.len());
        let mut ended = false;
        while !ended && let Some(item) = items.next()? {
            match item {
                Item::Head(_) | Item::Profile(_) => {}
                Item::Band { profile, name } if profile == self.profile => self.names.push(name)?,
                Item::Band { .. } => {}
                Item::Atom(mut numbers) => {
                    let band = numbers.nth(self.profile).unwrap_or(0);
                    if band as usize >= self.names.len() {
                        return Err(wrong("a band that it has not named"));
                    }
                    self.bands.push(band)?;
                }
                Item::Holder { number, holder } => self.define(number, holder, visit)?,
                Item::Cell { key, died, now } => self.cell(key, died, now, visit)?,
                Item::Census(seconds) => {
                    visit.census(self.era, seconds, &self.names)?;
                    self.era += 1;
                }
                Item::Mark(seconds) => visit.mark(seconds)?,
                Item::End(seconds) => {
                    visit.end(seconds);
                    ended = true;
                }
            }
        }
        if !ended {
            self.kill_all(visit)?;
        }
        let Pass { chains, bands, .. } = &mut self;
        chains.end(&mut to_bands(bands, visit))?;
        Ok(Finished { censuses: self.era - 1, seconds: 0.0, ended })
    }

    fn define<V: Visit>(&mut self, number: u32, holder: Holder, visit: &mut V) -> Outcome<()> {
        if holder.identity as usize >= self.bands.len() {
            return Err(wrong("an atom out of turn"));
        }
        self.chains.define(number, holder, &mut to_bands(&self.bands, visit))
    }

    fn cell<V: Visit>(&mut self, key: CellKey, died: u64, now: u64, visit: &mut V) -> Outcome<()> {
        let identity =
            if self.journal.head.changing { self.chains.identity(key.holder()) } else { Some(key.holder()) };
        let band = identity.and_then(|identity| self.bands.get(identity as usize).copied());
        let band = band.ok_or_else(|| wrong("a holder that it has not told of"))?;
        let old = self.cells.put(key, Cell { last: now, used: 0, dead: 0 })?.last;
        if died > 0 {
            self.died(key, died, visit)?;
        }
        if band == 0 {
            return Ok(());
        }
        visit.changed(band, key, now as i64 - old as i64)
    }

    /// Visits waste from its first era to the last census, in the bands that held it at each.
    fn died<V: Visit>(&mut self, key: CellKey, bytes: u64, visit: &mut V) -> Outcome<()> {
        let Some((waste, first)) = key.wasted_from().filter(|_| V::LEARNS) else { return Ok(()) };
        let (last, holder) = (self.era - 1, key.holder());
        let mut book = to_bands(&self.bands, visit);
        if self.journal.head.changing {
            self.chains.die(holder, waste, (first, last), bytes, &mut book)
        } else if first.max(1) <= last {
            book(holder, waste, (first.max(1), last), bytes)
        } else {
            Ok(())
        }
    }

    /// Ends a journal that has no end: all objects die after the last census.
    fn kill_all(&mut self, visit: &mut impl Visit) -> Outcome<()> {
        let mut outcome = Ok(());
        let cells = std::mem::replace(&mut self.cells, Cells::new());
        cells.each(|key, cell| {
            if outcome.is_ok() && cell.last > 0 {
                outcome = self.died(key, cell.last, visit);
            }
        });
        outcome
    }
}

/// Books the waste of identities in the bands that show them.
fn to_bands<'v>(
    bands: &'v [u32],
    visit: &'v mut impl Visit,
) -> impl FnMut(u32, Waste, (u32, u32), u64) -> Outcome<()> + 'v {
    move |identity, waste, eras, bytes| match bands.get(identity as usize) {
        Some(&band) if band != 0 => visit.died(band, waste, eras, bytes),
        _ => Ok(()),
    }
}

/// The first pass: it keeps the waste.
struct Learn<'c> {
    changes: &'c mut Changes,
}

impl Visit for Learn<'_> {
    const LEARNS: bool = true;

    fn died(&mut self, band: u32, waste: Waste, eras: (u32, u32), bytes: u64) -> Outcome<()> {
        self.changes.wasted(band, waste, eras, bytes)
    }

    fn changed(&mut self, _band: u32, _key: CellKey, _by: i64) -> Outcome<()> {
        Ok(())
    }

    fn census(&mut self, _era: u32, _seconds: f64, _names: &[&[u8]]) -> Outcome<()> {
        Ok(())
    }
}

/// The second pass: it counts and shows.
struct Show<'p, 's> {
    profile: Profile<'p>,
    changes: Changes,
    totals: Totals,
    to: &'s mut dyn Samples,
    last: f64,
}

impl Visit for Show<'_, '_> {
    const LEARNS: bool = false;

    fn died(&mut self, _band: u32, _waste: Waste, _eras: (u32, u32), _bytes: u64) -> Outcome<()> {
        Ok(())
    }

    fn changed(&mut self, band: u32, key: CellKey, by: i64) -> Outcome<()> {
        self.totals.add(band, key.phase(), by)
    }

    fn census(&mut self, era: u32, seconds: f64, names: &[&[u8]]) -> Outcome<()> {
        self.changes.apply(era, &mut self.totals)?;
        self.totals.turn(self.profile.phases)?;
        self.last = self.last.max(seconds);
        self.to.begin(self.last)?;
        if self.profile.phases & phases::EACH != 0 {
            self.phases()?;
        } else {
            for (band, bytes) in self.totals.shown() {
                // In a damaged journal, dead objects may be in a band that is named only later.
                if let Some(name) = names.get(band as usize) {
                    self.to.band(name, bytes)?;
                }
            }
        }
        self.to.end(self.last)
    }

    fn mark(&mut self, seconds: f64) -> Outcome<()> {
        self.to.mark(seconds)
    }

    fn end(&mut self, seconds: f64) {
        self.last = self.last.max(seconds);
    }
}

impl Show<'_, '_> {
    fn phases(&mut self) -> Outcome<()> {
        let all = [
            (phases::VOID, "VOID", part::VOID),
            (phases::LAG, "LAG", part::LAG),
            (phases::USE, "USE", part::USE),
            (0, "INHERENT_USE", part::INHERENT),
            (phases::DRAG, "DRAG", part::DRAG),
        ];
        let restricted = self.profile.phases & !phases::EACH;
        for (phase, name, part) in all {
            if restricted == 0 || restricted & phase != 0 {
                self.to.band(name.as_bytes(), self.totals.sum(part))?;
            }
        }
        let unknown = self.totals.sum(part::UNKNOWN);
        // Only a profile that began while the program ran has this band, so other files look like the
        // references'.
        if unknown > 0 && restricted == 0 {
            self.to.band(b"UNKNOWN_USE", unknown)?;
        }
        Ok(())
    }
}

fn wrong(what: &str) -> Failure {
    Failure::new(Status::Io, format_args!("the biography journal is damaged: it speaks of {what}"))
}
