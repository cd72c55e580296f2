//! Cobertura XML (the 04 DTD): one package, one class for each module.

use crate::coverage::lines::{FileCoverage, Line, Share};
use crate::write::escape::markup_line;
use std::fmt::Write;

/// `timestamp`: seconds since 1970, which the format demands; the caller takes that of the `.tix`.
pub fn write(files: &[FileCoverage], timestamp: u64) -> String {
    let all =
        |share: fn(&FileCoverage) -> Share| files.iter().map(share).fold(Share::default(), |a, b| a + b);
    let (lines, branches) = (all(FileCoverage::line_share), all(FileCoverage::branch_share));
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n",
    );
    // Writing to a string can not fail, here and below.
    let _ = writeln!(
        out,
        "<coverage {} lines-covered=\"{}\" lines-valid=\"{}\" branches-covered=\"{}\" branches-valid=\"{}\" \
         complexity=\"0\" version=\"barrow {}\" timestamp=\"{timestamp}\">",
        rates(lines, branches),
        lines.covered,
        lines.total,
        branches.covered,
        branches.total,
        env!("CARGO_PKG_VERSION"),
    );
    out.push_str("  <sources>\n    <source>.</source>\n  </sources>\n  <packages>\n");
    let _ = writeln!(out, "    <package name=\"\" {} complexity=\"0\">", rates(lines, branches));
    out.push_str("      <classes>\n");
    for file in files {
        class(file, &mut out);
    }
    out.push_str("      </classes>\n    </package>\n  </packages>\n</coverage>\n");
    out
}

fn class(file: &FileCoverage, out: &mut String) {
    let _ = writeln!(
        out,
        "        <class name=\"{}\" filename=\"{}\" {} complexity=\"0\">",
        markup_line(&file.module),
        markup_line(&file.source),
        rates(file.line_share(), file.branch_share()),
    );
    out.push_str("          <methods>\n");
    for function in &file.functions {
        let rate = if function.hits > 0 { 1 } else { 0 };
        let _ = writeln!(
            out,
            "            <method name=\"{}\" signature=\"\" line-rate=\"{rate}\" branch-rate=\"1\" complexity=\"0\">\n\
             \x20             <lines><line number=\"{}\" hits=\"{}\"/></lines>\n            </method>",
            markup_line(&function.name),
            function.line,
            function.hits,
        );
    }
    out.push_str("          </methods>\n          <lines>\n");
    for (number, line) in &file.lines {
        self::line(*number, line, out);
    }
    out.push_str("          </lines>\n        </class>\n");
}

fn line(number: u32, line: &Line, out: &mut String) {
    // A line with nothing but decisions was reached as often as they were made.
    let made = || line.branches.iter().map(|[t, f]| t.saturating_add(*f)).max().unwrap_or(0);
    let _ = write!(out, "            <line number=\"{number}\" hits=\"{}\"", line.hits.unwrap_or_else(made));
    if line.branches.is_empty() {
        out.push_str("/>\n");
        return;
    }
    let share = line.branch_share();
    let percent = |share: Share| share.covered * 100 / share.total.max(1);
    let (covered, total) = (share.covered, share.total);
    let _ = writeln!(out, " branch=\"true\" condition-coverage=\"{}% ({covered}/{total})\">", percent(share));
    out.push_str("              <conditions>");
    for (n, ways) in line.branches.iter().enumerate() {
        let taken = ways.iter().filter(|&&hits| hits > 0).count() * 50;
        let _ = write!(out, "<condition number=\"{n}\" type=\"jump\" coverage=\"{taken}%\"/>");
    }
    out.push_str("</conditions>\n            </line>\n");
}

/// Nothing out of nothing counts as all, as in hpc's own report.
fn rates(lines: Share, branches: Share) -> String {
    let rate = |share: Share| match share.total {
        0 => "1".to_string(),
        total => format!("{:.4}", share.covered as f64 / total as f64),
    };
    format!("line-rate=\"{}\" branch-rate=\"{}\"", rate(lines), rate(branches))
}
