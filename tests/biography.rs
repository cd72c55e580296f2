//! Biography by difference is the reference's biography: on random histories, at every census, in every phase, at the
//! end and for a run that was killed after any census.

#[path = "support/shares.rs"]
mod shares;

use barrow::profile::biography::journal::{Journal, Samples, finish};
use barrow::testkit::biography::{History, Step};
use barrow::testkit::random::Random;
use shares::in_threads;

fn check(seed: u64) {
    let history = History::random(seed);
    if history.run().is_err() {
        let small = history.shrunk();
        panic!("seed {seed}: {}\n{small:#?}", small.run().expect_err("it still fails"));
    }
}

#[test]
fn difference_is_the_references_algorithm() {
    let count = std::env::var("BARROW_HISTORIES").ok().and_then(|text| text.parse().ok()).unwrap_or(20_000);
    in_threads(count, check);
    println!("{count} histories");
}

#[test]
fn a_used_object_is_lag_then_use_then_drag() {
    let steps = [
        Step::Create { bytes: 16, kind: 0 },
        Step::Census,
        Step::Census,
        Step::Use(0),
        Step::Census,
        Step::Census,
        Step::Drop(0),
        Step::Census,
    ];
    for changing in [false, true] {
        History { changing, before: 0, kinds: 1, steps: steps.to_vec() }
            .run()
            .expect("as the reference says");
    }
}

struct Nothing;

impl Samples for Nothing {
    fn begin(&mut self, _: f64) -> barrow::base::Outcome<()> {
        Ok(())
    }
    fn band(&mut self, _: &[u8], _: u64) -> barrow::base::Outcome<()> {
        Ok(())
    }
    fn end(&mut self, _: f64) -> barrow::base::Outcome<()> {
        Ok(())
    }
    fn mark(&mut self, _: f64) -> barrow::base::Outcome<()> {
        Ok(())
    }
}

fn read(bytes: &[u8]) -> Result<usize, String> {
    let journal = Journal::open(bytes).map_err(|failure| failure.sentence.as_str().to_owned())?;
    for profile in 0..journal.profiles.len() {
        finish(&journal, profile, &mut Nothing).map_err(|failure| failure.sentence.as_str().to_owned())?;
    }
    Ok(journal.left_over)
}

#[test]
fn a_cut_journal_is_taken_as_far_as_it_is_whole() {
    let journal = History::random(7).journal().expect("memory");
    let mut readable = 0;
    for length in 0..journal.len() {
        match read(&journal[..length]) {
            Ok(left_over) => {
                readable += 1;
                assert!(left_over < length);
            }
            Err(sentence) => assert!(sentence.starts_with("this "), "{sentence}"),
        }
    }
    assert!(readable > journal.len() / 2);
}

#[test]
fn any_bytes_are_a_sentence_and_no_crash() {
    let journal = History::random(3).journal().expect("memory");
    let mut random = Random::new(1);
    for _ in 0..20_000 {
        let mut bytes = journal.clone();
        for _ in 0..1 + random.below(4) {
            let at = random.below(bytes.len());
            bytes[at] = random.bits() as u8;
        }
        barrow::testkit::biography::seal_again(&mut bytes);
        let _ = read(&bytes);
    }
}
