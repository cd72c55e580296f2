//! The sanity walk's checks of weak pointers, each of which is in one list, where nothing else is; and of the table of
//! names.

use super::objects::Objects;
use super::starts::Starts;
use crate::base::{Addr, Failure, List, Outcome};
use crate::heap::Store;
use crate::heap::object::weak::Weak;

/// The weak pointers of each list.
pub(super) struct ListedWeaks(List<Starts>);

impl ListedWeaks {
    pub(super) fn find(store: &Store, objects: &Objects) -> Outcome<ListedWeaks> {
        let (mut found, mut count) = (List::new(), 0);
        for (number, list) in store.weaks.lists.iter().enumerate() {
            let mut listed = Starts::new();
            for weak in list.iter() {
                // SAFETY: an object begins there.
                if !objects.has(weak.0) || Weak::state_of(unsafe { weak.0.load() }).is_none() {
                    return Err(Failure::damaged(format_args!(
                        "the list of weak pointers of generation {number} leads to {}, where none is",
                        weak.0
                    )));
                }
                listed.add(weak.0)?;
                count += 1;
                if count > store.weaks.count {
                    break;
                }
            }
            found.push(listed)?;
        }
        if count != store.weaks.count {
            return Err(Failure::damaged(format_args!(
                "{count} weak pointers are listed, {} counted",
                store.weaks.count
            )));
        }
        Ok(ListedWeaks(found))
    }

    pub(super) fn generation(&self, weak: Addr) -> Option<usize> {
        self.0.iter().position(|listed| listed.has(weak))
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
