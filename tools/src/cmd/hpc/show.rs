//! `hpc show`: every box with its count.

use super::failure::Failure;
use super::find::program;
use super::output;
use super::settings::Settings;
use crate::write::escape::visible;
use crate::write::haskell::label;
use std::fmt::Write;

pub fn run(settings: &Settings, operands: &[String], out: &mut String) -> Result<(), Failure> {
    let Some((name, names)) = operands.split_first() else {
        return Err(Failure::Usage("no .tix file or executable name specified".to_string()));
    };
    let modules = program(settings, name, names, "could not read .tix file : ")?.with_mixes(settings)?;
    let mut table = String::new();
    for module in &modules {
        let name = visible(module.name());
        for (number, (mix_box, count)) in module.boxes().enumerate() {
            let (span, label) = (mix_box.span, label(&mix_box.label));
            // Writing to a string can not fail.
            let _ = writeln!(table, "{number:5} {count:>10} {name:<20} {span:>20} {label}");
        }
    }
    output::put_plain(settings, &table, out)
}
