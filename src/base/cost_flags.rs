//! The options of the time and allocation profile.

use super::flags::FileName;
use super::option::Value;
use super::{Failure, Outcome, Sentence};
use std::fmt::Write;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CostKey {
    /// `-p`
    Report,
    /// `-P`
    Detailed,
    /// `-pa` or `-Pa`
    All,
    /// `-pj`
    Json,
    /// `-po`
    Stem,
    /// `-V`
    Tick,
    /// `--tick-bytes`
    TickBytes,
    /// `-xc`
    Errors,
}

/// What a time and allocation profile tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub enum CostReport {
    /// There is none.
    Nothing = 0,
    /// What costs something, in percent: `-p`.
    Standard = 1,
    /// And its ticks and bytes: `-P`.
    Detailed = 2,
    /// Everything, the library's own centres too: `-pa`.
    All = 3,
    /// The same in JSON: `-pj`.
    Json = 4,
}

#[derive(Clone, Copy, Debug)]
pub struct CostFlags {
    pub report: CostReport,
    /// What the names of profiles begin with; empty: the program's name.
    pub stem: FileName,
    /// 0: no ticks.
    pub tick_seconds: f64,
    /// Not 0: a tick for each so many bytes allocated, whatever the clock says.
    pub tick_bytes: u64,
    pub errors: bool,
}

pub const DEFAULT_TICK_SECONDS: f64 = 0.02;

impl CostFlags {
    pub const NONE: CostFlags = CostFlags {
        report: CostReport::Nothing,
        stem: Sentence::EMPTY,
        tick_seconds: DEFAULT_TICK_SECONDS,
        tick_bytes: 0,
        errors: false,
    };

    pub fn set(&mut self, key: CostKey, value: Value<'_>) -> Outcome<()> {
        match (key, value) {
            (CostKey::Report, _) => self.report = CostReport::Standard,
            (CostKey::Detailed, _) => self.report = CostReport::Detailed,
            (CostKey::All, _) => self.report = CostReport::All,
            (CostKey::Json, _) => self.report = CostReport::Json,
            (CostKey::Stem, Value::Text(name)) => self.stem = file_name(name)?,
            (CostKey::Tick, Value::Number(seconds)) => self.tick_seconds = seconds,
            (CostKey::TickBytes, Value::Number(bytes)) => self.tick_bytes = bytes as u64,
            (CostKey::Errors, _) => self.errors = true,
            _ => {}
        }
        Ok(())
    }

    /// The value in force, spelled as it would be given.
    pub fn read_back(&self, key: CostKey) -> Sentence {
        let on = |yes: bool| Sentence::new(format_args!("{}", if yes { "on" } else { "off" }));
        match key {
            CostKey::Report => on(self.report == CostReport::Standard),
            CostKey::Detailed => on(self.report == CostReport::Detailed),
            CostKey::All => on(self.report == CostReport::All),
            CostKey::Json => on(self.report == CostReport::Json),
            CostKey::Stem => self.stem,
            CostKey::Tick => Sentence::new(format_args!("{}", self.tick_seconds)),
            CostKey::TickBytes if self.tick_bytes == 0 => on(false),
            CostKey::TickBytes => Sentence::new(format_args!("{}", self.tick_bytes)),
            CostKey::Errors => on(self.errors),
        }
    }
}

/// A file's name, kept without allocation.
pub fn file_name(name: &str) -> Outcome<FileName> {
    let mut kept = Sentence::EMPTY;
    let _ = kept.write_str(name);
    if kept.as_str() != name {
        return Err(Failure::argument(format_args!("the file name {name} is too long")));
    }
    Ok(kept)
}
