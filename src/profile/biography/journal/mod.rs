//! The biography journal: a file of what a biography knew at each census, and its conversion into samples.
//!
//! The phase that an object was in is known only when it has died. The program appends one batch at each
//! census (docs/formats-biography-journal.md); at its end, or after it was killed, `finish` reads the batches
//! twice and gives the samples. Objects that were alive at the last whole batch are then taken to have died
//! right after it.

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

/// The byte that an item starts with.
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

/// Bits of the phases that a profile counts; a file has their sum.
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
