//! Lag, use, drag and void, by difference: dead objects are not looked at.
//!
//! Owns the difference [profile.inv.difference]: the bytes of a cell at one census, less those that were used
//! or told to be dead since, less those that are there at the next, have died in between. An object that was
//! never used was void from its creation era up to the last census that saw it; a used object was dragged
//! from the era after its last use. Only objects that a census has seen can matter, so an object made in the
//! current era is in no cell yet.
//!
//! The ledger knows no addresses: for each object, the census gives it the holder (a number for the group,
//! see `history`), the word and the bytes. Its findings go to a `Book`, which is a journal in a file.
//!
//! While the program runs (`running`), a biography stamps objects as collections meet them, books uses and
//! changes in place, and appends to the journal at each census. The samples are made from the journal, at the
//! end of the profile or after the program was killed (`journal`). When anything fails, the biography ends
//! with one message and the program goes on.

pub(crate) mod atoms;
pub(crate) mod cells;
pub(crate) mod column;
pub(crate) mod course;
pub(crate) mod files;
pub(crate) mod history;
pub mod journal;
pub(crate) mod kept;
pub(crate) mod ledger;
pub(crate) mod marked;
pub(crate) mod met;
pub(crate) mod profiler;
pub(crate) mod running;
pub(crate) mod seen;
pub(crate) mod shown;
pub(crate) mod uses;
pub(crate) mod word;

pub use atoms::{Atom, Atoms};
pub use cells::{Cell, CellKey, Phase};
pub use column::Column;
pub use history::{Histories, Holder};
pub use ledger::{Biography, Book};
pub use running::{Heading, Running};
pub use word::Word;
