//! The ground of every exported function: no panic leaves, every failure becomes a code and a sentence, every
//! handle is looked at (`host::given`) before it is used.

use crate::base::{Failure, Outcome, Sentence, Status};
use crate::heap::Mutator;
use crate::host::Host;
use crate::host::given::{heap_at, heap_of, host_at_home};
use crate::os::output;
use crate::runtime::hooks::Hooks;
use std::any::Any;
use std::cell::RefCell;
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

struct Last {
    status: Status,
    sentence: Sentence,
    with_nul: [u8; 404],
}

thread_local! {
    static LAST: RefCell<Last> = const { RefCell::new(Last { status: Status::Ok, sentence: Sentence::EMPTY, with_nul: [0; 404] }) };
}

/// Keeps a failure's sentence for `barrow_last_error`.
pub(crate) fn remember_failure(failure: &Failure) -> Status {
    LAST.with(|last| {
        let mut last = last.borrow_mut();
        last.status = failure.status;
        last.sentence = failure.sentence;
        let text = failure.sentence.as_str().as_bytes();
        let length = text.len().min(403);
        last.with_nul[..length].copy_from_slice(&text[..length]);
        last.with_nul[length] = 0;
    });
    failure.status
}

pub(crate) fn last_status() -> Status {
    LAST.with(|last| last.borrow().status)
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
        output::say(&sentence);
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
    match unsafe { heap_of(mutator) } {
        Ok(mut inside) => run_on(&mut inside, |host| status(body(host))),
        Err(failure) => remember_failure(&failure),
    }
}

/// As `with_mutator`, for a call that looks at all mutators of its heap, or changes them: the others are still, from a
/// moment at which a collection may have run until the call ends.
///
/// # Safety
/// `mutator` may be any word.
pub(crate) unsafe fn with_mutator_alone(
    mutator: *mut Mutator,
    body: impl FnOnce(&mut Host) -> Outcome<()>,
) -> Status {
    let stopped = |host: &mut Host| {
        if host.is_shared() {
            // SAFETY: the mutator was looked at, and is the calling thread's.
            unsafe { (*mutator).refuse_while_open()? };
        }
        host.stop_others(mutator);
        body(host)
    };
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, stopped) }
}

/// # Safety
/// `heap` may be any word. When a live heap is there, no other thread uses it.
pub(crate) unsafe fn with_heap(heap: *mut Host, body: impl FnOnce(&mut Host) -> Outcome<()>) -> Status {
    // SAFETY: the caller's promise.
    match unsafe { heap_at(heap) } {
        Ok(mut inside) => run_on(&mut inside, |host| status(body(host))),
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

/// Refuses a pointer that is null: a list, a struct, a place.
pub(crate) fn refuse_null<T>(at: *const T, what: &str) -> Outcome<()> {
    if at.is_null() {
        return Err(Failure::argument(format_args!("{what} is NULL")));
    }
    Ok(())
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
    // SAFETY: the caller's promise.
    std::str::from_utf8(unsafe { bytes(text, name)? })
        .map_err(|_| Failure::argument(format_args!("{name} is not valid UTF-8")))
}

/// The bytes of a file's name, which the system takes as they are.
///
/// # Safety
/// `text` is null or ends with NUL.
pub(crate) unsafe fn bytes<'a>(text: *const c_char, name: &str) -> Outcome<&'a [u8]> {
    if text.is_null() {
        return Err(Failure::argument(format_args!("{name} is NULL")));
    }
    // SAFETY: the caller's promise.
    Ok(unsafe { std::ffi::CStr::from_ptr(text) }.to_bytes())
}

/// Copies as much of a name as a buffer of `room` bytes can hold with a NUL. The buffer may be null when that is 0.
///
/// # Safety
/// `buffer` is null, or has `room` writable bytes.
pub(crate) unsafe fn give_name(buffer: *mut c_char, room: usize, name: &[u8]) -> Outcome<()> {
    let Some(most) = room.checked_sub(1) else { return Ok(()) };
    if buffer.is_null() {
        return Err(Failure::argument(format_args!("name is NULL, and has room for {room} bytes")));
    }
    let part = name.len().min(most);
    // SAFETY: the caller's promise.
    unsafe {
        buffer.cast::<u8>().copy_from_nonoverlapping(name.as_ptr(), part);
        buffer.add(part).write(0);
    }
    Ok(())
}

/// As `give`, for an answer that the caller may not want.
///
/// # Safety
/// `out` is null or writable.
pub(crate) unsafe fn give_if_wanted<T>(out: *mut T, value: T) {
    if !out.is_null() {
        // SAFETY: the caller's promise.
        unsafe { out.write(value) };
    }
}

/// Fills the caller's rows with the first `count` of all, and tells how many there are in all.
///
/// # Safety
/// `rows` is null or has `count` rows, which begin with their size, as the first one tells; `out_count` is null or writable.
pub(crate) unsafe fn give_rows<T: Copy>(
    (rows, count): (*mut T, usize),
    all: &[T],
    out_count: *mut usize,
) -> Outcome<()> {
    // SAFETY: the caller's promise.
    unsafe {
        let apart = if count == 0 { 0 } else { distance(rows)? };
        for (at, row) in all.iter().take(count).enumerate() {
            rows.byte_add(at * apart).write(*row);
            rows.byte_add(at * apart).cast::<u32>().write(apart as u32);
        }
        give_if_wanted(out_count, all.len());
    }
    Ok(())
}

/// The distance between the caller's rows, in bytes.
///
/// # Safety
/// `rows` is null or has a row, which begins with its size.
unsafe fn distance<T>(rows: *const T) -> Outcome<usize> {
    refuse_null(rows, "the place for the rows")?;
    // SAFETY: the caller's promise.
    let apart = unsafe { rows.cast::<u32>().read() } as usize;
    if apart < size_of::<T>() || !apart.is_multiple_of(align_of::<T>()) {
        return Err(Failure::new(
            Status::Abi,
            format_args!("the first row says that it has {apart} bytes: was size set?"),
        ));
    }
    Ok(apart)
}

/// Refuses a struct of the caller's that is smaller than the library's.
pub(crate) fn refuse_short(said: u32, known: usize, what: &str) -> Outcome<()> {
    if (said as usize) < known {
        return Err(Failure::new(
            Status::Abi,
            format_args!("{what} {said} bytes, this library needs {known}: was size set?"),
        ));
    }
    Ok(())
}

/// Hands the structs of a list to a body one by one. `bytes_of` reads the size from the first, which may be that of another
/// version: so far apart they lie.
///
/// # Safety
/// `first` is null or points to `count` structs, each with as many bytes as the first one says.
pub(crate) unsafe fn each_listed<T>(
    (first, count): (*mut T, usize),
    what: &str,
    bytes_of: impl Fn(*const T) -> usize,
    mut body: impl FnMut(*mut T) -> Outcome<()>,
) -> Outcome<()> {
    if count == 0 {
        return Ok(());
    }
    refuse_null(first, what)?;
    let apart = bytes_of(first);
    // SAFETY: the caller's promise.
    (0..count).try_for_each(|number| body(unsafe { first.byte_add(apart * number) }))
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
