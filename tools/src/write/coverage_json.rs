//! `hpc report --json`: the figures of the text report, each under its own name. docs/coverage.md gives the fields.

use super::escape::json;
use crate::coverage::tally::{Decisions, Tally, Used};

/// `modules` only if each is wanted, unused declarations only with `declarations`.
pub fn write(name: &str, modules: Option<&[(&str, &Tally)]>, total: &Tally, declarations: bool) -> String {
    let mut out = format!("{{\n  \"coverage\": {},\n", json(name));
    if let Some(modules) = modules {
        let modules: Vec<String> = modules
            .iter()
            .map(|(name, tally)| {
                let figures = figures(tally, declarations, "      ");
                format!("    {{\n      \"module\": {},\n{figures}\n    }}", json(name))
            })
            .collect();
        let list = if modules.is_empty() { String::new() } else { format!("\n{}\n  ", modules.join(",\n")) };
        out.push_str(&format!("  \"modules\": [{list}],\n"));
    }
    out.push_str(&format!("  \"summary\": {{\n{}\n  }}\n}}\n", figures(total, declarations, "    ")));
    out
}

fn figures(tally: &Tally, declarations: bool, indent: &str) -> String {
    let mut fields = vec![
        used("expressions", tally.expressions),
        decided("booleans", tally.booleans()),
        decided("guards", tally.guards),
        decided("conditions", tally.conditions),
        decided("qualifiers", tally.qualifiers),
        used("alternatives", tally.alternatives),
        used("local_declarations", tally.local),
        used("top_level_declarations", tally.top_level),
    ];
    if declarations {
        let names: Vec<String> = tally.unused_sorted().iter().map(|name| json(name)).collect();
        fields.push(format!("\"unused_declarations\": [{}]", names.join(", ")));
    }
    fields.iter().map(|field| format!("{indent}{field}")).collect::<Vec<_>>().join(",\n")
}

fn used(name: &str, used: Used) -> String {
    format!("\"{name}\": {{\"boxes\": {}, \"used\": {}}}", used.boxes, used.used)
}

fn decided(name: &str, made: Decisions) -> String {
    format!(
        "\"{name}\": {{\"boxes\": {}, \"covered\": {}, \"always_true\": {}, \"always_false\": {}, \"unevaluated\": {}}}",
        made.boxes,
        made.covered().used,
        made.always_true,
        made.always_false,
        made.unevaluated
    )
}
