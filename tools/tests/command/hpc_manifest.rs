//! Every command line that was recorded from hpc 0.68, run in a copy of its folder by the name `hpc`: the same
//! output, files and exit status, byte for byte. `DIFFERENCES` lists what the recorded tool gets wrong, each with
//! the heading in docs/coverage-differences.md that gives the reason.

use super::common::Scratch;
use super::hpc_support::{copy_tree, text};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What we print instead. None: as recorded.
struct Difference {
    folder: &'static str,
    command: &'static str,
    heading: &'static str,
    exit: Option<i32>,
    /// Part of it.
    stdout: Option<&'static str>,
    stderr: Option<&'static str>,
}

const AS_RECORDED: Difference =
    Difference { folder: "hpc/errors", command: "", heading: "", exit: None, stdout: None, stderr: None };

const CRASH: &str = "Crashes have messages";
const MISFIT: &str = "Counts that do not fit their boxes are told";

const DIFFERENCES: &[Difference] = &[
    Difference {
        command: "hpc map nosuchfile",
        heading: CRASH,
        stderr: Some("hpc: nosuchfile: there is no such .tix file\n"),
        ..AS_RECORDED
    },
    Difference {
        command: "hpc sum nosuchfile",
        heading: CRASH,
        stderr: Some("hpc: nosuchfile: there is no such .tix file\n"),
        ..AS_RECORDED
    },
    Difference {
        folder: "hpc/recip",
        command: "hpc map Recip",
        heading: CRASH,
        stderr: Some("hpc: Recip: there is no such .tix file\n"),
        ..AS_RECORDED
    },
    Difference {
        folder: "hpc/recip",
        command: "hpc sum Recip eight",
        heading: CRASH,
        stderr: Some("hpc: Recip: there is no such .tix file\n"),
        ..AS_RECORDED
    },
    Difference {
        command: "hpc draft",
        heading: CRASH,
        stdout: Some("Error: no .tix file or executable name specified\nUsage: hpc draft "),
        stderr: Some(""),
        ..AS_RECORDED
    },
    Difference {
        command: "hpc markup --destdir=../../build/x short.tix",
        heading: CRASH,
        stdout: Some(""),
        stderr: Some("hpc: short.tix: module Main has 134 counts for 135 boxes: its page would be wrong\n"),
        ..AS_RECORDED
    },
    Difference {
        folder: "hpc/recip",
        command: "hpc show --output=../../build/show.txt eight.tix; ls ../../build/show.txt",
        heading: "`show --output` writes the file",
        exit: Some(0),
        stdout: Some("../../build/show.txt\n"),
        stderr: Some(""),
    },
    Difference {
        folder: "hpc/two",
        command: "cp -r .hpc ../../build/mixes && hpc report --reset-hpcdirs --hpcdir=../../build/mixes Two.tix",
        heading: "`--reset-hpcdirs` takes away the default only",
        exit: Some(0),
        stdout: Some(" 74% expressions used (64/86)\n"),
        stderr: Some(""),
    },
];

/// Inputs of hpc/errors about which a warning is printed besides the recorded output.
const WARNED: [&str; 4] = ["badcount.tix", "long.tix", "negative.tix", "short.tix"];

struct Recorded {
    folder: String,
    command: String,
    exit: i32,
    /// Relative to the fixtures.
    files: Vec<String>,
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// The rows of the manifest that run hpc, gathered by command.
fn recorded() -> Vec<Recorded> {
    let manifest = fs::read_to_string(fixtures().join("hpc/manifest.tsv")).expect("the manifest");
    let mut commands: BTreeMap<(String, String), Recorded> = BTreeMap::new();
    for row in manifest.lines().skip(1) {
        let [file, command, exit, folder] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        // The others are inputs: copied, made by hand, or left by programs that were run.
        if !command.starts_with("hpc") && !command.contains("&& hpc ") {
            continue;
        }
        let exit = exit.parse().expect("an exit status");
        let recorded = commands.entry((folder.to_string(), command.to_string())).or_insert_with(|| {
            Recorded { folder: folder.to_string(), command: command.to_string(), exit, files: Vec::new() }
        });
        if file != "-" {
            recorded.files.push(file.to_string());
        }
    }
    commands.into_values().collect()
}

impl Recorded {
    fn stream(&self, extension: &str) -> Option<String> {
        let file = self.files.iter().find(|file| file.ends_with(extension))?;
        Some(fs::read_to_string(fixtures().join(file)).expect("a fixture"))
    }

    fn has_streams(&self) -> bool {
        self.files.iter().any(|file| file.ends_with(".out") || file.ends_with(".err"))
    }

    /// What the command wrote itself.
    fn products(&self) -> impl Iterator<Item = &String> {
        self.files.iter().filter(|file| !file.ends_with(".out") && !file.ends_with(".err"))
    }
}

struct Place {
    scratch: Scratch,
}

impl Place {
    fn new(name: &str) -> Place {
        let scratch = Scratch::new(name);
        copy_tree(&fixtures().join("hpc"), &scratch.path().join("hpc"));
        fs::create_dir_all(scratch.path().join("build")).expect("a folder");
        fs::create_dir_all(scratch.path().join("bin")).expect("a folder");
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_barrow"), scratch.path().join("bin/hpc"))
            .expect("a link");
        Place { scratch }
    }

    fn run(&self, folder: &str, command: &str) -> (i32, String, String) {
        let path = format!("{}:/usr/bin:/bin", self.scratch.path().join("bin").display());
        let output = Command::new("/bin/sh")
            .args(["-c", command])
            .current_dir(self.scratch.path().join(folder))
            .env("PATH", path)
            .output()
            .expect("a shell");
        (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
    }
}

/// The lines that tell where in hpc's own source an error was raised.
fn without_call_stack(text: &str) -> String {
    text.lines()
        .filter(|line| !line.starts_with("CallStack (from") && !line.contains(", called at "))
        .map(|line| format!("{line}\n"))
        .collect()
}

#[test]
fn every_recorded_command_does_as_recorded() {
    let place = Place::new("manifest");
    let commands = recorded();
    assert!(commands.len() > 230, "only {} commands in the manifest", commands.len());
    let mut used = 0;
    for recorded in &commands {
        let Recorded { folder, command, .. } = recorded;
        let what = format!("in {folder}: {command}");
        for product in recorded.products() {
            fs::remove_file(place.scratch.path().join(product)).expect("a file to be written again");
        }
        let (exit, stdout, stderr) = place.run(folder, command);
        let difference = DIFFERENCES.iter().find(|d| d.folder == folder && d.command == command);
        used += usize::from(difference.is_some());
        let other = |part: fn(&Difference) -> Option<&'static str>| difference.and_then(part);

        assert_eq!(exit, difference.and_then(|d| d.exit).unwrap_or(recorded.exit), "{what}");
        if recorded.has_streams() {
            match other(|d| d.stdout) {
                Some("") => assert_eq!(stdout, "", "{what}"),
                Some(part) => assert!(stdout.contains(part), "{what}: {stdout}"),
                None => assert_eq!(stdout, recorded.stream(".out").unwrap_or_default(), "{what}"),
            }
            match other(|d| d.stderr) {
                Some(whole) => assert_eq!(stderr, whole, "{what}"),
                None => check_stderr(&recorded.stream(".err").unwrap_or_default(), &stderr, command, &what),
            }
        }
        for product in recorded.products() {
            let ours = fs::read_to_string(place.scratch.path().join(product)).expect(product);
            let theirs = fs::read_to_string(fixtures().join(product)).expect(product);
            if product.contains("hpc_index") {
                assert_eq!(figures_of_ours(&ours), figures_of_theirs(&theirs), "{product}");
            } else if product.ends_with(".html") {
                assert_eq!(lines_of_ours(&ours), lines_of_theirs(&theirs), "{product}");
            } else {
                assert_eq!(ours, theirs, "{product}");
            }
        }
    }
    assert_eq!(used, DIFFERENCES.len(), "a listed difference is of no recorded command");
}

/// As recorded, and perhaps one line more that says where; or a warning where nothing was said.
fn check_stderr(recorded: &str, ours: &str, command: &str, what: &str) {
    let recorded = without_call_stack(recorded);
    let Some(more) = ours.strip_prefix(recorded.as_str()) else {
        panic!("{what}: {ours:?} does not begin with {recorded:?}");
    };
    assert!(more.lines().count() <= 1, "{what}: {more}");
    if recorded.is_empty() {
        let warned = WARNED.iter().any(|input| command.ends_with(input));
        let reads_mix =
            ["report", "show", "draft", "markup"].iter().any(|c| command.starts_with(&format!("hpc {c}")));
        assert_eq!(more.starts_with("hpc: warning: "), warned && reads_mix, "{what}: {more}");
        assert_eq!(more.is_empty(), !(warned && reads_mix), "{what}: {more}");
    }
}

#[test]
fn classic_pages_are_the_recorded_ones_to_the_byte() {
    let place = Place::new("classic");
    let mut pages = 0;
    for recorded in recorded().iter().filter(|r| r.command.starts_with("hpc markup ") && r.exit == 0) {
        let (exit, _, stderr) = place.run(&recorded.folder, &format!("{} --classic", recorded.command));
        assert_eq!(exit, 0, "{}: {stderr}", recorded.command);
        for product in recorded.products() {
            let ours = fs::read_to_string(place.scratch.path().join(product)).expect(product);
            let theirs = fs::read_to_string(fixtures().join(product)).expect(product);
            assert_eq!(ours, theirs, "{product}");
            pages += 1;
        }
    }
    assert!(pages > 80, "only {pages} pages");
}

#[test]
fn every_difference_is_explained_in_the_docs() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/coverage-differences.md");
    let docs = fs::read_to_string(docs).expect("docs/coverage-differences.md");
    for heading in DIFFERENCES.iter().map(|d| d.heading).chain([MISFIT]) {
        assert!(docs.contains(&format!("## {heading}\n")), "no section `{heading}`");
    }
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let from = text.find(start).expect(start) + start.len();
    let to = text.rfind(end).expect(end);
    &text[from..to]
}

fn lines_of_theirs(page: &str) -> &str {
    between(page, "</pre>\n<pre>\n", "\n</pre>")
}

fn lines_of_ours(page: &str) -> &str {
    between(page, "<main>\n<pre>\n", "</pre>\n</main>")
}

/// Each row of an index: its module's address and text, and the first three figures.
fn figures_of_theirs(page: &str) -> Vec<Vec<String>> {
    page.split("\n<t").filter(|row| row.contains("/")).filter_map(|row| figures(row, "<td>", 3)).collect()
}

fn figures_of_ours(page: &str) -> Vec<Vec<String>> {
    page.split("</tr>").filter_map(|row| figures(row, "<span class=\"share\">", 3)).collect()
}

fn figures(row: &str, before: &str, wanted: usize) -> Option<Vec<String>> {
    let shares: Vec<String> = row
        .split(before)
        .skip(1)
        .map(|rest| rest.split('<').next().unwrap_or_default().to_string())
        .filter(|share| {
            share.split_once('/').is_some_and(|(a, b)| a.parse::<u32>().is_ok() && b.parse::<u32>().is_ok())
        })
        .take(wanted)
        .collect();
    (shares.len() == wanted).then_some(shares)
}
