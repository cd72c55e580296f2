//! Kinds of objects, and the groups that each belongs to.
//!
//! The byte in an info table becomes a kind in one place (`Kind::from_number`), and each kind has one row that says to
//! which groups it belongs. Code that distinguishes kinds names all of them, so that a new one does not compile before
//! all such code has it; `tests/library/kinds.rs` plants one.

/// The kind of an object, which says how it is laid out. Word 0 of every object is its header.
///
/// Numbers are part of the ABI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub enum Kind {
    /// `ptrs` pointers, then `words` plain words. An object has 2 words at least: one without fields has a word more. The pointers may
    /// change, by the write barrier; where they often do, `BARROW_FLAG_MUTABLE` says so.
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
    /// An object whose size and pointers are told by functions of the client.
    Custom = 13,
    /// A weak array: a length, a word for the collector, which is 0 when the array is made, then that many pointers, or
    /// tagged words with `BARROW_FLAG_TAIL_TAGGED`. Elements keep nothing in the heap alive: when the object of one has
    /// died, it becomes NULL. Never changes its kind (barrow/inline.h: `barrow_weak_array_words` and its like).
    WeakArray = 14,
    /// A suspended computation: a word that the collector does not read, kept for the result, then `ptrs` pointers
    /// and `words` plain words. `barrow_update` makes it an indirection.
    Thunk = 32,
    /// A thunk that takes a field out of a constructor: a word kept for the result, then the one pointer, to the future
    /// constructor. `field` says which word after the constructor's header it is; that must be a pointer. `ptrs` is 1.
    /// A collection that finds the constructor evaluated replaces the selector by the field. Of a constructor that has
    /// no such field nothing is read: `BARROW_E_DAMAGED` with `-DS`, otherwise the selector stays.
    Selector = 33,
    /// An indirection: the value is its one pointer. Collections replace pointers to it by the value; with several mutators not by
    /// one that is a thunk, which an update that comes late would overwrite.
    Ind = 34,
    /// An indirection that collections keep.
    IndPerm = 35,
    /// An indirection that was made of an object in an old generation.
    IndOldgen = 36,
    /// As `BARROW_IND_PERM`, in an old generation.
    IndOldgenPerm = 37,
    /// A thunk under evaluation. Its one pointer is the client's own, such as a queue of waiters; null at first. Where `barrow_claim`
    /// made it, the word is no pointer: it says whose claim it is, and is the library's.
    Blackhole = 38,
    /// The object that an entered CAF refers to while it is evaluated. Otherwise as `BARROW_BLACKHOLE`.
    CafBlackhole = 39,
    /// A function: `ptrs` pointers, then `words` plain words. `field` is its arity; bit i of `bitmap` is set when
    /// argument i is a pointer. With more than 64 arguments the bits are in `large`.
    Fun = 40,
    /// A partial application: its number of arguments, a pointer to the function, and the arguments, of which the
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
    /// A stable name (`barrow_stable_name`): a number that stands for an object.
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

/// The list of all kinds: a kind that is missing in it does not compile.
macro_rules! all_kinds {
    ($($kind:ident)*) => {
        impl Kind {
            /// Every kind, in the order of their numbers.
            pub(crate) const ALL: [Kind; [$(Kind::$kind),*].len()] = {
                match Kind::Constr {
                    $(Kind::$kind => {})*
                }
                [$(Kind::$kind),*]
            };

            /// The one conversion from a byte of a table. `None` when it is no kind.
            #[inline(always)]
            pub const fn from_number(number: u8) -> Option<Kind> {
                mod byte {
                    #![allow(non_upper_case_globals)]
                    $(pub(super) const $kind: u8 = super::Kind::$kind as u8;)*
                }
                match number {
                    $(byte::$kind => Some(Kind::$kind),)*
                    _ => None,
                }
            }
        }
    };
}

all_kinds! {
    Constr MutVar Bitmap BitmapLarge Tagged Sized Array ArrayFrozen Structs Bytes Custom WeakArray
    Thunk Selector Ind IndPerm IndOldgen IndOldgenPerm Blackhole CafBlackhole Fun Pap Ap
    ConstrStatic FunStatic ThunkStatic IndStatic ConstrNocafStatic Weak Stack Thread StableName
    ReturnFrame UpdateFrame CatchFrame StopFrame
}

/// Several kinds, by a bit for the number of each.
#[derive(Clone, Copy)]
pub struct Kinds(u64);

macro_rules! groups {
    ($($(#[$doc:meta])* $group:ident)*) => {
        /// The groups, by their places in a row.
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[derive(Clone, Copy)]
        enum Group {
            $($group),*
        }
        impl Kinds {
            $($(#[$doc])* pub(crate) const $group: Kinds = Kinds::of(Group::$group);)*
        }
    };
}

groups! {
    /// Words behind the header are as many as the table says, pointers and plain ones.
    FIXED
    /// Pointers, as many as the table says, follow the header, and nothing else is a pointer.
    RECORD
    /// Constructors with pointers first, in the heap or in the client's data: selectors select from these.
    CONSTRUCTOR
    /// Closures whose words are as many as the table says: pointers, then plain ones.
    CLOSURE
    /// Closures whose fields begin behind a word for their result.
    RESULT_FIRST
    /// The table may have a table of static references.
    MENTIONING
    /// Arrays of pointers, which may have cards.
    ARRAY
    /// A length follows the header, and `barrow_shrink` may make it smaller.
    LENGTH_FIRST
    /// Stores into the object are expected, whatever the flags say.
    MUTABLE
    /// Nobody sees a use of the object.
    USED_UNSEEN
    /// All words that are no pointers are the client's. Thunks and their like have words that keep what they were.
    PLAIN
    /// Profiles know the object by its layout; any other by its constructor.
    BY_LAYOUT
    /// Threads and their stacks, which profiles leave out unless they are told to show them.
    THREAD
    /// Indirections in the heap.
    INDIRECTION
    /// Indirections that collections remove.
    PASSING
    /// A collection may have to make something other than a copy. Permanent indirections lie between the others, so that this is
    /// one comparison; they are copied after all.
    REPLACEABLE
    /// Several workers may copy such objects: sizes and fields are told by the table and by words that do not change, and a copy is
    /// all that is made of the object.
    TOGETHER
    /// Thunks under evaluation.
    BLACK
    /// `barrow_update` may overwrite the object.
    UPDATABLE
    /// Functions, in the heap or in the client's data.
    FUNCTION
    /// Objects in the client's data.
    STATIC
    /// Top-level values of the client's data, asked for or not.
    CAF
    /// Other objects of the client's data with a word for the collector, which is their last.
    LINKED
    /// Frames in stacks, which are no objects.
    FRAME
    /// Calls of their own make these; nothing becomes one, and they become nothing else.
    OWN_CALL
    /// Retainers unless the client says otherwise: work to be done, objects that change, and those that roots are made
    /// of.
    RETAINER
    /// Retainers of a strict language, besides these: functions with their captured values.
    STRICT_RETAINER
}

impl Kind {
    /// The groups that a kind belongs to. The next kind needs its row.
    const fn groups(self) -> &'static [Group] {
        use Group::*;
        match self {
            Kind::Constr => &[FIXED, RECORD, CONSTRUCTOR, PLAIN, TOGETHER],
            Kind::MutVar => &[FIXED, RECORD, MUTABLE, USED_UNSEEN, PLAIN, BY_LAYOUT, RETAINER, TOGETHER],
            Kind::Bitmap => &[FIXED, PLAIN, TOGETHER],
            Kind::BitmapLarge => &[FIXED, PLAIN, TOGETHER],
            Kind::Tagged => &[FIXED, PLAIN, TOGETHER],
            Kind::Sized => &[PLAIN, TOGETHER],
            Kind::Array => &[LENGTH_FIRST, ARRAY, MUTABLE, USED_UNSEEN, BY_LAYOUT, RETAINER, TOGETHER],
            Kind::ArrayFrozen => &[LENGTH_FIRST, ARRAY, USED_UNSEEN, BY_LAYOUT, TOGETHER],
            Kind::Structs => &[LENGTH_FIRST, PLAIN, TOGETHER],
            Kind::Bytes => &[LENGTH_FIRST, USED_UNSEEN, BY_LAYOUT, TOGETHER],
            Kind::Custom => &[PLAIN],
            Kind::WeakArray => &[LENGTH_FIRST, MUTABLE, USED_UNSEEN, BY_LAYOUT],
            Kind::Thunk => &[CLOSURE, RESULT_FIRST, MENTIONING, UPDATABLE, RETAINER, TOGETHER],
            Kind::Selector => &[CLOSURE, RESULT_FIRST, MENTIONING, REPLACEABLE, UPDATABLE, RETAINER],
            Kind::Ind => &[CLOSURE, MENTIONING, INDIRECTION, PASSING, REPLACEABLE],
            Kind::IndPerm => &[CLOSURE, MENTIONING, BY_LAYOUT, INDIRECTION, REPLACEABLE],
            Kind::IndOldgen => &[CLOSURE, MENTIONING, INDIRECTION, PASSING, REPLACEABLE],
            Kind::IndOldgenPerm => &[CLOSURE, MENTIONING, BY_LAYOUT, INDIRECTION, TOGETHER],
            Kind::Blackhole => &[CLOSURE, MENTIONING, BLACK, UPDATABLE, TOGETHER],
            Kind::CafBlackhole => &[CLOSURE, MENTIONING, BLACK, UPDATABLE, TOGETHER],
            Kind::Fun => &[CLOSURE, MENTIONING, PLAIN, FUNCTION, STRICT_RETAINER, TOGETHER],
            Kind::Pap => &[MENTIONING, STRICT_RETAINER, TOGETHER],
            Kind::Ap => &[MENTIONING, UPDATABLE, RETAINER, TOGETHER],
            Kind::ConstrStatic => &[MENTIONING, STATIC, LINKED, CONSTRUCTOR],
            Kind::FunStatic => &[MENTIONING, FUNCTION, STATIC, LINKED],
            Kind::ThunkStatic => &[MENTIONING, STATIC, RETAINER, CAF],
            Kind::IndStatic => &[MENTIONING, STATIC, CAF],
            Kind::ConstrNocafStatic => &[MENTIONING, STATIC, CONSTRUCTOR],
            Kind::Weak => &[MENTIONING, USED_UNSEEN, BY_LAYOUT, OWN_CALL, RETAINER],
            Kind::Stack => &[MENTIONING, USED_UNSEEN, BY_LAYOUT, THREAD, OWN_CALL, RETAINER],
            Kind::Thread => &[MENTIONING, USED_UNSEEN, PLAIN, BY_LAYOUT, THREAD, RETAINER],
            Kind::StableName => &[MENTIONING, USED_UNSEEN, BY_LAYOUT, OWN_CALL],
            Kind::ReturnFrame => &[MENTIONING, FRAME, OWN_CALL],
            Kind::UpdateFrame => &[MENTIONING, FRAME, OWN_CALL],
            Kind::CatchFrame => &[MENTIONING, FRAME, OWN_CALL],
            Kind::StopFrame => &[MENTIONING, FRAME, OWN_CALL],
        }
    }

    /// The byte that stands for the kind in an info table.
    #[inline(always)]
    pub const fn number(self) -> u8 {
        self as u8
    }

    #[inline(always)]
    pub(crate) const fn is_in(self, kinds: Kinds) -> bool {
        kinds.has_number(self.number())
    }
}

impl Kinds {
    pub(crate) const ALL: Kinds = {
        let (mut bits, mut i) = (0, 0);
        while i < Kind::ALL.len() {
            bits |= 1 << Kind::ALL[i].number();
            i += 1;
        }
        Kinds(bits)
    };

    const fn of(group: Group) -> Kinds {
        let (mut bits, mut i) = (0, 0);
        while i < Kind::ALL.len() {
            let row = Kind::ALL[i].groups();
            let mut k = 0;
            while k < row.len() {
                if row[k] as u8 == group as u8 {
                    bits |= 1 << Kind::ALL[i].number();
                }
                k += 1;
            }
            i += 1;
        }
        Kinds(bits)
    }

    pub(crate) const fn and(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    /// Kinds whose numbers follow each other are told by one comparison.
    const fn is_run(self) -> bool {
        (self.0 >> self.0.trailing_zeros()).wrapping_add(1).is_power_of_two()
    }

    const fn first(self) -> u8 {
        self.0.trailing_zeros() as u8
    }

    const fn last(self) -> u8 {
        63 - self.0.leading_zeros() as u8
    }

    /// Whether a byte stands for one of these kinds.
    #[inline(always)]
    pub(crate) const fn has_number(self, number: u8) -> bool {
        if self.is_run() {
            number.wrapping_sub(self.first()) <= self.last() - self.first()
        } else {
            number < 64 && self.0 >> number & 1 != 0
        }
    }

    /// As `has_number`, for a byte that stands for some kind; for any other it may say anything.
    #[inline(always)]
    pub(crate) const fn has_whole(self, number: u8) -> bool {
        if self.is_run() && self.first() == Kind::ALL[0].number() {
            number <= self.last()
        } else if self.is_run() && self.last() == Kind::ALL[Kind::ALL.len() - 1].number() {
            number >= self.first()
        } else if self.is_run() {
            self.has_number(number)
        } else {
            self.0 >> (number & 63) & 1 != 0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUPS: &[Kinds] = &[
        Kinds::FIXED,
        Kinds::RECORD,
        Kinds::CONSTRUCTOR,
        Kinds::CLOSURE,
        Kinds::RESULT_FIRST,
        Kinds::MENTIONING,
        Kinds::ARRAY,
        Kinds::LENGTH_FIRST,
        Kinds::MUTABLE,
        Kinds::USED_UNSEEN,
        Kinds::PLAIN,
        Kinds::BY_LAYOUT,
        Kinds::THREAD,
        Kinds::INDIRECTION,
        Kinds::PASSING,
        Kinds::REPLACEABLE,
        Kinds::TOGETHER,
        Kinds::BLACK,
        Kinds::UPDATABLE,
        Kinds::FUNCTION,
        Kinds::STATIC,
        Kinds::CAF,
        Kinds::LINKED,
        Kinds::FRAME,
        Kinds::OWN_CALL,
        Kinds::RETAINER,
        Kinds::STRICT_RETAINER,
    ];

    #[test]
    fn bytes_are_kinds_or_nothing() {
        for number in 0..=u8::MAX {
            let kind = Kind::from_number(number);
            assert_eq!(kind.map(Kind::number).unwrap_or(number), number);
            assert_eq!(kind.is_some(), Kind::ALL.iter().any(|kind| kind.number() == number));
        }
        assert!(Kind::ALL.windows(2).all(|pair| pair[0].number() < pair[1].number()));
    }

    #[test]
    fn groups_have_what_rows_say_in_either_form() {
        for kinds in GROUPS {
            for number in 0..=u8::MAX {
                let is = number < 64 && kinds.bits() >> number & 1 != 0;
                assert_eq!(kinds.has_number(number), is, "{:#x} {number}", kinds.bits());
                if Kind::from_number(number).is_some() {
                    assert_eq!(kinds.has_whole(number), is, "{:#x} {number}", kinds.bits());
                }
            }
        }
    }
}
