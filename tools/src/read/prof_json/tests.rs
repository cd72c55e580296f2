//! The JSON reader: real files, one that is no JSON, faults by line, deep trees, damage.

use super::*;
use std::path::Path;

fn fixture(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/prof").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn fault(text: &str) -> String {
    read("f.json", text.as_bytes()).expect_err("must be refused").to_string()
}

#[test]
fn a_whole_profile() {
    let file = read("nfib", &fixture("nfib-pj.json")).expect("sound");
    assert!(file.warnings.is_empty());
    let report = file.report.expect("a report");
    assert_eq!((report.ticks, report.tick_us, report.alloc), (2, 1000, 4_055_568));
    assert_eq!(report.job, "Nfib +RTS -pj -RTS");
    assert_eq!(report.nodes[0].label, "MAIN");
    assert_eq!(report.nodes.iter().map(|node| node.bytes).sum::<f64>(), 4_055_568.0);
    // In the file's order: CAF, main, f, nfib, then back up to g.
    let labels: Vec<&str> = report.nodes[..6].iter().map(|node| node.label.as_str()).collect();
    assert_eq!(labels, ["MAIN", "CAF", "main", "f", "nfib", "g"]);
}

#[test]
fn quotes_that_were_not_escaped() {
    let file = read("names", &fixture("names-pj.json")).expect("mended");
    assert!(file.warnings[0].ends_with("a quote inside a name is not escaped; read as if it were"));
    let report = file.report.expect("a report");
    for label in ["say\"hi\"", "back\\slash", "длина", "pa(ren"] {
        assert!(report.nodes.iter().any(|node| node.label == label), "{label}");
    }
    let args = read("args", &fixture("nfib-args-json.json")).expect("mended").report.expect("a report");
    assert!(args.job.ends_with("one two words quo\"te back\\slash"), "{}", args.job);
}

#[test]
fn faults_are_told_with_their_line() {
    assert_eq!(fault("{"), "f.json:1: column 1: EOF while parsing an object");
    assert_eq!(fault("{}"), "f.json:1: column 2: missing field `total_time`");
    let good = String::from_utf8(fixture("nfib-pj.json")).expect("UTF-8");
    let bad = |from: &str, to: &str| fault(&good.replacen(from, to, 1));
    let ticks = bad("\"total_ticks\": 2", "\"total_ticks\": -2");
    assert_eq!(ticks, "f.json:8: column 17: invalid value: integer `-2`, expected u64");
    let missing = bad("{\"id\": 1, \"entries\"", "{\"id\": 1, \"entrie\"");
    assert_eq!(missing, "f.json:15: column 2: missing field `entries`");
    let unknown = bad("{\"id\": 123, \"entries\"", "{\"id\": 999, \"entries\"");
    assert_eq!(unknown, "f.json:14: the tree uses centre 999, which cost_centres lacks");
}

/// A number that begins with that of the unknown centre is another's.
#[test]
fn an_unknown_centre_is_found_by_its_whole_number() {
    let text = "{\"total_time\":0,\"total_ticks\":0,\"tick_interval\":0,\"total_alloc\":0,\n\
        \"cost_centres\":[{\"id\": 12,\"label\":\"a\"}],\n\
        \"profile\":{\"id\": 12,\"entries\":0,\"ticks\":0,\"alloc\":1,\"children\":[\n\
        {\"id\": 1,\"entries\":0,\"ticks\":0,\"alloc\":1}]}}";
    assert_eq!(fault(text), "f.json:4: the tree uses centre 1, which cost_centres lacks");
}

/// Each level of the tree is two of JSON.
fn tower(depth: usize) -> String {
    let head = "{\"total_time\":0,\"total_ticks\":0,\"tick_interval\":0,\"total_alloc\":0,\
        \"cost_centres\":[{\"id\":1,\"label\":\"a\"}],\"profile\":";
    let open = "{\"id\":1,\"entries\":0,\"ticks\":0,\"alloc\":1,\"children\":[".repeat(depth);
    format!("{head}{open}{}}}", "]}".repeat(depth))
}

#[test]
fn deep_trees_are_read_and_too_deep_ones_refused() {
    let report = read("deep", tower(DEEPEST).as_bytes()).expect("read").report.expect("a report");
    assert_eq!(report.nodes.len(), DEEPEST);
    assert_eq!(report.inherited(crate::prof::Measure::Alloc)[0], DEEPEST as f64);
    let refused = "f.json:1: a tree of 10001 levels; 10000 is the most that is read";
    assert_eq!(fault(&tower(DEEPEST + 1)), refused);
}

#[test]
fn long_names_are_cut() {
    let long =
        tower(3).replace("\"a\"", &format!("\"{}\",\"src_loc\":\"{}\"", "é".repeat(5000), "b".repeat(256)));
    let report = read("long", long.as_bytes()).expect("read").report.expect("a report");
    let label = &report.nodes[2].label;
    let (start, number) = label.split_once("...").expect("a cut");
    assert_eq!((start, number.len()), (&*"é".repeat(122), 8), "{label}");
    assert_eq!(report.nodes[2].src.len(), 256);
}

/// Names that differ behind the cut stay two, and are the same in each file.
#[test]
fn long_names_stay_apart() {
    let centre = |id: usize, last: &str| format!("{{\"id\":{id},\"label\":\"{}{last}\"}}", "a".repeat(300));
    let stack = |id: usize, below: &str| {
        format!("{{\"id\":{id},\"entries\":0,\"ticks\":0,\"alloc\":1,\"children\":[{below}]}}")
    };
    let file = |centres: [String; 2]| {
        let head = "\"total_time\":0,\"total_ticks\":0,\"tick_interval\":0,\"total_alloc\":0";
        let text = format!(
            "{{{head},\"cost_centres\":[{}],\"profile\":{}}}",
            centres.join(","),
            stack(1, &stack(2, ""))
        );
        let report = read("apart", text.as_bytes()).expect("read").report.expect("a report");
        [report.nodes[0].label.clone(), report.nodes[1].label.clone()]
    };
    let [one, other] = file([centre(1, "b"), centre(2, "c")]);
    assert_ne!(one, other);
    assert_eq!(file([centre(2, "b"), centre(1, "c")]), [other, one]);
}

#[test]
fn fuzz_prof_json() {
    let files = ["nfib-pj.json", "names-pj.json"].map(fixture);
    let words: [&[u8]; 8] =
        [b"\"", b"{", b"[", b"]}", b"\"children\": [", b"\"id\": 1", b"1e999", b"99999999999999999999999"];
    crate::fuzz::run(&files, &words, |bytes| {
        let _ = read("f.json", bytes);
    });
}
