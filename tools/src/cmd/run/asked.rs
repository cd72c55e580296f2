//! What `barrow run` asks a program for, in its environment, and why a program may not do it.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The variable that the library reads where the program allows it.
pub const VARIABLE: &str = "BARROW_FLAGS";

/// By maker, by type, and of time. Samples by wall time, since a program may wait, or mostly collect; short ticks, since it may run
/// for tenths of a second.
const PROFILES: &str = "-h -hy -p -iw0.05 -V0.001";

/// The user's flags, and the names of files as the last word.
pub fn flags(wanted: &str, stem: &str) -> String {
    let between = if wanted.is_empty() { "" } else { " " };
    format!("{wanted}{between}-po{stem}")
}

/// The whole line. Flags that were in the environment before stay: they, too, have another length of a tick than ours.
pub fn line(before: Option<OsString>, flags: &str) -> OsString {
    let mut all = OsString::from(PROFILES);
    for more in before.iter().map(OsString::as_os_str).chain([OsStr::new(flags)]) {
        all.push(" ");
        all.push(more);
    }
    all
}

/// Why a program that has ended has left no profile.
pub fn why_nothing(program: &OsStr) -> String {
    let shown = program.display();
    if place(program).is_some_and(|file| has_more_rights(&file)) {
        return format!(
            "{shown} has the rights of another (setuid or setgid), so the library does not read {VARIABLE} in it; \
             run it as its owner, or give it flags itself"
        );
    }
    format!(
        "{shown} has left no profile: it has no Barrow heap, ended before it made one, or does not allow flags from the environment, \
         which its runtime does by config.environment = 1; if it takes flags itself, {shown} +RTS {PROFILES} -RTS does the same"
    )
}

/// The file that is run, as the shell finds it.
fn place(program: &OsStr) -> Option<PathBuf> {
    if Path::new(program).components().count() > 1 {
        return Some(program.into());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

fn has_more_rights(file: &Path) -> bool {
    const SETUID: u32 = 0o4000;
    const SETGID: u32 = 0o2000;
    file.metadata().is_ok_and(|found| {
        let mode = found.permissions().mode();
        // SAFETY: pure questions.
        let (user, group) = unsafe { (libc::getuid(), libc::getgid()) };
        mode & SETUID != 0 && found.uid() != user || mode & SETGID != 0 && found.gid() != group
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_files_are_the_last_word() {
        assert_eq!(flags("-hr -V1", "/a/b"), "-hr -V1 -po/a/b");
        assert_eq!(flags("", "/a/b"), "-po/a/b");
        assert_eq!(line(None, "-hr"), OsString::from(format!("{PROFILES} -hr")));
        assert_eq!(line(Some("-V1".into()), "-hr"), OsString::from(format!("{PROFILES} -V1 -hr")));
    }

    #[test]
    fn a_program_of_our_own_has_no_more_rights() {
        assert!(!has_more_rights(Path::new("/proc/self/exe")));
        assert!(why_nothing(OsStr::new("./prog")).contains("config.environment"));
    }
}
