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
use std::ffi::c_char;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The heap, or null. It is set under the lock of `FLAGS`, which a fork holds, and lives as long as the process.
static DEFAULT: AtomicPtr<Host> = AtomicPtr::new(std::ptr::null_mut());
/// The flags of the heap that is not made yet.
static FLAGS: Mutex<Option<Flags>> = Mutex::new(None);
static MUTATOR: SoleMutator = SoleMutator::new();

pub struct HeldFlags(#[allow(dead_code)] MutexGuard<'static, Option<Flags>>);

fn flags() -> MutexGuard<'static, Option<Flags>> {
    FLAGS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps other threads from the flags.
pub fn hold() -> HeldFlags {
    HeldFlags(flags())
}

/// The heap, made now if it was not asked for before, with the flags that were set until then.
fn made() -> Outcome<*mut Host> {
    if DEFAULT.load(Ordering::Acquire).is_null() {
        let mut flags = flags();
        if DEFAULT.load(Ordering::Acquire).is_null() {
            // The flags stay when this fails: another time there may be memory, or a folder for a file.
            let wanted = Flags::parse(flags.as_ref().map_or("", |flags| flags.line.as_str()))?;
            DEFAULT.store(make(wanted)?, Ordering::Release);
            *flags = None;
        }
    }
    Ok(DEFAULT.load(Ordering::Acquire))
}

fn make(flags: Flags) -> Outcome<*mut Host> {
    let values = Values { tagged_pointers: 0, address_mask: 0, address_offset: 0, alignment: 8 };
    Ok(Host::new(flags, values, Hooks::default(), RetainerScheme::OURS)?.into_raw())
}

/// Whether this live heap is the default one, which nobody frees.
pub(crate) fn is_default(heap: *const Host) -> bool {
    std::ptr::eq(DEFAULT.load(Ordering::Acquire), heap)
}

fn answer<T>(outcome: Outcome<*mut T>) -> *mut T {
    outcome.unwrap_or_else(|failure| {
        remember_failure(&failure);
        std::ptr::null_mut()
    })
}

/// Sets the flags of the default heap, which takes one mutator: `--mutators` is refused. Refused when that heap exists already.
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
    let mut wanted = self::flags();
    if !DEFAULT.load(Ordering::Acquire).is_null() {
        return Err(Failure::state(format_args!("the default heap exists already; its flags come first")));
    }
    *wanted = Some(flags);
    Ok(())
}

/// The default heap, made now if it was not asked for before. NULL when it cannot be made. It is never freed.
#[unsafe(no_mangle)]
pub extern "C" fn barrow_default_heap() -> *mut Host {
    guard::run(Hooks::default(), || answer(made()))
}

/// The mutator of the default heap, made now if it has none: the calling thread's until `barrow_detach`. NULL when another
/// thread has it. May be asked for inside callbacks.
#[unsafe(no_mangle)]
pub extern "C" fn barrow_default_mutator() -> *mut Mutator {
    let heap = barrow_default_heap();
    if heap.is_null() {
        return std::ptr::null_mut();
    }
    // SAFETY: the default heap lives as long as the process, and takes one mutator.
    guard::run(Hooks::default(), || answer(unsafe { MUTATOR.ask(heap) }))
}

/// A mutator of any heap. Of the default one, it is had as `barrow_default_mutator` gives it.
pub(crate) fn attach(host: &mut Host) -> Outcome<*mut Mutator> {
    if is_default(host) { MUTATOR.attach(host) } else { host.attach() }
}

/// In a child of `fork`, whose only thread is this one.
pub(crate) fn become_child() {
    MUTATOR.become_child();
}

/// Lets other threads ask for the mutator when this thread has ended its own, with a report of it or without one.
pub(crate) fn release(was_default: bool, ended: Status) {
    let has_gone = ended == Status::Ok || planted!(521, false, ended == Status::Io);
    if was_default && has_gone {
        MUTATOR.give_back();
    }
}
