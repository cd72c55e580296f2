//! Coverage from end to end: C programs that count, are killed, and end a hundred at a time; and the tools of the
//! reference on what they leave.

use barrow::profile::coverage::modules::text;
use barrow::profile::coverage::tix_read;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Where cargo has put this test, and beside it the library.
fn libraries() -> PathBuf {
    let here = std::env::current_exe().expect("a test has a path");
    here.parent().expect("a test lies in a directory").to_path_buf()
}

/// A folder that goes away with the value.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("barrow-cov-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a scratch folder");
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn compile(source: &Path, to: &Path) {
    let library = libraries().join("libbarrow.a");
    let output = Command::new("cc")
        .args(["-std=c99", "-g", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror"])
        .arg("-I")
        .arg(root().join("include"))
        .arg(source)
        .arg(library)
        .args(["-lpthread", "-ldl", "-lm", "-o"])
        .arg(to)
        .output()
        .expect("cc runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn has_compiler() -> bool {
    let has = Command::new("cc").arg("--version").output().is_ok();
    if !has {
        eprintln!("skipped: no C compiler (cc) is installed");
    }
    has
}

/// The example, compiled once.
fn example() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = libraries().join("coverage-test");
        fs::create_dir_all(&folder).expect("a folder");
        let program = folder.join("08-coverage");
        compile(&root().join("examples-c/08-coverage.c"), &program);
        program
    })
}

/// A program that counts in one module of `COUNT` boxes for the file of its first argument: box 0 as often as the
/// second argument says, with a write after each if there is a third one.
fn counter() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = libraries().join("coverage-test");
        fs::create_dir_all(&folder).expect("a folder");
        let source = folder.join("counter.c");
        fs::write(&source, COUNTER).expect("a source");
        let program = folder.join("counter");
        compile(&source, &program);
        program
    })
}

const COUNT: usize = 20_000;
const COUNTER: &str = r#"
#include <barrow/inline.h>
#include <stdio.h>
#include <stdlib.h>
static uint64_t counters[20000];
static const barrow_coverage_module module = BARROW_COVERAGE_MODULE("Counter", 7, counters);
static int failed(void) { return fprintf(stderr, "%s\n", barrow_last_error()), 1; }
int main(int argc, char **argv) {
  barrow_coverage_options options = {0};
  barrow_coverage *coverage;
  long n;
  options.size = (uint32_t)sizeof options;
  options.file = argv[1];
  if (barrow_coverage_new(&options, &coverage) || barrow_coverage_register(coverage, &module, 1)) return failed();
  for (n = atol(argv[2]); n > 0; n--) {
    BARROW_TICK(counters, 0);
    BARROW_TICK(counters, 19999);
    if (argc > 3 && barrow_coverage_write(coverage)) return failed();
  }
  return barrow_coverage_free(coverage) ? failed() : 0;
}
"#;

type Counts = BTreeMap<String, (u32, Vec<u64>)>;

/// The modules of a `.tix` file, which must be whole.
fn counts(path: &Path) -> Counts {
    let bytes = fs::read(path).expect("the file is there");
    let tix = tix_read::read(&bytes, &path.display()).expect("the file is whole");
    let module = |m: &barrow::profile::coverage::modules::Counted| {
        (text(&m.name).to_string(), (m.hash, m.counts.to_vec()))
    };
    tix.modules.iter().map(module).collect()
}

fn run(program: &Path, folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env_remove("HPCTIXFILE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that ends before it has read everything is judged by its exit code.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("the program ends")
}

fn said(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A pause that differs from round to round, and not from run to run.
fn pause(round: u64, most_micros: u64) -> Duration {
    let mixed = (round + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Duration::from_micros((mixed >> 32) % most_micros)
}

#[test]
fn the_example_counts_and_goes_on_counting() {
    if !has_compiler() {
        return;
    }
    let scratch = Scratch::new("example");
    let folder = &scratch.0;
    for round in 1..=2 {
        let output = run(example(), folder, &[], "12 18\nx\n5 7\n");
        assert_eq!(said(&output.stdout), "6\ntwo numbers, please\n1\n");
        assert!(output.status.success() && output.stderr.is_empty(), "{}", said(&output.stderr));
        let counts = counts(&folder.join("08-coverage.tix"));
        assert_eq!(counts["Main"].1, [1, 3, 2, 1, 2, 1].map(|n| n * round));
        assert_eq!(counts["Gcd"].1, [9, 2, 7, 2, 7, 7, 0, 0].map(|n| n * round));
    }
    let elsewhere = Command::new(example())
        .current_dir(folder)
        .env("HPCTIXFILE", "named.tix")
        .stdin(Stdio::null())
        .status()
        .expect("the program runs");
    assert!(elsewhere.success());
    assert_eq!(counts(&folder.join("named.tix"))["Main"].1, [1, 0, 0, 0, 0, 0]);
}

#[test]
fn a_killed_example_leaves_a_whole_file_and_loses_one_line_at_most() {
    if !has_compiler() {
        return;
    }
    let scratch = Scratch::new("killed");
    let folder = &scratch.0;
    let tix = folder.join("08-coverage.tix");
    let (mut answered, mut counted, mut killed) = (0, 0, 0);
    for round in 0..25 {
        let mut child = Command::new(example())
            .current_dir(folder)
            .env_remove("HPCTIXFILE")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let feeder = std::thread::spawn(move || while input.write_all(b"12 18\n").is_ok() {});
        let reader = std::thread::spawn(move || output.lines().map_while(Result::ok).count() as u64);
        std::thread::sleep(Duration::from_millis(3) + pause(round, 20_000));
        child.kill().expect("SIGKILL");
        child.wait().expect("it ends");
        feeder.join().expect("the feeder ends");
        let lines = reader.join().expect("the reader ends");
        answered += lines;
        killed += 1;
        if tix.exists() {
            let whole = counts(&tix);
            let now = whole["Main"].1[1];
            // Each line is answered, then written.
            assert!(now >= counted && now <= answered && now + killed >= answered, "{now} of {answered}");
            assert_eq!((whole["Main"].1[4], whole["Gcd"].1[3]), (now, now));
            counted = now;
        }
    }
    assert!(counted > 0, "no round came as far as to write");
    let last = run(example(), folder, &[], "1 1\n");
    assert!(last.status.success(), "{}", said(&last.stderr));
    assert_eq!(counts(&tix)["Main"].1[1], counted + 1);
    let left: Vec<_> =
        fs::read_dir(folder).expect("the folder").map(|e| e.expect("a file").file_name()).collect();
    assert_eq!(left, ["08-coverage.tix"], "what killed ones left is cleared by the next");
}

#[test]
fn killed_while_it_writes() {
    if !has_compiler() {
        return;
    }
    let scratch = Scratch::new("torn");
    let tix = scratch.0.join("torn.tix");
    let name = tix.to_str().expect("a name in UTF-8");
    let (mut before, mut midway) = (0, 0);
    for round in 0..40 {
        let mut child =
            Command::new(counter()).args([name, "1000000000", "each"]).spawn().expect("the program starts");
        std::thread::sleep(Duration::from_millis(4) + pause(round, 30_000));
        child.kill().expect("SIGKILL");
        child.wait().expect("it ends");
        midway += u32::from(scratch.0.join("torn.tix.tmp").exists());
        if tix.exists() {
            let counts = &counts(&tix)["Counter"].1;
            assert_eq!(counts.len(), COUNT);
            assert_eq!(counts[0], counts[COUNT - 1], "half of a write arrived");
            assert!(counts[0] >= before, "counts of an earlier run are gone");
            before = counts[0];
        }
    }
    assert!(before > 0 && midway > 0, "{before} counts, {midway} kills came in the middle of a write");
    println!("{midway} of 40 kills came in the middle of a write");
}

#[test]
fn a_hundred_ends_at_once_lose_nothing() {
    if !has_compiler() {
        return;
    }
    let scratch = Scratch::new("hundred");
    let tix = scratch.0.join("all.tix");
    let name = tix.to_str().expect("a name in UTF-8");
    let program = counter();
    let began = Instant::now();
    let children: Vec<_> = (0..100)
        .map(|n| {
            let mut command = Command::new(program);
            // Some write once, some in between as well.
            command.args([name, &(n + 1).to_string()]);
            if n % 25 == 0 {
                command.arg("each");
            }
            command.spawn().expect("the program starts")
        })
        .collect();
    for mut child in children {
        assert!(child.wait().expect("it ends").success());
    }
    println!("100 processes: {:?}", began.elapsed());
    let counts = &counts(&tix)["Counter"].1;
    assert_eq!((counts[0], counts[COUNT - 1]), (5050, 5050));
    assert_eq!(fs::read_dir(&scratch.0).expect("the folder").count(), 1);
}

const PLUGIN: &str = r#"
#include <barrow/inline.h>
static uint64_t counters[2];
const barrow_coverage_module module = BARROW_COVERAGE_MODULE("Plugin", 3, counters);
void work(void) { BARROW_TICK(counters, 1); }
"#;
const HOST: &str = r#"
#define _XOPEN_SOURCE 700
#include <barrow/inline.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static uint64_t counters[1];
static const barrow_coverage_module own = BARROW_COVERAGE_MODULE("Host", 4, counters);
int main(int argc, char **argv) {
  barrow_coverage_options options = {0};
  barrow_coverage *coverage;
  int round, status;
  options.size = (uint32_t)sizeof options;
  options.file = argv[argc - 1];
  if (barrow_coverage_new(&options, &coverage) || barrow_coverage_register(coverage, &own, 1)) return 1;
  for (round = 1; round <= 3; round++) {
    void *plugin = dlopen(argv[1], RTLD_NOW), *symbol;
    const barrow_coverage_module *module;
    void (*work)(void);
    if (!plugin || !(module = dlsym(plugin, "module")) || !(symbol = dlsym(plugin, "work"))) return 2;
    memcpy(&work, &symbol, sizeof work);
    if (barrow_coverage_register(coverage, module, 1)) return 3;
    while (module->counters[1] < (uint64_t)round) work();
    if (barrow_coverage_unregister(coverage, module, 1)) return 4;
    if (dlclose(plugin) || dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD)) return 5;
  }
  BARROW_TICK(counters, 0);
  if (fork() == 0) {
    if (barrow_coverage_forget(coverage)) _exit(6);
    BARROW_TICK(counters, 0);
    _exit((int)barrow_coverage_free(coverage));
  }
  if (wait(&status) < 0 || status != 0) return 7;
  return (int)barrow_coverage_free(coverage);
}
"#;

#[test]
fn loaded_code_and_forked_children_count_once() {
    if !has_compiler() {
        return;
    }
    let scratch = Scratch::new("loaded");
    let folder = &scratch.0;
    fs::write(folder.join("plugin.c"), PLUGIN).expect("a source");
    fs::write(folder.join("host.c"), HOST).expect("a source");
    let plugin = Command::new("cc")
        .args(["-std=c99", "-shared", "-fPIC", "-I"])
        .arg(root().join("include"))
        .args(["plugin.c", "-o", "plugin.so"])
        .current_dir(folder)
        .status()
        .expect("cc runs");
    assert!(plugin.success());
    compile(&folder.join("host.c"), &folder.join("host"));
    let output = run(&folder.join("host"), folder, &["./plugin.so", "host.tix"], "");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output.stderr));
    let counts = counts(&folder.join("host.tix"));
    assert_eq!((&counts["Plugin"].1[..], &counts["Host"].1[..]), (&[0, 6][..], &[2][..]));
}

#[test]
fn counts_of_another_version_are_told_kept_aside_and_not_added() {
    if !has_compiler() {
        return;
    }
    let scratch = Scratch::new("version");
    let folder = &scratch.0;
    run(example(), folder, &[], "1 1\n");
    let tix = folder.join("08-coverage.tix");
    let other = fs::read_to_string(&tix).expect("the file").replace("\"Gcd\" 6775652", "\"Gcd\" 1");
    fs::write(&tix, &other).expect("the file");
    let output = run(example(), folder, &[], "1 1\n");
    assert!(
        said(&output.stderr).contains("module Gcd has hash 1 in the file and 6775652 in the program"),
        "{}",
        said(&output.stderr)
    );
    let counts = counts(&tix);
    assert_eq!((counts["Main"].1[1], counts["Gcd"].0, counts["Gcd"].1[0]), (2, 6_775_652, 2));
    assert_eq!(fs::read_to_string(folder.join("08-coverage.tix.old")).expect("kept"), other);
    fs::write(&tix, "Tix [\n\n junk").expect("the file");
    let output = run(example(), folder, &[], "1 1\n");
    assert!(!output.status.success());
    assert!(
        said(&output.stderr).contains("08-coverage.tix:3: expected TixModule"),
        "{}",
        said(&output.stderr)
    );
    assert_eq!(fs::read_to_string(&tix).expect("left alone"), "Tix [\n\n junk");
}

#[test]
fn a_full_disk_leaves_the_file_as_it_was() {
    if !has_compiler() {
        return;
    }
    let scratch = Scratch::new("full");
    let folder = &scratch.0;
    let old = "Tix [ TixModule \"Old\" 1 1 [1]]\n";
    fs::write(folder.join("x.tix"), old).expect("a file");
    let shell = |script: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", script, "sh"]).arg(counter()).arg(folder).output().expect("sh runs")
    };
    // The file may not grow to its size: writes fail in the middle, as on a full disk, and need no privilege.
    let limited = shell("trap '' XFSZ; ulimit -f 8; exec \"$1\" \"$2/x.tix\" 5");
    assert!(!limited.status.success());
    assert!(
        said(&limited.stderr).contains("x.tix cannot be written: File too large"),
        "{}",
        said(&limited.stderr)
    );
    assert_eq!(fs::read_to_string(folder.join("x.tix")).expect("the old one"), old);
    assert_eq!(fs::read_dir(folder).expect("the folder").count(), 1);
    let full = shell(
        "exec unshare -rm sh -c 'mount -t tmpfs -o size=16k none \"$2\" || exit 77
           printf \"Tix []\" >\"$2/x.tix\"; \"$1\" \"$2/x.tix\" 5; code=$?
           ls \"$2\"; cat \"$2/x.tix\"; exit $code' sh \"$1\" \"$2\"",
    );
    if full.status.code() == Some(1) && !full.stdout.is_empty() {
        assert!(said(&full.stderr).contains("No space left on device"), "{}", said(&full.stderr));
        assert_eq!(said(&full.stdout), "x.tix\nTix []");
    } else {
        eprintln!("skipped: no small file system can be mounted here: {}", said(&full.stderr));
    }
}

fn tool(program: &str, folder: &Path, arguments: &[&str]) -> Option<Output> {
    Command::new(program).args(arguments).current_dir(folder).output().ok()
}

#[test]
fn the_reference_tools_and_ours_give_the_same_figures() {
    if !has_compiler() {
        return;
    }
    let scratch = Scratch::new("tools");
    let folder = &scratch.0;
    fs::create_dir(folder.join("08-coverage")).expect("a folder");
    for source in ["08-coverage/main.toy", "08-coverage/gcd.toy"] {
        fs::copy(root().join("examples-c").join(source), folder.join(source)).expect("a source");
    }
    let mix = run(example(), folder, &["mix"], "");
    assert!(mix.status.success() && mix.stderr.is_empty(), "{}", said(&mix.stderr));
    run(example(), folder, &[], "12 18\nx\n");
    run(example(), folder, &[], "5 7\n");
    if tool("hpc", folder, &["version"]).is_none() {
        eprintln!("skipped: hpc, of Debian's package ghc, is not installed");
        return;
    }
    let ours = libraries().parent().expect("the target directory").join("barrow");
    let ours = ours.exists().then_some(ours);
    if ours.is_none() {
        eprintln!("skipped in part: the command barrow is not built here; cargo test --workspace builds it");
    }
    let commands: [&[&str]; 7] = [
        &["report", "08-coverage"],
        &["report", "08-coverage", "--per-module", "--decl-list"],
        &["report", "08-coverage", "--xml-output", "--per-module"],
        &["show", "08-coverage"],
        &["draft", "08-coverage"],
        &["sum", "08-coverage.tix", "08-coverage.tix"],
        &["markup", "08-coverage", "--destdir=html"],
    ];
    for arguments in commands {
        let theirs = tool("hpc", folder, arguments).expect("hpc runs");
        assert!(theirs.status.success(), "hpc {arguments:?}: {}", said(&theirs.stderr));
        let Some(ours) = &ours else { continue };
        let mut command = vec!["hpc"];
        command.extend(arguments);
        let same = tool(&ours.display().to_string(), folder, &command).expect("barrow runs");
        assert!(same.status.success(), "barrow hpc {arguments:?}: {}", said(&same.stderr));
        // A page of a language other than Haskell has that language's ending.
        let known = said(&same.stdout).replace(".toy.html", ".hs.html");
        assert_eq!(said(&theirs.stdout), known, "hpc {arguments:?}");
    }
    let report = said(&tool("hpc", folder, &["report", "08-coverage"]).expect("hpc runs").stdout);
    assert!(report.starts_with(" 85% expressions used (6/7)\n100% boolean coverage (2/2)\n"), "{report}");
    assert!(report.contains(" 66% top-level declarations used (2/3)\n"), "{report}");
    let page = fs::read_to_string(folder.join("html/Gcd.hs.html")).expect("a page");
    assert!(page.contains("<span class=\"nottickedoff\">"), "{page}");
}

#[test]
fn names_of_any_kind_survive_the_reference_tools() {
    if !has_compiler() {
        return;
    }
    let scratch = Scratch::new("names");
    let source = scratch.0.join("names.c");
    let names = r#""../../up", "a/b", "\"><script>&", "\303\251" "1", "\001\016H\177\n\\""#;
    let program = format!(
        "#include <barrow/inline.h>\n#include <stdio.h>\n#include <string.h>\nstatic uint64_t c[1] = {{1}};\n\
         int main(int argc, char **argv) {{\n  const char *names[] = {{{names}}};\n  size_t i;\n\
         barrow_coverage_options options; barrow_coverage *coverage;\n  memset(&options, 0, sizeof options);\n\
         options.size = (uint32_t)sizeof options; options.file = argv[argc - 1];\n\
         if (barrow_coverage_new(&options, &coverage)) return 1;\n\
         for (i = 0; i < sizeof names / sizeof *names; i++) {{\n\
         barrow_coverage_module m = BARROW_COVERAGE_MODULE(NULL, 1, c); m.name = names[i]; c[0] = i + 1;\n\
         if (barrow_coverage_register(coverage, &m, 1) || barrow_coverage_unregister(coverage, &m, 1)) return 2;\n  }}\n\
         return barrow_coverage_free(coverage) ? 3 : 0;\n}}\n"
    );
    fs::write(&source, program).expect("a source");
    let names = scratch.0.join("names");
    compile(&source, &names);
    assert_eq!(run(&names, &scratch.0, &["names.tix"], "").status.code(), Some(0));
    let tix = scratch.0.join("names.tix");
    let ours = counts(&tix);
    assert_eq!(ours.len(), 5);
    assert_eq!(ours["\"><script>&"].1, [3]);
    assert_eq!(ours["\u{1}\u{e}H\u{7f}\n\\"].1, [5]);
    let Some(sum) = tool("hpc", &scratch.0, &["sum", "names.tix", "--output=sum.tix"]) else {
        eprintln!("skipped: hpc, of Debian's package ghc, is not installed");
        return;
    };
    assert!(sum.status.success(), "{}", said(&sum.stderr));
    assert_eq!(counts(&scratch.0.join("sum.tix")), ours);
    // And the runtime goes on counting in what the tool wrote.
    assert_eq!(run(&names, &scratch.0, &["sum.tix"], "").status.code(), Some(0));
    assert_eq!(counts(&scratch.0.join("sum.tix"))["a/b"].1, [4]);
}
