//! Names from files are not trusted: no module, box or source name writes outside the destination, and none becomes
//! markup, a record or a line of its own in what is printed.

use super::common::Scratch;
use super::hpc_support::{hpc, text, well_formed};
use std::fs;
use std::path::{Path, PathBuf};

const NAMES: [&str; 12] = [
    "../../escape",
    "/tmp/barrow-escape",
    "..",
    ".",
    "a/../../b",
    "<script>alert(1)</script>",
    "\\\" onclick=\\\"x",
    "A\\nWriting: B",
    "\\ESC[31mred",
    "x'y&z;--",
    "con:nul*?",
    "a\\\\..\\\\b",
];

/// Everything below a folder, with what it holds.
fn snapshot(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path.clone());
            }
            found.push(path);
        }
    }
    found.sort();
    found
}

/// A program with one module of a name, as a Haskell literal without its quotes, and boxes of the same name.
fn program(scratch: &Scratch, name: &str, plain: &str, source: &str) {
    scratch.file("in/a.tix", &format!("Tix [TixModule \"{name}\" 7 3 [1,0,1]]"));
    let boxes = format!(
        "(1:1-1:3,TopLevelBox [\"{name}\"]),(1:1-1:2,ExpBox True),(1:3-1:3,LocalBox [\"{name}\",\"{name}\"])"
    );
    let mix = format!("Mix \"{source}\" 2026-11-21 01:37:04 UTC 7 8 [{boxes}]");
    // Names that no .mix can have are looked up all the same, and not found.
    if !plain.split('/').any(|part| matches!(part, "" | "." | "..")) {
        scratch.file(&format!("in/.hpc/{plain}.mix"), &mix);
    }
}

fn plain(name: &str) -> String {
    name.replace("\\n", "\n").replace("\\ESC", "\x1b").replace("\\\"", "\"").replace("\\\\", "\\")
}

#[test]
fn no_module_name_writes_outside_the_destination_or_injects() {
    for name in NAMES {
        let scratch = Scratch::new("hostile-module");
        scratch.file("in/a.hs", "abc\n");
        program(&scratch, name, &plain(name), "a.hs");
        let inside = scratch.path().join("in");
        let outside = |paths: Vec<PathBuf>| -> Vec<PathBuf> {
            paths.into_iter().filter(|path| !path.starts_with(inside.join("out"))).collect()
        };
        let before = outside(snapshot(scratch.path()));
        for flags in [&[][..], &["--classic"], &["--fun-entry-count"]] {
            let output = hpc(&inside, &[&["markup", "a", "--destdir=out"], flags].concat());
            assert!(
                !text(&output.stdout).contains('\x1b') && !text(&output.stderr).contains('\x1b'),
                "{name}"
            );
            assert_eq!(outside(snapshot(scratch.path())), before, "{name}");
            assert!(!Path::new("/tmp/barrow-escape.hs.html").exists());
            let pages =
                snapshot(&inside).into_iter().filter(|path| path.extension().is_some_and(|e| e == "html"));
            for page in pages {
                let page = fs::read_to_string(page).expect("a page");
                assert!(!page.contains("<script>alert") && !page.contains("onclick=\"x"), "{name}");
                if flags != ["--classic"] {
                    well_formed(&page);
                }
            }
        }
    }
}

#[test]
fn no_name_injects_into_a_report() {
    for name in NAMES {
        let scratch = Scratch::new("hostile-report");
        scratch.file("in/a.hs", "abc\n");
        program(&scratch, name, &plain(name), "a.hs");
        let inside = scratch.path().join("in");
        let run = |arguments: &[&str]| text(&hpc(&inside, arguments).stdout);
        let report = run(&["report", "a", "--per-module", "--decl-list"]);
        assert!(!report.contains('\x1b') && !report.contains("\nWriting"), "{report}");
        well_formed(&run(&["report", "a", "--per-module", "--xml-output"]));
        well_formed(&run(&["export", "a", "--cobertura"]));
        let lcov = run(&["export", "a", "--lcov"]);
        assert!(lcov.lines().all(|line| line == "end_of_record" || line.contains(':')), "{lcov}");
        let json = run(&["report", "a", "--per-module", "--decl-list", "--json"]);
        assert!(json.chars().all(|c| c == '\n' || !c.is_control()) && !json.contains('<'), "{json}");
        // What draft prints, overlay takes.
        let draft = hpc(&inside, &["draft", "a", "--output=d.ov"]);
        if draft.status.success() {
            let overlaid = hpc(&inside, &["overlay", "d.ov"]);
            assert!(overlaid.status.success(), "{name}: {}", text(&overlaid.stderr));
        }
    }
}

#[test]
fn a_source_is_text_and_nothing_else() {
    let scratch = Scratch::new("hostile-source");
    program(&scratch, "M", "M", "a.hs");
    let inside = scratch.path().join("in");
    scratch.file("in/a.hs", "</pre><script>alert(1)</script>\u{0}\u{1b}\u{202e}\"'&amp;\r\n");
    assert!(hpc(&inside, &["markup", "a", "--destdir=out"]).status.success());
    let page = fs::read_to_string(inside.join("out/M.hs.html")).expect("the page");
    well_formed(&page);
    assert!(!page.contains("<script") && page.contains("&amp;amp;") && !page.contains('\u{202e}'));

    fs::write(inside.join("a.hs"), b"ok\nna\xefve\n").expect("a file");
    let output = hpc(&inside, &["markup", "a", "--destdir=other"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stderr), "hpc: ./a.hs:2: byte 0xef is not valid UTF-8\n");
}

#[test]
fn other_languages_are_not_taken_for_haskell() {
    let scratch = Scratch::new("other-language");
    program(&scratch, "reader", "reader", "lib/reader.scm");
    // What would be a comment, a pragma or a literate line in Haskell.
    scratch.file("in/lib/reader.scm", "(a {-\n> b -}\n\\begin{code}\n; \u{3bb} \u{1f980}\n");
    let inside = scratch.path().join("in");
    assert!(hpc(&inside, &["markup", "a", "--fun-entry-count"]).status.success());
    let page = fs::read_to_string(inside.join("reader.scm.html")).expect("the page");
    assert!(page.contains("<span class=\"funcount\">entered once</span>"));
    assert!(page.contains("&gt; b -}\n") && page.contains("; \u{3bb} \u{1f980}\n"));
}

#[test]
fn a_failed_write_leaves_the_old_file_and_no_other() {
    let scratch = Scratch::new("failed-write");
    scratch.file("in/a.tix", "Tix []");
    fs::create_dir_all(scratch.path().join("in/out.tix")).expect("a folder in the way");
    let inside = scratch.path().join("in");
    let output = hpc(&inside, &["map", "a.tix", "--output=out.tix"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).starts_with("hpc: out.tix: "));
    assert_eq!(snapshot(&inside).len(), 2, "{:?}", snapshot(&inside));
    // A link is followed to what it names; a device is written, not replaced.
    std::os::unix::fs::symlink("a.tix", inside.join("link.tix")).expect("a link");
    assert!(hpc(&inside, &["map", "a.tix", "--output=link.tix"]).status.success());
    assert!(inside.join("link.tix").is_symlink());
    assert!(hpc(&inside, &["map", "a.tix", "--output=/dev/null"]).status.success());
    assert!(!Path::new("/dev/null").is_file());
}
