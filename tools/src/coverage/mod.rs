//! The rules of program coverage: what a `.tix` (counts) says about a `.mix` (places). Pure: no file, no option, no
//! page. Invariant: a count belongs to the box of the same number; lists of unequal length are matched as far as
//! both go. docs/coverage.md states the rules in prose.

pub mod count;
pub mod forest;
pub mod join;
pub mod lines;
pub mod markup;
pub mod mix;
pub mod module;
pub mod overlay;
pub mod select;
pub mod source;
pub mod tally;
pub mod tix;
