//! The lines of a time line (`--stops`): a line for each collection, each stop, and each thread that comes or goes.
//! Times are nanoseconds of wall time since the heap was made; threads have the numbers that `--slow-stop` tells.

use crate::base::Shown;
use std::io::{Result, Write};

pub(crate) const HEAD: &[u8] = b"barrow-stops 1\n";

/// One collection.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CollectionSpan {
    pub(crate) begun: u64,
    pub(crate) ended: u64,
    /// The thread that collected, and how many took part.
    pub(crate) thread: u64,
    pub(crate) workers: u64,
    pub(crate) number: u64,
    pub(crate) generation: u64,
    pub(crate) major: bool,
    pub(crate) copied_bytes: u64,
    pub(crate) live_bytes: u64,
}

/// One time for which a thread kept the others still.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StopSpan {
    /// The moments at which it was asked for, all others were still, and they were let go.
    pub(crate) asked: u64,
    pub(crate) still: u64,
    pub(crate) ended: u64,
    pub(crate) thread: u64,
}

/// The moment from which another thread was still in a stop.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stood {
    pub(crate) thread: u64,
    pub(crate) at: u64,
    /// Whether the thread was in foreign code.
    pub(crate) away: bool,
}

pub(crate) fn write_collection(out: &mut impl Write, one: &CollectionSpan) -> Result<()> {
    writeln!(
        out,
        "collection {} {} thread {} workers {} number {} generation {} {} copied {} live {}",
        one.begun,
        one.ended,
        one.thread,
        one.workers,
        one.number,
        one.generation,
        if one.major { "major" } else { "minor" },
        one.copied_bytes,
        one.live_bytes
    )
}

pub(crate) fn write_stop(out: &mut impl Write, stop: &StopSpan, others: &[Stood]) -> Result<()> {
    write!(out, "stop {} {} {} thread {}", stop.asked, stop.still, stop.ended, stop.thread)?;
    for other in others {
        write!(out, " {}{}{}", other.thread, if other.away { '~' } else { '@' }, other.at)?;
    }
    out.write_all(b"\n")
}

/// A thread that has a mutator from now on, with its name in the system where it has one.
pub(crate) fn write_attach(out: &mut impl Write, at: u64, thread: u64, name: &[u8]) -> Result<()> {
    write!(out, "attach {at} thread {thread}")?;
    if !name.is_empty() {
        out.write_all(b" ")?;
        Shown::whole(name).write(out)?;
    }
    out.write_all(b"\n")
}

pub(crate) fn write_detach(out: &mut impl Write, at: u64, thread: u64) -> Result<()> {
    writeln!(out, "detach {at} thread {thread}")
}

pub(crate) fn write_end(out: &mut impl Write, at: u64) -> Result<()> {
    writeln!(out, "end {at}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_every_figure_in_its_place() {
        let mut text = Vec::new();
        let stop = StopSpan { asked: 10, still: 25, ended: 90, thread: 2 };
        let others = [Stood { thread: 1, at: 25, away: false }, Stood { thread: 7, at: 10, away: true }];
        write_stop(&mut text, &stop, &others).unwrap();
        let one = CollectionSpan {
            begun: 30,
            ended: 80,
            thread: 2,
            workers: 4,
            number: 9,
            generation: 1,
            major: true,
            copied_bytes: 64,
            live_bytes: 128,
        };
        write_collection(&mut text, &one).unwrap();
        write_attach(&mut text, 5, 7, b"a\nb").unwrap();
        write_attach(&mut text, 6, 8, b"").unwrap();
        write_detach(&mut text, 95, 7).unwrap();
        write_end(&mut text, 99).unwrap();
        let expected = "stop 10 25 90 thread 2 1@25 7~10\n\
            collection 30 80 thread 2 workers 4 number 9 generation 1 major copied 64 live 128\n\
            attach 5 thread 7 a\\u{a}b\nattach 6 thread 8\ndetach 95 thread 7\nend 99\n";
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }
}
