//! The flags of a heap. A row of `table` is a flag: its name, argument and range, default, meaning, and the
//! functions that set and read it. The reader of a line of flags, the values given back, and every list of
//! flags use the rows.
//!
//! A new flag is a row of `table`, a field of `Flags`, and the field's value in `Default`.

mod cost;
mod flags;
mod line;
mod list;
mod names;
pub(crate) mod parted;
mod profile;
mod row;
mod table;
mod value;

pub use cost::{CostFlags, CostReport, LONGEST_TICK_SECONDS, SHORTEST_TICK_SECONDS};
pub use flags::{Destination, Flags, Source, WORKERS_BY_STOPS};
pub use list::{help, listed};
pub use names::each_name;
pub use profile::{CHOSEN, ProfileFlags, Sampling};
pub use row::Row;
pub use table::TABLE;
