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
