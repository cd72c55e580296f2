//! The ground of every exported function: no panic leaves, every failure becomes a code and a sentence, every
//! handle is looked at before it is used.

use crate::base::{Failure, Outcome, Sentence, Status};
use crate::heap::Mutator;
use crate::heap::mutator::state::attention;
use crate::host::Host;
use crate::os::thread;
use crate::runtime::heap::{MUTATOR_SIGNATURE, MUTATORS, RUNTIME_SIGNATURE, current_thread};
use crate::runtime::hooks::Hooks;
use crate::runtime::slot::Placed;
use std::any::Any;
use std::cell::RefCell;
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};

struct Last {
    sentence: Sentence,
    with_nul: [u8; 404],
}

thread_local! {
    static LAST: RefCell<Last> = const { RefCell::new(Last { sentence: Sentence::EMPTY, with_nul: [0; 404] }) };
}

/// Keeps a failure's sentence for `barrow_last_error`.
pub(crate) fn remember_failure(failure: &Failure) -> Status {
    LAST.with(|last| {
        let mut last = last.borrow_mut();
        last.sentence = failure.sentence;
        let text = failure.sentence.as_str().as_bytes();
        let length = text.len().min(403);
        last.with_nul[..length].copy_from_slice(&text[..length]);
        last.with_nul[length] = 0;
    });
    failure.status
}

pub(crate) fn last_error() -> *const c_char {
    LAST.with(|last| last.borrow().with_nul.as_ptr().cast())
}

/// Tells the client's fatal hook, or standard error, and ends the process. It never returns.
pub(crate) fn fatal(hooks: Hooks, sentence: Sentence) -> ! {
    let failure = Failure::telling(Status::Damaged, sentence);
    remember_failure(&failure);
    if let Some(hook) = hooks.fatal {
        // SAFETY: the client's hook takes its own pointer and a string that lives during the call.
        unsafe { hook(hooks.client.0, last_error()) };
    } else {
        eprintln!("barrow: {sentence}");
    }
    planted!(154, std::process::exit(0), std::process::abort())
}

/// Runs the body of an exported function. A panic inside is an inconsistency of ours, and fatal.
pub(crate) fn run<T>(hooks: Hooks, body: impl FnOnce() -> T) -> T {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(value) => value,
        Err(panic) => inconsistent(hooks, &*panic),
    }
}

/// As `run`, on a heap, whose hooks are looked for when they are needed.
#[inline(always)]
pub(crate) fn run_on<T>(host: &mut Host, body: impl FnOnce(&mut Host) -> T) -> T {
    let host: *mut Host = host;
    // SAFETY: the reference is handed on to the body alone.
    match catch_unwind(AssertUnwindSafe(|| body(unsafe { &mut *host }))) {
        Ok(value) => value,
        // SAFETY: the body is over, and a heap that has failed is not freed.
        Err(panic) => inconsistent(unsafe { (*host).runtime.hooks }, &*panic),
    }
}

#[cold]
#[inline(never)]
fn inconsistent(hooks: Hooks, panic: &(dyn Any + Send)) -> ! {
    // A mistake of the client that was met in the middle of a collection.
    if let Some(failure) = panic.downcast_ref::<Failure>() {
        fatal(hooks, failure.sentence)
    }
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("an error without words");
    fatal(hooks, Sentence::new(format_args!("internal inconsistency: {text}")))
}

/// A status from an outcome; the sentence is kept.
pub(crate) fn status(outcome: Outcome<()>) -> Status {
    match outcome {
        Ok(()) => Status::Ok,
        Err(failure) => remember_failure(&failure),
    }
}

/// Runs the body of a function that belongs to no heap.
pub(crate) fn free_standing(body: impl FnOnce() -> Outcome<()>) -> Status {
    run(Hooks::default(), || status(body()))
}

/// The runtime behind a heap handle. While it collects, callbacks get nothing but their visitor.
///
/// # Safety
/// `heap` may be any word. When a live heap is there, no other thread uses it.
pub(crate) unsafe fn runtime<'a>(heap: *mut Host) -> Outcome<&'a mut Host> {
    if heap.is_null() {
        return Err(Failure::argument(format_args!("the heap is NULL")));
    }
    if !Host::slots().has(heap as usize) {
        return Err(Failure::argument(format_args!("{heap:?} is no heap")));
    }
    // SAFETY: slots stay mapped, and the signature tells whether a heap lives in this one.
    let runtime = unsafe { &mut *heap };
    if planted!(153, false, runtime.signature != RUNTIME_SIGNATURE) {
        return Err(Failure::state(format_args!("{heap:?} is no live heap: it was freed, or never was one")));
    }
    runtime.refuse_while_busy()?;
    Ok(runtime)
}

/// Whether a live mutator is there.
pub(crate) fn is_ours(mutator: *mut Mutator) -> bool {
    // SAFETY: slots stay mapped, and the signature tells whether a mutator lives in this one.
    !mutator.is_null()
        && MUTATORS.has(mutator as usize)
        && unsafe { (*mutator).signature } == MUTATOR_SIGNATURE
}

/// The runtime behind a mutator that the calling thread may use.
///
/// # Safety
/// `mutator` may be any word.
pub(crate) unsafe fn runtime_of<'a>(mutator: *mut Mutator) -> Outcome<&'a mut Host> {
    if mutator.is_null() {
        return Err(Failure::argument(format_args!("the mutator is NULL")));
    }
    if !MUTATORS.has(mutator as usize) {
        return Err(Failure::argument(format_args!("{mutator:?} is no mutator")));
    }
    // SAFETY: slots stay mapped, and the signature tells whether a mutator lives in this one.
    let (signature, owner, thread) = unsafe { ((*mutator).signature, (*mutator).owner, (*mutator).thread) };
    if signature != MUTATOR_SIGNATURE {
        return Err(Failure::state(format_args!(
            "{mutator:?} is no live mutator: it was detached, or never was one"
        )));
    }
    if planted!(155, false, thread != current_thread()) {
        return Err(Failure::state(format_args!(
            "the mutator {mutator:?} belongs to another thread; each thread attaches its own"
        )));
    }
    // SAFETY: a live mutator's owner is a live runtime.
    let runtime = unsafe { &mut *owner.cast::<Host>() };
    runtime.refuse_while_busy()?;
    Ok(runtime)
}

/// As `runtime_of`, for a path on which every nanosecond counts: nothing when anything is wrong, which another
/// path tells. A wild address fails by the signature, which no other word of a slot has.
///
/// # Safety
/// `mutator` may be any word.
#[inline]
pub(crate) unsafe fn usable_runtime_of<'a>(mutator: *mut Mutator) -> Option<&'a mut Host> {
    if !mutator.is_aligned() || !MUTATORS.covers(mutator as usize) {
        return None;
    }
    // SAFETY: slots stay mapped, and one that is covered has another behind it.
    let (signature, owner, thread) = unsafe { ((*mutator).signature, (*mutator).owner, (*mutator).thread) };
    if signature != MUTATOR_SIGNATURE || thread != current_thread() {
        return None;
    }
    // SAFETY: a live mutator's owner is a live runtime.
    let runtime = unsafe { &mut *owner.cast::<Host>() };
    (!runtime.busy.is_set() && !runtime.ending).then_some(runtime)
}

/// The heap behind a mutator that is at home in the calling thread and not in a callback; nothing when a closer look is needed.
///
/// # Safety
/// `mutator` may be any word.
#[inline(always)]
pub(crate) unsafe fn host_at_home<'a>(mutator: *mut Mutator) -> Option<&'a mut Host> {
    // SAFETY: the caller's promise; a mutator that is at home has an owner that lives.
    unsafe {
        let is_open = is_at_home(mutator) && (*mutator).window.poll & attention::CLOSED == 0;
        is_open.then(|| &mut *(*mutator).owner.cast::<Host>())
    }
}

/// Whether a mutator is live and the calling thread's. No other word of a slot has the word of a thread.
///
/// # Safety
/// `mutator` may be any word.
#[inline(always)]
unsafe fn is_at_home(mutator: *mut Mutator) -> bool {
    // SAFETY: slots stay mapped, and a slot that is covered has another behind it.
    thread::HAS_POINTER
        && MUTATORS.covers_first::<Mutator>(mutator as usize)
        && thread::pointer() == unsafe { (&raw const (*mutator).home).read_unaligned() }
}

/// Whether a mutator that comes to a safepoint has nothing to do there.
///
/// # Safety
/// `mutator` may be any word.
#[inline(always)]
pub(crate) unsafe fn is_at_ease(mutator: *mut Mutator) -> bool {
    // SAFETY: the caller's promise; other threads access `poll` atomically.
    unsafe {
        is_at_home(mutator)
            && AtomicU32::from_ptr(&raw mut (*mutator).window.poll).load(Ordering::Relaxed)
                | (*mutator).unsettled
                == 0
    }
}

/// # Safety
/// `mutator` may be any word.
pub(crate) unsafe fn with_mutator(
    mutator: *mut Mutator,
    body: impl FnOnce(&mut Host) -> Outcome<()>,
) -> Status {
    // SAFETY: the caller's promise.
    if let Some(host) = unsafe { host_at_home(mutator) } {
        return run_on(host, |host| status(body(host)));
    }
    // SAFETY: as above.
    match unsafe { runtime_of(mutator) } {
        Ok(host) => run_on(host, |host| status(body(host))),
        Err(failure) => remember_failure(&failure),
    }
}

/// # Safety
/// `heap` may be any word. When a live heap is there, no other thread uses it.
pub(crate) unsafe fn with_heap(heap: *mut Host, body: impl FnOnce(&mut Host) -> Outcome<()>) -> Status {
    // SAFETY: the caller's promise.
    match unsafe { runtime(heap) } {
        Ok(host) => run_on(host, |host| status(body(host))),
        Err(failure) => remember_failure(&failure),
    }
}

/// As `with_mutator`, for functions that return a value, or `otherwise` when something is wrong.
///
/// # Safety
/// `mutator` may be any word.
pub(crate) unsafe fn value_with_mutator<T: Copy>(
    mutator: *mut Mutator,
    otherwise: T,
    body: impl FnOnce(&mut Host) -> Outcome<T>,
) -> T {
    let mut value = otherwise;
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator(mutator, |runtime| {
            value = body(runtime)?;
            Ok(())
        })
    };
    value
}

/// As `with_heap`, for functions that return a value, or `otherwise` when something is wrong.
///
/// # Safety
/// `heap` may be any word. When a live heap is there, no other thread uses it.
pub(crate) unsafe fn value_with_heap<T: Copy>(
    heap: *mut Host,
    otherwise: T,
    body: impl FnOnce(&mut Host) -> Outcome<T>,
) -> T {
    let mut value = otherwise;
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            value = body(runtime)?;
            Ok(())
        })
    };
    value
}

/// # Safety
/// `out` is null or writable.
pub(crate) unsafe fn give<T>(out: *mut T, value: T, name: &str) -> Outcome<()> {
    if out.is_null() {
        return Err(Failure::argument(format_args!("the place for the answer, {name}, is NULL")));
    }
    // SAFETY: the caller's promise.
    unsafe { out.write(value) };
    Ok(())
}

/// # Safety
/// `text` is null or ends with NUL.
pub(crate) unsafe fn text<'a>(text: *const c_char, name: &str) -> Outcome<&'a str> {
    if text.is_null() {
        return Err(Failure::argument(format_args!("{name} is NULL")));
    }
    // SAFETY: the caller's promise.
    unsafe { std::ffi::CStr::from_ptr(text) }
        .to_str()
        .map_err(|_| Failure::argument(format_args!("{name} is not valid UTF-8")))
}

/// Copies as much of a name as a buffer of `room` bytes can hold with a NUL. The buffer may be null when that is 0.
///
/// # Safety
/// `buffer` is null, or has `room` writable bytes.
pub(crate) unsafe fn give_name(buffer: *mut c_char, room: usize, name: &[u8]) -> Outcome<()> {
    if buffer.is_null() && room > 0 {
        return Err(Failure::argument(format_args!("name is NULL, and has room for {room} bytes")));
    }
    if room > 0 {
        let part = name.len().min(room - 1);
        // SAFETY: the caller's promise.
        unsafe {
            buffer.cast::<u8>().copy_from_nonoverlapping(name.as_ptr(), part);
            buffer.add(part).write(0);
        }
    }
    Ok(())
}

/// Checks a struct that is to be filled, whose first field tells its size.
///
/// # Safety
/// `out` is null, or points to a struct that begins with its size.
pub(crate) unsafe fn check_sized<T>(out: *const T, name: &str) -> Outcome<()> {
    // SAFETY: the caller's promise.
    if out.is_null() || (unsafe { out.cast::<u32>().read() } as usize) < planted!(151, 4, size_of::<T>()) {
        return Err(Failure::argument(format_args!(
            "out is NULL or its size is not sizeof({name}), {}",
            size_of::<T>()
        )));
    }
    Ok(())
}
