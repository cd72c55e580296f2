//! The calling thread: a word that tells it from others at the cost of one instruction, and a call when it
//! ends.

use std::cell::Cell;

/// Whether threads have such a word on this system.
pub(crate) const HAS_POINTER: bool =
    cfg!(all(any(target_arch = "x86_64", target_arch = "aarch64"), target_os = "linux"));

/// A word that no other living thread has; 0 where the processor has none at hand. A later thread may have
/// the word of one that has ended.
#[inline(always)]
pub(crate) fn pointer() -> usize {
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    {
        let word: usize;
        // SAFETY: the ABI of threads keeps the address of a thread's block in its first word, which is only read.
        unsafe {
            std::arch::asm!("mov {}, fs:0", out(reg) word, options(nostack, readonly, preserves_flags, pure));
        }
        word
    }
    #[cfg(all(target_arch = "aarch64", target_os = "linux"))]
    {
        let word: usize;
        // SAFETY: any program may read the register.
        unsafe {
            std::arch::asm!("mrs {}, tpidr_el0", out(reg) word, options(nostack, nomem, preserves_flags, pure));
        }
        word
    }
    #[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), target_os = "linux")))]
    {
        0
    }
}

struct AtEnd(Cell<Option<fn()>>);

impl Drop for AtEnd {
    fn drop(&mut self) {
        if let Some(call) = self.0.get() {
            call();
        }
    }
}

thread_local!(static AT_END: AtEnd = const { AtEnd(Cell::new(None)) });

/// Lets `call` be called when the calling thread ends. A thread has one such call, which must not panic.
/// False when the thread is ending.
pub(crate) fn when_it_ends(call: fn()) -> bool {
    AT_END.try_with(|at_end| at_end.0.set(Some(call))).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    static ENDED: AtomicUsize = AtomicUsize::new(0);

    #[test]
    fn each_thread_has_its_word_and_its_end() {
        let here = pointer();
        assert_eq!(here, pointer());
        let there = std::thread::spawn(|| {
            assert!(when_it_ends(|| {
                ENDED.fetch_add(1, Ordering::Relaxed);
            }));
            assert!(when_it_ends(|| {
                ENDED.fetch_add(1, Ordering::Relaxed);
            }));
            pointer()
        });
        assert!(here == 0 || there.join().unwrap() != here);
        assert_eq!(ENDED.load(Ordering::Relaxed), 1);
    }
}
