//! What hpc 0.68 has not: JSON, LCOV, Cobertura, the summary page, `--help`, and the name `hpc`.

use super::common::Scratch;
use super::hpc_support::{copy_tree, hpc, text, well_formed};
use std::path::Path;
use std::process::Command;

fn recip(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/hpc");
    copy_tree(&fixtures.join("recip"), &scratch.path().join("recip"));
    copy_tree(&fixtures.join("two"), &scratch.path().join("two"));
    scratch
}

fn ran(scratch: &Scratch, folder: &str, arguments: &[&str]) -> String {
    let output = hpc(&scratch.path().join(folder), arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn json_has_the_figures_of_the_report() {
    let scratch = recip("json");
    let json = ran(&scratch, "recip", &["report", "Recip", "--json"]);
    assert_eq!(
        json,
        r#"{
  "coverage": "Recip",
  "summary": {
    "expressions": {"boxes": 110, "used": 97},
    "booleans": {"boxes": 9, "covered": 2, "always_true": 3, "always_false": 3, "unevaluated": 1},
    "guards": {"boxes": 7, "covered": 2, "always_true": 3, "always_false": 1, "unevaluated": 1},
    "conditions": {"boxes": 2, "covered": 0, "always_true": 0, "always_false": 2, "unevaluated": 0},
    "qualifiers": {"boxes": 0, "covered": 0, "always_true": 0, "always_false": 0, "unevaluated": 0},
    "alternatives": {"boxes": 12, "used": 7},
    "local_declarations": {"boxes": 2, "used": 2},
    "top_level_declarations": {"boxes": 5, "used": 5}
  }
}
"#
    );
    let each = ran(&scratch, "two", &["report", "Two", "--json", "--per-module", "--decl-list"]);
    for part in ["\"module\": \"Shapes.Area\"", "\"modules\": [", "\"unused_declarations\": [\""] {
        assert!(each.contains(part), "{part} in {each}");
    }
    let none = ran(&scratch, "recip", &["report", "Recip", "--json", "--per-module", "--exclude=Main"]);
    assert!(none.contains("\"modules\": [],"));
    let both = hpc(&scratch.path().join("recip"), &["report", "Recip", "--json", "--xml-output"]);
    assert_eq!(both.status.code(), Some(1));
}

#[test]
fn lcov_counts_lines_functions_and_branches() {
    let scratch = recip("lcov");
    let lcov = ran(&scratch, "recip", &["export", "Recip", "--lcov"]);
    let expected = [
        "TN:\nSF:Recip.hs\nFN:5,reciprocal\n",
        "FNDA:1,reciprocal\n",
        "FNF:5\nFNH:5\n",
        // `n > 1` was only ever true; `otherwise` after it was never asked.
        "BRDA:6,0,0,1\nBRDA:6,0,1,0\nBRDA:7,0,0,-\nBRDA:7,0,1,-\n",
        "BRF:18\n",
        "DA:27,1\n",
        "\nend_of_record\n",
    ];
    for part in expected {
        assert!(lcov.contains(part), "{part} in {lcov}");
    }
    let of = |kind: &str| lcov.lines().filter(|line| line.starts_with(kind)).count();
    assert!(lcov.contains(&format!("LF:{}\n", of("DA:"))));
    assert_eq!((of("BRDA:"), of("SF:")), (18, 1));
    let two = ran(&scratch, "two", &["export", "Two", "--lcov", "--output=cov.info", "--exclude=Main"]);
    assert_eq!(two, "");
    let file = std::fs::read_to_string(scratch.path().join("two/cov.info")).expect("the file");
    assert_eq!(file.matches("end_of_record").count(), 2);
    assert!(file.contains("SF:Shapes/Area.hs\n"));
}

/// The program that the format is for finds the sources and counts the same lines and functions.
#[test]
fn genhtml_reads_lcov() {
    let scratch = recip("genhtml");
    let folder = scratch.path().join("recip");
    let lcov = ran(&scratch, "recip", &["export", "Recip", "--lcov"]);
    std::fs::write(folder.join("cov.info"), &lcov).expect("written");
    let run = Command::new("genhtml").args(["-o", "pages", "cov.info"]).current_dir(&folder).output();
    let Ok(run) = run else { return println!("skipped: no genhtml is installed") };
    assert!(run.status.success(), "{}", text(&run.stderr));
    let said = text(&run.stdout);
    let of = |kind: &str| {
        let number = lcov.lines().find_map(|line| line.strip_prefix(kind)).expect("a sum");
        number.parse::<u64>().expect("a number")
    };
    for (kind, hit, found) in [("line", of("LH:"), of("LF:")), ("function", of("FNH:"), of("FNF:"))] {
        assert!(said.contains(&format!("({hit} of {found} {kind}s)")), "{said}");
    }
    assert!(folder.join("pages/index.html").exists());
}

#[test]
fn cobertura_is_well_formed_and_agrees_with_lcov() {
    let scratch = recip("cobertura");
    let xml = ran(&scratch, "two", &["export", "Two", "--cobertura"]);
    well_formed(&xml);
    let lcov = ran(&scratch, "two", &["export", "Two", "--lcov"]);
    let sum = |kind: &str| -> usize {
        lcov.lines()
            .filter_map(|line| line.strip_prefix(kind))
            .map(|n| n.parse::<usize>().expect("a number"))
            .sum()
    };
    let totals = format!(
        "lines-covered=\"{}\" lines-valid=\"{}\" branches-covered=\"{}\" branches-valid=\"{}\"",
        sum("LH:"),
        sum("LF:"),
        sum("BRH:"),
        sum("BRF:")
    );
    assert!(xml.contains(&totals), "{totals} in {xml}");
    assert!(xml.contains("<class name=\"Shapes.Area\" filename=\"Shapes/Area.hs\""));
    let neither = hpc(&scratch.path().join("two"), &["export", "Two"]);
    assert!(
        text(&neither.stdout).starts_with("Error: need one of --lcov and --cobertura\nUsage: hpc export ")
    );
}

#[test]
fn the_summary_page_sorts_and_stands_alone() {
    let scratch = recip("summary");
    ran(&scratch, "two", &["markup", "Two", "--destdir=out"]);
    let page = |name: &str| std::fs::read_to_string(scratch.path().join("two/out").join(name)).expect(name);
    let modules = |page: &str| -> Vec<String> {
        page.split("<code>")
            .skip(1)
            .map(|rest| rest.split('<').next().unwrap_or_default().to_string())
            .collect()
    };
    assert_eq!(modules(&page("hpc_index.html")), ["Main", "Shapes.Area", "Shapes.Store"]);
    assert_eq!(modules(&page("hpc_index_exp.html")), ["Main", "Shapes.Store", "Shapes.Area"]);
    for name in
        ["hpc_index.html", "hpc_index_fun.html", "hpc_index_alt.html", "hpc_index_exp.html", "Main.hs.html"]
    {
        let page = page(name);
        well_formed(&page);
        assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
        for part in ["name=\"viewport\"", "prefers-color-scheme: dark", "charset=\"utf-8\""] {
            assert!(page.contains(part), "{part} in {name}");
        }
        assert!(!page.contains("http:") && !page.contains("https:") && !page.contains(" src="), "{name}");
    }
    let index = page("hpc_index.html");
    assert!(index.contains("<span class=\"invbar\"><span class=\"bar\" style=\"width: "));
    assert!(index.contains("aria-sort=\"ascending\"") && index.contains("data-key=\""));
}

#[test]
fn additions_are_told_and_never_abbreviated() {
    let scratch = recip("help");
    assert!(ran(&scratch, "recip", &["report", "--help"]).contains("    --json "));
    assert!(!ran(&scratch, "recip", &["help", "report"]).contains("--json"));
    let additions = ran(&scratch, "recip", &["help", "additions"]);
    for part in ["export", "--json", "--classic"] {
        assert!(additions.contains(part), "{part}");
    }
    let short = hpc(&scratch.path().join("recip"), &["report", "--jso", "Recip"]);
    assert!(text(&short.stdout).starts_with("hpc failed:\n  unrecognized option `--jso'\n"));
}

#[test]
fn barrow_lists_hpc() {
    let output = Command::new(env!("CARGO_BIN_EXE_barrow")).arg("--help").output().expect("barrow runs");
    assert!(text(&output.stdout).contains("\n  hpc"));
}

#[test]
fn convert_writes_what_export_does() {
    let scratch = recip("convert");
    let barrow = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_barrow"));
        command.args(arguments).current_dir(scratch.path().join("two")).output().expect("barrow runs")
    };
    for format in ["lcov", "cobertura"] {
        let exported = ran(&scratch, "two", &["export", "Two", &format!("--{format}")]);
        let output = barrow(&["convert", "Two.tix", "--to", format]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_eq!(text(&output.stdout), exported);
    }
    assert!(barrow(&["convert", "Two.tix", "--to", "lcov", "-o", "cov.info"]).status.success());
    assert!(scratch.path().join("two/cov.info").exists());
    scratch.file("junk.tix", "Tix [\njunk]");
    for (arguments, said) in [
        (&["convert", "none.tix", "--to", "lcov"][..], "unable to find tix file for:none.tix"),
        (&["convert", "../junk.tix", "--to", "lcov"], "../junk.tix:2: expected `TixModule`, found `junk]`"),
        (
            &["convert", "Two.tix", "--to", "pprof", "-o", "x"],
            "Two.tix: this is coverage counts (.tix): `barrow hpc` shows them",
        ),
        (&["convert", "-", "--to", "lcov"], "coverage needs a file"),
        (&["convert", "Two.tix", "--to", "lcov", "--top", "3"], "have no meaning for coverage"),
        (&["convert", "x.hp", "--to", "csv", "--srcdir", "."], "have a meaning for coverage only"),
        (
            &["convert", "Two.tix", "--to", "lcov", "--srcdir", "elsewhere"],
            "can not find Main in elsewhere/.hpc",
        ),
    ] {
        let output = barrow(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let told = text(&output.stderr);
        assert!(told.starts_with("barrow convert: ") && told.contains(said), "{arguments:?}: {told}");
    }
    let below = Command::new(env!("CARGO_BIN_EXE_barrow"))
        .args(["convert", "two/Two.tix", "--to", "lcov", "--srcdir", "two"])
        .current_dir(scratch.path())
        .output()
        .expect("barrow runs");
    assert!(text(&below.stdout).contains("SF:two/Shapes/Area.hs\n"), "{}", text(&below.stderr));
}
