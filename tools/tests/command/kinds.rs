//! Every command given every format that this project or GHC writes, plain and as a gzip file: it takes what is for it, and
//! says of anything else what that is.

use super::common::{Scratch, fixture};
use flate2::{Compression, write::GzEncoder};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const BARROW: &str = env!("CARGO_BIN_EXE_barrow");

fn run(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(BARROW);
    command.args(args).current_dir(folder).stdin(Stdio::null()).output().expect("barrow runs")
}

/// A format: the end of the name of a file of it, its words, and how one is made.
struct Format {
    end: &'static str,
    words: &'static str,
    make: Make,
}

enum Make {
    Fixture(&'static str),
    /// Of the library's tests.
    Sibling(&'static str),
    Bytes(&'static [u8]),
    /// What `barrow` prints for these arguments.
    Printed(&'static [&'static str]),
    Itself,
}
use Make::*;

const HP: &str = "hp/leak-hc.hp";
const TIX: &str = "hpc/two/Two.tix";
const FORMATS: &[Format] = &[
    Format { end: "hp", words: "a heap profile (.hp)", make: Fixture(HP) },
    Format { end: "prof", words: "a time and allocation report (.prof)", make: Fixture("prof/leak-P.prof") },
    Format { end: "json", words: "a time and allocation report (JSON)", make: Fixture("prof/nfib-pj.json") },
    Format { end: "space", words: "space by function (JSON)", make: Fixture("space/run.json") },
    Format { end: "stops", words: "a time line (.stops)", make: Fixture("stops/pool.stops") },
    Format { end: "tix", words: "coverage counts (.tix)", make: Fixture(TIX) },
    Format { end: "mix", words: "coverage boxes (.mix)", make: Fixture("hpc/two/.hpc/Main.mix") },
    Format { end: "ticky", words: "a report of ticky counters", make: Sibling("ticky/Leak.ticky") },
    Format { end: "ticky", words: "a report of ticky counters", make: Sibling("ticky/Nfib-ticky.ticky") },
    Format { end: "biography", words: "a biography journal", make: Bytes(b"barrowB1") },
    Format { end: "snapshot", words: "a snapshot of the object graph", make: Bytes(b"barrowS1") },
    Format { end: "eventlog", words: "an eventlog of GHC", make: Bytes(b"hdrb\0\0\0\0") },
    Format { end: "hi", words: "an interface file of GHC", make: Bytes(b"\0\x01\xfa\xcedxxxx") },
    Format { end: "exe", words: "an ELF program or library", make: Itself },
    Format { end: "a", words: "a library of objects", make: Bytes(b"!<arch>\n") },
    Format {
        end: "aux",
        words: "what hp2ps keeps of a picture (.aux)",
        make: Bytes(b"X_RANGE 1.00\nY_RANGE 2.0\n"),
    },
    Format { end: "ps", words: "a PostScript page", make: Bytes(b"%!PS-Adobe-2.0\n") },
    Format { end: "html", words: "an HTML page", make: Printed(&["view", HP, "-o", "-"]) },
    Format {
        end: "pb",
        words: "a pprof profile",
        make: Printed(&["convert", HP, "--to", "pprof", "-o", "-"]),
    },
    Format { end: "pb", words: "a pprof profile", make: Fixture("samples/go-heap.pb.gz") },
    Format {
        end: "ss",
        words: "a profile for speedscope",
        make: Printed(&["convert", HP, "--to", "speedscope"]),
    },
    Format { end: "trace", words: "trace events", make: Printed(&["convert", HP, "--to", "trace"]) },
    Format { end: "massif", words: "a massif profile", make: Printed(&["convert", HP, "--to", "massif"]) },
    Format { end: "csv", words: "a table (CSV)", make: Printed(&["convert", HP, "--to", "csv"]) },
    Format {
        end: "csv",
        words: "a table (CSV)",
        make: Printed(&["convert", "prof/leak-P.prof", "--to", "csv"]),
    },
    Format {
        end: "ours",
        words: "JSON that `barrow convert` wrote",
        make: Printed(&["convert", HP, "--to", "json"]),
    },
    Format { end: "svg", words: "an SVG picture", make: Printed(&["convert", HP, "--to", "svg"]) },
    Format { end: "png", words: "a PNG picture", make: Printed(&["convert", HP, "--to", "png", "-o", "-"]) },
    Format {
        end: "info",
        words: "coverage by line (LCOV)",
        make: Printed(&["convert", TIX, "--to", "lcov", "--srcdir", "hpc/two"]),
    },
    Format {
        end: "xml",
        words: "an XML document",
        make: Printed(&["convert", TIX, "--to", "cobertura", "--srcdir", "hpc/two"]),
    },
    Format {
        end: "heapsnapshot",
        words: "a heap snapshot for Chrome's developer tools",
        make: Bytes(b"{\"snapshot\":{\"meta\":{}}}"),
    },
    Format { end: "zst", words: "a compressed file", make: Bytes(b"\x28\xb5\x2f\xfd") },
];

impl Format {
    fn bytes(&self) -> Vec<u8> {
        match self.make {
            Fixture(name) => std::fs::read(fixture(name)).expect("a fixture"),
            Sibling(name) => {
                let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures");
                std::fs::read(folder.join(name)).expect("a fixture")
            }
            Bytes(bytes) => bytes.to_vec(),
            Printed(args) => {
                let output = run(&fixture(""), args);
                assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
                output.stdout
            }
            Itself => std::fs::read(BARROW).expect("itself")[..10_000].to_vec(),
        }
    }
}

/// A command, and the ends of names of files that it takes.
const COMMANDS: &[(&[&str], &[&str])] = &[
    (&["check", "FILE"], &["hp", "prof", "json", "space", "stops", "tix", "mix", "ticky", "pb"]),
    (&["top", "FILE"], &["hp", "ticky", "pb", "prof", "json"]),
    (&["view", "FILE", "-o", "page.html"], &["hp", "prof", "json", "space", "stops", "ticky", "pb"]),
    (&["diff", "FILE", "FILE"], &["hp", "prof", "json", "ticky", "pb"]),
    (&["convert", "FILE", "--to", "json", "-o", "out"], &["hp", "prof", "json", "ticky", "pb"]),
    (&["convert", "FILE", "--to", "trace", "-o", "out"], &["hp", "prof", "json", "stops", "ticky", "pb"]),
    (&["convert", "FILE", "--to", "heapsnapshot", "-o", "out"], &[]),
    (&["convert", "FILE", "--to", "lcov", "-o", "out"], &[]),
    (&["resolve", "FILE", "-o", "out"], &["hp", "space", "pb"]),
    (&["hpc", "report", "FILE"], &[]),
    (&["hpc", "sum", "FILE"], &["tix"]),
    (&["hpc", "overlay", "FILE"], &[]),
];

/// What makes no sense in itself is refused for that by the command that it is for.
const EMPTY: [(&str, &str); 13] = [
    ("top", "biography"),
    ("top", "eventlog"),
    ("check", "biography"),
    ("view", "biography"),
    ("diff", "biography"),
    ("resolve", "biography"),
    ("check", "snapshot"),
    ("check", "eventlog"),
    ("view", "eventlog"),
    ("diff", "eventlog"),
    ("resolve", "eventlog"),
    ("view", "snapshot"),
    ("diff", "snapshot"),
];

#[test]
fn every_command_knows_every_format() {
    let scratch = Scratch::new("kinds");
    for format in FORMATS {
        let plain = format.bytes();
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&plain).expect("to memory");
        let packed = encoder.finish().expect("to memory");
        for (name, bytes) in
            [(format!("x.{}", format.end), &plain), (format!("x.{}.gz", format.end), &packed)]
        {
            std::fs::write(scratch.path().join(&name), bytes).expect("written");
            // What was packed already is packed twice.
            let words =
                if format.end == "pb" && name.ends_with(".gz") { "a gzip file" } else { format.words };
            for (command, takes) in COMMANDS {
                let args: Vec<&str> =
                    command.iter().map(|arg| if *arg == "FILE" { name.as_str() } else { *arg }).collect();
                let output = run(scratch.path(), &args);
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                let (out, err) = (text(&output.stdout), text(&output.stderr));
                if takes.contains(&format.end) && words == format.words {
                    // The code of the profile of space is not here.
                    let is_taken = output.status.success() || err.contains("places was resolved");
                    assert!(is_taken, "{args:?}: {out}{err}");
                    let _ = std::fs::remove_file(scratch.path().join("out"));
                    continue;
                }
                assert_eq!(output.status.code(), Some(1), "{args:?}: {out}{err}");
                let is_empty = EMPTY.contains(&(args[0], format.end))
                    || (args[..].contains(&"json") || args[..].contains(&"trace"))
                        && ["biography", "eventlog"].contains(&format.end)
                    || args[..].contains(&"heapsnapshot") && format.end == "snapshot";
                // A .tix without its .mix files, and a program that has left no .tix, are what the command is for.
                let is_own = args[0] == "hpc" && args[1] == "report" && ["tix", "exe"].contains(&format.end)
                    || args.contains(&"lcov") && format.end == "tix"
                    || args[0] == "diff" && format.end == "space"
                    || args[0] == "convert" && ["json", "trace"].contains(&args[3]) && format.end == "space"
                    || args[0] == "resolve" && ["prof", "json", "ticky"].contains(&format.end);
                if !is_empty && !is_own {
                    let told = format!("{name}: this is {words}");
                    assert!(err.contains(&told), "{args:?}: {out}{err}");
                }
                assert!(!err.contains("panicked"), "{args:?}: {err}");
                assert!(!scratch.path().join("out").exists(), "{args:?} left a file");
            }
            std::fs::remove_file(scratch.path().join(&name)).expect("ours");
        }
    }
}

#[test]
fn hp2ps_and_following_know_them_too() {
    let scratch = Scratch::new("kinds-hp2ps");
    for format in FORMATS.iter().filter(|format| format.end != "hp") {
        std::fs::write(scratch.path().join("x.hp"), format.bytes()).expect("written");
        for args in [&["hp2ps", "x.hp"][..], &["top", "-f", "x.hp"]] {
            let output = run(scratch.path(), args);
            let err = String::from_utf8_lossy(&output.stderr).into_owned();
            let words = if args[0] == "top" && format.end == "pb" { "a gzip file" } else { format.words };
            assert_eq!(output.status.code(), Some(1), "{args:?}: {err}");
            assert!(err.contains(words), "{args:?} for {}: {err}", format.end);
        }
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&FORMATS[0].bytes()).expect("to memory");
    std::fs::write(scratch.path().join("y.hp.gz"), encoder.finish().expect("to memory")).expect("written");
    let output = run(scratch.path(), &["hp2ps", "y.hp.gz"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read(scratch.path().join("y.ps")).expect("a page");
    std::fs::write(scratch.path().join("y.hp"), FORMATS[0].bytes()).expect("written");
    assert!(run(scratch.path(), &["hp2ps", "y.hp"]).status.success());
    assert_eq!(page, std::fs::read(scratch.path().join("y.ps")).expect("a page"));
}
