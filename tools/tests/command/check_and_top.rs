//! `barrow check` and `barrow top` as a user runs them.

use super::common::Scratch;
use super::heaps;
use barrow::ffi::alloc::barrow_allocate;
use barrow::ffi::cost::barrow_ccs_enter_slow;
use barrow::ffi::heap::barrow_heap_free;
use barrow::heap::object::info::Kind;
use barrow::identity::cost_centre::CostCentre;
use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};

fn barrow(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_barrow"))
        .args(args)
        .current_dir(super::common::fixture(""))
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn check_names_file_line_and_fault() {
    let output = barrow(&["check", "hp/leak-hc.hp", "src/hp-made/out-of-order.hp", "src/hp-made/empty.hp"]);
    let (out, err) = texts(&output);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(out, "hp/leak-hc.hp: a heap profile, 45 samples of 23 bands\n");
    assert_eq!(
        err,
        "src/hp-made/out-of-order.hp:8: this sample is earlier than the one before it\n\
         src/hp-made/empty.hp:1: the file is empty\n"
    );
}

/// An empty file is called so, and one of no known kind is not told of as a heap profile that has faults.
#[test]
fn files_with_nothing_to_read_are_told_in_plain_words() {
    let scratch = Scratch::new("nothing");
    for (name, text) in
        [("none", ""), ("none.hp", ""), ("blank.hp", "\n \n"), ("junk.prof", "\u{1}\u{2} x\n")]
    {
        scratch.file(name, text);
    }
    for command in [&["check"][..], &["top"], &["view", "-o", "-"], &["resolve"], &["convert", "--to", "csv"]]
    {
        for name in ["none", "none.hp"] {
            let output = barrow(&[command, &[scratch.path().join(name).to_str().unwrap()]].concat());
            let said = texts(&output).1;
            assert!(
                output.status.code() == Some(1) && said.ends_with(":1: the file is empty\n"),
                "{command:?}: {said}"
            );
        }
    }
    let said =
        |name: &str| texts(&barrow(&["view", scratch.path().join(name).to_str().unwrap(), "-o", "-"])).1;
    assert!(said("blank.hp").ends_with(":3: the file is empty\n"), "{}", said("blank.hp"));
    assert!(said("junk.prof").contains(":1: it begins like no profile"), "{}", said("junk.prof"));
}

#[test]
fn check_knows_formats_by_their_content() {
    let (_, err) = texts(&barrow(&["check", "hp2ps-manifest.tsv"]));
    assert!(
        err.starts_with("hp2ps-manifest.tsv:1: none of the formats known here: a heap profile (.hp), "),
        "{err}"
    );
    let (out, err) = texts(&barrow(&["check", "prof/leak-p.prof", "prof/nfib-pj.json"]));
    assert!(err.is_empty(), "{err}");
    let kinds: Vec<_> = out.lines().filter_map(|line| line.split(", ").next()).collect();
    assert_eq!(
        kinds,
        ["prof/leak-p.prof: a time and allocation report", "prof/nfib-pj.json: a time and allocation report"]
    );
    let output = Command::new(env!("CARGO_BIN_EXE_barrow"))
        .args(["check", "-q", "-"])
        .stdin(fs::File::open(super::common::fixture("hp/leak-hb.hp")).unwrap())
        .output()
        .unwrap();
    assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty());
    let output = barrow(&["check", "no-such-file.hp"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(texts(&output).1.starts_with("no-such-file.hp: "));
    assert_eq!(barrow(&["check"]).status.code(), Some(2));
}

#[test]
fn check_knows_coverage() {
    let (out, err) = texts(&barrow(&["check", "hpc/two/Two.tix", "hpc/two/.hpc/Shapes.Area.mix"]));
    assert!(err.is_empty(), "{err}");
    let lines: Vec<_> = out.lines().collect();
    assert!(
        lines[0].starts_with("hpc/two/Two.tix: coverage counts, ") && lines[0].ends_with(" in 3 modules")
    );
    assert!(lines[1].starts_with("hpc/two/.hpc/Shapes.Area.mix: coverage boxes, "), "{out}");
    assert!(lines[1].ends_with(" in ./Shapes/Area.hs"), "{out}");
    for (file, wrong) in [
        ("hpc/errors/cut.tix", "hpc/errors/cut.tix:1: expected "),
        ("hpc/errors/empty.tix", "hpc/errors/empty.tix:1: expected `Tix`, found the end of the file\n"),
        ("hpc/errors/badcount.tix", "hpc/errors/badcount.tix: module Main claims "),
        ("hpc/errors/negative.tix", "hpc/errors/negative.tix: module Main has a negative count for box "),
        ("hpc/errors/dup.tix", "hpc/errors/dup.tix: module Main is there twice\n"),
    ] {
        let output = barrow(&["check", file]);
        assert_eq!(output.status.code(), Some(1), "{file}");
        let (out, err) = texts(&output);
        assert!(out.is_empty() && err.starts_with(wrong), "{file}: {out}{err}");
    }
}

/// Names of a file cannot command the terminal.
#[test]
fn check_shows_names_of_values() {
    let scratch = Scratch::new("check-names");
    let path = scratch.path().join("evil.pprof");
    // The types of values, one of a text and its unit; then the texts.
    fs::write(&path, b"\x0a\x04\x08\x01\x10\x02\x32\x00\x32\x05\x1b[31m\x32\x05bytes").unwrap();
    let output = barrow(&["check", path.to_str().unwrap()]);
    let (told, failed) = texts(&output);
    assert!(output.status.success() && told.contains("[31m"), "{told} {failed}");
    assert!(!told.contains('\u{1b}'), "{told:?}");
}

#[test]
fn top_in_a_pipe_is_plain_text() {
    let output = barrow(&["top", "-n3", "hp/leak-hc-cut-midline.hp"]);
    let (out, err) = texts(&output);
    assert!(output.status.success() && err.is_empty());
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(lines[0], "Leak +RTS -hc -i0.005   Sat Nov 21 01:47 2026");
    assert!(lines[4].ends_with("  (306)mkWords/words/main.ws..."), "{out}");
    assert_eq!(lines[lines.len() - 1], "line 516: the last sample is incomplete and is left out");
    assert!(!out.contains('\u{1b}') && !out.contains('\u{2588}'));
    let output = barrow(&["top", "src/hp-made/negative.hp"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(texts(&output).1.starts_with("src/hp-made/negative.hp:6: "));
}

/// The first band line of the next table that `top -f` prints.
fn next_table(lines: &mut impl Iterator<Item = std::io::Result<String>>) -> String {
    lines.map(|line| line.unwrap()).skip_while(|line| !line.ends_with("  BAND")).nth(1).unwrap()
}

#[test]
fn top_follows_a_file_that_grows_and_starts_anew() {
    let scratch = Scratch::new("top-follow");
    let path = scratch.path().join("run.hp");
    let head = "JOB \"j\"\nDATE \"d\"\nSAMPLE_UNIT \"seconds\"\nVALUE_UNIT \"bytes\"\n";
    let append = |text: &str| {
        let mut file = OpenOptions::new().append(true).create(true).open(&path).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    };
    append(&format!("{head}BEGIN_SAMPLE 1.0\na\t100\nEND_SAMPLE 1.0\n"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_barrow"))
        .args(["top", "-f"])
        .arg(&path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(next_table(&mut lines).ends_with("  a"));
    // Half a sample must not hold up the whole ones before it.
    append("BEGIN_SAMPLE 2.0\nb\t300\nEND_SAMPLE 2.0\nBEGIN_SAMPLE 3.0\nc\t9");
    assert!(next_table(&mut lines).ends_with("  b"));
    append("99\nEND_SAMPLE 3.0\n");
    let line = next_table(&mut lines);
    assert!(line.ends_with("  c") && line.contains(" 999 B "), "{line}");
    fs::write(&path, format!("{head}BEGIN_SAMPLE 1.0\nd\t1\nEND_SAMPLE 1.0\n")).unwrap();
    assert!(next_table(&mut lines).ends_with("  d"));
    drop(lines);
    append("BEGIN_SAMPLE 2.0\nd\t1\nEND_SAMPLE 2.0\n");
    // Nobody reads any more: it ends by itself, and quietly.
    assert!(child.wait().unwrap().success());
}

/// The library removes the profile of an earlier run and makes a file of its own, which may be longer from the beginning.
#[test]
fn top_follows_the_file_that_takes_the_name_of_the_first() {
    let scratch = Scratch::new("top-follow-name");
    let path = scratch.path().join("run.hp");
    let head = "JOB \"j\"\nDATE \"d\"\nSAMPLE_UNIT \"seconds\"\nVALUE_UNIT \"bytes\"\n";
    fs::write(&path, format!("{head}BEGIN_SAMPLE 1.0\na\t100\nEND_SAMPLE 1.0\n")).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_barrow"))
        .args(["top", "-f"])
        .arg(&path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (to, tables) = std::sync::mpsc::channel();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    std::thread::spawn(move || {
        while let Some(first) = lines.by_ref().skip_while(|line| !line.ends_with("  BAND")).nth(1) {
            if to.send(first).is_err() {
                return;
            }
        }
    });
    let mut shows = |band: &str| {
        let first = tables.recv_timeout(std::time::Duration::from_secs(20));
        if !first.as_ref().is_ok_and(|first| first.ends_with(band)) {
            child.kill().unwrap();
            panic!("{first:?} is not {band:?}");
        }
    };
    shows("  a");
    fs::remove_file(&path).unwrap();
    // A while without a file of the name is no end.
    std::thread::sleep(std::time::Duration::from_millis(300));
    let longer = "BEGIN_SAMPLE 1.0\nthe first of another run\t5\nEND_SAMPLE 1.0\n";
    fs::write(&path, format!("{head}{longer}")).unwrap();
    shows("  the first of another run");
    let mut file = OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(b"BEGIN_SAMPLE 2.0\nb\t300\nEND_SAMPLE 2.0\n").unwrap();
    shows("  b");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn top_follows_a_pipe_until_it_is_closed() {
    let head = "JOB \"j\"\nDATE \"d\"\nSAMPLE_UNIT \"seconds\"\nVALUE_UNIT \"bytes\"\n";
    let start = |stdin: Stdio| {
        Command::new(env!("CARGO_BIN_EXE_barrow"))
            .args(["top", "-f", "-"])
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let mut child = start(Stdio::piped());
    let mut pipe = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut say = |text: &str| {
        pipe.write_all(text.as_bytes()).unwrap();
        pipe.flush().unwrap();
    };
    say(&format!("{head}BEGIN_SAMPLE 1.0\na\t100\nEND_SAMPLE 1.0\n"));
    assert!(next_table(&mut lines).ends_with("  a"));
    say("BEGIN_SAMPLE 2.0\nb\t300\nEND_SAMPLE 2.0\nBEGIN_SAMPLE 3.0\nc\t9");
    assert!(next_table(&mut lines).ends_with("  b"));
    say("99\nEND_SAMPLE 3.0\nBEGIN_SAMPLE 4.0\nd\t");
    assert!(next_table(&mut lines).ends_with("  c"));
    drop(pipe);
    let rest: Vec<_> = lines.map(|line| line.unwrap()).collect();
    assert!(
        rest.iter().any(|line| line.ends_with("the last sample is incomplete and is left out")),
        "{rest:?}"
    );
    assert!(child.wait().unwrap().success());
    // A fault ends it, though the pipe stays open.
    let mut child = start(Stdio::piped());
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(format!("{head}BEGIN_SAMPLE 1.0\na\t-5\n").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(texts(&output).1.starts_with("stdin:6: "), "{}", texts(&output).1);
    drop(pipe);
    // A file as standard input is followed as one that was named.
    let scratch = Scratch::new("top-stdin");
    let path = scratch.path().join("run.hp");
    fs::write(&path, format!("{head}BEGIN_SAMPLE 1.0\na\t100\nEND_SAMPLE 1.0\n")).unwrap();
    let mut child = start(fs::File::open(&path).unwrap().into());
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(next_table(&mut lines).ends_with("  a"));
    let mut file = OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(b"BEGIN_SAMPLE 2.0\nb\t300\nEND_SAMPLE 2.0\n").unwrap();
    assert!(next_table(&mut lines).ends_with("  b"));
    fs::write(&path, format!("{head}BEGIN_SAMPLE 1.0\ne\t1\nEND_SAMPLE 1.0\n")).unwrap();
    assert!(next_table(&mut lines).ends_with("  e"));
    drop(lines);
    let mut file = OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(b"BEGIN_SAMPLE 2.0\nb\t300\nEND_SAMPLE 2.0\n").unwrap();
    assert!(child.wait().unwrap().success());
}

/// A pipe that has a name is followed as one that has none.
#[test]
fn top_follows_a_named_pipe_until_it_is_closed() {
    let scratch = Scratch::new("top-fifo");
    let path = scratch.path().join("run.hp");
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    let mut child = Command::new(env!("CARGO_BIN_EXE_barrow"))
        .args(["top", "-f"])
        .arg(&path)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = OpenOptions::new().write(true).open(&path).unwrap();
    let head = "JOB \"j\"\nDATE \"d\"\nSAMPLE_UNIT \"seconds\"\nVALUE_UNIT \"bytes\"\n";
    pipe.write_all(format!("{head}BEGIN_SAMPLE 1.0\na\t100\nEND_SAMPLE 1.0\n").as_bytes()).unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let (to, shown) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut lines = lines;
        while to.send(next_table(&mut lines)).is_ok() {}
    });
    let first = shown.recv_timeout(std::time::Duration::from_secs(10));
    drop(pipe);
    if first.is_err() {
        child.kill().unwrap();
    }
    let ended = child.wait().unwrap();
    assert!(first.is_ok_and(|line| line.ends_with("  a")), "nothing is shown while the pipe is open");
    assert!(ended.success());
}

#[test]
fn ticky_counters() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/ticky/Leak.ticky");
    let path = path.to_str().expect("UTF-8");
    let (out, err) = texts(&barrow(&["check", path]));
    assert!(err.is_empty() && out.contains(": a report of ticky counters, 18 functions, "), "{out}{err}");
    let (out, err) = texts(&barrow(&["top", "-n2", path]));
    let lines: Vec<_> = out.lines().collect();
    assert!(err.is_empty() && lines.len() == 7, "{out}{err}");
    assert_eq!(
        lines[4],
        "  957.4 k  48.2%   55.1 MiB  Main.$w$sinsertT"
            .replace("957.4 k", "   957 k")
            .trim_start_matches("@")
    );
    assert_eq!(lines[6], "... and 16 functions more (-n0 shows all)");
    let output = barrow(&["top", "--sort", "peak", path]);
    assert_eq!(output.status.code(), Some(1));
    assert!(texts(&output).1.contains("counters have no samples to sort by"));
}

/// A cost centre needs a label alone. Where its other texts are empty its rows have none, in either table.
#[test]
fn a_centre_with_a_label_alone_is_read() {
    let scratch = Scratch::new("check-label");
    let stem = scratch.path().join("alone");
    let (heap, mutator) = heaps::heap(&format!("-P -po{}", stem.display()));
    let centre = Box::leak(Box::new(CostCentre {
        size: size_of::<CostCentre>() as u16,
        flags: 0,
        id: 0,
        label: c"lonely".as_ptr(),
        module: std::ptr::null(),
        source: c"".as_ptr(),
    }));
    // SAFETY: the mutator is this thread's, and the centre stays; an array of bytes needs no more than its head.
    unsafe {
        assert!(!barrow_ccs_enter_slow(mutator, centre).is_null(), "{}", heaps::sentence());
        let at = barrow_allocate(mutator, 4);
        at.write(&raw const *heaps::info(Kind::Bytes, 0, 0) as usize);
        at.add(1).write(16);
        heaps::ok(barrow_heap_free(heap));
    }
    let name = scratch.path().join("alone.prof").display().to_string();
    let (out, err) = texts(&barrow(&["check", &name]));
    assert!(err.is_empty() && out.contains("a time and allocation report"), "{out}{err}");
    let (out, err) = texts(&barrow(&["convert", &name, "--to", "json"]));
    let row = "\"label\":\"lonely\",\"module\":\"\",";
    assert!(err.is_empty() && out.contains(row) && out.contains("\"bytes\":32"), "{out}{err}");
}

/// A program that had no tick and allocated nothing has no row in either table of its report.
#[test]
fn a_report_of_nothing_is_read() {
    let path = super::common::fixture("prof/nothing-p.prof");
    let name = path.to_str().expect("a name in UTF-8");
    for args in [&["check", name][..], &["top", name], &["view", name, "-o", "-"]] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_barrow"))
            .args(args)
            .output()
            .expect("barrow runs");
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(!output.stdout.is_empty());
    }
}

/// Means are those of `barrow diff` and of the page: runtimes begin and close a profile with an empty sample.
#[test]
fn means_leave_out_empty_samples_at_both_ends() {
    let scratch = Scratch::new("top-mean");
    let sample = |time: u32, bands: &str| format!("BEGIN_SAMPLE {time}.0\n{bands}END_SAMPLE {time}.0\n");
    let samples: String =
        ["", "a\t100\n", "", "a\t200\n", ""].iter().zip(0..).map(|(bands, at)| sample(at, bands)).collect();
    let head = "JOB \"j\"\nDATE \"d\"\nSAMPLE_UNIT \"seconds\"\nVALUE_UNIT \"bytes\"\n";
    scratch.file("five.hp", &format!("{head}{samples}"));
    let five = scratch.path().join("five.hp").display().to_string();
    let band = texts(&barrow(&["top", &five])).0.lines().last().map(str::to_owned).unwrap_or_default();
    let cells: Vec<_> = band.split_whitespace().collect();
    assert_eq!(cells, ["200", "B", "100.0%", "200", "B", "100", "B", "+100", "B", "a"]);
    let (changes, _) = texts(&barrow(&["diff", &five, &five]));
    assert!(changes.contains(" 100 B "), "{changes}");
    // Of a file that is read as a whole, too.
    let mean =
        |text: &str| text.lines().nth(4).and_then(|line| line.split_whitespace().nth(5)).map(str::to_owned);
    let eventlog = texts(&barrow(&["top", "eventlog/leak-hc.eventlog.gz"])).0;
    let profile = texts(&barrow(&["top", "eventlog/leak-hc.hp"])).0;
    assert_eq!(mean(&eventlog), mean(&profile), "{eventlog}{profile}");
}

/// Figures that were worked out from percentages are told of, as `barrow view` and `barrow diff` do.
#[test]
fn figures_from_percentages_are_called_so() {
    let rounded = "prof/leak-p.prof has percentages with one decimal (-P writes ticks and bytes)";
    for line in [&["top", "prof/leak-p.prof"][..], &["convert", "prof/leak-p.prof", "--to", "collapsed"]] {
        let output = barrow(line);
        let told = texts(&output).1;
        assert!(output.status.success() && told.contains(rounded), "{line:?}: {told}");
    }
    let entries = ["convert", "prof/leak-p.prof", "--to", "collapsed", "--measure", "entries"];
    for line in [&["top", "prof/leak-P.prof"][..], &["convert", "prof/leak-P.prof", "--to", "csv"], &entries]
    {
        assert_eq!(texts(&barrow(line)).1, "", "{line:?}");
    }
}

#[test]
fn retainer_sets_alone_are_shown_elsewhere() {
    let told = texts(&barrow(&["top", "hp/leak-hr.prof"])).1;
    assert!(
        told.contains("retainer sets only") && told.contains("`barrow view hp/leak-hr.hp hp/leak-hr.prof`"),
        "{told}"
    );
    let scratch = Scratch::new("top-retainers");
    let text = fs::read_to_string(super::common::fixture("hp/leak-hr.prof")).unwrap();
    scratch.file("x.prof", &text);
    scratch.file("x.hr.hp", "");
    let stem = scratch.path().join("x").display().to_string();
    let told = texts(&barrow(&["top", &format!("{stem}.prof")])).1;
    assert!(told.contains(&format!("`barrow view {stem}.hr.hp {stem}.prof`")), "{told}");
}

#[test]
fn what_n_takes_is_told() {
    for line in [
        &["top", "hp/leak-hc.hp", "-n", "x"][..],
        &["top", "hp/leak-hc.hp", "-n", "-1"],
        &["top", "hp/leak-hc.hp", "-n-1"],
        &["diff", "hp/leak-hc.hp", "hp/leak-hc.hp", "--top", "-1"],
        &["convert", "hp/leak-hc.hp", "--to", "svg", "--top", "many"],
    ] {
        let output = barrow(line);
        let told = texts(&output).1;
        assert!(
            output.status.code() == Some(2) && told.contains("how many rows, 0 for all"),
            "{line:?}: {told}"
        );
    }
    assert!(barrow(&["top", "hp/leak-hc.hp", "-n0"]).status.success());
}

/// hp2ps takes the name without its ending.
#[test]
fn a_profile_without_its_ending_is_suggested() {
    for command in [&["view", "-o", "-"][..], &["top"], &["check"], &["convert", "--to", "csv"]] {
        let output = barrow(&[command, &["hp/leak-hc"]].concat());
        let told = texts(&output).1;
        assert!(output.status.code() == Some(1) && told.contains("hp/leak-hc.hp is there"), "{told}");
    }
    assert!(!texts(&barrow(&["check", "hp/nobody"])).1.contains("is there"));
}

#[test]
fn one_is_no_plural() {
    let scratch = Scratch::new("singular");
    let head = "JOB \"j\"\nDATE \"d\"\nSAMPLE_UNIT \"seconds\"\nVALUE_UNIT \"bytes\"\n";
    scratch.file("one.hp", &format!("{head}BEGIN_SAMPLE 1.0\na\t4\nEND_SAMPLE 1.0\n"));
    let one = scratch.path().join("one.hp").display().to_string();
    let (told, _) = texts(&barrow(&["check", &one]));
    assert!(told.ends_with(": a heap profile, 1 sample of 1 band\n"), "{told}");
    let (told, _) = texts(&barrow(&["top", &one]));
    assert!(told.contains("\n1 sample, 1.000 to 1.000 seconds; 1 band; "), "{told}");
}
