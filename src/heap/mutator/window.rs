//! The window: the part of a mutator that compiled code reads and writes.
//!
//! The window is the first part of a mutator, and its layout is part of the ABI: `c-tests/layout.c` has every offset,
//! and `barrow_window_offset` tells them to code generators.

use crate::heap::mutator::ticky::{EntryCount, Ticky};
use crate::heap::object::info::Info;
use crate::heap::root::frame::Frame;
use crate::identity::{Ccs, ccs, stacks};
use std::mem::offset_of;

/// The part of a mutator that compiled code may touch. Fields of profilers stay zero while those are off.
#[repr(C)]
pub struct Window {
    /// Next free word of the allocation area.
    pub hp: *mut usize,
    /// End of the allocation area. Zero asks the mutator to come to the slow path: the test is `hp + n > hp_lim`.
    pub hp_lim: *mut usize,
    /// Newest frame of the shadow stack.
    pub frames: *mut Frame,
    /// An address p is in this heap when `p - heap_base < heap_length`. The length is 0 when the heap lies in chunks.
    pub heap_base: usize,
    pub heap_length: usize,
    /// One byte for each block from `heap_base` on: see `BARROW_CODE_GENERATION` in barrow/inline.h.
    pub codes: *const u8,
    /// The place of the write barrier's next entry, and the end of its buffer.
    pub remember: *mut usize,
    pub remember_lim: *mut usize,
    /// Current cost-centre stack, and the value of `hp` when it became current; above every `hp` while `watch` is not
    /// 0.
    pub ccs: *mut Ccs,
    pub hp_at_ccs: *mut usize,
    /// Number of the era; not 0 while a biography is taken.
    pub era: u32,
    /// Not 0 while somebody wants the mutator's attention. Other threads set it, so compiled code loads it atomically.
    pub poll: u32,
    /// Offsets of side tables in a megablock's header; 0 while off: biography, producer, cell.
    pub side: [usize; 3],
    /// The heap's tag rule: bit t set, words with low four bits t are pointers.
    pub tagged_pointers: u16,
    pub reserved16: [u16; 3],
    pub address_mask: usize,
    pub address_offset: usize,
    /// The client's function that runs, for the per-function profiler.
    pub function: *mut std::ffi::c_void,
    /// Not 0 while changes of cost-centre stack go out of line; compiled code knows it by `hp_at_ccs`.
    pub watch: usize,
    /// The mutator's counts of each function, by its number; null until the first is counted.
    pub entries: *mut EntryCount,
    /// The mutator's ticky counters; reports add up those of all.
    pub ticky: *mut Ticky,
    /// Words of the client's own, 0 at first. No collection looks at them: a reference there is in no root.
    pub client: [*mut std::ffi::c_void; 4],
    /// The distance in bytes from a cost-centre stack to its row of costs, a `barrow_cost`. For compiled code, while
    /// `watch` is 0.
    pub costs: usize,
    /// The table that `barrow_update` gives to young thunks, and `barrow_blackhole` to thunks under evaluation; null
    /// while both have to go out of line.
    pub ind: *const Info,
    pub blackhole: *const Info,
    /// The stack object that the mutator runs on, its newest frame, and the start of its words; null while on none.
    pub stack: *mut std::ffi::c_void,
    pub sp: *mut usize,
    pub sp_lim: *mut usize,
    /// The code that `barrow_try_alloc` calls on x86-64 while space is counted by function; null else. It is no
    /// function of C: barrow/inline.h shows the call.
    pub counted: *const std::ffi::c_void,
    /// The mark of the first 16 bytes of all addresses, for `barrow_use`; the marks of the others follow. Null while no
    /// biography is taken, and while one is taken without marks.
    pub marks: *mut u8,
    /// The table that `barrow_claim` gives to thunks; null while it has to go out of line.
    pub claimed: *const Info,
    /// The word that says in a claimed thunk whose it is: the mutator's number, and no address. In a heap with several mutators it is another
    /// one whenever the mutator has entered a stack object, or left one.
    pub owner: usize,
    /// The table that `barrow_update` gives to young thunks in a heap with several mutators, where it looks first whether
    /// they still are thunks; null while it has to go out of line, and in other heaps.
    pub shared_ind: *const Info,
    pub reserved: [usize; 3],
}

/// The costs of one cost-centre stack: `barrow_cost_of` has its place. As long as a stack [ccs.rows].
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Bytes allocated while the stack was current.
    pub bytes: u64,
    /// Entries of its innermost centre, from elsewhere or from itself.
    pub entries: u64,
    /// Ticks of the time profile, to which the ticker's thread adds.
    pub ticks: u64,
    pub reserved: [u64; 5],
}

const _: () = assert!(size_of::<Cost>() == 1 << stacks::LOG_STACK_BYTES);

/// Reasons for changes of the stack to go out of line: bits of `watch`.
pub(crate) mod watch {
    /// Stacks have no rows yet: everything is MAIN's.
    pub(crate) const UNCOUNTED: usize = 1;
    /// Ticks fall due by bytes allocated.
    pub(crate) const TICKS: usize = 2;
    /// The producer of each object is noted.
    pub(crate) const PRODUCERS: usize = 4;
}

/// `hp_at_ccs` while somebody watches: above every `hp`, so that inline code gets a borrow when it subtracts.
pub(crate) const WATCHED: *mut usize = std::ptr::without_provenance_mut(usize::MAX & !7);

impl Window {
    /// The offset of a field by its name, in bytes.
    pub(crate) fn offset_of(field: &str) -> Option<usize> {
        macro_rules! offsets {
            ($($name:ident),*) => { [$((stringify!($name), offset_of!(Window, $name))),*] };
        }
        let offsets = offsets![
            hp,
            hp_lim,
            frames,
            heap_base,
            heap_length,
            codes,
            remember,
            remember_lim,
            ccs,
            hp_at_ccs,
            era,
            poll,
            side,
            tagged_pointers,
            address_mask,
            address_offset,
            function,
            watch,
            entries,
            ticky,
            client,
            costs,
            ind,
            blackhole,
            stack,
            sp,
            sp_lim,
            counted,
            marks,
            claimed,
            owner,
            shared_ind,
            reserved
        ];
        offsets.into_iter().find(|&(name, _)| name == field).map(|(_, offset)| offset)
    }

    pub fn empty() -> Window {
        Window {
            hp: std::ptr::null_mut(),
            hp_lim: std::ptr::null_mut(),
            frames: std::ptr::null_mut(),
            heap_base: 0,
            heap_length: 0,
            codes: std::ptr::null(),
            remember: std::ptr::null_mut(),
            remember_lim: std::ptr::null_mut(),
            ccs: ccs::main().as_mut_ptr(),
            hp_at_ccs: WATCHED,
            era: 0,
            poll: 0,
            side: [0; 3],
            tagged_pointers: 0,
            reserved16: [0; 3],
            address_mask: 0,
            address_offset: 0,
            function: std::ptr::null_mut(),
            watch: watch::UNCOUNTED,
            entries: std::ptr::null_mut(),
            ticky: std::ptr::null_mut(),
            client: [std::ptr::null_mut(); 4],
            costs: 0,
            ind: std::ptr::null(),
            blackhole: std::ptr::null(),
            stack: std::ptr::null_mut(),
            sp: std::ptr::null_mut(),
            sp_lim: std::ptr::null_mut(),
            counted: std::ptr::null(),
            marks: std::ptr::null_mut(),
            claimed: std::ptr::null(),
            owner: 0,
            shared_ind: std::ptr::null(),
            reserved: [0; 3],
        }
    }
}
