//! The names of makers, and which of them are one function.
//!
//! A function is the client's word, or the function of the code in which the allocation's return address
//! lies. Without a symbol, each address stands for itself, as module and offset. A word that `name_of` does not name has the name
//! of the counted function whose word it is (`result`).

use crate::base::{Addr, Outcome, Sentence};
use crate::heap::Info;
use crate::heap::mutator::busy::Mark;
use crate::heap::object::info::INFO_VERSION;
use crate::heap::object::kind::Kinds;
use crate::identity::maker::Maker;
use crate::os::symbols::Symbols;
use crate::profile::space::result::{Function, Results, Text};
use std::ffi::{CStr, c_char, c_void};

/// The name of a client's word, copied at once; NULL for none.
pub(crate) type NameOf = unsafe extern "C" fn(client: *mut c_void, function: *mut c_void) -> *const c_char;

/// The key by which makers become one function: the client's word, else the function's beginning, else
/// the address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub word: usize,
    pub code: usize,
    pub number: u32,
}

const LIBRARY: &str = "(unknown)";
const OTHERS: &str = "(other functions)";

pub(crate) fn key(number: u32, maker: Maker, symbols: &mut Symbols) -> Outcome<Key> {
    let code = match maker {
        Maker { function, .. } if function != 0 => function,
        Maker { site: 0 | usize::MAX, .. } => maker.site,
        // A call may be the last instruction of its function, so the byte before its return address is
        // looked up.
        Maker { site, .. } => match symbols.locate(site - 1)?.and_then(|located| located.function) {
            Some((start, _)) => start,
            None => site,
        },
    };
    Ok(Key { word: maker.function, code, number })
}

impl Results {
    pub(crate) fn add_function(
        &mut self,
        key: Key,
        maker: Maker,
        symbols: &mut Symbols,
        name_of: Option<NameOf>,
        client: *mut c_void,
        mark: Mark,
    ) -> Outcome<()> {
        let mut function = Function { word: maker.function, ..Function::default() };
        let told = name_of.filter(|_| maker.function != 0).and_then(|tell| {
            // SAFETY: the client's callback takes its own pointer and its own word; it gives a string or NULL.
            unsafe {
                let text = mark.during(|| tell(client, maker.function as *mut c_void));
                (!text.is_null()).then(|| CStr::from_ptr(text).to_bytes())
            }
        });
        function.is_told = told.is_some();
        let address = if maker.function != 0 { maker.function } else { maker.site.wrapping_sub(1) };
        let told = told.or_else(|| name_of_table(maker.function, symbols));
        let located = if maker.site == usize::MAX { None } else { symbols.locate(address)? };
        if let Some(located) = &located {
            function.module = self.keep(located.module)?;
            function.offset = located.offset;
        }
        function.name = match (told, located) {
            (Some(name), _) => self.keep(name)?,
            (None, Some(located)) => match located.function {
                Some((_, name)) if maker.function == 0 || key.code == maker.function => self.keep(name)?,
                _ => {
                    let base = located.module.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
                    let from = self.keep(base)?;
                    let offset = Sentence::new(format_args!("+{:#x}", located.offset));
                    let end = self.keep(offset.as_str().as_bytes())?;
                    Text { from: from.from, to: end.to }
                }
            },
            (None, None) => {
                let text = match (maker.function, maker.site) {
                    (0, usize::MAX) => Sentence::new(format_args!("{OTHERS}")),
                    (0, 0) => Sentence::new(format_args!("{LIBRARY}")),
                    (0, site) => Sentence::new(format_args!("{site:#x}")),
                    (word, _) => Sentence::new(format_args!("{word:#x}")),
                };
                self.keep(text.as_str().as_bytes())?
            }
        };
        self.push_function(function)
    }
}

/// The name in the info table of a frame, if the word is the address of such a table in the data of some
/// module: frames of stacks are told by their tables.
fn name_of_table(word: usize, symbols: &mut Symbols) -> Option<&'static [u8]> {
    if word == 0 || !word.is_multiple_of(8) {
        return None;
    }
    let last = word.checked_add(size_of::<Info>() - 1)?;
    for end in [word, last] {
        // A table that lies among code may be behind a symbol without a size.
        if symbols.locate(end).ok()??.function.is_some_and(|(start, _)| start == end) {
            return None;
        }
    }
    // SAFETY: both ends lie in the data of a module that is loaded, which is readable; any words are a table's.
    let info = unsafe { &*Addr(word).as_ptr::<Info>() };
    if info.size as usize != size_of::<Info>() || info.version != INFO_VERSION || !info.is_in(Kinds::FRAME) {
        return None;
    }
    symbols.locate(info.names as usize).ok()??;
    // SAFETY: it begins like a table of a frame, and its names lie in a module as well.
    let info = unsafe { Info::check(Addr(word)) }.ok()?;
    Some(info.own_name())
}
