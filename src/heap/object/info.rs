//! Info tables: static data that a compiler emits, one for each kind of object it makes.

use crate::base::Shown;
pub use crate::heap::object::kind::Kind;
use crate::heap::object::kind::Kinds;
use std::ffi::{CStr, c_char, c_void};

/// The version of the info table's layout that this library reads.
pub const INFO_VERSION: u16 = 1;

/// The fields of the object change after it was made: it holds back the objects in them from early promotion.
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
pub(super) const KNOWN_FLAGS: u8 = FLAG_MUTABLE
    | FLAG_NOTIFY_MOVED
    | FLAG_TAIL_POINTERS
    | FLAG_TAIL_TAGGED
    | FLAG_SHORTCUT
    | FLAG_INHERENTLY_USED
    | FLAG_RETAINER;

/// The names by which profiles and messages call an object. Any may be null. Files and messages cut a name of more than
/// 1000 bytes, and escape bytes that a terminal would obey (docs/formats-files.md).
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
    /// Called after a copy was made, with `BARROW_FLAG_NOTIFY_MOVED`. `from` is where it was; only its address means
    /// anything.
    pub moved: Option<unsafe extern "C" fn(from: *const c_void, to: *mut c_void)>,
    /// Gives, with `BARROW_FLAG_SHORTCUT`, an object that this one may be replaced by in all pointers to it, or NULL
    /// for none. Pointers in the object may lead to where things were: `barrow_resolve` tells where one leads now.
    pub shortcut: Option<unsafe extern "C" fn(object: *const c_void, resolver: *mut Resolver) -> *mut c_void>,
}

/// Finds objects during a collection, for a `shortcut` function; only during its call.
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
    /// A table of a layout, and of nothing else.
    pub const fn plain(kind: Kind, ptrs: u32, words: u32) -> Info {
        Info {
            size: size_of::<Info>() as u16,
            version: INFO_VERSION,
            id: 0,
            entry: None,
            kind: kind as u8,
            flags: 0,
            field: 0,
            ptrs,
            words,
            reserved: 0,
            bitmap: 0,
            large: std::ptr::null(),
            custom: std::ptr::null(),
            srt: std::ptr::null(),
            names: std::ptr::null(),
        }
    }

    /// The kind of objects with this table. `None` when its byte is no kind: the table is damaged.
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

    /// Whether uses of such objects cannot be seen: the references call them inherently used.
    #[inline(always)]
    pub fn is_inherently_used(&self) -> bool {
        self.flags & FLAG_INHERENTLY_USED != 0 || self.is_whole_in(Kinds::USED_UNSEEN)
    }

    /// The function that replaces such objects by others, when there is one.
    pub(crate) fn shortcut(
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

    /// The name of such an object, for a message.
    pub(crate) fn name(&self) -> Shown<'_> {
        Shown::told(self.own_name())
    }

    pub(crate) fn own_name(&self) -> &[u8] {
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
