//! The bands of one census: counts by name.

use crate::base::{List, Outcome};
use crate::identity::info;
use crate::identity::names::{Name, names};
use crate::identity::producer;
use crate::profile::heap::break_down::BreakDown;
use crate::profile::heap::restrict::Restrictions;
use crate::profile::heap::tally::{Count, Tally, sum};

/// The choices by which a census is shown.
pub struct Show<'a> {
    pub by: BreakDown,
    /// Whether modules are those of producers.
    pub module_of_producer: bool,
    /// Restrictions on info tables alone; when producers matter, the tally has the restrictions.
    pub restrictions: Option<&'a mut Restrictions>,
    /// Whether the counts are those that restrictions on info tables and producers allow.
    pub crossed: bool,
    pub with_threads: bool,
}

impl Show<'_> {
    /// The choices that show everything, by one break-down.
    pub fn all(by: BreakDown) -> Show<'static> {
        Show { by, module_of_producer: false, restrictions: None, crossed: false, with_threads: true }
    }

    fn is_by_producer(&self) -> bool {
        match self.by {
            BreakDown::Producer | BreakDown::Site => true,
            BreakDown::Module => self.module_of_producer,
            _ => false,
        }
    }
}

/// One band of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    pub name: Name,
    pub count: Count,
}

/// Name of the band for objects that no break-down can name.
pub(crate) const UNREACHED: &str = "(unreached)";

/// Bands by name, in the order in which their names came up in the process.
#[derive(Default)]
pub struct Bands {
    /// Counts by number of the name.
    counts: List<Count>,
    list: List<Band>,
    /// Counts in no band: objects that restrictions leave out, and threads where they are not wanted.
    pub left_out: Count,
}

impl Bands {
    pub const fn new() -> Bands {
        Bands { counts: List::new(), list: List::new(), left_out: Count { words: 0, objects: 0 } }
    }

    pub fn list(&self) -> &[Band] {
        &self.list
    }

    /// The sum of all bands and of the objects in none.
    pub fn total(&self) -> Count {
        sum(self.list.iter().map(|band| band.count).chain([self.left_out]))
    }

    /// Groups the counts of a tally by name. [profile.inv.sum]
    pub fn fill(&mut self, tally: &Tally, mut show: Show<'_>) -> Outcome<()> {
        self.counts.clear();
        self.list.clear();
        if show.is_by_producer() {
            self.put_producers(tally, &show)?;
        } else {
            self.put_infos(tally, &mut show)?;
        }
        self.list.reserve(self.counts.iter().filter(|count| count.objects > 0).count())?;
        for (number, count) in self.counts.iter().enumerate() {
            if count.objects > 0 {
                let _ = self.list.push_within(Band { name: Name(number as u32), count: *count });
            }
        }
        let (all, shown) = (tally.total(), sum(self.list.iter().map(|band| band.count)));
        self.left_out = Count { words: all.words - shown.words, objects: all.objects - shown.objects };
        Ok(())
    }

    fn put_producers(&mut self, tally: &Tally, show: &Show<'_>) -> Outcome<()> {
        for number in producer::numbers().into_iter().flatten().map(|number| number as u32) {
            let count = match tally.allowed_of_producer(number) {
                Some(allowed) if show.crossed => allowed,
                _ => tally.of_producer(number, show.with_threads),
            };
            if count.objects > 0 {
                let name = match show.by {
                    BreakDown::Module => producer::module(number, &mut names())?,
                    BreakDown::Site => producer::site_name(number)?,
                    _ => producer::name(number, &mut names())?,
                };
                self.counts.fill(name.0 as usize + 1, Count::default())?;
                put(&mut self.counts, name, count);
            }
        }
        Ok(())
    }

    fn put_infos(&mut self, tally: &Tally, show: &mut Show<'_>) -> Outcome<()> {
        let unreached = names().intern(UNREACHED.as_bytes())?;
        self.counts.fill(names().count() + 1, Count::default())?;
        let counts = &mut self.counts;
        let count_of = |number: u32| match tally.allowed_of_info(number) {
            Some(allowed) if show.crossed => allowed,
            _ => tally.of_info(number),
        };
        let mut restrictions = show.restrictions.take().filter(|restrictions| !restrictions.is_empty());
        // An object that cannot be named has none of the names that a restriction wants.
        if restrictions.is_none() && !show.crossed {
            put(counts, unreached, count_of(0));
        }
        info::for_each(|number, info| {
            let count = count_of(number);
            let shown = count.objects > 0 && (show.with_threads || !info.is_thread);
            if shown && restrictions.as_mut().is_none_or(|restrictions| restrictions.allow(info)) {
                put(counts, show.by.name_of(info), count);
            }
        });
        Ok(())
    }
}

fn put(counts: &mut [Count], name: Name, more: Count) {
    if let Some(count) = counts.get_mut(name.0 as usize) {
        count.words += more.words;
        count.objects += more.objects;
    }
}
