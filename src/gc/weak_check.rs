//! The sanity walk's checks of weak pointers, each of which is in one list, where nothing else is; and of the table of
//! names.

use super::objects::Objects;
use crate::base::{Addr, Failure, List, Outcome};
use crate::heap::Store;
use crate::heap::object::weak::Weak;

/// Every weak pointer that is listed, sorted, with the number of its list.
pub(super) struct ListedWeaks(List<(Addr, usize)>);

impl ListedWeaks {
    pub(super) fn find(store: &Store, objects: &Objects) -> Outcome<ListedWeaks> {
        let mut found = List::new();
        for (number, list) in store.weaks.lists.iter().enumerate() {
            for weak in list.iter() {
                // SAFETY: an object begins there.
                if !objects.has(weak.0) || Weak::state_of(unsafe { weak.0.load() }).is_none() {
                    return Err(Failure::damaged(format_args!(
                        "the list of weak pointers of generation {number} leads to {}, where none is",
                        weak.0
                    )));
                }
                found.push((weak.0, number))?;
                if found.len() > store.weaks.count {
                    break;
                }
            }
        }
        if found.len() != store.weaks.count {
            return Err(Failure::damaged(format_args!(
                "{} weak pointers are listed, {} counted",
                found.len(),
                store.weaks.count
            )));
        }
        found.sort_unstable();
        Ok(ListedWeaks(found))
    }

    pub(super) fn generation(&self, weak: Addr) -> Option<usize> {
        let index = self.0.binary_search_by_key(&weak, |&(at, _)| at).ok()?;
        Some(self.0[index].1)
    }
}

/// The table of names finds every object that has one, and leads to objects alone.
pub(super) fn check_names(store: &Store, objects: &Objects) -> Outcome<()> {
    store.names.check()?;
    store.sampled.check()?;
    let mut wrong = None;
    store.names.each(|object, name| {
        for at in [object, name] {
            if store.holds(at) && !objects.has(at) {
                wrong.get_or_insert(at);
            }
        }
    });
    match wrong {
        None => Ok(()),
        Some(at) => {
            Err(Failure::damaged(format_args!("the table of names has {at}, where no object begins")))
        }
    }
}
