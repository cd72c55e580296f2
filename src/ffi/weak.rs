//! Weak pointers, finalizers and weak arrays.

use super::guard::{give_if_wanted, value_with_mutator, with_mutator};
use super::memory::{Given, until_there_is_memory_for};
use crate::base::{Addr, Failure, Status};
use crate::heap::Mutator;
use crate::heap::object::weak::{Finalizer, WEAK_WORDS};
use crate::heap::root::frame::Frame;
use crate::host::Host;
use crate::host::given::{host_at_home, is_at_ease, is_at_ease_beside_others, put_frames_back};
use std::ffi::c_void;

/// Makes a weak pointer: an object that does not keep `key` alive, and keeps `value` and `finalizer` alive as long as
/// the key is, even when they refer to the key. `barrow_weak_deref` (barrow/inline.h) reads it. When the key has
/// died, the weak pointer is dead, and `finalizer`, unless NULL, waits to be run: `barrow_run_finalizers`. Until it
/// has run, key and value are held for it. A weak pointer with a finalizer stays without any reference to it. Never
/// collects, but the overflow hook may. NULL when something is wrong, an object of another heap included, or when that hook has refused.
///
/// A finalizer that runs by `barrow_run_finalizers` or `barrow_weak_finalize` may make weak pointers as anybody may,
/// to its key too, which lives on then. None is made, with a sentence (`BARROW_E_STATE`), where the heap is not to be
/// touched: in callbacks of a collection, `finalizers_ready` included, and in functions that `barrow_heap_free`
/// calls.
///
/// # Safety
/// `mutator` is live and the calling thread's; `key` is a live object, `value` and `finalizer` are live objects or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn barrow_weak_new(
    mutator: *mut Mutator,
    key: *mut c_void,
    value: *mut c_void,
    finalizer: *mut c_void,
) -> *mut c_void {
    let fields = Finalizer { function: None, data: std::ptr::null_mut(), key, value, object: finalizer };
    // SAFETY: the caller's promise; the mutator was found to be live.
    unsafe {
        if let Some(host) = host_at_home(mutator)
            && let Some(at) = host.make_weak_in_pool(&mut *mutator, fields)
        {
            return at.as_ptr();
        }
        weak_the_long_way(mutator, fields)
    }
}

/// # Safety
/// As for `barrow_weak_new`.
#[inline(never)]
unsafe fn weak_the_long_way(mutator: *mut Mutator, fields: Finalizer) -> *mut c_void {
    let given = [fields.key, fields.value, fields.object].map(|field| field as usize);
    let attempt = |host: &mut Host, mutator: *mut Mutator, given: Given| {
        let [key, value, object] = given.map(|field| field as *mut c_void);
        host.make_weak(mutator, Finalizer { key, value, object, ..fields })
    };
    // SAFETY: the caller's promise.
    unsafe { until_there_is_memory_for(mutator, WEAK_WORDS, given, &attempt).cast() }
}

/// Has a C function called when the key of a live weak pointer has died: by `barrow_run_finalizers`,
/// `barrow_weak_finalize`, or at the latest by `barrow_heap_free`, which calls those of all weak pointers that are
/// left, with `mutator` NULL: then they read key and value, and call nothing of the heap. `key` and `value` are alive
/// during the call; a function that allocates puts them into roots. `*out_added`, unless NULL, says whether the weak
/// pointer was alive. A weak pointer can have one function.
///
/// # Safety
/// `mutator` is live and the calling thread's; `weak` is a weak pointer; `out_added` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_weak_set_function(
    mutator: *mut Mutator,
    weak: *mut c_void,
    function: Option<
        unsafe extern "C-unwind" fn(
            mutator: *mut Mutator,
            data: *mut c_void,
            key: *mut c_void,
            value: *mut c_void,
        ),
    >,
    data: *mut c_void,
    out_added: *mut bool,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator(mutator, |runtime| {
            let function = function
                .ok_or_else(|| Failure::argument(format_args!("the finalizer's function is NULL")))?;
            let added = runtime.set_weak_function(Addr(weak as usize), function, data)?;
            give_if_wanted(out_added, added);
            Ok(())
        })
    }
}

/// Ends a weak pointer by hand, whether its key has died or not. Its function is called before this returns; its
/// finalizer is given to the caller, who runs it: NULL when there is none, or when it was ended before.
///
/// # Safety
/// `mutator` is live and the calling thread's; `weak` is a weak pointer; `out_finalizer` is NULL or writable. The
/// function may collect, and another thread when it has run.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn barrow_weak_finalize(
    mutator: *mut Mutator,
    weak: *mut c_void,
    out_finalizer: *mut *mut c_void,
) -> Status {
    let mut ended = None;
    // SAFETY: the caller's promise; the mutator of a finalizer that was ended is live.
    unsafe {
        let status = with_mutator(mutator, |host| {
            host.end_weak(Addr(weak as usize)).map(|finalizer| ended = Some(finalizer))
        });
        if let Some(finalizer) = ended {
            give_if_wanted(out_finalizer, call_function(mutator, finalizer).object);
        }
        status
    }
}

/// Whether any finalizer is due.
///
/// # Safety
/// `mutator` is live and the calling thread's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_finalizers_due(mutator: *mut Mutator) -> bool {
    // SAFETY: the caller's promise.
    unsafe { value_with_mutator(mutator, false, |runtime| Ok(runtime.store.weaks.first_due().is_some())) }
}

/// Takes the next finalizer that is due, with a function, or of any sort.
///
/// # Safety
/// `mutator` may be any word.
unsafe fn next_due(mutator: *mut Mutator, of_any_sort: bool) -> Option<Finalizer> {
    // SAFETY: the caller's promise.
    unsafe {
        value_with_mutator(mutator, None, |host| {
            host.stand_unless_open(mutator);
            host.next_finalizer(of_any_sort)
        })
    }
}

/// Calls the function of a finalizer, and the client's for one that is an object.
///
/// # Safety
/// The mutator is live and the calling thread's.
unsafe fn run_one(mutator: *mut Mutator, finalizer: Finalizer, run: Option<Run>, client: *mut c_void) {
    // SAFETY: the caller's promise; the client's function takes these.
    unsafe {
        let parts = call_function(mutator, finalizer);
        if let Some(run) = run
            && !parts.object.is_null()
        {
            run(client, mutator, parts.object, parts.key, parts.value);
        }
    }
}

/// The client's function for finalizers that are objects: it takes its own pointer, the mutator, finalizer, key and value.
type Run = unsafe extern "C-unwind" fn(*mut c_void, *mut Mutator, *mut c_void, *mut c_void, *mut c_void);

/// A frame of the shadow stack that holds the parts of a finalizer while its function runs, which may collect.
#[repr(C)]
struct Parts {
    frame: Frame,
    object: *mut c_void,
    key: *mut c_void,
    value: *mut c_void,
}

impl Parts {
    fn of(Finalizer { object, key, value, .. }: Finalizer) -> Parts {
        Parts { frame: Frame { up: std::ptr::null_mut(), count: 3 }, object, key, value }
    }
}

/// Lets another thread collect that waits for it: functions of finalizers may be all that a thread runs.
///
/// # Safety
/// `mutator` may be any word.
unsafe fn stand(mutator: *mut Mutator) {
    // SAFETY: the caller's promise.
    if unsafe { is_at_ease(mutator) || is_at_ease_beside_others(mutator) } {
        return;
    }
    let stands = |host: &mut Host| {
        host.stand_unless_open(mutator);
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { value_with_mutator(mutator, (), stands) }
}

/// Calls the function of a finalizer, if any. Gives the finalizer with its parts where they are afterwards.
///
/// # Safety
/// The mutator is live and the calling thread's.
unsafe fn call_function(mutator: *mut Mutator, finalizer: Finalizer) -> Finalizer {
    let Some(function) = finalizer.function else { return finalizer };
    let mut parts = Parts::of(finalizer);
    let at = &raw mut parts;
    // SAFETY: the caller's promise. A client that leaves by a jump restores the frames that it saved; else the frame is
    // taken off here. The collector writes to it, so it is only touched through its address.
    unsafe {
        (*at).frame.up = std::mem::replace(&mut (*mutator).window.frames, &raw mut (*at).frame);
        function(mutator, finalizer.data, finalizer.key, finalizer.value);
        stand(mutator);
        put_frames_back(mutator, (*at).frame.up);
        Finalizer { object: (*at).object, key: (*at).key, value: (*at).value, ..finalizer }
    }
}

/// Runs finalizers that are due, at most `most` of them (0: all, those included that become due meanwhile): calls
/// their functions, and `run(client, mutator, finalizer, key, value)` for those that are objects. Gives how many were
/// run. They run here, outside of any collection, and may do whatever the client may: allocate, collect, make weak
/// pointers, or leave by a jump: a finalizer that was begun counts as run. The arguments of `run` are alive when it
/// is called; it puts into roots what it needs after an allocation. With `run` NULL it stops at the first finalizer
/// that is an object.
///
/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn barrow_run_finalizers(
    mutator: *mut Mutator,
    run: Option<
        unsafe extern "C-unwind" fn(
            client: *mut c_void,
            mutator: *mut Mutator,
            finalizer: *mut c_void,
            key: *mut c_void,
            value: *mut c_void,
        ),
    >,
    client: *mut c_void,
    most: usize,
) -> usize {
    let mut count = 0;
    while (most == 0 || count < most)
        // SAFETY: the caller's promise.
        && let Some(due) = unsafe { next_due(mutator, run.is_some()) }
    {
        count += 1;
        // SAFETY: the caller's promise; nothing of ours is live.
        unsafe { run_one(mutator, due, run, client) };
    }
    count
}

/// How many weak pointers are listed: alive, or ended by hand since their generation was last collected.
///
/// # Safety
/// `mutator` is live and the calling thread's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_weak_count(mutator: *mut Mutator) -> usize {
    // SAFETY: the caller's promise.
    unsafe { value_with_mutator(mutator, 0, |runtime| Ok(runtime.store.weaks.count)) }
}

/// Stores a pointer, NULL, or a word that the array may hold, into an element of a weak array, as
/// `barrow_weak_array_write` of barrow/inline.h does, with the arguments checked, for any kind of heap.
///
/// # Safety
/// `mutator` is live and the calling thread's; `array` is a live object, `value` a live object, NULL, or a word that the
/// array may hold.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_weak_array_set(
    mutator: *mut Mutator,
    array: *mut c_void,
    index: usize,
    value: *mut c_void,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator(mutator, |r| r.set_weak_element(mutator, Addr(array as usize), index, value as usize))
    }
}
