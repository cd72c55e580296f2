//! Requests to a thread that allocates in line, where it looks at one word alone, the limit: another thread says why in a word of reasons,
//! and takes the limit away.
//!
//! Each side writes its word, and goes on to the other one behind a fence. Of the two fences one comes first: either the thread that has
//! put its limit back sees the reason, and takes the limit away by itself, or the other one takes it away later. So no request is lost,
//! and a thread that finds no limit finds the reason. The limit may be gone without a reason, which costs a look.
//!
//! A thread that takes a reason sees what was written before it was asked.

use super::sync::{AtomicU32, AtomicU64, Ordering, fence};

/// The limit of a thread that is to look at its reasons.
const NONE: u64 = 0;

pub(crate) struct Asked<'a> {
    reasons: &'a AtomicU32,
    limit: &'a AtomicU64,
}

impl<'a> Asked<'a> {
    pub(crate) fn new(reasons: &'a AtomicU32, limit: &'a AtomicU64) -> Asked<'a> {
        Asked { reasons, limit }
    }

    /// Asks the thread. Any thread may.
    #[inline(always)]
    pub(crate) fn ask(&self, reason: u32) {
        self.reasons.fetch_or(reason, Ordering::Release);
        fence(Ordering::SeqCst);
        planted!(117, (), self.limit.store(NONE, Ordering::Relaxed));
    }

    /// Takes the reasons but for lasting ones, and puts the limit back unless there is one of these. For the thread itself, or while it
    /// is kept still.
    #[inline(always)]
    pub(crate) fn take(&self, limit: u64, lasting: u32) -> u32 {
        self.limit.store(limit, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        let reasons = self.reasons.fetch_and(lasting, Ordering::Acquire);
        if reasons & lasting != 0 {
            self.limit.store(NONE, Ordering::Relaxed);
        }
        reasons & !lasting
    }

    /// Puts the limit back unless there is a reason. For the thread itself, or while it is kept still.
    #[inline(always)]
    pub(crate) fn put_limit_back(&self, limit: u64) {
        self.limit.store(limit, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        if self.reasons.load(Ordering::Relaxed) != 0 {
            self.limit.store(NONE, Ordering::Relaxed);
        }
    }

    /// Takes back a reason. The limit is put back afterwards.
    #[inline(always)]
    pub(crate) fn satisfy(&self, reason: u32) {
        self.reasons.fetch_and(!reason, Ordering::Relaxed);
    }
}
