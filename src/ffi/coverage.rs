//! Coverage at run time: the modules that count, and the file for their counts.

use super::guard::{self, free_standing, refuse_null, refuse_short};
use crate::base::{Failure, Outcome, Status};
use crate::os::file;
use crate::profile::coverage::modules::{Counters, Registration};
use crate::profile::coverage::program::Coverage;
use crate::runtime::slot::{Slot, live};
use std::ffi::{CStr, c_char};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The file for counts. With `size` set, everything else may stay zero.
#[repr(C)]
pub struct CoverageOptions {
    /// `sizeof(barrow_coverage_options)` as the caller knows it.
    pub size: u32,
    /// Not 0: the variable HPCTIXFILE names the file, when it is set.
    pub environment: u32,
    /// The `.tix` file; NULL is PROGRAM.tix in the current directory.
    pub file: *const c_char,
}

/// A module that counts, as a compiler emits it. `BARROW_COVERAGE_MODULE` (barrow/inline.h) fills it in C.
#[repr(C)]
pub struct CoverageModule {
    /// `sizeof(barrow_coverage_module)` as the caller knows it.
    pub size: u32,
    /// The hash of the module's `.mix` file.
    pub hash: u32,
    /// "Main", "Data.List", or "package/Data.List" outside the main package.
    pub name: *const c_char,
    /// One for each box of the `.mix` file. The module's code increments them: `BARROW_TICK`.
    pub counters: *mut u64,
    pub count: usize,
}

// Calls are rare, and so are handles: one lock for all makes them safe to share and to free.
static CALLS: Mutex<()> = Mutex::new(());

/// Keeps other threads out of all calls.
pub fn hold() -> MutexGuard<'static, ()> {
    CALLS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// # Safety
/// `coverage` may be any word.
unsafe fn with(coverage: *mut Coverage, body: impl FnOnce(&mut Coverage) -> Outcome<()>) -> Status {
    free_standing(|| {
        let _call = hold();
        // SAFETY: the caller's promise, and the lock is held.
        body(unsafe { live(coverage)? })
    })
}

/// Begins to count for a `.tix` file. Counts in the file are kept and added to; a file that can not be read,
/// understood or written is told of now, with the line, and left as it is. `options` may be NULL.
///
/// Code counts without this call: ticks from before its module is registered count too.
///
/// # Safety
/// `options` is NULL or points to options; `out_coverage` is NULL or writable; with `environment`, no other thread
/// changes the environment meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_coverage_new(
    options: *const CoverageOptions,
    out_coverage: *mut *mut Coverage,
) -> Status {
    free_standing(|| {
        refuse_null(out_coverage, "the place for the answer, out_coverage,")?;
        // SAFETY: the caller's promise.
        let coverage = unsafe { make(options)? };
        // SAFETY: not null, and as the caller promises, writable.
        unsafe { out_coverage.write(coverage.into_raw()) };
        Ok(())
    })
}

/// # Safety
/// `options` is null or points to options.
unsafe fn make(options: *const CoverageOptions) -> Outcome<Slot<Coverage>> {
    // SAFETY: the caller's promise.
    let (environment, file) = unsafe { choices(options)? };
    if environment && let Some(name) = file::variable(c"HPCTIXFILE")? {
        return Coverage::new(&name);
    }
    if file.is_null() {
        return Coverage::new(&Coverage::default_file()?);
    }
    // SAFETY: the caller's promise for a string in the options.
    Coverage::new(unsafe { CStr::from_ptr(file) }.to_bytes())
}

/// Whether a variable may name the file, and the file of the options.
///
/// # Safety
/// `options` is null or points to options.
unsafe fn choices(options: *const CoverageOptions) -> Outcome<(bool, *const c_char)> {
    if options.is_null() {
        return Ok((false, std::ptr::null()));
    }
    // SAFETY: the caller's promise; the first field exists in every version, the others when the size says so.
    unsafe {
        refuse_short((*options).size, size_of::<CoverageOptions>(), "the options of coverage have")?;
        Ok(((*options).environment != 0, (*options).file))
    }
}

/// Registers modules that lie side by side, all or none. Their names are copied; their counters stay until they are
/// unregistered or the coverage is freed.
///
/// # Safety
/// `modules` points to `count` modules; the counters of each are readable and writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_coverage_register(
    coverage: *mut Coverage,
    modules: *const CoverageModule,
    count: usize,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with(coverage, |coverage| coverage.register(count, |number| registration(modules, number))) }
}

/// Takes modules back whose code is about to go. Their counts are kept, and written with the others; their counters
/// are zero afterwards. The same modules may be registered again. Modules before one that is not registered are
/// taken back.
///
/// # Safety
/// `modules` points to `count` modules that are registered.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_coverage_unregister(
    coverage: *mut Coverage,
    modules: *const CoverageModule,
    count: usize,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with(coverage, |coverage| {
            for number in 0..count {
                coverage.unregister(&registration(modules, number)?)?;
            }
            Ok(())
        })
    }
}

/// # Safety
/// `modules` is null or points to more than `number` modules.
unsafe fn registration<'a>(modules: *const CoverageModule, number: usize) -> Outcome<Registration<'a>> {
    // SAFETY: the caller's promise, for the string in a module and for its counters as well.
    unsafe {
        let module = module_at(modules, number)?;
        let name = guard::text(module.name, "the name of a module")?;
        if name.is_empty() {
            return Err(Failure::argument(format_args!("the name of module {number} is empty")));
        }
        let counters = Counters::checked(name, module.counters, module.count)?;
        Ok(Registration { name, hash: module.hash, counters })
    }
}

/// # Safety
/// `modules` is null or points to more than `number` modules.
unsafe fn module_at<'a>(modules: *const CoverageModule, number: usize) -> Outcome<&'a CoverageModule> {
    refuse_null(modules, "the list of modules")?;
    // SAFETY: the caller's promise. The size of the first is how far apart they lie.
    unsafe {
        let apart = (*modules).size;
        refuse_short(apart, size_of::<CoverageModule>(), "the modules of coverage have")?;
        let at = modules.byte_add(apart as usize * number);
        if !at.is_aligned() || (*at).size != apart {
            return Err(odd_module(number, apart));
        }
        Ok(&*at)
    }
}

fn odd_module(number: usize, apart: u32) -> Failure {
    Failure::argument(format_args!("module {number} is not {apart} bytes long as the first one"))
}

/// Whether the file has counts for another version of a registered module: BARROW_E_STATE, and which. Such counts
/// are never added; a program that would rather not begin can ask first.
///
/// # Safety
/// `coverage` was given by `barrow_coverage_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_coverage_check(coverage: *mut Coverage) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with(coverage, |coverage| coverage.check()) }
}

/// Adds what was counted since the last time to the file. Other processes that do the same wait for each other, and
/// no count is lost. After a failure the counts are kept for the next time.
///
/// BARROW_E_STATE: the file is written, but had counts for another version of a module. They were not added; the
/// old file is kept beside it, with ".old" at the end of its name.
///
/// # Safety
/// `coverage` was given by `barrow_coverage_new`; the counters of its modules are readable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_coverage_write(coverage: *mut Coverage) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with(coverage, Coverage::write) }
}

/// Drops the counts since the last time, unwritten: for the child after a fork, so that only the parent writes
/// them.
///
/// # Safety
/// `coverage` was given by `barrow_coverage_new`; the counters of its modules are readable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_coverage_forget(coverage: *mut Coverage) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with(coverage, |coverage| {
            coverage.forget();
            Ok(())
        })
    }
}

/// The name of the file, from the root on; NULL when the coverage is none. The string lives as long as the coverage.
///
/// # Safety
/// `coverage` was given by `barrow_coverage_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_coverage_file(coverage: *mut Coverage) -> *const c_char {
    let mut name = std::ptr::null();
    // SAFETY: the caller's promise.
    unsafe {
        with(coverage, |coverage| {
            name = coverage.file().as_c_str().as_ptr();
            Ok(())
        })
    };
    name
}

/// Writes, as `barrow_coverage_write` does, and frees the coverage, even if it could not be written.
///
/// # Safety
/// `coverage` was given by `barrow_coverage_new`; the counters of its modules are readable. The coverage is not used
/// afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_coverage_free(coverage: *mut Coverage) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with(coverage, |live| {
            let written = live.write();
            // The coverage is live, so it came from a slot.
            drop(Slot::from_raw(coverage));
            written
        })
    }
}
