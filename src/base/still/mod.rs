//! How threads of one heap come to rest, and how one of them has the heap to itself: two small types that know nothing of
//! heaps, so that models can try every order of their steps (`tests/still.rs`).
//!
//! A thread is inside a heap while it runs the library's code there, and one thread at a time is (`Gate`). A thread that
//! needs the others to touch no object asks them to come, and waits until each of them stands, or is away in foreign code
//! (`Presence`). The one that waited then sees all that they wrote before, and they see all that it wrote when they go on
//! [base.still].

mod asked;
mod changes;
pub(crate) mod claim;
pub(crate) mod crew;
pub(crate) mod ended;
pub(crate) mod forward;
pub(crate) mod gate;
pub(crate) mod presence;
pub(crate) mod promise;
mod sync;
pub(crate) mod vacated;
pub(crate) mod work;

pub(crate) use asked::Asked;
pub(crate) use changes::Guesthouse;
pub(crate) use gate::Gate;
pub(crate) use presence::Presence;
pub(crate) use promise::Promise;
pub(crate) use work::{Look, Shelf, Work};
