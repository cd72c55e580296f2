//! Runs every command of the hp2ps fixtures and compares files, output and exit status byte for byte with what
//! GHC's hp2ps made. Where we differ on purpose, `DIFFERENCES` says how and why; nothing else may differ.

use super::common::Scratch;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

struct Row {
    file: String,
    exit: i32,
}

/// (folder, command) -> what it made.
fn manifest() -> BTreeMap<(String, String), Vec<Row>> {
    let text = fs::read_to_string(super::common::fixture("hp2ps-manifest.tsv")).unwrap();
    let mut commands: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [file, command, exit, folder] = columns[..] else { panic!("{line}") };
        let row = Row { file: file.to_string(), exit: exit.parse().unwrap() };
        commands.entry((folder.to_string(), command.to_string())).or_default().push(row);
    }
    commands
}

#[derive(Debug, PartialEq)]
struct Outcome {
    exit: i32,
    /// Name in the fixtures -> content.
    files: BTreeMap<String, Vec<u8>>,
}

fn run(root: &Path, folder: &str, command: &str) -> Outcome {
    let directory = root.join(folder);
    let before = names(&directory);
    let path = format!("{}:{}", root.join("bin").display(), std::env::var("PATH").unwrap());
    let output =
        Command::new("sh").args(["-c", command]).current_dir(&directory).env("PATH", path).output().unwrap();
    let mut files = BTreeMap::new();
    for name in names(&directory).iter().filter(|name| !before.contains(name)) {
        let content = fs::read(directory.join(name)).unwrap();
        if !content.is_empty() {
            files.insert(format!("{folder}/{name}"), content);
        }
        fs::remove_file(directory.join(name)).unwrap();
    }
    let (out, err) = if folder == "hp2ps/made" {
        let name = command.rsplit('/').next().unwrap().trim_end_matches(".hp");
        (format!("{folder}/{name}.ps"), format!("{folder}/{name}.err"))
    } else {
        (format!("{folder}/stdout"), format!("{folder}/stderr"))
    };
    for (name, content) in [(out, output.stdout), (err, output.stderr)] {
        if !content.is_empty() {
            files.insert(name, content);
        }
    }
    Outcome { exit: output.status.code().unwrap_or(-1), files }
}

fn names(directory: &Path) -> Vec<String> {
    fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn every_command_of_the_manifest() {
    let scratch = Scratch::new("hp2ps-fixtures");
    let root = scratch.path();
    fs::create_dir(root.join("bin")).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_barrow"), root.join("bin/hp2ps")).unwrap();
    for input in ["hp", "src"] {
        std::os::unix::fs::symlink(super::common::fixture(input), root.join(input)).unwrap();
    }
    let commands = manifest();
    for (folder, command) in commands.keys() {
        fs::create_dir_all(root.join(folder)).unwrap();
        for row in commands[&(folder.clone(), command.clone())].iter().filter(|_| command.starts_with('(')) {
            fs::copy(super::common::fixture(&row.file), root.join(&row.file)).unwrap();
        }
    }
    let mut wrong = Vec::new();
    let mut ran = 0;
    for ((folder, command), rows) in &commands {
        if command.starts_with('(') {
            continue;
        }
        ran += 1;
        let expected = Outcome {
            exit: rows[0].exit,
            files: (rows.iter().filter(|row| row.file != "-"))
                .map(|row| (row.file.clone(), fs::read(super::common::fixture(&row.file)).unwrap()))
                .collect(),
        };
        let found = run(root, folder, command);
        let difference = DIFFERENCES.iter().find(|(name, _)| names_row(name, folder, command));
        let right = match difference {
            None => same(&expected, &found),
            Some((_, difference)) => difference.holds(&expected, &found),
        };
        if !right {
            wrong.push(format!("{folder}: {command}{}", describe(&expected, &found)));
        }
    }
    assert_eq!(ran, 200);
    assert!(wrong.is_empty(), "{} of {ran} differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// A difference is named by its folder, or by the input in the folder of hand-made inputs.
fn names_row(name: &str, folder: &str, command: &str) -> bool {
    folder.ends_with(&format!("/{name}"))
        || (folder == "hp2ps/made" && command.ends_with(&format!("/{name}.hp")))
}

enum Difference {
    /// Refused as before, in better words.
    Refused(&'static str),
    /// Drawn in silence where the old tool failed.
    Drawn,
    /// Drawn with this warning.
    DrawnButWarned(&'static str),
    /// The same page but for backslashes before brackets and backslashes.
    Escapes,
    /// The line of this picture is now another.
    Line(&'static str),
    /// A wrong flag: exit 2, nothing on standard output.
    WrongFlag,
    /// `-?` explains the flags in our words.
    Help,
}

use Difference::*;

/// Every one of these is a fault of the old tool, or a text that explains it.
const DIFFERENCES: &[(&str, Difference)] = &[
    ("help", Help),
    ("question", Help),
    ("e143pt", WrongFlag),
    ("e144", WrongFlag),
    ("m-3", WrongFlag),
    ("t-1", WrongFlag),
    ("t6", WrongFlag),
    ("z", WrongFlag),
    // A name that starts with a digit, and more ORDER lines than there are bands, are no faults.
    ("aux-digit-order", Drawn),
    ("aux-overflow", Drawn),
    // Sums beyond 64 bits drew nonsense, and the line was the next one's.
    ("digits-31", Refused("stdin, line 6: the value is greater than 64 bits can hold")),
    ("digits-32", Refused("stdin, line 6: the value is greater than 64 bits can hold")),
    ("digits-40", Refused("stdin, line 6: the number has more than 32 digits")),
    ("exponent-value", Refused("stdin, line 6: integer must follow identifier")),
    ("hex-value", Refused("stdin, line 6: integer must follow identifier")),
    ("band-after-last", Refused("stdin, line 11: values after the last END_SAMPLE belong to no sample")),
    // Names that the old tool could not read, and a crash.
    ("keyword-band-job", Drawn),
    ("keyword-band-mark", Drawn),
    ("long-name-5000", Drawn),
    ("end-only", Drawn),
    // A key as wide as the page left a graph of negative width.
    ("wide-key", Line("200.000000 0 rlineto")),
    ("long", Line("200.000000 0 rlineto")),
    // Text that spoilt the PostScript.
    ("date-parens", Escapes),
    ("job-parens", Escapes),
    ("units-odd", Escapes),
    ("tiny-args", Escapes),
    ("nul-byte", Line("(\\000\\000b) show")),
    ("string-multiline", Line("%%Title: made by hand")),
    // Files of programs that were killed, or are still running.
    ("end-at-eof", DrawnButWarned("stdin, line 8: the last sample is incomplete and is left out")),
    (
        "leak-cut-midline",
        DrawnButWarned(
            "../../../hp/leak-hc-cut-midline.hp, line 516: the last sample is incomplete and is left out",
        ),
    ),
    (
        "leak-cut-nosampleend",
        DrawnButWarned(
            "../../../hp/leak-hc-cut-nosampleend.hp, line 167: the last sample is incomplete and is left out",
        ),
    ),
];

impl Difference {
    fn holds(&self, expected: &Outcome, found: &Outcome) -> bool {
        let with = |suffixes: &[&str]| {
            let mut files = found.files.iter();
            files.find(|(name, _)| suffixes.iter().any(|suffix| name.ends_with(suffix))).map(|(_, file)| file)
        };
        let page = with(&[".ps"]);
        let errors = with(&["err", "stderr"]).map(|bytes| String::from_utf8_lossy(bytes));
        let drawn = found.exit == 0 && page.is_some_and(|page| page.ends_with(b"showpage\n"));
        match self {
            Refused(text) => {
                found.exit == 1 && page.is_none() && errors.as_deref() == Some(&format!("hp2ps: {text}\n"))
            }
            Drawn => drawn && errors.is_none(),
            DrawnButWarned(text) => drawn && errors.as_deref() == Some(&format!("hp2ps: {text}\n")),
            Line(line) => {
                let old = expected.files.values().any(|file| has_line(file, line));
                drawn && errors.is_none() && !old && page.is_some_and(|page| has_line(page, line))
            }
            Escapes => {
                let bare = |outcome: &Outcome| Outcome {
                    exit: outcome.exit,
                    files: (outcome.files.iter())
                        .map(|(name, file)| {
                            (name.clone(), file.iter().copied().filter(|&byte| byte != b'\\').collect())
                        })
                        .collect(),
                };
                drawn && expected != found && same(&bare(expected), &bare(found))
            }
            WrongFlag => {
                found.exit == 2
                    && found.files.len() == 1
                    && errors.is_some_and(|text| text.starts_with("hp2ps: error: "))
            }
            Help => found.exit == 0 && found.files.len() == 1 && with(&["stdout"]).is_some(),
        }
    }
}

fn has_line(file: &[u8], line: &str) -> bool {
    file.split(|&byte| byte == b'\n').any(|other| other == line.as_bytes())
}

/// Byte for byte, save that our .aux has more decimals where two lose the number.
fn same(expected: &Outcome, found: &Outcome) -> bool {
    expected.exit == found.exit
        && expected.files.len() == found.files.len()
        && expected.files.iter().zip(&found.files).all(|((old_name, old), (new_name, new))| {
            old_name == new_name && (old == new || (old_name.ends_with(".aux") && same_aux(old, new)))
        })
}

fn same_aux(old: &[u8], new: &[u8]) -> bool {
    let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(new));
    let same_line = |(old, new): (&str, &str)| {
        let (Some((old_name, _)), Some((new_name, number))) = (old.rsplit_once(' '), new.rsplit_once(' '))
        else {
            return false;
        };
        let rounded = || number.parse::<f64>().is_ok_and(|number| old == format!("{old_name} {number:.2}"));
        old == new || (old_name == new_name && !old.starts_with("ORDER") && rounded())
    };
    old.lines().count() == new.lines().count() && old.lines().zip(new.lines()).all(same_line)
}

fn describe(expected: &Outcome, found: &Outcome) -> String {
    let mut text = String::new();
    if expected.exit != found.exit {
        text += &format!("\n  exit {} instead of {}", found.exit, expected.exit);
    }
    for (name, old) in &expected.files {
        match found.files.get(name) {
            None => text += &format!("\n  no {name}: {}", first_line(old)),
            Some(new) if new == old => {}
            Some(new) => {
                let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(new));
                let (old, new): (Vec<_>, Vec<_>) = (old.lines().collect(), new.lines().collect());
                let differs = |&line: &usize| old.get(line) != new.get(line);
                let Some(line) = (0..old.len().max(new.len())).find(differs) else { continue };
                text += &format!("\n  {name}:{}\n    - {:?}", line + 1, old.get(line));
                text += &format!("\n    + {:?}", new.get(line));
            }
        }
    }
    for (name, new) in found.files.iter().filter(|(name, _)| !expected.files.contains_key(*name)) {
        text += &format!("\n  more: {name}: {}", first_line(new));
    }
    text
}

fn first_line(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).lines().next().unwrap_or_default().to_string()
}
