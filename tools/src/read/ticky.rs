//! Reads a report of ticky counters (`-r`), the library's or GHC's: the table of functions becomes a report in which each
//! function is called by the root, with its entries and the bytes that its code allocated, and the counters below it a list.
//! The blocks before the table say in words what the counters say.

use super::ReadError;
use crate::prof::{Counter, Node, ProfFile, Report};

const TABLE: &str = "STG Name";

pub fn read(name: &str, bytes: &[u8]) -> Result<ProfFile, ReadError> {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines().enumerate().map(|(number, line)| (number + 1, line));
    let job = lines.next().map_or("", |(_, line)| line.trim()).to_owned();
    if !lines.by_ref().any(|(_, line)| line.trim_end().ends_with(TABLE)) {
        return Err(ReadError::file(name, "the report ends before its table of functions"));
    }
    let mut report = Report { job, processors: 1, exact: true, is_ticky: true, ..Report::default() };
    report.nodes.push(Node { label: "all functions".into(), ..Node::default() });
    let mut counters = Vec::new();
    let mut is_function = true;
    let mut is_whole = false;
    for (number, line) in lines {
        let line = line.trim_end();
        if line.starts_with("---") || line.is_empty() {
            continue;
        }
        if line.starts_with("***") {
            (is_function, is_whole) = (false, true);
        } else if is_function {
            let node = function(line).ok_or_else(|| {
                ReadError::at(name, number, "expected entries, bytes, bytes, arity, arguments and a name")
            })?;
            report.alloc = report.alloc.saturating_add(node.bytes as u64);
            report.nodes.push(Node { number: report.nodes.len() as u64, ..node });
        } else if let Some(counter) = counter(line) {
            counters.push(counter);
        } else if !line.contains("requires +RTS") {
            return Err(ReadError::at(name, number, "expected a counter: its value and its name"));
        }
    }
    if !is_whole || !bytes.ends_with(b"\n") {
        return Err(ReadError::file(name, "the report ends before its counters do"));
    }
    Ok(ProfFile { report: Some(report), counters, ..ProfFile::default() })
}

/// `957448   57820672          0   2 IM                   $w$sinsertT{v r3Uc} (Main) (fun) in r3Up`
fn function(line: &str) -> Option<Node> {
    let mut rest = line;
    let mut numbers = [0u64; 4];
    for number in &mut numbers {
        let (digits, behind) = rest.trim_start().split_once(' ')?;
        *number = digits.parse().ok()?;
        rest = behind;
    }
    // Arguments are letters, or none: then the column is blank.
    let named = if rest.starts_with(' ') { rest } else { rest.split_once(' ')?.1 };
    let (label, module, src) = parts(named.trim_start());
    let [entries, bytes, _, _] = numbers;
    (!label.is_empty()).then(|| Node {
        parent: Some(0),
        label,
        module,
        src,
        entries,
        bytes: bytes as f64,
        ..Node::default()
    })
}

/// `name{v r3Uc} (Module) (fun) in parent` as its name, its module and the rest. A unique such as `r3Uc` is another in
/// each build, so it is no part of the name.
fn parts(named: &str) -> (String, String, String) {
    let (text, parent) = match named.rsplit_once(") in ") {
        Some((text, parent)) => (format!("{text})"), Some(parent)),
        None => (named.to_owned(), None),
    };
    let bracket = |text: &str| -> Option<(String, String)> {
        let (before, inside) = text.strip_suffix(')')?.rsplit_once(" (")?;
        Some((before.to_owned(), inside.to_owned()))
    };
    let (text, what) = bracket(&text).unwrap_or((text, String::new()));
    let (text, module) = bracket(&text).unwrap_or((text, String::new()));
    let label = match text.split_once("{v") {
        Some((label, unique)) if unique.ends_with('}') => label.to_owned(),
        _ => text,
    };
    let src = match parent {
        Some(parent) => format!("{what} in {parent}"),
        None => what,
    };
    (label, module, src)
}

fn counter(line: &str) -> Option<Counter> {
    let (value, name) = line.trim_start().split_once(' ')?;
    Some(Counter { name: name.trim().to_owned(), value: value.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn fixture(name: &str) -> Vec<u8> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/ticky").join(name);
        std::fs::read(path).expect("a fixture")
    }

    #[test]
    fn what_ghc_wrote() {
        for name in
            ["Leak.ticky", "LeakAll.ticky", "Mutual.ticky", "Nfib-ticky.ticky", "Nfib.ticky", "Two.ticky"]
        {
            let file = read(name, &fixture(name)).expect(name);
            assert!(file.counters.len() > 50, "{name}: {}", file.counters.len());
        }
        let file = read("Leak.ticky", &fixture("Leak.ticky")).expect("sound");
        let report = file.report.expect("a report");
        let node = &report.nodes[6];
        assert_eq!(
            (node.label.as_str(), node.module.as_str(), node.src.as_str()),
            ("$w$sinsertT", "Main", "fun")
        );
        assert_eq!((node.entries, node.bytes, node.parent), (957_448, 57_820_672.0, Some(0)));
        assert_eq!(
            (report.nodes[1].label.as_str(), report.nodes[1].src.as_str()),
            ("sat_s3YJ", "fun,se in r3Up")
        );
        assert_eq!(report.alloc, report.nodes.iter().map(|node| node.bytes as u64).sum::<u64>());
        let one = |wanted: &str| file.counters.iter().find(|one| one.name == wanted).map(|one| one.value);
        assert_eq!((one("ALLOC_HEAP_tot"), one("RET_UNBOXED_TUP_hst_3")), (Some(87_802_288), Some(957_448)));
    }

    #[test]
    fn names_of_every_shape() {
        let of = |named: &str| parts(named);
        let wanted = |a: &str, b: &str, c: &str| (a.to_owned(), b.to_owned(), c.to_owned());
        assert_eq!(of("List.map (fun)"), wanted("List.map", "", "fun"));
        assert_eq!(of("go{v 1} (List) (con: Just) in map"), wanted("go", "List", "con: Just in map"));
        assert_eq!(of("bare"), wanted("bare", "", ""));
    }

    #[test]
    fn what_is_wrong_is_told() {
        let text = String::from_utf8(fixture("Nfib.ticky")).expect("UTF-8");
        let fault = |text: &str| read("t.ticky", text.as_bytes()).expect_err("must be refused").to_string();
        assert_eq!(fault("x +RTS\n\nENTERS: 0\n"), "t.ticky: the report ends before its table of functions");
        let table = text.find(TABLE).expect("a table");
        assert_eq!(fault(&text[..table + TABLE.len()]), "t.ticky: the report ends before its counters do");
        assert_eq!(fault(&text[..text.len() - 3]), "t.ticky: the report ends before its counters do");
        let line = 1 + text[..table].matches('\n').count() + 2;
        assert!(
            fault(&text.replacen("          1          0", "          x          0", 1))
                .starts_with("t.ticky:")
        );
        assert!(line > 2);
        assert!(fault(&format!("{text}\nmore words\n")).contains("expected a counter"));
    }

    #[test]
    fn fuzz_ticky() {
        let words: [&[u8]; 6] =
            [b"STG Name", b"***", b" (fun) in ", b"{v", b"18446744073709551616", b"requires +RTS -Z"];
        crate::fuzz::run(&[fixture("Two.ticky"), fixture("Leak.ticky")], &words, |bytes| {
            let _ = read("t.ticky", bytes);
        });
    }
}
