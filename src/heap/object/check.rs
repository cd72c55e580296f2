//! Checks of info tables.

use crate::base::size::WORD_BYTES;
use crate::base::{Addr, Failure, Outcome};
use crate::heap::object::info::*;
use crate::heap::object::{lazy, own};

impl Info {
    /// Refuses a table that describes no possible object.
    ///
    /// # Safety
    /// `at` is null or points to readable memory of the size of an info table.
    pub unsafe fn check<'a>(at: Addr) -> Outcome<&'a Info> {
        let wrong = |what: std::fmt::Arguments<'_>| {
            Err(Failure::argument(format_args!("the info table at {at} {what}")))
        };
        if at.is_null() {
            return Err(Failure::argument(format_args!("the info table is NULL")));
        }
        if !at.is_aligned(WORD_BYTES) {
            return wrong(format_args!("is not at a multiple of 8"));
        }
        // SAFETY: the caller's promise, and it is aligned.
        let info = unsafe { &*at.as_ptr::<Info>() };
        if (info.size as usize) < size_of::<Info>() || info.version != INFO_VERSION {
            return wrong(format_args!(
                "has size {} and version {}; this library reads size {} or more and version {INFO_VERSION}",
                info.size,
                info.version,
                size_of::<Info>()
            ));
        }
        let Some(kind) = info.kind() else {
            return wrong(format_args!("({}) has kind {}, which is not known", info.name(), info.kind));
        };
        if info.flags & !KNOWN_FLAGS != 0 {
            return wrong(format_args!("({}) has unknown flags {:#x}", info.name(), info.flags));
        }
        let (ptrs, words) = (info.ptrs as usize, info.words as usize);
        let problem = match kind {
            Kind::Bitmap if ptrs + words > 64 => Some("has a small bitmap for more than 64 words"),
            Kind::Bitmap if outside(info.bitmap, ptrs + words) => {
                Some("has bitmap bits behind its last word")
            }
            // SAFETY: a non-null `large` points to the client's constant table.
            Kind::BitmapLarge if unsafe { !large_fits(info.large, ptrs + words) } => {
                Some("has no large bitmap of its own number of words")
            }
            Kind::Sized if (info.field as usize) < ptrs || info.field as usize >= ptrs + words => {
                Some("has its length in a field that is not one of its plain words")
            }
            Kind::Sized if info.flags & FLAG_TAIL_POINTERS != 0 && info.flags & FLAG_TAIL_TAGGED != 0 => {
                Some("says of the same words that they are pointers and tagged words")
            }
            Kind::Weak | Kind::Stack | Kind::StableName if !own::is_own(at) => {
                Some("is of a kind that only the library makes")
            }
            Kind::Thread if info.flags & FLAG_MUTABLE == 0 => {
                Some("is a thread, and does not say BARROW_FLAG_MUTABLE")
            }
            Kind::Thread | Kind::UpdateFrame | Kind::CatchFrame | Kind::StopFrame if ptrs == 0 => {
                Some("has no pointer, and its kind has one at least")
            }
            Kind::ReturnFrame if !frame_fits(info, ptrs + words) => Some(
                "is a frame whose bitmap is not of its own number of words, or a small one for more than 64",
            ),
            Kind::WeakArray if ptrs + words != 0 => {
                Some("is a weak array, and counts fields: it has elements alone")
            }
            Kind::Structs if words == 0 || words > 64 => Some("has structs of no word or of more than 64"),
            Kind::Structs if outside(info.bitmap, words) => {
                Some("has bitmap bits behind its struct's last word")
            }
            // SAFETY: a non-null `custom` points to the client's constant table.
            Kind::Custom if unsafe { !custom_fits(info.custom) } => {
                Some("is custom, and has no function for its size or its pointers")
            }
            kind => lazy::problem(kind, info),
        };
        if let Some(problem) = problem {
            return wrong(format_args!("({}) {problem}", info.name()));
        }
        // SAFETY: as above.
        let is_told = !info.custom.is_null() && unsafe { (*info.custom).moved.is_some() };
        if info.flags & FLAG_NOTIFY_MOVED != 0 && !is_told {
            return wrong(format_args!(
                "({}) wants to be told of moves, and has no function for it",
                info.name()
            ));
        }
        if info.flags & FLAG_SHORTCUT != 0 && info.shortcut().is_none() {
            return wrong(format_args!("({}) has shortcuts, and no function for them", info.name()));
        }
        Ok(info)
    }
}

fn frame_fits(info: &Info, words: usize) -> bool {
    if info.large.is_null() {
        return words <= 64 && !outside(info.bitmap, words);
    }
    // SAFETY: a non-null `large` points to the client's constant table.
    unsafe { large_fits(info.large, words) }
}

/// # Safety
/// `custom` is null or valid.
unsafe fn custom_fits(custom: *const Custom) -> bool {
    // SAFETY: the caller's promise.
    unsafe { !custom.is_null() && (*custom).object_words.is_some() && (*custom).visit.is_some() }
}
