//! A thread that ends in foreign code leaves its mutator to others until it is back.

use crate::heap::Mutator;
use crate::host::Host;
use crate::host::foreign::leave_for_foreign;
use crate::host::plain::plain;
use crate::host::still::Inside;
use std::sync::mpsc::channel;
use std::thread::{sleep, spawn};
use std::time::Duration;

#[test]
fn an_ending_thread_writes_nothing_while_others_are_kept_still() {
    let (mut heap, m) = plain("--mutators=2 -A64k");
    let host = &raw mut *heap as usize;
    let (tell, told) = channel();
    let (go, may_go) = channel::<()>();
    let thread = spawn(move || {
        // SAFETY: the heap lives until this thread has ended.
        unsafe {
            let mut inside = Inside::enter(host as *mut Host, std::ptr::null_mut());
            let own = inside.attach().unwrap();
            drop(inside);
            leave_for_foreign(own).unwrap();
            tell.send(own as usize).unwrap();
        }
        may_go.recv().unwrap();
    });
    let other = told.recv().unwrap() as *mut Mutator;
    // SAFETY: both mutators live; while the others are still, the other one is this thread's.
    unsafe {
        let mut inside = Inside::enter(host as *mut Host, m);
        inside.stop_others(m);
        (*other).opened = true;
        go.send(()).unwrap();
        // A thread that does not wait is over long before.
        sleep(Duration::from_millis(100));
        assert!((*other).opened);
        (*other).opened = false;
    }
    thread.join().unwrap();
    assert_eq!(heap.mutators.len(), 1);
    // SAFETY: the mutator is this thread's.
    unsafe { Inside::enter(&raw mut *heap, m).detach(m).unwrap() };
    Host::end(heap).unwrap();
}
