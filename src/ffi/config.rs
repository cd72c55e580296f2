//! The configuration of a heap: its properties, and the sizes that the client was compiled for.

use super::guard;
use super::version::ABI_MAJOR;
use crate::base::flag::Flags;
use crate::base::size::*;
use crate::base::{Failure, Outcome, Status, Text};
use crate::heap::Mutator;
use crate::heap::root::frame::Visitor;
use crate::host::Host;
use crate::os::environment;
use crate::runtime::heap::Values;
use crate::runtime::hooks::{Client, Event, Hooks};
use crate::runtime::slot::Slot;
use std::ffi::{CStr, c_char, c_void};
use std::fmt;

/// Sizes that are compiled into clients, with the inline functions. `barrow_config_init` fills in those of the client,
/// `barrow_config_default` those of the library; a heap is refused to a client that was compiled for others.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// Bytes in a block, the unit in which the heap gives memory to its parts: `BARROW_BLOCK_BYTES`.
    pub block_bytes: u32,
    /// Bytes in a megablock, which is aligned to its size: `BARROW_MEGABLOCK_BYTES`.
    pub megablock_bytes: u32,
    /// Bytes of the description of a block, `barrow_bdescr`: `BARROW_DESCRIPTOR_BYTES`.
    pub descriptor_bytes: u32,
    /// Words of the largest object that is allocated in line: `BARROW_MAX_INLINE_WORDS`.
    pub max_inline_words: u32,
    /// Words that one reservation may have: `BARROW_MAX_RESERVE_WORDS`.
    pub max_reserve_words: u32,
    /// Elements of an array that share one mark of the write barrier: `BARROW_CARD_ELEMENTS`.
    pub card_elements: u32,
}

/// The variable of the environment that has flags, for clients that allow it.
const VARIABLE: &CStr = c"BARROW_FLAGS";
const VARIABLE_SHOWN: &str = "BARROW_FLAGS";

pub const OUR_GEOMETRY: Geometry = Geometry {
    block_bytes: BLOCK_BYTES as u32,
    megablock_bytes: MEGABLOCK_BYTES as u32,
    descriptor_bytes: DESCRIPTOR_BYTES as u32,
    max_inline_words: MAX_INLINE_WORDS as u32,
    max_reserve_words: MAX_RESERVE_WORDS as u32,
    card_elements: CARD_ELEMENTS as u32,
};

/// The sizes in which a client differs, in words.
struct Differences(Geometry);

impl fmt::Display for Differences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (theirs, ours) = (&self.0, &OUR_GEOMETRY);
        let mut between = "the client was compiled for ";
        for (what, theirs, ours) in [
            ("bytes in a block", theirs.block_bytes, ours.block_bytes),
            ("bytes in a megablock", theirs.megablock_bytes, ours.megablock_bytes),
            ("bytes in a block's descriptor", theirs.descriptor_bytes, ours.descriptor_bytes),
            ("words in the largest inline object", theirs.max_inline_words, ours.max_inline_words),
            ("words in the largest reservation", theirs.max_reserve_words, ours.max_reserve_words),
            ("elements on a card", theirs.card_elements, ours.card_elements),
        ] {
            if theirs != ours {
                write!(f, "{between}{theirs} {what}, where this library has {ours}")?;
                between = ", and for ";
            }
        }
        Ok(())
    }
}

/// The properties of a heap. `barrow_config_init` (barrow/inline.h) fills in the sizes and versions of the caller,
/// and `barrow_config_default` does so for callers that do not compile C; everything else may stay zero.
///
/// The client's: `barrow_heap_new` reads it, copies what it needs, and keeps no address of it or of its flags. The
/// callbacks and the data behind `client` outlive the heap.
#[repr(C)]
pub struct Config {
    /// `sizeof(barrow_config)` as the caller knows it.
    pub size: u32,
    /// `BARROW_ABI_MAJOR` as the caller knows it.
    pub abi_major: u32,
    /// The sizes that the caller was compiled for.
    pub geometry: Geometry,
    /// Flags such as "-A4m -G3 -M2g"; NULL for none. `barrow_flags_help` lists them.
    pub flags: *const c_char,
    /// The tag rule: words whose low four bits are in this table are pointers. 0: no tagged words.
    pub tagged_pointers: u16,
    /// Objects lie at multiples of 8 or 16; 0 is 8.
    pub object_alignment: u16,
    /// Not 0: the flags in the environment's `BARROW_FLAGS` come behind `flags`, as `barrow run` sets them. They are not read in a
    /// program that has more rights than whoever started it (setuid, setgid, capabilities of its file).
    pub environment: u32,
    /// The address in a tagged pointer w is (w & address_mask) + address_offset. 0 without tagged words.
    pub address_mask: usize,
    /// The offset in the same sum.
    pub address_offset: usize,
    /// Called in each collection: calls `barrow_visit` and its like for the client's roots, and returns: a jump
    /// out of it leaves a heap that cannot be used any more.
    pub roots: Option<unsafe extern "C-unwind" fn(client: *mut c_void, visitor: *mut Visitor)>,
    /// Called with the bytes that are needed when there is no memory for them: true to try again. It may leave by longjmp or throw.
    pub overflow:
        Option<unsafe extern "C-unwind" fn(client: *mut c_void, mutator: *mut Mutator, bytes: usize) -> bool>,
    /// Called at the end of a collection that has queued finalizers. It takes note, and calls nothing of this heap.
    pub finalizers_ready: Option<unsafe extern "C" fn(client: *mut c_void)>,
    /// Called with a sentence before the process is aborted, when the heap was found to be inconsistent.
    pub fatal: Option<unsafe extern "C" fn(client: *mut c_void, sentence: *const c_char)>,
    /// Called when a collection begins and ends.
    pub event: Option<unsafe extern "C" fn(client: *mut c_void, event: *const Event)>,
    /// Handed to every callback.
    pub client: *mut c_void,
}

/// Fills `size` bytes of a configuration with this library's version and sizes, and zero for everything else: for programs
/// that load the library and contain none of its inline functions. C programs call `barrow_config_init`, which has the
/// versions and sizes that they were compiled for.
///
/// # Safety
/// `config` is NULL or has `size` writable bytes, `sizeof(barrow_config)` as the caller knows it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_config_default(config: *mut Config, size: usize) -> Status {
    guard::free_standing(|| {
        if config.is_null() {
            return Err(Failure::argument(format_args!("the configuration is NULL")));
        }
        if size < size_of::<Config>() || size > u32::MAX as usize {
            return Err(Failure::new(
                Status::Abi,
                format_args!(
                    "the configuration has {size} bytes, and this library needs {}: is it of another version's declarations?",
                    size_of::<Config>()
                ),
            ));
        }
        // SAFETY: the caller's promise; all zeros is a configuration, and ours fits.
        unsafe {
            config.cast::<u8>().write_bytes(0, size);
            (*config).size = size as u32;
            (*config).abi_major = ABI_MAJOR;
            (*config).geometry = OUR_GEOMETRY;
        }
        Ok(())
    })
}

/// # Safety
/// `config` is null or points to a configuration.
pub(super) unsafe fn make(config: *const Config) -> Outcome<Slot<Host>> {
    if config.is_null() {
        return Err(Failure::argument(format_args!("the configuration is NULL")));
    }
    // SAFETY: the caller's promise; the first two fields exist in every version.
    let (size, abi_major) = unsafe { ((*config).size, (*config).abi_major) };
    if abi_major != ABI_MAJOR {
        return Err(Failure::new(
            Status::Abi,
            format_args!(
                "compiled for version {abi_major} of the ABI; this library has version {ABI_MAJOR}: compile again"
            ),
        ));
    }
    if (size as usize) < size_of::<Config>() {
        return Err(Failure::new(
            Status::Abi,
            format_args!(
                "the configuration has {size} bytes, this library needs {}: was barrow_config_init or barrow_config_default called?",
                size_of::<Config>()
            ),
        ));
    }
    // SAFETY: it has the size of ours at least.
    let config = unsafe { &*config };
    if planted!(152, false, config.geometry != OUR_GEOMETRY) {
        let differences = Differences(config.geometry);
        return Err(Failure::new(
            Status::Abi,
            format_args!("{differences}: compile the client with the headers of this library"),
        ));
    }
    let line = if config.flags.is_null() {
        ""
    } else {
        // SAFETY: the caller's promise for a string in the configuration.
        unsafe { guard::text(config.flags, "the line of flags")? }
    };
    let flags = read_flags(line, config.environment != 0)?;
    let hooks = Hooks {
        roots: config.roots,
        overflow: config.overflow,
        finalizers_ready: config.finalizers_ready,
        fatal: config.fatal,
        event: config.event,
        client: Client(config.client),
    };
    let values = Values {
        tagged_pointers: config.tagged_pointers,
        address_mask: config.address_mask,
        address_offset: config.address_offset,
        alignment: if config.object_alignment == 0 { 8 } else { config.object_alignment as usize },
    };
    Host::new(flags, values, hooks)
}

/// Reads the client's flags, and those of the environment behind them where the client allows it.
fn read_flags(line: &str, environment: bool) -> Outcome<Flags> {
    let mut more = Text::new();
    if environment {
        let bytes = environment::variable(VARIABLE)?;
        let text = std::str::from_utf8(&bytes).map_err(|_| {
            Failure::argument(format_args!("{VARIABLE_SHOWN} in the environment is not valid UTF-8"))
        })?;
        more.add(text)?;
    }
    if more.is_empty() {
        return Flags::parse(line);
    }
    // A mistake of the client's own is told as such.
    Flags::parse(line)?;
    let mut whole = Text::of(line)?;
    whole.add_all(&[if line.is_empty() { "" } else { " " }, more.as_str()])?;
    Flags::parse(whole.as_str()).map_err(|failure| {
        Failure::new(
            failure.status,
            format_args!("{VARIABLE_SHOWN} in the environment: {}", failure.sentence),
        )
    })
}
