//! The files of the demo's run: which profiles are taken and under which names, and the page that is made of them.

use crate::cmd::view;
use crate::model::HeapProfile;
use crate::read::any::{self, Input, Profile};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The break-downs of the heap profile: maker, type, holder, and whether it is ever used.
pub const MAKER: &str = "hc";
pub const TYPE: &str = "hy";
pub const HOLDER: &str = "hr";
pub const USE: &str = "hb";
const BREAKDOWNS: [&str; 4] = [MAKER, TYPE, HOLDER, USE];

/// The program allocates some 850 MB: seventy samples, the same ones in each run.
const BYTES_BETWEEN_SAMPLES: f64 = 12e6;
const FEWEST_BYTES: f64 = 65536.0;

pub struct Files {
    stem: PathBuf,
}

impl Files {
    pub fn new(stem: &Path) -> Files {
        Files { stem: stem.to_owned() }
    }

    fn named(&self, ending: &str) -> PathBuf {
        let mut name = OsString::from(&self.stem);
        name.push(ending);
        name.into()
    }

    /// What the user wants of the heap, and what the profiles need: the user's word is the last one, but for the names.
    pub fn flags(&self, wanted: &str, scale: f64) -> String {
        let letters: String = BREAKDOWNS.iter().map(|letters| format!("-{letters} ")).collect();
        let bytes = (BYTES_BETWEEN_SAMPLES * scale).max(FEWEST_BYTES);
        // A tick each millisecond: the program runs for seconds only.
        format!("{letters}-ib{bytes:.0} -P -V0.001 {wanted} -po{}", self.stem.display())
    }

    /// What the run has left, in the order of the page.
    pub fn read(&self) -> Result<Vec<Input>, String> {
        let heaps = BREAKDOWNS.iter().map(|letters| self.named(&format!(".{letters}.hp")));
        let reports = [".prof", ".hr.prof"].iter().map(|ending| self.named(ending));
        heaps.chain(reports).map(|path| any::open(&path).map_err(|error| error.to_string())).collect()
    }

    /// The page's place, in full.
    pub fn make_page(&self, found: &[Input]) -> Result<PathBuf, String> {
        let page = self.named(".html");
        view::make_page(found, false, &page)?;
        Ok(std::path::absolute(&page).unwrap_or(page))
    }

    pub fn listed(&self, found: &[Input]) -> String {
        found.iter().map(|input| input.name.as_str()).collect::<Vec<_>>().join(" ")
    }
}

/// The heap profile with this break-down.
pub fn heap<'a>(found: &'a [Input], letters: &str) -> Option<&'a HeapProfile> {
    let ending = format!(".{letters}.hp");
    found.iter().find(|input| input.name.ends_with(&ending)).and_then(|input| match &input.profile {
        Profile::Heap(heap) => Some(heap),
        Profile::Prof(_)
        | Profile::Space(_)
        | Profile::Stops(_)
        | Profile::Samples(_)
        | Profile::Snapshot(_) => None,
    })
}
