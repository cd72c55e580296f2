//! `barrow top`: the bands of a heap profile in a terminal, once or as the file grows.

mod follow;
mod table;
mod tally;

use crate::read::hp::{Event, HpError, HpReader, Rules};
use clap::{Args, ValueEnum};
use follow::{Arriving, AtEnd, Follow, StartedAnew};
use std::cell::RefCell;
use std::fs::File;
use std::io::{self, IsTerminal, Read, Seek, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use table::Style;
use tally::Tally;

#[derive(Args)]
#[command(after_help = "\
Examples:
  barrow top prog.hp                 the greatest bands at the peak, with bars
  barrow top -f prog.hp              the same of a program that is running, until interrupted
  ssh host tail -c +0 -f prog.hp | barrow top -f -    of one that runs elsewhere
  barrow top -n0 prog.hp | grep Map  every band, as plain text
  barrow top --sort growth prog.hp   what leaks: the bands that grew most from first to last sample

An incomplete last sample is left out.
Exit status: 0 shown, 1 the profile is wrong, 2 the command line is wrong.")]
pub struct Top {
    /// The heap profile; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Go on as the file grows, sorted by the last sample unless --sort says otherwise
    #[arg(short, long)]
    follow: bool,
    /// Show N bands, 0 for all [default: as many as the terminal has room for, or 20]
    #[arg(short = 'n', long, value_name = "N")]
    bands: Option<usize>,
    /// What comes first [default: peak, with --follow last]
    #[arg(long, value_enum)]
    sort: Option<Sort>,
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
    /// Nobody reads our output any more.
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
        Err(Stop::OutputClosed(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Stop::OutputClosed(error)) => {
            eprintln!("barrow top: standard output: {error}");
            ExitCode::from(1)
        }
        Err(Stop::Wrong(error)) => {
            eprintln!("{}", error.at(&file));
            ExitCode::from(1)
        }
    }
}

fn show(top: &Top) -> Result<(), Stop> {
    if top.file == Path::new("-") {
        return if top.follow { follow_stdin(top) } else { once(top, io::stdin().lock()) };
    }
    loop {
        let file = File::open(&top.file).map_err(HpError::Io)?;
        if !top.follow {
            return once(top, file);
        }
        match follow(top, |at_end| Follow::new(file, at_end)) {
            Err(Stop::Wrong(HpError::Io(error))) if StartedAnew::is(&error) => {}
            other => return other,
        }
    }
}

/// A pipe until it is closed; a file (`barrow top -f - < prog.hp`) as one that was named.
fn follow_stdin(top: &Top) -> Result<(), Stop> {
    let stdin = io::stdin().as_fd().try_clone_to_owned().map_err(HpError::Io)?;
    let mut file = File::from(stdin);
    if !file.metadata().map_err(HpError::Io)?.is_file() {
        return follow(top, |at_end| Arriving::new(file, at_end));
    }
    loop {
        let same = file.try_clone().map_err(HpError::Io)?;
        match follow(top, |at_end| Follow::new(same, at_end)) {
            Err(Stop::Wrong(HpError::Io(error))) if StartedAnew::is(&error) => {
                file.rewind().map_err(HpError::Io)?;
            }
            other => return other,
        }
    }
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
    paint(top, &tally).map_err(Stop::OutputClosed)
}

/// Paints whenever all that there is has been read.
fn follow<'a, S: Read>(top: &'a Top, source: impl FnOnce(AtEnd<'a>) -> S) -> Result<(), Stop> {
    let tally = Rc::new(RefCell::new(Tally::default()));
    let closed = Rc::new(RefCell::new(None));
    let (seen, failed) = (tally.clone(), closed.clone());
    let source = source(Box::new(move || {
        let mut tally = seen.borrow_mut();
        if !std::mem::take(&mut tally.is_new) {
            return Ok(());
        }
        paint(top, &tally).map_err(|error| {
            let kind = error.kind();
            *failed.borrow_mut() = Some(error);
            kind.into()
        })
    }));
    let mut reader = HpReader::new(source, Rules::Tolerant);
    loop {
        match reader.next() {
            Ok(Some(Event::Sample { time })) => {
                let mut tally = tally.borrow_mut();
                tally.header = reader.header();
                tally.add(time, reader.bands());
            }
            Ok(Some(Event::Mark { .. })) => {}
            Ok(None) => {
                // The writer is done: the last table says what it left undone.
                let mut tally = tally.borrow_mut();
                tally.header = reader.header();
                tally.cut = reader.cut();
                return paint(top, &tally).map_err(Stop::OutputClosed);
            }
            Err(error) => {
                return Err(match closed.take() {
                    Some(error) => Stop::OutputClosed(error),
                    None => Stop::Wrong(error),
                });
            }
        }
    }
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
        sort: top.sort.unwrap_or(if top.follow { Sort::Last } else { Sort::Peak }),
    };
    if top.follow && width.is_some() {
        // To the upper left corner, and clear from there.
        out.write_all(b"\x1b[H\x1b[J")?;
    }
    out.write_all(table::render(tally, &style).as_bytes())?;
    if top.follow && width.is_none() {
        out.write_all(b"\n")?;
    }
    out.flush()
}
