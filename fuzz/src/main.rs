//! Random mutator programs from a fuzzer's bytes: `barrow::testkit::fuzz` does the work, and panics when the heap is
//! not what the model says.
//!
//! ```sh
//! cargo install cargo-afl && cd fuzz && cargo afl build --release
//! cargo afl fuzz -i seeds -o found target/release/barrow-fuzz
//! ```
//!
//! A finding is run again with `cargo run --release < found/default/crashes/…`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| barrow::testkit::fuzz(bytes));
}
