//! What ran: the counts of one or more modules, as a `.tix` file holds them.

use super::count::Count;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tix {
    /// In the order of the file, which only `map`, `markup` and `draft` keep.
    pub modules: Vec<TixModule>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TixModule {
    /// `Mod.Name`, or `unit-id/Mod.Name` outside the main package.
    pub name: String,
    /// Equal to that of the `.mix`; opaque otherwise.
    pub hash: u32,
    /// The number of boxes as the file claims it; nothing makes it equal the length of `ticks`.
    pub claimed: i64,
    pub ticks: Vec<Count>,
}
