//! Allocation in calls of clients: it is tried until there is memory, and the overflow hook is asked in between.
//!
//! The hook may use the heap, or wait in foreign code, so objects may move while it runs, in calls too that never collect.
//! Addresses of objects that a call was given are held for it meanwhile, and each attempt reads them where they are then.

use super::guard::{self, remember_failure};
use crate::base::{Addr, Failure, Outcome, Status};
use crate::heap::Mutator;
use crate::heap::root::frame::Frame;
use crate::host::Host;
use crate::host::given::{heap_of, host_at_home, put_frames_back};
use crate::runtime::hooks::Hooks;

/// A failure of an allocation that the client may mend.
#[derive(Clone, Copy)]
struct Shortage {
    hooks: Hooks,
    /// The bytes that were asked for.
    bytes: usize,
}

impl Shortage {
    /// Tells of a failed allocation; nothing when the client cannot mend it.
    ///
    /// # Safety
    /// The mutator is the one that allocated.
    #[cold]
    unsafe fn told(host: &Host, mutator: *mut Mutator, failure: Failure) -> Option<Shortage> {
        // SAFETY: the caller's promise.
        let asked_words = planted!(484, host.mutators[0].asked_words, unsafe { (*mutator).asked_words });
        match failure.status {
            Status::NoMemory | Status::Limit => {
                remember_failure(&host.overflow_failure(asked_words, &failure));
                return Some(Shortage { hooks: host.hooks, bytes: asked_words.saturating_mul(8) });
            }
            Status::Damaged => guard::fatal(host.hooks, failure.sentence),
            _ => remember_failure(&failure),
        };
        None
    }

    /// Asks the client's hook, if there is one, whether to try again.
    ///
    /// # Safety
    /// The mutator is the one that allocated.
    unsafe fn is_mended(self, mutator: *mut Mutator) -> bool {
        let Shortage { hooks, bytes } = self;
        // SAFETY: the client's hook takes its own pointer, the mutator and a size.
        hooks.overflow.is_some_and(|hook| unsafe { hook(hooks.client.0, mutator, bytes) })
    }

    /// As `is_mended`, while a frame holds what the call was given.
    ///
    /// # Safety
    /// The mutator is the one that allocated; the frame is the caller's.
    unsafe fn is_mended_with(self, mutator: *mut Mutator, held: *mut Arguments) -> bool {
        // SAFETY: the frames of a live mutator are its thread's. A client that leaves by a jump restores the frames that it saved; else
        // the frame is taken off here.
        unsafe {
            let frames = &raw mut (*mutator).window.frames;
            (*held).frame.up = frames.replace(&raw mut (*held).frame);
            let is_mended = self.is_mended(mutator);
            put_frames_back(mutator, (*held).frame.up);
            is_mended
        }
    }
}

/// Tries until there is memory, the client's hook gives up, or it does not return. Nothing of ours is live while
/// the hook runs, so it may jump or unwind out of here. The attempt knows no address of an object.
///
/// # Safety
/// `mutator` may be any word.
pub(super) unsafe fn until_there_is_memory(
    mutator: *mut Mutator,
    words: usize,
    attempt: impl Fn(&mut Host, *mut Mutator, usize, (usize, usize)) -> Outcome<Addr>,
    placing: (usize, usize),
) -> *mut usize {
    // SAFETY: the caller's promise; the mutator has tried when there is a shortage.
    unsafe { until_tried(mutator, words, attempt, placing, |shortage| shortage.is_mended(mutator)) }
}

/// # Safety
/// `mutator` may be any word. `is_mended` is asked only after an attempt.
#[inline(always)]
unsafe fn until_tried(
    mutator: *mut Mutator,
    words: usize,
    attempt: impl Fn(&mut Host, *mut Mutator, usize, (usize, usize)) -> Outcome<Addr>,
    placing: (usize, usize),
    is_mended: impl Fn(Shortage) -> bool,
) -> *mut usize {
    loop {
        // SAFETY: the caller's promise.
        match unsafe { attempted(mutator, words, &attempt, placing) } {
            Ok(at) => return at.as_ptr(),
            Err(Some(shortage)) if is_mended(shortage) => {}
            Err(_) => return std::ptr::null_mut(),
        }
    }
}

/// Addresses of objects that a call was given, or NULL.
pub(super) type Given = [usize; 3];

/// A frame of the shadow stack that holds them while the hook runs. It is plain data, since the hook may jump out of here.
#[repr(C)]
struct Arguments {
    frame: Frame,
    given: Given,
}

/// As `until_there_is_memory`, for attempts that take addresses of objects: they are given them where the objects are. The
/// function stands once for all of them, for the sake of the library's size.
///
/// # Safety
/// `mutator` may be any word. When it is live, `given` are references as a frame may have them.
pub(super) unsafe fn until_there_is_memory_for(
    mutator: *mut Mutator,
    words: usize,
    given: Given,
    attempt: &dyn Fn(&mut Host, *mut Mutator, Given) -> Outcome<Addr>,
) -> *mut usize {
    let mut held = Arguments { frame: Frame { up: std::ptr::null_mut(), count: given.len() }, given };
    let at = &raw mut held;
    // SAFETY: the frame is this call's. The collector writes to it, so it is only touched through its address.
    let now = move || planted!(510, given, unsafe { (*at).given });
    let attempt = |host: &mut Host, m: *mut Mutator, _: usize, _: (usize, usize)| attempt(host, m, now());
    // SAFETY: the caller's promise; the mutator has tried when there is a shortage.
    unsafe { until_tried(mutator, words, attempt, (0, 0), |shortage| shortage.is_mended_with(mutator, at)) }
}

/// One attempt.
///
/// # Safety
/// `mutator` may be any word.
#[inline(always)]
unsafe fn attempted(
    mutator: *mut Mutator,
    words: usize,
    attempt: &impl Fn(&mut Host, *mut Mutator, usize, (usize, usize)) -> Outcome<Addr>,
    placing: (usize, usize),
) -> Result<Addr, Option<Shortage>> {
    // SAFETY: the caller's promise.
    if let Some(host) = unsafe { host_at_home(mutator) } {
        return attempted_on(host, mutator, words, attempt, placing);
    }
    // SAFETY: as above.
    match unsafe { heap_of(mutator) } {
        Ok(mut inside) => attempted_on(&mut inside, mutator, words, attempt, placing),
        Err(failure) => {
            remember_failure(&failure);
            Err(None)
        }
    }
}

#[inline(always)]
fn attempted_on(
    host: &mut Host,
    mutator: *mut Mutator,
    words: usize,
    attempt: &impl Fn(&mut Host, *mut Mutator, usize, (usize, usize)) -> Outcome<Addr>,
    placing: (usize, usize),
) -> Result<Addr, Option<Shortage>> {
    planted!(156, host.busy.set(true));
    // SAFETY: the mutator was looked at, and is the calling thread's.
    unsafe { (*mutator).asked_words = words };
    let outcome = guard::run_on(host, |host| attempt(host, mutator, words, placing));
    // SAFETY: as above.
    outcome.map_err(|failure| unsafe { Shortage::told(host, mutator, failure) })
}
