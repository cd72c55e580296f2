//! The columns of a report by kind of object, and the part of an object that is not its payload.

use crate::base::size::WORD_BYTES;
use crate::base::{Addr, List};
use crate::heap::mutator::busy::Mark;
use crate::heap::object::info::{Info, Kind};
use crate::heap::object::model::info_of;
use std::ffi::c_void;

/// The column in which the report by kind counts an object.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
// Only clients put objects into some of the columns.
#[allow(dead_code)]
pub(crate) enum Column {
    Records = 0,
    Pairs = 1,
    Closures = 2,
    Strings = 3,
    Arrays = 4,
    ByteArrays = 5,
    Code = 6,
    WeakArrays = 7,
}

pub(crate) const COLUMNS: usize = 8;
pub(crate) const COLUMN_NAMES: [&str; COLUMNS] =
    ["records", "pairs", "closures", "strings", "arrays", "bytearrays", "code", "weakarrays"];

/// Returns the column of a table of the client's; any other number leaves the choice to the library.
pub(crate) type ColumnOf = unsafe extern "C" fn(client: *mut c_void, info: *const Info) -> u32;

/// The numbers that one object adds to a table of kinds, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort {
    pub column: u8,
    pub bytes: u64,
    pub overhead: u64,
}

/// The columns of info tables, by their numbers.
#[derive(Default)]
pub struct Columns {
    /// The column plus one, by number of the table; 0 while it is not known.
    known: List<u8>,
    pub column_of: Option<ColumnOf>,
    pub client: Option<*mut c_void>,
    mark: Mark,
    /// Bytes that may be held besides those that are held now.
    pub room: usize,
}

impl Columns {
    pub fn new(mark: Mark) -> Columns {
        Columns { mark, ..Columns::default() }
    }

    /// The column and sizes of an object.
    ///
    /// # Safety
    /// A well-formed object of `words` words lies at `object`.
    #[inline]
    pub unsafe fn sort(&mut self, object: Addr, words: usize) -> Sort {
        // SAFETY: the caller's promise.
        let (info, payload) = unsafe {
            let info = info_of(object.load());
            (info, payload_bytes(object, info, words))
        };
        let bytes = (words * WORD_BYTES) as u64;
        let number = info.number() as usize;
        let column = match self.known.get(number) {
            Some(&known) if known != 0 && number != 0 => known - 1,
            _ => self.learn(number, info),
        };
        Sort { column, bytes, overhead: bytes - payload.min(bytes) }
    }

    #[cold]
    fn learn(&mut self, number: usize, info: &Info) -> u8 {
        let told = self.column_of.map_or(u32::MAX, |tell| {
            // SAFETY: the client's callback takes its own pointer and one of its tables.
            self.mark.during(|| unsafe { tell(self.client.unwrap_or(std::ptr::null_mut()), info) })
        });
        let column = if (told as usize) < COLUMNS { told as u8 } else { usual(info) as u8 };
        // Without memory the client is asked again next time.
        let more = self.known.growth_bytes((number + 1).saturating_sub(self.known.len()));
        if number != 0 && more <= self.room && self.known.fill(number + 1, 0).is_ok() {
            self.room -= more;
            self.known[number] = column + 1;
        }
        column
    }

    pub fn held_bytes(&self) -> usize {
        self.known.held_bytes()
    }
}

fn usual(info: &Info) -> Column {
    match info.kind() {
        Some(Kind::Array | Kind::ArrayFrozen | Kind::Structs | Kind::MutVar) => Column::Arrays,
        Some(Kind::Bytes) => Column::ByteArrays,
        Some(Kind::WeakArray) => Column::WeakArrays,
        Some(Kind::Constr | Kind::Bitmap | Kind::Tagged) if info.ptrs as usize + info.words as usize == 2 => {
            Column::Pairs
        }
        Some(
            Kind::Thunk
            | Kind::Selector
            | Kind::Ind
            | Kind::IndPerm
            | Kind::IndOldgen
            | Kind::IndOldgenPerm
            | Kind::Blackhole
            | Kind::CafBlackhole
            | Kind::Fun
            | Kind::Pap
            | Kind::Ap,
        ) => Column::Closures,
        Some(
            Kind::Constr
            | Kind::Bitmap
            | Kind::Tagged
            | Kind::BitmapLarge
            | Kind::Sized
            | Kind::Custom
            | Kind::ConstrStatic
            | Kind::FunStatic
            | Kind::ThunkStatic
            | Kind::IndStatic
            | Kind::ConstrNocafStatic
            | Kind::Weak
            | Kind::Stack
            | Kind::Thread
            | Kind::StableName
            | Kind::ReturnFrame
            | Kind::UpdateFrame
            | Kind::CatchFrame
            | Kind::StopFrame,
        )
        | None => Column::Records,
    }
}

/// Bytes of an object that are the client's own: without header, lengths, words of the collector's or kept
/// for results, cards and padding.
///
/// # Safety
/// As for `Columns::sort`.
unsafe fn payload_bytes(object: Addr, info: &Info, words: usize) -> u64 {
    // SAFETY: objects of these kinds have a length in word 1.
    let length = || unsafe { object.plus_words(1).load() } as u64;
    let fixed = info.ptrs as u64 + info.words as u64;
    let word = WORD_BYTES as u64;
    match info.kind() {
        Some(Kind::Array | Kind::ArrayFrozen | Kind::WeakArray) => length() * word,
        Some(Kind::Bytes) => length(),
        Some(Kind::Structs) => length() * info.words as u64 * word,
        Some(
            Kind::Constr
            | Kind::MutVar
            | Kind::Bitmap
            | Kind::BitmapLarge
            | Kind::Tagged
            | Kind::Thread
            | Kind::Thunk
            | Kind::Selector
            | Kind::Ind
            | Kind::IndPerm
            | Kind::IndOldgen
            | Kind::IndOldgenPerm
            | Kind::Blackhole
            | Kind::CafBlackhole
            | Kind::Fun,
        ) => fixed * word,
        Some(
            Kind::Sized
            | Kind::Custom
            | Kind::Pap
            | Kind::Ap
            | Kind::ConstrStatic
            | Kind::FunStatic
            | Kind::ThunkStatic
            | Kind::IndStatic
            | Kind::ConstrNocafStatic
            | Kind::Weak
            | Kind::Stack
            | Kind::StableName
            | Kind::ReturnFrame
            | Kind::UpdateFrame
            | Kind::CatchFrame
            | Kind::StopFrame,
        )
        | None => (words as u64 - 1) * word,
    }
}
