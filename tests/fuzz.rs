//! The body of the fuzz target, on random bytes and on its seeds.

#[cfg(fuzzing)]
#[path = "support/guided.rs"]
mod guided;
#[path = "support/shares.rs"]
mod shares;

use barrow::testkit::fuzz;
use barrow::testkit::random::Random;
use shares::in_threads;

/// Programs by the code of the heap that they reach, with `ci/guided.sh`.
#[cfg(fuzzing)]
#[test]
fn fuzz_programs() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds");
    let seeds = std::fs::read_dir(folder).expect("the seeds are there");
    let files: Vec<Vec<u8>> =
        seeds.map(|seed| std::fs::read(seed.expect("a file").path()).expect("it can be read")).collect();
    // SAFETY: this frame stays until the process ends.
    unsafe { guided::run_if_told(&files, &[], &mut |bytes| fuzz(bytes)) };
}

#[test]
fn random_bytes_are_programs() {
    in_threads(4000, |seed| {
        let mut random = Random::new(seed);
        let length = random.below(1200);
        let mut bytes: Vec<u8> = (0..length).map(|_| random.bits() as u8).collect();
        // Repetition is what a fuzzer's inputs have more of than random ones.
        if length > 64 && random.one_in(2) {
            let part = bytes[16..48].to_vec();
            for chunk in bytes[48..].chunks_mut(32) {
                let count = chunk.len();
                chunk.copy_from_slice(&part[..count]);
            }
        }
        fuzz(&bytes);
    });
}

#[test]
fn seeds_are_programs() {
    let seeds =
        std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds")).expect("the seeds are there");
    let mut count = 0;
    for seed in seeds {
        fuzz(&std::fs::read(seed.expect("a file").path()).expect("it can be read"));
        count += 1;
    }
    assert!(count >= 8);
}
