//! Info tables: static data that a compiler emits, one for each kind of object it makes.

use crate::base::size::{MAX_OBJECT_WORDS, WORD_BYTES};
use crate::base::{Addr, Failure, Outcome, Shown};
pub use crate::heap::object::kind::Kind;
use crate::heap::object::kind::Kinds;
use std::ffi::{CStr, c_char, c_void};

/// The version of the info table's layout that this library reads.
pub const INFO_VERSION: u16 = 1;

/// The fields of the object change after it was made: it holds back what it points to from early promotion.
pub const FLAG_MUTABLE: u8 = 1;
/// `custom->moved` is called after a copy of the object was made.
pub const FLAG_NOTIFY_MOVED: u8 = 2;
/// `BARROW_SIZED`: the words behind the fixed part are pointers.
pub const FLAG_TAIL_POINTERS: u8 = 4;
/// `BARROW_SIZED`, `BARROW_ARRAY`, `BARROW_WEAK_ARRAY`: the words behind the fixed part, or the elements, are tagged
/// words.
pub const FLAG_TAIL_TAGGED: u8 = 8;
/// `custom->shortcut` is asked for an equivalent of the object before it is copied.
pub const FLAG_SHORTCUT: u8 = 16;
/// Such objects are retainers, whatever their kind.
pub const FLAG_RETAINER: u8 = 64;
/// Nobody records uses of such objects, so a biography counts them as inherently used. Variables, arrays of pointers and
/// bytes are so without it.
pub const FLAG_INHERENTLY_USED: u8 = 32;
const KNOWN_FLAGS: u8 = FLAG_MUTABLE
    | FLAG_NOTIFY_MOVED
    | FLAG_TAIL_POINTERS
    | FLAG_TAIL_TAGGED
    | FLAG_SHORTCUT
    | FLAG_INHERENTLY_USED
    | FLAG_RETAINER;

/// What profiles and messages call an object. Any may be null. Files and messages cut a name of more than 1000 bytes, and
/// show as escapes what a terminal would obey (docs/formats-files.md).
#[repr(C)]
pub struct Names {
    pub description: *const c_char,
    pub type_name: *const c_char,
    pub module: *const c_char,
    pub source: *const c_char,
}

/// Bits for a layout of more than 64 words.
#[repr(C)]
pub struct LargeBitmap {
    /// `sizeof(barrow_bitmap)`, as the caller knows it.
    pub size: u32,
    /// Words described; the bits follow in `bits`, 64 to a word, lowest first.
    pub words: u32,
    pub bits: *const usize,
}

/// Functions of a `BARROW_CUSTOM` kind. They must not allocate, collect or change the heap.
#[repr(C)]
pub struct Custom {
    /// `sizeof(barrow_custom)`, as the caller knows it.
    pub size: u32,
    pub reserved: u32,
    /// Words of the object, its header included; at least 2, and the same until the object changes.
    pub object_words: Option<unsafe extern "C" fn(object: *const c_void) -> usize>,
    /// Calls `barrow_visit` or `barrow_visit_word` for each field that may hold a pointer, always the same ones.
    pub visit:
        Option<unsafe extern "C" fn(object: *mut c_void, visitor: *mut crate::heap::object::slots::Visitor)>,
    /// With `BARROW_FLAG_NOTIFY_MOVED`: a copy was made. `from` is where it was; only its address means anything.
    pub moved: Option<unsafe extern "C" fn(from: *const c_void, to: *mut c_void)>,
    /// With `BARROW_FLAG_SHORTCUT`: an object that this one may be replaced by in all pointers to it, or NULL for
    /// none. Pointers in the object may lead to where things were: `barrow_resolve` tells where one leads now.
    pub shortcut: Option<unsafe extern "C" fn(object: *const c_void, resolver: *mut Resolver) -> *mut c_void>,
}

/// Where things are during a collection, for a `shortcut` function; only during its call.
#[repr(C)]
pub struct Resolver {
    pub find: fn(*const (), usize) -> usize,
    pub state: *const (),
}

/// A static reference table: the statics that some code can reach.
#[repr(C)]
pub struct ReferenceTable {
    /// `sizeof(barrow_srt)`, as the caller knows it.
    pub size: u32,
    pub count: u32,
    pub statics: *const *mut c_void,
}

/// Describes an object's layout and names. Lies in the client's data, at a multiple of 8, for ever. In read-only memory it
/// works too, and profiles look its number up each time.
#[repr(C)]
pub struct Info {
    /// `sizeof(barrow_info)`, as the caller knows it.
    pub size: u16,
    /// `BARROW_INFO_VERSION`.
    pub version: u16,
    /// 0 in the client's data; the library writes its number here, unless the memory is read-only.
    pub id: u32,
    /// The client's own; the library never calls it.
    pub entry: Option<unsafe extern "C" fn()>,
    /// A `barrow_kind`.
    pub kind: u8,
    pub flags: u8,
    /// `BARROW_SIZED`: which word after the header is the length. `BARROW_SELECTOR`: which one is selected.
    /// `BARROW_FUN`: the arity.
    pub field: u16,
    pub ptrs: u32,
    pub words: u32,
    pub reserved: u32,
    pub bitmap: usize,
    pub large: *const LargeBitmap,
    pub custom: *const Custom,
    pub srt: *const ReferenceTable,
    pub names: *const Names,
}

// SAFETY: an info table is the client's constant data but for `id`, which is written by compare-and-swap.
unsafe impl Sync for Info {}

impl Info {
    /// What objects with this table are. `None` when its byte is no kind: the table is damaged.
    #[inline(always)]
    pub fn kind(&self) -> Option<Kind> {
        Kind::from_number(self.kind)
    }

    #[inline(always)]
    pub fn is(&self, kind: Kind) -> bool {
        self.kind == kind.number()
    }

    #[inline(always)]
    pub(crate) fn is_in(&self, kinds: Kinds) -> bool {
        kinds.has_number(self.kind)
    }

    /// As `is_in`, of a table that is whole: in fewer instructions, and of a byte that is no kind it may say anything.
    #[inline(always)]
    pub(crate) fn is_whole_in(&self, kinds: Kinds) -> bool {
        kinds.has_whole(self.kind)
    }

    /// The bytes of the kind and the flags at once: one load, and one comparison with `kind_and_flags`.
    #[inline(always)]
    pub(crate) fn kind_and_flags(&self) -> u16 {
        kind_and_flags(self.kind, self.flags)
    }

    /// Whether stores into such an object are expected after it was made.
    #[inline(always)]
    pub fn is_mutable(&self) -> bool {
        self.flags & FLAG_MUTABLE != 0 || self.is_whole_in(Kinds::MUTABLE)
    }

    /// Whether uses of such objects cannot be seen: what the references call inherently used.
    #[inline(always)]
    pub fn is_inherently_used(&self) -> bool {
        self.flags & FLAG_INHERENTLY_USED != 0 || self.is_whole_in(Kinds::USED_UNSEEN)
    }

    /// The function that replaces such objects by others, when there is one.
    pub fn shortcut(
        &self,
    ) -> Option<unsafe extern "C" fn(object: *const c_void, resolver: *mut Resolver) -> *mut c_void> {
        let knows = std::mem::offset_of!(Custom, shortcut) + size_of::<usize>();
        // SAFETY: a non-null `custom` points to the client's constant table, of the size that it says.
        unsafe {
            if self.custom.is_null() || ((*self.custom).size as usize) < knows {
                None
            } else {
                (*self.custom).shortcut
            }
        }
    }

    /// What to call such an object in a message.
    pub fn name(&self) -> Shown<'_> {
        Shown::told(self.own_name())
    }

    /// What such an object is called.
    pub fn own_name(&self) -> &[u8] {
        let names = self.names;
        if names.is_null() {
            return b"(no name)";
        }
        // SAFETY: a non-null `names` points to the client's constant table, and its strings end with NUL.
        let text = unsafe {
            let names = &*names;
            let first = [names.description, names.type_name].into_iter().find(|p| !p.is_null());
            match first {
                Some(text) => CStr::from_ptr(text),
                None => return b"(no name)",
            }
        };
        text.to_bytes()
    }

    /// Refuses a table that describes no possible object.
    ///
    /// # Safety
    /// `at` is null or points to readable memory of the size of an info table.
    pub unsafe fn check<'a>(at: Addr) -> Outcome<&'a Info> {
        let wrong = |what: std::fmt::Arguments<'_>| {
            Err(Failure::argument(format_args!("the info table at {at} {what}")))
        };
        if at.is_null() || !at.is_aligned(WORD_BYTES) {
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
            Kind::Weak | Kind::Stack | Kind::StableName if !crate::heap::object::own::is_own(at) => {
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
            kind => crate::heap::object::lazy::problem(kind, info),
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
        if ptrs + words > MAX_OBJECT_WORDS {
            return wrong(format_args!("({}) describes an object that no memory holds", info.name()));
        }
        Ok(info)
    }
}

/// How a kind and flags lie side by side in an info table.
pub(crate) const fn kind_and_flags(kind: u8, flags: u8) -> u16 {
    u16::from_le_bytes([kind, flags])
}

pub fn outside(bitmap: usize, words: usize) -> bool {
    words < 64 && bitmap >> words != 0
}

/// # Safety
/// `large` is null or valid.
pub unsafe fn large_fits(large: *const LargeBitmap, words: usize) -> bool {
    // SAFETY: the caller's promise.
    unsafe { !large.is_null() && (*large).words as usize == words && !(*large).bits.is_null() }
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
