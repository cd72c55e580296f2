//! Info tables: static data that a compiler emits, one for each kind of object it makes.

use crate::base::size::{MAX_OBJECT_WORDS, WORD_BYTES};
use crate::base::{Addr, Failure, Outcome, Shown};
use std::ffi::{CStr, c_char, c_void};

/// The version of the info table's layout that this library reads.
pub const INFO_VERSION: u16 = 1;

/// What an object is, which says how it is laid out. Word 0 of every object is its header.
///
/// Numbers are part of the ABI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub enum Kind {
    /// `ptrs` pointers, then `words` plain words. The fields do not change once the object is old, unless the
    /// table's flags say `BARROW_FLAG_MUTABLE`.
    Constr = 1,
    /// As `BARROW_CONSTR`, and its pointers change.
    MutVar = 2,
    /// `ptrs + words` words; bit i of `bitmap` is set when word i after the header is a pointer. At most 64.
    Bitmap = 3,
    /// As `BARROW_BITMAP`, of any length, with the bits in `large`.
    BitmapLarge = 4,
    /// `ptrs` tagged words, then `words` plain words. The heap's tag table says which are pointers.
    Tagged = 5,
    /// `ptrs` pointers, then `words` plain words of which word number `field` (after the header) is a length, then
    /// that many words: plain, or pointers or tagged words as the flags say.
    Sized = 8,
    /// A length, that many pointers, and cards (`barrow_array_words`).
    Array = 9,
    /// An array whose elements do not change any more.
    ArrayFrozen = 10,
    /// A length, then that many structs of `words` words; bit i of `bitmap` says that word i of each is a pointer.
    Structs = 11,
    /// A length in bytes, then the bytes.
    Bytes = 12,
    /// Size and pointers are told by functions of the client.
    Custom = 13,
    /// A weak array: a length, a word for the collector, which is 0 when the array is made, then that many pointers, or
    /// tagged words with `BARROW_FLAG_TAIL_TAGGED`. Elements keep nothing in the heap alive: when the object of one has
    /// died, it becomes NULL. Never changes its kind (barrow/inline.h: `barrow_weak_array_words` and its like).
    WeakArray = 14,
    /// A suspended computation: a word that the collector does not read, kept for the result, then `ptrs` pointers
    /// and `words` plain words. `barrow_update` makes it an indirection.
    Thunk = 32,
    /// A thunk that takes a field out of a constructor: a word kept for the result, then the one pointer to whatever
    /// will be the constructor. `field` says which word after the constructor's header it is; that must be a pointer.
    /// `ptrs` is 1. A collection that finds the constructor evaluated replaces the selector by the field. Of a constructor
    /// that has no such field nothing is read: `BARROW_E_DAMAGED` with `-DS`, otherwise the selector stays.
    Selector = 33,
    /// An indirection: the value is its one pointer. Collections replace pointers to it by the value.
    Ind = 34,
    /// An indirection that collections keep.
    IndPerm = 35,
    /// An indirection that was made of an object in an old generation.
    IndOldgen = 36,
    /// As `BARROW_IND_PERM`, in an old generation.
    IndOldgenPerm = 37,
    /// A thunk under evaluation. Its one pointer is the client's own, such as a queue of those who wait; null at first.
    Blackhole = 38,
    /// What an entered CAF refers to while it is evaluated. Otherwise as `BARROW_BLACKHOLE`.
    CafBlackhole = 39,
    /// A function: `ptrs` pointers, then `words` plain words. `field` is its arity; bit i of `bitmap` is set when
    /// argument i is a pointer. With more than 64 arguments the bits are in `large`.
    Fun = 40,
    /// A partial application: how many arguments it has, a pointer to the function, and the arguments, of which the
    /// function's table says which are pointers.
    Pap = 41,
    /// A suspended application: a word kept for the result, then as `BARROW_PAP`.
    Ap = 42,
    /// A constructor in the client's data: `ptrs` pointers, `words` plain words, and a word for the collector.
    ConstrStatic = 43,
    /// A function in the client's data; otherwise as `BARROW_FUN`, and a word for the collector.
    FunStatic = 44,
    /// A CAF: a top-level value that was not asked for yet. A word for the value, one for the collector, and one that
    /// saves its table; all are 0. `barrow_new_caf` makes it a `BARROW_IND_STATIC`.
    ThunkStatic = 45,
    /// A CAF that was entered: its value, a word for the collector, and the table that it had.
    IndStatic = 46,
    /// A constructor in the client's data from which no object in the heap can ever be reached: nothing in it is
    /// followed, and it has no word for the collector.
    ConstrNocafStatic = 47,
    /// A weak pointer: key, value and finalizer. Only `barrow_weak_new` makes them.
    Weak = 48,
    /// A stack, or a chunk of one, with frames. Only `barrow_stack_new` and `barrow_stack_grow` make them.
    Stack = 49,
    /// A thread: `ptrs` pointers, of which the first is its stack, then `words` plain words. It is mutable.
    Thread = 50,
    /// What `barrow_stable_name` gives: a number that stands for an object.
    StableName = 51,
    /// A frame in a stack: `ptrs + words` words; bit i of `bitmap` (or of `large`, for more than 64) is set when word i
    /// after the header is a pointer. A bit beyond the words is an error of `barrow_info_check`, of `barrow_stack_check` and,
    /// with `-DS`, of every collection; otherwise it is undefined behaviour.
    ReturnFrame = 52,
    /// A frame in a stack: the object to be updated, `ptrs - 1` more pointers, `words` plain words.
    UpdateFrame = 53,
    /// A frame in a stack: the handler, `ptrs - 1` more pointers, `words` plain words.
    CatchFrame = 54,
    /// The last frame of a stack, or of a chunk: the next chunk or NULL, `ptrs - 1` more pointers, `words` plain words.
    StopFrame = 55,
}

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
        Option<unsafe extern "C" fn(object: *mut c_void, visitor: *mut crate::heap::root::frame::Visitor)>,
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

/// Kinds up to this one have a size that the info table alone tells.
pub const LAST_FIXED_KIND: u8 = Kind::Tagged as u8;

impl Kind {
    pub fn from_number(number: u8) -> Option<Kind> {
        Some(match number {
            1 => Kind::Constr,
            2 => Kind::MutVar,
            3 => Kind::Bitmap,
            4 => Kind::BitmapLarge,
            5 => Kind::Tagged,
            8 => Kind::Sized,
            9 => Kind::Array,
            10 => Kind::ArrayFrozen,
            11 => Kind::Structs,
            12 => Kind::Bytes,
            13 => Kind::Custom,
            14 => Kind::WeakArray,
            32 => Kind::Thunk,
            33 => Kind::Selector,
            34 => Kind::Ind,
            35 => Kind::IndPerm,
            36 => Kind::IndOldgen,
            37 => Kind::IndOldgenPerm,
            38 => Kind::Blackhole,
            39 => Kind::CafBlackhole,
            40 => Kind::Fun,
            41 => Kind::Pap,
            42 => Kind::Ap,
            43 => Kind::ConstrStatic,
            44 => Kind::FunStatic,
            45 => Kind::ThunkStatic,
            46 => Kind::IndStatic,
            47 => Kind::ConstrNocafStatic,
            48 => Kind::Weak,
            49 => Kind::Stack,
            50 => Kind::Thread,
            51 => Kind::StableName,
            52 => Kind::ReturnFrame,
            53 => Kind::UpdateFrame,
            54 => Kind::CatchFrame,
            55 => Kind::StopFrame,
            _ => return None,
        })
    }
}

impl Info {
    /// Whether stores into such an object are expected after it was made.
    #[inline(always)]
    pub fn is_mutable(&self) -> bool {
        const KINDS: u64 = 1 << Kind::MutVar as u8 | 1 << Kind::Array as u8 | 1 << Kind::WeakArray as u8;
        self.flags & FLAG_MUTABLE != 0 || KINDS >> (self.kind & 63) & 1 != 0
    }

    /// Whether uses of such objects cannot be seen: what the references call inherently used.
    #[inline(always)]
    pub fn is_inherently_used(&self) -> bool {
        const KINDS: u64 = 1 << Kind::MutVar as u8
            | 1 << Kind::Array as u8
            | 1 << Kind::ArrayFrozen as u8
            | 1 << Kind::WeakArray as u8
            | 1 << Kind::Bytes as u8
            | 1 << Kind::Weak as u8
            | 1 << Kind::StableName as u8
            | 1 << Kind::Stack as u8
            | 1 << Kind::Thread as u8;
        self.flags & FLAG_INHERENTLY_USED != 0 || KINDS >> (self.kind & 63) & 1 != 0
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
        let Some(kind) = Kind::from_number(info.kind) else {
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
            other => crate::heap::object::lazy::problem(other, info),
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
