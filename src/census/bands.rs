//! The bands of one census: counts by name.

use super::restrict::Restrictions;
use super::tally::{Count, Tally};
use crate::base::{List, Outcome};
use crate::identity::info::{self, InfoNames};
use crate::identity::names::{Name, names};

/// By what a profile groups objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BreakDown {
    /// `-hT`: constructor, or layout.
    Kind,
    /// `-hy`
    Type,
    /// `-hd`
    Description,
    /// `-hm`
    Module,
    /// `-hi`: info table, with its source position.
    Info,
}

pub const BREAK_DOWNS: [BreakDown; 5] =
    [BreakDown::Kind, BreakDown::Type, BreakDown::Description, BreakDown::Module, BreakDown::Info];

impl BreakDown {
    pub const fn letter(self) -> char {
        match self {
            BreakDown::Kind => 'T',
            BreakDown::Type => 'y',
            BreakDown::Description => 'd',
            BreakDown::Module => 'm',
            BreakDown::Info => 'i',
        }
    }

    pub fn from_letter(letter: char) -> Option<BreakDown> {
        BREAK_DOWNS.into_iter().find(|one| one.letter() == letter)
    }

    pub fn name_of(self, info: &InfoNames) -> Name {
        match self {
            BreakDown::Kind => info.kind,
            BreakDown::Type => info.type_name,
            BreakDown::Description => info.description,
            BreakDown::Module => info.module,
            BreakDown::Info => info.whole,
        }
    }
}

/// One band of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    pub name: Name,
    pub count: Count,
}

/// What no break-down can name.
pub const UNREACHED: &str = "(unreached)";

/// Bands by name, in the order in which their names came up in the process.
#[derive(Default)]
pub struct Bands {
    /// By number of the name.
    counts: List<Count>,
    list: List<Band>,
    /// In no band: what restrictions and the wish for no threads leave out.
    pub left_out: Count,
}

impl Bands {
    pub const fn new() -> Bands {
        Bands { counts: List::new(), list: List::new(), left_out: Count { words: 0, objects: 0 } }
    }

    pub fn list(&self) -> &[Band] {
        &self.list
    }

    /// Everything, what is in no band included.
    pub fn total(&self) -> Count {
        let mut sum = self.left_out;
        for band in self.list.iter() {
            add(&mut sum, band.count);
        }
        sum
    }

    /// Groups what a tally has counted. [census.inv.sum]
    pub fn fill(
        &mut self,
        tally: &Tally,
        by: BreakDown,
        restrictions: Option<&mut Restrictions>,
        with_threads: bool,
    ) -> Outcome<()> {
        let unreached = names().intern(UNREACHED.as_bytes())?;
        self.counts.clear();
        self.list.clear();
        self.left_out = Count::default();
        self.counts.fill(names().count() + 1, Count::default())?;
        let mut used = 0;
        let counts = &mut self.counts;
        let left_out = &mut self.left_out;
        let mut put = |name: Name, count: Count| {
            if count.objects > 0
                && let Some(sum) = counts.get_mut(name.0 as usize)
            {
                used += (sum.objects == 0) as usize;
                add(sum, count);
            }
        };
        let mut restrictions = restrictions.filter(|restrictions| !restrictions.is_empty());
        if restrictions.is_some() {
            // What cannot be named has none of the names.
            add(left_out, tally.of_info(0));
        } else {
            put(unreached, tally.of_info(0));
        }
        info::for_each(|number, info| {
            let count = tally.of_info(number);
            if count.objects == 0 {
                return;
            }
            let shown = with_threads || !info.is_thread;
            if shown && restrictions.as_mut().is_none_or(|restrictions| restrictions.allow(info)) {
                put(by.name_of(info), count);
            } else {
                add(left_out, count);
            }
        });
        self.list.reserve(used)?;
        for (number, count) in self.counts.iter().enumerate() {
            if count.objects > 0 {
                let _ = self.list.push_within(Band { name: Name(number as u32), count: *count });
            }
        }
        Ok(())
    }
}

fn add(sum: &mut Count, more: Count) {
    sum.words += more.words;
    sum.objects += more.objects;
}
