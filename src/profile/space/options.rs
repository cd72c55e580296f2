//! The wishes for a space profile, as the client writes them, and what is read from them.

use crate::base::{Failure, Outcome};
use crate::heap::{Info, Mutator};
use crate::profile::space::ledger::Wish;
use crate::profile::space::ledger::manner::{MANNER_ALL, MANNER_TIME};
use crate::profile::space::profiler::SpaceOptions;
use std::ffi::{c_char, c_void};

/// The wishes for a space profile. All zero but the size: allocation and copies of every function, up to 64 MiB.
#[repr(C)]
pub struct SpaceWish {
    /// In: `sizeof(barrow_space_options)`.
    pub size: u32,
    /// The figures to record of each function for which `manner_of` does not choose: bits
    /// BARROW_MANNER_SPACE, BARROW_MANNER_KINDS, BARROW_MANNER_CALLS and BARROW_MANNER_TIME; 0 for the
    /// first alone.
    pub manner: u32,
    /// The figures to record of one function, asked for when it comes up: by its word in the window, or when that is
    /// NULL, by the return address of an allocation. 0 leaves the function out. It is called in the middle of an
    /// allocation and must not use the heap. May be NULL.
    pub manner_of:
        Option<unsafe extern "C" fn(client: *mut c_void, function: *mut c_void, site: *mut c_void) -> u32>,
    /// The column of a kind of object; a number of no column leaves it to the library. Called in collections too.
    /// May be NULL. The outermost profile's function counts.
    pub column_of: Option<unsafe extern "C" fn(client: *mut c_void, info: *const Info) -> u32>,
    /// The name of a word in the window, asked for when the profile ends; NULL for none. May be NULL. A word without
    /// has the name of the counted function whose word it is (`BARROW_COUNTED_FUNCTION`), or is taken for an address of code.
    pub name_of: Option<unsafe extern "C" fn(client: *mut c_void, function: *mut c_void) -> *const c_char>,
    /// Handed to the callbacks.
    pub client: *mut c_void,
    /// Not 0: live data is recorded by function, after collections.
    pub live: u32,
    pub reserved: u32,
    /// The most bytes that the profiler holds, besides side tables, results, and the clock's notes; new functions
    /// count together when more would be needed. 0 for 64 MiB. Fewer than it begins with are refused, with a
    /// sentence that says how many these are.
    pub limit_bytes: usize,
    /// Bytes of these for live data at points of time, which are thinned when they fill them. 0 for a
    /// quarter.
    pub points_bytes: usize,
    /// Microseconds of CPU time between ticks of the clock, for BARROW_MANNER_TIME; 0 for no clock. Of nested profiles,
    /// the first that asks has it.
    pub tick_us: u32,
    /// The depth to which callers of running functions are kept.
    pub depth: u32,
    /// After a tick, at the next allocation: writes the functions on the stack into `functions`, the running one
    /// first, at most `room`, and gives how many: with none, the time is that of "(unknown)". It must not use the
    /// heap. NULL: the word in the window is the function that runs, and nothing else is known.
    pub walk: Option<
        unsafe extern "C" fn(
            client: *mut c_void,
            mutator: *mut Mutator,
            functions: *mut *mut c_void,
            room: usize,
        ) -> usize,
    >,
    /// Not 0: `walk` gives return addresses, and not words of the client's.
    pub walk_tells_code: u32,
    pub reserved2: u32,
}

const DEFAULT_LIMIT: usize = 64 << 20;

impl SpaceWish {
    /// The wishes of a client that has filled in the size alone.
    pub(crate) const ALL_ZERO: SpaceWish = SpaceWish {
        size: size_of::<SpaceWish>() as u32,
        manner: 0,
        manner_of: None,
        column_of: None,
        name_of: None,
        client: std::ptr::null_mut(),
        live: 0,
        reserved: 0,
        limit_bytes: 0,
        points_bytes: 0,
        tick_us: 0,
        depth: 0,
        walk: None,
        walk_tells_code: 0,
        reserved2: 0,
    };

    pub(crate) fn refuse_smaller(bytes: usize) -> Outcome<()> {
        if bytes < size_of::<SpaceWish>() {
            return Err(Failure::argument(format_args!(
                "the size of the options is {bytes}, and not sizeof(barrow_space_options), {}",
                size_of::<SpaceWish>()
            )));
        }
        Ok(())
    }

    /// The options, with the library's choices where the client has none.
    pub(crate) fn read(&self) -> Outcome<SpaceOptions> {
        if self.manner & !MANNER_ALL != 0 {
            return Err(Failure::argument(format_args!("{:#x} is no manner of profiling", self.manner)));
        }
        let times = self.manner & MANNER_TIME != 0 || self.manner_of.is_some();
        if (self.manner & MANNER_TIME != 0 && self.tick_us == 0) || (self.tick_us != 0 && !times) {
            return Err(Failure::argument(format_args!("BARROW_MANNER_TIME and tick_us need one another")));
        }
        let limit_bytes = if self.limit_bytes == 0 { DEFAULT_LIMIT } else { self.limit_bytes };
        let points_bytes = if self.points_bytes == 0 { limit_bytes / 4 } else { self.points_bytes };
        if points_bytes > limit_bytes {
            return Err(Failure::argument(format_args!(
                "live data may take {points_bytes} bytes, which is more than the {limit_bytes} of the whole profiler"
            )));
        }
        let manner = if self.manner == 0 { 1 } else { self.manner };
        Ok(SpaceOptions {
            wish: Wish {
                manner,
                manner_of: self.manner_of,
                client: self.client,
                live: self.live != 0,
                limit_bytes,
                points_bytes,
                tick_ns: self.tick_us as u64 * 1000,
                walk: self.walk,
                walk_tells_code: self.walk_tells_code != 0,
                depth: self.depth as usize,
            },
            column_of: self.column_of,
            name_of: self.name_of,
        })
    }
}
