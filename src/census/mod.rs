//! What is alive, and by which identity.

pub mod biography;
