//! Threads of a heap's own, which sleep until they are called to a piece of work. They get no signals, and end with the heap.

use super::{clock, processors, thread};
use crate::base::list::try_box;
use crate::base::still::Crew;
use crate::base::{List, Outcome};
use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};

/// The piece of work: a function that takes the number of the thread, and the closure that it calls.
#[derive(Clone, Copy)]
struct Job {
    run: unsafe fn(*const (), usize),
    closure: *const (),
}

struct Shared {
    crew: Crew,
    job: UnsafeCell<Option<Job>>,
    /// CPU time that the threads have taken for pieces of work.
    cpu_ns: AtomicU64,
}

/// The state that one thread begins with.
struct Begin {
    shared: *const Shared,
    number: usize,
}

/// How many threads take part in what a heap does.
pub(crate) struct Workers {
    /// Null as long as none were wanted.
    shared: *mut Shared,
    threads: List<libc::pthread_t>,
    /// The process of the threads, which a child of this process does not have.
    process: libc::pid_t,
    /// CPU time of threads that have ended.
    ended_ns: u64,
    quota: processors::Quota,
    most: Most,
    /// Times that several were called to something, and the most that were.
    pub(crate) calls: u64,
    is_counted: bool,
    pub(crate) most_called: usize,
    /// The most that were called since somebody took this number; 0 when none were.
    pub(crate) called: usize,
}

/// The number of threads, the caller included, that a heap may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Most {
    pub(crate) count: usize,
    /// Whether so many take part in any case, however little there is to do and however few processors there are.
    pub(crate) always: bool,
}

const STACK_BYTES: usize = 256 << 10;

extern "C" fn run(begin: *mut c_void) -> *mut c_void {
    // SAFETY: `start` hands the box over.
    let Begin { shared, number } = *unsafe { Box::from_raw(begin.cast::<Begin>()) };
    // SAFETY: the state is freed only after this thread has ended.
    let shared = unsafe { &*shared };
    let mut last = 0;
    while let Some(call) = shared.crew.next(number, last) {
        last = call;
        let began = clock::cpu();
        // SAFETY: the caller has put the job there before the call, and takes it away when all have done it.
        if let Some(job) = unsafe { *shared.job.get() } {
            // SAFETY: the closure lives until all have done it, and threads may share it.
            unsafe { (job.run)(job.closure, number + 1) };
        }
        shared.cpu_ns.fetch_add(clock::cpu().since(began).0, Ordering::Relaxed);
        shared.crew.is_done();
    }
    std::ptr::null_mut()
}

impl Workers {
    pub(crate) const fn new(most: Most) -> Workers {
        let quota = processors::Quota::UNREAD;
        Workers {
            shared: std::ptr::null_mut(),
            threads: List::new(),
            process: 0,
            ended_ns: 0,
            quota,
            most,
            calls: 0,
            is_counted: false,
            most_called: 0,
            called: 0,
        }
    }

    /// The number of threads that are to take part in work on so many bytes, when one does less than `least` bytes alone.
    pub(crate) fn wanted(&mut self, bytes: usize, least: usize) -> usize {
        let Most { count, always } = self.most;
        if always || count == 1 {
            return count;
        }
        if bytes < least {
            return 1;
        }
        let busy = planted!(402, count, bytes / least);
        count.min(planted!(403, count, processors::usable(&mut self.quota))).min(busy)
    }

    /// Lets so many threads take part from now on, at most.
    pub(crate) fn let_take_part(&mut self, count: usize) {
        self.most.count = count;
    }

    /// The number of processors that this process may use.
    pub(crate) fn processors(&mut self) -> usize {
        processors::usable(&mut self.quota)
    }

    /// CPU time that the threads have taken for pieces of work, in nanoseconds.
    pub(crate) fn cpu_ns(&self) -> u64 {
        // SAFETY: the state is there until this is dropped.
        let now = unsafe { self.shared.as_ref() }.map_or(0, |shared| shared.cpu_ns.load(Ordering::Relaxed));
        self.ended_ns + now
    }

    /// Begins a collection, which will be counted once.
    pub(crate) fn begin(&mut self) {
        self.is_counted = false;
    }

    /// Counts a collection in which so many take part.
    pub(crate) fn count(&mut self, threads: usize) {
        self.calls += !std::mem::replace(&mut self.is_counted, true) as u64;
        self.most_called = self.most_called.max(threads);
        self.called = self.called.max(threads);
    }

    /// Starts threads, so that `count` can take part with the caller; fewer, when the system gives no more. Gives how many can.
    pub(crate) fn gather(&mut self, count: usize) -> usize {
        // SAFETY: a pure question.
        let here = unsafe { libc::getpid() };
        if self.process != here {
            self.forget();
            self.process = here;
        }
        while self.threads.len() + 1 < count && self.start().is_ok() {}
        count.min(self.threads.len() + 1)
    }

    fn start(&mut self) -> Outcome<()> {
        if self.shared.is_null() {
            let (job, cpu_ns) = (UnsafeCell::new(None), AtomicU64::new(0));
            self.shared = Box::into_raw(try_box(Shared { crew: Crew::new(), job, cpu_ns })?);
        }
        self.threads.reserve(1)?;
        let begin = Box::into_raw(try_box(Begin { shared: self.shared, number: self.threads.len() })?);
        // SAFETY: the thread takes the box, and `shared` outlives it.
        match unsafe { thread::start(STACK_BYTES, run, begin.cast()) } {
            Ok(thread) => {
                let _ = self.threads.push_within(thread);
                Ok(())
            }
            Err(failure) => {
                // SAFETY: it came from a box, and no thread has it.
                drop(unsafe { Box::from_raw(begin) });
                Err(failure)
            }
        }
    }

    /// Calls `job` with the numbers from 0 to `count - 1`, 0 in this thread and the others in threads of their own, and returns
    /// when all are done. No more than `gather` has said.
    pub(crate) fn run<J: Fn(usize) + Sync>(&mut self, count: usize, job: &J) {
        unsafe fn call<J: Fn(usize)>(closure: *const (), number: usize) {
            // SAFETY: `run` hands in its closure, and waits.
            unsafe { (*closure.cast::<J>())(number) }
        }
        debug_assert!(count <= self.threads.len() + 1);
        // SAFETY: the state is there until this is dropped.
        let Some(shared) = (unsafe { self.shared.as_ref() }) else { return job(0) };
        // SAFETY: no thread looks at the job outside a call.
        unsafe { *shared.job.get() = Some(Job { run: call::<J>, closure: (&raw const *job).cast() }) };
        shared.crew.call(count - 1);
        job(0);
        shared.crew.wait();
        // SAFETY: as above.
        unsafe { *shared.job.get() = None };
    }

    /// Forgets threads that are not there, since this process is a child of theirs. Their lock may be held for ever, so it is not
    /// taken.
    fn forget(&mut self) {
        self.ended_ns = self.cpu_ns();
        self.threads.clear();
        if !self.shared.is_null() {
            // SAFETY: it came from a box, and the threads that shared it are not in this process.
            drop(unsafe { Box::from_raw(self.shared) });
            self.shared = std::ptr::null_mut();
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        // SAFETY: a pure question.
        if unsafe { libc::getpid() } == self.process && !self.shared.is_null() {
            // SAFETY: the threads have not been joined yet, so the state is still there.
            unsafe { (*self.shared).crew.end() };
            for &thread in self.threads.iter() {
                // SAFETY: each was started by this, and is joined once.
                unsafe { libc::pthread_join(thread, std::ptr::null_mut()) };
            }
        }
        self.forget();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::fault;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn each_number_is_called_once() {
        let mut workers = Workers::new(Most { count: 4, always: true });
        assert_eq!(workers.gather(4), 4);
        for count in [4, 2, 1, 3, 4] {
            let called = [const { AtomicUsize::new(0) }; 4];
            workers.run(count, &|number| {
                called[number].fetch_add(1, Ordering::Relaxed);
            });
            let times: Vec<usize> = called.iter().map(|n| n.load(Ordering::Relaxed)).collect();
            assert_eq!(times, (0..4).map(|n| (n < count) as usize).collect::<Vec<_>>());
        }
    }

    #[test]
    fn less_memory_is_fewer_threads() {
        for allowed in 0..6 {
            let mut workers = Workers::new(Most { count: 3, always: true });
            fault::fail_after(allowed);
            let gathered = workers.gather(3);
            fault::stop();
            assert!((1..=3).contains(&gathered));
            let called = AtomicUsize::new(0);
            workers.run(gathered, &|_| {
                called.fetch_add(1, Ordering::Relaxed);
            });
            assert_eq!(called.load(Ordering::Relaxed), gathered);
        }
    }

    #[test]
    fn small_work_is_done_alone() {
        let mut workers = Workers::new(Most { count: 64, always: false });
        assert_eq!(workers.wanted(1000, 1001), 1);
        // With a second one each would have less than one does alone.
        assert_eq!(workers.wanted(1999, 1000), 1);
        let mut quota = processors::Quota::UNREAD;
        assert!(workers.wanted(1 << 40, 1) <= processors::usable(&mut quota));
        assert_eq!(Workers::new(Most { count: 64, always: true }).wanted(0, 1 << 20), 64);
    }
}
