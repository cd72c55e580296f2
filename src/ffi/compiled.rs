//! Compiled code whose references stack maps describe: how C calls it, and how it calls the library.
//!
//! Each entry for compiled code is a few instructions that hand on the caller's frame: its return address, stack
//! pointer and frame pointer. They touch no stack of their own, so unwinding passes them.

use super::alloc::{alloc_for, reserve_for};
use super::guard::{self, remember_failure, runtime_of, status, with_heap, with_mutator};
use crate::base::size::WORD_BYTES;
use crate::base::{Addr, Failure, Outcome, Status};
use crate::heap::Mutator;
use crate::heap::root::native::{Anchor, Machine, Part};
use crate::host::Host;
use crate::runtime::collect::Reason;
use std::ffi::c_void;

/// A function of the compiled program that C may call: mutator and three words, which may be references.
type Compiled = unsafe extern "C-unwind" fn(*mut Mutator, usize, usize, usize) -> usize;

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
        with_heap(heap, |runtime| {
            if section.is_null() || bytes > isize::MAX as usize {
                return Err(Failure::argument(format_args!(
                    "there is no section of stack maps of {bytes} bytes at {section:?}"
                )));
            }
            let text = std::slice::from_raw_parts(section.cast::<u8>(), bytes);
            runtime.store.stack_maps.register(section as usize, text, Machine::HERE.registers(), tagged)
        })
    }
}

/// Forgets the maps that were registered from this address, when their code goes. Refused while one of its functions is
/// on the stack. `barrow_module_unregister` does it by the addresses of the code.
///
/// # Safety
/// `mutator` is live and the calling thread's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_stack_maps_unregister(
    mutator: *mut Mutator,
    section: *const c_void,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |runtime| runtime.unregister_stack_maps(mutator, section as usize)) }
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
    let checked = unsafe { runtime_of(mutator) }.and_then(|_| {
        let function =
            function.ok_or_else(|| Failure::argument(format_args!("the compiled function is NULL")))?;
        // SAFETY: `runtime_of` has found the mutator live.
        let stack = unsafe { &(*mutator).native };
        if !stack.part.is_null() && stack.left == Anchor::NONE {
            return Err(Failure::state(format_args!(
                "compiled code called C that calls compiled code, and not through barrow_gc_call: its frames could not be found"
            )));
        }
        Ok(function)
    });
    let function = match checked {
        Ok(function) => function,
        Err(failure) => return remember_failure(&failure),
    };
    // SAFETY: the mutator is live; between the two accesses to its stack, only code that restores it runs, or that
    // jumps or unwinds out of here and restores what it has saved. Nothing here has a destructor.
    unsafe {
        let mut part = Part::below((*mutator).native.part, (*mutator).native.left);
        let up = part.up;
        if !up.is_null() && up <= &raw mut part {
            return remember_failure(&Failure::state(format_args!(
                "a call into compiled code that is over was left by a jump; barrow_stack_restore takes back what was saved before"
            )));
        }
        (*mutator).native.part = &raw mut part;
        (*mutator).native.left = Anchor::NONE;
        let value = enter(mutator, a, b, c, function, &raw mut part);
        (*mutator).native.part = part.up;
        (*mutator).native.left = part.left;
        part.end();
        if !result.is_null() {
            result.write(value);
        }
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
            let Some(&SavedStack { part, left }) = saved.as_ref() else {
                return Err(Failure::argument(format_args!("what was saved of the stack is NULL")));
            };
            let [address, stack_pointer, frame_pointer] = left;
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
    if unsafe { runtime_of(mutator) }.is_err() {
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
            let hooks = runtime_of(mutator).map(|runtime| runtime.hooks).unwrap_or_default();
            let outcome = match runtime_of(mutator) {
                Ok(runtime) => guard::run(hooks, || body(runtime)),
                Err(failure) => Err(failure),
            };
            match outcome {
                Err(failure) if failure.status == Status::Damaged => guard::fatal(hooks, failure.sentence),
                outcome => status(outcome),
            }
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

/// Calls `function(mutator, a, b, c)` from a frame that the part describes.
///
/// # Safety
/// `function` may be called so, and `part` is writable.
#[unsafe(naked)]
unsafe extern "C-unwind" fn enter(
    mutator: *mut Mutator,
    a: usize,
    b: usize,
    c: usize,
    function: Compiled,
    part: *mut Part,
) -> usize {
    #[cfg(target_arch = "x86_64")]
    std::arch::naked_asm!(
        ".cfi_startproc",
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
        "lea rax, [rip + 2f]",
        "mov [r9 + {address}], rax",
        "mov [r9 + {end}], rsp",
        "call r8",
        "2:",
        "pop rbp",
        ".cfi_def_cfa rsp, 8",
        "ret",
        ".cfi_endproc",
        address = const std::mem::offset_of!(Part, address),
        end = const std::mem::offset_of!(Part, end),
    );
    #[cfg(target_arch = "aarch64")]
    std::arch::naked_asm!(
        ".cfi_startproc",
        "stp x29, x30, [sp, #-16]!",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset x29, -16",
        ".cfi_offset x30, -8",
        "mov x29, sp",
        ".cfi_def_cfa_register x29",
        "adr x9, 2f",
        "str x9, [x5, #{address}]",
        "mov x9, sp",
        "str x9, [x5, #{end}]",
        "blr x4",
        "2:",
        "ldp x29, x30, [sp], #16",
        ".cfi_def_cfa sp, 0",
        "ret",
        ".cfi_endproc",
        address = const std::mem::offset_of!(Part, address),
        end = const std::mem::offset_of!(Part, end),
    )
}
