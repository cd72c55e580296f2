//! Calls from C into compiled code: one function, in the machine's own instructions, so that the frame in which such a call
//! stands is known to the walk over compiled frames (`heap::root::native`).

use crate::heap::mutator::state::Mutator;
use crate::heap::root::native::Part;

/// A function of the compiled program that C may call: mutator and three words, which may be references.
pub(crate) type Compiled = unsafe extern "C-unwind" fn(*mut Mutator, usize, usize, usize) -> usize;

/// Calls `function(mutator, a, b, c)` from a frame that the part describes.
///
/// # Safety
/// `function` may be called so, and `part` is writable.
#[unsafe(naked)]
pub(crate) unsafe extern "C-unwind" fn enter(
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
