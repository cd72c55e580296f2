//! The time and allocation profile of a heap: when its time is counted, and its figures as a file.

use crate::base::flag::CostFlags;
use crate::base::list::List;
use crate::base::{Failure, Outcome};
use crate::identity::cost_centre::as_text;
use crate::identity::{ccs, cost_centre};
use crate::os::apart::{self, Holder};
use crate::os::file::{self, Name};
use crate::report::cost::{CentreRow, StackRow};

/// The name `<stem><ending>` of a heap's file. The stem is that of the flags or the program's name, followed
/// by the heap's number when another live heap has the same stem.
pub(crate) fn file_of_program(flags: &CostFlags, files: &Holder, ending: &str) -> Outcome<List<u8>> {
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
    let number = files.number(&name)?;
    name.append(apart::middle(number).as_str().as_bytes())?;
    name.append(ending.as_bytes())?;
    Ok(name)
}

/// The centres, the library's own first and then the newest, with the costs of all stacks that end in them.
pub(crate) fn centre_rows(stacks: &[StackRow]) -> Outcome<List<CentreRow<'static>>> {
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
            row.ticks = row.ticks.saturating_add(stack.ticks);
            row.bytes = row.bytes.wrapping_add(stack.bytes);
        }
    }
    Ok(rows)
}

/// Whether the centre is one of the library's own, MAIN and PINNED excepted.
pub(crate) fn is_hidden(centre: u32) -> bool {
    use ccs::Special::*;
    [System, Gc, Overhead, DontCare, Idle].iter().any(|&special| special as u32 + 1 == centre)
}

/// The number of the centre at a position: 7 to 1, then the greatest to 8.
fn number_at(position: u32, count: u32) -> u32 {
    let own = cost_centre::SPECIAL_CENTRES;
    if position < own { own - position } else { count - (position - own) }
}

fn position_of(number: u32, count: u32) -> u32 {
    let own = cost_centre::SPECIAL_CENTRES;
    if number <= own { own - number } else { own + count - number }
}

/// The stacks with positions of centres in place of their numbers. Stacks of centres that were made meanwhile
/// are left out.
pub(crate) fn by_position(stacks: &[StackRow], centres: usize) -> Outcome<List<StackRow>> {
    let mut rows = List::new();
    rows.reserve(stacks.len())?;
    for stack in stacks {
        rows.push(StackRow { centre: position_of(stack.centre, centres as u32), ..*stack })?;
    }
    Ok(rows)
}

/// The name by which the program was started, and its arguments without those between +RTS and -RTS.
pub(crate) fn command_line() -> Outcome<(List<u8>, List<u8>)> {
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
