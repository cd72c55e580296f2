//! Words that all layers share: addresses, sizes, the status and option tables, containers that never abort.
//!
//! Nothing here has state of its own, except the switch by which tests make allocations fail (`fault`).

pub mod addr;
pub mod busy;
pub mod cost_flags;
pub mod fault;
pub mod flags;
pub mod list;
pub mod option;
pub mod profile_flags;
pub mod sentence;
pub mod size;
pub mod status;

pub use addr::Addr;
pub use list::List;
pub use sentence::Sentence;
pub use status::{Failure, Outcome, Status};
