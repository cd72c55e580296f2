//! Every export is called with bad arguments from C, or stands here with the reason why it has none.

const LIST: &str = include_str!("../abi/symbols.txt");
const MISUSE: [&str; 3] = [
    include_str!("../c-tests/misuse.c"),
    include_str!("../c-tests/misuse_profilers.c"),
    include_str!("../c-tests/misuse_others.c"),
];

/// They take no argument, and there is no time at which they may not be called.
const NOTHING_TO_MISUSE: [&str; 3] = ["barrow_fork_prepare", "barrow_fork_parent", "barrow_fork_child"];

#[test]
fn every_export_is_misused() {
    let called = |name: &str| {
        MISUSE.iter().any(|text| {
            text.match_indices(name).any(|(at, _)| {
                let before = text[..at].chars().next_back();
                text[at + name.len()..].starts_with('(')
                    && before.is_some_and(|c| c != '_' && !c.is_alphanumeric())
            })
        })
    };
    let is_exempt = |name: &str| NOTHING_TO_MISUSE.contains(&name);
    let listed = || LIST.lines().filter(|line| !line.is_empty());
    let missing: Vec<_> = listed().filter(|name| !called(name) && !is_exempt(name)).collect();
    assert!(missing.is_empty(), "no c-tests/misuse*.c calls {missing:?}");
    assert!(NOTHING_TO_MISUSE.iter().all(|name| !called(name) && listed().any(|listed| listed == *name)));
}
