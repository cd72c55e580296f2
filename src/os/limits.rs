//! How much there is: memory of the machine and of the container, address space, caches.

use std::io::Read;

/// What a process may use of something.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The machine's memory in bytes.
    pub physical: usize,
    /// The tightest limit of the container and its parents, if there is one.
    pub container: Option<usize>,
    /// `ulimit -v`, if there is one.
    pub address_space: Option<usize>,
    /// A host may have to find memory for each page of ours that is touched first.
    pub virtual_machine: bool,
}

pub fn limits() -> Limits {
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

fn address_space() -> Option<usize> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limit` is a valid place for the answer.
    if unsafe { libc::getrlimit(libc::RLIMIT_AS, &mut limit) } != 0 || limit.rlim_cur == libc::RLIM_INFINITY {
        return None;
    }
    Some(limit.rlim_cur as usize)
}

/// Control groups, version 2 and 1, the parents' limits included.
fn container() -> Option<usize> {
    let mut groups = [0u8; 4096];
    let length = read_small("/proc/self/cgroup", &mut groups)?;
    let text = std::str::from_utf8(&groups[..length]).ok()?;
    let mut tightest = None;
    for line in text.lines() {
        let mut parts = line.splitn(3, ':');
        let (_, Some(controllers), Some(path)) = (parts.next(), parts.next(), parts.next()) else { continue };
        if controllers.is_empty() {
            walk_up("/sys/fs/cgroup", path, "memory.max", &mut tightest);
        } else if controllers.split(',').any(|name| name == "memory") {
            walk_up("/sys/fs/cgroup/memory", path, "memory.limit_in_bytes", &mut tightest);
        }
    }
    // Version 1 spells "no limit" as a number near 2^63.
    tightest.filter(|&bytes| bytes < 1 << 60)
}

fn walk_up(root: &str, path: &str, file: &str, tightest: &mut Option<usize>) {
    let mut path = path.trim_end_matches('/');
    loop {
        let name = crate::base::Sentence::new(format_args!("{root}{path}/{file}"));
        let mut text = [0u8; 64];
        if let Some(length) = read_small(name.as_str(), &mut text)
            && let Ok(text) = std::str::from_utf8(&text[..length])
            && let Ok(bytes) = text.trim().parse::<usize>()
        {
            *tightest = Some(tightest.map_or(bytes, |least: usize| least.min(bytes)));
        }
        match path.rfind('/') {
            Some(slash) => path = &path[..slash],
            None => return,
        }
    }
}

fn read_small(name: &str, buffer: &mut [u8]) -> Option<usize> {
    std::fs::File::open(name).ok()?.read(buffer).ok()
}

/// Bytes of the second-level cache of one core; 1 MiB where the system does not say.
pub fn second_level_cache() -> usize {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    let said = ask(libc::_SC_LEVEL2_CACHE_SIZE);
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    let said = None;
    said.unwrap_or(1 << 20)
}

/// Bytes of the last cache before memory; that of the second level where there is no other.
pub fn last_level_cache() -> usize {
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
