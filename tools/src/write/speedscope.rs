//! speedscope's own JSON: frames once, and one "sampled" profile for each weight or each moment, which its viewer
//! offers as a list to step through.

use super::stacks::{Frame, Stacks, Unit};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{self, Write};

const SCHEMA: &str = "https://www.speedscope.app/file-format-schema.json";

/// `active`: which of the profiles to show first, counted over all weights of all stacks.
pub fn write(name: &str, all: &[Stacks], active: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut frames: Vec<Value> = Vec::new();
    let mut ids: HashMap<Frame, usize> = HashMap::new();
    let mut profiles = Vec::new();
    for stacks in all {
        for (column, weight) in stacks.weights.iter().enumerate() {
            let (mut samples, mut weights) = (Vec::new(), Vec::new());
            for (stack, values) in stacks.stacks.iter().filter(|(_, values)| values[column] > 0) {
                let sample: Vec<usize> = (stack.iter())
                    .map(|frame| {
                        *ids.entry(frame.clone()).or_insert_with(|| {
                            frames.push(describe(frame));
                            frames.len() - 1
                        })
                    })
                    .collect();
                samples.push(sample);
                weights.push(values[column]);
            }
            let unit = if weight.unit == Unit::Count { "none" } else { weight.unit.word() };
            profiles.push(json!({
                "type": "sampled", "name": format!("{} ({})", stacks.title, weight.name), "unit": unit,
                "startValue": 0, "endValue": weights.iter().sum::<u64>(), "samples": samples, "weights": weights,
            }));
        }
    }
    let file = json!({
        "$schema": SCHEMA, "name": name, "exporter": concat!("barrow ", env!("CARGO_PKG_VERSION")),
        "activeProfileIndex": active, "shared": { "frames": frames }, "profiles": profiles,
    });
    serde_json::to_writer(&mut *out, &file)?;
    out.write_all(b"\n")
}

fn describe(frame: &Frame) -> Value {
    match &frame.place {
        Some((file, line)) => json!({ "name": frame.name, "file": file, "line": line }),
        None => json!({ "name": frame.name }),
    }
}
