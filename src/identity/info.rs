//! Numbers of info tables.
//!
//! The number is kept in the table itself, in a word that the client leaves 0, so that it is read from an
//! object's table without a search. It is written once, by compare-and-swap, after the names that belong to
//! it. A table in read-only memory keeps its 0, and its number is kept by address (`beside`).

use super::beside::Beside;
use super::names::{Name, NameTable, names};
use crate::base::{Addr, List, Outcome, Sentence};
use crate::os::debugger::is_writable;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The number above all tables' numbers. Counters of a runtime reserve address space for so many.
pub(crate) const MOST_INFOS: usize = 1 << 22;

/// The description of an info table by the layer that knows tables. Texts that the client does not give
/// are empty.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Description<'a> {
    /// The layout, as the references name layouts: `MUT_VAR`, `ARR_WORDS`, `THUNK_1_2`.
    pub kind: Sentence,
    /// Whether its objects are data, so that its own name says more than its layout.
    pub is_data: bool,
    /// Whether its objects are threads or their stacks, which profiles leave out unless told to show
    /// them.
    pub is_thread: bool,
    pub description: &'a [u8],
    pub type_name: &'a [u8],
    pub module: &'a [u8],
    pub source: &'a [u8],
}

/// The names of an info table's objects, by break-down.
#[derive(Clone, Copy, Debug, Default)]
pub struct InfoNames {
    pub kind: Name,
    pub type_name: Name,
    pub description: Name,
    pub module: Name,
    /// Module, description and source position together.
    pub whole: Name,
    pub is_thread: bool,
}

/// The names of all tables that have numbers.
pub(super) struct Infos {
    names: List<InfoNames>,
    /// The numbers of tables in read-only memory, by the address of the word.
    beside: Beside,
}

static INFOS: Mutex<Infos> = Mutex::new(Infos { names: List::new(), beside: Beside::new() });
/// The next number: 1 plus those given so far.
static COUNT: AtomicUsize = AtomicUsize::new(1);

pub(super) fn hold() -> MutexGuard<'static, Infos> {
    super::names::check_order();
    INFOS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The number above all given ones.
pub(crate) fn count() -> usize {
    COUNT.load(Ordering::Acquire)
}

/// The number of the info table whose number word this is; 0 when there is no memory to name one more.
#[inline(always)]
pub(crate) fn number<'a>(word: &AtomicU32, describe: impl FnOnce() -> Description<'a>) -> u32 {
    let number = word.load(Ordering::Acquire);
    // A table of garbage, or one whose word was not 0 at first, must not lead outside the counters.
    if number != 0 && (number as usize) < MOST_INFOS { number } else { register(word, describe) }
}

#[cold]
#[inline(never)]
fn register<'a>(word: &AtomicU32, describe: impl FnOnce() -> Description<'a>) -> u32 {
    let mut infos = hold();
    let at = word.as_ptr() as usize;
    let known = infos.beside.find(at);
    if known != 0 {
        return known;
    }
    let before = word.load(Ordering::Acquire);
    if before != 0 && (before as usize) < MOST_INFOS {
        return before;
    }
    infos.add(word, before, &describe()).unwrap_or(0)
}

impl Infos {
    /// Numbers a table that has no number; `before` is the value of its word.
    fn add(&mut self, word: &AtomicU32, before: u32, description: &Description<'_>) -> Outcome<u32> {
        if self.names.is_empty() {
            self.names.push(InfoNames::default())?;
        }
        let number = self.names.len();
        if number >= MOST_INFOS {
            return Ok(0);
        }
        let at = word.as_ptr() as usize;
        let stands_in_it = planted!(230, true, is_writable(at));
        if !stands_in_it {
            self.beside.reserve()?;
        }
        let given = name(description, &mut names())?;
        self.names.push(given)?;
        COUNT.store(number + 1, Ordering::Release);
        if !stands_in_it {
            self.beside.put(at, number as u32);
            return Ok(number as u32);
        }
        let written = planted!(128, 1, number as u32);
        match word.compare_exchange(before, written, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => Ok(number as u32),
            // The client's own code writes the word, which may hold anything now.
            Err(_) => Ok(0),
        }
    }
}

/// Forgets the numbers of read-only data from `base` on, `bytes` long, which is about to go. Tables that come
/// to lie there later are numbered anew.
pub(crate) fn forget(base: Addr, bytes: usize) {
    hold().beside.forget(base, bytes);
}

fn name(of: &Description<'_>, names: &mut NameTable) -> Outcome<InfoNames> {
    let kind = if of.is_data && !of.description.is_empty() {
        joined(names, &[of.module, b".", of.description], !of.module.is_empty())?
    } else {
        names.intern(of.kind.as_str().as_bytes())?
    };
    let layout = of.kind.as_str().as_bytes();
    let unknown: &[u8] = if of.is_data { b"*" } else { layout };
    Ok(InfoNames {
        kind,
        type_name: names.intern(if of.type_name.is_empty() { unknown } else { of.type_name })?,
        description: names.intern(if of.description.is_empty() { layout } else { of.description })?,
        module: names.intern(if of.module.is_empty() { b"(no module)" } else { of.module })?,
        whole: whole(of, names)?,
        is_thread: of.is_thread,
    })
}

/// The parts joined to one name; without the first two parts when `with_first` is false.
fn joined(names: &mut NameTable, parts: &[&[u8]], with_first: bool) -> Outcome<Name> {
    let mut text: List<u8> = List::new();
    for part in parts.iter().skip(if with_first { 0 } else { 2 }) {
        text.append(part)?;
    }
    names.intern(&text)
}

fn whole(of: &Description<'_>, names: &mut NameTable) -> Outcome<Name> {
    let mut text: List<u8> = List::new();
    if !of.module.is_empty() {
        text.append(of.module)?;
        text.push(b'.')?;
    }
    text.append(if of.description.is_empty() { of.kind.as_str().as_bytes() } else { of.description })?;
    if !of.source.is_empty() {
        text.push(b'<')?;
        text.append(of.source)?;
        text.push(b'>')?;
    }
    names.intern(&text)
}

/// Visits the names of all numbers from 1 on. `visit` must not register a table.
pub(crate) fn for_each(mut visit: impl FnMut(u32, &InfoNames)) {
    let infos = hold();
    for (number, info) in infos.names.iter().enumerate().skip(1) {
        visit(number as u32, info);
    }
}

/// The names of a number; no names for a number that was not given yet.
pub(crate) fn get(number: u32) -> InfoNames {
    let infos = hold();
    infos.names.get(number as usize).copied().unwrap_or_default()
}

/// A layout's name with its numbers of pointers and other words, `NAME_p_w`, as in the references.
pub(crate) fn layout_name(name: &str, pointers: usize, words: usize) -> Sentence {
    Sentence::new(format_args!("{name}_{pointers}_{words}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(info: &InfoNames) -> Vec<String> {
        let names = names();
        [info.kind, info.type_name, info.description, info.module, info.whole]
            .map(|name| String::from_utf8(names.text(name).to_vec()).unwrap())
            .to_vec()
    }

    #[test]
    fn names_follow_the_references() {
        let full = Description {
            kind: layout_name("CONSTR", 1, 0),
            is_data: true,
            is_thread: false,
            description: b"Just",
            type_name: b"Maybe",
            module: b"Data.Maybe",
            source: b"Maybe.hs:3",
        };
        let none = Description { description: b"", type_name: b"", module: b"", source: b"", ..full };
        let bytes = Description { kind: Sentence::new(format_args!("ARR_WORDS")), is_data: false, ..none };
        let (one, two) = (AtomicU32::new(0), AtomicU32::new(0));
        let first = number(&one, || full);
        assert_eq!((number(&one, || none), one.load(Ordering::SeqCst)), (first, first));
        let second = number(&two, || none);
        assert!(first != 0 && second != 0 && first != second && count() > first.max(second) as usize);
        assert_eq!(
            texts(&get(first)),
            ["Data.Maybe.Just", "Maybe", "Just", "Data.Maybe", "Data.Maybe.Just<Maybe.hs:3>"]
        );
        assert_eq!(texts(&get(second)), ["CONSTR_1_0", "*", "CONSTR_1_0", "(no module)", "CONSTR_1_0"]);
        let third = number(&AtomicU32::new(0), || bytes);
        assert_eq!(texts(&get(third))[..3], ["ARR_WORDS", "ARR_WORDS", "ARR_WORDS"]);
        // A word that was not 0 at first and cannot be a number is written over.
        let garbage = AtomicU32::new(u32::MAX);
        assert!(number(&garbage, || none) < u32::MAX && garbage.load(Ordering::SeqCst) < MOST_INFOS as u32);
    }
    #[cfg(debug_assertions)]
    #[test]
    #[should_panic(expected = "the names are locked already")]
    fn names_are_locked_behind_infos() {
        let _names = names();
        get(1);
    }
}
