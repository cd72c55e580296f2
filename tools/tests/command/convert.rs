//! Every format that `barrow convert` writes: sums and names against the profile it came from, and, where the program
//! that the format is for is installed, by that program.

use super::common::{Scratch, fixture};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

const BARROW: &str = env!("CARGO_BIN_EXE_barrow");

fn barrow(args: &[&str]) -> Output {
    Command::new(BARROW).args(args).output().expect("barrow runs")
}

fn converted(file: &str, to: &str, more: &[&str]) -> Vec<u8> {
    let path = fixture(file);
    let mut args = vec!["convert", path.to_str().expect("a name in UTF-8"), "--to", to];
    args.extend(more);
    let output = barrow(&args);
    assert!(output.status.success(), "{file} to {to}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn text(file: &str, to: &str, more: &[&str]) -> String {
    String::from_utf8(converted(file, to, more)).expect("UTF-8")
}

/// Runs a foreign program if it is here; otherwise says that it is not.
fn foreign(program: &str, args: &[&str]) -> Option<String> {
    match Command::new(program).args(args).output() {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
            Some(said)
        }
        Err(error) => {
            println!("skipped: {program}: {error}");
            None
        }
    }
}

/// Samples of a heap profile, read in the plainest way.
fn samples(file: &str) -> Vec<(f64, BTreeMap<String, u64>)> {
    let text = std::fs::read_to_string(fixture(file)).expect("a fixture");
    let mut samples: Vec<(f64, BTreeMap<String, u64>)> = Vec::new();
    for line in text.lines() {
        if let Some(time) = line.strip_prefix("BEGIN_SAMPLE ") {
            samples.push((time.parse().expect("a time"), BTreeMap::new()));
        } else if let Some((name, value)) = line.split_once('\t') {
            let sample = &mut samples.last_mut().expect("within a sample").1;
            sample.insert(name.to_owned(), value.parse().expect("a value"));
        }
    }
    samples
}

fn peak(file: &str) -> u64 {
    samples(file).iter().map(|(_, bands)| bands.values().sum()).max().expect("samples")
}

/// Own bytes of the rows of an exact report, by label.
fn own_bytes(file: &str) -> Vec<(String, u64)> {
    let text = std::fs::read_to_string(fixture(file)).expect("a fixture");
    let rows = text.lines().skip_while(|line| !line.contains("individual")).skip(3);
    rows.map(|row| {
        let words: Vec<&str> = row.split_whitespace().collect();
        (words[0].to_owned(), words[words.len() - 1].parse().expect("bytes"))
    })
    .collect()
}

#[test]
fn collapsed() {
    let sum = |text: &str| -> u64 {
        text.lines()
            .map(|line| line.rsplit_once(' ').expect("a value").1.parse::<u64>().expect("whole"))
            .sum()
    };
    let heap = text("hp/leak-hc.hp", "collapsed", &[]);
    assert_eq!(sum(&heap), peak("hp/leak-hc.hp"));
    assert!(heap.contains("\n...;words;mkWords 5030688\n"), "a name that was cut is no root");
    let report = fixture("prof/leak-hc-P.prof");
    let joined = text("hp/leak-hc.hp", "collapsed", &["--prof", report.to_str().expect("UTF-8")]);
    assert_eq!(sum(&joined), peak("hp/leak-hc.hp"));
    assert!(joined.contains("Main.CAF;Main.main;Main.main.ws;Main.words;Main.mkWords 5030688\n"), "{joined}");
    assert!(!joined.contains("..."), "{joined}");
    let end = text("hp/leak-hc.hp", "collapsed", &["--at", "end"]);
    let last = samples("hp/leak-hc.hp").into_iter().rev().find(|(_, bands)| !bands.is_empty()).expect("one");
    assert_eq!(sum(&end), last.1.values().sum::<u64>());
    // The sample with which the runtime closes the profile is empty, and behind it there is none.
    let closing = samples("hp/leak-hc.hp").last().expect("one").0.to_string();
    assert_eq!(text("hp/leak-hc.hp", "collapsed", &["--at", &closing]), end);
    let prof = text("prof/leak-P.prof", "collapsed", &["--measure", "alloc"]);
    assert_eq!(sum(&prof), own_bytes("prof/leak-P.prof").iter().map(|(_, bytes)| bytes).sum::<u64>());
    let ticks = text("prof/leak-P.prof", "collapsed", &[]);
    assert_eq!(sum(&ticks), 114 * 1_000_000, "time is in nanoseconds");
}

#[test]
fn csv_and_json() {
    let all: u64 = samples("hp/leak-hc.hp").iter().flat_map(|(_, bands)| bands.values()).sum();
    let csv = text("hp/leak-hc.hp", "csv", &[]);
    let sum: u64 = csv
        .lines()
        .skip(1)
        .map(|line| line.rsplit_once(',').expect("columns").1.parse::<u64>().expect("whole"))
        .sum();
    assert_eq!(sum, all);
    let json: serde_json::Value =
        serde_json::from_slice(&converted("hp/leak-hc.hp", "json", &[])).expect("JSON");
    let bands = json["bands"].as_array().expect("bands");
    let values = bands.iter().flat_map(|band| band["values"].as_array().expect("values"));
    assert_eq!(values.map(|value| value.as_u64().expect("whole")).sum::<u64>(), all);
    assert_eq!(json["times"].as_array().expect("times").len(), samples("hp/leak-hc.hp").len());
    let prof: serde_json::Value =
        serde_json::from_slice(&converted("prof/leak-hr-p.prof", "json", &[])).expect("JSON");
    assert_eq!(prof["report"]["bytes_allocated"], 212_974_736);
    assert!(prof["retainer_sets"].as_array().expect("sets").len() > 5);
    assert!(text("prof/names-P.prof", "csv", &[]).contains("\"say\"\"hi\"\"\",Main,"));
}

/// Names with commas, quotes and line ends of other systems are where such tables go wrong.
#[test]
fn csv_by_python() {
    let scratch = Scratch::new("csv");
    let program = "import csv, sys; rows = list(csv.DictReader(open(sys.argv[1], newline='')));\
        print(len(rows), sum(int(float(row[sys.argv[2]])) for row in rows), len({row[sys.argv[3]] for row in rows}), \
        max(len(row) for row in rows), None in {key for row in rows for key in row})";
    for (file, value, name) in [
        ("hp/leak-hc.hp", "value", "band"),
        ("hp/names-hc.hp", "value", "band"),
        ("prof/names-P.prof", "bytes", "stack"),
    ] {
        let path = scratch.path().join("table.csv");
        std::fs::write(&path, converted(file, "csv", &[])).expect("written");
        let Some(said) = foreign("python3", &["-c", program, path.to_str().expect("UTF-8"), value, name])
        else {
            return;
        };
        let json: serde_json::Value = serde_json::from_slice(&converted(file, "json", &[])).expect("JSON");
        let wanted = if name == "band" {
            let all: Vec<u64> = samples(file).iter().flat_map(|(_, bands)| bands.values().copied()).collect();
            let bands = json["bands"].as_array().expect("bands").len();
            format!("{} {} {bands} 3 False", all.len(), all.iter().sum::<u64>())
        } else {
            let stacks = json["report"]["stacks"].as_array().expect("stacks");
            let bytes: f64 = stacks.iter().map(|stack| stack["bytes"].as_f64().expect("a number")).sum();
            format!("{} {bytes} {} 10 False", stacks.len(), stacks.len())
        };
        assert_eq!(said.trim(), wanted, "{file}");
    }
}

/// The program that the format is from draws what we completed, with the same peak as the file has.
#[test]
fn completed_heap_profiles_by_the_foreign_hp2ps() {
    let scratch = Scratch::new("hp2ps");
    for file in ["hp/leak-hc-cut-midline.hp", "hp/leak-hc-cut-nosampleend.hp", "hp/leak-hc-marks.hp"] {
        let path = scratch.path().join("whole.hp");
        std::fs::write(&path, converted(file, "hp", &[])).expect("written");
        let run = Command::new("hp2ps").args(["-c", "-t0", "whole.hp"]).current_dir(scratch.path()).output();
        let Ok(run) = run else { return println!("skipped: no hp2ps is installed") };
        assert!(run.status.success() && run.stderr.is_empty(), "{file}: {run:?}");
        let page = std::fs::read_to_string(scratch.path().join("whole.ps")).expect("a page");
        assert!(page.contains("mkWords/words/main.ws"), "{file}");
        // Its own parameters: the greatest sum of a sample.
        let aux = std::fs::read_to_string(scratch.path().join("whole.aux")).expect("parameters");
        let range = aux.lines().find_map(|line| line.strip_prefix("Y_RANGE ")).expect("the greatest sum");
        let whole: u64 = text(file, "csv", &[])
            .lines()
            .skip(1)
            .fold(BTreeMap::<String, u64>::new(), |mut sums, line| {
                let (time, rest) = line.split_once(',').expect("a time");
                *sums.entry(time.to_owned()).or_default() +=
                    rest.rsplit_once(',').expect("a value").1.parse::<u64>().expect("whole");
                sums
            })
            .into_values()
            .max()
            .expect("samples");
        assert_eq!(range.trim().parse::<f64>().expect("a number") as u64, whole, "{file}");
    }
}

#[test]
fn speedscope() {
    let json: serde_json::Value =
        serde_json::from_slice(&converted("hp/leak-hc.hp", "speedscope", &[])).expect("JSON");
    let profiles = json["profiles"].as_array().expect("profiles");
    let filled: Vec<u64> = samples("hp/leak-hc.hp")
        .iter()
        .map(|(_, bands)| bands.values().sum())
        .filter(|&sum| sum > 0)
        .collect();
    let ends: Vec<u64> =
        profiles.iter().map(|profile| profile["endValue"].as_u64().expect("whole")).collect();
    assert_eq!(ends, filled, "one profile for each sample");
    let active = json["activeProfileIndex"].as_u64().expect("an index") as usize;
    assert_eq!(ends[active], peak("hp/leak-hc.hp"));
    let json: serde_json::Value =
        serde_json::from_slice(&converted("prof/leak-P.prof", "speedscope", &[])).expect("JSON");
    let ends: Vec<u64> = json["profiles"]
        .as_array()
        .expect("list")
        .iter()
        .map(|p| p["endValue"].as_u64().expect("whole"))
        .collect();
    let bytes: u64 = own_bytes("prof/leak-P.prof").iter().map(|(_, bytes)| bytes).sum();
    assert_eq!(ends[..2], [114_000_000, bytes]);
}

/// One stop or collection of a time line, as plainly as it stands there: its words.
fn lines_of<'a>(text: &'a str, word: &str) -> Vec<Vec<&'a str>> {
    let words = text.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    words.filter(|words| words[0] == word).collect()
}

#[test]
fn a_time_line_has_a_track_for_each_thread() {
    let file = std::fs::read_to_string(fixture("stops/pool.stops")).expect("a fixture");
    let json: serde_json::Value =
        serde_json::from_slice(&converted("stops/pool.stops", "trace", &[])).expect("JSON");
    let events = json["traceEvents"].as_array().expect("events");
    let of = |name: &str, tid: u64| -> Vec<(f64, f64)> {
        let own =
            events.iter().filter(|event| event["name"] == name && event["tid"] == tid && event["ph"] == "X");
        let number = |event: &serde_json::Value, key: &str| event[key].as_f64().expect("a number");
        own.map(|event| (number(event, "ts"), number(event, "dur"))).collect()
    };
    let us = |word: &str| word.parse::<u64>().expect("a time") as f64 / 1e3;
    let (stops, collections) = (lines_of(&file, "stop"), lines_of(&file, "collection"));
    let tracks = events.iter().filter(|event| event["name"] == "thread_name").count();
    assert_eq!(tracks, 10, "nine threads, and collections");
    assert!(events.iter().any(|event| event["tid"] == 4 && event["args"]["name"] == "indexer (4)"));
    let mut slices = 0;
    for tid in 1..=9u64 {
        let mut stood: Vec<(f64, f64)> = stops
            .iter()
            .filter_map(|words| {
                let own = words[6..].iter().find_map(|word| word.strip_prefix(&format!("{tid}@")))?;
                Some((us(own), us(words[3])))
            })
            .collect();
        stood.sort_by(|a, b| a.0.total_cmp(&b.0));
        let told = of("stands", tid);
        assert_eq!(told.len(), stood.len(), "thread {tid}");
        for ((at, long), (from, to)) in told.iter().zip(&stood) {
            assert!((at - from).abs() < 1e-6 && (at + long - to).abs() < 1e-6, "thread {tid}: {at} {long}");
        }
        let asked = stops.iter().filter(|words| words[5] == tid.to_string()).count();
        assert_eq!(of("keeps others still", tid).len(), asked);
        assert_eq!(of("waits for others", tid).len(), asked);
        let ran = collections.iter().filter(|words| words[4] == tid.to_string()).count();
        assert_eq!(of("major collection", tid).len() + of("minor collection", tid).len(), ran);
        assert_eq!(of("attached", tid).len(), 1);
        slices += told.len() + asked;
    }
    assert!(slices > 0);
    let majors = collections.iter().filter(|words| words[11] == "major").count();
    assert!(majors > 0);
    assert_eq!(of("major collection", 10).len(), majors);
    assert_eq!(of("minor collection", 10).len(), collections.len() - majors);
    let refused = barrow(&[
        "convert",
        fixture("stops/pool.stops").to_str().expect("UTF-8"),
        "--to",
        "trace",
        "--top",
        "3",
    ]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&refused.stderr).contains("--top has no meaning for a time line as trace")
    );
}

#[test]
fn trace_events() {
    let json: serde_json::Value =
        serde_json::from_slice(&converted("hp/leak-hc.hp", "trace", &[])).expect("JSON");
    let events = json["traceEvents"].as_array().expect("events");
    let sums: Vec<u64> = (events.iter().filter(|event| event["ph"] == "C"))
        .map(|event| {
            event["args"].as_object().expect("args").values().map(|v| v.as_u64().expect("whole")).sum()
        })
        .collect();
    let wanted: Vec<u64> = samples("hp/leak-hc.hp").iter().map(|(_, bands)| bands.values().sum()).collect();
    assert_eq!(sums, wanted, "other included, a counter's parts are the heap");
    let json: serde_json::Value =
        serde_json::from_slice(&converted("prof/leak-P.prof", "trace", &["--measure", "alloc"]))
            .expect("JSON");
    let slices: Vec<(f64, f64)> = (json["traceEvents"].as_array().expect("events").iter())
        .filter(|event| event["ph"] == "X")
        .map(|event| (event["ts"].as_f64().expect("ts"), event["dur"].as_f64().expect("dur")))
        .collect();
    let bytes: u64 = own_bytes("prof/leak-P.prof").iter().map(|(_, bytes)| bytes).sum();
    assert_eq!(slices[0], (0.0, bytes as f64));
    for (start, length) in &slices {
        let inside = slices.iter().all(|(s, l)| {
            let (end, other) = (start + length, s + l);
            end <= *s || other <= *start || (start <= s && other <= end) || (s <= start && end <= other)
        });
        assert!(inside, "slices nest or lie apart");
    }
}

#[test]
fn massif_by_ms_print() {
    let heap = text("hp/leak-hc.hp", "massif", &[]);
    let sums: Vec<u64> = heap
        .lines()
        .filter_map(|line| line.strip_prefix("mem_heap_B="))
        .map(|v| v.parse().expect("whole"))
        .collect();
    let wanted: Vec<u64> = samples("hp/leak-hc.hp").iter().map(|(_, bands)| bands.values().sum()).collect();
    assert_eq!(sums, wanted);
    let scratch = Scratch::new("massif");
    for (file, total) in [
        ("hp/leak-hc.hp", peak("hp/leak-hc.hp")),
        ("prof/leak-P.prof", own_bytes("prof/leak-P.prof").iter().map(|(_, bytes)| bytes).sum()),
    ] {
        let path = scratch.path().join("massif.out");
        std::fs::write(&path, converted(file, "massif", &[])).expect("written");
        let Some(said) = foreign("ms_print", &[path.to_str().expect("UTF-8")]) else { return };
        assert!(said.contains("(peak)"), "{said}");
        let grouped = grouped(total);
        assert!(said.contains(&format!("100.00% ({grouped}B)")), "{file}: no {grouped} in\n{said}");
        assert!(said.contains(if file.ends_with("hp") { "mkWords" } else { "Main.insertT (Leak.hs:15)" }));
    }
}

fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let parts: Vec<&str> =
        (0..digits.len()).rev().step_by(3).map(|end| &digits[end.saturating_sub(2)..=end]).collect();
    parts.into_iter().rev().collect::<Vec<_>>().join(",")
}

#[test]
fn pprof_by_go() {
    let scratch = Scratch::new("pprof");
    let path = scratch.path().join("profile.pb.gz");
    let name = path.to_str().expect("UTF-8");
    std::fs::write(&path, converted("hp/leak-hc.hp", "pprof", &[])).expect("written");
    let tool = ["tool", "pprof", "-raw", name];
    let Some(raw) = foreign("go", &tool) else { return };
    // Lines such as `    5030688: 1 2 3`, between the heading and the locations.
    let sum = |raw: &str, column: usize| -> u64 {
        raw.lines()
            .skip_while(|line| !line.starts_with("Samples:"))
            .take_while(|line| !line.starts_with("Locations"))
            .filter_map(|line| line.split_once(": "))
            .filter_map(|(values, _)| values.split_whitespace().nth(column)?.parse::<u64>().ok())
            .sum()
    };
    assert!(raw.contains("inuse_space/bytes"), "{raw}");
    assert_eq!(sum(&raw, 0), peak("hp/leak-hc.hp"));
    std::fs::write(&path, converted("prof/leak-P.prof", "pprof", &[])).expect("written");
    let Some(raw) = foreign("go", &tool) else { return };
    let own = own_bytes("prof/leak-P.prof");
    assert_eq!(sum(&raw, 1), own.iter().map(|(_, bytes)| bytes).sum::<u64>());
    assert!(raw.contains("Main.insertT Leak.hs:15"), "names and places: {raw}");
    let Some(top) = foreign("go", &["tool", "pprof", "-sample_index=alloc_space", "-unit=B", "-top", name])
    else {
        return;
    };
    let insert: u64 = own.iter().filter(|(label, _)| label == "insertT").map(|(_, bytes)| bytes).sum();
    assert!(top.contains(&format!("{insert}B")) && top.contains("Main.insertT"), "{top}");
}

#[test]
fn pictures() {
    let svg = text("hp/leak-hc.hp", "svg", &["--top", "5"]);
    assert_eq!(svg.matches("<polygon").count(), 6 + 6, "five bands and other, in the picture and in the key");
    assert!(svg.contains("other (18 bands)") && svg.contains("(306)mkWords/words/main.ws..."));
    if let Some(said) = foreign("xmllint", &["--version"]) {
        drop(said);
        let scratch = Scratch::new("svg");
        let path = scratch.path().join("names.svg");
        std::fs::write(&path, converted("prof/names-P.prof", "svg", &[])).expect("written");
        foreign("xmllint", &["--noout", path.to_str().expect("UTF-8")]);
    }
    for file in ["hp/leak-hc.hp", "prof/leak-P.prof"] {
        let bytes = converted(file, "png", &[]);
        let decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        let mut reader = decoder.read_info().expect("a PNG");
        let mut dots = vec![0; reader.output_buffer_size().expect("a picture that fits")];
        let info = reader.next_frame(&mut dots).expect("a picture");
        assert!(info.width >= 1900 && info.height >= 300);
        let painted = dots.chunks(3).filter(|dot| dot.iter().any(|&part| part < 240)).count();
        assert!(painted * 5 > dots.len() / 3, "{file}: at least a fifth is painted");
    }
}

#[test]
fn a_cut_heap_profile_becomes_whole() {
    let scratch = Scratch::new("whole");
    let whole = scratch.path().join("whole.hp");
    let name = whole.to_str().expect("UTF-8");
    let pipe = std::fs::File::open(fixture("hp/leak-hc-cut-midline.hp")).expect("a fixture");
    let run = Command::new(BARROW)
        .args(["convert", "-", "--to", "hp", "-o", name])
        .stdin(pipe)
        .output()
        .expect("runs");
    assert!(run.status.success());
    assert!(String::from_utf8_lossy(&run.stderr).contains("the file ends within this sample"));
    let check = barrow(&["check", name]);
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stderr));
    // A sound file comes back with the same samples.
    let same = scratch.path().join("same.hp");
    std::fs::write(&same, converted("hp/leak-hc-marks.hp", "hp", &[])).expect("written");
    let sorted = |path: &Path| {
        let text = std::fs::read_to_string(path).expect("text");
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&same), sorted(&fixture("hp/leak-hc-marks.hp")));
}

#[test]
fn what_has_no_meaning_is_refused_and_leaves_no_file() {
    let hp = fixture("hp/leak-hc.hp");
    let prof = fixture("hp/leak-hr.prof");
    let (hp, prof) = (hp.to_str().expect("UTF-8"), prof.to_str().expect("UTF-8"));
    let scratch = Scratch::new("refused");
    let out = scratch.path().join("out");
    let out = out.to_str().expect("UTF-8");
    for (args, why) in [
        (vec!["convert", hp, "--to", "csv", "--at", "peak", "-o", out], "--at has no meaning"),
        (vec!["convert", hp, "--to", "pprof", "--measure", "time", "-o", out], "--measure has no meaning"),
        (vec!["convert", hp, "--to", "collapsed", "--at", "-5", "-o", out], ""),
        (
            vec!["convert", hp, "--to", "collapsed", "--at", "1e9", "-o", out],
            "there is no sample at that time: they go from",
        ),
        (vec!["convert", prof, "--to", "svg", "-o", out], "holds retainer sets only"),
        (vec!["convert", "/nowhere.hp", "--to", "svg", "-o", out], "/nowhere.hp: "),
        (vec!["view", "--diff", hp, prof, "-o", out], "different kinds"),
        (vec!["view", "--diff", hp, "-o", out], "--diff compares two files, not 1"),
    ] {
        let run = barrow(&args);
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(matches!(run.status.code(), Some(1 | 2)) && said.contains(why), "{args:?}: {said}");
        assert!(!Path::new(out).exists(), "{args:?} left a file");
    }
}
