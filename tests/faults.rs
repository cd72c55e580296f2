//! Memory that is refused inside the library, and calls to the system for it: at every point in turn, that one alone or all that
//! follow, the call says so in a sentence or goes on without; the heap is sane, nothing is lost, and everything works again
//! afterwards. `c-tests/refusals/check.sh` refuses calls from outside.

#[path = "support/children.rs"]
mod children;
#[path = "support/shares.rs"]
mod shares;

use barrow::testkit::{Op, Program};
use children::{Ending, Seeds};
use shares::in_threads;
use std::sync::atomic::{AtomicU64, Ordering};

/// Does nothing, except in processes that the other tests start.
#[test]
fn child() {
    children::child();
}

/// A program of the given operations: all that ask for memory.
fn fixed(header: [u8; 16]) -> Program {
    // Kinds, ways, lengths: see `Op::decode` and the tables of the testkit.
    let mut ops = Vec::new();
    for round in 0..2u8 {
        for way in [0, 5, 8, 10, 12, 15] {
            // Pairs, arrays of 15 and 130 elements, bytes.
            for (kind, size) in [(0, 0), (22, 15 << 8), (22, 220), (28, 100 << 8)] {
                ops.push([0, kind, (size & 0xff) as u8, (size >> 8) as u8, round, way, kind, way]);
            }
        }
        // A large array, and one that spans megablocks.
        ops.push([0, 22, 240, 200, round, 2, 3, 0]);
        ops.push([0, 22, 255, 1, round, 2, 3, 10]);
        ops.push([206, 0, round, 0, 0, 0, 0, 0]);
        ops.push([216, 0, round, 3, 0, 0, 0, 0]);
        ops.push([202, 0xff, 0, 0, 0, 0, 0, 0]);
        ops.push([229, round & 1, 0, 0, 0, 0, 0, 0]);
        for field in 0..40 {
            ops.push([88, field, field.wrapping_mul(37), 0, field, round, 1, 1]);
        }
        ops.push([162, 0, 9, 0, round, 0, 0, 0]);
        ops.push([169, 0, 1, 0, round, 0, 0, 0]);
        ops.push([80, 0, 0xb8, 0x0b, 0, 0, 0, 0]);
        ops.push([252, 0, 0, 0, 0, 0, 0, 0]);
        ops.push([255, 0, 0, 0, 0, 0, 0, 0]);
        ops.push([229, 0, 0, 0, 0, 0, 0, 0]);
    }
    assert!(ops.iter().any(|raw| matches!(Op::decode(raw), Op::Detach)));
    Program { header, ops }
}

#[test]
fn a_fixed_program_survives_every_refusal() {
    // With one, two and three generations, in a range and in chunks, checking or not.
    const HEAPS: [(u8, u8, u8, bool); 5] =
        [(0, 0, 2, false), (0, 2, 2, false), (5, 0, 2, true), (3, 2, 0, true), (6, 0, 0, false)];
    in_threads(HEAPS.len() as u64, |number| {
        let (generations, source, checking, once) = HEAPS[number as usize];
        let mut header = [0; 16];
        header[8] = generations;
        header[12] = source;
        header[13] = 2;
        header[15] = checking;
        let program = fixed(header);
        if let Some(wrong) = children::run_alone_with_faults(&program, once) {
            panic!("{wrong}\n{}", program.settings().flags);
        }
    });
}

/// Random programs in the quick run; `.ci/run` has three times as many.
const PROGRAMS: u64 = 10;

#[test]
fn random_programs_survive_every_refusal() {
    let count = std::env::var("BARROW_FAULT_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(PROGRAMS);
    let runs = AtomicU64::new(0);
    in_threads(count, |number| {
        let seeds = Seeds { first: 1 + number, stride: 1, count: 1, steps: 120 };
        let once = number % 2 == 1;
        match children::run_seeds_with_faults(seeds, once) {
            Ending::Fine(coverage) => _ = runs.fetch_add(coverage.programs, Ordering::Relaxed),
            Ending::Failed(seed, wrong) => panic!(
                "seed {seed}: {wrong}\nBARROW_MODEL_FAULTS={} BARROW_MODEL_PROGRAM={}",
                children::mode(once),
                Program::random(seed, 120).to_hex()
            ),
        }
    });
    // Each program's last run is without a refusal; heaps that could not be made are not counted.
    let refusals = runs.into_inner() - count;
    println!("memory was refused at {refusals} points of {count} random programs");
}
