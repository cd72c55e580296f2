//! `hpc report --xml-output`. Names are escaped for XML; a decision's `count` is how many were evaluated at all.

use super::escape::markup_line;
use crate::coverage::tally::{Decisions, Tally, Used};

/// `modules` only if each is wanted; `name` is the `.tix` as the user gave it.
pub fn write(name: &str, modules: &[(&str, &Tally)], total: &Tally) -> String {
    let mut out =
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<coverage name=\"{}\">\n", markup_line(name));
    for (name, tally) in modules {
        out.push_str(&format!("  <module name = \"{}\">\n", markup_line(name)));
        out.push_str(&figures(tally));
        out.push_str("  </module>\n");
    }
    out.push_str(&format!("  <summary>\n{}  </summary>\n</coverage>\n", figures(total)));
    out
}

fn figures(tally: &Tally) -> String {
    let used =
        |name: &str, used: Used| format!("    <{name} boxes=\"{}\" count=\"{}\"/>\n", used.boxes, used.used);
    let decided = |name: &str, made: Decisions| {
        format!(
            "    <{name} boxes=\"{}\" true=\"{}\" false=\"{}\" count=\"{}\"/>\n",
            made.boxes,
            made.always_true,
            made.always_false,
            made.evaluated()
        )
    };
    [
        used("exprs", tally.expressions),
        decided("booleans", tally.booleans()),
        decided("guards", tally.guards),
        decided("conditionals", tally.conditions),
        decided("qualifiers", tally.qualifiers),
        used("alts", tally.alternatives),
        used("local", tally.local),
        used("toplevel", tally.top_level),
    ]
    .concat()
}
