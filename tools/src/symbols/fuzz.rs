//! Damaged files of code, with debug information that is compressed and that is not.

use super::Symbols;
use crate::fuzz;
use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCE: &str = "static int grow(int n) { return n > 3 ? grow(n - 1) * 2 : n; }\nint start(int n) { return grow(n) + 1; }\n";

/// The same little library with other flags; none without a compiler.
fn library(folder: &Path, name: &str, flags: &[&str]) -> Option<Vec<u8>> {
    let (source, out) = (folder.join("code.c"), folder.join(name));
    std::fs::write(&source, SOURCE).ok()?;
    let mut command = Command::new("cc");
    command.args(["-g", "-O1", "-shared", "-nostdlib", "-fPIC", "-o"]).arg(&out).arg(&source).args(flags);
    let made = command.output().ok()?.status.success();
    if made { std::fs::read(out).ok() } else { None }
}

fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("barrow-symbols-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn fuzz_resolve() {
    let folder = scratch("fuzz");
    let files: Vec<_> =
        [("plain.so", &[][..]), ("packed.so", &["-gz"]), ("old.so", &["-gz", "-gdwarf-4", "-s"])]
            .into_iter()
            .filter_map(|(name, flags)| library(&folder, name, flags))
            .collect();
    if files.is_empty() {
        return println!("skipped: no compiler for C");
    }
    let code = folder.join("code.so");
    let words: [&[u8]; 6] = [b".debug_info", b".debug_line\0", b"\x7fELF", b"ZLIB", &[0xff; 8], &[0; 16]];
    fuzz::run_slow(&files, &words, |bytes| {
        std::fs::write(&code, bytes).unwrap();
        let mut symbols = Symbols::new(vec![code.clone()], Vec::new(), None);
        for place in [0, 0x1000, 0x1004, 0x1010, 0x1018, 0x1020, 0x1030, 0x7fff_ffff] {
            let _ = symbols.resolve(&format!("code.so+{place:#x}"));
        }
    });
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A section that says that it inflates to gigabytes is refused before a byte of it is inflated.
#[test]
fn what_inflates_too_far_is_refused() {
    let folder = scratch("inflate");
    let Some(mut bytes) = library(&folder, "packed.so", &["-gz"]) else {
        return println!("skipped: no compiler for C");
    };
    let path = folder.join("packed.so");
    assert_eq!(super::inflated::check(&path), Ok(()));
    // The flag of a compressed section is 0x800; its data begin with the kind, 1, and the size.
    let table = u64::from_le_bytes(bytes[40..48].try_into().unwrap()) as usize;
    let section =
        (table..bytes.len()).step_by(64).find(|&at| bytes[at + 9] & 8 != 0).expect("a packed section");
    let data = u64::from_le_bytes(bytes[section + 24..section + 32].try_into().unwrap()) as usize;
    bytes[data + 8..data + 16].copy_from_slice(&(2u64 << 30).to_le_bytes());
    std::fs::write(&path, &bytes).unwrap();
    let told = super::inflated::check(&path).unwrap_err();
    assert!(told.contains("objcopy"), "{told}");
    let mut symbols = Symbols::new(vec![path], Vec::new(), None);
    assert_eq!(symbols.resolve("packed.so+0x1000"), None);
    assert!(symbols.notes[0].contains("inflates to"));
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A pipe in the place of a file that code is looked up in would be waited for without end.
#[test]
fn what_is_no_regular_file_is_refused() {
    let folder = scratch("pipe");
    let refused = |code: &Path, which: &str| {
        let (code, (sender, told)) = (code.to_owned(), std::sync::mpsc::channel());
        std::thread::spawn(move || sender.send(super::inflated::check(&code)));
        let told = told.recv_timeout(std::time::Duration::from_secs(20)).expect("it waits for the pipe");
        let told = told.expect_err("it was taken");
        assert!(told.contains("no regular file") && told.contains(which), "{told}");
    };
    let pipe = |name: &str| {
        let path = folder.join(name);
        let _ = std::fs::remove_file(&path);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        path
    };
    refused(&pipe("code.so"), "");
    std::fs::remove_file(folder.join("code.so")).unwrap();
    refused(&folder, "");
    let mut mach = 0xfeed_facfu32.to_le_bytes().to_vec();
    mach.resize(64, 0);
    std::fs::write(folder.join("mach"), mach).unwrap();
    assert!(super::inflated::check(&folder.join("mach")).unwrap_err().contains("Mach-O"));
    if library(&folder, "plain.so", &[]).is_none() {
        return println!("skipped: no compiler for C");
    }
    pipe("plain.so.dwp");
    refused(&folder.join("plain.so"), "plain.so.dwp: ");
    std::fs::remove_file(folder.join("plain.so.dwp")).unwrap();
    if library(&folder, "split.so", &["-gsplit-dwarf"]).is_none() {
        return println!("skipped: this compiler makes no split debug information");
    }
    let entries = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
    let parts: Vec<_> =
        entries.filter_map(|name| name.into_string().ok()).filter(|name| name.ends_with(".dwo")).collect();
    assert_eq!(parts.len(), 1, "{parts:?}");
    assert_eq!(super::inflated::check(&folder.join("split.so")), Ok(()));
    pipe(&parts[0]);
    refused(&folder.join("split.so"), &parts[0]);
    std::fs::remove_dir_all(&folder).unwrap();
}
