//! The layers of the library, which are the folders of src: their order is checked, and invariants are named after them.

/// Lowest first. `testkit` may use anything, and nothing uses it.
pub const LAYERS: [&str; 13] = [
    "base",
    "os",
    "megablock",
    "block",
    "identity",
    "heap",
    "gc",
    "report",
    "runtime",
    "profile",
    "host",
    "rust",
    "ffi",
];
