//! Kinds of lazy languages: their layouts, their impossible tables, and the library's own tables for indirections and
//! blackholes.

use crate::base::still::Promise;
use crate::base::{Addr, Failure, Outcome};
use crate::heap::object::header::{HEADER_FORWARDED, info_of};
use crate::heap::object::info::{INFO_VERSION, Info, Kind, Names, large_fits, outside};
use crate::heap::object::kind::Kinds;
use crate::heap::object::slots::{SlotSink, by_bitmap};
use std::cell::UnsafeCell;
use std::sync::atomic::AtomicU64;

/// The words of a thunk, or of a CAF, for which threads race.
///
/// # Safety
/// An object of the heap or a CAF lies here.
pub(crate) unsafe fn promise<'a>(thunk: Addr) -> Promise<'a> {
    // SAFETY: the caller's promise; objects have two words at least, and who may race for them uses atomics.
    unsafe {
        Promise::new(AtomicU64::from_ptr(thunk.as_ptr()), AtomicU64::from_ptr(thunk.plus_words(1).as_ptr()))
    }
}

/// The word at which the fields of an object begin whose table tells its words: thunks keep word 1 for their result.
#[inline(always)]
pub(crate) fn first_field(info: &Info) -> usize {
    1 + info.is_whole_in(Kinds::RESULT_FIRST) as usize
}

pub(crate) fn static_words(info: &Info) -> usize {
    if info.is_in(Kinds::CAF) {
        CAF_WORDS
    } else {
        1 + info.ptrs as usize + info.words as usize + info.is_in(Kinds::LINKED) as usize
    }
}

/// Header, value, link, saved table.
const CAF_WORDS: usize = 4;
pub(crate) const CAF_VALUE: usize = 1;
pub(crate) const CAF_LINK: usize = 2;
pub(crate) const CAF_SAVED: usize = 3;

/// The problem of an impossible table of one of these kinds.
pub(crate) fn problem(kind: Kind, info: &Info) -> Option<&'static str> {
    let (ptrs, words) = (info.ptrs, info.words);
    match kind {
        Kind::Selector if ptrs != 1 || words != 0 => {
            Some("selects from one object, so it has one pointer and no other words")
        }
        Kind::Ind | Kind::IndPerm | Kind::IndOldgen | Kind::IndOldgenPerm if ptrs != 1 || words != 0 => {
            Some("is an indirection, so it has one pointer and no other words")
        }
        Kind::Blackhole | Kind::CafBlackhole if ptrs != 1 || words != 0 => {
            Some("is a blackhole, so it has one pointer and no other words")
        }
        Kind::Fun | Kind::FunStatic if info.field <= 64 && outside(info.bitmap, info.field as usize) => {
            Some("has bitmap bits behind its last argument")
        }
        Kind::Fun | Kind::FunStatic if info.field > 64 => {
            // SAFETY: a non-null `large` points to the client's constant table.
            let fits = unsafe { large_fits(info.large, info.field as usize) };
            (!fits).then_some("has more than 64 arguments, and no large bitmap for as many")
        }
        Kind::Pap | Kind::Ap if ptrs != 0 || words != 0 => {
            Some("takes its layout from its function, so it has no pointers or words of its own")
        }
        Kind::ThunkStatic | Kind::IndStatic if ptrs != 0 || words != 0 => {
            Some("is a CAF, whose words are the library's, so it has no pointers or words of its own")
        }
        Kind::Thunk | Kind::Selector | Kind::Ind | Kind::IndPerm | Kind::IndOldgen | Kind::IndOldgenPerm => {
            None
        }
        Kind::Blackhole | Kind::CafBlackhole | Kind::Fun | Kind::FunStatic | Kind::Pap | Kind::Ap => None,
        Kind::ThunkStatic | Kind::IndStatic | Kind::ConstrStatic | Kind::ConstrNocafStatic => None,
        // `Info::check` looks at these.
        Kind::Constr | Kind::MutVar | Kind::Bitmap | Kind::BitmapLarge | Kind::Tagged | Kind::Sized => None,
        Kind::Array | Kind::ArrayFrozen | Kind::WeakArray | Kind::Structs | Kind::Bytes | Kind::Custom => {
            None
        }
        Kind::Weak | Kind::Stack | Kind::Thread | Kind::StableName => None,
        Kind::ReturnFrame | Kind::UpdateFrame | Kind::CatchFrame | Kind::StopFrame => None,
    }
}

/// A partial or suspended application, with the place of its count of arguments.
#[derive(Clone, Copy)]
pub(crate) struct Application {
    object: Addr,
    count: Addr,
}

impl Application {
    pub(crate) fn of(object: Addr, kind: Kind) -> Application {
        let skipped = if kind == Kind::Ap { 2 } else { 1 };
        Application { object, count: object.plus_words(skipped) }
    }

    /// # Safety
    /// A well-formed application lies here: so for every function here.
    pub(crate) unsafe fn arguments(self) -> usize {
        // SAFETY: the caller's promise.
        unsafe { self.count.load() }
    }

    /// # Safety
    /// As for `arguments`.
    pub(crate) unsafe fn words(self) -> usize {
        // SAFETY: as above.
        self.count.words_since(self.object) + 2 + unsafe { self.arguments() }
    }

    pub(crate) fn function(self) -> Addr {
        self.count.plus_words(1)
    }

    /// Hands out the function's slot first: when the sink has moved the function, its table is read at the new place. A
    /// sink that writes future addresses leaves nothing to read there.
    ///
    /// # Safety
    /// As for `arguments`; the function's slot leads to readable memory after the sink has seen it.
    pub(crate) unsafe fn each_slot<S: SlotSink>(self, sink: &mut S) {
        // SAFETY: the caller's promise: so below.
        let before = unsafe { self.function().load() };
        sink.pointer(self.function());
        // SAFETY: as above.
        unsafe {
            let word = if S::AHEAD { before } else { self.function().load() };
            let Some(info) = function_table(word) else { return };
            let count = self.arguments();
            let first = self.function().plus_words(1);
            let arity = info.field as usize;
            if arity <= 64 {
                by_bitmap(first, below(info.bitmap, planted!(45, count - 1, count)), sink);
                return;
            }
            for i in 0..count.min(arity).div_ceil(64) {
                by_bitmap(first.plus_words(i * 64), below(*(*info.large).bits.add(i), count - i * 64), sink);
            }
        }
    }

    /// The problem of the application, if it has one, for checks.
    ///
    /// # Safety
    /// As for `arguments`; the function's slot holds a pointer to a well-formed object.
    pub(crate) unsafe fn check(self) -> Option<&'static str> {
        // SAFETY: the caller's promise.
        unsafe {
            match function_table(self.function().load()) {
                None => Some("applies something that is no function"),
                Some(info) if self.arguments() > info.field as usize => {
                    Some("has more arguments than its function takes")
                }
                Some(_) => None,
            }
        }
    }
}

fn below(bits: usize, count: usize) -> usize {
    if count >= 64 { bits } else { bits & ((1 << count) - 1) }
}

/// The most indirections to a function that are followed; nobody makes more than one.
const MOST_FOLLOWED: usize = 1000;

/// The table of the function that a pointer leads to, through indirections.
///
/// # Safety
/// The word is null or a pointer to a well-formed object, and objects that indirections lead to are as well.
unsafe fn function_table<'a>(word: usize) -> Option<&'a Info> {
    let mut at = Addr(word & !7);
    for _ in 0..MOST_FOLLOWED {
        if at.is_null() {
            return None;
        }
        // SAFETY: the caller's promise. A forwarded object lies where its header says.
        let mut header = unsafe { at.load() };
        if header & HEADER_FORWARDED != 0 {
            at = Addr(header & !7);
            // SAFETY: as above.
            header = unsafe { at.load() };
        }
        let info = info_of(header);
        if !info.is_in(Kinds::INDIRECTION) {
            return info.is_in(Kinds::FUNCTION).then_some(info);
        }
        // SAFETY: an indirection has its value in word 1.
        at = Addr(unsafe { at.plus_words(1).load() } & !7);
    }
    None
}

/// An info table of the library's own. Its number is written when it gets one, like that of any table.
pub(crate) struct Table(UnsafeCell<Info>);
// SAFETY: nothing of a table changes but `id`, which is written by compare-and-swap.
unsafe impl Sync for Table {}

struct Named(Names);
// SAFETY: names are constant strings.
unsafe impl Sync for Named {}

impl Table {
    pub(crate) fn at(&'static self) -> Addr {
        Addr(self.0.get() as usize)
    }
}

macro_rules! tables {
    ($($name:ident, $kind:ident, $text:literal, $ptrs:literal;)*) => {
        $(pub(crate) static $name: Table = {
            static NAMES: Named = Named(Names {
                description: $text.as_ptr(),
                type_name: $text.as_ptr(),
                module: c"barrow".as_ptr(),
                source: std::ptr::null(),
            });
            Table(UnsafeCell::new(Info {
                size: size_of::<Info>() as u16,
                version: INFO_VERSION,
                id: 0,
                entry: None,
                kind: Kind::$kind as u8,
                flags: 0,
                field: 0,
                ptrs: $ptrs,
                words: 0,
                reserved: 0,
                bitmap: 0,
                large: std::ptr::null(),
                custom: std::ptr::null(),
                srt: std::ptr::null(),
                names: &raw const NAMES.0,
            }))
        };)*
    };
}

tables! {
    IND, Ind, c"IND", 1;
    IND_PERM, IndPerm, c"IND_PERM", 1;
    IND_OLDGEN, IndOldgen, c"IND_OLDGEN", 1;
    // A permanent indirection has one name, however old: whether it changes its table depends on the profile.
    IND_OLDGEN_PERM, IndOldgenPerm, c"IND_PERM", 1;
    BLACKHOLE, Blackhole, c"BLACKHOLE", 1;
    CAF_BLACKHOLE, CafBlackhole, c"CAF_BLACKHOLE", 1;
    IND_STATIC, IndStatic, c"IND_STATIC", 0;
}

/// The tables that a heap gives to objects that it changes: the library's, or the client's with entry code.
#[derive(Clone, Copy, Debug)]
pub struct Tables {
    pub ind: Addr,
    pub ind_perm: Addr,
    pub ind_oldgen: Addr,
    pub ind_oldgen_perm: Addr,
    pub blackhole: Addr,
    pub caf_blackhole: Addr,
    pub ind_static: Addr,
}

impl Tables {
    pub fn own() -> Tables {
        Tables {
            ind: IND.at(),
            ind_perm: IND_PERM.at(),
            ind_oldgen: IND_OLDGEN.at(),
            ind_oldgen_perm: IND_OLDGEN_PERM.at(),
            blackhole: BLACKHOLE.at(),
            caf_blackhole: CAF_BLACKHOLE.at(),
            ind_static: IND_STATIC.at(),
        }
    }

    fn place(&mut self, kind: Kind) -> Option<&mut Addr> {
        Some(match kind {
            Kind::Ind => &mut self.ind,
            Kind::IndPerm => &mut self.ind_perm,
            Kind::IndOldgen => &mut self.ind_oldgen,
            Kind::IndOldgenPerm => &mut self.ind_oldgen_perm,
            Kind::Blackhole => &mut self.blackhole,
            Kind::CafBlackhole => &mut self.caf_blackhole,
            Kind::IndStatic => &mut self.ind_static,
            Kind::Constr | Kind::MutVar | Kind::Bitmap | Kind::BitmapLarge | Kind::Tagged => return None,
            Kind::Sized | Kind::Array | Kind::ArrayFrozen | Kind::WeakArray => return None,
            Kind::Structs | Kind::Bytes | Kind::Custom | Kind::Thunk | Kind::Selector => return None,
            Kind::Fun | Kind::FunStatic | Kind::Pap | Kind::Ap => return None,
            Kind::ConstrStatic | Kind::ThunkStatic | Kind::ConstrNocafStatic => return None,
            Kind::Weak | Kind::Stack | Kind::Thread | Kind::StableName => return None,
            Kind::ReturnFrame | Kind::UpdateFrame | Kind::CatchFrame | Kind::StopFrame => return None,
        })
    }

    /// The tables of the client's that lie in a range of addresses, if any.
    pub(crate) fn one_in(self, is_in: impl Fn(usize) -> bool) -> Option<Addr> {
        let Tables { ind, ind_perm, ind_oldgen, ind_oldgen_perm, blackhole, caf_blackhole, ind_static } =
            self;
        let all = [ind, ind_perm, ind_oldgen, ind_oldgen_perm, blackhole, caf_blackhole, ind_static];
        all.into_iter().find(|at| is_in(at.0))
    }

    pub fn of_kind(mut self, kind: Kind) -> Option<Addr> {
        self.place(kind).copied()
    }

    /// Takes a table of the client's for its kind.
    pub fn set(&mut self, at: Addr, info: &Info) -> Outcome<()> {
        let place = info.kind().and_then(|kind| self.place(kind));
        match place {
            Some(place) => {
                *place = at;
                Ok(())
            }
            None => Err(Failure::argument(format_args!(
                "the info table at {at} ({}) is of kind {}: the library makes no objects of that kind",
                info.name(),
                info.kind
            ))),
        }
    }
}
