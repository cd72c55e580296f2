//! Numbers that keep the files of several heaps in one process apart.
//!
//! The first heap that writes to a name has number 1, which is not written into the file's name. A heap that
//! comes to the same name while the first lives has the next number, and so has each later heap profile of
//! one heap. When no heap holds a name any more, its numbers begin again: a later heap replaces the files of
//! earlier ones, as a later run of the program does.

use super::file::{self, Kind, Name};
use crate::base::{List, Outcome, Sentence};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A name that a holder writes to, with the first and the last of the numbers that the holder was given.
pub(crate) struct Taken {
    name: Name,
    holder: u64,
    first: u64,
    last: u64,
}

static TAKEN: Mutex<List<Taken>> = Mutex::new(List::new());

/// Takes the lock on the list of names, which is held over a fork too.
pub(crate) fn hold() -> MutexGuard<'static, List<Taken>> {
    TAKEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The number of a heap as a writer of files. Dropping the holder gives its names back.
pub struct Holder(u64);

impl Holder {
    pub fn new() -> Holder {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Holder(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// The number under which this holder writes to `name`, the same at each call.
    pub fn number(&self, name: &[u8]) -> Outcome<u64> {
        let name = Name::new(name)?;
        let mut taken = hold();
        match taken.iter().find(|one| one.holder == self.0 && one.name == name) {
            Some(one) => Ok(one.first),
            None => self.take(&mut taken, name),
        }
    }

    /// A number for `name` that no holder had before.
    pub fn next_number(&self, name: &[u8]) -> Outcome<u64> {
        let name = Name::new(name)?;
        let mut taken = hold();
        let next = after_all(&taken, &name);
        match taken.iter_mut().find(|one| one.holder == self.0 && one.name == name) {
            Some(one) => {
                one.last = next;
                Ok(next)
            }
            None => self.take(&mut taken, name),
        }
    }

    fn take(&self, taken: &mut List<Taken>, name: Name) -> Outcome<u64> {
        let first = after_all(taken, &name);
        taken.push(Taken { name, holder: self.0, first, last: first })?;
        Ok(first)
    }

    /// The file that this holder writes for `name`: the number of a holder other than the first comes before
    /// the last part of the name, as in `figures.2.txt`. Devices and pipes are shared.
    pub fn own_file(&self, name: &[u8]) -> Outcome<List<u8>> {
        let mut own = List::new();
        let number = match file::kind(&Name::new(name)?)? {
            Kind::Device => 1,
            _ => self.number(name)?,
        };
        if number == 1 {
            own.append(name)?;
            return Ok(own);
        }
        let last = name.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
        let dot = name[last..].iter().rposition(|&byte| byte == b'.').filter(|&dot| dot > 0);
        let (stem, ending) = name.split_at(dot.map_or(name.len(), |dot| last + dot));
        own.append(stem)?;
        own.append(middle(number).as_str().as_bytes())?;
        own.append(ending)?;
        Ok(own)
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        hold().retain_mut(|one| one.holder != self.0);
    }
}

/// A number in the middle of a file's name; nothing for 1.
pub(crate) fn middle(number: u64) -> Sentence {
    if number > 1 { Sentence::new(format_args!(".{number}")) } else { Sentence::EMPTY }
}

fn after_all(taken: &[Taken], name: &Name) -> u64 {
    1 + taken.iter().filter(|one| one.name == *name).map(|one| one.last).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holders_of_one_name_have_numbers_of_their_own() {
        let (a, b) = (Holder::new(), Holder::new());
        assert_eq!((a.number(b"apart-x").unwrap(), b.number(b"apart-x").unwrap()), (1, 2));
        assert_eq!((a.next_number(b"apart-x").unwrap(), b.next_number(b"apart-x").unwrap()), (3, 4));
        assert_eq!((a.number(b"apart-x").unwrap(), b.number(b"apart-x").unwrap()), (1, 2));
        assert_eq!(b.number(b"apart-y").unwrap(), 1);
        drop(a);
        assert_eq!(Holder::new().number(b"apart-x").unwrap(), 5);
        drop(b);
        assert_eq!(Holder::new().number(b"apart-x").unwrap(), 1);
    }

    #[test]
    fn a_number_stands_before_the_ending() {
        let (first, second) = (Holder::new(), Holder::new());
        for (given, numbered) in [
            ("apart/a.b/figures.txt", "apart/a.b/figures.2.txt"),
            ("apart/a.b/figures", "apart/a.b/figures.2"),
            (".apart", ".apart.2"),
        ] {
            assert_eq!(&first.own_file(given.as_bytes()).unwrap()[..], given.as_bytes());
            assert_eq!(&second.own_file(given.as_bytes()).unwrap()[..], numbered.as_bytes());
        }
        assert_eq!(&second.own_file(b"/dev/null").unwrap()[..], b"/dev/null");
    }
}
