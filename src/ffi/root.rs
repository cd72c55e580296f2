//! Roots.

use super::guard::{remember_failure, with_heap, with_mutator};
use crate::base::size::WORD_BYTES;
use crate::base::{Addr, Failure, Outcome, Status};
use crate::heap::Mutator;
use crate::heap::root::frame::{Registered, Visitor, check_any_frames};
use crate::host::Host;
use crate::os::debugger::Readable;
use std::ffi::{c_char, c_void};

/// # Safety
/// `visitor` is null or the one that the callback was given.
unsafe fn visitor_of<'a>(visitor: *mut Visitor) -> Outcome<&'a mut Visitor> {
    if visitor.is_null() {
        return Err(Failure::argument(format_args!("the visitor is NULL")));
    }
    // SAFETY: the caller's promise.
    Ok(unsafe { &mut *visitor })
}

/// Names one root: a place outside of the heap's objects that holds a pointer to one, or NULL. It is
/// rewritten when the object moves. Only in a callback that was given the visitor.
/// A local variable of the callback is rewritten before this function returns. Each other place (a static, of a thread, from malloc)
/// may be rewritten after the callback has returned, and stays until the collection has ended. A root that the client keeps in another
/// form, packed for example, is handed in with `barrow_visit_value`.
///
/// # Safety
/// `visitor` is the callback's; `root` is readable and writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_visit(visitor: *mut Visitor, root: *mut *mut c_void) {
    // SAFETY: the caller's promise.
    unsafe { visit(visitor, std::ptr::null(), root.cast(), 1, false) }
}

/// Names one root that holds a tagged word. Its place is as for `barrow_visit`.
///
/// # Safety
/// `visitor` is the callback's; `root` is readable and writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_visit_word(visitor: *mut Visitor, root: *mut usize) {
    // SAFETY: the caller's promise.
    unsafe { visit(visitor, std::ptr::null(), root, 1, true) }
}

/// Names one root by its value: gives the pointer that the client has to keep instead of it, the same one where the object has not moved.
/// For roots that are kept in another form than as a pointer, packed in a word with other things for example: the client
/// takes the pointer out, hands it in, and packs the one that it gets. Such a root is named once in each call of its callback. Only in
/// a callback that was given the visitor; the `visit` of a `BARROW_CUSTOM` object may hand in packed fields so.
///
/// # Safety
/// `visitor` is the callback's; `object` is a pointer to an object of the heap, or to nothing that the heap knows, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_visit_value(visitor: *mut Visitor, object: *mut c_void) -> *mut c_void {
    // SAFETY: the caller's promise.
    unsafe { value(visitor, object as usize, false) as *mut c_void }
}

/// Names one root that is a tagged word by its value, as `barrow_visit_value` does for pointers, and gives the word to keep instead of it.
///
/// # Safety
/// `visitor` is the callback's; `word` is a word that a root with tags may hold.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_visit_value_word(visitor: *mut Visitor, word: usize) -> usize {
    // SAFETY: the caller's promise.
    unsafe { value(visitor, word, true) }
}

/// Names a whole range of tagged words, such as the stack of a virtual machine, in one call.
///
/// # Safety
/// `visitor` is the callback's; the `count` words at `words` are readable and writable; `name` is NULL or a string that
/// lives as long as the heap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_visit_words(
    visitor: *mut Visitor,
    name: *const c_char,
    words: *mut usize,
    count: usize,
) {
    // SAFETY: the caller's promise.
    unsafe { visit(visitor, name, words, count, true) }
}

/// Names `count` roots that lie side by side, under a name that profiles show; `name` may be NULL.
///
/// # Safety
/// `visitor` is the callback's; the `count` words at `roots` are readable and writable; `name` is NULL or a string that
/// lives as long as the heap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_visit_named(
    visitor: *mut Visitor,
    name: *const c_char,
    roots: *mut *mut c_void,
    count: usize,
) {
    // SAFETY: the caller's promise.
    unsafe { visit(visitor, name, roots.cast(), count, false) }
}

/// # Safety
/// `visitor` is the callback's; the `count` words at `first` are readable and writable; `name` is null or a string that
/// lives as long as the heap.
unsafe fn visit(visitor: *mut Visitor, name: *const c_char, first: *mut usize, count: usize, tagged: bool) {
    let first = Addr(first as usize);
    // SAFETY: the caller's promise.
    let visitor = unsafe { visitor_of(visitor) };
    match visitor.and_then(|visitor| refuse_no_words(first, count).map(|()| visitor)) {
        Ok(visitor) => visitor.range(name, first, count, tagged),
        Err(failure) => {
            remember_failure(&failure);
        }
    }
}

/// # Safety
/// `visitor` is the callback's.
unsafe fn value(visitor: *mut Visitor, word: usize, is_tagged: bool) -> usize {
    // SAFETY: the caller's promise.
    let visitor = unsafe { visitor_of(visitor) };
    visitor.map(|visitor| visitor.value(word, is_tagged)).unwrap_or_else(|failure| {
        remember_failure(&failure);
        word
    })
}

fn refuse_no_words(first: Addr, count: usize) -> Outcome<()> {
    let fits = count <= (usize::MAX - first.0) / WORD_BYTES;
    if count > 0 && (first.is_null() || !first.is_aligned(WORD_BYTES) || !fits) {
        return Err(Failure::argument(format_args!(
            "there cannot be {count} roots at {first}: they are words"
        )));
    }
    Ok(())
}

fn refuse_among_objects(runtime: &Host, first: Addr, count: usize) -> Outcome<()> {
    if count > 0 && planted!(658, false, runtime.store.codes.at(first.0) != 0) {
        return Err(Failure::argument(format_args!(
            "there cannot be roots at {first}, among the heap's objects, whose fields it knows itself"
        )));
    }
    Ok(())
}

/// Registers `count` roots side by side, until `barrow_root_remove` or the end of the heap. With `tagged` they are
/// tagged words. Where `count` is 0, nothing need be there, and `roots` may be NULL. Roots among the heap's objects
/// are refused: it knows their fields itself.
///
/// # Safety
/// `heap` is live; the roots stay readable and writable; `name` is NULL or a string that lives as long as the heap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_root_add(
    heap: *mut Host,
    name: *const c_char,
    roots: *mut c_void,
    count: usize,
    tagged: bool,
) -> Status {
    let first = Addr(roots as usize);
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            refuse_no_words(first, count)?;
            refuse_among_objects(runtime, first, count)?;
            runtime.store.registered.add(Registered { first, count, tagged, name })
        })
    }
}

/// Takes back the roots that were registered at this address, in the same time however many there are. Roots that were registered
/// there twice are taken back twice.
///
/// # Safety
/// `heap` is live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_root_remove(heap: *mut Host, roots: *mut c_void) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            if runtime.store.registered.remove(Addr(roots as usize)) {
                return Ok(());
            }
            Err(Failure::argument(format_args!("no roots are registered at {roots:?}")))
        })
    }
}

/// Attaches the chain of frames that code with LLVM's `shadow-stack` strategy maintains: the address of the
/// program's `llvm_gc_root_chain`. NULL detaches it. LLVM has one chain for the whole process, on which
/// two threads must not push: a chain that another mutator of the heap has is refused with
/// `BARROW_E_STATE`, until it is detached there.
///
/// # Safety
/// `mutator` is live and the calling thread's; `chain` stays valid until it is detached.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_attach_llvm_frames(mutator: *mut Mutator, chain: *mut c_void) -> Status {
    // SAFETY: the caller's promise; `with_mutator` has found the mutator live.
    unsafe { with_mutator(mutator, |host| host.attach_llvm_chain(mutator, chain.cast())) }
}

/// Looks at the shadow stack without collecting: an error says which frame is malformed, or lies where nothing can be read.
///
/// # Safety
/// `mutator` is live and the calling thread's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_check_frames(mutator: *mut Mutator) -> Status {
    // SAFETY: the caller's promise; `with_mutator` has found the mutator live.
    unsafe {
        with_mutator(mutator, |_| {
            check_any_frames((*mutator).window.frames, &mut Readable::new()).map(|_| ())
        })
    }
}
