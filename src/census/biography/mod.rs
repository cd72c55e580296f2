//! Lag, use, drag and void, by difference: nobody looks at the dead.
//!
//! Owns: what a cell held at one census, less what was used or told to be dead since, less what is there at the next,
//! has died in between [census.inv.difference]. An object that was never used was void from its creation era up to
//! the last census that saw it; one that was used was dragged from the era after its last use. Only objects that a
//! census has seen can matter, so an object made in the current era is in no cell yet.
//!
//! It knows no addresses: whoever takes the census says of each object who holds it (a number for what the profile
//! groups by, see `history`), its word and its bytes. What it finds goes to a `Book`, which is a journal in a file.

pub mod atoms;
pub mod cells;
pub mod history;
pub mod ledger;
pub mod word;

pub use atoms::{Atom, Atoms};
pub use cells::{Cell, CellKey, Phase};
pub use history::{Histories, Holder};
pub use ledger::{Biography, Book};
pub use word::Word;
