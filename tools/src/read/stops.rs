//! Reads a time line (`.stops`). Lines that begin with an unknown word, and words behind the known ones, are passed over: a later
//! library may write them. A last line without its end is left out, as a program that was killed leaves it.

use super::ReadError;
use crate::stops::{Collection, Other, Stop, Thread, Timeline};
use std::collections::BTreeMap;
use std::str::SplitAsciiWhitespace;

const HEAD: &str = "barrow-stops ";
const VERSION: &str = "1";

pub struct Read {
    pub timeline: Timeline,
    pub notes: Vec<String>,
}

pub fn read(name: &str, bytes: &[u8]) -> Result<Read, ReadError> {
    let text = String::from_utf8_lossy(bytes);
    let mut notes = Vec::new();
    let whole = match text.rfind('\n') {
        Some(last) => &text[..=last],
        None => return Err(ReadError::at(name, 1, "the file ends within its first line")),
    };
    let mut lines = whole.lines().enumerate().map(|(at, line)| (at + 1, line));
    match lines.next().and_then(|(_, line)| line.strip_prefix(HEAD)) {
        Some(VERSION) => {}
        Some(other) => {
            return Err(ReadError::at(
                name,
                1,
                &format!("version {other:?} of a time line is not {VERSION}"),
            ));
        }
        None => return Err(ReadError::at(name, 1, "no time line begins so")),
    }
    let mut reader = Reader::default();
    reader.timeline.job = lines.next().map(|(_, line)| unquoted(line)).unwrap_or_default();
    for (at, line) in lines {
        if reader.timeline.whole {
            return Err(ReadError::at(name, at, "a line behind the end"));
        }
        reader.line(line).map_err(|what| ReadError::at(name, at, &what))?;
    }
    if whole.len() < text.len() {
        notes.push("the file ends within a line, which is left out".to_owned());
    }
    let timeline = reader.finish();
    if !timeline.whole {
        notes.push("the heap was not freed: the last of its lines may be missing".to_owned());
    }
    Ok(Read { timeline, notes })
}

#[derive(Default)]
struct Reader {
    timeline: Timeline,
    places: BTreeMap<u64, usize>,
    /// Since when each has a mutator, by place.
    open: Vec<Option<u64>>,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("stop") => self.stop(&mut words),
            Some("collection") => self.collection(&mut words),
            Some("attach") => {
                let (at, thread) = (number(&mut words, "a time")?, self.thread(&mut words)?);
                let name: Vec<&str> = words.collect();
                self.timeline.threads[thread].name = name.join(" ");
                self.close(thread, at)?;
                self.open[thread] = Some(at);
                self.reaches(at);
                Ok(())
            }
            Some("detach") => {
                let (at, thread) = (number(&mut words, "a time")?, self.thread(&mut words)?);
                self.reaches(at);
                self.close(thread, at)
            }
            Some("end") => {
                let at = number(&mut words, "a time")?;
                self.reaches(at);
                self.timeline.whole = true;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn reaches(&mut self, at: u64) {
        self.timeline.end = self.timeline.end.max(at);
    }

    fn close(&mut self, thread: usize, at: u64) -> Result<(), String> {
        let Some(from) = self.open[thread].take() else { return Ok(()) };
        if at < from {
            return Err(format!("thread {} goes before it came", self.timeline.threads[thread].number));
        }
        self.timeline.threads[thread].attached.push((from, at));
        Ok(())
    }

    fn place(&mut self, number: u64) -> usize {
        let Reader { timeline, places, open } = self;
        *places.entry(number).or_insert_with(|| {
            timeline.threads.push(Thread { number, ..Thread::default() });
            open.push(None);
            timeline.threads.len() - 1
        })
    }

    fn thread(&mut self, words: &mut SplitAsciiWhitespace) -> Result<usize, String> {
        let number = named(words, "thread")?;
        Ok(self.place(number))
    }

    fn stop(&mut self, words: &mut SplitAsciiWhitespace) -> Result<(), String> {
        let mut time = || number(words, "a time");
        let (asked, still, ended) = (time()?, time()?, time()?);
        in_order(&[asked, still, ended])?;
        let thread = self.thread(words)?;
        let mut others = Vec::new();
        for word in words {
            let Some(sign) = word.find(['@', '~']) else { continue };
            let part = |text: &str| {
                text.parse::<u64>()
                    .map_err(|_| format!("{word:?} is no thread and the time at which it stood"))
            };
            let (who, from) = (part(&word[..sign])?, part(&word[sign + 1..])?);
            in_order(&[asked, from, ended])?;
            let other = self.place(who);
            if other == thread {
                return Err(format!("thread {who} stands for itself"));
            }
            others.push(Other { thread: other, from, away: word.as_bytes()[sign] == b'~' });
        }
        self.reaches(ended);
        self.timeline.stops.push(Stop { asked, still, ended, thread, others });
        Ok(())
    }

    fn collection(&mut self, words: &mut SplitAsciiWhitespace) -> Result<(), String> {
        let mut time = || number(words, "a time");
        let (begun, ended) = (time()?, time()?);
        in_order(&[begun, ended])?;
        let thread = self.thread(words)?;
        let (workers, number) = (named(words, "workers")?, named(words, "number")?);
        let generation = named(words, "generation")?;
        let major = match words.next() {
            Some("major") => true,
            Some("minor") => false,
            other => return Err(format!("{:?} is neither major nor minor", other.unwrap_or(""))),
        };
        let (copied, live) = (named(words, "copied")?, named(words, "live")?);
        self.reaches(ended);
        let one = Collection { begun, ended, thread, workers, number, generation, major, copied, live };
        self.timeline.collections.push(one);
        Ok(())
    }

    fn finish(mut self) -> Timeline {
        let end = self.timeline.end;
        for (thread, open) in self.open.iter().enumerate() {
            let Some(from) = *open else { continue };
            self.timeline.threads[thread].attached.push((from, end));
        }
        let mut timeline = self.timeline;
        // In the order of numbers, whoever was told of first.
        let order: Vec<usize> = self.places.into_values().collect();
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(now, &before)| place[before] = now);
        let mut threads: Vec<Option<Thread>> = timeline.threads.into_iter().map(Some).collect();
        timeline.threads = order.iter().filter_map(|&before| threads[before].take()).collect();
        for stop in &mut timeline.stops {
            stop.thread = place[stop.thread];
            stop.others.iter_mut().for_each(|other| other.thread = place[other.thread]);
        }
        timeline.collections.iter_mut().for_each(|one| one.thread = place[one.thread]);
        crate::sort::by(&mut timeline.stops, |a, b| a.asked.cmp(&b.asked));
        crate::sort::by(&mut timeline.collections, |a, b| a.begun.cmp(&b.begun));
        timeline
    }
}

/// The words of a command line as a person writes them: each stands in quotes, which only words with blanks keep.
fn unquoted(line: &str) -> String {
    let mut told = String::new();
    for (at, part) in line.split('\'').enumerate() {
        // Every other part is inside quotes.
        match at % 2 == 1 && (part.is_empty() || part.contains(' ')) {
            true => told.extend(["'", part, "'"]),
            false => told.push_str(part),
        }
    }
    told.trim().to_owned()
}

fn number(words: &mut SplitAsciiWhitespace, what: &str) -> Result<u64, String> {
    let word = words.next().unwrap_or("");
    word.parse().map_err(|_| format!("{word:?} is not {what}"))
}

fn named(words: &mut SplitAsciiWhitespace, name: &str) -> Result<u64, String> {
    match words.next() {
        Some(word) if word == name => number(words, &format!("the number behind {name:?}")),
        other => Err(format!("{:?} where {name:?} is due", other.unwrap_or(""))),
    }
}

fn in_order(times: &[u64]) -> Result<(), String> {
    match times.is_sorted() {
        true => Ok(()),
        false => Err(format!("the times {times:?} are not in order")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixture() -> Vec<u8> {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/stops/pool.stops");
        std::fs::read(path).expect("a fixture")
    }

    fn of(lines: &str) -> Result<Read, ReadError> {
        read("t.stops", format!("barrow-stops 1\n'p' +RTS\n{lines}").as_bytes())
    }

    #[test]
    fn the_librarys_own() {
        let Read { timeline, notes } = read("pool.stops", &fixture()).expect("sound");
        assert!(notes.is_empty() && timeline.whole);
        let numbers: Vec<u64> = timeline.threads.iter().map(|thread| thread.number).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(timeline.threads[0].shown(), "pool (1)");
        assert!(timeline.stops.iter().all(|stop| !stop.others.is_empty()));
        assert!(timeline.collections.iter().any(|one| one.major && one.workers == 2));
        assert!(timeline.stops.is_sorted_by_key(|stop| stop.asked));
    }

    #[test]
    fn the_command_is_told_without_needless_quotes() {
        assert_eq!(unquoted("'./p' 'two words' '' +RTS '-s' "), "./p 'two words' '' +RTS -s");
        assert_eq!(unquoted("'it"), "it");
    }

    #[test]
    fn threads_are_in_the_order_of_their_numbers() {
        let read = of("stop 5 6 9 thread 12 3@6 7~5 later\nattach 1 thread 3 a b\nnews 1 2\nend 9\n")
            .expect("sound");
        let Timeline { threads, stops, .. } = read.timeline;
        assert_eq!(
            threads.iter().map(Thread::shown).collect::<Vec<_>>(),
            ["a b (3)", "thread 7", "thread 12"]
        );
        assert_eq!(threads[0].attached, [(1, 9)]);
        assert_eq!(stops[0].thread, 2);
        let others = [Other { thread: 0, from: 6, away: false }, Other { thread: 1, from: 5, away: true }];
        assert_eq!(stops[0].others, others);
    }

    #[test]
    fn cut_and_wrong_ones_are_told() {
        let cut = of("stop 5 6 9 thread 1 2@6\nstop 10 1").expect("cut");
        assert_eq!((cut.timeline.stops.len(), cut.notes.len()), (1, 2));
        for (lines, told) in [
            ("stop 7 6 9 thread 1\n", "t.stops:3: the times [7, 6, 9] are not in order"),
            ("stop 5 6 9 thread 1 1@6\n", "t.stops:3: thread 1 stands for itself"),
            ("stop 5 6 9 1\n", "t.stops:3: \"1\" where \"thread\" is due"),
            ("collection 5 x\n", "t.stops:3: \"x\" is not a time"),
            ("end 3\nend 4\n", "t.stops:4: a line behind the end"),
            ("attach 5 thread 1\ndetach 4 thread 1\n", "t.stops:4: thread 1 goes before it came"),
        ] {
            assert_eq!(of(lines).err().expect("must be refused").to_string(), told);
        }
        assert!(read("t", b"barrow-stops 2\n").is_err() && read("t", b"barrow-stops 1").is_err());
    }

    #[test]
    fn fuzz_stops() {
        let words: [&[u8]; 8] = [
            b"stop 1 2 3 thread 1",
            b" 18446744073709551615@18446744073709551615",
            b"\n",
            b"end 5\n",
            b"attach ",
            b"~",
            b" thread ",
            b"collection 1 2 thread 1 workers 1 number 1 generation 0 minor copied 1 live 1\n",
        ];
        crate::fuzz::run(&[fixture()], &words, |bytes| {
            let _ = read("t.stops", bytes);
        });
    }
}
