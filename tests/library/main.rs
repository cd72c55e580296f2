//! Tests of the library that need more than random programs make: one file for each thing that it does. One program has them all,
//! since each more would be linked for itself, and run while no other does.

#[path = "../support/heaps.rs"]
mod heaps;

mod cost_faults;
mod cost_replay;
mod cost_report;
mod coverage;
mod heap_profile;
mod heap_profile_flags;
mod in_place;
mod kinds;
mod rings;
mod sanity;
mod selectors;
mod space;
mod ticky;
mod weak;
mod weak_census;
mod weak_keys;
