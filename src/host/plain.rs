//! A heap with nothing but flags, for tests.

use crate::base::flag::Flags;
use crate::heap::Mutator;
use crate::host::Host;
use crate::profile::retainer::scheme::RetainerScheme;
use crate::runtime::heap::Values;
use crate::runtime::hooks::Hooks;
use crate::runtime::slot::Slot;

/// The heap, and its mutator.
pub(super) fn plain(flags: &str) -> (Slot<Host>, *mut Mutator) {
    let values = Values { tagged_pointers: 0, address_mask: 0, address_offset: 0, alignment: 8 };
    let flags = Flags::parse(flags).unwrap();
    let mut heap = Host::new(flags, values, Hooks::default(), RetainerScheme::OURS).unwrap();
    let m = heap.attach().unwrap();
    (heap, m)
}
