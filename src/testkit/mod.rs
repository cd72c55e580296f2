//! Random mutator programs against a plain model: the test that the collector loses nothing and changes nothing.
//!
//! A program is a string of bytes. It runs on a heap, through the functions and fast paths that clients use, and on a
//! graph in which nothing moves; after every collection the heap as far as it can be reached must be that graph.

pub mod biography;
mod census;
mod change;
mod compare;
pub mod coverage;
mod draft;
mod drafts;
mod events;
mod finalizers;
mod frames;
mod graph;
mod kinds;
mod lazy;
mod lives;
mod machine;
mod make;
mod memo;
mod misbehaving;
mod native;
mod native_frames;
mod neighbour;
mod numbers;
mod outcome;
mod pauses;
mod pick;
mod play;
pub mod program;
pub mod random;
mod retainers;
mod rooting;
mod roots;
pub mod settings;
mod shape;
pub mod shrink;
mod stack_frames;
mod stacks;
mod statics;
pub mod twin;
mod weak;
mod weak_arrays;
mod weak_states;
mod word;

pub use coverage::Coverage;
pub use play::{run, run_failing};
pub use program::{Op, Program};

/// Operations that a fuzzer's input may have.
const MOST_FUZZED: usize = 2000;

/// The body of the fuzz target: any bytes are a program. Panics with the program when it goes wrong.
pub fn fuzz(bytes: &[u8]) {
    let mut program = Program::from_bytes(bytes);
    program.ops.truncate(MOST_FUZZED);
    if let Err(wrong) = run(&program, &mut Coverage::default()) {
        panic!("{wrong}\n{program}");
    }
}
