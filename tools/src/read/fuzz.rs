//! The fuzz bodies: plain functions over any bytes, which must not panic, hang or eat memory whatever they are given.
//! Here `cargo test` runs them over mutated fixtures, always the same ones (`crate::fuzz`); a fuzzer can call them too.

use crate::coverage::count::Count;
use crate::coverage::lines::FileCoverage;
use crate::coverage::markup::marked_lines;
use crate::coverage::module::Module;
use crate::coverage::overlay::{Overlay, draft};
use crate::coverage::source::Source;
use crate::coverage::tally::Tally;
use crate::coverage::tix::TixModule;
use crate::read;
use crate::write;

/// A `.tix` that reads is written and read back as the same.
pub fn tix(bytes: &[u8]) {
    if let Ok(tix) = read::tix::read(bytes) {
        let written = write::tix::write(&tix);
        assert_eq!(read::tix::read(written.as_bytes()), Ok(tix));
    }
}

/// A `.mix` that reads goes through everything that is done with one, together with any source and counts.
pub fn mix(bytes: &[u8], source: &str) {
    let Ok(mix) = read::mix::read(bytes) else { return };
    let ticks: Vec<Count> =
        (0..mix.boxes.len()).map(|n| Count::Word((n % 3) as i64 - (n % 7 / 6) as i64)).collect();
    let claimed = ticks.len() as i64;
    let module = Module { tix: TixModule { name: "M".into(), hash: mix.hash, claimed, ticks }, mix };
    let tally = Tally::of(&module);
    let booleans = tally.booleans();
    assert!(booleans.covered().used <= booleans.boxes && tally.expressions.used <= tally.expressions.boxes);
    let text = Source::new(source);
    let _ = draft(&module, &text).map(|items| overlay(format!("module \"M\" {{{items}}}").as_bytes()));
    if let Ok(page) = marked_lines(&module, source, Some(|count| count.to_string())) {
        assert_eq!(page.matches("<span").count(), page.matches("</span>").count());
    }
    let file = FileCoverage::of(&module, module.mix.source.clone());
    let lcov = write::lcov::write(std::slice::from_ref(&file));
    assert!(lcov.lines().filter(|line| *line == "end_of_record").count() == 1);
    write::cobertura::write(&[file], 0);
}

pub fn overlay(bytes: &[u8]) {
    let mut overlay = Overlay::default();
    let _ = read::overlay::read(bytes, &mut overlay);
}

mod tests {
    use super::*;
    use std::path::{Path, PathBuf};

    /// Bits of the formats, where single bytes rarely make new sense.
    const PIECES: [&[u8]; 24] = [
        b"(",
        b")",
        b"[",
        b"]",
        b",",
        b"\"",
        b"\\",
        b"-",
        b"0",
        b"99999999999999999999",
        b"4294967295",
        b":",
        b"{",
        b"}",
        b";",
        b"ExpBox True",
        b"TopLevelBox [\"f\"]",
        b"BinBox CondBinBox True",
        b"inside \"f\" {",
        b"tick",
        "\u{e9}".as_bytes(),
        b"\n",
        b"0x1",
        b"\\&",
    ];

    fn fixtures(extension: &str) -> Vec<Vec<u8>> {
        fn walk(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
            for entry in std::fs::read_dir(folder).expect("fixtures").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    walk(&path, extension, found);
                } else if path.extension().is_some_and(|e| e == extension) {
                    found.push(path);
                }
            }
        }
        let mut found = Vec::new();
        walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/hpc"), extension, &mut found);
        found.sort();
        let found = found.iter().map(|path| std::fs::read(path).expect("a fixture")).collect::<Vec<_>>();
        assert!(found.len() >= 5, "{} fixtures of .{extension}", found.len());
        found
    }

    #[test]
    fn fuzz_tix() {
        crate::fuzz::run(&fixtures("tix"), &PIECES, tix);
    }

    #[test]
    fn fuzz_mix() {
        let sources: Vec<String> =
            fixtures("hs").into_iter().filter_map(|s| String::from_utf8(s).ok()).collect();
        crate::fuzz::run(&fixtures("mix"), &PIECES, |bytes| {
            mix(bytes, &sources[bytes.len() % sources.len()])
        });
    }

    #[test]
    fn fuzz_overlay() {
        crate::fuzz::run(&fixtures("ov"), &PIECES, overlay);
    }

    #[test]
    fn deep_and_long_inputs_cost_no_stack() {
        let many = 300_000;
        tix(format!("{}Tix []", "(".repeat(many)).as_bytes());
        tix(format!("{}Tix []{}", "(".repeat(many), ")".repeat(many)).as_bytes());
        tix(format!("Tix [TixModule \"M\" 1 1 [{}1]]", "(".repeat(many)).as_bytes());
        tix(format!("Tix [TixModule \"M\" 1 1 [{}]]", "9".repeat(many)).as_bytes());
        tix(format!("Tix [TixModule \"M\" 0x{} 1 []]", "f".repeat(many)).as_bytes());
        tix(format!("Tix [TixModule \"\\x{}41\" 1 1 []]", "0".repeat(many)).as_bytes());
        overlay(format!("module \"M\" {{{}", "inside \"f\" {".repeat(many)).as_bytes());
        let deep = many / 10;
        overlay(format!("module \"M\" {{{}{}}}", "inside \"f\" {".repeat(deep), "}".repeat(deep)).as_bytes());
        let nested: Vec<String> =
            (1..5000).map(|n| format!("({n}:1-{}:1,ExpBox False)", 20_000 - n)).collect();
        let lines = "x\n".repeat(20_000);
        mix(format!("Mix \"a\" 2026-1-1 1:1:1 UTC 1 8 [{}]", nested.join(",")).as_bytes(), &lines);
        let wide = "(1:1-1:4294967295,ExpBox False),(1:1-4294967295:4294967295,ExpBox True)";
        mix(format!("Mix \"a\" 2026-1-1 1:1:1 UTC 1 8 [{wide}]").as_bytes(), "x\n\ty\n");
    }
}
