//! The address sanitizer's second stacks: a program built with it may keep local variables elsewhere, so that it sees their use after
//! their function has returned (`detect_stack_use_after_return`). Each frame there knows about where its function has come to on the
//! thread's own stack.

use crate::base::Addr;
use std::ffi::c_void;

/// The second stack of a thread.
#[derive(Clone, Copy)]
pub(crate) struct FakeStack {
    stack: *mut c_void,
    find: Find,
}

/// `__asan_addr_is_in_fake_stack`: a place on the thread's stack for the frame that an address lies in; null where it lies in none.
type Find =
    unsafe extern "C" fn(*mut c_void, *const c_void, *mut *mut c_void, *mut *mut c_void) -> *const c_void;

impl FakeStack {
    /// The calling thread's; none in a program without the sanitizer, or with this of its checks switched off.
    pub(crate) fn of_this_thread() -> Option<FakeStack> {
        let (of_thread, find) = sanitizer()?;
        // SAFETY: the function takes nothing and may be called at any time.
        let stack = unsafe { of_thread() };
        (!stack.is_null()).then_some(FakeStack { stack, find })
    }

    /// A place on the thread's stack shortly below the frame of the function whose variable lies at `at`; none where no function has one
    /// there. The sanitizer took it from a function that this one called first of all.
    pub(crate) fn below(self, at: Addr) -> Option<Addr> {
        let (mut start, mut end) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: the stack is the calling thread's, and the function compares the address only.
        let found = unsafe { (self.find)(self.stack, at.as_ptr(), &raw mut start, &raw mut end) };
        (!found.is_null()).then_some(Addr(found as usize))
    }
}

/// The place of a variable of the library, or one shortly below its function's frame where the sanitizer sees into the library.
#[inline]
pub(crate) fn real_of_ours(at: Addr) -> Addr {
    let fake = if cfg!(barrow_shadow = "address") { FakeStack::of_this_thread() } else { None };
    fake.and_then(|fake| fake.below(at)).unwrap_or(at)
}

/// The sanitizer's two functions, where the program has them. A weak name is bound when the program is loaded: to look it up later would
/// wait for the loader, whose lock a thread may hold that stands for a collection.
fn sanitizer() -> Option<(unsafe extern "C" fn() -> *mut c_void, Find)> {
    let (of_thread, find) = weak_addresses();
    if of_thread == 0 || find == 0 {
        return None;
    }
    // SAFETY: the names are the sanitizer's, whose interface declares the functions so.
    Some(unsafe {
        (
            std::mem::transmute::<usize, unsafe extern "C" fn() -> *mut c_void>(of_thread),
            std::mem::transmute::<usize, Find>(find),
        )
    })
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn weak_addresses() -> (usize, usize) {
    let (of_thread, find);
    // SAFETY: the instructions read two words of the table of addresses, which hold 0 where the name is bound to nothing.
    unsafe {
        std::arch::asm!(
            ".weak __asan_get_current_fake_stack", ".weak __asan_addr_is_in_fake_stack",
            "mov {}, qword ptr [rip + __asan_get_current_fake_stack@GOTPCREL]",
            "mov {}, qword ptr [rip + __asan_addr_is_in_fake_stack@GOTPCREL]",
            out(reg) of_thread, out(reg) find, options(nostack, readonly, preserves_flags, pure)
        );
    }
    (of_thread, find)
}

#[cfg(all(target_arch = "aarch64", target_os = "linux"))]
fn weak_addresses() -> (usize, usize) {
    let (of_thread, find);
    // SAFETY: as above.
    unsafe {
        std::arch::asm!(
            ".weak __asan_get_current_fake_stack", ".weak __asan_addr_is_in_fake_stack",
            "adrp {0}, :got:__asan_get_current_fake_stack", "ldr {0}, [{0}, :got_lo12:__asan_get_current_fake_stack]",
            "adrp {1}, :got:__asan_addr_is_in_fake_stack", "ldr {1}, [{1}, :got_lo12:__asan_addr_is_in_fake_stack]",
            out(reg) of_thread, out(reg) find, options(nostack, readonly, preserves_flags, pure)
        );
    }
    (of_thread, find)
}

#[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), target_os = "linux")))]
fn weak_addresses() -> (usize, usize) {
    (0, 0)
}
