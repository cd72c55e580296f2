//! speedscope's own JSON: frames once, and one "sampled" profile for each weight or each moment, which its viewer
//! offers as a list to step through.

use super::stacks::{Frame, Stacks, Unit};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{self, Write};

const SCHEMA: &str = "https://www.speedscope.app/file-format-schema.json";

/// A `Value` of all stacks would take many times their memory.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct File<'a> {
    #[serde(rename = "$schema")]
    schema: &'a str,
    name: &'a str,
    exporter: &'a str,
    active_profile_index: usize,
    shared: Value,
    profiles: Vec<Profile>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Profile {
    r#type: &'static str,
    name: String,
    unit: &'static str,
    start_value: u64,
    end_value: u64,
    /// Stacks as places in `shared`, and what each of them weighs.
    samples: Vec<Vec<u32>>,
    weights: Vec<u64>,
}

/// `active`: which of the profiles to show first, counted over all weights of all stacks.
pub fn write(name: &str, all: &[Stacks], active: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut frames: Vec<Value> = Vec::new();
    let mut ids: HashMap<&Frame, u32> = HashMap::new();
    let mut id = |frame| {
        *ids.entry(frame).or_insert_with(|| {
            frames.push(describe(frame));
            frames.len() as u32 - 1
        })
    };
    let mut profiles = Vec::new();
    for stacks in all {
        for (column, weight) in stacks.weights.iter().enumerate() {
            let (mut samples, mut weights) = (Vec::new(), Vec::new());
            for (stack, values) in stacks.stacks.iter().filter(|(_, values)| values[column] > 0) {
                samples.push(stack.iter().map(|frame| id(frame)).collect());
                weights.push(values[column]);
            }
            profiles.push(Profile {
                r#type: "sampled",
                name: format!("{} ({})", stacks.title, weight.name),
                unit: if weight.unit == Unit::Count { "none" } else { weight.unit.word() },
                start_value: 0,
                end_value: weights.iter().fold(0, |sum: u64, &weight| sum.saturating_add(weight)),
                samples,
                weights,
            });
        }
    }
    let exporter = concat!("barrow ", env!("CARGO_PKG_VERSION"));
    let shared = json!({ "frames": frames });
    let file = File { schema: SCHEMA, name, exporter, active_profile_index: active, shared, profiles };
    serde_json::to_writer(&mut *out, &file)?;
    out.write_all(b"\n")
}

fn describe(frame: &Frame) -> Value {
    match &frame.place {
        Some((file, line)) => json!({ "name": frame.name, "file": file, "line": line }),
        None => json!({ "name": frame.name }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_end_at_the_greatest_number() {
        let stacks = Stacks::beyond_the_greatest();
        let mut out = Vec::new();
        write("a", &[stacks], 0, &mut out).unwrap();
        let told: Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(told["profiles"][0]["endValue"], json!(u64::MAX));
    }
}
