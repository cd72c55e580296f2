//! The one heap that `barrow/stg.h` works on, made when it is first asked for.

use super::guard::{self, remember_failure};
use crate::base::flag::Flags;
use crate::base::{Failure, Outcome, Status};
use crate::heap::Mutator;
use crate::host::Host;
use crate::host::given::heap_at;
use crate::os::thread::current_thread;
use crate::profile::retainer::scheme::RetainerScheme;
use crate::runtime::heap::Values;
use crate::runtime::hooks::Hooks;
use crate::runtime::reports::list_flags;
use once_cell::sync::OnceCell;
use std::ffi::c_char;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The heap lives as long as the process, so it may be handed out without a lock.
struct Default(*mut Host);

// SAFETY: the pointer is only handed to the client, for whom the rules of any heap hold.
unsafe impl Send for Default {}
// SAFETY: as above.
unsafe impl Sync for Default {}

static DEFAULT: OnceCell<Default> = OnceCell::new();
static FLAGS: Mutex<Option<Flags>> = Mutex::new(None);
/// The thread that has the heap's mutator, or makes it now; 0 while none does.
static OWNER: AtomicU64 = AtomicU64::new(0);

pub struct HeldFlags(#[allow(dead_code)] MutexGuard<'static, Option<Flags>>);

/// Keeps other threads from the flags.
pub fn hold() -> HeldFlags {
    HeldFlags(FLAGS.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The heap, made now if it was not asked for before, with the flags that were set until then: nobody sets some meanwhile.
fn made() -> Outcome<*mut Host> {
    if let Some(default) = DEFAULT.get() {
        return Ok(default.0);
    }
    let mut flags = FLAGS.lock().unwrap_or_else(PoisonError::into_inner);
    let make = || {
        let values = Values { tagged_pointers: 0, address_mask: 0, address_offset: 0, alignment: 8 };
        let flags = flags.take().unwrap_or_default();
        Ok(Default(Host::new(flags, values, Hooks::default(), RetainerScheme::OURS)?.into_raw()))
    };
    DEFAULT.get_or_try_init(make).map(|default| default.0)
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
    let mut wanted = FLAGS.lock().unwrap_or_else(PoisonError::into_inner);
    if DEFAULT.get().is_some() {
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

/// The mutator of the default heap, made now if it has none. NULL when another thread has it. May be asked for
/// inside callbacks.
#[unsafe(no_mangle)]
pub extern "C" fn barrow_default_mutator() -> *mut Mutator {
    let heap = barrow_default_heap();
    if heap.is_null() {
        return std::ptr::null_mut();
    }
    // SAFETY: that is the default heap.
    guard::run(Hooks::default(), || answer(unsafe { mutator_of(heap) }))
}

/// # Safety
/// The heap is the default one.
unsafe fn mutator_of(heap: *mut Host) -> Outcome<*mut Mutator> {
    let here = current_thread();
    let claimed = OWNER.compare_exchange(0, here, Ordering::Acquire, Ordering::Relaxed);
    let is_new = match planted!(472, Ok(0), claimed) {
        Ok(_) => true,
        Err(owner) if owner == here => false,
        Err(_) => return Err(another_has_it()),
    };
    // SAFETY: the heap lives as long as the process, and is this thread's until it is released. In a callback the collection has
    // the only reference to it, so that none is made but to its list of mutators. A heap's mutators are live.
    let outcome = unsafe {
        match (*heap).runtime.mutators.first().map(|mutator| mutator.as_raw()) {
            Some(mutator) if (*mutator).thread == here => Ok(mutator),
            Some(_) => Err(another_has_it()),
            None => heap_at(heap).and_then(|mut heap| heap.attach()),
        }
    };
    if is_new && outcome.is_err() {
        release();
    }
    outcome
}

fn another_has_it() -> Failure {
    Failure::state(format_args!(
        "the default heap's mutator belongs to another thread, and the default heap takes one"
    ))
}

/// Lets other threads ask for the mutator, after this thread has ended its own.
pub(crate) fn release() {
    let _ = OWNER.compare_exchange(current_thread(), 0, Ordering::Release, Ordering::Relaxed);
}
