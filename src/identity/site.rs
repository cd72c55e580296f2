//! Allocation sites: pairs of the current cost-centre stack and the address to which an allocation returned, each
//! numbered once for the process.
//!
//! A site's name is made from the file of its code and its offset there, so it is the same in every run. It
//! is named when a profile first shows it, or when its code is about to go.

use super::maker::{Maker, Makers};
use super::names::{Name, names};
use crate::base::{Addr, List, Outcome, Sentence};
use crate::os::code;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Number of pairs, at most: further producers count for their stack alone.
pub(crate) const MOST_SITES: usize = 1 << 22;

/// The site of objects whose allocation has no known address: made by the library itself, or in an area that
/// the client fills.
pub(crate) const NO_SITE: &str = "(no site)";

pub(super) struct Sites {
    makers: Option<Makers>,
    /// Names by number, as far as they were asked for.
    names: List<Name>,
}

static SITES: Mutex<Sites> = Mutex::new(Sites { makers: None, names: List::new() });

fn sites() -> MutexGuard<'static, Sites> {
    SITES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes the lock on sites, which is held over a fork too. No other lock is taken while it is held.
pub(super) fn hold() -> MutexGuard<'static, Sites> {
    sites()
}

/// The number above all sites' numbers; at least 1.
pub(crate) fn count() -> usize {
    sites().makers.as_ref().map_or(1, Makers::count)
}

/// The number of a pair, which a new one gets here; 0 when there are as many as possible.
pub(crate) fn number(stack: u32, site: usize) -> Outcome<u32> {
    let mut sites = sites();
    if sites.makers.is_none() {
        sites.makers = Some(Makers::new()?);
    }
    let Some(makers) = &mut sites.makers else { return Ok(0) };
    let maker = Maker { stack, site, ..Maker::NOBODY };
    match makers.find(maker) {
        Some(number) => Ok(number),
        None if makers.count() >= MOST_SITES => Ok(0),
        None => makers.number(maker),
    }
}

/// The stack of a number.
pub(crate) fn stack(number: u32) -> u32 {
    sites().makers.as_ref().map_or(0, |makers| makers.get(number).stack)
}

/// The site's name, `program+0x1234`: the file of its code, and the offset of the call in it.
pub(crate) fn name(number: u32) -> Outcome<Name> {
    let address = {
        let sites = sites();
        if let Some(&known) = sites.names.get(number as usize).filter(|name| !name.is_none()) {
            return Ok(known);
        }
        sites.makers.as_ref().map_or(0, |makers| makers.get(number).site)
    };
    // Other threads hold the lock on names while they ask for stacks, so the lock on sites is not held
    // while names are locked.
    let name = named(address)?;
    let mut sites = sites();
    sites.names.fill(number as usize + 1, Name::NONE)?;
    sites.names[number as usize] = name;
    Ok(name)
}

fn named(site: usize) -> Outcome<Name> {
    // Debug information knows the call itself; the address behind it may belong to another line.
    let call = site.wrapping_sub(1);
    let mut text: List<u8> = List::new();
    let place = if site == 0 { None } else { code::place(call)? };
    let (module, offset) = match &place {
        _ if site == 0 => return names().intern(NO_SITE.as_bytes()),
        Some(place) => (&place.module[..], place.offset),
        // The code was generated while the program ran.
        None => (&b""[..], call),
    };
    text.append(module)?;
    let behind = if module.is_empty() { "" } else { "+" };
    text.append(Sentence::new(format_args!("{behind}{offset:#x}")).as_str().as_bytes())?;
    names().intern(&text)
}

/// Gives names to the sites of code from `base` on, `bytes` long, which is about to go. They keep their
/// numbers and names; other code that comes to lie there has numbers of its own.
pub(crate) fn forget(base: Addr, bytes: usize) -> Outcome<()> {
    let forgotten = forget_each(base, bytes);
    if let Some(makers) = &mut sites().makers {
        makers.fill_again();
    }
    forgotten
}

fn forget_each(base: Addr, bytes: usize) -> Outcome<()> {
    let count = count() as u32;
    for number in 1..count {
        let inside = sites().makers.as_ref().is_some_and(|makers| {
            let site = makers.get(number).site;
            site != 0 && site.wrapping_sub(base.0 + 1) < bytes
        });
        if planted!(130, false, inside) {
            name(number)?;
            let mut sites = sites();
            if let Some(makers) = &mut sites.makers {
                let stack = makers.get(number).stack;
                // The site becomes an address that no code has.
                let gone = Maker { stack, site: usize::MAX - number as usize, ..Maker::NOBODY };
                makers.rename(number, gone);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_have_numbers_and_names() {
        let here = sites_have_numbers_and_names as *const () as usize + 1;
        let one = number(7, here).unwrap();
        assert_eq!((number(7, here).unwrap(), stack(one)), (one, 7));
        assert_ne!(number(8, here).unwrap(), one);
        let given = name(one).unwrap();
        let text = String::from_utf8_lossy(names().text(given)).into_owned();
        assert!(text.starts_with("barrow-") && text.contains("+0x"), "{text}");
        assert_eq!(name(number(8, here).unwrap()).unwrap(), given);
        forget(Addr(here - 1), 1).unwrap();
        let new = number(7, here).unwrap();
        assert_ne!(new, one);
        assert_eq!((name(one).unwrap(), stack(one)), (given, 7));
        let nowhere = name(number(0, 0).unwrap()).unwrap();
        assert_eq!(names().text(nowhere), NO_SITE.as_bytes());
    }
}
