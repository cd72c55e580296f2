//! Tells what a file is by its first bytes: every format that this project or GHC writes, and what is mistaken for one. Each
//! command asks here, so that each says the same of a file that is not for it.

use std::path::Path;

/// How much of a file is looked at: retainer statistics and a report's head fit many times over.
pub const HEAD: usize = 4096;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    HeapProfile,
    Report,
    ReportJson,
    Space,
    Biography,
    Snapshot,
    Tix,
    Mix,
    Ticky,
    SpaceText,
    Stops,
    Eventlog,
    Aux,
    HeapSnapshot,
    Speedscope,
    Trace,
    OurJson,
    CoverageJson,
    Pprof,
    Massif,
    Lcov,
    Csv,
    Svg,
    Xml,
    Html,
    PostScript,
    Pdf,
    Png,
    Elf,
    Archive,
    Interface,
    Gzip,
    Compressed,
    MachineCode,
}

struct Row {
    kind: Kind,
    /// "This is ...".
    words: &'static str,
    /// What to do with such a file.
    advice: &'static str,
    is: fn(&Head) -> bool,
}

/// The first bytes, and what they are as text without the space before it.
struct Head<'a> {
    bytes: &'a [u8],
    text: &'a str,
}

impl Head<'_> {
    fn begins(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.text.starts_with(word))
    }

    /// A JSON object whose first member has this name.
    fn has_first(&self, member: &str) -> bool {
        let rest = self.text.strip_prefix('{').map(str::trim_start);
        rest.and_then(|rest| rest.strip_prefix('"'))
            .is_some_and(|rest| rest.strip_prefix(member).is_some_and(|rest| rest.starts_with('"')))
    }
}

/// The headings with which a report of ticky counters may begin, behind the command line.
const TICKY: [&str; 3] = ["ALLOCATIONS: ", "STACK USAGE:", "ENTERS: "];

/// The first that fits is meant: what has a magic number stands before what is told by a word.
const KINDS: &[Row] = &[
    row(Kind::Elf, "an ELF program or library", "`barrow resolve --code` takes it", |head| {
        head.bytes.starts_with(b"\x7fELF")
    }),
    row(Kind::Gzip, "a gzip file", "it was compressed twice; gunzip it once", |head| {
        head.bytes.starts_with(b"\x1f\x8b")
    }),
    row(Kind::Compressed, "a compressed file", "decompress it first", |head| {
        let magics: [&[u8]; 5] =
            [b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\0", b"BZh", b"PK\x03\x04", b"\x04\x22\x4d\x18"];
        magics.iter().any(|magic| head.bytes.starts_with(magic))
    }),
    row(
        Kind::Biography,
        "a biography journal",
        "`barrow view` shows it, `barrow convert --to hp` finishes it",
        |head| super::biography::looks_like(head.bytes),
    ),
    row(
        Kind::Snapshot,
        "a snapshot of the object graph",
        "`barrow view` shows it, `barrow convert --to heapsnapshot` converts it",
        |head| super::snapshot::looks_like(head.bytes),
    ),
    row(
        Kind::Eventlog,
        "an eventlog of GHC",
        "`barrow view` shows its heap samples, ThreadScope the rest",
        |head| super::eventlog::looks_like(head.bytes),
    ),
    row(Kind::Interface, "an interface file of GHC", "", |head| head.bytes.starts_with(b"\0\x01\xfa\xce")),
    row(Kind::Archive, "a library of objects", "", |head| head.bytes.starts_with(b"!<arch>")),
    row(Kind::MachineCode, "a program for another system", "", |head| {
        [&b"\xcf\xfa\xed\xfe"[..], b"\xca\xfe\xba\xbe", b"MZ\x90"]
            .iter()
            .any(|magic| head.bytes.starts_with(magic))
    }),
    row(Kind::Png, "a PNG picture", "", |head| head.bytes.starts_with(b"\x89PNG")),
    row(Kind::Pdf, "a PDF document", "", |head| head.bytes.starts_with(b"%PDF")),
    row(Kind::PostScript, "a PostScript page", "", |head| head.bytes.starts_with(b"%!")),
    row(Kind::Pprof, "a pprof profile", "`barrow view` and `barrow top` show it", |head| {
        super::pprof::looks_like(head.bytes)
    }),
    row(Kind::Report, "a time and allocation report (.prof)", "`barrow view` shows it", |head| {
        super::prof::looks_like(head.text)
    }),
    row(Kind::Space, "space by function (JSON)", "`barrow view` shows it", |head| {
        super::space::looks_like(head.text)
    }),
    row(Kind::OurJson, "JSON that `barrow convert` wrote", "convert the profile that it came from", |head| {
        head.has_first("format")
    }),
    row(Kind::HeapSnapshot, "a heap snapshot for Chrome's developer tools", "", |head| {
        head.has_first("snapshot")
    }),
    row(Kind::Speedscope, "a profile for speedscope", "speedscope.app shows it", |head| {
        head.has_first("$schema")
    }),
    row(Kind::Trace, "trace events", "Perfetto shows them", |head| {
        head.has_first("traceEvents") || head.has_first("displayTimeUnit")
    }),
    row(Kind::CoverageJson, "a coverage report (JSON)", "", |head| head.has_first("coverage")),
    row(Kind::ReportJson, "a time and allocation report (JSON)", "`barrow view` shows it", |head| {
        super::prof_json::looks_like(head.text)
    }),
    row(
        Kind::Tix,
        "coverage counts (.tix)",
        "`barrow hpc` shows them, `barrow convert --to lcov` and `--to cobertura` convert them",
        |head| is_word(head, "Tix"),
    ),
    row(Kind::Mix, "coverage boxes (.mix)", "`barrow hpc` takes them with the .tix", |head| {
        is_word(head, "Mix")
    }),
    row(Kind::HeapProfile, "a heap profile (.hp)", "`barrow view` and `barrow top` show it", |head| {
        let word = head.text.split(|c: char| c.is_ascii_whitespace()).next().unwrap_or_default();
        super::hp::Keyword::of(word.as_bytes()).is_some()
    }),
    row(Kind::Aux, "what hp2ps keeps of a picture (.aux)", "", |head| head.begins(&["X_RANGE ", "Y_RANGE "])),
    row(Kind::Massif, "a massif profile", "`ms_print` shows it", |head| {
        head.begins(&["desc: "]) && head.text.contains("\ncmd: ")
    }),
    row(Kind::Lcov, "coverage by line (LCOV)", "`genhtml` shows it", |head| head.begins(&["TN:", "SF:"])),
    row(Kind::Csv, "a table (CSV)", "", |head| {
        head.begins(&["time,band,value", "stack,centre,module,", "stack,function,file,line,"])
    }),
    row(Kind::Svg, "an SVG picture", "", |head| head.begins(&["<svg"])),
    row(Kind::Html, "an HTML page", "a browser shows it", |head| {
        let begin = head.text.get(..15).unwrap_or(head.text).to_ascii_lowercase();
        begin.starts_with("<!doctype html") || begin.starts_with("<html")
    }),
    row(Kind::Xml, "an XML document", "", |head| head.begins(&["<?xml"])),
    row(
        Kind::Stops,
        "a time line (.stops)",
        "`barrow view` shows it, `barrow convert --to trace` converts it",
        |head| head.begins(&["barrow-stops "]),
    ),
    row(Kind::SpaceText, "space by function as text", "`barrow view` shows its JSON", |head| {
        let mut lines = head.text.lines();
        lines.next().is_some_and(|line| line.ends_with(" space profile"))
            && lines.next().is_some_and(|line| line.ends_with(" bytes used for profiling"))
    }),
    row(Kind::Ticky, "a report of ticky counters", "`barrow view` and `barrow top` show it", |head| {
        let heading = |line: &str| TICKY.iter().any(|heading| line.starts_with(heading));
        head.text.lines().next().is_some_and(|line| line.contains(" +RTS "))
            && head.text.lines().take(8).any(heading)
    }),
];

const fn row(kind: Kind, words: &'static str, advice: &'static str, is: fn(&Head) -> bool) -> Row {
    Row { kind, words, advice, is }
}

fn is_word(head: &Head, word: &str) -> bool {
    let rest = head.text.strip_prefix(word);
    rest.is_some_and(|rest| rest.chars().next().is_none_or(|next| !next.is_ascii_alphanumeric()))
}

impl Kind {
    /// By the first bytes of a file, up to `HEAD` of them. None for what begins like nothing that is known.
    pub fn of(head: &[u8]) -> Option<Kind> {
        let text = String::from_utf8_lossy(head);
        let head = Head { bytes: head, text: text.trim_start() };
        KINDS.iter().find(|row| (row.is)(&head)).map(|row| row.kind)
    }

    /// By a file's name, for one that has lost its beginning.
    pub fn by_name(path: &Path) -> Option<Kind> {
        let name = path.file_name()?.to_str()?;
        match name.strip_suffix(".gz").unwrap_or(name).rsplit_once('.')?.1 {
            "hp" => Some(Kind::HeapProfile),
            "tix" => Some(Kind::Tix),
            "mix" => Some(Kind::Mix),
            _ => None,
        }
    }

    /// "a heap profile (.hp)".
    pub fn words(self) -> &'static str {
        self.row().map_or("", |row| row.words)
    }

    /// A sentence for whoever wanted another kind.
    pub fn told(self) -> String {
        match self.row() {
            Some(Row { words, advice: "", .. }) => format!("this is {words}"),
            Some(Row { words, advice, .. }) => format!("this is {words}: {advice}"),
            None => String::new(),
        }
    }

    fn row(self) -> Option<&'static Row> {
        KINDS.iter().find(|row| row.kind == self)
    }
}
