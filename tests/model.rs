//! Random mutator programs against the graph model: see `barrow::testkit`.
//!
//! `BARROW_MODEL_PROGRAMS`, `BARROW_MODEL_STEPS` and `BARROW_MODEL_SEED` say how many, how long and from where; a
//! million programs are the longer mode. A failure is printed as a small program, and as the value of
//! `BARROW_MODEL_PROGRAM` with which `cargo test --test model child -- --nocapture` runs it again.

#[path = "support/children.rs"]
mod children;

use barrow::testkit::shrink::shrink;
use barrow::testkit::{Coverage, Program};
use children::{Ending, Seeds};

/// Enough to find each planted bug that any number finds, and to try nearly everything.
const PROGRAMS: u64 = 1500;
/// So many try everything but what is seldom; `.ci/run` asks for them.
const THOROUGH: u64 = 4_000;
/// So many try everything.
const ALL: u64 = 10_000;
/// Cells of the tables that fewer programs than `THOROUGH` may leave empty.
const RARE: usize = 20;
/// The cells that fewer programs than `ALL` may leave empty: an object that is recorded while it is young is met again before it ages.
const SELDOM: &str = " Recorded Young";
const STEPS: u64 = 300;
/// Runs of a smaller program while a failure is made small.
const SHRINKING: usize = 3000;
/// Programs that one process runs: a failure shows before all are through.
const SHARE: u64 = 250;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Does nothing, except in processes that the other tests start.
#[test]
fn child() {
    children::child();
}

#[test]
fn heaps_are_isomorphic_to_the_model() {
    let programs = number("BARROW_MODEL_PROGRAMS", PROGRAMS);
    let steps = number("BARROW_MODEL_STEPS", STEPS) as usize;
    let first = number("BARROW_MODEL_SEED", 1);
    // Small ones where few programs are asked for, so that all processors are busy until the end.
    let share = SHARE.min(programs / 16).max(1);
    let workers = std::thread::available_parallelism().map_or(2, |n| n.get()).min(8) as u64;
    let next = std::sync::atomic::AtomicU64::new(0);
    let (coverage, failure) = std::thread::scope(|scope| {
        let work = || {
            let mut coverage = Coverage::default();
            loop {
                let done = next.fetch_add(share, std::sync::atomic::Ordering::SeqCst);
                if done >= programs {
                    return (coverage, None);
                }
                let count = share.min(programs - done);
                match children::run_seeds(Seeds { first: first + done, stride: 1, count, steps }) {
                    Ending::Fine(more) => coverage.add(&more),
                    Ending::Failed(seed, wrong) => {
                        next.store(programs, std::sync::atomic::Ordering::SeqCst);
                        return (coverage, Some((seed, wrong)));
                    }
                }
            }
        };
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let mut sum = Coverage::default();
        let mut failure = None;
        for thread in threads {
            let (coverage, failed) = thread.join().expect("workers do not panic");
            sum.add(&coverage);
            failure = failure.or(failed);
        }
        (sum, failure)
    });
    if let Some((seed, wrong)) = failure {
        tell(seed, steps, &wrong);
    }
    println!("{coverage}");
    // All but those whose heap does not fit into the limit that it was given.
    assert!(coverage.programs <= programs && coverage.programs * 50 > programs * 48);
    assert!(coverage.collections >= 3 * coverage.programs);
    // Fewer programs cannot be expected to try everything.
    if programs >= PROGRAMS && steps >= STEPS as usize {
        assert!(coverage.numbers > coverage.programs);
        assert!(coverage.weak_deaths * 50 > coverage.weaks && coverage.finalizers * 6 > coverage.weak_deaths);
        let mut empty = coverage.empty_cells();
        if programs < ALL {
            empty.retain(|cell| !cell.contains(SELDOM));
        }
        let allowed = if programs >= THOROUGH { 0 } else { RARE };
        assert!(empty.len() <= allowed, "never tried: {empty:#?}");
    }
}

/// The table of what was never tried is empty there.
#[test]
fn the_continuous_checks_ask_for_enough() {
    let (_, asked) = include_str!("../.ci/run").split_once("BARROW_MODEL_PROGRAMS:-").expect("a number");
    let (asked, _) = asked.split_once('}').expect("its end");
    assert!(asked.parse::<u64>().unwrap() >= THOROUGH, "{asked}");
}

/// Makes a failing program small and tells it.
fn tell(seed: u64, steps: usize, wrong: &str) -> ! {
    let program = Program::random(seed, steps);
    if number("BARROW_MODEL_SHRINK", 1) == 0 {
        panic!("seed {seed}: {wrong}");
    }
    let mut last = wrong.to_string();
    let small = shrink(&program, SHRINKING, |candidate| match children::run_alone(candidate) {
        Some(wrong) => {
            last = wrong;
            true
        }
        None => false,
    });
    panic!("seed {seed}: {wrong}\n\nsmallest: {last}\n{small}\nBARROW_MODEL_PROGRAM={}\n", small.to_hex());
}
