//! `hpc draft`: an overlay that would mark what a run has missed.

use super::failure::Failure;
use super::find::program;
use super::output;
use super::settings::Settings;
use crate::coverage::overlay::{Obstacle, draft};
use crate::coverage::source::Source;
use crate::write::haskell::string;

pub fn run(settings: &Settings, operands: &[String], out: &mut String) -> Result<(), Failure> {
    let Some((name, names)) = operands.split_first() else {
        return Err(Failure::Usage("no .tix file or executable name specified".to_string()));
    };
    let modules = program(settings, name, names, "unable to find tix file for:")?.with_mixes(settings)?;
    let mut text = String::new();
    for module in &modules {
        let source = settings.places.source(&module.mix.source)?;
        let items = draft(module, &Source::new(&source.text))
            .map_err(|why| obstacle(module.name(), &source.path, why))?;
        // A package's module in the notation of the options; overlay reads both.
        let name = module.name().replacen('/', ":", 1);
        text.push_str(&format!("module {} {{\n{items}}}\n", string(&name)));
    }
    output::put(settings, &text, out)
}

/// For draft and overlay, which look into the source at the boxes' positions.
pub fn obstacle(module: &str, source: &str, obstacle: Obstacle) -> Failure {
    match obstacle {
        Obstacle::Tangled => {
            Failure::told(format!("the boxes of module {module} overlap or nest without sense"))
        }
        Obstacle::NoSuchLine(line) => Failure::detailed(
            format!("bad line number : {line}"),
            format!(
                "{source}: module {module} has a box there, beyond the text: it was compiled from another one"
            ),
        ),
    }
}
