//! The shared library exports what `abi/symbols.txt` lists and nothing else, and every export is tested from C.

use std::path::Path;

const LIST: &str = include_str!("../abi/symbols.txt");

fn listed() -> Vec<&'static str> {
    LIST.lines().filter(|line| !line.is_empty()).collect()
}

/// Names of the dynamic symbols of an ELF file of 64 bits: those that it defines, or those that others do.
#[cfg(target_os = "linux")]
fn symbols(file: &[u8], defined: bool) -> Vec<String> {
    let number = |at: usize, bytes: usize| {
        file[at..at + bytes].iter().rev().fold(0usize, |sum, &byte| sum << 8 | byte as usize)
    };
    assert_eq!(&file[..5], b"\x7fELF\x02", "not an ELF file of 64 bits");
    let (sections, size, count) = (number(0x28, 8), number(0x3a, 2), number(0x3c, 2));
    let section = |index: usize| sections + index * size;
    const DYNSYM: usize = 11;
    let table = (0..count).map(section).find(|&at| number(at + 4, 4) == DYNSYM).expect("dynamic symbols");
    let (start, length) = (number(table + 0x18, 8), number(table + 0x20, 8));
    let strings = number(section(number(table + 0x28, 4)) + 0x18, 8);
    let mut names = Vec::new();
    for at in (start..start + length).step_by(24) {
        let (name, defined_in) = (number(at, 4), number(at + 6, 2));
        if name != 0 && (defined_in != 0) == defined {
            let text = &file[strings + name..];
            let end = text.iter().position(|&byte| byte == 0).expect("names end with NUL");
            names.push(String::from_utf8_lossy(&text[..end]).into_owned());
        }
    }
    names.sort();
    names
}

#[cfg(target_os = "linux")]
fn library() -> Vec<u8> {
    let here = std::env::current_exe().expect("a test has a path");
    let library = here.parent().expect("a test lies in a directory").join("libbarrow.so");
    std::fs::read(&library).expect("the shared library lies beside its tests")
}

/// Threads are stopped by their own looks at a word, and profilers' clocks are threads.
#[test]
#[cfg(target_os = "linux")]
fn nobody_is_sent_a_signal() {
    const SENDING: [&str; 10] = [
        "kill",
        "killpg",
        "tgkill",
        "pthread_kill",
        "pthread_sigqueue",
        "sigqueue",
        "alarm",
        "setitimer",
        "timer_create",
        "pthread_cancel",
    ];
    let wanted = symbols(&library(), false);
    assert!(wanted.iter().any(|name| name == "pthread_sigmask"), "names without their versions");
    let sending: Vec<_> = wanted.iter().filter(|name| SENDING.contains(&name.as_str())).collect();
    assert!(sending.is_empty(), "the library calls {sending:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn exports_equal_the_list() {
    let found = symbols(&library(), true);
    let listed = listed();
    let new: Vec<_> = found.iter().filter(|name| !listed.contains(&name.as_str())).collect();
    let gone: Vec<_> = listed.iter().filter(|name| !found.iter().any(|f| f == **name)).collect();
    assert!(
        new.is_empty() && gone.is_empty(),
        "abi/symbols.txt differs from the library: new {new:?}, gone {gone:?}.\n\
         A change of the ABI is on purpose: refresh the list with ci/header.sh, and say it in the changelog."
    );
}

#[test]
fn the_list_is_sorted_and_ours() {
    let listed = listed();
    assert!(listed.is_sorted(), "abi/symbols.txt is not sorted");
    for name in listed {
        assert!(name.starts_with("barrow_"), "{name} does not begin with barrow_");
    }
}

#[test]
fn every_export_is_tested_from_c() {
    let mut text = String::new();
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("c-tests")).expect("c-tests") {
        let path = entry.expect("c-tests can be read").path();
        if path.extension().is_some_and(|end| end == "c") {
            text += &std::fs::read_to_string(path).expect("C is text");
        }
    }
    let called =
        |name: &str| text.match_indices(name).any(|(at, _)| text[at + name.len()..].starts_with('('));
    let missing: Vec<_> = listed().into_iter().filter(|name| !called(name)).collect();
    assert!(missing.is_empty(), "no C test calls {missing:?}");
}
