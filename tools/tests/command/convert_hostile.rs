//! Small files that were made to become large, deep or endless: each is converted, or refused, in little time and memory.

use super::common::Scratch;
use flate2::{Compression, write::GzEncoder};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

/// So many seconds on the processor, and megabytes of addresses.
type Limits = (u32, u32);

fn convert(folder: &Path, (seconds, megabytes): Limits, args: &[&str]) -> Output {
    let limits = format!("ulimit -c 0; ulimit -t {seconds}; ulimit -v {megabytes}000");
    let script = format!("{limits}; exec \"$0\" convert \"$@\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_barrow")]).args(args).current_dir(folder);
    shell.output().expect("sh runs")
}

fn told(folder: &Path, limits: Limits, args: &[&str]) -> String {
    let output = convert(folder, limits, args);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {}: {said}", output.status);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn refused(folder: &Path, limits: Limits, args: &[&str]) -> String {
    let output = convert(folder, limits, args);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{args:?}: {}: {said}", output.status);
    said
}

const HEAD: &str = "JOB \"made\"\nDATE \"today\"\nSAMPLE_UNIT \"seconds\"\nVALUE_UNIT \"bytes\"\n";

/// So far from zero, a step along the axis does not change the time.
#[test]
fn a_picture_of_times_far_from_zero() {
    let scratch = Scratch::new("far");
    let sample = |time: &str| format!("BEGIN_SAMPLE {time}\na\t8\nEND_SAMPLE {time}\n");
    let far = sample("10000000000000000.0");
    scratch.file("one.hp", &format!("{HEAD}{far}"));
    scratch.file("two.hp", &format!("{HEAD}{far}{}", sample("10000000000000002.0")));
    for file in ["one.hp", "two.hp"] {
        let limits = (5, 1000);
        let svg = told(scratch.path(), limits, &[file, "--to", "svg"]);
        assert_eq!(svg.matches(">10000000000000000.0<").count(), 1, "{svg}");
        told(scratch.path(), limits, &[file, "--to", "png"]);
    }
}

fn varint(mut value: usize, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn message(number: usize, body: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    varint(number << 3 | 2, &mut out);
    varint(body.len(), &mut out);
    out.extend_from_slice(body);
    out
}

/// Ids and places of texts, each below 128.
fn fields(fields: &[(u8, u8)]) -> Vec<u8> {
    fields.iter().flat_map(|&(number, value)| [number << 3, value]).collect()
}

/// Trees of callers have two hundred levels, as massif's own have at most.
#[test]
fn deep_stacks_as_massif() {
    let scratch = Scratch::new("deep");
    let location = [fields(&[(1, 1)]), message(4, &fields(&[(1, 1)]))].concat();
    let sample = [message(1, &[1; 200_000]), message(2, &[8])].concat();
    let texts = ["", "inuse_space", "bytes", "a"].map(|text| message(6, text.as_bytes())).concat();
    let parts = [
        message(1, &fields(&[(1, 1), (2, 2)])),
        message(2, &sample),
        message(4, &location),
        message(5, &fields(&[(1, 1), (2, 3)])),
        texts,
    ];
    let file = std::fs::File::create(scratch.path().join("deep.pprof")).expect("a file");
    GzEncoder::new(file, Compression::fast()).write_all(&parts.concat()).expect("written");
    let band = format!("(1)a{}", "/a".repeat(30_000));
    scratch.file("deep.hp", &format!("{HEAD}BEGIN_SAMPLE 1.0\n{band}\t8\nEND_SAMPLE 1.0\n"));
    for file in ["deep.pprof", "deep.hp"] {
        let massif = told(scratch.path(), (10, 1000), &[file, "--to", "massif"]);
        let tree: Vec<&str> = massif.lines().skip_while(|line| *line != "heap_tree=peak").skip(1).collect();
        assert_eq!(tree.len(), 201, "{file}");
        assert!(tree[0].starts_with("n1: 8 ") && tree[199].trim().starts_with("n1: 8 "), "{file}");
        assert!(tree[200].trim().starts_with("n0: 8 ") && tree[200].contains(": a ("), "{}", tree[200]);
    }
}

/// A report of one centre with this name: so many stacks in a row, the innermost with so many below it.
fn report(name: &str, levels: usize, leaves: usize) -> String {
    let head = "{\"total_time\":1,\"total_ticks\":1,\"tick_interval\":1000,\"total_alloc\":100,\"profile\":";
    let leaf = "{\"id\":1,\"entries\":0,\"ticks\":0,\"alloc\":1}";
    let open = "{\"id\":1,\"entries\":0,\"ticks\":0,\"alloc\":0,\"children\":[".repeat(levels);
    let centres = format!("\"cost_centres\":[{{\"id\":1,\"label\":\"{name}\"}}]");
    format!("{head}{open}{}{},{centres}}}", vec![leaf; leaves].join(","), "]}".repeat(levels))
}

/// The file has a name once, and a stack of its centre in forty bytes.
#[test]
fn a_long_name_is_not_kept_for_each_stack() {
    let scratch = Scratch::new("long-name");
    scratch.file("wide.json", &report(&"a".repeat(1_000_000), 1, 25_000));
    for format in ["collapsed", "csv", "pprof", "speedscope", "massif", "json", "svg", "trace"] {
        told(scratch.path(), (30, 1000), &["wide.json", "--to", format]);
    }
}

/// Names of four thousand frames for each of twenty thousand stacks.
#[test]
fn stacks_that_repeat_a_long_way_are_refused() {
    let scratch = Scratch::new("long-way");
    scratch.file("chain.json", &report("a_name_of_20_letters", 4000, 20_000));
    for format in ["collapsed", "csv", "pprof", "speedscope", "massif"] {
        let said = refused(scratch.path(), (30, 1000), &["chain.json", "--to", format]);
        assert!(said.contains("chain.json: the names of its stacks, one after another, have "), "{said}");
    }
}

/// Each band has four thousand frames by the report of its run, which its name has a part of.
#[test]
fn bands_that_a_report_makes_long_are_refused() {
    let scratch = Scratch::new("long-bands");
    let name = "a_name_of_20_letters";
    scratch.file("chain.json", &report(name, 4000, 1));
    let bands = |numbers: usize| {
        let band = |zeros: usize, cut: usize| format!("({:0>zeros$}){}...\t8\n", 1, &name[..cut]);
        let bands = (1..=numbers).flat_map(|zeros| (1..=20).map(move |cut| band(zeros, cut)));
        let bands: String = bands.collect();
        let sample = |time: usize| format!("BEGIN_SAMPLE {time}.0\n{bands}END_SAMPLE {time}.0\n");
        format!("{HEAD}{}", (0..10).map(sample).collect::<String>())
    };
    scratch.file("many.hp", &bands(500));
    let limits = (30, 1000);
    for format in ["collapsed", "pprof", "speedscope", "massif"] {
        let said = refused(scratch.path(), limits, &["many.hp", "--prof", "chain.json", "--to", format]);
        assert!(said.contains("many.hp: the names of its stacks, one after another, have "), "{said}");
    }
    // The stacks of one sample are not too many, and those of all are.
    scratch.file("some.hp", &bands(100));
    let said = refused(scratch.path(), limits, &["some.hp", "--prof", "chain.json", "--to", "speedscope"]);
    assert!(
        said.contains("some.hp: its stacks in all samples have more than 67108864 calls; --at "),
        "{said}"
    );
    let at = ["some.hp", "--prof", "chain.json", "--to", "speedscope", "--at", "end", "-o", "end.json"];
    told(scratch.path(), limits, &at);
}

/// Frames are shared, whatever they are written to: of 18 million here, each in eight bytes.
#[test]
fn a_deep_report_is_converted() {
    let scratch = Scratch::new("deep-report");
    let deep = report("a", 6000, 1).replace("\"alloc\":0", "\"alloc\":1");
    scratch.file("deep.json", &deep);
    let limits = (30, 1000);
    let collapsed = told(scratch.path(), limits, &["deep.json", "--to", "collapsed"]);
    assert_eq!(collapsed.lines().count(), 6001);
    told(scratch.path(), limits, &["deep.json", "--to", "speedscope"]);
}

/// Every tenth sample has a tree; no band is read from its beginning for each.
#[test]
fn many_samples_as_massif() {
    let scratch = Scratch::new("many");
    let mut text = HEAD.to_owned();
    for sample in 0..20_000 {
        text.push_str(&format!("BEGIN_SAMPLE {sample}.0\n"));
        (0..200).for_each(|band| text.push_str(&format!("b{band}\t{}\n", 8 * (sample + band))));
        text.push_str(&format!("END_SAMPLE {sample}.0\n"));
    }
    scratch.file("many.hp", &text);
    told(scratch.path(), (4, 1000), &["many.hp", "--to", "massif", "-o", "massif.out"]);
    let massif = std::fs::read_to_string(scratch.path().join("massif.out")).expect("written");
    assert!(massif.contains("time=19000\n") && massif.contains(" b199 (no source)\n"));
}
