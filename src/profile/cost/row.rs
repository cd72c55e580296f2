//! A row of the time and allocation profile, as clients read it.

use std::ffi::c_char;

/// Flag of stacks whose costs are not the program's: collections, profiling and the like. Reports hide
/// them without `-pa`.
#[allow(unreachable_pub)] // of the header
pub const COST_HIDDEN: u32 = 1;
/// Flag of stacks whose innermost centre is a CAF's.
#[allow(unreachable_pub)] // of the header
pub const COST_CAF: u32 = 2;

/// A cost-centre stack and its costs.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CostRow {
    /// In: `sizeof(barrow_cost_row)`, in the first row.
    pub size: u32,
    pub number: u32,
    /// The number of the parent; MAIN is its own parent.
    pub parent: u32,
    /// Number of the newest child; `next_sibling` is the next older child of the same parent. 0 for none.
    pub first_child: u32,
    pub next_sibling: u32,
    /// Number of centres in the stack, without MAIN.
    pub depth: u32,
    /// The number of the innermost centre.
    pub centre: u32,
    /// Sum of `BARROW_COST_HIDDEN` and `BARROW_COST_CAF`.
    pub flags: u32,
    pub entries: u64,
    pub ticks: u64,
    pub bytes: u64,
    /// Ticks of the stack and of all stacks below it in the tree, without hidden ones; the next field has the
    /// bytes.
    pub inherited_ticks: u64,
    pub inherited_bytes: u64,
    /// The texts of the innermost centre; they live as long as the process.
    pub label: *const c_char,
    pub module: *const c_char,
    pub source: *const c_char,
}
