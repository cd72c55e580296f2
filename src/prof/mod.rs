//! What happened, attributed to the program. Every count is attributed once.

pub mod costs;
pub mod coverage;
pub mod space;
pub mod ticky;
pub mod time;
