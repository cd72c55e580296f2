//! Compiled code whose references stack maps describe: how C calls it, and how it calls the library.
//!
//! Each entry for compiled code is a few instructions that hand on the caller's frame: its return address, stack
//! pointer and frame pointer. They touch no stack of their own, so unwinding passes them.

use super::alloc::{alloc_for, reserve_for};
use super::guard::{self, give_if_wanted, remember_failure, with_heap, with_mutator, with_mutator_alone};
use crate::base::size::WORD_BYTES;
use crate::base::{Addr, Failure, Outcome, Status};
use crate::heap::Mutator;
use crate::heap::mutator::enter::{Compiled, enter};
use crate::heap::root::native::{Anchor, Machine};
use crate::host::Host;
use crate::host::given::look_at;
use crate::runtime::collect::Reason;
use std::ffi::c_void;

/// The state of a mutator's compiled stack, for `barrow_stack_restore`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SavedStack {
    part: *mut c_void,
    left: [usize; 3],
}

/// Takes over the stack maps in a section `.llvm_stackmaps`, which the linker may have put together from many object
/// files. With `tagged`, references in its frames are tagged words. The section is not needed afterwards. A section
/// that is not understood in every detail is refused as a whole: `BARROW_E_ABI` for an unknown version,
/// `BARROW_E_ARG` for a map that is cut or makes no sense.
///
/// # Safety
/// `heap` is live; `section` has `bytes` readable bytes, and is relocated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_stack_maps_register(
    heap: *mut Host,
    section: *const c_void,
    bytes: usize,
    tagged: bool,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |host| {
            let text = section_text(section, bytes)?;
            let registers = Machine::HERE.registers();
            host.store.stack_maps.register(section as usize, text, registers, planted!(350, false, tagged))
        })
    }
}

/// # Safety
/// `section` is null or has `bytes` readable bytes.
unsafe fn section_text<'a>(section: *const c_void, bytes: usize) -> Outcome<&'a [u8]> {
    if section.is_null() || bytes > isize::MAX as usize {
        return Err(Failure::argument(format_args!(
            "there is no section of stack maps of {bytes} bytes at {section:?}"
        )));
    }
    // SAFETY: the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts(section.cast::<u8>(), bytes) })
}

/// Forgets the maps that were registered from this address, when their code goes. Refused while one of its functions is
/// on a stack of compiled code, of any thread. `barrow_module_unregister` does it by the addresses of the code.
/// In a heap with several mutators, the call waits for the others as a collection does: every live reference is in a root.
///
/// # Safety
/// `mutator` is live and the calling thread's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_stack_maps_unregister(
    mutator: *mut Mutator,
    section: *const c_void,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator_alone(mutator, |host| host.unregister_stack_maps(mutator, section as usize)) }
}

/// Calls a compiled function, which takes the mutator and three words and gives a word; unused ones are 0. Words that
/// are references are the callee's to keep from then on. The walk over compiled frames ends here.
///
/// # Safety
/// `mutator` is live and the calling thread's; `function` is such a function.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn barrow_stack_call(
    mutator: *mut Mutator,
    function: Option<
        unsafe extern "C-unwind" fn(mutator: *mut Mutator, a: usize, b: usize, c: usize) -> usize,
    >,
    a: usize,
    b: usize,
    c: usize,
    result: *mut usize,
) -> Status {
    // SAFETY: the caller's promise.
    match unsafe { callable(mutator, function) } {
        // SAFETY: the mutator was found live; the function is the caller's promise.
        Ok(function) => unsafe { call_compiled(mutator, function, (a, b, c), result) },
        Err(failure) => remember_failure(&failure),
    }
}

/// The function, if it can be called from here.
///
/// # Safety
/// `mutator` may be any word.
unsafe fn callable(mutator: *mut Mutator, function: Option<Compiled>) -> Outcome<Compiled> {
    // SAFETY: the caller's promise; `look_at` has found the mutator live.
    unsafe {
        look_at(mutator)?;
        let given =
            function.ok_or_else(|| Failure::argument(format_args!("the compiled function is NULL")))?;
        (*mutator).native.refuse_unknown_caller()?;
        Ok(given)
    }
}

/// Calls a function whose caller's part lies in this frame.
///
/// # Safety
/// The mutator is live and the calling thread's; `function` is compiled code; `result` is null or writable.
unsafe fn call_compiled(
    mutator: *mut Mutator,
    function: Compiled,
    (a, b, c): (usize, usize, usize),
    result: *mut usize,
) -> Status {
    // SAFETY: the mutator is live; between the two accesses to its stack, only code that restores it runs, or that
    // jumps or unwinds out of here and restores what it has saved. Nothing here has a destructor.
    unsafe {
        let mut part = (*mutator).native.part_of_a_call();
        if let Err(failure) = (*mutator).native.begin(&raw mut part) {
            return remember_failure(&failure);
        }
        let value = enter(mutator, a, b, c, function, &raw mut part);
        (*mutator).native.end(&mut part);
        give_if_wanted(result, value);
    }
    Status::Ok
}

/// Keeps the state of the compiled stack before `setjmp` or `try`.
///
/// # Safety
/// `mutator` is live and the calling thread's; `saved` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_stack_save(mutator: *mut Mutator, saved: *mut SavedStack) -> Status {
    // SAFETY: the caller's promise; `with_mutator` has found the mutator live.
    unsafe {
        with_mutator(mutator, |_| {
            let stack = &(*mutator).native;
            let Anchor { address, stack_pointer, frame_pointer } = stack.left;
            let part = stack.part.cast();
            guard::give(saved, SavedStack { part, left: [address, stack_pointer, frame_pointer] }, "saved")
        })
    }
}

/// Puts the state back after `longjmp` or an exception has left compiled code.
///
/// # Safety
/// `mutator` is live and the calling thread's; `barrow_stack_save` filled `saved`, in a function that has not returned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_stack_restore(mutator: *mut Mutator, saved: *const SavedStack) -> Status {
    // SAFETY: the caller's promise; `with_mutator` has found the mutator live.
    unsafe {
        with_mutator(mutator, |_| {
            guard::refuse_null(saved, "what was saved of the stack")?;
            let SavedStack { part, left: [address, stack_pointer, frame_pointer] } = *saved;
            (*mutator).native.part = part.cast();
            (*mutator).native.left = Anchor { address, stack_pointer, frame_pointer };
            Ok(())
        })
    }
}

/// Runs `body` while the mutator knows where compiled code has left. A wild mutator is for `body` to refuse.
///
/// # Safety
/// `mutator` may be any word; the anchor is that of the frame that called.
unsafe fn away<T>(mutator: *mut Mutator, anchor: Anchor, body: impl FnOnce() -> T) -> T {
    // SAFETY: `mutator` is checked before it is used.
    if unsafe { look_at(mutator) }.is_err() {
        return body();
    }
    // SAFETY: it was found live. When `body` does not return here, its client restores the stack.
    unsafe {
        let before = std::mem::replace(&mut (*mutator).native.left, anchor);
        let value = body();
        (*mutator).native.left = before;
        value
    }
}

/// Runs a collection whose failure compiled code cannot hear of. Damage ends the process: going on would lose
/// objects.
///
/// # Safety
/// `mutator` may be any word; the anchor is that of the frame that called.
unsafe fn insist(mutator: *mut Mutator, anchor: Anchor, body: impl FnOnce(&mut Host) -> Outcome<()>) {
    // SAFETY: the caller's promise.
    unsafe {
        away(mutator, anchor, || {
            with_mutator(mutator, |host| match body(host) {
                Err(failure) if failure.status == Status::Damaged => {
                    guard::fatal(host.hooks, failure.sentence)
                }
                outcome => outcome,
            })
        })
    };
}

/// The caller's frame, from what an entry hands on. Its return address lies below its stack pointer, or is in `link`.
///
/// # Safety
/// An entry has handed on the arguments, and has not returned.
unsafe fn anchor(stack_pointer: usize, frame_pointer: usize, link: Option<usize>) -> Anchor {
    // SAFETY: the call has put its return address there.
    let address = link.unwrap_or_else(|| unsafe { Addr(stack_pointer - WORD_BYTES).load() });
    Anchor { address, stack_pointer, frame_pointer }
}

/// The body of an entry: puts the caller's stack pointer and frame pointer, and where calls put it into a register the
/// return address, behind its own arguments, and goes on to what is called by the same arguments and these.
#[cfg(target_arch = "x86_64")]
macro_rules! hand_on {
    ($inner:ident, x86 $stack:literal $frame:literal, arm $($other:literal)*) => {
        hand_on!($inner: concat!("lea ", $stack, ", [rsp + 8]"), concat!("mov ", $frame, ", rbp"), "jmp {inner}")
    };
    ($inner:ident: $($line:expr),*) => {
        std::arch::naked_asm!(".cfi_startproc", $($line,)* ".cfi_endproc", inner = sym $inner)
    };
}
#[cfg(target_arch = "aarch64")]
macro_rules! hand_on {
    ($inner:ident, x86 $($other:literal)*, arm $stack:literal $frame:literal $link:literal) => {
        hand_on!($inner: concat!("mov ", $stack, ", sp"), concat!("mov ", $frame, ", x29"),
            concat!("mov ", $link, ", x30"), "b {inner}")
    };
    ($inner:ident: $($line:expr),*) => {
        std::arch::naked_asm!(".cfi_startproc", $($line,)* ".cfi_endproc", inner = sym $inner)
    };
}

/// The return address that an entry hands on, where the stack does not have it.
#[cfg(target_arch = "x86_64")]
macro_rules! link {
    ($name:ident) => {
        None
    };
}
#[cfg(target_arch = "aarch64")]
macro_rules! link {
    ($name:ident) => {
        Some($name)
    };
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
compile_error!("the entries for compiled code are written for x86-64 and aarch64");

/// The `barrow_alloc_slow` of compiled code with stack maps.
///
/// # Safety
/// `mutator` is live and the calling thread's. The call is a statepoint.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn barrow_gc_alloc_slow(mutator: *mut Mutator, words: usize) -> *mut usize {
    hand_on!(alloc, x86 "rdx" "rcx", arm "x2" "x3" "x4")
}

unsafe extern "C-unwind" fn alloc(
    mutator: *mut Mutator,
    words: usize,
    stack_pointer: usize,
    frame_pointer: usize,
    #[cfg(target_arch = "aarch64")] link: usize,
) -> *mut usize {
    // SAFETY: the entry above hands on its caller's frame; the rest is that caller's promise.
    unsafe {
        let anchor = anchor(stack_pointer, frame_pointer, link!(link));
        away(mutator, anchor, || alloc_for(mutator, words, anchor.address))
    }
}

/// The `barrow_reserve_slow` of compiled code with stack maps.
///
/// # Safety
/// `mutator` is live and the calling thread's. The call is a statepoint.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn barrow_gc_reserve_slow(mutator: *mut Mutator, words: usize) -> bool {
    hand_on!(reserve, x86 "rdx" "rcx", arm "x2" "x3" "x4")
}

unsafe extern "C-unwind" fn reserve(
    mutator: *mut Mutator,
    words: usize,
    stack_pointer: usize,
    frame_pointer: usize,
    #[cfg(target_arch = "aarch64")] link: usize,
) -> bool {
    // SAFETY: the entry above hands on its caller's frame; the rest is that caller's promise.
    unsafe {
        let anchor = anchor(stack_pointer, frame_pointer, link!(link));
        away(mutator, anchor, || reserve_for(mutator, words, anchor.address))
    }
}

/// The `barrow_collect` of compiled code with stack maps. Frames that cannot be found end the process.
///
/// # Safety
/// `mutator` is live and the calling thread's. The call is a statepoint.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn barrow_gc_collect(mutator: *mut Mutator, major: bool) {
    hand_on!(collect, x86 "rdx" "rcx", arm "x2" "x3" "x4")
}

unsafe extern "C-unwind" fn collect(
    mutator: *mut Mutator,
    major: bool,
    stack_pointer: usize,
    frame_pointer: usize,
    #[cfg(target_arch = "aarch64")] link: usize,
) {
    // SAFETY: the entry above hands on its caller's frame; the rest is that caller's promise.
    unsafe {
        let anchor = anchor(stack_pointer, frame_pointer, link!(link));
        let reason = if major { Reason::Major } else { Reason::Minor };
        insist(mutator, anchor, |runtime| runtime.collect_for(mutator, reason))
    }
}

/// The `barrow_safepoint` of compiled code with stack maps, which a poll calls. Frames that cannot be found end the
/// process.
///
/// # Safety
/// `mutator` is live and the calling thread's. The call is a statepoint.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn barrow_gc_safepoint(mutator: *mut Mutator) {
    hand_on!(safepoint, x86 "rsi" "rdx", arm "x1" "x2" "x3")
}

unsafe extern "C-unwind" fn safepoint(
    mutator: *mut Mutator,
    stack_pointer: usize,
    frame_pointer: usize,
    #[cfg(target_arch = "aarch64")] link: usize,
) {
    // SAFETY: the entry above hands on its caller's frame; the rest is that caller's promise.
    unsafe {
        let anchor = anchor(stack_pointer, frame_pointer, link!(link));
        insist(mutator, anchor, |runtime| runtime.safepoint(mutator))
    }
}

/// Calls a function of C from compiled code with stack maps, with the mutator and two words. The function may allocate
/// and collect, with roots of its own, and may call compiled code again.
///
/// # Safety
/// `mutator` is live and the calling thread's. The call is a statepoint; `function` is such a function.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn barrow_gc_call(
    mutator: *mut Mutator,
    function: unsafe extern "C-unwind" fn(mutator: *mut Mutator, a: usize, b: usize) -> usize,
    a: usize,
    b: usize,
) -> usize {
    hand_on!(call, x86 "r8" "r9", arm "x4" "x5" "x6")
}

unsafe extern "C-unwind" fn call(
    mutator: *mut Mutator,
    function: unsafe extern "C-unwind" fn(mutator: *mut Mutator, a: usize, b: usize) -> usize,
    a: usize,
    b: usize,
    stack_pointer: usize,
    frame_pointer: usize,
    #[cfg(target_arch = "aarch64")] link: usize,
) -> usize {
    // SAFETY: the entry above hands on its caller's frame; the rest is that caller's promise.
    unsafe {
        let anchor = anchor(stack_pointer, frame_pointer, link!(link));
        away(mutator, anchor, || function(mutator, a, b))
    }
}
