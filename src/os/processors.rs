//! How many processors this process may use: by its affinity, and by the quota of its control groups.

use super::groups;
use crate::base::Sentence;

/// The processors' worth of time that control groups allow; read once, when somebody asks first.
#[derive(Clone, Copy)]
pub(crate) enum Quota {
    Unread,
    /// `usize::MAX` for any number.
    Processors(usize),
}

impl Quota {
    pub(crate) const UNREAD: Quota = Quota::Unread;

    fn get(&mut self) -> usize {
        if let Quota::Processors(count) = *self {
            return count;
        }
        let count = read().unwrap_or(usize::MAX);
        *self = Quota::Processors(count);
        count
    }
}

/// Processors that threads of this process can use at a time; one at least. The affinity is asked for each time, since it may
/// change.
pub(crate) fn usable(quota: &mut Quota) -> usize {
    affinity().min(planted!(404, usize::MAX, quota.get())).max(1)
}

fn affinity() -> usize {
    #[cfg(target_os = "linux")]
    {
        // SAFETY: an all-zero set is one, and the call fills it.
        unsafe {
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            if libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set) == 0 {
                return libc::CPU_COUNT(&set) as usize;
            }
        }
    }
    // SAFETY: a pure question.
    let online = unsafe { libc::sysconf(libc::_SC_NPROCESSORS_ONLN) };
    online.max(1) as usize
}

fn read() -> Option<usize> {
    groups::of_this_process(|groups| quota_of_groups(groups, groups::MOUNTED))
}

/// The least quota of control groups and their parents, in whole processors: what is left of a quota beside them would hold all of
/// them up. `groups` is the text in /proc, `mounted` the directory where groups are mounted.
fn quota_of_groups(groups: &str, mounted: &str) -> Option<usize> {
    groups::least(groups, |controllers, path| match controllers {
        "" => quota(mounted, path),
        _ if groups::has(controllers, "cpu") => old_quota(mounted, path),
        _ => None,
    })
}

fn quota(mounted: &str, path: &str) -> Option<usize> {
    let name = Sentence::new(format_args!("{mounted}{path}/cpu.max"));
    let mut text = [0; 64];
    let mut words = groups::read_small(name.as_str(), &mut text)?.split_ascii_whitespace();
    whole(words.next()?.parse().ok()?, words.next()?.parse().ok()?)
}

fn old_quota(mounted: &str, path: &str) -> Option<usize> {
    let number = |file: &str| {
        let name = Sentence::new(format_args!("{mounted}/cpu{path}/{file}"));
        groups::read_small(name.as_str(), &mut [0; 64])?.trim().parse().ok()
    };
    // Without a quota it says -1, which is no such number.
    whole(number("cpu.cfs_quota_us")?, number("cpu.cfs_period_us")?)
}

fn whole(quota: usize, period: usize) -> Option<usize> {
    (period > 0).then(|| (quota / period).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn quota_in(test: &str, files: &[(&str, &str)], groups: &str) -> Option<usize> {
        let root = std::env::temp_dir().join(format!("barrow-quota-{test}-{}", std::process::id()));
        for (file, text) in files {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let quota = quota_of_groups(groups, root.to_str().unwrap());
        let _ = fs::remove_dir_all(&root);
        quota
    }

    #[test]
    fn quotas_are_whole_processors() {
        let files = [("a/b/cpu.max", "350000 100000\n"), ("a/cpu.max", "max 100000\n")];
        assert_eq!(quota_in("two", &files, "0::/a/b\n"), Some(3));
        assert_eq!(quota_in("parent", &files, "0::/a\n"), None);
        let files = [("a/b/cpu.max", "max 100000\n"), ("a/cpu.max", "50000 100000\n")];
        assert_eq!(quota_in("half", &files, "0::/a/b\n"), Some(1));
        let files = [("cpu/job/cpu.cfs_quota_us", "200000\n"), ("cpu/job/cpu.cfs_period_us", "100000\n")];
        assert_eq!(quota_in("one", &files, "4:cpu,cpuacct:/job\n5:memory:/\n"), Some(2));
        let files = [("cpu/job/cpu.cfs_quota_us", "-1\n"), ("cpu/job/cpu.cfs_period_us", "100000\n")];
        assert_eq!(quota_in("none", &files, "4:cpu,cpuacct:/job\n"), None);
        assert_eq!(quota_in("nowhere", &[("x", "")], "no line of a group\n"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_affinity_bounds_them() {
        // The affinity is a thread's, so the test's own is changed alone.
        std::thread::spawn(|| {
            let mut any = Quota::Processors(usize::MAX);
            let mut one = Quota::Processors(1);
            assert_eq!(usable(&mut one), 1);
            // SAFETY: sets are filled before they are read.
            unsafe {
                let mut set: libc::cpu_set_t = std::mem::zeroed();
                assert_eq!(libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set), 0);
                assert_eq!(usable(&mut any), libc::CPU_COUNT(&set) as usize);
                let one = (0..libc::CPU_SETSIZE as usize).find(|&cpu| libc::CPU_ISSET(cpu, &set)).unwrap();
                let mut only: libc::cpu_set_t = std::mem::zeroed();
                libc::CPU_SET(one, &mut only);
                assert_eq!(libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &only), 0);
            }
            assert_eq!(usable(&mut any), 1);
        })
        .join()
        .unwrap();
    }
}
