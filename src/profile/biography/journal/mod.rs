//! The biography journal: what a biography knew at each census, in a file, and how it is finished into samples.
//!
//! Which phase an object was in is known when it has died. The program appends one batch at each census
//! (docs/formats-biography-journal.md); at its end, or after it was killed, `finish` reads the batches twice and gives
//! the samples. What was alive at the last whole batch is then taken to have died right after it.

pub mod batch;
mod chains;
pub mod checksum;
pub(crate) mod finish;
mod read;
mod totals;

pub use batch::{Batch, Profile};
pub use finish::{Finished, Samples, finish};
pub use read::{Head, Journal};

pub const MAGIC: &[u8; 8] = b"barrowB1";

/// What stands at the start of an item.
mod tag {
    pub(super) const HEAD: u8 = 1;
    pub(super) const PROFILE: u8 = 2;
    pub(super) const BAND: u8 = 3;
    pub(super) const ATOM: u8 = 4;
    pub(super) const HOLDER: u8 = 5;
    pub(super) const CELL: u8 = 6;
    pub(super) const CENSUS: u8 = 7;
    pub(super) const MARK: u8 = 8;
    pub(super) const END: u8 = 9;
}

/// Phases that a profile counts, as a sum of these.
pub mod phases {
    pub const LAG: u8 = 1;
    pub const USE: u8 = 2;
    pub const DRAG: u8 = 4;
    pub const VOID: u8 = 8;
    /// A band for each phase, whatever the identity: `-hb` itself.
    pub const EACH: u8 = 16;

    /// The phase with this name in a restriction.
    pub fn named(name: &str) -> Option<u8> {
        Some(match name {
            "lag" => LAG,
            "use" => USE,
            "drag" => DRAG,
            "void" => VOID,
            _ => return None,
        })
    }
}
