//! LCOV tracefiles (`.info`): one record for each source file.

use crate::coverage::lines::FileCoverage;

pub fn write(files: &[FileCoverage]) -> String {
    let mut out = String::new();
    for file in files {
        record(file, &mut out);
    }
    out
}

fn record(file: &FileCoverage, out: &mut String) {
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    line("TN:".to_string());
    line(format!("SF:{}", one_line(&file.source)));
    for function in &file.functions {
        line(format!("FN:{},{}", function.line, one_line(&function.name)));
    }
    for function in &file.functions {
        line(format!("FNDA:{},{}", function.hits, one_line(&function.name)));
    }
    let functions = file.function_share();
    line(format!("FNF:{}", functions.total));
    line(format!("FNH:{}", functions.covered));
    for (number, at) in &file.lines {
        for (block, ways) in at.branches.iter().enumerate() {
            let reached = ways.iter().any(|&taken| taken > 0);
            for (branch, taken) in ways.iter().enumerate() {
                // A dash: the decision was never made, so neither way was refused.
                let taken = if reached { taken.to_string() } else { "-".to_string() };
                line(format!("BRDA:{number},{block},{branch},{taken}"));
            }
        }
    }
    let branches = file.branch_share();
    line(format!("BRF:{}", branches.total));
    line(format!("BRH:{}", branches.covered));
    for (number, at) in &file.lines {
        if let Some(hits) = at.hits {
            line(format!("DA:{number},{hits}"));
        }
    }
    let lines = file.line_share();
    line(format!("LF:{}", lines.total));
    line(format!("LH:{}", lines.covered));
    line("end_of_record".to_string());
}

/// The format has no escapes: a name with a line break would be taken for a record.
fn one_line(name: &str) -> String {
    name.chars()
        .map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { '?' } else { c })
        .collect()
}
