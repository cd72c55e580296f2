//! The algorithm of the references: a counter for every era, and a look at every object that dies.
//!
//! Slow and obvious on purpose. Identities change here too: each object keeps its identity at each census.

use super::shown::Shown;
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub struct Life {
    pub bytes: u64,
    created: u32,
    last_use: Option<u32>,
    inherent: bool,
    before: bool,
    /// The identity at each census that saw the object.
    seen: BTreeMap<u32, u32>,
}

/// One era's counters for one identity.
#[derive(Clone, Copy, Default, Debug)]
struct Counters {
    not_used: i64,
    used: i64,
    inherent: i64,
    unknown: i64,
    void: i64,
    drag: i64,
}

#[derive(Clone)]
pub struct Naive {
    /// `ldvTime`.
    pub era: u32,
    counters: BTreeMap<(u32, u32), Counters>,
}

impl Naive {
    pub fn new() -> Naive {
        Naive { era: 1, counters: BTreeMap::new() }
    }

    pub fn create(&self, bytes: u64, inherent: bool, before: bool) -> Life {
        Life { bytes, created: self.era, last_use: None, inherent, before, seen: BTreeMap::new() }
    }

    pub fn used(&self, life: &mut Life) {
        life.last_use = Some(self.era);
        life.before = false;
    }

    pub fn dead(&mut self, life: &Life) {
        if life.inherent || life.before {
            return;
        }
        let first = life.last_use.map_or(life.created, |last| last + 1);
        for era in first..self.era {
            let Some(&identity) = life.seen.get(&era) else { continue };
            let counters = self.counters.entry((era, identity)).or_default();
            if life.last_use.is_some() {
                counters.drag += life.bytes as i64;
            } else {
                counters.void += life.bytes as i64;
            }
        }
    }

    /// Counts an object that lives at a census.
    pub fn count(&mut self, life: &mut Life, identity: u32) {
        life.seen.insert(self.era, identity);
        let counters = self.counters.entry((self.era, identity)).or_default();
        let counter = match life {
            Life { inherent: true, .. } => &mut counters.inherent,
            Life { last_use: Some(_), .. } => &mut counters.used,
            Life { before: true, .. } => &mut counters.unknown,
            _ => &mut counters.not_used,
        };
        *counter += life.bytes as i64;
    }

    /// The census is complete.
    pub fn next_era(&mut self) {
        self.era += 1;
    }

    /// The samples when all living objects die now.
    pub fn shown<'l>(&self, living: impl Iterator<Item = &'l Life>, name: impl Fn(u32) -> String) -> Shown {
        let mut end = self.clone();
        living.for_each(|life| end.dead(life));
        let mut shown: Shown = vec![BTreeMap::new(); end.era as usize - 1];
        for (&(era, identity), counters) in &end.counters {
            let phases = [
                counters.not_used - counters.void,
                counters.used - counters.drag,
                counters.drag,
                counters.void,
                counters.inherent,
                counters.unknown,
            ];
            let sums = shown[era as usize - 1].entry(name(identity)).or_default();
            (0..6).for_each(|phase| sums[phase] += phases[phase] as u64);
        }
        shown
    }
}
