//! The one heap that `barrow/stg.h` works on, made when it is first asked for.

use super::guard::{self, remember_failure};
use crate::base::flag::Flags;
use crate::base::{Failure, Outcome, Status};
use crate::heap::Mutator;
use crate::host::Host;
use crate::host::sole::SoleMutator;
use crate::profile::retainer::scheme::RetainerScheme;
use crate::runtime::heap::Values;
use crate::runtime::hooks::Hooks;
use crate::runtime::reports::list_flags;
use once_cell::sync::OnceCell;
use std::ffi::c_char;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The heap lives as long as the process, so it may be handed out without a lock.
struct Default(*mut Host);

// SAFETY: the pointer is only handed to the client, for whom the rules of any heap hold.
unsafe impl Send for Default {}
// SAFETY: as above.
unsafe impl Sync for Default {}

/// The flags of the default heap, until it is made.
struct Wanted {
    flags: Option<Flags>,
    is_made: bool,
}

static DEFAULT: OnceCell<Default> = OnceCell::new();
static WANTED: Mutex<Wanted> = Mutex::new(Wanted { flags: None, is_made: false });
static MUTATOR: SoleMutator = SoleMutator::new();

pub struct HeldFlags(#[allow(dead_code)] MutexGuard<'static, Wanted>);

fn wanted() -> MutexGuard<'static, Wanted> {
    WANTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps other threads from the flags.
pub fn hold() -> HeldFlags {
    HeldFlags(wanted())
}

/// With the flags that were set until now: nobody sets some meanwhile, nor afterwards.
fn make() -> Outcome<Default> {
    let mut wanted = wanted();
    let values = Values { tagged_pointers: 0, address_mask: 0, address_offset: 0, alignment: 8 };
    let flags = wanted.flags.take().unwrap_or_default();
    let heap = Host::new(flags, values, Hooks::default(), RetainerScheme::OURS)?.into_raw();
    wanted.is_made = true;
    Ok(Default(heap))
}

/// Whether this is the default heap, which nobody frees.
pub(crate) fn is_default(heap: *const Host) -> bool {
    DEFAULT.get().is_some_and(|default| std::ptr::eq(default.0, heap))
}

fn answer<T>(outcome: Outcome<*mut T>) -> *mut T {
    outcome.unwrap_or_else(|failure| {
        remember_failure(&failure);
        std::ptr::null_mut()
    })
}

/// Sets the flags of the default heap. Refused when that exists already.
///
/// # Safety
/// `flags` is NULL or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_default_flags(flags: *const c_char) -> Status {
    guard::free_standing(|| {
        // SAFETY: the caller's promise.
        let flags = Flags::parse(unsafe { guard::text(flags, "the line of flags")? })?;
        if flags.help { Err(list_flags()) } else { wish(flags) }
    })
}

fn wish(flags: Flags) -> Outcome<()> {
    if flags.mutators > 1 {
        return Err(Failure::argument(format_args!("--mutators: the default heap takes one mutator")));
    }
    let mut wanted = wanted();
    if wanted.is_made {
        return Err(Failure::state(format_args!("the default heap exists already; its flags come first")));
    }
    wanted.flags = Some(flags);
    Ok(())
}

/// The default heap, made now if it was not asked for before. NULL when it cannot be made. It is never freed.
#[unsafe(no_mangle)]
pub extern "C" fn barrow_default_heap() -> *mut Host {
    guard::run(Hooks::default(), || answer(DEFAULT.get_or_try_init(make).map(|default| default.0)))
}

/// The mutator of the default heap, made now if it has none. NULL when another thread has it. May be asked for
/// inside callbacks.
#[unsafe(no_mangle)]
pub extern "C" fn barrow_default_mutator() -> *mut Mutator {
    let heap = barrow_default_heap();
    if heap.is_null() {
        return std::ptr::null_mut();
    }
    // SAFETY: the default heap lives as long as the process.
    guard::run(Hooks::default(), || answer(unsafe { MUTATOR.ask(heap) }))
}

/// Lets other threads ask for the mutator when this thread has ended its own.
pub(crate) fn release(was_default: bool, ended: Status) {
    if was_default && ended == Status::Ok {
        MUTATOR.give_back();
    }
}
