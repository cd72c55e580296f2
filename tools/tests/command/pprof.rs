//! Profiles of samples, of a C program and of Go's runtime: read, shown, resolved, subtracted and converted; and damaged ones.

use super::common::{Scratch, fixture};
use flate2::read::GzDecoder;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Two functions that allocate, one of which is part of its caller in optimised code. The lines that do have marks.
const PROGRAM: &str = r#"
#include <barrow/inline.h>
#include <stdio.h>
#include <stdlib.h>
static barrow_names names = {"Pair", "Pair", "Main", "main.c"};
static barrow_info pair = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, 0, BARROW_CONSTR, 0, 0, 2, 0, 0, 0, 0, 0, 0, &names};
static barrow_cc parse = BARROW_CC("parse", "Main", "main.c:1");
static inline __attribute__((always_inline)) barrow_word *cell(barrow_mutator *m, barrow_word *next) {
  struct { barrow_frame frame; barrow_word *next; } r;
  barrow_word *p;
  r.next = next;
  BARROW_PUSH(m, r);
  p = barrow_alloc(m, 3); /* of cell */
  if (!p) exit(1);
  p[0] = (barrow_word)&pair;
  p[1] = (barrow_word)r.next;
  p[2] = 0;
  BARROW_LEAVE(m, r);
  return p;
}
__attribute__((noinline)) barrow_word *grow(barrow_mutator *m, barrow_word *list, int count) {
  while (count-- > 0) list = cell(m, list); /* of grow */
  return list;
}
__attribute__((noinline)) void waste(barrow_mutator *m, int count) {
  while (count-- > 0) (void)cell(m, NULL); /* of waste */
}
int main(int argc, char **argv) {
  barrow_config config;
  barrow_heap *heap;
  barrow_mutator *m;
  barrow_ccs *before;
  struct { barrow_frame frame; barrow_word *list; } r;
  int count = argc > 2 ? atoi(argv[2]) : 0;
  barrow_config_init(&config);
  config.flags = "-A256k --sample-every=4k";
  if (barrow_heap_new(&config, &heap, &m)) return fprintf(stderr, "%s\n", barrow_last_error()), 1;
  BARROW_ENTER(m, r);
  waste(m, 20000);
  before = barrow_ccs_enter(m, &parse);
  r.list = grow(m, r.list, count);
  barrow_ccs_leave(m, before);
  if (barrow_collect(m, true) || barrow_samples_write(m, argv[1])) return fprintf(stderr, "%s\n", barrow_last_error()), 1;
  BARROW_LEAVE(m, r);
  return barrow_heap_free(heap) != BARROW_OK;
}
"#;

/// The line of the program with this comment.
fn line(function: &str) -> usize {
    let mark = format!("/* of {function} */");
    PROGRAM.lines().position(|line| line.contains(&mark)).unwrap() + 1
}

fn barrow(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_barrow"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).output().unwrap()
}

fn told(folder: &Path, arguments: &[&str]) -> String {
    let output = barrow(folder, arguments);
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{arguments:?}: {out}{err}");
    out
}

/// Builds the program from this source; false where there is no C compiler, or no static library beside the tests.
fn build(folder: &Path, source: &str) -> bool {
    let here = std::env::current_exe().unwrap();
    let tests = here.parent().unwrap();
    let libraries = [tests, tests.parent().unwrap()].map(|folder| folder.join("libbarrow.a"));
    let Some(library) = libraries.into_iter().find(|path| path.exists()) else {
        eprintln!("skipped: libbarrow.a is not there");
        return false;
    };
    std::fs::write(folder.join("main.c"), source).unwrap();
    let built = Command::new("cc")
        .args(["-g", "-O2", "-std=gnu99", "-fPIE", "-pie", "-Wl,--build-id", "-I"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../include"))
        .arg("main.c")
        .arg(library)
        .args(["-lpthread", "-ldl", "-lm", "-lrt", "-lutil", "-o", "prog"])
        .current_dir(folder)
        .status();
    match built {
        Ok(status) => assert!(status.success()),
        Err(_) => {
            eprintln!("skipped: there is no C compiler");
            return false;
        }
    }
    true
}

/// The program, and what it leaves of 1,000 and of 100,000 cells: small.pprof and large.pprof. False where it cannot be built.
fn made(scratch: &Scratch) -> bool {
    if !build(scratch.path(), PROGRAM) {
        return false;
    }
    for (file, count) in [("small.pprof", "1000"), ("large.pprof", "100000")] {
        let program = scratch.path().join("prog");
        let ran = Command::new(program).args([file, count]).current_dir(scratch.path()).status();
        assert!(ran.unwrap().success());
    }
    true
}

/// The figures of a row of `top`, which ends with this name.
fn row(table: &str, name: &str) -> Option<Vec<String>> {
    let row = table.lines().find(|line| line.split("  ").last() == Some(name))?;
    Some(row.split_whitespace().map(str::to_owned).collect())
}

#[test]
fn samples_of_a_c_program() {
    let scratch = Scratch::new("pprof");
    if !made(&scratch) {
        return;
    }
    let folder = scratch.path();
    let checked = told(folder, &["check", "large.pprof"]);
    assert!(
        checked.contains("samples of alloc_objects, alloc_space, inuse_objects, inuse_space"),
        "{checked}"
    );
    let top = told(folder, &["top", "large.pprof"]);
    assert!(top.contains("INUSE SPACE") && top.contains("one each 4.00 KiB"), "{top}");
    // 2.4 MB are in use, of some 600 samples.
    let grow = row(&top, "grow").unwrap_or_else(|| panic!("no grow: {top}"));
    let (megabytes, unit) = (grow[0].parse::<f64>().unwrap(), &grow[1]);
    assert!(unit == "MiB" && (1.9..2.7).contains(&megabytes), "{top}");
    let waste = row(&top, "waste").unwrap_or_else(|| panic!("no waste: {top}"));
    assert_eq!(waste[..2], ["0", "B"], "{top}");
    let by_type = told(folder, &["top", "large.pprof", "--label", "type", "--value", "alloc_objects"]);
    assert!(by_type.contains("ALLOC OBJECTS") && row(&by_type, "Pair").is_some(), "{by_type}");
    let by_centre = told(folder, &["top", "large.pprof", "--label", "cost_centre"]);
    assert!(row(&by_centre, "parse").is_some(), "{by_centre}");

    // Lines, and the function that is part of its caller.
    told(folder, &["resolve", "large.pprof", "-o", "lines.pb.gz"]);
    let lines = told(folder, &["top", "lines.pb.gz"]);
    assert!(row(&lines, &format!("cell<main.c:{}>", line("cell"))).is_some(), "{lines}");
    let stacks = told(folder, &["convert", "lines.pb.gz", "--to", "collapsed"]);
    assert!(stacks.contains("main;grow;cell"), "{stacks}");
    let waste = told(folder, &["convert", "lines.pb.gz", "--to", "collapsed", "--value", "alloc_space"]);
    assert!(waste.contains("main;waste;cell"), "{waste}");
    let rows = told(folder, &["convert", "lines.pb.gz", "--to", "json"]);
    assert!(
        rows.contains(r#""name":"grow""#) && rows.contains(&format!(r#""line":{}"#, line("grow"))),
        "{rows}"
    );
    // The page finds the program by itself, and has what a resolved file has.
    let page = |file: &str| {
        told(folder, &["view", file, "-o", "page.html"]);
        std::fs::read_to_string(folder.join("page.html")).unwrap()
    };
    let shown = page("large.pprof");
    assert!(shown.contains(r#""resolved":true"#) && shown.contains(r#""cell""#), "no lines on the page");
    assert!(shown.contains("main.c") && !shown.contains("was not found"));
    let functions = |page: &str| {
        let meta = page.split_once(r#"id="barrow-meta">"#).unwrap().1.split_once("</script>").unwrap().0;
        let meta: serde_json::Value = serde_json::from_str(meta).unwrap();
        let file = &meta["files"][0];
        let texts = file["texts"].as_array().unwrap().clone();
        let rows = file["functions"].as_str().unwrap().lines().map(|row| {
            let Some((name, rest)) = row.split_once(' ') else { return row.to_owned() };
            let text = name.parse::<usize>().ok().and_then(|at| texts[at].as_str()).unwrap_or(row);
            format!("{text} {}", rest.rsplit(' ').next().unwrap())
        });
        rows.collect::<Vec<String>>()
    };
    let own = functions(&shown);
    assert_eq!(own, functions(&page("lines.pb.gz")));
    assert!(
        own.contains(&format!("cell {}", line("cell"))) && own.contains(&format!("grow {}", line("grow"))),
        "{own:?}"
    );

    // Another build than the one that ran is not taken for it, and without its code the file stays as it was.
    let rebuilt =
        PROGRAM.replace("int count = argc", "int more = 1, count = argc").replace("20000", "20000 * more");
    assert!(build(folder, &rebuilt));
    let other = barrow(folder, &["view", "large.pprof", "-o", "page.html"]);
    assert!(String::from_utf8_lossy(&other.stderr).contains("prog is another build than the one that ran"));
    assert!(
        !functions(&std::fs::read_to_string(folder.join("page.html")).unwrap())
            .iter()
            .any(|one| one.starts_with("cell"))
    );
    std::fs::remove_file(folder.join("prog")).unwrap();
    let unknown = barrow(folder, &["resolve", "large.pprof", "-o", "same.pb.gz"]);
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("was not found"));
    assert_eq!(told(folder, &["top", "same.pb.gz"]), top);

    // The leak is the difference of two.
    let difference = told(folder, &["diff", "small.pprof", "large.pprof"]);
    let first = difference.lines().nth(1).unwrap();
    assert!(
        first.ends_with("  grow") && first.trim_start().starts_with('+') && first.contains("MiB"),
        "{difference}"
    );
    let types = told(folder, &["diff", "small.pprof", "large.pprof", "--label", "type"]);
    assert!(types.lines().nth(1).unwrap().ends_with("  Pair"), "{types}");
    told(folder, &["diff", "small.pprof", "large.pprof", "--html", "diff.html"]);
    let unknown = page("large.pprof");
    assert!(
        unknown.contains(r#""type":"samples""#)
            && unknown.contains("waste")
            && unknown.contains("was not found")
    );
    assert!(unknown.contains(r#""resolved":false"#));
}

#[test]
fn heap_profiles_of_go() {
    let scratch = Scratch::new("pprof-go");
    let file = fixture("samples/go-heap.pb.gz");
    let file = file.to_str().unwrap();
    let folder = scratch.path();
    let top = told(folder, &["top", file]);
    let insert = row(&top, "main.insert<main.go:21>").unwrap_or_else(|| panic!("no main.insert: {top}"));
    assert_eq!(insert[..2], ["11.0", "MiB"], "{top}");
    let sizes = told(folder, &["top", file, "--label", "bytes"]);
    assert!(row(&sizes, "4096 bytes").is_some(), "{sizes}");
    let stacks = told(folder, &["convert", file, "--to", "collapsed"]);
    assert!(stacks.contains("runtime.main;main.main;main.insert "), "{stacks}");
    told(folder, &["convert", file, "--to", "pprof", "-o", "again.pb.gz"]);
    assert_eq!(told(folder, &["top", "again.pb.gz"]), top);
    for (format, has) in [
        ("speedscope", "main.insert"),
        ("massif", "main.insert"),
        ("trace", "main.insert"),
        ("csv", "stack,function,file,line,bytes,alloc_objects"),
        ("json", "barrow-samples-1"),
        ("svg", "main.insert"),
    ] {
        let text = told(folder, &["convert", file, "--to", format]);
        assert!(text.contains(has), "{format}: {text}");
    }
    let same = told(folder, &["diff", file, file]);
    assert!(same.lines().last().unwrap().starts_with("         0 B"), "{same}");
}

#[test]
fn options_that_mean_nothing_are_told() {
    let scratch = Scratch::new("pprof-options");
    let folder = scratch.path();
    let (go, hp) = (fixture("samples/go-heap.pb.gz"), fixture("hp/leak-hc.hp"));
    let (go, hp) = (go.to_str().unwrap(), hp.to_str().unwrap());
    for (arguments, why) in [
        (&["top", go, "--value", "time"][..], "has no value \"time\", but alloc_objects"),
        (&["top", go, "--label", "type"], "has no label \"type\", but bytes"),
        (&["top", go, "--sort", "growth"], "samples tell of one moment"),
        (&["top", hp, "--label", "type"], "for pprof profiles"),
        (&["diff", go, go, "--measure", "alloc"], "--measure"),
        (&["diff", hp, hp, "--value", "x"], "for pprof profiles"),
        (&["diff", go, hp], "different kinds"),
        (&["diff", go, go, "--value", "time"], "has no value"),
        (&["convert", go, "--to", "hp"], "one moment"),
        (&["convert", go, "--to", "collapsed", "--value", "time"], "has no value"),
        (&["convert", go, "--to", "json", "--value", "inuse_space"], "no meaning"),
        (&["convert", go, "--to", "svg", "--at", "1"], "--at has no meaning for samples"),
        (&["convert", hp, "--to", "svg", "--value", "x"], "--value has no meaning"),
        (&["top", "-f", go], "gzip"),
    ] {
        let output = barrow(folder, arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
        assert!(said.contains(why), "{arguments:?}: {said}");
    }
}

/// Cut at each byte and damaged at each: told as FILE:BYTE: why, or read.
#[test]
fn damaged_files_are_told() {
    let scratch = Scratch::new("pprof-damaged");
    let folder = scratch.path();
    let mut bytes = Vec::new();
    GzDecoder::new(std::fs::File::open(fixture("samples/go-heap.pb.gz")).unwrap())
        .read_to_end(&mut bytes)
        .unwrap();
    let file: PathBuf = folder.join("x.pprof");
    let mut refused = 0;
    for at in (10..bytes.len()).step_by(bytes.len() / 40) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x55;
        for bytes in [&bytes[..at], &damaged] {
            std::fs::write(&file, bytes).unwrap();
            let output = barrow(folder, &["check", "x.pprof"]);
            let said = String::from_utf8_lossy(&output.stderr);
            match output.status.code() {
                Some(0) => assert!(said.is_empty()),
                Some(1) => {
                    let place =
                        said.strip_prefix("x.pprof:").and_then(|rest| rest.split_once(": ")).map(|it| it.0);
                    assert!(place.is_some_and(|place| place.parse::<u32>().is_ok()), "{said}");
                    refused += 1;
                }
                _ => panic!("{:?}: {said}", output.status),
            }
        }
    }
    assert!(refused > 40, "{refused}");
}
