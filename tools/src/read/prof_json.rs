//! Reads the JSON profile (`-pj`). Some runtimes write names without escaping the quotes in them, which is no JSON;
//! such a file is mended and read with a warning, since its meaning is plain.

use super::ReadError;
use crate::prof::{Node, ProfFile, Report};
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashMap;

/// Deeper trees than this are no stacks of any program; the limit keeps hostile input from exhausting our own stack.
const DEEPEST: usize = 10_000;
/// Enough for reading and dropping `DEEPEST` nested values in an unoptimised build; it is only reserved, not touched.
const STACK: usize = 256 << 20;

/// `name` only serves the messages.
pub fn read(name: &str, bytes: &[u8]) -> Result<ProfFile, ReadError> {
    let text = String::from_utf8_lossy(bytes);
    match nesting(&text) {
        // The parser's own limit: most profiles stay below it.
        0..=120 => read_here(name, &text),
        121..=DEEPEST => std::thread::scope(|scope| {
            let thread =
                std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || read_here(name, &text));
            let joined = thread.ok().and_then(|thread| thread.join().ok());
            joined.unwrap_or_else(|| Err(ReadError::at(name, 1, "no memory to read a tree of this depth")))
        }),
        depth => {
            Err(ReadError::at(name, 1, &format!("nested {depth} deep; {DEEPEST} is the most that is read")))
        }
    }
}

fn read_here(name: &str, text: &str) -> Result<ProfFile, ReadError> {
    let mut file = ProfFile::default();
    let value = match parse(text) {
        Ok(value) => value,
        Err(first) => {
            let value = parse(&mend(text)).map_err(|_| {
                ReadError::at(name, first.line(), &format!("not JSON at column {}: {first}", first.column()))
            })?;
            let what = "a quote inside a name is not escaped; read as if it were";
            file.warnings.push(format!("{name}:{}: {what}", first.line()));
            value
        }
    };
    file.report = Some(Builder { name, text }.report(&value)?);
    Ok(file)
}

pub fn looks_like(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

fn parse(text: &str) -> Result<Value, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    let value = Value::deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
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

struct Builder<'a> {
    name: &'a str,
    text: &'a str,
}

struct Named {
    label: String,
    module: String,
    src: String,
}

impl Builder<'_> {
    fn report(&self, value: &Value) -> Result<Report, ReadError> {
        if value.get("profile").is_none() || value.get("cost_centres").is_none() {
            return Err(self.error("", "a profile has the keys cost_centres and profile"));
        }
        let centres = self.centres(value)?;
        let words = |key: &str| -> Vec<String> {
            let list = value.get(key).and_then(Value::as_array);
            list.map(|list| list.iter().filter_map(Value::as_str).map(str::to_owned).collect())
                .unwrap_or_default()
        };
        let mut job = vec![value.get("program").and_then(Value::as_str).unwrap_or("?").to_owned()];
        let options = words("rts_arguments");
        if !options.is_empty() {
            job.push("+RTS".into());
            job.extend(options);
            job.push("-RTS".into());
        }
        job.extend(words("arguments").into_iter().skip(1));
        let mut report = Report {
            job: job.join(" "),
            date: value.get("end_time").and_then(Value::as_str).unwrap_or("").to_owned(),
            seconds: self.float(value, "total_time")?,
            ticks: self.whole(value, "total_ticks")?,
            tick_us: self.whole(value, "tick_interval")?,
            processors: 1,
            alloc: self.whole(value, "total_alloc")?,
            exact: true,
            ..Report::default()
        };
        // An explicit stack, children pushed last to first, keeps the file's order without recursion.
        let mut open: Vec<(&Value, Option<u32>)> = vec![(&value["profile"], None)];
        while let Some((node, parent)) = open.pop() {
            let id = self.whole(node, "id")?;
            let named = centres.get(&id).ok_or_else(|| {
                self.error(
                    &format!("\"id\": {id}"),
                    &format!("the tree uses centre {id}, which cost_centres lacks"),
                )
            })?;
            let index = report.nodes.len() as u32;
            report.nodes.push(Node {
                parent,
                label: named.label.clone(),
                module: named.module.clone(),
                src: named.src.clone(),
                number: id,
                entries: self.whole(node, "entries")?,
                ticks: self.whole(node, "ticks")? as f64,
                bytes: self.whole(node, "alloc")? as f64,
            });
            let children = node.get("children").and_then(Value::as_array);
            open.extend(children.into_iter().flatten().rev().map(|child| (child, Some(index))));
        }
        Ok(report)
    }

    fn centres(&self, value: &Value) -> Result<HashMap<u64, Named>, ReadError> {
        let list = value["cost_centres"].as_array();
        let list = list.ok_or_else(|| self.error("\"cost_centres\"", "cost_centres must be a list"))?;
        let mut centres = HashMap::with_capacity(list.len());
        for centre in list {
            let text = |key: &str| centre.get(key).and_then(Value::as_str).map(str::to_owned);
            let id = self.whole(centre, "id")?;
            let label = text("label")
                .ok_or_else(|| self.error(&format!("\"id\": {id}"), &format!("centre {id} has no label")))?;
            let named = Named {
                label,
                module: text("module").unwrap_or_default(),
                src: text("src_loc").unwrap_or_default(),
            };
            centres.insert(id, named);
        }
        Ok(centres)
    }

    fn whole(&self, value: &Value, key: &str) -> Result<u64, ReadError> {
        let what =
            || self.error(&format!("\"{key}\""), &format!("{key} must be there and be a whole number"));
        value.get(key).and_then(Value::as_u64).ok_or_else(what)
    }

    fn float(&self, value: &Value, key: &str) -> Result<f64, ReadError> {
        let what = || self.error(&format!("\"{key}\""), &format!("{key} must be there and be a number"));
        value.get(key).and_then(Value::as_f64).ok_or_else(what)
    }

    /// Parsed JSON keeps no lines: the first mention of what is wrong is the best hint that can be given.
    fn error(&self, near: &str, what: &str) -> ReadError {
        let byte = if near.is_empty() { 0 } else { self.text.find(near).unwrap_or(0) };
        ReadError::at(self.name, 1 + self.text[..byte].matches('\n').count(), what)
    }
}
