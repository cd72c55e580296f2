//! Another heap in the same program, with the same tables, whose memory lies between that of the first one: each collects while the
//! other holds what it holds, and addresses of its objects are in plain words of the first one's.

use super::kinds::shapes;
use super::outcome::{Step, done, last_error};
use super::random::Random;
use super::settings::Settings;
use super::twin;
use crate::base::fault;
use crate::ffi::alloc::barrow_allocate_pinned;
use crate::ffi::collect::barrow_collect;
use crate::ffi::config::*;
use crate::ffi::heap::{barrow_heap_free, barrow_heap_new};
use crate::ffi::info::barrow_in_heap;
use crate::ffi::root::barrow_root_add;
use crate::heap::Mutator;
use crate::host::Host;
use std::ffi::{CString, c_void};

/// Pinned objects that live as long as the heap.
const PINNED: usize = 16;
/// Words of a pair with its header.
const PAIR: usize = 3;
/// Pairs of a list that is made and dropped.
const LIST: usize = 400;

/// The pinned objects, and a list.
type Roots = [usize; PINNED + 1];

pub(super) struct Neighbour {
    heap: *mut Host,
    m: *mut Mutator,
    roots: Box<Roots>,
}

impl Neighbour {
    /// A heap whose memory comes from the other sort of source in half of the programs.
    pub(super) fn new(settings: &Settings) -> Result<Neighbour, String> {
        let flags = if settings.statics { "--source=chunks -A64k" } else { "-xr64m -A64k -c" };
        let flags = CString::new(flags).map_err(|_| "flags with NUL".to_string())?;
        // SAFETY: a configuration is plain data, for which zeros say that nothing is asked for.
        let mut config: Config = unsafe { std::mem::zeroed() };
        config.size = size_of::<Config>() as u32;
        config.geometry = Geometry::OURS;
        config.flags = flags.as_ptr();
        config.tagged_pointers = settings.rule.pointers;
        config.object_alignment = settings.rule.alignment as u16;
        config.address_mask = settings.rule.mask;
        config.address_offset = settings.rule.offset;
        let (mut heap, mut m) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: the configuration is whole.
        done(unsafe { barrow_heap_new(&config, &mut heap, &mut m) }, "heap_new of the other heap")?;
        let mut neighbour = Neighbour { heap, m, roots: Box::new([0; PINNED + 1]) };
        let (roots, slots) = (&mut neighbour.roots, PINNED + 1);
        // SAFETY: the roots live as long as the heap, and pinned objects are filled at once.
        unsafe {
            done(
                barrow_root_add(heap, std::ptr::null(), roots.as_mut_ptr().cast(), slots, false),
                "root_add",
            )?;
            for root in 0..PINNED {
                let at = barrow_allocate_pinned(m, PAIR, 16, 0);
                if at.is_null() {
                    return Err(format!("pinned in the other heap: {}", last_error()));
                }
                fill(at, 0, 0);
                neighbour.roots[root] = at as usize;
            }
        }
        Ok(neighbour)
    }

    /// The address of any pinned object.
    pub(super) fn any(&self, random: &mut Random) -> usize {
        self.roots[random.below(PINNED)]
    }

    /// Asks both heaps whose its objects are.
    pub(super) fn is_apart_from(&self, first: *mut Host) -> Step {
        for &at in self.roots.iter() {
            let at = at as *const c_void;
            // SAFETY: both heaps are live.
            let (ours, theirs) = unsafe { (barrow_in_heap(first, at), barrow_in_heap(self.heap, at)) };
            if ours || !theirs {
                return Err(format!("{at:?} is in the first heap: {ours}; in its own: {theirs}"));
            }
        }
        Ok(())
    }

    /// Ends the heap.
    pub(super) fn end(self) -> Step {
        fault::stop();
        // SAFETY: the heap is live and nothing of it is used afterwards.
        done(unsafe { barrow_heap_free(self.heap) }, "heap_free of the other heap")
    }

    /// Makes a list, of which each pair refers to a pinned object, collects, and reads it.
    pub(super) fn turn(&mut self, seed: u64) -> Step {
        self.roots[PINNED] = 0;
        for number in 0..LIST {
            // SAFETY: the mutator is live and ours, and the list is in a root.
            unsafe {
                let at = twin::alloc(self.m, PAIR.next_multiple_of(2));
                if at.is_null() {
                    return Err(format!("pair: {}", last_error()));
                }
                fill(at, self.roots[PINNED], self.roots[number % PINNED]);
                self.roots[PINNED] = at as usize;
            }
        }
        // SAFETY: as above.
        done(unsafe { barrow_collect(self.m, seed.is_multiple_of(3)) }, "collect")?;
        let mut at = self.roots[PINNED];
        for number in (0..LIST).rev() {
            // SAFETY: pairs have two fields.
            let (header, next, to) = unsafe {
                let pair = at as *const usize;
                (pair.read(), pair.add(1).read(), pair.add(2).read())
            };
            if header != pair_table() || to != self.roots[number % PINNED] {
                return Err(format!("pair {number} of its list at {at:#x} has {header:#x} and {to:#x}"));
            }
            at = next;
        }
        if at == 0 { Ok(()) } else { Err(format!("its list goes on at {at:#x}")) }
    }
}

fn pair_table() -> usize {
    &raw const *shapes()[0].info as usize
}

/// # Safety
/// Three words at `at` were given for a pair.
unsafe fn fill(at: *mut usize, first: usize, second: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        at.write(pair_table());
        at.add(1).write(first);
        at.add(2).write(second);
    }
}
