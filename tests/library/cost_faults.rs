//! Memory that is refused while costs, ticky counters and space are counted: at every point in turn, from a fresh process
//! on. The call says so or goes on without, every byte is still booked, and everything works again afterwards.

use super::heaps::{config, info, made, sentence};
use barrow::base::{Status, fault};
use barrow::ffi::alloc::barrow_allocate;
use barrow::ffi::collect::barrow_collect;
use barrow::ffi::cost::*;
use barrow::ffi::cost_report::*;
use barrow::ffi::debug::barrow_check;
use barrow::ffi::heap::barrow_heap_free;
use barrow::ffi::space::*;
use barrow::ffi::stats::barrow_stats;
use barrow::ffi::ticky::*;
use barrow::heap::Mutator;
use barrow::heap::object::info::{Info, Kind};
use barrow::host::Host;
use barrow::identity::ccs;
use barrow::identity::cost_centre::CostCentre;
use barrow::identity::function::TickyFunction;
use barrow::runtime::figures::HeapStats;
use std::ffi::{CStr, CString};
use std::process::Command;
use std::ptr::null;

const REFUSED_FROM: &str = "BARROW_COST_REFUSED_FROM";

/// Whether something was refused. Whatever was, there is a sentence.
struct Told(bool);

impl Told {
    fn see(&mut self, status: Status) -> bool {
        if status != Status::Ok {
            assert!(sentence().len() > 10, "{status:?} without a sentence");
            self.0 = true;
        }
        status == Status::Ok
    }
}

fn centre(label: &'static CStr) -> CostCentre {
    let (label, module) = (label.as_ptr(), c"Faults".as_ptr());
    CostCentre { size: size_of::<CostCentre>() as u16, flags: 0, id: 0, label, module, source: null() }
}

fn function(name: &'static CStr) -> TickyFunction {
    TickyFunction {
        size: size_of::<TickyFunction>() as u16,
        flags: 0,
        id: 0,
        arity: 1,
        reserved: 0,
        name: name.as_ptr(),
        module: c"Faults".as_ptr(),
        arguments: null(),
        what: null(),
        parent: null(),
        code: null(),
    }
}

struct Run {
    told: Told,
    heap: *mut Host,
    m: *mut Mutator,
    info: &'static Info,
}

impl Run {
    fn allocate(&mut self, words: usize) {
        // SAFETY: the mutator is live and ours; the words are filled at once.
        unsafe {
            let at = barrow_allocate(self.m, words);
            if at.is_null() {
                self.told.0 = true;
            } else {
                at.write_bytes(0, words);
                at.write(&raw const *self.info as usize);
                at.add(1).write((words - 2) * 8);
            }
        }
    }

    /// The whole of cost centres, ticky counters and space once.
    fn everything(&mut self, folder: &str) {
        let m = self.m;
        let centres: &'static mut [CostCentre] =
            Box::leak(Box::new([c"one", c"two", c"three", c"four"].map(centre)));
        let count = centres.len();
        let centres = centres.as_mut_ptr();
        let functions = Box::leak(Box::new([c"f", c"g"].map(function))).as_mut_ptr();
        let path = |name: &str| CString::new(format!("{folder}/{name}")).unwrap();
        // SAFETY: the mutator is live and ours; centres and functions stay for ever; strings outlive the calls.
        unsafe {
            let main = (*m).window.ccs;
            self.told.see(barrow_cc_register(centres, count));
            self.told.see(barrow_ticky_register(functions, 2));
            let mut options: SpaceWish = std::mem::zeroed();
            (options.size, options.manner, options.live) = (size_of::<SpaceWish>() as u32, 3, 1);
            let mut profile = 0;
            let counts_space = self.told.see(barrow_space_begin(m, &options, &mut profile));
            let mut lexical = main;
            for round in 0..3 {
                for at in 0..count {
                    barrow_ccs_enter_slow(m, centres.add((at * (round + 1)) % count));
                    self.allocate(10 + at);
                    self.told.see(barrow_cost_tick(m, 1));
                    if at == 1 {
                        lexical = (*m).window.ccs;
                    }
                }
                barrow_ccs_enter_function_slow(m, lexical);
                self.allocate(700);
                barrow_ccs_enter_caf(m, centres.add(round));
                self.allocate(3);
                self.told.see(barrow_ccs_leave_slow(m, main));
                (*barrow_ticky_row(m, functions)).entries += 1;
                self.told.see(barrow_collect(m, round == 1));
            }
            self.told.see(barrow_cost_report(m, path("costs.prof").as_ptr(), 2));
            self.told.see(barrow_cost_report(m, path("costs.json").as_ptr(), 4));
            self.told.see(barrow_ticky_report(m, path("counts.ticky").as_ptr()));
            if counts_space {
                // When this fails the profile has ended all the same.
                if self.told.see(barrow_space_end(m, profile)) {
                    self.told.see(barrow_space_report(self.heap, path("space.txt").as_ptr(), b'f' as _));
                }
            }
            self.told.see(barrow_cost_ticks(m, 0.001));
            self.told.see(barrow_cost_ticks(m, 0.0));
        }
    }

    /// All bytes are in some stack.
    fn check_sum(&mut self) {
        // SAFETY: the heap is live; rows have the size that is told.
        unsafe {
            let mut stats: HeapStats = std::mem::zeroed();
            stats.size = size_of::<HeapStats>() as u32;
            assert_eq!(barrow_stats(self.heap, &mut stats), Status::Ok);
            let main = (*self.m).window.ccs;
            assert_eq!(barrow_ccs_leave_slow(self.m, main), Status::Ok);
            let sum: u64 = (0..ccs::count())
                .filter_map(|n| {
                    let stack = ccs::stack(n)?;
                    Some((*self.m).cost_of(stack)?.bytes)
                        .filter(|_| n == 0 || (*self.m).window.watch & 1 == 0)
                })
                .sum();
            assert_eq!(sum, stats.allocated_bytes);
            assert_eq!(barrow_check(self.m), Status::Ok);
        }
    }
}

/// In a process of its own: everything with refusals from one point on, then everything without.
#[test]
fn child() {
    let Ok(from) = std::env::var(REFUSED_FROM) else { return };
    let folder = std::env::temp_dir().join(format!("barrow-cost-faults-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let folder = folder.to_str().unwrap().to_string();
    let flags = format!("-A64k -xr64m -P -V0 -po{folder}/end -r{folder}/end.ticky");
    let mut told = Told(false);
    fault::fail_after(from.parse().unwrap());
    let first = made(config(), &flags);
    if let Err(status) = first {
        told.see(status);
    }
    let before = fault::asked();
    let (heap, m) = first.unwrap_or_else(|_| {
        fault::stop();
        let second = made(config(), &flags).unwrap();
        fault::fail_after(from.parse().unwrap());
        second
    });
    let mut run = Run { told, heap, m, info: info(Kind::Bytes, 0, 0) };
    run.everything(&folder);
    fault::stop();
    assert!(fault::asked() > before);
    run.check_sum();
    let refused = std::mem::replace(&mut run.told, Told(false)).0;
    run.everything(&folder);
    assert!(!run.told.0, "something is refused that was not before");
    run.check_sum();
    let text = std::fs::read_to_string(format!("{folder}/costs.prof")).unwrap();
    for label in ["one ", "two ", "three ", "four "] {
        assert!(text.contains(label), "{text}");
    }
    // SAFETY: the heap is live.
    assert_eq!(unsafe { barrow_heap_free(heap) }, Status::Ok);
    assert!(std::fs::read_to_string(format!("{folder}/end.prof")).unwrap().contains("total alloc"));
    std::fs::remove_dir_all(&folder).unwrap();
    println!("\n@{}", if refused { "refused" } else { "whole" });
}

#[test]
fn every_refusal_is_survived() {
    let own = std::env::current_exe().unwrap();
    let mut refused = 0;
    for from in 0.. {
        let child = Command::new(&own)
            .args(["cost_faults::child", "--exact", "--nocapture", "--test-threads=1"])
            .env(REFUSED_FROM, from.to_string())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&child.stdout);
        assert!(
            child.status.success(),
            "refused from {from} on: {text}\n{}",
            String::from_utf8_lossy(&child.stderr)
        );
        if text.contains("@whole") {
            break;
        }
        assert!(text.contains("@refused"), "{text}");
        refused += 1;
    }
    assert!(refused > 30, "only {refused} points at which memory is asked for");
}
