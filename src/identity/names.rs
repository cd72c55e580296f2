//! Names, each kept once: equal texts have equal numbers, so that bands are found without comparing texts.

use crate::base::{List, Outcome};
#[cfg(debug_assertions)]
use std::cell::Cell;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The number of a name; 0 for no name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Name(pub u32);

impl Name {
    pub const NONE: Name = Name(0);

    pub fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// The texts one behind the other, and a hash table to find them again.
pub(crate) struct NameTable {
    text: List<u8>,
    /// The end of each name in `text`; name n begins at the end of n - 1.
    ends: List<usize>,
    /// Numbers of names: an open hash table, 0 for free. Its length is a power of two, at least twice the
    /// number of names.
    table: List<u32>,
}

static NAMES: Mutex<NameTable> = Mutex::new(NameTable::new());

/// The locked names.
pub(crate) struct Names(MutexGuard<'static, NameTable>);

impl Deref for Names {
    type Target = NameTable;

    fn deref(&self) -> &NameTable {
        &self.0
    }
}

impl DerefMut for Names {
    fn deref_mut(&mut self) -> &mut NameTable {
        &mut self.0
    }
}

#[cfg(debug_assertions)]
thread_local! {
    static HELD: Cell<bool> = const { Cell::new(false) };
}

#[cfg(debug_assertions)]
impl Drop for Names {
    fn drop(&mut self) {
        HELD.set(false);
    }
}

/// The names of this process. The lock is held as shortly as possible, and never while anything is written: a collection
/// of any heap may wait for it.
pub(crate) fn names() -> Names {
    check_order();
    let names = Names(NAMES.lock().unwrap_or_else(PoisonError::into_inner));
    #[cfg(debug_assertions)]
    HELD.set(true);
    names
}

/// Called where a thread is about to take a lock that others hold while they take the one on names.
#[inline(always)]
pub(super) fn check_order() {
    #[cfg(debug_assertions)]
    assert!(!HELD.get(), "the names are locked already, by this thread");
}

/// A copy of a name's text, for callers that write it.
pub(crate) fn copy(name: Name) -> Outcome<List<u8>> {
    let mut text = List::new();
    text.append(names().text(name))?;
    Ok(text)
}

fn hash(text: &[u8]) -> u64 {
    // FNV-1a: names are short, and only the program itself chooses them, so none are made to collide.
    let mixed = text
        .iter()
        .fold(0xcbf2_9ce4_8422_2325u64, |sum, &byte| (sum ^ byte as u64).wrapping_mul(0x100_0000_01b3));
    mixed ^ (mixed >> 29)
}

impl NameTable {
    pub(crate) const fn new() -> NameTable {
        NameTable { text: List::new(), ends: List::new(), table: List::new() }
    }

    /// Number of names. They are numbered from 1.
    pub(crate) fn count(&self) -> usize {
        self.ends.len().saturating_sub(1)
    }

    pub(crate) fn text(&self, name: Name) -> &[u8] {
        let at = name.0 as usize;
        if at == 0 || at >= self.ends.len() { b"" } else { &self.text[self.ends[at - 1]..self.ends[at]] }
    }

    /// The number of a text, which a new text gets here. The empty text is no name.
    pub(crate) fn intern(&mut self, text: &[u8]) -> Outcome<Name> {
        if text.is_empty() {
            return Ok(Name::NONE);
        }
        if let Some(name) = self.find(text) {
            return Ok(name);
        }
        if (self.ends.len() + 1) * 2 > self.table.len() {
            self.grow()?;
        }
        self.ends.reserve(2)?;
        self.text.append(text)?;
        if self.ends.is_empty() {
            let _ = self.ends.push_within(0);
        }
        let number = self.ends.len() as u32;
        let _ = self.ends.push_within(self.text.len());
        let free = self.place(text);
        self.table[free] = number;
        Ok(Name(number))
    }

    pub(crate) fn find(&self, text: &[u8]) -> Option<Name> {
        if self.table.is_empty() {
            return None;
        }
        let number = self.table[self.place(text)];
        (number != 0).then_some(Name(number))
    }

    /// Index of a text's entry, or of the free entry for it.
    fn place(&self, text: &[u8]) -> usize {
        let mask = self.table.len() - 1;
        let mut at = hash(text) as usize & mask;
        while self.table[at] != 0 && self.text(Name(self.table[at])) != text {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) -> Outcome<()> {
        let mut larger = List::new();
        larger.fill((self.table.len() * 2).max(64), 0)?;
        self.table = larger;
        for number in 1..self.ends.len() as u32 {
            let begin = self.ends[number as usize - 1];
            let end = self.ends[number as usize];
            let mask = self.table.len() - 1;
            let mut at = hash(&self.text[begin..end]) as usize & mask;
            while self.table[at] != 0 {
                at = (at + 1) & mask;
            }
            self.table[at] = number;
        }
        Ok(())
    }
}

impl Default for NameTable {
    fn default() -> NameTable {
        NameTable::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_have_equal_numbers() {
        let mut names = NameTable::new();
        let of = |i: usize| format!("name {}", i % 700);
        for i in 0..2000 {
            let name = names.intern(of(i).as_bytes()).unwrap();
            assert_eq!(name.0 as usize, i % 700 + 1);
        }
        assert_eq!(names.count(), 700);
        for i in 0..700 {
            assert_eq!(names.text(Name(i as u32 + 1)), of(i).as_bytes());
            assert_eq!(names.find(of(i).as_bytes()), Some(Name(i as u32 + 1)));
        }
        assert_eq!(names.intern(b"").unwrap(), Name::NONE);
        assert_eq!((names.text(Name::NONE), names.find(b"other")), (&b""[..], None));
    }
}
