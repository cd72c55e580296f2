//! The log of uses: objects whose first use in an era compiled code has seen, until somebody books them.
//!
//! Its page is aligned to its size, so that the address of the next place alone says that there is no room: then its low
//! bits are 0. Compiled code writes there before it knows whether that counts [heap.uses]. The first place is not used.

use super::mutator::Mutator;
use crate::base::list::try_box;
use crate::base::{Addr, Outcome};

const PLACES: usize = 512;

#[repr(C, align(4096))]
struct Page([Addr; PLACES]);

const _: () = assert!(size_of::<Page>() == align_of::<Page>());

/// What a mutator has noted.
pub struct UseLog {
    page: Option<Box<Page>>,
}

impl UseLog {
    pub const NONE: UseLog = UseLog { page: None };
}

impl Mutator {
    /// Makes the log that uses are noted in from now on.
    pub fn open_uses(&mut self) -> Outcome<()> {
        if self.uses.page.is_none() {
            self.uses.page = Some(try_box(Page([Addr::NULL; PLACES]))?);
            self.take_uses();
        }
        Ok(())
    }

    pub fn close_uses(&mut self) {
        self.uses.page = None;
        self.window.uses = std::ptr::null_mut();
    }

    /// What was noted, in order. The log is empty afterwards.
    pub fn take_uses(&mut self) -> &[Addr] {
        let Some(page) = &mut self.uses.page else { return &[] };
        let first = (&raw mut page.0[1]).cast::<usize>();
        let bytes = (self.window.uses as usize).saturating_sub(first as usize);
        self.window.uses = first;
        &page.0[1..1 + bytes / size_of::<Addr>()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_log_shows_it() {
        let mut mutator = Mutator::new(0, std::ptr::null_mut());
        assert!(mutator.take_uses().is_empty() && mutator.window.uses.is_null());
        for _ in 0..2 {
            mutator.open_uses().expect("memory");
            let mut written = 0;
            while !(mutator.window.uses as usize).is_multiple_of(size_of::<Page>()) {
                written += 1;
                // SAFETY: the low bits say that it is not full.
                unsafe {
                    mutator.window.uses.write(written * 16);
                    mutator.window.uses = mutator.window.uses.add(1);
                }
            }
            assert_eq!(written, PLACES - 1);
            assert!(mutator.take_uses().iter().enumerate().all(|(i, object)| object.0 == (i + 1) * 16));
            assert!(mutator.take_uses().is_empty());
        }
        mutator.close_uses();
        assert!(mutator.take_uses().is_empty() && mutator.window.uses.is_null());
    }
}
