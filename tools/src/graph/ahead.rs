//! Asks for memory that will be read a few steps later: walks over a graph jump about in arrays that no cache holds, and wait for each
//! jump unless several are under way.

use barrow::base::Addr;

/// Steps between asking for memory and looking at it.
pub const AHEAD: usize = 8;

/// Asks for the line of memory with `from[at]`, if there is such a place.
#[inline(always)]
pub fn fetch<T>(from: &[T], at: usize) {
    if let Some(place) = from.get(at) {
        Addr(std::ptr::from_ref(place) as usize).prefetch();
    }
}
