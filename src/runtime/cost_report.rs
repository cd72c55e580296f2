//! The time and allocation profile of a heap: when its time is counted, and its figures as a file.

use super::heap::Runtime;
use crate::base::cost_flags::{CostFlags, CostReport};
use crate::base::list::List;
use crate::base::{Failure, Outcome};
use crate::heap::Mutator;
use crate::heap::booking::TicksByBytes;
use crate::heap::window::watch;
use crate::identity::cost_centre::as_text;
use crate::identity::{ccs, cost_centre};
use crate::os::file::{self, Name};
use crate::os::{clock, output};
use crate::prof::time::TimeProfile;
use crate::report::cost::{CentreRow, CostProfile, StackRow};
use crate::report::{cost_json, cost_text};
use std::io;

/// More often, the clock's thread would have the machine to itself.
const SHORTEST_TICK_NS: u64 = 100_000;

/// A file that a profile goes to, and where it is until it is whole.
pub struct Target {
    name: Name,
    temporary: Name,
}

impl Target {
    pub fn new(name: &[u8]) -> Outcome<Target> {
        let name = Name::new(name)?;
        let temporary = name.with(format_args!(".{}.tmp", std::process::id()))?;
        Ok(Target { name, temporary })
    }

    /// `<stem><ending>`, where the stem is that of the flags or the program's name.
    pub fn of_program(flags: &CostFlags, ending: &str) -> Outcome<Target> {
        let mut name = List::new();
        if flags.stem.as_str().is_empty() {
            name = file::program()?;
            if name.is_empty() {
                return Err(Failure::argument(format_args!(
                    "the system does not say this program's name; -po names the profile"
                )));
            }
        } else {
            name.append(flags.stem.as_str().as_bytes())?;
        }
        name.append(ending.as_bytes())?;
        Target::new(&name)
    }

    /// Whether it can be written is better known before a run than after it.
    pub fn try_out(&self) -> Outcome<()> {
        file::try_out(&self.name, &self.temporary)
    }

    pub fn write(&self, body: output::Body<'_>) -> Outcome<()> {
        file::write(&self.name, &self.temporary, body)
    }
}

/// What a heap needs for its profile, besides the costs.
#[derive(Default)]
pub struct CostProfiling {
    /// The file of the end; `None` when no flag asks for one.
    target: Option<Target>,
    pub time: Option<TimeProfile>,
}

impl CostProfiling {
    /// A file that cannot be written is refused when the heap is made [report.early].
    pub fn new(flags: &CostFlags) -> Outcome<CostProfiling> {
        let mut profiling = CostProfiling::default();
        if flags.report != CostReport::Nothing {
            let target = Target::of_program(flags, ".prof")?;
            target.try_out()?;
            profiling.target = Some(target);
        }
        Ok(profiling)
    }
}

impl CostProfiling {
    /// The file is the parent's. Says whether time was counted, by a thread that is not there any more.
    pub fn become_child(&mut self) -> bool {
        self.target = None;
        self.time.take().is_some()
    }
}

impl Runtime {
    /// A mutator comes. With `-p` and its like its time is counted from now on.
    pub fn count_time_of(&mut self, mutator: *mut Mutator) -> Outcome<()> {
        let flags = self.flags.cost;
        if flags.report != CostReport::Nothing {
            self.count_costs()?;
            if flags.tick_bytes == 0 {
                self.start_ticks(flags.tick_seconds)?;
            }
        }
        if flags.tick_bytes != 0 {
            self.count_costs()?;
            // SAFETY: the mutator is live, and only its own thread calls this.
            let m = unsafe { &mut *mutator };
            m.ticks = TicksByBytes { every: flags.tick_bytes, left: flags.tick_bytes };
            m.watch(watch::TICKS, true);
        }
        if let Some(time) = &self.cost_profiling.time {
            time.watch(mutator);
        }
        Ok(())
    }

    /// Counts ticks of so many seconds from now on; 0 ends it. What was counted before stays.
    pub fn start_ticks(&mut self, seconds: f64) -> Outcome<()> {
        if self.flags.cost.tick_bytes != 0 {
            return Err(Failure::state(format_args!(
                "the ticks of this heap fall due by bytes (--tick-bytes)"
            )));
        }
        if !(0.0..=3600.0).contains(&seconds) {
            return Err(Failure::argument(format_args!(
                "a tick of {seconds} seconds is not between 0 and 3600"
            )));
        }
        self.cost_profiling.time = None;
        self.flags.cost.tick_seconds = seconds;
        if seconds == 0.0 {
            return Ok(());
        }
        let interval = ((seconds * 1e9) as u64).max(SHORTEST_TICK_NS);
        // Reports multiply by what was kept, not by what was wished.
        self.flags.cost.tick_seconds = interval as f64 / 1e9;
        self.count_costs()?;
        // SAFETY: the rows are dropped with the runtime, after the profile.
        let time = unsafe { TimeProfile::start(self.costs.rows(), interval)? };
        if let Some(mutator) = self.first_mutator() {
            time.watch(mutator);
        }
        self.cost_profiling.time = Some(time);
        Ok(())
    }

    /// Ticks for the current stack, from the client's own clock.
    pub fn tick(&mut self, mutator: *mut Mutator, ticks: u64) -> Outcome<()> {
        self.count_costs()?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        self.costs.tick(super::costs::stack_of(unsafe { &*mutator }).number, ticks);
        Ok(())
    }

    /// The time of `body` is a special stack's.
    pub fn booking_time_to<T>(&mut self, special: ccs::Special, body: impl FnOnce(&mut Runtime) -> T) -> T {
        let enter = |runtime: &Runtime, phase| {
            runtime.cost_profiling.time.as_ref().map_or(0, |time| time.enter(phase))
        };
        let before = enter(self, special as u32);
        let value = body(self);
        enter(self, before);
        value
    }

    /// Brings the rows up to date with what compiled code has bumped.
    pub fn book_everything(&mut self) {
        for mutator in self.mutators.iter_mut() {
            mutator.book();
        }
    }

    /// Writes the profile as it is now, to a file or to that of the flags.
    pub fn write_cost_report(&mut self, to: Option<&[u8]>, detail: CostReport) -> Outcome<()> {
        let target = match to {
            Some(name) => Target::new(name)?,
            None => Target::of_program(&self.flags.cost, ".prof")?,
        };
        self.booking_time_to(ccs::Special::Overhead, |runtime| runtime.write_costs(&target, detail))
    }

    /// The heap goes: writes what the flags ask for.
    pub fn finish_costs(&mut self) -> Outcome<()> {
        self.cost_profiling.time = None;
        match self.cost_profiling.target.take() {
            None => Ok(()),
            Some(target) => self.write_costs(&target, self.flags.cost.report),
        }
    }

    fn write_costs(&mut self, target: &Target, detail: CostReport) -> Outcome<()> {
        self.book_everything();
        let stacks = self.stack_rows()?;
        let centres = centre_rows(&stacks)?;
        let stacks = by_position(&stacks, centres.len())?;
        let (program, arguments) = command_line()?;
        let date = clock::date();
        let ticks_us = (self.flags.cost.tick_seconds * 1e6) as u64;
        let profile = CostProfile {
            program: &program,
            arguments: &arguments,
            flags: self.flags.line.as_str(),
            date: date.as_str(),
            tick_us: ticks_us,
            detail,
            centres: &centres,
            stacks: &stacks,
        };
        let arranged = profile.arrange()?;
        target.write(&mut |mut out: &mut dyn io::Write| match detail {
            CostReport::Json => cost_json::write(&mut out, &profile, &arranged),
            _ => cost_text::write(&mut out, &profile, &arranged),
        })
    }

    /// All stacks with their costs; `centre` is the centre's number.
    pub fn stack_rows(&self) -> Outcome<List<StackRow>> {
        let mut rows = List::new();
        let count = ccs::count();
        rows.reserve(count as usize)?;
        for number in 0..count {
            let Some(stack) = ccs::stack(number) else { break };
            let cost = self.costs.row(number);
            rows.push(StackRow {
                number,
                centre: stack.centre,
                parent: stack.parent().map_or(0, |parent| parent.number),
                entries: cost.entries,
                ticks: self.costs.ticks_of(number),
                bytes: cost.bytes,
            })?;
        }
        Ok(rows)
    }
}

/// The centres, the library's own first and then the newest, with what all stacks that end in them cost.
fn centre_rows(stacks: &[StackRow]) -> Outcome<List<CentreRow<'static>>> {
    let count = cost_centre::count();
    let mut rows: List<CentreRow<'static>> = List::new();
    rows.reserve(count as usize)?;
    for position in 0..count {
        let number = number_at(position, count);
        let Some(centre) = cost_centre::centre(number) else { break };
        rows.push(CentreRow {
            id: number,
            label: as_text(centre.label),
            module: as_text(centre.module),
            source: as_text(centre.source),
            is_caf: centre.is_caf,
            hidden: is_hidden(number),
            ticks: 0,
            bytes: 0,
        })?;
    }
    for stack in stacks {
        if let Some(row) = rows.get_mut(position_of(stack.centre, count) as usize) {
            row.ticks += stack.ticks;
            row.bytes = row.bytes.wrapping_add(stack.bytes);
        }
    }
    Ok(rows)
}

/// The library's own centres but MAIN and PINNED.
pub fn is_hidden(centre: u32) -> bool {
    use ccs::Special::*;
    [System, Gc, Overhead, DontCare, Idle].iter().any(|&special| special as u32 + 1 == centre)
}

/// Numbers 7 to 1, then the greatest to 8.
fn number_at(position: u32, count: u32) -> u32 {
    let own = cost_centre::SPECIAL_CENTRES;
    if position < own { own - position } else { count - (position - own) }
}

fn position_of(number: u32, count: u32) -> u32 {
    let own = cost_centre::SPECIAL_CENTRES;
    if number <= own { own - number } else { own + count - number }
}

/// The same stacks, with positions of centres for their numbers. Those of centres that came meanwhile are left out.
fn by_position(stacks: &[StackRow], centres: usize) -> Outcome<List<StackRow>> {
    let mut rows = List::new();
    rows.reserve(stacks.len())?;
    for stack in stacks {
        rows.push(StackRow { centre: position_of(stack.centre, centres as u32), ..*stack })?;
    }
    Ok(rows)
}

/// The name by which the program was started, and its arguments without those between +RTS and -RTS.
fn command_line() -> Outcome<(List<u8>, List<u8>)> {
    let line = file::read(&Name::new(b"/proc/self/cmdline")?)?.unwrap_or_default();
    let (mut program, mut arguments) = (List::new(), List::new());
    let (mut inside, mut searching) = (false, true);
    for (at, word) in line.split_inclusive(|&byte| byte == 0).enumerate() {
        let text = word.strip_suffix(&[0]).unwrap_or(word);
        match text {
            _ if at == 0 => program.append(text)?,
            b"--RTS" if searching => searching = false,
            b"+RTS" if searching && !inside => inside = true,
            b"-RTS" if searching && inside => inside = false,
            _ if searching && inside => {}
            _ => arguments.append(word)?,
        }
    }
    Ok((program, arguments))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_numbers_are_each_others() {
        for count in [7, 8, 30] {
            let order: Vec<u32> = (0..count).map(|position| number_at(position, count)).collect();
            assert!(order.iter().zip(0..).all(|(&number, position)| position_of(number, count) == position));
            assert_eq!(order[..7], [7, 6, 5, 4, 3, 2, 1]);
            assert!(order[7..].is_sorted_by(|a, b| a > b));
        }
    }
}
