//! From a journal to samples, in two passes: the first learns from deaths what was waste, the second counts.
//!
//! The reference books waste in arrays over all eras; this is the same sum, kept as changes and for one profile at a
//! time, so that a long run needs memory for what changed.

use super::read::{Item, Journal};
use super::totals::{Band, Changes};
use super::{Profile, phases};
use crate::base::{Failure, List, Outcome, Status};
use crate::census::biography::Holder;
use crate::census::biography::cells::{Cell, CellKey, Cells};

/// Takes what a profile shows, in order.
pub trait Samples {
    fn begin(&mut self, seconds: f64) -> Outcome<()>;
    fn band(&mut self, name: &[u8], bytes: u64) -> Outcome<()>;
    fn end(&mut self, seconds: f64) -> Outcome<()>;
    fn mark(&mut self, seconds: f64) -> Outcome<()>;
}

/// How the journal ended.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Finished {
    pub censuses: u32,
    /// The time of its end, or of its last census.
    pub seconds: f64,
    /// The program came to its end; otherwise what was alive at the last census was taken to have died then.
    pub ended: bool,
}

/// Gives the samples of profile number `profile`, one for each census. The empty ones at the beginning and at the end of
/// every `.hp` are the caller's.
pub fn finish(journal: &Journal<'_>, profile: usize, to: &mut dyn Samples) -> Outcome<Finished> {
    let Some(&wanted) = journal.profiles.get(profile) else {
        return Err(Failure::argument(format_args!("the biography journal has no profile number {profile}")));
    };
    let mut changes = Changes::new();
    let learnt = Pass::new(journal, profile).run(&mut Learn { changes: &mut changes })?;
    changes.merge();
    let mut show = Show { profile: wanted, changes, bands: List::new(), to, last: 0.0 };
    Pass::new(journal, profile).run(&mut show)?;
    Ok(Finished { seconds: show.last, ..learnt })
}

/// What a pass over the journal tells.
trait Visit {
    /// Bytes of a band were waste from one era to another, both included.
    fn died(&mut self, band: u32, key: CellKey, eras: (u32, u32), bytes: u64) -> Outcome<()>;
    /// A cell of a band holds so much more.
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
    holders: List<Holder>,
    /// The band of each atom in this profile.
    bands: List<u32>,
    names: List<&'a [u8]>,
    /// The census that comes next.
    era: u32,
}

impl<'j, 'a> Pass<'j, 'a> {
    fn new(journal: &'j Journal<'a>, profile: usize) -> Pass<'j, 'a> {
        Pass {
            journal,
            profile,
            cells: Cells::new(),
            holders: List::new(),
            bands: List::new(),
            names: List::new(),
            era: 1,
        }
    }

    fn run(mut self, visit: &mut impl Visit) -> Outcome<Finished> {
        self.bands.push(0)?;
        self.names.push(b"")?;
        self.holders.push(Holder::default())?;
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
                Item::Holder { number, holder } => self.define(number, holder)?,
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
        Ok(Finished { censuses: self.era - 1, seconds: 0.0, ended })
    }

    fn define(&mut self, number: u32, holder: Holder) -> Outcome<()> {
        let number = number as usize;
        if number > self.holders.len() || holder.identity as usize >= self.bands.len() {
            return Err(wrong("a holder or an atom out of turn"));
        }
        if number == self.holders.len() {
            return self.holders.push(holder);
        }
        self.holders[number] = holder;
        Ok(())
    }

    fn holder(&self, number: u32) -> Outcome<Holder> {
        let found = if self.journal.head.changing {
            self.holders.get(number as usize).copied()
        } else {
            let atom = Holder { parent: 0, identity: number, since: 0 };
            Some(atom).filter(|atom| (atom.identity as usize) < self.bands.len())
        };
        found.filter(|holder| holder.identity != 0).ok_or_else(|| wrong("a holder that it has not told of"))
    }

    fn cell(&mut self, key: CellKey, died: u64, now: u64, visit: &mut impl Visit) -> Outcome<()> {
        let band = self.bands[self.holder(key.holder())?.identity as usize];
        let old = self.cells.put(key, Cell { last: now, used: 0, dead: 0 })?.last;
        if died > 0 {
            self.died(key, died, visit)?;
        }
        if band == 0 {
            return Ok(());
        }
        visit.changed(band, key, now as i64 - old as i64)
    }

    /// Waste from its first era up to the last census, for whoever held it at each.
    fn died(&self, key: CellKey, bytes: u64, visit: &mut impl Visit) -> Outcome<()> {
        let Some((_, first)) = key.wasted_from() else { return Ok(()) };
        let mut last = self.era - 1;
        let mut number = key.holder();
        while number != 0 && first <= last && last > 0 {
            let holder = self.holder(number)?;
            let band = self.bands[holder.identity as usize];
            let from = first.max(holder.since).max(1);
            if band != 0 && from <= last {
                visit.died(band, key, (from, last), bytes)?;
            }
            if holder.since == 0 {
                break;
            }
            if holder.since > last && holder.parent != 0 {
                return Err(wrong("a holder that is older than the one that came before"));
            }
            last = holder.since - 1;
            number = holder.parent;
        }
        Ok(())
    }

    /// Nobody has said how it ended: everything dies after the last census.
    fn kill_all(&mut self, visit: &mut impl Visit) -> Outcome<()> {
        let mut outcome = Ok(());
        self.cells.each(|key, cell| {
            if outcome.is_ok() {
                outcome = self.died(key, cell.last, visit);
            }
        });
        outcome
    }
}

/// The first pass: keeps what was waste.
struct Learn<'c> {
    changes: &'c mut Changes,
}

impl Visit for Learn<'_> {
    fn died(&mut self, band: u32, key: CellKey, eras: (u32, u32), bytes: u64) -> Outcome<()> {
        match key.wasted_from() {
            Some((waste, _)) => self.changes.wasted(band, waste, eras, bytes),
            None => Ok(()),
        }
    }

    fn changed(&mut self, _band: u32, _key: CellKey, _by: i64) -> Outcome<()> {
        Ok(())
    }

    fn census(&mut self, _era: u32, _seconds: f64, _names: &[&[u8]]) -> Outcome<()> {
        Ok(())
    }
}

/// The second pass: counts, and shows.
struct Show<'p, 's> {
    profile: Profile<'p>,
    changes: Changes,
    bands: List<Band>,
    to: &'s mut dyn Samples,
    last: f64,
}

impl Visit for Show<'_, '_> {
    fn died(&mut self, _band: u32, _key: CellKey, _eras: (u32, u32), _bytes: u64) -> Outcome<()> {
        Ok(())
    }

    fn changed(&mut self, band: u32, key: CellKey, by: i64) -> Outcome<()> {
        self.bands.fill(band as usize + 1, Band::default())?;
        self.bands[band as usize].add(key.phase(), by);
        Ok(())
    }

    fn census(&mut self, era: u32, seconds: f64, names: &[&[u8]]) -> Outcome<()> {
        self.bands.fill(names.len(), Band::default())?;
        self.changes.apply(era, &mut self.bands);
        self.last = self.last.max(seconds);
        self.to.begin(self.last)?;
        if self.profile.phases & phases::EACH != 0 {
            self.phases()?;
        } else {
            for (band, name) in self.bands.iter().zip(names) {
                let bytes = counted(band, self.profile.phases);
                if bytes > 0 {
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
        let sum =
            |of: fn(&Band) -> u64| self.bands.iter().fold(0, |sum: u64, band| sum.saturating_add(of(band)));
        let unknown = sum(Band::unknown);
        let all = [
            (phases::VOID, "VOID", sum(Band::void)),
            (phases::LAG, "LAG", sum(Band::lag)),
            (phases::USE, "USE", sum(Band::used)),
            (0, "INHERENT_USE", sum(Band::inherent)),
            (phases::DRAG, "DRAG", sum(Band::drag)),
        ];
        let restricted = self.profile.phases & !phases::EACH;
        for (phase, name, bytes) in all {
            if restricted == 0 || restricted & phase != 0 {
                self.to.band(name.as_bytes(), bytes)?;
            }
        }
        // Only a profile that began in mid-run has this one, so other files look as those of the references do.
        if unknown > 0 && restricted == 0 {
            self.to.band(b"UNKNOWN_USE", unknown)?;
        }
        Ok(())
    }
}

fn counted(band: &Band, wanted: u8) -> u64 {
    let parts = [
        (phases::LAG, band.lag()),
        (phases::USE, band.used()),
        (phases::DRAG, band.drag()),
        (phases::VOID, band.void()),
    ];
    parts
        .iter()
        .filter(|(phase, _)| wanted & phase != 0)
        .fold(0, |sum, (_, bytes)| sum.saturating_add(*bytes))
}

fn wrong(what: &str) -> Failure {
    Failure::new(Status::Io, format_args!("the biography journal is damaged: it speaks of {what}"))
}
