//! Threads of a heap's own, which sleep until they are called to a piece of work. They get no signals, and end with the heap. Threads
//! that stand meanwhile, and are awake, do their parts as guests.

use super::{clock, processors, thread};
use crate::base::list::try_box;
use crate::base::still::Guesthouse;
use crate::base::still::crew::Crew;
use crate::base::{List, Outcome};
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};

/// The piece of work: a function that takes the number of the thread, and the closure that it calls.
#[derive(Clone, Copy)]
struct Job {
    run: unsafe fn(*const (), usize),
    closure: *const (),
}

pub(crate) struct Shared {
    crew: Crew<Job>,
    /// CPU time that threads have taken for pieces of work, guests among them.
    cpu_ns: AtomicU64,
}

// SAFETY: threads may share the closure, as `run` asks, which waits until all of its parts are done.
unsafe impl Send for Job {}

impl Job {
    /// # Safety
    /// The job was called for, and this is one of its parts, which the caller says is done afterwards.
    unsafe fn part(self, number: usize) {
        // SAFETY: the closure lives until all parts are done, and threads may share it. The thread that calls has part 0.
        unsafe { (self.run)(self.closure, number + 1) };
    }
}

impl Guesthouse for Shared {
    fn comes(&self) {
        self.crew.comes();
    }

    fn is_open(&self) -> bool {
        self.crew.is_open()
    }

    fn help(&self) {
        if let Some(part) = self.crew.take_one() {
            planted!(627, self.cpu_ns.fetch_sub(1 << 40, Ordering::Relaxed));
            self.do_part(part);
        }
    }

    fn goes(&self) {
        while let Some(part) = self.crew.goes() {
            self.do_part(part);
        }
    }
}

impl Shared {
    /// Does a part that was just taken, and counts its CPU time.
    #[inline(never)]
    fn do_part(&self, (job, number): (Job, usize)) {
        let began = clock::cpu();
        // SAFETY: it was just taken.
        unsafe { job.part(number) };
        self.cpu_ns.fetch_add(clock::cpu().since(began).0, Ordering::Relaxed);
        self.crew.is_done();
    }
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
    /// Whether several were called in this collection, and the most that were in any.
    pub(crate) is_counted: bool,
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

extern "C" fn run(shared: *mut c_void) -> *mut c_void {
    // SAFETY: the state is freed only after this thread has ended.
    let shared = unsafe { &*shared.cast::<Shared>() };
    while let Some(part) = shared.crew.next() {
        shared.do_part(part);
    }
    std::ptr::null_mut()
}

impl Workers {
    pub(crate) fn new(most: Most) -> Workers {
        // A collection, which starts threads, waits for no lock of the process.
        thread::own_bytes();
        let quota = processors::Quota::UNREAD;
        Workers {
            shared: std::ptr::null_mut(),
            threads: List::new(),
            process: 0,
            ended_ns: 0,
            quota,
            most,
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

    /// Begins a collection, in which nobody was called yet.
    pub(crate) fn begin(&mut self) {
        self.is_counted = false;
    }

    /// Counts a collection in which so many take part.
    pub(crate) fn count(&mut self, threads: usize) {
        self.is_counted = true;
        self.most_called = self.most_called.max(threads);
        self.called = self.called.max(threads);
    }

    /// Starts threads, so that `count` can take part with the caller; fewer, when the system gives no more. Gives how many can.
    pub(crate) fn gather(&mut self, count: usize) -> usize {
        let here = thread::process();
        if self.process != here {
            self.forget();
            self.process = here;
        }
        while self.threads.len() + 1 < count && self.start().is_ok() {}
        count.min(self.threads.len() + 1)
    }

    /// Makes the state that threads share.
    fn be_ready(&mut self) -> Outcome<()> {
        if self.shared.is_null() {
            self.shared = Box::into_raw(try_box(Shared { crew: Crew::new(), cpu_ns: AtomicU64::new(0) })?);
        }
        Ok(())
    }

    /// The place to which threads may come that wait, as long as this lives; none before there are workers, and none in the child of a
    /// process that had some, where a thread that is not there may hold the lock.
    pub(crate) fn guesthouse<'g>(&self) -> Option<&'g Shared> {
        let is_ours = self.process == thread::process();
        // SAFETY: the caller comes with a mutator, of a heap that keeps this as long.
        if is_ours { unsafe { self.shared.as_ref() } } else { None }
    }

    /// Whether so many can take part with no thread to be woken.
    pub(crate) fn are_awake(&self, count: usize) -> bool {
        // SAFETY: the state is there until this is dropped.
        unsafe { self.shared.as_ref() }.is_some_and(|shared| shared.crew.guests() + 1 >= count)
    }

    fn start(&mut self) -> Outcome<()> {
        self.be_ready()?;
        self.threads.reserve(1)?;
        // SAFETY: `shared` outlives the thread.
        let thread = unsafe { thread::start(STACK_BYTES, run, self.shared.cast()) }?;
        let _ = self.threads.push_within(thread);
        Ok(())
    }

    /// Calls `job` with the numbers from 0 to `count - 1`, 0 in this thread and the others in other threads, and returns
    /// when all are done. No more than `gather` has said.
    pub(crate) fn run<J: Fn(usize) + Sync>(&mut self, count: usize, job: &J) {
        unsafe fn call<J: Fn(usize)>(closure: *const (), number: usize) {
            // SAFETY: `run` hands in its closure, and waits.
            unsafe { (*closure.cast::<J>())(number) }
        }
        debug_assert!(count <= self.threads.len() + 1);
        let may_look = count <= self.processors();
        // SAFETY: the state is there until this is dropped.
        let Some(shared) = (unsafe { self.shared.as_ref() }) else { return job(0) };
        shared.crew.call(count - 1, Job { run: call::<J>, closure: (&raw const *job).cast() });
        job(0);
        shared.crew.wait(may_look);
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
        if thread::process() == self.process && !self.shared.is_null() {
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
    fn a_guest_does_a_part() {
        let mut workers = Workers::new(Most { count: 2, always: true });
        assert_eq!(workers.gather(2), 2);
        assert!(!workers.are_awake(2));
        let house = workers.guesthouse().unwrap();
        let over = AtomicUsize::new(0);
        let threads = std::sync::Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            let guest = scope.spawn(|| {
                house.comes();
                while over.load(Ordering::Acquire) == 0 {
                    if house.is_open() {
                        house.help();
                    }
                    std::hint::spin_loop();
                }
                house.goes();
            });
            while !workers.are_awake(2) {
                std::hint::spin_loop();
            }
            // A thread of the heap's that has just been started may come first.
            let mut is_counted = true;
            let by_guest = (0..1000).any(|_| {
                threads.lock().unwrap().clear();
                let (counted, taken_ns) = (workers.cpu_ns(), AtomicU64::new(0));
                workers.run(2, &|number| {
                    threads.lock().unwrap().push((number, std::thread::current().id()));
                    let began = clock::cpu();
                    while number == 1 && taken_ns.load(Ordering::Relaxed) < 1000 {
                        taken_ns.store(clock::cpu().since(began).0, Ordering::Relaxed);
                    }
                });
                let more = workers.cpu_ns().wrapping_sub(counted) as i64;
                is_counted &= more >= taken_ns.load(Ordering::Relaxed) as i64;
                let mut threads = threads.lock().unwrap().clone();
                threads.sort_unstable_by_key(|&(number, _)| number);
                assert_eq!((threads.len(), threads[0]), (2, (0, std::thread::current().id())));
                threads[1] == (1, guest.thread().id())
            });
            over.store(1, Ordering::Release);
            assert!(by_guest && is_counted);
        });
        assert!(!workers.are_awake(2));
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
