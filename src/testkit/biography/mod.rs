//! Biography by difference against the reference's own way, on random histories of objects.

mod history;
mod naive;
mod shown;

pub use history::{History, Step};
pub use naive::{Life, Naive};
pub use shown::{PHASES, PROFILES, Shown, seal_again, shown};
