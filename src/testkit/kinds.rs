//! The kinds of objects that programs make: their shapes, and where each is found.

pub(super) use super::draft::{moves, play_here, take_answers, take_bad_move, take_calls_by_others};
pub(super) use super::drafts::{MADE, shape_at, shapes, static_function, static_wide_function, varied};
pub(super) use super::shape::{Role, STACK_FIXED, Shape};
use crate::heap::Kind;

/// The shape of an object that the library makes, or else the first of this kind.
pub(super) fn shape_of(kind: Kind) -> usize {
    shapes().iter().position(|shape| shape.kind == kind).unwrap_or(0)
}
