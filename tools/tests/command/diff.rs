//! `barrow diff`: what is compared, what is brought onto common ground first, and what has none.

use super::common::{Scratch, fixture};
use std::path::Path;
use std::process::Command;

/// Status, standard output and standard error.
fn diff(before: &Path, after: &Path, more: &[&str]) -> (Option<i32>, String, String) {
    let run = Command::new(env!("CARGO_BIN_EXE_barrow"))
        .arg("diff")
        .args([before, after])
        .args(more)
        .output()
        .expect("barrow runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (run.status.code(), text(run.stdout), text(run.stderr))
}

fn of(before: &str, after: &str, more: &[&str]) -> (Option<i32>, String, String) {
    diff(&fixture(before), &fixture(after), more)
}

/// The columns of the row that has this name.
fn row<'a>(table: &'a str, name: &str) -> Vec<&'a str> {
    let line = table.lines().find(|line| line.ends_with(&format!("  {name}")));
    let line = line.unwrap_or_else(|| panic!("no row {name}: {table}"));
    line.strip_suffix(name)
        .unwrap_or(line)
        .split("  ")
        .map(str::trim)
        .filter(|cell| !cell.is_empty())
        .collect()
}

#[test]
fn two_of_a_kind() {
    let (status, said, told) = of("hp/leak-hc.hp", "hp/leak-hc-fine.hp", &["--by", "peak", "--top", "3"]);
    let lines: Vec<&str> = said.lines().collect();
    assert!(status == Some(0) && told.is_empty(), "{told}");
    assert_eq!(lines.len(), 1 + 3 + 1 + 1, "{said}");
    assert!(lines[4].ends_with("more)") && lines[5].ends_with("  all"), "{said}");
    let (_, said, _) = of("prof/leak-P.prof", "prof/leak-P.prof", &[]);
    assert!(said.lines().skip(1).all(|line| line.trim_start().starts_with("0 B ")), "{said}");
    assert_eq!(of("prof/leak-P.prof", "hp/leak-hc.hp", &[]).0, Some(1));
}

#[test]
fn bands_that_are_not_the_same_things_are_refused() {
    let scratch = Scratch::new("diff-refused");
    for (before, after, why) in [
        ("hp/leak-hd.hp", "hp/leak-hy.hp", "by closure description (-hd), "),
        ("hp/leak-hy.hp", "hp/leak-hb.hp", "by biography (-hb)"),
        ("hp/leak-hm.hp", "hp/two-hc-hm.hp", "by module (-hm)"),
    ] {
        let (status, said, told) = of(before, after, &[]);
        assert!(status == Some(1) && said.is_empty() && told.contains(why), "{before}: {said}{told}");
        assert!(told.contains("the same -h flag"), "{told}");
        let page = scratch.path().join("page.html");
        let (status, _, _) = of(before, after, &["--html", page.to_str().expect("UTF-8")]);
        assert!(status == Some(1) && !page.exists());
    }
    let text = std::fs::read_to_string(fixture("hp/leak-hc.hp")).expect("a fixture");
    let other = scratch.path().join("closures.hp");
    std::fs::write(&other, text.replacen("VALUE_UNIT \"bytes\"", "VALUE_UNIT \"closures\"", 1))
        .expect("written");
    let (status, _, told) = diff(&fixture("hp/leak-hc.hp"), &other, &[]);
    assert!(
        status == Some(1) && told.contains(" counts bytes, ") && told.contains(" counts closures"),
        "{told}"
    );
    // What only one of them counts can be compared, and is told.
    let (status, _, told) = of("hp/leak-hc-coarse.hp", "hp/leak-hc-hcwords.hp", &[]);
    assert!(
        status == Some(0) && told.contains("has everything, ") && told.contains("has -hcwords: "),
        "{told}"
    );
}

#[test]
fn ticks_of_another_length_are_compared_as_time() {
    let scratch = Scratch::new("diff-ticks");
    let text = std::fs::read_to_string(fixture("prof/nfib-pj.json")).expect("a fixture");
    let slow = scratch.path().join("slow.json");
    std::fs::write(&slow, text.replacen("\"tick_interval\": 1000,", "\"tick_interval\": 10000,", 1))
        .expect("written");
    let (status, said, told) = diff(&fixture("prof/nfib-pj.json"), &slow, &["--measure", "time"]);
    assert!(status == Some(0) && told.contains("compared as ticks of 1000 "), "{told}");
    let all = row(&said, "all");
    let seconds = |cell: &str| cell.trim_end_matches(" s").parse::<f64>().expect("seconds");
    assert!(seconds(all[1]) > 0.0 && (seconds(all[2]) / seconds(all[1]) - 10.0).abs() < 0.01, "{said}");
    // None at all are no times to compare.
    let (status, _, told) = of("prof/leak-V0.prof", "prof/leak-p.prof", &["--measure", "time"]);
    assert!(status == Some(1) && told.contains("leak-V0.prof has no ticks (-V0)"), "{told}");
}

#[test]
fn centres_that_one_report_alone_counts_are_left_out() {
    for (before, after) in
        [("prof/nfib-P.prof", "prof/nfib-Pa.prof"), ("prof/nfib-Pa.prof", "prof/nfib-P.prof")]
    {
        let (status, said, told) = of(before, after, &["--top", "0"]);
        assert!(status == Some(0) && told.contains("nfib-Pa.prof alone has OVERHEAD_of, "), "{told}");
        assert_eq!(row(&said, "all")[0], "0 B", "{said}");
        assert!(said.lines().skip(1).all(|line| line.trim_start().starts_with("0 B ")), "{said}");
        assert!(!said.contains("OVERHEAD_of"));
    }
    // Both have them: they count.
    let (_, said, told) = of("prof/nfib-Pa.prof", "prof/nfib-pj.json", &["--top", "0"]);
    assert!(told.is_empty() && said.contains("OVERHEAD_of"), "{told}{said}");
}

#[test]
fn percentages_tell_no_small_changes() {
    let (status, said, told) = of("prof/leak-p.prof", "prof/leak-P.prof", &[]);
    assert!(status == Some(0) && told.contains("percentages with one decimal"), "{told}");
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 3, "{said}");
    assert!(lines[1].ends_with(" that may be rounding alone)"), "{said}");
    assert_eq!(row(&said, "all")[0], "0 B");
    // Times did change, by more than that.
    let (_, said, _) = of("prof/leak-p.prof", "prof/leak-P.prof", &["--measure", "time"]);
    assert!(said.contains("+0.007 s") && said.contains("may be rounding"), "{said}");
}

fn ticky(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/ticky").join(name)
}

#[test]
fn ticky_counters() {
    let (one, other) = (ticky("Leak.ticky"), ticky("LeakAll.ticky"));
    let (status, said, told) = diff(&one, &other, &[]);
    assert!(status == Some(0), "{told}");
    assert!(row(&said, "Main.$w$sinsertT").len() == 3 || said.contains("insertT"), "{said}");
    let (status, said, told) = diff(&one, &other, &["--counters", "--top", "0"]);
    assert!(status == Some(0), "{told}");
    assert_eq!(row(&said, "ALLOC_HEAP_ctr").len(), 3, "{said}");
    let (status, said, told) = diff(&one, &other, &["--counters", "--by", "peak"]);
    assert!(status == Some(1) && said.is_empty() && told.contains("--by is for heap profiles"), "{told}");
    // Times are not counted, and counters are no cost centres.
    let (status, _, told) = diff(&one, &other, &["--measure", "time"]);
    assert!(status == Some(1) && told.contains("no times to compare"), "{told}");
    let (status, _, told) = diff(&one, &fixture("prof/leak-P.prof"), &[]);
    assert!(status == Some(1) && told.contains("they count different things"), "{told}");
    let (status, _, told) = of("prof/leak-P.prof", "prof/leak-P.prof", &["--counters"]);
    assert!(status == Some(1) && told.contains("--counters is for reports of ticky counters"), "{told}");
}

/// Two snapshots, by type: the sums are those that `barrow check` tells.
#[test]
fn snapshots_by_type() {
    let [half, end] = ["half", "end"].map(|when| fixture(&format!("leaks/forgotten.{when}.snapshot.gz")));
    let output = Command::new(env!("CARGO_BIN_EXE_barrow"))
        .arg("diff")
        .args([&half, &end])
        .output()
        .expect("barrow runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines: Vec<Vec<&str>> = said.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[1], ["+173", "KiB", "245", "KiB", "418", "KiB", "Text"]);
    assert_eq!(lines.last().expect("all")[..6], ["+177", "KiB", "252", "KiB", "429", "KiB"]);
    for args in [&["--by", "mean"][..], &["--measure", "alloc"]] {
        let refused = Command::new(env!("CARGO_BIN_EXE_barrow"))
            .arg("diff")
            .args([&half, &end])
            .args(args)
            .output()
            .expect("runs");
        assert_eq!(refused.status.code(), Some(1), "{args:?}");
    }
    let other = Command::new(env!("CARGO_BIN_EXE_barrow"))
        .arg("diff")
        .args([half, fixture("hp/leak-hc.hp")])
        .output()
        .expect("runs");
    assert_eq!(other.status.code(), Some(1));
}

/// A profile of one sample with two of the values of Go's heap profiles, and the name of its own one among the texts: 2 or 3.
fn go(scratch: &Scratch, name: &str, values: [&str; 2], numbers: [i64; 2], own: i64) -> std::path::PathBuf {
    fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
        [&[number << 3 | 2, bytes.len() as u8], bytes].concat()
    }
    fn count(number: u8, value: i64) -> Vec<u8> {
        vec![number << 3, value as u8]
    }
    let texts = ["", "bytes", values[0], values[1], "main.grow"];
    let mut file = Vec::new();
    for value in [2, 3] {
        file.extend(field(1, &[count(1, value), count(2, 1)].concat()));
    }
    file.extend(field(2, &[count(1, 1), count(2, numbers[0]), count(2, numbers[1])].concat()));
    file.extend(field(4, &[count(1, 1), field(4, &count(1, 1))].concat()));
    file.extend(field(5, &[count(1, 1), count(2, 4)].concat()));
    texts.iter().for_each(|text| file.extend(field(6, text.as_bytes())));
    file.extend(count(14, own));
    let path = scratch.path().join(name);
    std::fs::write(&path, file).expect("a file");
    path
}

/// As Go's heap and allocs profiles, which have the same values, and each another one first.
#[test]
fn samples_are_compared_in_one_value() {
    let scratch = Scratch::new("diff-values");
    let values = ["alloc_space", "inuse_space"];
    let heap = go(&scratch, "heap.pprof", values, [100, 10], 3);
    let allocs = go(&scratch, "allocs.pprof", values, [120, 13], 2);
    let (status, said, told) = diff(&heap, &allocs, &[]);
    assert_eq!(status, Some(0), "{told}");
    assert_eq!(row(&said, "main.grow"), ["+20 B", "100 B", "120 B"], "the later one's: {said}");
    let (_, said, _) = diff(&allocs, &heap, &[]);
    assert_eq!(row(&said, "main.grow"), ["-3 B", "13 B", "10 B"], "{said}");
}

#[test]
fn names_cannot_steer_the_terminal() {
    let scratch = Scratch::new("diff-terminal");
    let head = "JOB \"a\"\nDATE \"d\"\nSAMPLE_UNIT \"seconds\"\nVALUE_UNIT \"bytes\"\n";
    scratch.file("a.hp", &format!("{head}BEGIN_SAMPLE 0.0\n\u{1b}[2Jgrow\t8\nEND_SAMPLE 0.0\n"));
    let path = scratch.path().join("a.hp");
    let (status, said, told) = diff(&path, &path, &[]);
    assert!(status == Some(0) && said.contains("[2Jgrow"), "{said}{told}");
    assert!(!said.contains('\u{1b}'), "{said:?}");
}
