//! The figures of `hpc report` as text.

use super::escape::visible;
use crate::coverage::tally::{Decisions, Tally, Used};

/// One block of lines: for a module, or for all of them.
pub fn block(tally: &Tally, declarations: bool) -> String {
    let mut lines = vec![
        used("expressions used", tally.expressions),
        used("boolean coverage", tally.booleans().covered()),
        format!("     {}", decided("guards", tally.guards)),
        format!("     {}", decided("'if' conditions", tally.conditions)),
        format!("     {}", decided("qualifiers", tally.qualifiers)),
        used("alternatives used", tally.alternatives),
        used("local declarations used", tally.local),
        used("top-level declarations used", tally.top_level),
    ];
    let unused = tally.unused_sorted();
    if declarations && !unused.is_empty() {
        lines.push("unused declarations:".to_string());
        lines.extend(unused.iter().map(|name| format!("     {}", visible(name))));
    }
    lines.join("\n") + "\n"
}

pub fn module_heading(name: &str) -> String {
    format!("-----<module {}>-----\n", visible(name))
}

fn used(what: &str, used: Used) -> String {
    // Nothing out of nothing counts as all of it.
    let percent = used.percent().unwrap_or(100);
    format!("{percent:3}% {what} ({}/{})", used.used, used.boxes)
}

fn decided(what: &str, made: Decisions) -> String {
    let missing = [
        (made.always_true, "always True"),
        (made.always_false, "always False"),
        (made.unevaluated, "unevaluated"),
    ];
    let missing = missing.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!(", {n} {what}"));
    used(what, made.covered()) + &missing.collect::<String>()
}
