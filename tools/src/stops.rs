//! A time line in memory (docs/formats-files.md, `.stops`): when threads of a heap stood, and for which collections. Times are
//! nanoseconds since the heap was made; threads are named by their place in the list.

#[derive(Debug, Default)]
pub struct Timeline {
    /// The program and its flags.
    pub job: String,
    /// In the order of their numbers.
    pub threads: Vec<Thread>,
    /// Collections and stops, each in the order in which they began.
    pub stops: Vec<Stop>,
    pub collections: Vec<Collection>,
    /// The last moment that the file tells of.
    pub end: u64,
    /// Whether the heap was freed.
    pub whole: bool,
}

#[derive(Debug, Default)]
pub struct Thread {
    pub number: u64,
    /// Its name in the system, or nothing.
    pub name: String,
    /// The times for which it had a mutator.
    pub attached: Vec<(u64, u64)>,
}

impl Thread {
    /// "worker (7)", or "thread 7".
    pub fn shown(&self) -> String {
        match self.name.as_str() {
            "" => format!("thread {}", self.number),
            name => format!("{name} ({})", self.number),
        }
    }
}

#[derive(Debug)]
pub struct Stop {
    pub asked: u64,
    pub still: u64,
    pub ended: u64,
    pub thread: usize,
    pub others: Vec<Other>,
}

/// A thread that was kept still.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Other {
    pub thread: usize,
    pub from: u64,
    /// Whether it was in foreign code, in which it may have gone on.
    pub away: bool,
}

#[derive(Debug)]
pub struct Collection {
    pub begun: u64,
    pub ended: u64,
    pub thread: usize,
    pub workers: u64,
    pub number: u64,
    pub generation: u64,
    pub major: bool,
    pub copied: u64,
    pub live: u64,
}
