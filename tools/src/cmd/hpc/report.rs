//! `hpc report`: the figures, as text, XML or JSON.

use super::failure::Failure;
use super::find::program;
use super::settings::Settings;
use crate::coverage::tally::Tally;
use crate::sort;
use crate::write::{coverage_json, coverage_text, coverage_xml};

pub fn run(settings: &Settings, operands: &[String], out: &mut String) -> Result<(), Failure> {
    let Some((name, names)) = operands.split_first() else {
        return Err(Failure::Usage("no .tix file or executable name specified".to_string()));
    };
    if settings.xml && settings.json {
        return Err(Failure::Usage("--xml-output and --json exclude each other".to_string()));
    }
    let mut modules = program(settings, name, names, "unable to find tix file for:")?.with_mixes(settings)?;
    sort::by(&mut modules, |a, b| a.name().cmp(b.name()));
    let tallies: Vec<(&str, Tally)> =
        modules.iter().map(|module| (module.name(), Tally::of(module))).collect();
    let mut total = Tally::default();
    tallies.iter().for_each(|(name, tally)| total.add_module(name, tally));
    let each: Vec<(&str, &Tally)> = tallies.iter().map(|(name, tally)| (*name, tally)).collect();

    if settings.json {
        let modules = settings.per_module.then_some(&each[..]);
        out.push_str(&coverage_json::write(name, modules, &total, settings.decl_list));
    } else if settings.xml {
        let modules = if settings.per_module { &each[..] } else { &[] };
        out.push_str(&coverage_xml::write(name, modules, &total));
    } else if settings.per_module {
        for (name, tally) in each {
            out.push_str(&coverage_text::module_heading(name));
            out.push_str(&coverage_text::block(tally, settings.decl_list));
        }
    } else {
        out.push_str(&coverage_text::block(&total, settings.decl_list));
    }
    Ok(())
}
