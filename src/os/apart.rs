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

/// Where a file lies, by the absolute name that was given for it and by its folder, which names of other forms lead to as well.
struct Place {
    name: List<u8>,
    /// The offset of the last part of the name.
    last: usize,
    /// The system's numbers of the folder as it was when the name was given; none when there was no such folder.
    folder: Option<(libc::dev_t, libc::ino_t)>,
}

impl Place {
    fn of(given: &[u8]) -> Outcome<Place> {
        let mut name = List::new();
        name.append(Name::new(given)?.as_c_str().to_bytes())?;
        let last = 1 + name.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
        let folder = planted!(532, None, file::status(&Name::new(&name[..last])?, libc::stat).ok());
        Ok(Place { name, last, folder: folder.map(|folder| (folder.st_dev, folder.st_ino)) })
    }

    fn last(&self) -> &[u8] {
        &self.name[self.last..]
    }

    /// Whether both lie in one folder. A name leads to its own folder whatever the program has put there since.
    fn is_beside(&self, other: &Place) -> bool {
        planted!(536, false, self.name[..self.last] == other.name[..other.last])
            || self.folder.is_some() && self.folder == other.folder
    }

    fn is(&self, other: &Place) -> bool {
        self.is_beside(other) && self.last() == other.last()
    }

    /// The number with which this file, or this stem, would have the other name.
    fn number_in(&self, other: &Place) -> Option<u64> {
        if !self.is_beside(other) {
            return None;
        }
        let number_between = |(before, ending): (&[u8], &[u8])| {
            let between = other.last().strip_prefix(before)?.strip_suffix(ending)?;
            let number = std::str::from_utf8(between.get(1..)?).ok()?.parse().ok()?;
            (middle(number).as_str().as_bytes() == between).then_some(number)
        };
        number_between(ending_apart(self.last())).or_else(|| number_between((self.last(), b"")))
    }
}

/// A place that a holder was given the name of, with the first and the last of its numbers there. The names with these numbers in
/// them are taken as well.
pub(crate) struct Taken {
    place: Place,
    holder: u64,
    first: u64,
    last: u64,
}

impl Taken {
    /// The last number that is taken at a place; 0 when none is.
    fn last_at(&self, place: &Place) -> u64 {
        if self.place.is(place) {
            return self.last;
        }
        let is_taken =
            self.place.number_in(place).is_some_and(|number| self.first <= number && number <= self.last);
        is_taken.into()
    }
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
        let place = Place::of(name)?;
        let mut taken = hold();
        match self.own(&mut taken, &place) {
            Some(one) => Ok(one.first),
            None => self.take(&mut taken, place, numbered),
        }
    }

    /// A number for `stem` that no holder had before.
    pub fn next_number(&self, stem: &[u8]) -> Outcome<u64> {
        let place = Place::of(stem)?;
        let mut taken = hold();
        if self.own(&mut taken, &place).is_none() {
            return self.take(&mut taken, place, numbered_stem);
        }
        let next = self.free_number(&taken, &place, numbered_stem)?;
        planted!(
            537,
            taken.push(Taken {
                place: Place::of(&numbered_stem(stem, next)?)?,
                holder: self.0,
                first: 1,
                last: 1
            })?
        );
        if let Some(one) = self.own(&mut taken, &place) {
            one.last = next;
        }
        Ok(next)
    }

    fn own<'a>(&self, taken: &'a mut List<Taken>, place: &Place) -> Option<&'a mut Taken> {
        taken.iter_mut().find(|one| one.holder == self.0 && one.place.is(place))
    }

    fn take(&self, taken: &mut List<Taken>, place: Place, numbered: Numbered) -> Outcome<u64> {
        let first = self.free_number(taken, &place, numbered)?;
        taken.push(Taken { place, holder: self.0, first, last: first })?;
        Ok(first)
    }

    /// A number that nobody has at a place. The name with the number in it is free too: a heap may have been given that very name.
    fn free_number(&self, taken: &List<Taken>, place: &Place, numbered: Numbered) -> Outcome<u64> {
        let last_of = |one: &Taken| {
            planted!(
                538,
                if one.holder == self.0 && !one.place.is(place) { 0 } else { one.last_at(place) },
                one.last_at(place)
            )
        };
        let mut number = 1 + taken.iter().map(last_of).max().unwrap_or(0);
        while planted!(533, false, number > 1) {
            let own = Place { name: numbered(&place.name, number)?, ..*place };
            if taken.iter().all(|one| one.last_at(&own) == 0) {
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
    let (stem, ending) = ending_apart(name);
    let mut own = numbered_stem(stem, number)?;
    own.append(ending)?;
    Ok(own)
}

/// A file's name in two: the number comes between them.
fn ending_apart(name: &[u8]) -> (&[u8], &[u8]) {
    let last = name.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
    let dot = name[last..].iter().rposition(|&byte| byte == b'.').filter(|&dot| dot > 0);
    name.split_at(dot.map_or(name.len(), |dot| last + dot))
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

    #[test]
    fn a_number_stays_when_the_folder_is_another() {
        let folder = std::env::temp_dir().join(format!("barrow-apart-moved-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let out = folder.join("out");
        std::fs::create_dir_all(&out).unwrap();
        let name = out.join("x");
        let name = name.as_os_str().as_encoded_bytes();
        let (a, b) = (Holder::new(), Holder::new());
        assert_eq!((a.number(name).unwrap(), b.number(name).unwrap()), (1, 2));
        std::fs::rename(&out, folder.join("out.old")).unwrap();
        assert_eq!((b.number(name).unwrap(), a.number(name).unwrap()), (2, 1));
        std::fs::create_dir(&out).unwrap();
        assert_eq!((b.number(name).unwrap(), a.number(name).unwrap()), (2, 1));
        assert_eq!((Holder::new().number(name).unwrap(), b.next_number(name).unwrap()), (3, 4));
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn later_profiles_are_no_entries_of_their_own() {
        let (a, b) = (Holder::new(), Holder::new());
        let numbers: Vec<u64> = (0..40).map(|_| a.next_number(b"apart-3").unwrap()).collect();
        assert!(numbers.iter().zip(1..).all(|(&number, run)| number == run), "{numbers:?}");
        assert_eq!(hold().iter().filter(|one| one.holder == a.0).count(), 1);
        let given = |last: &str| b.number(format!("apart-3{last}").as_bytes()).unwrap();
        assert_eq!([".2", ".39", ".40"].map(given), [2; 3]);
        assert_eq!(["", ".1", ".02", ".+2", ".41", ".2.x", "2"].map(given), [41, 1, 1, 1, 2, 1, 1]);
    }

    #[test]
    fn an_own_name_with_a_number_is_taken_too() {
        let own = |holder: &Holder, name: &str| {
            String::from_utf8(holder.own_file(name.as_bytes()).unwrap().to_vec()).unwrap()
        };
        let (a, b) = (Holder::new(), Holder::new());
        assert_eq!(own(&a, "apart-4.txt"), "apart-4.txt");
        assert_eq!(own(&b, "apart-4.txt"), "apart-4.2.txt");
        assert_eq!(own(&b, "apart-4.2.txt"), "apart-4.2.2.txt");
        assert_eq!([own(&b, "apart-4.txt"), own(&b, "apart-4.2.txt")], ["apart-4.2.txt", "apart-4.2.2.txt"]);
    }
}
