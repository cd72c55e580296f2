//! `include/barrow.h` is what the library's declarations say.

#[test]
fn the_committed_header_is_the_generated_one() {
    let made = env!("BARROW_HEADER");
    let generated = std::fs::read_to_string(made).unwrap();
    let committed = include_str!("../include/barrow.h");
    let different = generated.lines().zip(committed.lines()).position(|(new, old)| new != old);
    let same = generated == committed;
    assert!(same, "include/barrow.h is stale from line {different:?} on: ci/header.sh brings it up to date");
}
