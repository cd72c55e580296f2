//! Barrow.
