//! The code that is mapped in this process, as the system lists it.

use crate::base::{List, Outcome};
use std::io::Read;

/// A mapping of code: its addresses, the place in its file, and the file's name.
pub(crate) struct Mapping {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) offset: usize,
    pub(crate) file: List<u8>,
}

/// The mappings of code, by address; none where the system does not list them.
pub(crate) fn of_code() -> Outcome<List<Mapping>> {
    let mut text = List::new();
    if let Ok(mut file) = std::fs::File::open("/proc/self/maps") {
        let mut part = [0; 4096];
        while let Ok(length @ 1..) = file.read(&mut part) {
            text.append(&part[..length])?;
        }
    }
    let mut mappings = List::new();
    for line in text.split(|&byte| byte == b'\n') {
        if let Some((start, end, offset, name)) = read(line) {
            let mut file = List::new();
            file.append(name)?;
            mappings.push(Mapping { start, end, offset, file })?;
        }
    }
    Ok(mappings)
}

/// `start-end perms offset device inode   name`, of files that are executed.
fn read(line: &[u8]) -> Option<(usize, usize, usize, &[u8])> {
    let name = line.iter().position(|&byte| byte == b'/').map(|at| &line[at..])?;
    let mut words = std::str::from_utf8(&line[..line.len() - name.len()]).ok()?.split_ascii_whitespace();
    let (start, end) = words.next()?.split_once('-')?;
    let is_code = words.next()?.as_bytes().get(2) == Some(&b'x');
    let number = |text: &str| usize::from_str_radix(text, 16).ok();
    Some((number(start)?, number(end)?, number(words.next()?)?, name)).filter(|_| is_code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_code_is_mapped() {
        let here = our_own_code_is_mapped as *const () as usize;
        let mappings = of_code().unwrap();
        let ours = mappings.iter().find(|mapping| (mapping.start..mapping.end).contains(&here)).unwrap();
        assert!(std::env::current_exe().unwrap().as_os_str().as_encoded_bytes() == &ours.file[..]);
    }
}
