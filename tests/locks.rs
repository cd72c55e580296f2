//! A child of a fork has one thread, so each lock of the process that `src/` has is one that nobody else holds there: `barrow_fork_prepare`
//! takes it, as rule [runtime.fork] has it, or the table below says why it is free. A lock that is new fails here until it is in a table.
//!
//! Locks of one heap are not listed by name: a heap goes on in a child only if no other thread was in it, and its tickers and workers are
//! the child's own. `OF_A_HEAP` has the files that have such locks.

#[path = "support/files.rs"]
mod files;

use files::files;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Statics whose types have a lock, with the file that has them, and the code that takes the lock before a fork.
const HELD: [(&str, &str, &str); 19] = [
    ("ffi/coverage.rs", "CALLS", "coverage::hold()"),
    ("ffi/default_heap.rs", "FLAGS", "default_heap::hold()"),
    ("heap/object/statics.rs", "OWNERS", "statics::hold()"),
    ("host/handle.rs", "SLOTS", "Host::slots().hold()"),
    ("identity/ccs.rs", "KNOWN", "ccs::hold()"),
    ("identity/cost_centre.rs", "CENTRES", "cost_centre::hold()"),
    ("identity/function.rs", "FUNCTIONS", "function::hold()"),
    ("identity/info.rs", "INFOS", "info::hold()"),
    ("identity/names.rs", "NAMES", "names::names()"),
    ("identity/site.rs", "SITES", "site::hold()"),
    ("megablock/owners.rs", "PARTS", "owners::hold()"),
    ("os/apart.rs", "TAKEN", "apart::hold()"),
    ("os/clock.rs", "DATING", "clock::hold()"),
    ("os/code.rs", "WALKING", "code::hold()"),
    ("os/ticker.rs", "BEATS", "ticker::hold()"),
    ("os/trap.rs", "INSTALLING", "trap::hold()"),
    ("profile/coverage/mix.rs", "SLOTS", "Mix::slots().hold()"),
    ("profile/coverage/program.rs", "SLOTS", "Coverage::slots().hold()"),
    ("runtime/heap.rs", "MUTATORS", "Mutator::slots().hold()"),
];

/// The functions that take the locks before a fork.
const TAKERS: [&str; 3] = ["ffi/fork.rs", "host/fork.rs", "identity/mod.rs"];

/// Types with a lock that statics may have.
const LOCKS: [&str; 11] = [
    "Mutex<",
    "RwLock<",
    "ReentrantLock<",
    "Condvar",
    "OnceLock<",
    "OnceCell<",
    "LazyLock<",
    "LazyCell<",
    "sync::Barrier",
    "Slots",
    "Registry<",
];

/// Files with locks that are parts of a value, and why the child may use that.
const OF_A_HEAP: [(&str, &str); 16] = [
    ("base/still/changes.rs", "a heap's"),
    ("base/still/crew.rs", "of a heap's workers, which a child starts anew"),
    ("base/still/gate.rs", "a heap's, and made as new"),
    ("base/still/sync.rs", "names them for the models"),
    ("base/still/work.rs", "a collection's"),
    ("gc/copier.rs", "a collection's"),
    ("gc/copies.rs", "a collection's"),
    ("gc/sweep.rs", "a collection's"),
    ("gc/told.rs", "a collection's"),
    ("gc/compact/slide_together.rs", "a collection's"),
    ("identity/numbered.rs", "of the statics CENTRES and FUNCTIONS"),
    ("os/ticker.rs", "a ticker's own is dropped in a child without being taken"),
    ("profile/cost/time.rs", "a heap's; a beat takes it under BEATS"),
    ("profile/heap/alarm.rs", "a heap's; a beat takes it under BEATS"),
    ("profile/space/time.rs", "a heap's; a beat takes it under BEATS"),
    ("runtime/slot.rs", "of the statics named SLOTS and MUTATORS"),
];

/// Functions that take a lock of glibc's which a child has as it was at the fork, and the file that calls each under a lock of `HELD`.
const OF_GLIBC: [(&str, &str); 2] = [("dl_iterate_phdr(", "os/code.rs"), ("localtime", "os/clock.rs")];

/// Rust's own locks on streams and on what a panic prints, which others may hold too.
const OF_RUST: [&str; 8] =
    ["stderr()", "stdout()", "stdin()", "eprint!", "eprintln!", "print!(", "println!(", "std::env::"];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The lines of code of each file of the library, without its comments and tests.
fn code() -> Vec<(String, Vec<String>)> {
    let (source, mut all) = (source(), Vec::new());
    files(&source, &mut all);
    let mut found = Vec::new();
    for path in all {
        let name = path.strip_prefix(&source).expect("a file of src").display().to_string();
        let is_test = name.contains("tests") || name.starts_with("testkit") || name == "os/seen.rs";
        if !is_test {
            found.push((name, lines(&std::fs::read_to_string(&path).expect("Rust is text"))));
        }
    }
    assert!(found.len() > 300);
    found
}

fn lines(text: &str) -> Vec<String> {
    let own = text.split("#[cfg(test)]\nmod ").next().unwrap_or("");
    own.lines().map(|line| line.split("//").next().unwrap_or("").trim().to_string()).collect()
}

/// The name of a static whose type has a lock.
fn lock_of(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("static ")?;
    let (name, rest) = rest.split_once(": ")?;
    let of_type = rest.split(" = ").next().unwrap_or(rest);
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    (is_name && LOCKS.iter().any(|lock| of_type.contains(lock))).then_some(name)
}

#[test]
fn every_lock_of_the_process_is_held_over_a_fork() {
    let mut found = BTreeSet::new();
    for (file, lines) in code() {
        for line in lines {
            if let Some(name) = lock_of(&line) {
                found.insert((file.clone(), name.to_string()));
            }
        }
    }
    let known = HELD.map(|(file, name, _)| (file.to_string(), name.to_string()));
    let known = BTreeSet::from(known);
    assert_eq!(found, known, "statics with locks, and those that a fork holds");
    let takers =
        TAKERS.map(|file| std::fs::read_to_string(source().join(file)).expect("Rust is text")).concat();
    for (file, name, taken) in HELD {
        assert!(takers.contains(taken), "no taker has {taken}, for {name} of {file}");
    }
}

#[test]
fn other_locks_are_parts_of_heaps() {
    let rows: BTreeSet<_> = HELD.iter().map(|&(file, ..)| file).collect();
    let mut wrong = Vec::new();
    for (file, lines) in code() {
        let listed = rows.contains(file.as_str()) || OF_A_HEAP.iter().any(|&(known, _)| known == file);
        // A loop that looks at an atomic until another thread has changed it is a lock too.
        let waits =
            |line: &String| LOCKS[..9].iter().any(|lock| line.contains(lock)) || line.contains("spin_loop");
        let has = |line: &&String| waits(line) && !line.contains("MutexGuard<");
        if let (false, Some(line)) = (listed, lines.iter().find(has)) {
            wrong.push(format!("src/{file}: {line}"));
        }
    }
    assert!(wrong.is_empty(), "locks that no table has:\n{}", wrong.join("\n"));
}

#[test]
fn locks_of_glibcs_are_taken_in_one_place() {
    for (word, file) in OF_GLIBC {
        let calls = |lines: &[String]| lines.iter().filter(|line| line.contains(word)).count();
        let found: Vec<_> =
            code().iter().map(|(file, lines)| (file.clone(), calls(lines))).filter(|one| one.1 > 0).collect();
        assert_eq!(found, [(file.to_string(), 1)], "{word}, which takes a lock that a child has as it was");
        assert!(HELD.iter().any(|row| row.0 == file), "no lock of {file} is held over a fork");
    }
}

#[test]
fn no_lock_of_rusts_is_taken() {
    let mut wrong = Vec::new();
    for (file, lines) in code() {
        for line in lines.iter().filter(|line| OF_RUST.iter().any(|word| line.contains(word))) {
            if !line.contains("planted!(") && file != "base/planted.rs" {
                wrong.push(format!("src/{file}: {line}"));
            }
        }
    }
    assert!(wrong.is_empty(), "Rust's locks:\n{}", wrong.join("\n"));
}

#[test]
fn locks_are_found() {
    assert_eq!(
        lock_of("pub(crate) static NEW: std::sync::Mutex<u8> = std::sync::Mutex::new(0);"),
        Some("NEW")
    );
    assert_eq!(lock_of("static ONCE: OnceLock<u8> = OnceLock::new();"), Some("ONCE"));
    assert_eq!(lock_of("static SLOTS: Slots = Slots::of::<Mutex<u8>>();"), Some("SLOTS"));
    assert_eq!(lock_of("static COUNT: AtomicU32 = AtomicU32::new(0);"), None);
    assert_eq!(lock_of("fn hold() -> MutexGuard<'static, u8> {"), None);
    assert_eq!(lines("a // Mutex<\n#[cfg(test)]\nmod tests { Mutex<u8> }"), ["a"]);
}
