//! The notes of a memory checker on the heap: it is told which memory is free, so that it stops the program
//! at the first access there, by the library or by compiled code.
//!
//! The heap's memory comes from the system in large pieces, of which a checker knows only that they are
//! mapped. The configuration `barrow_shadow`, which `ci/sanitize.sh` sets, chooses the checker: "address" for
//! the address sanitizer, by its functions; "memcheck" for valgrind, by its client requests. Without it both
//! functions are empty.

use crate::base::Addr;

/// Forbids access to the bytes from `from` to `to`, until they are handed out again.
#[inline]
pub(crate) fn free(from: Addr, to: Addr) {
    if to > from {
        told::free(from, to.bytes_since(from));
    }
}

/// Allows access to the bytes from `from` to `to`.
#[inline]
pub(crate) fn hand_out(from: Addr, to: Addr) {
    if to > from {
        told::hand_out(from, to.bytes_since(from));
    }
}

#[cfg(barrow_shadow = "address")]
mod told {
    use crate::base::Addr;
    use libc::c_void;

    unsafe extern "C" {
        fn __asan_poison_memory_region(at: *const c_void, bytes: usize);
        fn __asan_unpoison_memory_region(at: *const c_void, bytes: usize);
    }

    pub(super) fn free(at: Addr, bytes: usize) {
        // SAFETY: this writes the sanitizer's own notes on these addresses.
        unsafe { __asan_poison_memory_region(at.as_ptr(), bytes) };
    }

    pub(super) fn hand_out(at: Addr, bytes: usize) {
        // SAFETY: as above.
        unsafe { __asan_unpoison_memory_region(at.as_ptr(), bytes) };
    }
}

#[cfg(all(barrow_shadow = "memcheck", target_arch = "x86_64"))]
mod told {
    use crate::base::Addr;

    /// Makes a request of valgrind: four rotations that together change nothing, and an exchange of a
    /// register with itself. Valgrind takes these for a request, whose number and arguments RAX points to,
    /// and a processor for nothing. Memcheck's requests have its name in the upper half of the number.
    fn request(number: usize, at: Addr, bytes: usize) {
        let arguments = [number, at.0, bytes, 0, 0, 0];
        // SAFETY: the instructions leave all registers but RDX, which gets the answer, as they are; RDI's rotations sum to 128.
        unsafe {
            std::arch::asm!(
                "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
                in("rax") arguments.as_ptr(),
                inout("rdx") 0usize => _,
                inout("rdi") 0usize => _,
            );
        }
    }

    pub(super) fn free(at: Addr, bytes: usize) {
        let no_access = 0x4d43_0000;
        request(no_access, at, bytes);
    }

    pub(super) fn hand_out(at: Addr, bytes: usize) {
        let defined = 0x4d43_0002;
        request(defined, at, bytes);
    }
}

#[cfg(not(any(barrow_shadow = "address", all(barrow_shadow = "memcheck", target_arch = "x86_64"))))]
mod told {
    use crate::base::Addr;

    #[inline(always)]
    pub(super) fn free(_: Addr, _: usize) {}

    #[inline(always)]
    pub(super) fn hand_out(_: Addr, _: usize) {}
}
