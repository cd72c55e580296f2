//! An address in memory that the collector manages, and the few ways to read and write through it.

use super::size::WORD_BYTES;
use std::fmt;

/// An address. It may be null, tagged or foreign; nothing is promised about what lies there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
#[repr(transparent)]
pub struct Addr(pub usize);

impl Addr {
    pub const NULL: Addr = Addr(0);

    #[inline(always)]
    pub const fn is_null(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    pub const fn plus_words(self, words: usize) -> Addr {
        Addr(self.0 + words * WORD_BYTES)
    }

    #[inline(always)]
    pub const fn plus_bytes(self, bytes: usize) -> Addr {
        Addr(self.0 + bytes)
    }

    /// Bytes from `base` up to here. The caller knows that `base` is not above `self`.
    #[inline(always)]
    pub const fn bytes_since(self, base: Addr) -> usize {
        self.0 - base.0
    }

    /// Words from `base` up to here. The caller knows that `base` is not above `self`.
    #[inline(always)]
    pub const fn words_since(self, base: Addr) -> usize {
        (self.0 - base.0) / WORD_BYTES
    }

    #[inline(always)]
    pub const fn align_down(self, alignment: usize) -> Addr {
        Addr(self.0 & !(alignment - 1))
    }

    #[inline(always)]
    pub const fn align_up(self, alignment: usize) -> Addr {
        Addr((self.0 + alignment - 1) & !(alignment - 1))
    }

    #[inline(always)]
    pub const fn is_aligned(self, alignment: usize) -> bool {
        self.0 & (alignment - 1) == 0
    }

    /// # Safety
    /// A readable, initialised word lies here.
    #[inline(always)]
    pub unsafe fn load(self) -> usize {
        // SAFETY: the caller promises a readable word.
        unsafe { *(self.0 as *const usize) }
    }

    /// # Safety
    /// A writable word lies here, and no reference to it is held.
    #[inline(always)]
    pub unsafe fn store(self, word: usize) {
        // SAFETY: the caller promises a writable word.
        unsafe { *(self.0 as *mut usize) = word }
    }

    /// Prefetches the cache lines of an object of a few words, which may begin at the end of a line.
    #[inline(always)]
    pub fn prefetch_object(self) {
        self.prefetch();
        Addr(self.0.wrapping_add(16)).prefetch();
    }

    /// Prefetches the cache line at this address, which may be any word.
    #[inline(always)]
    pub fn prefetch(self) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a prefetch has no effect but on caches, whatever the address.
        unsafe {
            std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(self.0 as *const i8);
        }
        #[cfg(target_arch = "aarch64")]
        // SAFETY: as above.
        unsafe {
            std::arch::asm!("prfm pldl1keep, [{0}]", in(reg) self.0, options(nostack, preserves_flags, readonly));
        }
    }

    #[inline(always)]
    pub const fn as_ptr<T>(self) -> *mut T {
        self.0 as *mut T
    }
}

impl fmt::Debug for Addr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

impl fmt::Display for Addr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}
