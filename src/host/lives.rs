//! The biography that a heap profile begins with its files.

use crate::base::flag::ProfileFlags;
use crate::base::{List, Outcome};
use crate::heap::Mutator;
use crate::host::Host;
use crate::os::clock;
use crate::os::file::Name;
use crate::profile::biography::{Column, Heading, Running};
use crate::profile::heap::break_down::BreakDown;
use crate::profile::heap::restrict::Restrictions;
use crate::profile::profiler::Owed;
use crate::runtime::collect::Reason;

impl Host {
    /// Begins the biography that some files of a profile need. `producers`: whether producers are noted.
    pub fn start_biography(
        &mut self,
        name: Name,
        columns: List<Column>,
        flags: &ProfileFlags,
        producers: bool,
    ) -> Outcome<()> {
        let date = clock::date();
        let heading =
            Heading { date: date.as_str().as_bytes(), sample_unit: b"seconds", value_unit: b"bytes" };
        let restrictions = Restrictions::read(flags.restrictions.as_str(), false)?;
        let mut running =
            Running::open(name, &heading, columns, restrictions, flags.threads, self.busy.mark())?;
        running.group_by_producers(producers, false, BreakDown::Kind);
        let mutator = self.own_mutator().unwrap_or(std::ptr::null_mut());
        self.begin_biography(mutator, running)
    }

    /// Begins a biography, with the collection that it is owed. `mutator` is null for a heap that was just
    /// made.
    pub(crate) fn begin_biography(&mut self, mutator: *mut Mutator, running: Box<Running>) -> Outcome<()> {
        match self.profilers.lives.begin(&mut self.runtime, mutator.is_null(), running)? {
            Owed::Nothing => Ok(()),
            _ => {
                let collected = self.collect_for(mutator, Reason::Whole);
                self.profilers.lives.begun(&mut self.runtime, collected)
            }
        }
    }
}
