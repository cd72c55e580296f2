//! Heaps and mutators: made, asked, freed.

use super::guard::{self, give, status, with_heap, with_mutator};
use super::version::ABI_MAJOR;
use crate::base::flag::Flags;
use crate::base::size::*;
use crate::base::{Failure, Outcome, Shown, Status};
use crate::heap::Mutator;
use crate::heap::root::frame::Visitor;
use crate::host::Host;
use crate::runtime::heap::Values;
use crate::runtime::hooks::{Client, Event, Hooks};
use crate::runtime::slot::Slot;
use std::ffi::{c_char, c_void};

/// Sizes that are compiled into clients. `BARROW_GEOMETRY` in barrow/inline.h fills it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    pub block_bytes: u32,
    pub megablock_bytes: u32,
    pub descriptor_bytes: u32,
    pub max_inline_words: u32,
    pub max_reserve_words: u32,
    pub card_elements: u32,
}

pub const OUR_GEOMETRY: Geometry = Geometry {
    block_bytes: BLOCK_BYTES as u32,
    megablock_bytes: MEGABLOCK_BYTES as u32,
    descriptor_bytes: DESCRIPTOR_BYTES as u32,
    max_inline_words: MAX_INLINE_WORDS as u32,
    max_reserve_words: MAX_RESERVE_WORDS as u32,
    card_elements: CARD_ELEMENTS as u32,
};

/// What a heap is to be like. `barrow_config_init` (barrow/inline.h) fills in the sizes and versions of the caller;
/// everything else may stay zero.
#[repr(C)]
pub struct Config {
    /// `sizeof(barrow_config)` as the caller knows it.
    pub size: u32,
    /// `BARROW_ABI_MAJOR` as the caller knows it.
    pub abi_major: u32,
    pub geometry: Geometry,
    /// Flags such as "-A4m -G3 -M2g"; NULL for none. `barrow_flags_help` lists them.
    pub flags: *const c_char,
    /// The tag rule: words whose low four bits are in this table are pointers. 0: no tagged words.
    pub tagged_pointers: u16,
    /// Objects lie at multiples of 8 or 16; 0 is 8.
    pub object_alignment: u16,
    pub reserved: u32,
    /// The address in a tagged pointer w is (w & mask) + offset.
    pub address_mask: usize,
    pub address_offset: usize,
    /// Called in each collection: calls `barrow_visit` and its like for the client's roots, and returns: the heap
    /// cannot be used any more when it is left by a jump.
    pub roots: Option<unsafe extern "C-unwind" fn(client: *mut c_void, visitor: *mut Visitor)>,
    /// Called when there is no memory: true to try again. It may also not return (longjmp, throw).
    pub overflow:
        Option<unsafe extern "C-unwind" fn(client: *mut c_void, mutator: *mut Mutator, bytes: usize) -> bool>,
    /// Called at the end of a collection that has queued finalizers. It takes note, and calls nothing of this heap.
    pub finalizers_ready: Option<unsafe extern "C" fn(client: *mut c_void)>,
    /// Called with a sentence before the process is aborted for an inconsistency.
    pub fatal: Option<unsafe extern "C" fn(client: *mut c_void, sentence: *const c_char)>,
    /// Called when a collection begins and ends.
    pub event: Option<unsafe extern "C" fn(client: *mut c_void, event: *const Event)>,
    /// Handed to every callback.
    pub client: *mut c_void,
}

/// Makes a heap, and a mutator for the calling thread.
///
/// A heap is freed with `barrow_heap_free`. Threads share it through mutators of their own. The info tables of its
/// objects outlive it. `out_mutator` may be NULL; `barrow_attach` makes one then.
///
/// # Safety
/// `config` is NULL or points to a configuration; the out-pointers are NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_heap_new(
    config: *const Config,
    out_heap: *mut *mut Host,
    out_mutator: *mut *mut Mutator,
) -> Status {
    guard::free_standing(|| {
        if out_heap.is_null() {
            return Err(Failure::argument(format_args!("the place for the answer, out_heap, is NULL")));
        }
        // SAFETY: the caller's promise.
        let mut runtime = unsafe { make(config)? };
        let mutator = if out_mutator.is_null() { None } else { Some(runtime.attach()?) };
        let heap = runtime.into_raw();
        // SAFETY: the out-pointers are not null and, as the caller promises, writable.
        unsafe {
            out_heap.write(heap);
            if let Some(mutator) = mutator {
                out_mutator.write(mutator);
            }
        }
        Ok(())
    })
}

/// # Safety
/// `config` is null or points to a configuration.
unsafe fn make(config: *const Config) -> Outcome<Slot<Host>> {
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
                "the configuration has {size} bytes, this library needs {}: was barrow_config_init called?",
                size_of::<Config>()
            ),
        ));
    }
    // SAFETY: it has the size of ours at least.
    let config = unsafe { &*config };
    if planted!(152, false, config.geometry != OUR_GEOMETRY) {
        return Err(Failure::new(
            Status::Abi,
            format_args!(
                "compiled for {:?}; this library has {OUR_GEOMETRY:?}: compile again",
                config.geometry
            ),
        ));
    }
    let line = if config.flags.is_null() {
        ""
    } else {
        // SAFETY: the caller's promise for a string in the configuration.
        unsafe { guard::text(config.flags, "the line of flags")? }
    };
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
    Host::new(Flags::parse(line)?, values, hooks)
}

/// Frees a heap, its mutators and all its memory. Reports that its flags asked for are written; each that cannot be is told
/// of on the standard error stream, and the code and sentence are the first one's. The functions of weak
/// pointers are called first, of all that are left, with `mutator` NULL: they may read key and value, and not use the
/// heap; finalizers that are objects are not run.
///
/// # Safety
/// `heap` was given by `barrow_heap_new`. Nothing in it is used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_heap_free(heap: *mut Host) -> Status {
    // SAFETY: the caller's promise.
    let outcome = unsafe { with_heap(heap, |_| refuse_default(heap)) };
    if outcome != Status::Ok {
        return outcome;
    }
    // SAFETY: `with_heap` has found a live heap, which came from a slot.
    let mut runtime = unsafe { Slot::from_raw(heap) };
    guard::run(runtime.hooks, move || {
        runtime.take_clock();
        // Before finalizers run: what they use and make is of no biography.
        let profiled = runtime.stop_profile();
        runtime.run_functions_at_the_end();
        let told = runtime.tell_the_end(profiled);
        drop(runtime);
        status(told)
    })
}

fn refuse_default(heap: *const Host) -> Outcome<()> {
    if super::default_heap::is_default(heap) {
        return Err(Failure::state(format_args!("the default heap lives as long as the process")));
    }
    Ok(())
}

/// Makes a mutator for the calling thread. A second one to a heap is refused for now.
///
/// # Safety
/// `heap` was given by `barrow_heap_new`; `out_mutator` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_attach(heap: *mut Host, out_mutator: *mut *mut Mutator) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            if out_mutator.is_null() {
                return Err(Failure::argument(format_args!(
                    "the place for the answer, out_mutator, is NULL"
                )));
            }
            let mutator = runtime.attach()?;
            give(out_mutator, mutator, "out_mutator")
        })
    }
}

/// Ends a mutator. Its heap collects, so that what it made and others hold stays.
///
/// # Safety
/// `mutator` was given by `barrow_heap_new` or `barrow_attach`, and is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_detach(mutator: *mut Mutator) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |runtime| runtime.detach(mutator)) }
}

/// The heap of a mutator, or NULL.
///
/// # Safety
/// As for `barrow_detach`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_heap_of(mutator: *mut Mutator) -> *mut Host {
    // SAFETY: the caller's promise.
    unsafe { guard::value_with_mutator(mutator, std::ptr::null_mut(), |runtime| Ok(&raw mut *runtime)) }
}

/// Gives the collector an opportunity: it may collect here when it was asked to, and only then.
///
/// # Safety
/// `mutator` is live. Every live reference is in a root.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_safepoint(mutator: *mut Mutator) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        if guard::is_at_ease(mutator) {
            return Status::Ok;
        }
        look_closer(mutator)
    }
}

/// # Safety
/// As for `barrow_safepoint`.
#[inline(never)]
unsafe extern "C" fn look_closer(mutator: *mut Mutator) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |host| host.safepoint(mutator)) }
}

/// Says that the thread leaves for foreign code, which touches no object. Others may collect meanwhile.
///
/// # Safety
/// As for `barrow_safepoint`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_enter_foreign(mutator: *mut Mutator) -> Status {
    // SAFETY: the caller's promise; `with_mutator` has found it live.
    unsafe {
        with_mutator(mutator, |_| {
            (*mutator).foreign += 1;
            Ok(())
        })
    }
}

/// Says that the thread is back.
///
/// # Safety
/// As for `barrow_safepoint`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_leave_foreign(mutator: *mut Mutator) -> Status {
    // SAFETY: the caller's promise; `with_mutator` has found it live.
    unsafe {
        with_mutator(mutator, |_| {
            if (*mutator).foreign == 0 {
                return Err(Failure::state(format_args!("the mutator is not in foreign code")));
            }
            (*mutator).foreign -= 1;
            Ok(())
        })
    }
}

/// Writes the value in force of a flag, such as "-A", as text that ends with NUL. What does not fit is cut.
///
/// # Safety
/// `heap` is live; `flag` is a string; `buffer` has `bytes` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_flag_value(
    heap: *mut Host,
    flag: *const c_char,
    buffer: *mut c_char,
    bytes: usize,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            let name = guard::text(flag, "flag")?;
            let value = runtime.flags.read_back(name)?.ok_or_else(|| {
                let name = Shown::told(name.as_bytes());
                Failure::argument(format_args!("the flag {name} is not known"))
            })?;
            write_text(value.as_str(), buffer, bytes)
        })
    }
}

/// # Safety
/// `buffer` is null or has `bytes` bytes.
unsafe fn write_text(text: &str, buffer: *mut c_char, bytes: usize) -> Outcome<()> {
    if buffer.is_null() || bytes == 0 {
        return Err(Failure::argument(format_args!("there is no room for the answer")));
    }
    // SAFETY: the caller's promise.
    unsafe { guard::give_name(buffer, bytes, text.as_bytes()) }
}

/// All flags, one to a line, with their defaults and what they do.
#[unsafe(no_mangle)]
pub extern "C" fn barrow_flags_help() -> *const c_char {
    static HELP: once_cell::sync::OnceCell<crate::base::List<u8>> = once_cell::sync::OnceCell::new();
    let made = HELP.get_or_try_init(crate::base::flag::help);
    match made {
        Ok(text) => text.as_ptr().cast(),
        Err(failure) => {
            guard::remember_failure(&failure);
            c"".as_ptr()
        }
    }
}

/// Takes the flags between `+RTS` and `-RTS` (or the end) out of a program's arguments, and writes them into
/// `flags` as one line. `--RTS` ends the search. Nothing is changed when it fails.
///
/// # Safety
/// `argc` and `argv` are those of `main`; `flags` has `bytes` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_take_flags(
    argc: *mut i32,
    argv: *mut *mut c_char,
    flags: *mut c_char,
    bytes: usize,
) -> Status {
    // SAFETY: the caller's promise.
    guard::free_standing(|| unsafe { take_flags(argc, argv, flags, bytes) })
}

/// # Safety
/// As for `barrow_take_flags`.
unsafe fn take_flags(
    argc: *mut i32,
    argv: *mut *mut c_char,
    flags: *mut c_char,
    bytes: usize,
) -> Outcome<()> {
    if argc.is_null() || argv.is_null() || flags.is_null() || bytes == 0 {
        return Err(Failure::argument(format_args!(
            "barrow_take_flags needs argc, argv and room for the flags"
        )));
    }
    // SAFETY: the caller's promise: `argc` arguments, all strings.
    unsafe {
        let count = (*argc).max(0) as usize;
        let argument = |i: usize| std::ffi::CStr::from_ptr(*argv.add(i));
        // Twice over the arguments: first to see that everything fits, then to do it.
        for doing in [false, true] {
            let (mut inside, mut searching) = (false, true);
            let (mut kept, mut used) = (0, 0);
            for i in 0..count {
                let text = argument(i).to_bytes();
                if i > 0 && searching && text == b"--RTS" {
                    searching = false;
                    continue;
                }
                if i > 0 && searching && !inside && text == b"+RTS" {
                    inside = true;
                    continue;
                }
                if searching && inside && text == b"-RTS" {
                    inside = false;
                    continue;
                }
                if searching && inside {
                    let space = (used > 0) as usize;
                    if used + space + text.len() + 1 > bytes {
                        return Err(Failure::argument(format_args!(
                            "the flags after +RTS need more than {bytes} bytes"
                        )));
                    }
                    if doing {
                        if space > 0 {
                            flags.add(used).write(b' ' as c_char);
                        }
                        flags.add(used + space).copy_from_nonoverlapping(text.as_ptr().cast(), text.len());
                    }
                    used += space + text.len();
                    continue;
                }
                if doing {
                    *argv.add(kept) = *argv.add(i);
                }
                kept += 1;
            }
            if doing {
                flags.add(used).write(0);
                *argc = kept as i32;
                if kept < count {
                    *argv.add(kept) = std::ptr::null_mut();
                }
            }
        }
    }
    Ok(())
}
