//! The short way of an allocation that is counted by function, for `barrow_try_alloc`: its caller keeps values in registers
//! and has no frame, so this neither collects nor asks anybody, and leaves all registers but three as they are.
//!
//! The code is written in instructions since no convention of C has so few registers that a call changes. Inline code
//! hands over the mutator in r11, words in r10, at least 2 and at most `BARROW_MAX_INLINE_WORDS`. It gets the address
//! in rax, or 0. Flags change too. The window says where this is, so nothing else names it. Other machines go the slow
//! way at once.

use std::ffi::c_void;

/// The address that the window shows while space is counted.
#[cfg(all(target_arch = "x86_64", not(windows)))]
pub(crate) fn address() -> *const c_void {
    x86::take_counted as *const c_void
}

#[cfg(not(all(target_arch = "x86_64", not(windows))))]
pub(crate) fn address() -> *const c_void {
    std::ptr::null()
}

#[cfg(all(target_arch = "x86_64", not(windows)))]
mod x86 {
    use crate::heap::Mutator;
    use crate::heap::Window;
    use crate::heap::mutator::counting::{Counting, SEEN, Seen, Tried};
    use std::mem::offset_of;

    const COUNTING: usize = offset_of!(Mutator, counting);
    const TRIED: usize = COUNTING + Counting::TRIED;
    const _: () = assert!(offset_of!(Mutator, window) == 0);
    // Two steps of addressing make 40 of a number.
    const _: () = assert!(size_of::<Seen>() == 5 * 8 && SEEN.is_power_of_two());

    /// As `Mutator::take_counted` after `Mutator::has_counted`. When it does not go, the place that tried is noted, so
    /// that the object counts for the same place when the client comes for it with a frame.
    ///
    /// # Safety
    /// Only inline code comes here, as said above.
    #[unsafe(naked)]
    pub(super) unsafe extern "C" fn take_counted() {
        std::arch::naked_asm!(
            ".cfi_startproc",
            "push rcx",
            ".cfi_adjust_cfa_offset 8",
            "push rdx",
            ".cfi_adjust_cfa_offset 8",
            "mov rax, [r11 + {hp}]",
            "lea rdx, [rax + r10 * 8]",
            "cmp rdx, [r11 + {edge}]",
            "ja 2f",
            "cmp dword ptr [r11 + {poll}], 0",
            "jne 2f",
            // The function, and its place in the table: `place_of`.
            "mov rdx, [r11 + {function}]",
            "mov rcx, rdx",
            "shr rcx, 4",
            "xor rcx, [rsp + 16]",
            "and ecx, {last_place}",
            "lea rcx, [rcx + rcx * 4]",
            "shl ecx, 3",
            "add rcx, [r11 + {lately}]",
            "cmp rdx, [rcx + {seen_function}]",
            "jne 2f",
            "mov rdx, [rsp + 16]",
            "cmp rdx, [rcx + {seen_site}]",
            "jne 2f",
            "add [rcx + {seen_words}], r10",
            "inc qword ptr [rcx + {seen_objects}]",
            "lea r10, [rax + r10 * 8]",
            "mov [r11 + {hp}], r10",
            "mov ecx, [rcx + {seen_number}]",
            "mov rdx, rax",
            "shr rdx, {log_granule}",
            "mov r10, [r11 + {entries}]",
            "mov [r10 + rdx * 4], ecx",
            "pop rdx",
            ".cfi_remember_state",
            ".cfi_adjust_cfa_offset -8",
            "pop rcx",
            ".cfi_adjust_cfa_offset -8",
            "ret",
            ".cfi_restore_state",
            "2:",
            "mov [r11 + {tried_hp}], rax",
            "mov [r11 + {tried_words}], r10",
            "mov rdx, [rsp + 16]",
            "mov [r11 + {tried_site}], rdx",
            "xor eax, eax",
            "pop rdx",
            ".cfi_adjust_cfa_offset -8",
            "pop rcx",
            ".cfi_adjust_cfa_offset -8",
            "ret",
            ".cfi_endproc",
            hp = const offset_of!(Window, hp),
            poll = const offset_of!(Window, poll),
            function = const offset_of!(Window, function),
            edge = const COUNTING + Counting::EDGE,
            lately = const COUNTING + Counting::LATELY,
            entries = const COUNTING + Counting::ENTRIES,
            last_place = const SEEN - 1,
            seen_function = const offset_of!(Seen, function),
            seen_site = const offset_of!(Seen, site),
            seen_words = const offset_of!(Seen, words),
            seen_objects = const offset_of!(Seen, objects),
            seen_number = const offset_of!(Seen, number),
            log_granule = const crate::megablock::side::LOG_GRANULE_BYTES,
            tried_hp = const TRIED + offset_of!(Tried, hp),
            tried_words = const TRIED + offset_of!(Tried, words),
            tried_site = const TRIED + offset_of!(Tried, site),
        )
    }
}
