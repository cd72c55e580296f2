//! Copies of names, kept until the process ends.

use crate::base::{Failure, Outcome, fault};
use std::alloc::{Layout, alloc};
use std::ffi::CStr;

const CHUNK_BYTES: usize = 32 << 10;

/// The place of the next copy. Its owner holds a lock.
pub(super) struct Text {
    next: *mut u8,
    left: usize,
}

// SAFETY: the memory behind `next` is this owner's alone.
unsafe impl Send for Text {}

impl Text {
    pub(super) const fn new() -> Text {
        Text { next: std::ptr::null_mut(), left: 0 }
    }

    pub(super) fn keep(&mut self, text: &CStr) -> Outcome<&'static CStr> {
        let text = text.to_bytes_with_nul();
        if self.left < text.len() {
            let bytes = text.len().max(CHUNK_BYTES);
            let refused = || Failure::no_memory(format_args!("no memory for a name of {} bytes", text.len()));
            let layout = Layout::array::<u8>(bytes).map_err(|_| refused())?;
            // SAFETY: the size is not zero.
            let fresh = if fault::allow() { unsafe { alloc(layout) } } else { std::ptr::null_mut() };
            if fresh.is_null() {
                return Err(refused());
            }
            // The rest of the chunk before is left unused: it is too little to matter.
            (self.next, self.left) = (fresh, bytes);
        }
        // SAFETY: `left` bytes from `next` on are ours, written by nobody else, never freed and never moved;
        // the copy ends with NUL as the text did before.
        unsafe {
            let at = self.next;
            at.copy_from_nonoverlapping(text.as_ptr(), text.len());
            self.next = at.add(text.len());
            self.left -= text.len();
            Ok(CStr::from_bytes_with_nul_unchecked(std::slice::from_raw_parts(at, text.len())))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CString;

    #[test]
    fn copies_are_what_was_given() {
        let mut text = Text::new();
        let long = CString::new("länger als ein Stück ".repeat(4000)).unwrap();
        let mut kept = Vec::new();
        fault::fail_after(0);
        assert!(text.keep(c"refused").is_err());
        fault::stop();
        for n in 0..3000 {
            let name = CString::new(format!("name {n}")).unwrap();
            kept.push((text.keep(&name).unwrap(), name));
        }
        assert_eq!(text.keep(&long).unwrap(), &*long);
        assert!(kept.iter().all(|(copy, name)| **copy == **name));
        assert_eq!(text.keep(c"").unwrap(), c"");
    }
}
