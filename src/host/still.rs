//! Several mutators in one heap: how calls come in, how a mutator lets others collect, and how one keeps the others still.
//!
//! Every call of a heap that takes several mutators comes in by its gate, so that this module and all below see one thread
//! at a time. Inline code and threads in foreign code are outside. Before a collection the others are stopped, and what
//! they have made is handed over; they stay so until the call ends [host.still].

use crate::base::flag::{Flags, WORKERS_BY_STOPS};
use crate::base::list::try_box;
use crate::base::still::{Gate, Guesthouse};
use crate::base::{Addr, Failure, List, Outcome, Sentence, Status};
use crate::heap::Mutator;
use crate::heap::mutator::running::running;
use crate::heap::mutator::state::attention;
use crate::host::Host;
use crate::host::foreign::presence;
use crate::host::given::is_mutator;
use crate::host::slow;
use crate::os::output::say;
use crate::os::thread::{current_thread, process};
use crate::os::{clock, thread};
use crate::runtime::heap::DEAD;
use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::hint::black_box;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::time::Duration;

/// A thread's stay in a heap.
pub(crate) struct Inside<'a> {
    host: *mut Host,
    /// The gate, when the thread came in by it now; else null.
    gate: *const Gate,
    /// The thread's own mutator, when it came in by the gate and had one; else null.
    own: *mut Mutator,
    stay: PhantomData<&'a mut Host>,
}

impl<'a> Inside<'a> {
    /// Goes into a heap, after waiting for the thread that is inside. In a call from inside, nothing is waited for.
    ///
    /// # Safety
    /// The heap is live. When it takes one mutator, no other thread uses it.
    pub(crate) unsafe fn enter(host: *mut Host, mutator: *mut Mutator) -> Inside<'a> {
        // SAFETY: the caller's promise. The field stays as it is as long as the heap lives.
        let mut gate = unsafe { (&raw const (*host).runtime.gate).read() };
        let mut own = std::ptr::null_mut();
        if !gate.is_null() {
            let here = current_thread();
            // SAFETY: the gate lives as long as the heap; inside, the heap is this thread's.
            unsafe {
                if (*gate).has(here) {
                    gate = std::ptr::null();
                } else {
                    (*gate).enter(here);
                    own = if mutator.is_null() {
                        own_mutator(&*host, here).unwrap_or(std::ptr::null_mut())
                    } else {
                        mutator
                    };
                    (*host).runtime.busy.closes(own);
                    if !own.is_null() {
                        Mutator::goes_in(own);
                    }
                }
            }
        }
        Inside { host, gate, own, stay: PhantomData }
    }
}

impl Host {
    /// Goes into a heap that ends, for good: functions of the client's that are called then find it closed, as in other calls. No
    /// other thread has a mutator here.
    pub(crate) fn go_in_to_end(&mut self) {
        // SAFETY: the heap is live. All that the stay would give back goes with it.
        std::mem::forget(unsafe { Inside::enter(self, std::ptr::null_mut()) });
    }
}

impl Deref for Inside<'_> {
    type Target = Host;
    fn deref(&self) -> &Host {
        // SAFETY: the thread is inside, where no other is.
        unsafe { &*self.host }
    }
}

impl DerefMut for Inside<'_> {
    fn deref_mut(&mut self) -> &mut Host {
        // SAFETY: as above.
        unsafe { &mut *self.host }
    }
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        if self.gate.is_null() {
            return;
        }
        let here = current_thread();
        // SAFETY: the thread is inside until it leaves, and the heap lives until then.
        unsafe {
            if (*self.gate).keeps_still(here) {
                (*self.host).let_others_go_on();
            }
            (*self.host).runtime.busy.closes(std::ptr::null_mut());
            if !self.own.is_null() {
                Mutator::goes_out(self.own);
            }
            (*self.gate).leave(here);
        }
    }
}

impl Host {
    /// The gate for a heap with these flags; null for a heap with one mutator.
    pub(crate) fn gate_for(flags: &Flags) -> Outcome<*const Gate> {
        if flags.mutators == 1 {
            return Ok(std::ptr::null());
        }
        Ok(Box::into_raw(try_box(Gate::new())?))
    }

    pub(crate) fn close_gate(&mut self) {
        let gate = std::mem::replace(&mut self.runtime.gate, std::ptr::null());
        if !gate.is_null() {
            // SAFETY: it came from a box, and no mutator is left that would come in by it.
            drop(unsafe { Box::from_raw(gate.cast_mut()) });
        }
    }

    /// Makes the gate as new in the child of a fork, whose other threads are gone. False when one of them was inside.
    pub(crate) fn renew_gate(&mut self) -> bool {
        let Some(gate) = self.gate() else { return true };
        let was_empty = gate.is_empty();
        // SAFETY: no other thread is left that would look at it. The lock of the old one may be held by a thread that is
        // not there, so nothing of it is used or dropped.
        unsafe { self.runtime.gate.cast_mut().write(Gate::new()) };
        was_empty
    }

    /// Whether the heap takes several mutators.
    #[inline]
    pub(crate) fn is_shared(&self) -> bool {
        !self.runtime.gate.is_null()
    }

    /// The calling thread's mutator; where the heap takes one, that one.
    pub(crate) fn own_mutator(&mut self) -> Option<*mut Mutator> {
        if self.is_shared() { own_mutator(self, current_thread()) } else { self.first_mutator() }
    }

    /// Lets threads at the gate look for a while before they sleep, when each has a processor to itself.
    pub(crate) fn let_waiters_look(&mut self) {
        if let Some(gate) = self.gate() {
            let count = self.mutators.len();
            gate.let_look(count > 1 && count <= self.store.workers.processors());
        }
    }

    fn gate(&self) -> Option<&'static Gate> {
        // SAFETY: it lives as long as the heap; no caller keeps it for longer.
        unsafe { self.runtime.gate.as_ref() }
    }

    /// Refuses one mutator more than the heap takes, and a second one in a thread. Waits while others are kept still.
    pub(crate) fn make_way_for_another(&mut self) -> Outcome<()> {
        self.refuse_when_full()?;
        let here = current_thread();
        if self.is_shared() && own_mutator(self, here).is_some() {
            return Err(Failure::state(format_args!(
                "this thread has a mutator of this heap already; each thread attaches one"
            )));
        }
        let Some(gate) = self.gate() else { return Ok(()) };
        while self.gives_way(gate, std::ptr::null_mut()) {}
        // Others may have come while this thread was out.
        planted!(466, Ok(()), self.refuse_when_full())
    }

    fn refuse_when_full(&self) -> Outcome<()> {
        let most = self.flags.mutators;
        if self.mutators.len() < most {
            return Ok(());
        }
        Err(if most == 1 {
            Failure::state(format_args!(
                "this heap has a mutator already, and takes one at a time: with the flag --mutators=<n> it takes more"
            ))
        } else {
            Failure::state(format_args!("this heap has {most} mutators already, as many as --mutators says"))
        })
    }

    /// Goes out for a thread that waits for the others to be still, if there is one, and comes in again after it.
    #[inline(never)]
    fn gives_way(&mut self, gate: &Gate, mutator: *mut Mutator) -> bool {
        // SAFETY: the mutator is live.
        let presence = if mutator.is_null() { None } else { Some(unsafe { presence(mutator) }) };
        let house = self.store.workers.guesthouse().filter(|_| presence.is_some());
        let house = house.map(|house| house as &dyn Guesthouse);
        // Another thread has the heap in between, through the address that this gives away.
        let host: *mut Host = black_box(self);
        let stood = gate.stand_aside(current_thread(), presence, house);
        if stood {
            // SAFETY: the thread is inside again.
            unsafe { (*black_box(host)).runtime.busy.closes(mutator) };
        }
        stood
    }

    /// Lets others collect who wait for it. Called where a collection may run. Whether anybody did.
    pub(crate) fn stand_aside(&mut self, mutator: *mut Mutator) -> bool {
        match self.gate() {
            None => false,
            Some(gate) => self.gives_way(gate, mutator),
        }
    }

    /// Stands aside in a call that an open area does not refuse: with one it goes on, since others would take the area.
    pub(crate) fn stand_unless_open(&mut self, mutator: *mut Mutator) {
        // SAFETY: the mutator is live, and only its own thread calls this.
        if !unsafe { planted!(515, true, (*mutator).opened) } {
            self.stand_aside(mutator);
        }
    }

    /// Whether this thread's call keeps all others still, so that they see none of its steps.
    pub(crate) fn others_see_nothing(&self) -> bool {
        self.gate().is_none_or(|gate| gate.keeps_still(current_thread()))
    }

    /// Goes out for a while, to wait for another mutator, and comes in again. A collection may run.
    #[inline(never)]
    pub(crate) fn rest(&mut self, mutator: *mut Mutator, pause: Duration) {
        let Some(gate) = self.gate() else { return };
        // SAFETY: the mutator is live.
        let presence = unsafe { presence(mutator) };
        // Others have the heap in between, through the address that this gives away.
        let host: *mut Host = black_box(self);
        gate.rest(presence);
        thread::rest(pause);
        gate.wake(current_thread(), presence);
        // SAFETY: the thread is inside again.
        unsafe { (*black_box(host)).runtime.busy.closes(mutator) };
    }

    /// Keeps the other mutators still until this call ends, and takes over what they have made. Called where a collection
    /// may run. Whether somebody else kept everybody still before.
    pub(crate) fn stop_others(&mut self, mutator: *mut Mutator) -> bool {
        let Some(gate) = self.gate() else { return false };
        let here = current_thread();
        if gate.keeps_still(here) {
            return false;
        }
        let mut stood = false;
        while self.gives_way(gate, mutator) {
            stood = true;
        }
        self.wait_for_others(gate, mutator);
        planted!(663, self.races.clear_slop());
        self.take_clock();
        for index in 0..self.mutators.len() {
            let other = self.mutators[index].as_raw();
            // SAFETY: it is live, and its thread touches nothing now [base.still].
            if other != mutator && unsafe { !(*other).rests } {
                // Entries that this remembers are handed over below.
                self.pause_stack(other);
                let Host { runtime, profilers, .. } = &mut *self;
                // SAFETY: as above.
                let other = unsafe { &mut *other };
                planted!(360, (), profilers.space.close_region(runtime, other));
                planted!(633, (), profilers.samples.take_own(runtime, other));
            }
        }
        let Host { runtime, .. } = self;
        // SAFETY: all mutators of the heap are live, and their threads touch nothing now [base.still].
        unsafe {
            let mut beside = std::ptr::null_mut();
            for other in runtime.mutators.iter_mut() {
                if other.thread == here {
                    continue;
                }
                if !other.rests {
                    runtime.store.hand_over(other);
                    other.rests = other.presence.is_away();
                }
                other.beside = beside;
                beside = &raw mut **other;
            }
            runtime.stats.before_stop = runtime.stats.collections;
            runtime.store.take_over(&mut *mutator);
            (*mutator).beside = planted!(301, std::ptr::null_mut(), beside);
        }
        stood
    }

    #[inline(never)]
    fn wait_for_others(&mut self, gate: &Gate, mutator: *mut Mutator) {
        let here = current_thread();
        let host: *mut Host = black_box(self);
        let begun = clock::wall();
        // SAFETY: the thread is inside.
        let patience = match unsafe { (*host).runtime.flags.slow_stop } {
            0 => None,
            most => Some(Duration::from_millis(most)),
        };
        // SAFETY: the list changes only inside, where nobody is while it is looked at; all mutators in it are live, and
        // what is looked at here is atomic, or never changes.
        let others = || unsafe {
            let mutators = &(*host).runtime.mutators;
            (0..mutators.len())
                .map(move |index| mutators[index].as_raw())
                .filter(move |&other| thread_of(other) != here)
        };
        // SAFETY: as above.
        let is_still = |&other: &*mut Mutator| unsafe { presence(other).is_still() };
        let mut last = 0;
        gate.stop(
            here,
            || {
                for other in others() {
                    // SAFETY: as above.
                    unsafe {
                        // The lock is held, without which one that is asked already does not come back.
                        if !presence(other).is_asked() {
                            presence(other).ask();
                            Mutator::ask(other, attention::STOP);
                        }
                    }
                }
            },
            || {
                // SAFETY: as above; nobody is inside who would look at the time line.
                let timeline = unsafe { &mut (*host).runtime.timeline };
                if timeline.is_on() {
                    // SAFETY: as above.
                    let look =
                        |other| unsafe { (thread_of(other), is_still(&other), presence(other).is_away()) };
                    timeline.look(begun, others().map(look));
                }
                match others().find(|other| !is_still(other)) {
                    None => true,
                    Some(late) => {
                        // SAFETY: as above.
                        last = unsafe { thread_of(late) };
                        false
                    }
                }
            },
            patience,
            || {
                let late = others().find(|other| !is_still(other));
                // SAFETY: as above.
                let sentence = late.map(|late| unsafe { slow::sentence(late, thread_of(late), begun) });
                move || sentence.iter().for_each(slow::tell)
            },
        );
        let host = black_box(host);
        // SAFETY: the thread is inside again.
        unsafe {
            let runtime = &mut (*host).runtime;
            runtime.busy.closes(mutator);
            // A thread in foreign code may go on there, and keeps its processor [gc.together.count].
            let stopped = others().filter(|&other| planted!(431, true, !presence(other).is_away())).count();
            let workers = &mut runtime.store.workers;
            if runtime.flags.workers == WORKERS_BY_STOPS {
                workers.let_take_part(1 + stopped);
            }
            gate.let_look(stopped > 0 && stopped < workers.processors());
            if others().next().is_some() {
                let still = clock::wall();
                runtime.stats.stopped(still.since(begun), last);
                runtime.timeline.stopped(still);
            }
        }
    }

    /// Lets the others go on, with chunks of the nursery to take.
    fn let_others_go_on(&mut self) {
        self.stats.this_stop = clock::Nanos(0);
        // The collections that others have asked for are done when one came in this stop, and was not refused.
        let now = planted!(646, self.stats.begun, self.stats.collections);
        let collected = planted!(568, true, now != self.stats.before_stop);
        let here = current_thread();
        let mut share = std::ptr::null_mut();
        for other in self.runtime.mutators.iter_mut() {
            other.beside = std::ptr::null_mut();
            if other.thread == here {
                share = &raw mut **other;
                continue;
            }
            if collected {
                other.satisfy(attention::COLLECT);
            }
            // A thread in foreign code is let go at the gate, when it comes back [host.still.away].
            if !other.presence.is_away() {
                other.satisfy(attention::STOP);
                other.show_limit();
                other.presence.let_go();
            }
        }
        self.timeline.goes_on();
        if !share.is_null() {
            // SAFETY: the thread's own mutator.
            self.share_nursery(unsafe { &mut *share });
        }
    }

    /// Leaves a mutator the chunk that it fills, so that others find the rest.
    pub(crate) fn share_nursery(&mut self, mutator: &mut Mutator) {
        if self.is_shared() {
            self.store.share_chunks(mutator);
        }
    }

    /// Takes a mutator away whose objects stay, without a collection.
    pub(crate) fn detach_shared(&mut self, mutator: *mut Mutator) -> Outcome<()> {
        // SAFETY: the mutator is live, and only its own thread calls this.
        unsafe { (*mutator).refuse_while_open()? };
        self.stand_aside(mutator);
        self.take_away(mutator)
    }

    /// Takes a mutator away, whether or not somebody waits for its thread to stand: one mutator less to wait for.
    fn take_away(&mut self, mutator: *mut Mutator) -> Outcome<()> {
        // Another thread may enter its stack afterwards. A mutator stays when nobody knows the top.
        planted!(493, (), self.enter_stack(mutator, Addr::NULL)?);
        let reported = self.report_with_the_last(mutator);
        let index = self.mutators.iter().position(|m| std::ptr::eq(&raw const **m, mutator));
        let Some(index) = index else {
            return Err(Failure::state(format_args!("the mutator belongs to another heap")));
        };
        self.take_clock();
        let mut mutator = self.mutators.swap_remove(index);
        self.let_waiters_look();
        self.timeline.detached(mutator.thread);
        mutator.book();
        mutator.pass_ticks_on(&mut self.profilers.costs.part_of_tick);
        self.profilers.space.goes(&mut self.runtime, &mut mutator);
        // Words that it has reserved and not used are handed over to others.
        planted!(632, (), self.profilers.samples.take_own(&mut self.runtime, &mut mutator));
        self.store.hand_over(&mut mutator);
        self.profilers.heap.unwatch(&raw const *mutator);
        self.profilers.join_counts(&raw const *mutator);
        self.forget_this_thread();
        // SAFETY: a null pointer stands for no mutator.
        unsafe { self.busy.closes(std::ptr::null_mut()) };
        mutator.retire(DEAD);
        forget_at_the_end(mutator.as_raw());
        reported
    }

    /// Sees to it that a stack which a thread leaves by ending has a top. Frames whose top nobody knows are lost, rather than taken
    /// from words that may be anything.
    fn find_the_top(&mut self, mutator: *mut Mutator) {
        // SAFETY: the mutator is live, and only its own thread calls this.
        let m = unsafe { &mut *mutator };
        let (Some(stack), Err(failure)) = (running(m), self.store.close_stack(m)) else { return };
        m.window.sp = stack.stop_frame().as_ptr();
        say(&Sentence::new(format_args!("a thread ended, and its frames are lost: {}", failure.sentence)));
    }

    /// Writes the report of `--space`, which needs a mutator, before the last one goes. That goes without a report too, so the code of
    /// the failure is none of a refusal.
    pub(crate) fn report_with_the_last(&mut self, mutator: *mut Mutator) -> Outcome<()> {
        if self.mutators.len() > 1 || self.profilers.space_asked.target.is_none() {
            return Ok(());
        }
        self.stop_others(mutator);
        // Others may have come meanwhile.
        if self.mutators.len() > 1 {
            return Ok(());
        }
        self.finish_asked_space(mutator).map_err(|failure| {
            let sentence = &failure.sentence;
            Failure::new(
                Status::Io,
                format_args!("the mutator is detached, and the report of --space is lost: {sentence}"),
            )
        })
    }

    /// Refuses what cannot be done while other threads have mutators here.
    pub(crate) fn refuse_others(&self, what: &str) -> Outcome<()> {
        let here = current_thread();
        let others = self.mutators.iter().filter(|mutator| mutator.thread != here).count();
        if self.is_shared() && others > 0 {
            let have = if others == 1 { "thread has a mutator" } else { "threads have mutators" };
            return Err(Failure::state(format_args!("{others} other {have} of this heap: {what}")));
        }
        Ok(())
    }
}

/// The number of a mutator's thread, which never changes.
///
/// # Safety
/// The mutator is live.
unsafe fn thread_of(mutator: *mut Mutator) -> u64 {
    // SAFETY: the caller's promise.
    unsafe { (&raw const (*mutator).thread).read() }
}

/// The mutator of the calling thread, whose number this is, in a heap that takes several.
fn own_mutator(host: &Host, here: u64) -> Option<*mut Mutator> {
    // SAFETY: a mutator that is the thread's own is live.
    let is_here =
        |&mutator: &*mut Mutator| is_own(mutator) && std::ptr::eq(unsafe { (*mutator).owner }.cast(), host);
    let listed = ATTACHED.try_with(|attached| attached.0.borrow().iter().copied().find(is_here));
    // A thread that ends has no list any more.
    let walk = || host.mutators.iter().find(|mutator| mutator.thread == here).map(|mutator| mutator.as_raw());
    listed.unwrap_or_else(|_| walk())
}

/// The mutators of a thread in heaps that take several, and the process in which they are. In another one, the child of a fork that the
/// library was not told of, other threads may stand in any call for ever, so nothing is waited for.
struct Attached(RefCell<List<*mut Mutator>>, Cell<i32>);

impl Attached {
    /// Whether the mutators are this process's.
    fn are_here(&self) -> bool {
        planted!(689, true, self.1.get() == process())
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        let mutators = if self.are_here() { self.0.take() } else { List::new() };
        for &mutator in mutators.iter() {
            // SAFETY: a live mutator, of this thread, in a heap that lives as long as it.
            unsafe {
                if is_own(mutator) {
                    leave_and_detach(mutator);
                }
            }
        }
    }
}

thread_local!(static ATTACHED: Attached = const { Attached(RefCell::new(List::new()), Cell::new(0)) });

/// Detaches the main thread's mutators, when that ends by `pthread_exit`.
unsafe extern "C" fn detach_all(_: *mut c_void) {
    let _ = ATTACHED.try_with(|attached| drop(Attached(RefCell::new(attached.0.take()), attached.1.clone())));
}

/// Whether a mutator lives there, of this thread, in a heap that takes several.
fn is_own(mutator: *mut Mutator) -> bool {
    // SAFETY: slots stay mapped, and one with the signature has a mutator, whose thread and gate stay as they are.
    is_mutator(mutator)
        && unsafe { (&raw const (*mutator).thread).read() == current_thread() && !(*mutator).gate.is_null() }
}

/// Detaches a mutator whose thread ends, or ends the process (`exit` runs destructors too). It waits for a call or a collection that
/// runs, and not for one that waits for others to stand: they may never do so, or may wait for this thread in another heap, and a
/// process has to be able to end [host.still.ends].
///
/// # Safety
/// The mutator is live and the calling thread's, which ends.
unsafe fn leave_and_detach(mutator: *mut Mutator) {
    // SAFETY: the caller's promise; the owner of a live mutator is a live heap. The thread that keeps others still is inside until they may go
    // on, so inside nobody else looks at the mutator, in foreign code or not.
    unsafe {
        planted!(495, (*mutator).set_opened(false));
        let host = (*mutator).owner.cast::<Host>();
        let mut inside = Inside::enter(host, mutator);
        (*mutator).foreign = 0;
        (*mutator).set_opened(false);
        planted!(647, inside.stand_aside(mutator));
        inside.find_the_top(mutator);
        let _ = inside.take_away(mutator);
    }
}

/// Has the mutator detached when its thread ends, if nobody does it before.
pub(crate) fn detach_at_the_end(mutator: *mut Mutator) -> Outcome<()> {
    planted!(688, (), thread::when_main_ends(detach_all));
    let kept = ATTACHED.try_with(|attached| {
        let mut list = attached.0.borrow_mut();
        if !attached.are_here() {
            list.clear();
            attached.1.set(process());
        }
        if list.contains(&mutator) { Ok(()) } else { list.push(mutator) }
    });
    kept.unwrap_or_else(|_| {
        Err(Failure::state(format_args!("the thread is ending, and attaches nothing more")))
    })
}

/// Keeps the calling thread's mutators in the child of a fork.
pub(crate) fn become_child() {
    let _ = ATTACHED.try_with(|attached| attached.1.set(process()));
}

/// How many mutators the list of the calling thread has.
#[cfg(test)]
pub(crate) fn listed() -> usize {
    ATTACHED.with(|attached| attached.0.borrow().len())
}

/// Takes a mutator that ends off the list of its thread, which calls: its place may be another thread's from now on.
pub(crate) fn forget_at_the_end(mutator: *mut Mutator) {
    let _ = ATTACHED.try_with(|attached| {
        let mut list = attached.0.borrow_mut();
        if let Some(index) = list.iter().position(|&listed| listed == mutator) {
            list.swap_remove(index);
        }
    });
}
