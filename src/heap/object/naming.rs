//! The names of objects in profiles: the number of the info table, and the names behind it.

use crate::base::Sentence;
use crate::heap::object::info::{Info, Kind, Names};
use crate::heap::object::kind::Kinds;
use crate::identity::info::{self, Description, layout_name};
use std::ffi::{CStr, c_char};
use std::sync::atomic::AtomicU32;

impl Info {
    /// The table's number, given at the first question. 0 when there is no memory for its names.
    #[inline(always)]
    pub(crate) fn number(&self) -> u32 {
        // SAFETY: the word lies in the client's data, and is only accessed atomically; it is written where it can be.
        let word = unsafe { AtomicU32::from_ptr((&raw const self.id).cast_mut()) };
        info::number(word, || self.description())
    }

    #[cold]
    fn description(&self) -> Description<'_> {
        let none = Names {
            description: std::ptr::null(),
            type_name: std::ptr::null(),
            module: std::ptr::null(),
            source: std::ptr::null(),
        };
        // SAFETY: a non-null `names` points to the client's constant table.
        let names = if self.names.is_null() { &none } else { unsafe { &*self.names } };
        Description {
            kind: self.layout(),
            is_data: self.is_data(),
            is_thread: self.is_thread(),
            // SAFETY: the client's strings end with NUL and live as long as the table.
            description: unsafe { bytes(names.description) },
            // SAFETY: as above.
            type_name: unsafe { bytes(names.type_name) },
            // SAFETY: as above.
            module: unsafe { bytes(names.module) },
            // SAFETY: as above.
            source: unsafe { bytes(names.source) },
        }
    }

    /// Profiles leave threads and their stacks out unless they are told to show them.
    #[inline(always)]
    pub fn is_thread(&self) -> bool {
        self.is_whole_in(Kinds::THREAD)
    }

    /// The layout as the references' profiles name it.
    pub(crate) fn layout(&self) -> Sentence {
        let fixed = |name: &str| Sentence::new(format_args!("{name}"));
        let counted = |name: &str| layout_name(name, self.ptrs as usize, self.words as usize);
        match self.kind() {
            Some(Kind::Constr) => counted("CONSTR"),
            Some(Kind::MutVar) => fixed("MUT_VAR"),
            Some(Kind::Bitmap | Kind::BitmapLarge) => fixed("BITMAP"),
            Some(Kind::Tagged) => counted("TAGGED"),
            Some(Kind::Sized) => fixed("SIZED"),
            Some(Kind::Array) => fixed("MUT_ARR_PTRS"),
            Some(Kind::ArrayFrozen) => fixed("MUT_ARR_PTRS_FROZEN"),
            Some(Kind::WeakArray) => fixed("WEAK_ARRAY"),
            Some(Kind::Structs) => fixed("STRUCTS"),
            Some(Kind::Bytes) => fixed("ARR_WORDS"),
            Some(Kind::Custom) => fixed("CUSTOM"),
            Some(Kind::Thunk) => counted("THUNK"),
            Some(Kind::Selector) => fixed("THUNK_SELECTOR"),
            Some(Kind::Ind) => fixed("IND"),
            // One name at any age: while a biography is taken, the table of such an object does not change.
            Some(Kind::IndPerm | Kind::IndOldgenPerm) => fixed("IND_PERM"),
            Some(Kind::IndOldgen) => fixed("IND_OLDGEN"),
            Some(Kind::Blackhole) => fixed("BLACKHOLE"),
            Some(Kind::CafBlackhole) => fixed("CAF_BLACKHOLE"),
            Some(Kind::Fun) => counted("FUN"),
            Some(Kind::Pap) => fixed("PAP"),
            Some(Kind::Ap) => fixed("AP_UPD"),
            Some(Kind::ConstrStatic) => fixed("CONSTR_STATIC"),
            Some(Kind::FunStatic) => fixed("FUN_STATIC"),
            Some(Kind::ThunkStatic) => fixed("THUNK_STATIC"),
            Some(Kind::IndStatic) => fixed("IND_STATIC"),
            Some(Kind::ConstrNocafStatic) => fixed("CONSTR_NOCAF_STATIC"),
            Some(Kind::Weak) => fixed("WEAK"),
            Some(Kind::Stack) => fixed("STACK"),
            Some(Kind::Thread) => fixed("TSO"),
            Some(Kind::StableName) => fixed("STABLE_NAME"),
            Some(Kind::ReturnFrame) => fixed("RET_SMALL"),
            Some(Kind::UpdateFrame) => fixed("UPDATE_FRAME"),
            Some(Kind::CatchFrame) => fixed("CATCH_FRAME"),
            Some(Kind::StopFrame) => fixed("STOP_FRAME"),
            None => fixed("UNKNOWN"),
        }
    }

    /// Objects of data are known by their constructor, the others by their layout.
    fn is_data(&self) -> bool {
        self.kind().is_some_and(|kind| !kind.is_in(Kinds::BY_LAYOUT))
    }
}

/// # Safety
/// `text` is null, or ends with NUL and lives long enough.
unsafe fn bytes<'a>(text: *const c_char) -> &'a [u8] {
    // SAFETY: the caller's promise.
    if text.is_null() { b"" } else { unsafe { CStr::from_ptr(text) }.to_bytes() }
}
