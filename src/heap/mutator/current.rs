//! The cost-centre stack that is current, and the change to another.

use crate::base::{Failure, Outcome};
use crate::heap::Mutator;
use crate::identity::{Ccs, ccs};

/// The stack that is current. A word of the client's that is none of ours counts as MAIN.
pub(crate) fn stack_of(mutator: &Mutator) -> &'static Ccs {
    ccs::find(mutator.window.ccs).unwrap_or(ccs::main())
}

pub(crate) fn known(at: *const Ccs) -> Outcome<&'static Ccs> {
    ccs::find(at).ok_or_else(|| Failure::argument(format_args!("{at:?} is no cost-centre stack")))
}

pub(crate) fn switch(mutator: &mut Mutator, to: &'static Ccs) {
    planted!(59, (), mutator.book());
    mutator.window.ccs = to.as_mut_ptr();
}
