//! `hpc markup`: a page for each module, its source marked with what ran, and pages that sum them up.

use super::classic;
use super::failure::Failure;
use super::find::{program, unreadable};
use super::page::{self, Language};
use super::settings::Settings;
use super::summary_page::{self, Entry, Order};
use crate::coverage::markup::{CountNote, Unmarkable, marked_lines};
use crate::coverage::module::Module;
use crate::coverage::tally::Tally;
use crate::whole_file;
use std::path::{Path, PathBuf};

pub fn run(settings: &Settings, operands: &[String], out: &mut String) -> Result<(), Failure> {
    let Some((name, names)) = operands.split_first() else {
        return Err(Failure::Usage("no .tix file or executable name specified".to_string()));
    };
    if let Some(level) = settings.verbosity.as_deref().filter(|level| level.parse::<u8>().is_err()) {
        return Err(Failure::told(format!("unknown verbosity: {level}")));
    }
    let modules =
        program(settings, name, names, "unable to find tix file for: ")?.with_counted_mixes(settings)?;
    let destination = settings.destination.clone().unwrap_or_else(|| PathBuf::from("."));
    let mut entries = Vec::new();
    for module in &modules {
        let language = Language::of(&module.mix.source);
        let page_file = page::file_name(module.name(), &language);
        let page = module_page(settings, module, &language, &page_file)?;
        put(settings, &destination, &page_file, &page, out)?;
        entries.push(Entry { module: module.name(), file: page_file, tally: Tally::of(module) });
    }
    for order in Order::ALL {
        let page = match settings.classic {
            true => classic::summary(&entries, order),
            false => summary_page::page(&entries, order),
        };
        put(settings, &destination, order.file(), &page, out)?;
    }
    Ok(())
}

fn module_page(
    settings: &Settings,
    module: &Module,
    language: &Language,
    page_file: &str,
) -> Result<String, Failure> {
    let source = settings.places.source(&module.mix.source)?;
    let note: Option<CountNote> = settings.fun_entry_count.then_some(language.count_note());
    let lines = marked_lines(module, &source.text, note).map_err(|why| {
        let why = match why {
            Unmarkable::TooDeep => "nest without end",
            Unmarkable::TooLong => "would make a page of no sensible length",
        };
        Failure::told(format!("the boxes of module {} {why}", module.name()))
    })?;
    Ok(match settings.classic {
        true => classic::module(&lines, settings.highlight_covered),
        false => page::module(module, page_file, &lines, settings.highlight_covered),
    })
}

fn put(
    settings: &Settings,
    destination: &Path,
    name: &str,
    page: &str,
    out: &mut String,
) -> Result<(), Failure> {
    if !settings.is_quiet() {
        out.push_str(&format!("Writing: {name}\n"));
    }
    let path = destination.join(name);
    whole_file::replace(&path, page.as_bytes())
        .map_err(|error| unreadable(&path.display().to_string(), &error))
}
