//! The configuration of a heap: its properties, and the sizes that the client was compiled for.

use super::guard::{self, refuse_null};
use super::version::ABI_MAJOR;
use crate::base::flag::Flags;
use crate::base::{Failure, Outcome, Status};
use crate::heap::Mutator;
use crate::heap::root::frame::Visitor;
use crate::host::Host;
use crate::profile::retainer::scheme::RetainerScheme;
use crate::runtime::environment::read_flags;
use crate::runtime::heap::Values;
use crate::runtime::hooks::{Client, Event, Hooks};
use crate::runtime::slot::Slot;
use std::ffi::{c_char, c_void};

pub use crate::base::geometry::Geometry;

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
    /// The tag rule: a word w is a pointer when bit w & 15 of this table is set. 0: no tagged words.
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
    /// Called in each collection, in some several times, and by checks, snapshots and samples of retainers: calls `barrow_visit`
    /// and its like for the client's roots, the same each time, and returns: a jump out of it leaves a heap that cannot be used
    /// any more. Called by the thread that collects, while others stand. A place that is no local variable of the function stays
    /// until the collection has ended.
    pub roots: Option<unsafe extern "C-unwind" fn(client: *mut c_void, visitor: *mut Visitor)>,
    /// Called with the bytes that are needed when there is no memory for them: true to try again. It may leave by longjmp or throw.
    /// The hook may collect, or wait in foreign code: objects move then in every call that allocates, also in one that never collects
    /// itself. Every live reference is in a root then; the call finds its own arguments.
    /// Called by the thread that allocates; several threads may be in it at the same time.
    pub overflow:
        Option<unsafe extern "C-unwind" fn(client: *mut c_void, mutator: *mut Mutator, bytes: usize) -> bool>,
    /// Called at the end of a collection that has queued finalizers, by the thread that collects. It takes note, and calls nothing of
    /// this heap.
    pub finalizers_ready: Option<unsafe extern "C" fn(client: *mut c_void)>,
    /// Called with a sentence before the process is aborted, when the heap was found to be inconsistent, by the thread that found it.
    pub fatal: Option<unsafe extern "C" fn(client: *mut c_void, sentence: *const c_char)>,
    /// Called when a collection begins and ends, by the thread that collects.
    pub event: Option<unsafe extern "C" fn(client: *mut c_void, event: *const Event)>,
    /// Handed to every callback.
    pub client: *mut c_void,
    /// NULL, or the client's word on retainers, as `barrow_retainers_by` takes it: for `-hr` among the flags. Copied.
    pub retainers: *const RetainerScheme,
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
        refuse_null(config, "the configuration")?;
        refuse_size(size, "is it of another version's declarations?")?;
        // SAFETY: the caller's promise; all zeros is a configuration, and ours fits.
        unsafe {
            config.cast::<u8>().write_bytes(0, size);
            (*config).size = size as u32;
            ((*config).abi_major, (*config).geometry) = (ABI_MAJOR, Geometry::OURS);
        }
        Ok(())
    })
}

fn refuse_size(bytes: usize, question: &str) -> Outcome<()> {
    let known = size_of::<Config>();
    if (known..=u32::MAX as usize).contains(&bytes) {
        return Ok(());
    }
    Err(Failure::new(
        Status::Abi,
        format_args!("the configuration has {bytes} bytes, this library needs {known}: {question}"),
    ))
}

fn refuse_version(abi_major: u32) -> Outcome<()> {
    if abi_major == ABI_MAJOR {
        return Ok(());
    }
    Err(Failure::new(
        Status::Abi,
        format_args!(
            "compiled for version {abi_major} of the ABI; this library has version {ABI_MAJOR}: compile again"
        ),
    ))
}

/// A heap whose files do not have their names yet.
///
/// # Safety
/// `config` is null or points to a configuration.
pub(super) unsafe fn make(config: *const Config) -> Outcome<Slot<Host>> {
    refuse_null(config, "the configuration")?;
    // SAFETY: the caller's promise; the first two fields exist in every version, the others when the size says so.
    unsafe {
        refuse_version((*config).abi_major)?;
        refuse_size((*config).size as usize, "was barrow_config_init or barrow_config_default called?")?;
        let config = &*config;
        config.geometry.refuse_other()?;
        let retainers = config.retainers.as_ref().unwrap_or(&RetainerScheme::OURS);
        Host::prepared(config.flags()?, config.values(), config.hooks(), *retainers)
    }
}

impl Config {
    /// # Safety
    /// The flags are null or a string.
    unsafe fn flags(&self) -> Outcome<Flags> {
        let line = if self.flags.is_null() { c"".as_ptr() } else { self.flags };
        // SAFETY: the caller's promise.
        let line = unsafe { guard::text(line, "the line of flags")? };
        read_flags(line, self.environment != 0)
    }

    fn values(&self) -> Values {
        Values {
            tagged_pointers: self.tagged_pointers,
            address_mask: self.address_mask,
            address_offset: self.address_offset,
            alignment: if self.object_alignment == 0 { 8 } else { self.object_alignment as usize },
        }
    }

    fn hooks(&self) -> Hooks {
        Hooks {
            roots: self.roots,
            overflow: self.overflow,
            finalizers_ready: self.finalizers_ready,
            fatal: self.fatal,
            event: self.event,
            client: Client(self.client),
        }
    }
}
