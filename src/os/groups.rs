//! The control groups of this process, version 2 and 1: the least of a figure in them and their parents.

use std::io::Read;

/// Where control groups are mounted.
pub(super) const MOUNTED: &str = "/sys/fs/cgroup";

/// Hands out the text in /proc that names the groups of this process.
pub(super) fn of_this_process<T>(look: impl FnOnce(&str) -> Option<T>) -> Option<T> {
    let mut groups = [0u8; 4096];
    look(read_small("/proc/self/cgroup", &mut groups)?)
}

/// The least figure of all groups in such a text and of their parents, if one has any. `figure` is asked with a group's controllers,
/// separated by commas and none for version 2, and its path.
pub(super) fn least(groups: &str, figure: impl Fn(&str, &str) -> Option<usize>) -> Option<usize> {
    let mut least: Option<usize> = None;
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':');
        let (_, Some(controllers), Some(path)) = (parts.next(), parts.next(), parts.next()) else { continue };
        let mut path = path.trim_end_matches('/');
        loop {
            least = least.into_iter().chain(figure(controllers, path)).min();
            let Some(slash) = path.rfind('/') else { break };
            path = &path[..slash];
        }
    }
    least
}

/// Whether controllers separated by commas have this one.
pub(super) fn has(controllers: &str, name: &str) -> bool {
    controllers.split(',').any(|controller| controller == name)
}

/// The text of a file that is no larger than the buffer.
pub(super) fn read_small<'b>(name: &str, buffer: &'b mut [u8]) -> Option<&'b str> {
    let length = std::fs::File::open(name).ok()?.read(buffer).ok()?;
    std::str::from_utf8(&buffer[..length]).ok()
}
