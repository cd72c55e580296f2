//! `barrow top`: the bands of a heap profile in a terminal, once or as the file grows; functions of counters and of samples.

mod centres;
mod follow;
mod keys;
mod samples;
mod screen;
pub(in crate::cmd) mod table;
mod tally;
mod ticky;

use crate::out::{self, tell};
use crate::read::any::{self, Profile};
use crate::read::hp::{Event, HpError, HpReader, Rules};
use crate::read::kind::Kind;
use crate::read::source::Source;
use crate::read::{ReadError, biography};
use clap::{Args, ValueEnum};
use follow::{Arriving, AtEnd, Ended, Follow, StartedAnew};
use screen::{Screen, Wish};
use std::cell::RefCell;
use std::fs::File;
use std::io::{self, IsTerminal, Read, Seek, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::thread::sleep;
use std::time::Duration;
use table::Style;
use tally::Tally;

#[derive(Args)]
#[command(after_help = "\
Examples:
  barrow top prog.hp                 the greatest bands at the peak, with bars
  barrow top -f prog.hp              the same of a program that is running; q ends it, s orders, / filters
  ssh host tail -c +0 -f prog.hp | barrow top -f -    of one that runs elsewhere
  barrow top prog.ticky              functions by how often they were entered
  barrow top prog.pprof              functions by what they hold, of samples
  barrow top -n0 prog.hp | grep Map  every band, as plain text
  barrow top --sort growth prog.hp   what leaks: the bands that grew most from first to last sample

An incomplete last sample is left out.
Exit status: 0 shown, 1 the profile is wrong, 2 the command line is wrong.")]
pub struct Top {
    /// The heap profile, a report of time or of ticky counters, an eventlog, or samples (pprof); `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Go on as the file grows, sorted by the last sample unless --sort says otherwise
    #[arg(short, long)]
    follow: bool,
    /// Show N bands, 0 for all [default: as many as the terminal has room for, or 20]
    #[arg(short = 'n', long, value_name = "N", value_parser = super::rows, allow_negative_numbers = true)]
    bands: Option<usize>,
    /// What comes first [default: peak, with --follow last]
    #[arg(long, value_enum)]
    sort: Option<Sort>,
    /// Samples: the value that orders, such as alloc_space [default: the file's own, else the last]
    #[arg(long, value_name = "NAME", conflicts_with = "follow")]
    value: Option<String>,
    /// Samples: a row for what has the same label, such as type, and not for each function
    #[arg(long, value_name = "KEY", conflicts_with = "follow")]
    label: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Sort {
    /// The greatest in the sample with the greatest sum
    Peak,
    /// The greatest in the last sample that has any values
    Last,
    /// The greatest on average over all samples
    Mean,
    /// The greatest difference between the last sample and the first that has values
    Growth,
    /// In order of names
    Name,
}

enum Stop {
    Wrong(HpError),
    Unread(ReadError),
    /// Our output cannot be written: nobody reads it any more, or the disk is full.
    OutputClosed(io::Error),
}

impl From<HpError> for Stop {
    fn from(error: HpError) -> Stop {
        Stop::Wrong(error)
    }
}

pub fn run(top: &Top) -> ExitCode {
    let file = if top.file == Path::new("-") { "stdin".into() } else { top.file.display().to_string() };
    match show(top) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Stop::OutputClosed(error)) => out::ended("barrow top", out::printed(error)),
        Err(Stop::Wrong(error)) => {
            tell!("{}", error.at(&file));
            ExitCode::from(1)
        }
        Err(Stop::Unread(error)) => {
            tell!("{error}");
            ExitCode::from(1)
        }
    }
}

fn show(top: &Top) -> Result<(), Stop> {
    if top.follow && top.file == Path::new("-") {
        return follow_stdin(top);
    }
    if !top.follow {
        let source = Source::open(&top.file).map_err(HpError::Io)?;
        if source.kind == Some(Kind::Ticky) {
            return counters(top, source);
        }
        if matches!(source.kind, Some(Kind::Eventlog | Kind::Report | Kind::ReportJson | Kind::Biography)) {
            return whole(top, source);
        }
        if source.kind == Some(Kind::Pprof) {
            return samples(top, source);
        }
        if top.value.is_some() || top.label.is_some() {
            let told = "--value and --label are for pprof profiles";
            return Err(HpError::Io(io::Error::other(told)).into());
        }
        is_for_top(source.kind).map_err(HpError::Io)?;
        return once(top, source);
    }
    let screen = OnScreen::default();
    loop {
        let file = File::open(&top.file).map_err(HpError::Io)?;
        if !file.metadata().map_err(HpError::Io)?.is_file() {
            return follow(top, &screen, |at_end| Arriving::new(file, at_end));
        }
        match follow(top, &screen, |at_end| Follow::new(file, Some(&top.file), at_end)) {
            Err(Stop::Wrong(HpError::Io(error))) if StartedAnew::is(&error) => {}
            other => return other,
        }
    }
}

/// A pipe until it is closed; a file (`barrow top -f - < prog.hp`) as one that was named.
fn follow_stdin(top: &Top) -> Result<(), Stop> {
    let stdin = io::stdin().as_fd().try_clone_to_owned().map_err(HpError::Io)?;
    let mut file = File::from(stdin);
    let screen = OnScreen::default();
    if !file.metadata().map_err(HpError::Io)?.is_file() {
        return follow(top, &screen, |at_end| Arriving::new(file, at_end));
    }
    loop {
        let same = file.try_clone().map_err(HpError::Io)?;
        match follow(top, &screen, |at_end| Follow::new(same, None, at_end)) {
            Err(Stop::Wrong(HpError::Io(error))) if StartedAnew::is(&error) => {
                file.rewind().map_err(HpError::Io)?;
            }
            other => return other,
        }
    }
}

/// What begins like nothing is told of as a heap profile.
fn is_for_top(kind: Option<Kind>) -> io::Result<()> {
    match kind {
        None | Some(Kind::HeapProfile) => Ok(()),
        Some(other) => Err(io::Error::other(other.told())),
    }
}

/// Looks at the first bytes that come, since whoever follows does not wait for more than there is.
struct FirstLook<S> {
    source: S,
    looked: bool,
}

impl<S: Read> Read for FirstLook<S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        if count > 0 && !self.looked {
            self.looked = true;
            let kind = Kind::of(&buffer[..count]);
            if kind == Some(Kind::Gzip) {
                let told = "a gzip file cannot be followed: `gunzip -c FILE | barrow top -f -`";
                return Err(io::Error::other(told));
            }
            is_for_top(kind)?;
        }
        Ok(count)
    }
}

/// Files that are not read sample by sample: eventlogs, journals, and reports.
fn whole(top: &Top, source: Source) -> Result<(), Stop> {
    let wrong = |told: &'static str| Stop::from(HpError::Io(io::Error::other(told)));
    if top.value.is_some() || top.label.is_some() {
        return Err(wrong("--value and --label are for pprof profiles"));
    }
    let input = any::of(top.file.display().to_string(), source).map_err(Stop::Unread)?;
    input.notes.iter().for_each(|note| tell!("barrow top: {}: {note}", input.name));
    match &input.profile {
        Profile::Heap(heap) => paint(top, &Tally::of(heap)).map_err(Stop::OutputClosed),
        Profile::Prof(prof) => {
            prof.warnings.iter().for_each(|warning| tell!("barrow top: {warning}"));
            if !matches!(top.sort, None | Some(Sort::Name)) {
                return Err(wrong("a report has no samples to sort by: --sort name, or none for its weight"));
            }
            let report = prof.report.as_ref().ok_or_else(|| retainers_only(&top.file))?;
            if let Some(rounded) = report.rounded() {
                tell!("barrow top: {} {rounded}: figures are worked out from them", input.name);
            }
            let mut out = io::stdout().lock();
            let printed = centres::print(top, report, room(&out), &mut out);
            printed.and_then(|()| out.flush()).map_err(Stop::OutputClosed)
        }
        _ => Err(wrong("there are no samples of a heap")),
    }
}

/// Sets of retainers are in a file of their own, and their bytes in the heap profile beside it.
fn retainers_only(prof: &Path) -> Stop {
    let by_retainer = prof.with_extension("hr.hp");
    let hp = if by_retainer.is_file() { by_retainer } else { prof.with_extension("hp") };
    let (hp, prof) = (hp.display(), prof.display());
    let told = format!("there are retainer sets only: `barrow view {hp} {prof}` shows them");
    HpError::Io(io::Error::other(told)).into()
}

fn counters(top: &Top, source: Source) -> Result<(), Stop> {
    if let Some(told) = ticky::refused(top) {
        return Err(HpError::Io(io::Error::other(told)).into());
    }
    let name = top.file.display().to_string();
    let bytes = source.whole().map_err(HpError::Io)?;
    let file = crate::read::ticky::read(&name, &bytes).map_err(Stop::Unread)?;
    let mut out = io::stdout().lock();
    ticky::print(top, &file, room(&out), &mut out).and_then(|()| out.flush()).map_err(Stop::OutputClosed)
}

fn samples(top: &Top, source: Source) -> Result<(), Stop> {
    let name = top.file.display().to_string();
    let bytes = source.whole().map_err(HpError::Io)?;
    let sampled = crate::read::pprof::read(&name, &bytes).map_err(Stop::Unread)?;
    let told = |error: String| Stop::from(HpError::Io(io::Error::other(error)));
    let table = samples::Table::new(top, &sampled).map_err(told)?;
    let mut out = io::stdout().lock();
    table.print(room(&out), &mut out).and_then(|()| out.flush()).map_err(Stop::OutputClosed)
}

/// How many lines a table may have: as many as fit on the terminal.
fn room(out: &impl AsFd) -> usize {
    let size = terminal_size::terminal_size_of(out.as_fd());
    size.map_or(20, |(_, height)| usize::from(height.0).saturating_sub(table::HEAD_LINES + 2).max(1))
}

fn once(top: &Top, source: impl Read) -> Result<(), Stop> {
    let mut reader = HpReader::new(source, Rules::Tolerant);
    let mut tally = Tally::default();
    while let Some(event) = reader.next()? {
        if let Event::Sample { time } = event {
            tally.add(time, reader.bands());
        }
    }
    tally.header = reader.header();
    tally.cut = reader.cut();
    if tally.peak.total == 0
        && let Some(told) = biography::beside(&top.file)
    {
        tell!("barrow top: {}: {told}", top.file.display());
    }
    paint(top, &tally).map_err(Stop::OutputClosed)
}

/// The screen, once there is something to show. A file that is started anew keeps it.
type OnScreen = Rc<RefCell<Option<Screen>>>;

/// Paints whenever all that there is has been read; on a terminal while there is ever more, too.
fn follow<'a, S: Read>(
    top: &'a Top,
    screen: &OnScreen,
    source: impl FnOnce(AtEnd<'a>) -> S,
) -> Result<(), Stop> {
    let tally = Rc::new(RefCell::new(Tally::default()));
    let closed = Rc::new(RefCell::new(None));
    let (seen, failed, shown) = (tally.clone(), closed.clone(), screen.clone());
    let has_keys = io::stdout().is_terminal();
    let source = source(Box::new(move |time| {
        if time.is_zero() && !has_keys {
            return Ok(());
        }
        let told = |error: io::Error| {
            let kind = error.kind();
            *failed.borrow_mut() = Some(error);
            io::Error::from(kind)
        };
        let mut tally = seen.borrow_mut();
        let is_new = std::mem::take(&mut tally.is_new);
        let mut shown = shown.borrow_mut();
        if shown.is_none() && is_new {
            *shown = Screen::open(sort(top), top.bands);
        }
        match &mut *shown {
            Some(screen) => on_screen(screen, &tally, is_new, time, told),
            None => {
                if is_new {
                    paint(top, &tally).map_err(told)?;
                }
                sleep(time);
                Ok(())
            }
        }
    }));
    let mut reader = HpReader::new(FirstLook { source, looked: false }, Rules::Tolerant);
    loop {
        match reader.next() {
            Ok(Some(Event::Sample { time })) => {
                let mut tally = tally.borrow_mut();
                tally.header = reader.header();
                tally.add(time, reader.bands());
            }
            Ok(Some(Event::Mark { .. })) => {}
            Ok(None) => {
                // The writer is done: the last table says what it left undone, where it stays to be read.
                screen.borrow_mut().take();
                let mut tally = tally.borrow_mut();
                tally.header = reader.header();
                tally.cut = reader.cut();
                return paint(top, &tally).map_err(Stop::OutputClosed);
            }
            Err(HpError::Io(error)) if Ended::is(&error) => return Ok(()),
            Err(error) => {
                return Err(match closed.take() {
                    Some(error) => Stop::OutputClosed(error),
                    None => Stop::Wrong(error),
                });
            }
        }
    }
}

/// For `time`: draws what is new, and does what keys say.
fn on_screen(
    screen: &mut Screen,
    tally: &Tally,
    is_new: bool,
    time: Duration,
    told: impl Fn(io::Error) -> io::Error,
) -> io::Result<()> {
    if is_new {
        screen.paint(tally).map_err(&told)?;
    }
    loop {
        match screen.wait(time) {
            Wish::Go => return Ok(()),
            Wish::Redraw => screen.paint(tally).map_err(&told)?,
            Wish::Quit => return Err(io::Error::other(Ended)),
        }
    }
}

fn sort(top: &Top) -> Sort {
    top.sort.unwrap_or(if top.follow { Sort::Last } else { Sort::Peak })
}

fn paint(top: &Top, tally: &Tally) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let terminal = out.is_terminal().then(terminal_size::terminal_size).flatten();
    let (width, height) = match terminal {
        Some((width, height)) => (Some(usize::from(width.0)), Some(usize::from(height.0))),
        None => (None, None),
    };
    let room = height.map_or(20, |height| height.saturating_sub(table::HEAD_LINES + 2).max(1));
    let style = Style {
        width,
        most: match top.bands {
            Some(0) => usize::MAX,
            Some(most) => most,
            None => room,
        },
        sort: sort(top),
        filter: "",
        skip: 0,
    };
    out.write_all(table::render(tally, &style).as_bytes())?;
    if top.follow && width.is_none() {
        out.write_all(b"\n")?;
    }
    out.flush()
}
