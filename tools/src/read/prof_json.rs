//! Reads the JSON profile (`-pj`). Some runtimes write names without escaping the quotes in them, which is no JSON;
//! such a file is mended and read with a warning, since its meaning is plain.

#[cfg(test)]
mod tests;

use super::ReadError;
use super::eventlog::cut;
use crate::prof::{Node, ProfFile, Report};
use serde::Deserialize;
use std::collections::HashMap;

/// Levels of a tree of stacks, at most; the limit keeps hostile input from exhausting our own stack.
const DEEPEST: usize = 10_000;
/// Each level is an object and its list, within the two of the file.
const BRACKETS: usize = 2 * DEEPEST + 2;
/// Enough for reading and dropping a value within another in an unoptimised build; it is only reserved, not touched.
const STACK_OF_ONE: usize = 26 << 10;
/// A stack repeats the names of its centre, of which the file has only the number: long ones are cut.
const MOST_NAME: usize = 256;

/// `name` only serves the messages.
pub fn read(name: &str, bytes: &[u8]) -> Result<ProfFile, ReadError> {
    let text = String::from_utf8_lossy(bytes);
    match nesting(&text) {
        // The parser's own limit: most profiles stay below it.
        0..=120 => read_here(name, &text),
        depth @ 121..=BRACKETS => std::thread::scope(|scope| {
            let builder = std::thread::Builder::new().stack_size(depth * STACK_OF_ONE);
            let thread = builder.spawn_scoped(scope, || read_here(name, &text));
            let joined = thread.ok().and_then(|thread| thread.join().ok());
            joined.unwrap_or_else(|| Err(ReadError::at(name, 1, "no memory to read a tree of this depth")))
        }),
        depth => {
            let what = format!("a tree of {} levels; {DEEPEST} is the most that is read", (depth - 1) / 2);
            Err(ReadError::at(name, 1, &what))
        }
    }
}

pub fn looks_like(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

fn read_here(name: &str, text: &str) -> Result<ProfFile, ReadError> {
    let mut file = ProfFile::default();
    let whole = match parse(text) {
        Ok(whole) => whole,
        Err(first) => {
            let fault = |error: &serde_json::Error| {
                let what = error.to_string();
                let what = what.split(" at line ").next().unwrap_or(&what);
                ReadError::at(name, error.line().max(1), &format!("column {}: {what}", error.column()))
            };
            // Mended quotes move no line, so what is wrong in a mended file is told of the right one.
            let mended =
                parse(&mend(text)).map_err(|error| fault(if first.is_data() { &first } else { &error }))?;
            let what = "a quote inside a name is not escaped; read as if it were";
            file.warnings.push(format!("{name}:{}: {what}", first.line()));
            mended
        }
    };
    file.report = Some(report(name, text, whole)?);
    Ok(file)
}

fn parse(text: &str) -> Result<Whole, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    let whole = Whole::deserialize(&mut reader)?;
    reader.end()?;
    Ok(whole)
}

#[derive(Deserialize)]
struct Whole {
    #[serde(default)]
    program: String,
    /// The program's path first.
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    rts_arguments: Vec<String>,
    #[serde(default)]
    end_time: String,
    total_time: f64,
    total_ticks: u64,
    tick_interval: u64,
    total_alloc: u64,
    cost_centres: Vec<CostCentre>,
    profile: Stack,
}

#[derive(Deserialize)]
struct CostCentre {
    id: u64,
    label: String,
    #[serde(default)]
    module: String,
    #[serde(default)]
    src_loc: String,
}

#[derive(Deserialize)]
struct Stack {
    id: u64,
    entries: u64,
    ticks: u64,
    alloc: u64,
    #[serde(default)]
    children: Vec<Stack>,
}

fn report(name: &str, text: &str, mut whole: Whole) -> Result<Report, ReadError> {
    for centre in &mut whole.cost_centres {
        for text in [&mut centre.label, &mut centre.module, &mut centre.src_loc] {
            *text = cut(text, MOST_NAME);
        }
    }
    let centres: HashMap<u64, &CostCentre> =
        whole.cost_centres.iter().map(|centre| (centre.id, centre)).collect();
    let mut job = vec![whole.program];
    if !whole.rts_arguments.is_empty() {
        job.push("+RTS".into());
        job.extend(whole.rts_arguments);
        job.push("-RTS".into());
    }
    job.extend(whole.arguments.into_iter().skip(1));
    let mut report = Report {
        job: job.join(" "),
        date: whole.end_time,
        seconds: whole.total_time,
        ticks: whole.total_ticks,
        tick_us: whole.tick_interval,
        processors: 1,
        alloc: whole.total_alloc,
        exact: true,
        ..Report::default()
    };
    // An explicit stack, children pushed last to first, keeps the file's order without recursion.
    let mut open: Vec<(&Stack, Option<u32>)> = vec![(&whole.profile, None)];
    while let Some((stack, parent)) = open.pop() {
        let Some(centre) = centres.get(&stack.id) else {
            // What was parsed keeps no lines; the number's first use in the tree is the place.
            let tree = text.find("\"profile\"").unwrap_or(0);
            let number = format!("\"id\": {}", stack.id);
            let mut places = text[tree..].match_indices(&number).map(|(at, _)| tree + at);
            // Longer numbers begin with it, too.
            let is_whole = |at: &usize| !text[at + number.len()..].starts_with(|c: char| c.is_ascii_digit());
            let byte = places.find(is_whole).unwrap_or(tree);
            let line = 1 + text[..byte].matches('\n').count();
            let what = format!("the tree uses centre {}, which cost_centres lacks", stack.id);
            return Err(ReadError::at(name, line, &what));
        };
        let index = report.nodes.len() as u32;
        report.nodes.push(Node {
            parent,
            label: centre.label.clone(),
            module: centre.module.clone(),
            src: centre.src_loc.clone(),
            number: stack.id,
            entries: stack.entries,
            ticks: stack.ticks as f64,
            bytes: stack.alloc as f64,
        });
        open.extend(stack.children.iter().rev().map(|child| (child, Some(index))));
    }
    Ok(report)
}

/// The deepest bracket nesting, strings not looked into: an upper bound is all that is needed.
fn nesting(text: &str) -> usize {
    let (mut depth, mut most) = (0usize, 0usize);
    for byte in text.bytes() {
        match byte {
            b'{' | b'[' => {
                depth += 1;
                most = most.max(depth);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    most
}

/// Escapes each quote that can't end its string: one that is not followed by `:`, `,`, `]` or `}`.
fn mend(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    let mut inside = false;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' if inside => {
                out.push(c);
                if let Some((_, next)) = chars.next() {
                    out.push(next);
                }
            }
            '"' if inside => {
                let after = text[at + 1..].trim_start().chars().next();
                if matches!(after, None | Some(':' | ',' | ']' | '}')) {
                    inside = false;
                } else {
                    out.push('\\');
                }
                out.push(c);
            }
            '"' => {
                inside = true;
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}
