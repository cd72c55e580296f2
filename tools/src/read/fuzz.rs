//! The fuzz bodies: plain functions over any bytes, which must not panic, hang or eat memory whatever they are given.
//! Here `cargo test` runs them over mutated fixtures, always the same ones; a fuzzer can call them too.

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
    use std::time::{Duration, Instant};

    /// The constants of Knuth's MMIX: the same numbers on every machine.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, bound: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % bound.max(1)
        }
    }

    /// Bits of the formats, where single bytes rarely make new sense.
    const PIECES: [&str; 24] = [
        "(",
        ")",
        "[",
        "]",
        ",",
        "\"",
        "\\",
        "-",
        "0",
        "99999999999999999999",
        "4294967295",
        ":",
        "{",
        "}",
        ";",
        "ExpBox True",
        "TopLevelBox [\"f\"]",
        "BinBox CondBinBox True",
        "inside \"f\" {",
        "tick",
        "\u{e9}",
        "\n",
        "0x1",
        "\\&",
    ];

    fn mutated(original: &[u8], numbers: &mut Numbers) -> Vec<u8> {
        let mut bytes = original.to_vec();
        for _ in 0..=numbers.below(6) {
            let at = numbers.below(bytes.len() + 1);
            let end = (at + numbers.below(40)).min(bytes.len());
            match numbers.below(7) {
                0 => bytes.truncate(at),
                1 => drop(bytes.drain(at..end)),
                2 => {
                    let copy = bytes[at..end].to_vec();
                    let to = numbers.below(bytes.len() + 1);
                    bytes.splice(to..to, copy);
                }
                3 if at < bytes.len() => bytes[at] = numbers.below(256) as u8,
                4 if at < bytes.len() && bytes[at].is_ascii_digit() => {
                    bytes[at] = b'0' + numbers.below(10) as u8
                }
                _ => drop(bytes.splice(at..at, PIECES[numbers.below(PIECES.len())].bytes())),
            }
        }
        bytes
    }

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
        found.iter().map(|path| std::fs::read(path).expect("a fixture")).collect()
    }

    fn run(extension: &str, cases: usize, mut body: impl FnMut(&[u8])) {
        let originals = fixtures(extension);
        assert!(originals.len() >= 5, "{} fixtures of .{extension}", originals.len());
        let mut numbers = Numbers(7);
        let started = Instant::now();
        for case in 0..cases {
            let bytes = mutated(&originals[case % originals.len()], &mut numbers);
            let before = Instant::now();
            body(&bytes);
            assert!(before.elapsed() < Duration::from_secs(5), "case {case} took {:?}", before.elapsed());
        }
        assert!(started.elapsed() < Duration::from_secs(120));
    }

    #[test]
    fn mutated_tix_files() {
        run("tix", 20_000, tix);
    }

    #[test]
    fn mutated_mix_files() {
        let sources: Vec<String> =
            fixtures("hs").into_iter().filter_map(|s| String::from_utf8(s).ok()).collect();
        let mut turn = 0;
        run("mix", 15_000, |bytes| {
            turn += 1;
            mix(bytes, &sources[turn % sources.len()]);
        });
    }

    #[test]
    fn mutated_overlays() {
        run("ov", 20_000, overlay);
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
