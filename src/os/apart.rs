//! Numbers that keep the files of several heaps in one process apart.
//!
//! The first heap that writes to a name has number 1, which is not written into the file's name. A heap that
//! comes to the same name while the first lives has the next number, and so has each later heap profile of
//! one heap. A name with a number in it is taken as well. When no heap holds a name any more, its numbers begin again: a
//! later heap replaces the files of earlier ones, as a later run of the program does.

use super::file::{self, Kind, Name};
use crate::base::{List, Outcome, Sentence};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The place of a file, the same for all names that lead there: its folder, and the last part of its name.
struct Place {
    /// The system's numbers of the folder; none when there is no such folder, and `last` is the whole name.
    folder: Option<(libc::dev_t, libc::ino_t)>,
    last: List<u8>,
}

impl PartialEq for Place {
    fn eq(&self, other: &Place) -> bool {
        self.folder == other.folder && self.last[..] == other.last[..]
    }
}

impl Place {
    fn of(name: &Name) -> Outcome<Place> {
        let whole = name.as_c_str().to_bytes();
        let begin = 1 + whole.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
        let folder = planted!(532, None, file::status(&Name::new(&whole[..begin])?, libc::stat).ok());
        let mut last = List::new();
        last.append(if folder.is_some() { &whole[begin..] } else { whole })?;
        Ok(Place { folder: folder.map(|folder| (folder.st_dev, folder.st_ino)), last })
    }
}

/// A place that a holder writes to, with the first and the last of the numbers that the holder was given.
pub(crate) struct Taken {
    place: Place,
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

/// The name with a number in it; a stem has it at the end, a file before its ending.
type Numbered = fn(&[u8], u64) -> Outcome<List<u8>>;

impl Holder {
    pub fn new() -> Holder {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Holder(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// The number under which this holder writes to files of this stem, the same at each call.
    pub fn number(&self, stem: &[u8]) -> Outcome<u64> {
        self.number_of(stem, numbered_stem)
    }

    fn number_of(&self, name: &[u8], numbered: Numbered) -> Outcome<u64> {
        let place = Place::of(&Name::new(name)?)?;
        let mut taken = hold();
        match taken.iter().find(|one| one.holder == self.0 && one.place == place) {
            Some(one) => Ok(one.first),
            None => self.take(&mut taken, place, numbered),
        }
    }

    /// A number for `stem` that no holder had before.
    pub fn next_number(&self, stem: &[u8]) -> Outcome<u64> {
        let place = Place::of(&Name::new(stem)?)?;
        let mut taken = hold();
        if !taken.iter().any(|one| one.holder == self.0 && one.place == place) {
            return self.take(&mut taken, place, numbered_stem);
        }
        let next = self.take_numbered(&mut taken, &place, numbered_stem)?;
        if let Some(one) = taken.iter_mut().find(|one| one.holder == self.0 && one.place == place) {
            one.last = next;
        }
        Ok(next)
    }

    fn take(&self, taken: &mut List<Taken>, place: Place, numbered: Numbered) -> Outcome<u64> {
        let first = self.take_numbered(taken, &place, numbered)?;
        taken.push(Taken { place, holder: self.0, first, last: first })?;
        Ok(first)
    }

    /// A new number for a place. The place with the number in its name is taken too, since another heap may have been
    /// given that very name.
    fn take_numbered(&self, taken: &mut List<Taken>, place: &Place, numbered: Numbered) -> Outcome<u64> {
        let mut number =
            1 + taken.iter().filter(|one| one.place == *place).map(|one| one.last).max().unwrap_or(0);
        while planted!(533, false, number > 1) {
            let place = Place { folder: place.folder, last: numbered(&place.last, number)? };
            if !taken.iter().any(|one| one.place == place) {
                taken.push(Taken { place, holder: self.0, first: 1, last: 1 })?;
                break;
            }
            number += 1;
        }
        Ok(number)
    }

    /// The file that this holder writes for `name`: the number of a holder other than the first comes before
    /// the last part of the name, as in `figures.2.txt`. Devices and pipes are shared.
    pub fn own_file(&self, name: &[u8]) -> Outcome<List<u8>> {
        let number = match file::kind(&Name::new(name)?)? {
            Kind::Device => 1,
            _ => self.number_of(name, numbered_file)?,
        };
        numbered_file(name, number)
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

fn numbered_stem(stem: &[u8], number: u64) -> Outcome<List<u8>> {
    let mut own = List::new();
    own.append(stem)?;
    own.append(middle(number).as_str().as_bytes())?;
    Ok(own)
}

fn numbered_file(name: &[u8], number: u64) -> Outcome<List<u8>> {
    let last = name.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
    let dot = name[last..].iter().rposition(|&byte| byte == b'.').filter(|&dot| dot > 0);
    let (stem, ending) = name.split_at(dot.map_or(name.len(), |dot| last + dot));
    let mut own = numbered_stem(stem, number)?;
    own.append(ending)?;
    Ok(own)
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

    #[test]
    fn one_file_by_several_names_is_one() {
        let folder = std::env::temp_dir().join(format!("barrow-apart-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("inner")).unwrap();
        std::os::unix::fs::symlink(folder.join("inner"), folder.join("link")).unwrap();
        let numbers = ["inner/x", "inner//./x", "inner/../inner/x", "link/x"].map(|name| {
            let holder = Holder::new();
            let number = holder.number(folder.join("").join(name).as_os_str().as_encoded_bytes()).unwrap();
            (holder, number)
        });
        assert_eq!(numbers.each_ref().map(|&(_, number)| number), [1, 2, 3, 4]);
        std::fs::remove_dir_all(&folder).unwrap();
        // Without a folder, the names are compared as they are.
        let (a, b) = (Holder::new(), Holder::new());
        assert_eq!((a.number(b"apart-none/x").unwrap(), b.number(b"apart-none/x").unwrap()), (1, 2));
    }

    #[test]
    fn names_with_a_number_are_taken() {
        let own = |holder: &Holder, name: &str| {
            String::from_utf8(holder.own_file(name.as_bytes()).unwrap().to_vec()).unwrap()
        };
        let (a, b, c, d) = (Holder::new(), Holder::new(), Holder::new(), Holder::new());
        assert_eq!(own(&a, "apart-1.2.txt"), "apart-1.2.txt");
        assert_eq!(own(&b, "apart-1.txt"), "apart-1.txt");
        assert_eq!(own(&c, "apart-1.txt"), "apart-1.3.txt");
        assert_eq!(own(&c, "apart-1.txt"), "apart-1.3.txt");
        assert_eq!(own(&d, "apart-1.3.txt"), "apart-1.3.2.txt");
        assert_eq!((a.number(b"apart-2").unwrap(), b.number(b"apart-2").unwrap()), (1, 2));
        assert_eq!((c.number(b"apart-2.2").unwrap(), d.number(b"apart-2.3").unwrap()), (2, 1));
        assert_eq!((a.next_number(b"apart-2").unwrap(), a.number(b"apart-2").unwrap()), (4, 1));
    }
}
