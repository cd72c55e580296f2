//! The sizes of the machine: memory of the machine and of the container, address space, caches.

use super::groups;
use crate::base::Sentence;

/// The memory and address space that a process may use, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The machine's memory in bytes.
    pub physical: usize,
    /// The tightest limit of the container and its parents, if there is one.
    pub container: Option<usize>,
    /// `ulimit -v`, if there is one.
    pub address_space: Option<usize>,
    /// Whether this is a virtual machine, whose host may have to find memory for each page that is
    /// touched first.
    pub virtual_machine: bool,
}

impl Limits {
    /// Bytes that a heap may take of its container. The rest is for the client's own memory, for stacks and
    /// for mapped files.
    pub fn heap_in_container(&self) -> Option<usize> {
        self.container.map(|bytes| bytes - bytes / 4)
    }
}

pub(crate) fn limits() -> Limits {
    Limits {
        physical: physical(),
        container: container(),
        address_space: address_space(),
        virtual_machine: virtual_machine(),
    }
}

fn physical() -> usize {
    // SAFETY: pure questions.
    let pages = unsafe { libc::sysconf(libc::_SC_PHYS_PAGES) };
    if pages > 0 { pages as usize * super::memory::page_bytes() } else { 4 << 30 }
}

/// `ulimit -v`, in bytes.
pub(crate) fn address_space() -> Option<usize> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limit` is a valid place for the answer.
    if unsafe { libc::getrlimit(libc::RLIMIT_AS, &mut limit) } != 0 || limit.rlim_cur == libc::RLIM_INFINITY {
        return None;
    }
    Some(limit.rlim_cur as usize)
}

fn container() -> Option<usize> {
    groups::of_this_process(|groups| limit_of_groups(groups, groups::MOUNTED))
}

/// The limit in bytes of control groups and their parents. `groups` is the text in /proc, `mounted` the directory where groups
/// are mounted.
fn limit_of_groups(groups: &str, mounted: &str) -> Option<usize> {
    let tightest = groups::least(groups, |controllers, path| {
        let name = match controllers {
            "" => Sentence::new(format_args!("{mounted}{path}/memory.max")),
            _ if groups::has(controllers, "memory") => {
                Sentence::new(format_args!("{mounted}/memory{path}/memory.limit_in_bytes"))
            }
            _ => return None,
        };
        groups::read_small(name.as_str(), &mut [0; 64])?.trim().parse().ok()
    });
    // Version 1 writes "no limit" as a number near 2^63.
    tightest.filter(|&bytes| bytes < 1 << 60)
}

/// Bytes of the second-level cache of one core; 1 MiB where the system does not say.
pub(crate) fn second_level_cache() -> usize {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    let said = ask(libc::_SC_LEVEL2_CACHE_SIZE);
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    let said = None;
    said.unwrap_or(1 << 20)
}

/// Bytes of the last cache before memory; those of the second level where there is no other.
pub(crate) fn last_level_cache() -> usize {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    let said = ask(libc::_SC_LEVEL3_CACHE_SIZE);
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    let said = None;
    said.unwrap_or_else(second_level_cache)
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn ask(what: libc::c_int) -> Option<usize> {
    // SAFETY: a pure question.
    let answer = unsafe { libc::sysconf(what) };
    (answer > 0).then_some(answer as usize)
}

/// Whether a hypervisor says that it is there.
fn virtual_machine() -> bool {
    #[cfg(target_arch = "x86_64")]
    let answer = std::arch::x86_64::__cpuid(1).ecx >> 31 != 0;
    #[cfg(not(target_arch = "x86_64"))]
    let answer = false;
    answer
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::PathBuf;

    /// Control groups of a test, in a directory that is removed with them.
    struct Groups(PathBuf);

    impl Groups {
        fn new(name: &str, files: &[(&str, &str)]) -> Groups {
            let root = std::env::temp_dir().join(format!("barrow-groups-{name}-{}", std::process::id()));
            for (file, text) in files {
                let path = root.join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            Groups(root)
        }

        fn limit(&self, groups: &str) -> Option<usize> {
            limit_of_groups(groups, self.0.to_str().unwrap())
        }
    }

    impl Drop for Groups {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn the_tightest_of_a_group_and_its_parents() {
        let groups = Groups::new(
            "two",
            &[("a/b/memory.max", "max\n"), ("a/memory.max", "500000000\n"), ("memory.max", "800000000\n")],
        );
        assert_eq!(groups.limit("0::/a/b\n"), Some(500_000_000));
        let limits = Limits { container: groups.limit("0::/a/b\n"), ..limits() };
        assert_eq!(limits.heap_in_container(), Some(375_000_000));
        assert_eq!(groups.limit("0::/a\n"), Some(500_000_000));
        assert_eq!(groups.limit("0::/\n"), Some(800_000_000));
        assert_eq!(groups.limit("0::/elsewhere\n"), Some(800_000_000));
    }

    #[test]
    fn version_one_and_no_limit() {
        let groups = Groups::new(
            "one",
            &[
                ("memory/job/memory.limit_in_bytes", "300000000\n"),
                ("memory/memory.limit_in_bytes", "9223372036854771712\n"),
                ("memory.max", "max\n"),
            ],
        );
        assert_eq!(groups.limit("5:cpu,memory:/job\n0::/\n"), Some(300_000_000));
        assert_eq!(groups.limit("5:memory:/other\n"), None);
        assert_eq!(groups.limit("0::/\n"), None);
        assert_eq!(groups.limit("no line of a group\n"), None);
    }
}
