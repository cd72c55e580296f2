//! Models of a thread that allocates in line and is asked to come out of line: the orders of the steps are tried one by one, with what
//! the memory model allows each of them to see. The code is the library's own, with other atomics. A request that is lost is one whose
//! reason stays while the limit is back: the thread would look at it when its area is full.

use asked::Asked;
use bugs::explored_with;
use loom::sync::Arc;
use loom::thread;
use sync::{AtomicU32, AtomicU64, Ordering, Weaker, explored, explored_in_turns, without_need};

#[macro_use]
#[path = "support/bugs.rs"]
mod bugs;
#[path = "../src/base/still/asked.rs"]
mod asked;
#[allow(dead_code, unused_imports)]
#[path = "support/sync.rs"]
pub mod sync;

/// Reasons: one that a look takes, another, and one that stays until whoever gave it takes it back.
const SAMPLE: u32 = 1;
const WALK: u32 = 2;
const STOP: u32 = 4;
/// The end of the thread's area.
const LIMIT: u64 = 0x1000;
/// The contents of a word that is filled before the thread is asked.
const FILLED: u64 = 42;

/// The window of a thread that is asked.
struct Window {
    reasons: AtomicU32,
    limit: AtomicU64,
    /// A word that goes with the reasons.
    word: AtomicU64,
}

impl Window {
    /// The window of a thread that was asked for a reason before, or for none.
    fn new(reasons: u32) -> Arc<Window> {
        let limit = if reasons == 0 { LIMIT } else { 0 };
        Arc::new(Window {
            reasons: AtomicU32::new(reasons),
            limit: AtomicU64::new(limit),
            word: AtomicU64::new(0),
        })
    }

    fn asked(&self) -> Asked<'_> {
        Asked::new(&self.reasons, &self.limit)
    }

    /// The limit as code in line reads it.
    fn limit(&self) -> u64 {
        self.limit.load(Ordering::Relaxed)
    }

    fn ask(&self, reason: u32) {
        self.asked().ask(reason);
    }

    /// A look out of line.
    fn take(&self) -> u32 {
        self.asked().take(LIMIT, STOP)
    }

    fn put_limit_back(&self) {
        self.asked().put_limit_back(LIMIT);
    }

    /// Looks when all have ended: what was asked for is what the thread has taken and what it is still to find, for which it comes
    /// out of line. It does not when there is nothing, but for one look that is in vain.
    fn end(&self, asked: u32, taken: u32) {
        let left = self.reasons.load(Ordering::Relaxed);
        assert_eq!(taken | left, asked, "a reason was lost, or came twice");
        assert!(left == 0 || self.limit() == 0, "the thread does not look at what it is asked for: {left}");
        self.take();
        assert_eq!(self.limit() == 0, asked & STOP != 0, "the limit is not back, or too early");
    }
}

/// The thread does its part, which takes reasons, while another asks; then all is looked at.
fn beside(before: u32, reason: u32, part: fn(&Window) -> u32) {
    let window = Window::new(before);
    let other = window.clone();
    let thread = thread::spawn(move || other.ask(reason));
    let taken = part(&window);
    thread.join().unwrap();
    window.end(reason, taken);
}

/// The thread puts its limit back.
fn put_back() {
    beside(0, SAMPLE, |window| {
        window.put_limit_back();
        0
    });
}

/// The thread looks at its reasons.
fn looked() {
    beside(0, SAMPLE, Window::take);
}

/// The same, asked to stand.
fn looked_and_is_to_stand() {
    beside(0, STOP, Window::take);
}

/// A reason is taken back, whose work was done.
fn satisfied() {
    beside(WALK, SAMPLE, |window| {
        window.asked().satisfy(WALK);
        window.put_limit_back();
        0
    });
}

/// The thread looks because it finds no limit.
fn came_out_of_line() {
    beside(0, SAMPLE, |window| {
        if window.limit() != 0 {
            return 0;
        }
        let taken = window.take();
        assert_eq!(taken, SAMPLE, "no reason behind a limit that is gone");
        taken
    });
}

/// A word is filled before the thread is asked.
fn told() {
    let window = Window::new(0);
    let other = window.clone();
    let thread = thread::spawn(move || {
        other.word.store(FILLED, Ordering::Relaxed);
        other.ask(SAMPLE);
    });
    if window.take() == SAMPLE {
        assert_eq!(window.word.load(Ordering::Relaxed), FILLED);
    }
    thread.join().unwrap();
}

/// Two ask at the same time.
fn asked_by_two() {
    let window = Window::new(0);
    let others = [SAMPLE, WALK].map(|reason| {
        let other = window.clone();
        thread::spawn(move || other.ask(reason))
    });
    let taken = window.take();
    window.put_limit_back();
    for other in others {
        other.join().unwrap();
    }
    window.end(SAMPLE | WALK, taken);
}

const MODELS: [fn(); 6] = [put_back, looked, looked_and_is_to_stand, satisfied, came_out_of_line, told];

#[test]
fn no_request_is_lost() {
    for model in MODELS {
        assert!(explored(Weaker::Nothing, model));
    }
    assert!(explored_in_turns(2, asked_by_two));
}

#[test]
fn a_request_that_leaves_the_limit_is_lost() {
    for model in [put_back, looked_and_is_to_stand, satisfied] {
        assert!(!explored_with(117, model));
    }
}

/// Each side's fence is needed by itself, in both ways to put the limit back; so are the release of a reason and the acquire of a look.
#[test]
fn every_order_is_needed() {
    for model in [put_back, looked, looked_and_is_to_stand, satisfied] {
        assert!(!explored(Weaker::Fence, model));
    }
    for weaker in [Weaker::Release, Weaker::Acquire] {
        assert!(!explored(weaker, told), "{weaker:?}");
    }
    assert_eq!(without_need(&MODELS), []);
}

#[test]
fn steps_are_whole() {
    for model in [looked, satisfied] {
        assert!(!explored(Weaker::Step, model));
    }
}
