//! `barrow view` of a large object graph: objects, addresses and references in shuffled order, the time it takes and the memory.
//! The page is for 30 million objects with 60 million references, in 30 s and 5 GB: `ci/long graph`. Here it is a tenth of that.
//! BARROW_OBJECTS is another number of objects, BARROW_SLOWER a factor for machines that do other things too.

mod common;

use barrow::report::snapshot::{InfoTexts, SnapshotWriter, Sort, edge};
use common::Scratch;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::process::Command;
use std::time::Instant;

const MOST_SECONDS: f64 = 30.0;
const MOST_BYTES: u64 = 5_000_000_000;
const FOR: u64 = 30_000_000;

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// A tree of two children for each object, and as many references again that lead anywhere. Returns the address of its first
/// object, on which all hang.
fn write(objects: u64, out: &mut dyn Write) -> u64 {
    let mut state = 1u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    let mut place: Vec<u32> = (0..objects as u32).collect();
    (1..objects).rev().for_each(|at| place.swap(at as usize, random(at + 1) as usize));
    let address = |own: u64| 0x4200_0000_0000 + u64::from(place[own as usize]) * 32;
    let mut writer = SnapshotWriter::begin(out).expect("memory");
    for (number, name) in ["Node", "Entry", "Text", "Table"].into_iter().enumerate() {
        let texts = InfoTexts {
            sort: Sort::Data,
            whole: b"",
            kind: b"",
            type_name: name.as_bytes(),
            description: b"",
            module: b"M",
        };
        writer.info(number as u32 + 1, &texts).expect("memory");
    }
    for own in 0..objects {
        writer.object(1 + (own % 4) as u32, address(own), 4);
        for child in [2 * own + 1, 2 * own + 2].into_iter().filter(|&child| child < objects) {
            writer.edge(edge::STRONG, address(child));
        }
        writer.edge(edge::STRONG, address(random(objects)));
        writer.end_edges();
    }
    writer.roots(b"handles");
    writer.edge(edge::STRONG, address(0));
    writer.end_edges();
    writer.end().expect("written");
    address(0)
}

#[test]
fn a_large_graph_is_shown_in_time_and_memory() {
    let objects = number("BARROW_OBJECTS", FOR / 10);
    let scratch = Scratch::new("graph");
    let (file, page) = (scratch.path().join("large.snapshot"), scratch.path().join("large.html"));
    let mut out = BufWriter::new(File::create(&file).expect("created"));
    let first = write(objects, &mut out);
    out.flush().expect("written");
    let share = objects as f64 / FOR as f64;
    let bytes = (MOST_BYTES as f64 * share) as u64 + 100_000_000;
    let begun = Instant::now();
    // The limit is of the address space, which is more than memory; `times` tells of the processor's time of what has ended.
    let run = Command::new("sh")
        .args(["-c", "ulimit -v $1; \"$2\" view \"$3\" -o \"$4\" || exit 1; times", "sh"])
        .arg((bytes / 1024).to_string())
        .args([env!("CARGO_BIN_EXE_barrow").as_ref(), file.as_os_str(), page.as_os_str()])
        .output()
        .expect("a shell");
    let seconds = begun.elapsed().as_secs_f64();
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(run.status.success(), "{said}{}", String::from_utf8_lossy(&run.stderr));
    let times = said.lines().last().unwrap_or_default();
    let size = std::fs::metadata(&file).map_or(0, |about| about.len());
    println!("{objects} objects, a file of {size} bytes: {seconds:.1} s, of the processor {times}");
    // A build that is not optimised is only right or wrong, and within reason.
    let build = if cfg!(debug_assertions) { 4.0 } else { 1.0 };
    let most = MOST_SECONDS * share * build * number("BARROW_SLOWER", 1) as f64;
    let spent: f64 = times.split_whitespace().filter_map(seconds_of).sum();
    assert!(spent > 0.0, "{times}");
    // Of the small graph the processor's time is counted, which others on the machine change less.
    let counted = if number("BARROW_OBJECTS", 0) > 0 { seconds } else { spent };
    assert!(counted <= most.max(3.0), "{counted} s, more than {most}");
    let shown = std::fs::read_to_string(&page).expect("a page");
    assert!(shown.len() < 20_000_000, "{} bytes of page", shown.len());
    assert!(shown.contains(&format!("\"objects\":{objects},")), "all of them are there");
    // A node: row of its type, address, own bytes, bytes that it keeps, parent, rest, more, and the way to it.
    let told = told(&shown);
    let nodes = told["nodes"].as_array().expect("nodes");
    let node = nodes.iter().find(|node| node[1] == first).expect("the first object is among the greatest");
    assert_eq!((&node[2], &node[3]), (&32.into(), &(32 * objects).into()), "the first object keeps all");
    let holder = &nodes[node[4].as_u64().expect("a parent") as usize];
    assert_eq!((&holder[0], &holder[3]), (&(-2).into(), &(32 * objects).into()), "the roots hold it");
    assert_eq!(node[7], serde_json::json!([[[-2, 0], [node[0], first]], 0, 0]), "they are the way to it");
}

/// What the page is told of its one file.
fn told(page: &str) -> serde_json::Value {
    let (_, behind) = page.split_once("id=\"barrow-meta\">").expect("data");
    let (data, _) = behind.split_once("</script>").expect("its end");
    let mut meta: serde_json::Value = serde_json::from_str(data).expect("JSON");
    meta["files"][0].take()
}

/// `0m1.25s`
fn seconds_of(text: &str) -> Option<f64> {
    let (minutes, seconds) = text.strip_suffix('s')?.split_once('m')?;
    Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?)
}
