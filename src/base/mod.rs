//! The vocabulary of all layers: addresses, sizes, the status table and the table of flags, containers that
//! never abort, and how threads come to rest.
//!
//! This layer has no state, except the switches by which tests make allocations fail (`fault`) and choose a
//! bug (`planted`).

#[macro_use]
pub(crate) mod planted;

pub(crate) mod addr;
pub(crate) mod decimal;
pub(crate) mod failure;
pub mod fault;
pub mod flag;
pub(crate) mod geometry;
pub(crate) mod list;
pub(crate) mod once;
pub(crate) mod sentence;
pub(crate) mod shown;
pub mod size;
pub(crate) mod sort;
pub(crate) mod status;
pub(crate) mod still;
pub(crate) mod text;

pub use addr::Addr;
pub use failure::{Failure, Outcome};
pub use list::List;
pub use sentence::Sentence;
pub use shown::Shown;
pub use status::Status;
pub use text::Text;
