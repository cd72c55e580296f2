//! A file that is made of a biography, and its bands.

use crate::base::{List, Outcome};
use crate::identity::info::InfoNames;
use crate::identity::names::{Name, names};
use crate::identity::producer;
use crate::profile::biography::Atom;
use crate::profile::biography::journal::Batch;
use crate::profile::heap::bands::UNREACHED;
use crate::profile::heap::break_down::BreakDown;

/// One file that is made of a biography.
pub struct Column {
    /// The file's name, for the journal.
    pub file: List<u8>,
    pub job: List<u8>,
    /// A sum of `report::biography::phases`.
    pub phases: u8,
    /// The break-down of its bands; none for `-hb`, whose bands are phases.
    pub by: Option<BreakDown>,
    /// Whether the break-down is still open: that of `-h` is decided at the first census.
    pub is_open: bool,
    /// The band of each name, by the name's number; 0 for a name that has none yet.
    bands: List<u32>,
    band_count: u32,
}

impl Column {
    pub fn new(file: &[u8], job: &[u8], phases: u8, by: Option<BreakDown>) -> Outcome<Column> {
        let (mut own_file, mut own_job) = (List::new(), List::new());
        own_file.append(file)?;
        own_job.append(job)?;
        Ok(Column {
            file: own_file,
            job: own_job,
            phases,
            by,
            is_open: false,
            bands: List::new(),
            band_count: 0,
        })
    }

    /// The band of an atom; a new band is written to the journal.
    pub(crate) fn band(
        &mut self,
        own: usize,
        atom: Atom,
        info: &InfoNames,
        modules: bool,
        set: Name,
        batch: &mut Batch,
    ) -> Outcome<u32> {
        let name = match self.by {
            Some(BreakDown::Retainer) => set,
            Some(BreakDown::Producer) => producer::name(atom.producer, &mut names())?,
            Some(BreakDown::Site) => producer::site_name(atom.producer)?,
            Some(BreakDown::Module) if modules => producer::module(atom.producer, &mut names())?,
            by => by.map_or(Name::NONE, |by| by.name_of(info)),
        };
        self.bands.fill(name.0 as usize + 1, 0)?;
        if self.bands[name.0 as usize] == 0 {
            let names = names();
            let text = if name.is_none() { UNREACHED.as_bytes() } else { names.text(name) };
            batch.band(own, text)?;
            self.band_count += 1;
            self.bands[name.0 as usize] = self.band_count;
        }
        Ok(self.bands[name.0 as usize])
    }
}
