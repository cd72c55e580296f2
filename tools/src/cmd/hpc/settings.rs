//! What the flags of a command line add up to.

use super::find::Places;
use super::table::Flag;
use crate::coverage::select::Selection;
use std::path::PathBuf;

#[derive(Default)]
pub struct Settings {
    pub per_module: bool,
    pub decl_list: bool,
    pub xml: bool,
    pub json: bool,
    pub fun_entry_count: bool,
    pub highlight_covered: bool,
    pub classic: bool,
    pub union: bool,
    pub lcov: bool,
    pub cobertura: bool,
    pub help: bool,
    pub selection: Selection,
    pub places: Places,
    pub destination: Option<PathBuf>,
    pub output: Option<PathBuf>,
    pub function: Option<String>,
    /// As given: only markup minds what it is.
    pub verbosity: Option<String>,
}

impl Settings {
    /// Flags act from the last to the first, so that the first of several outputs is the one that holds.
    pub fn of(flags: &[(Flag, String)]) -> Settings {
        let mut settings = Settings::default();
        for (flag, value) in flags.iter().rev() {
            settings.apply(*flag, value.clone());
        }
        settings
    }

    fn apply(&mut self, flag: Flag, value: String) {
        match flag {
            Flag::PerModule => self.per_module = true,
            Flag::DeclList => self.decl_list = true,
            Flag::XmlOutput => self.xml = true,
            Flag::Json => self.json = true,
            Flag::FunEntryCount => self.fun_entry_count = true,
            Flag::HighlightCovered => self.highlight_covered = true,
            Flag::Classic => self.classic = true,
            Flag::Union => self.union = true,
            Flag::Lcov => self.lcov = true,
            Flag::Cobertura => self.cobertura = true,
            Flag::Help => self.help = true,
            Flag::Exclude => self.selection.exclude.push(value),
            Flag::Include => self.selection.include.push(value),
            Flag::SrcDir => self.places.source_dirs.push(value),
            Flag::HpcDir => self.places.mix_dirs.push(value),
            // Whatever its place in the line, it takes away the default and leaves what was asked for.
            Flag::ResetHpcDirs => self.places.without_default = true,
            Flag::DestDir => self.destination = Some(PathBuf::from(value)),
            Flag::Output => self.output = Some(PathBuf::from(value)),
            Flag::JoinFunction | Flag::MapFunction => self.function = Some(value),
            Flag::Verbosity => self.verbosity = Some(value),
        }
    }

    /// The selection, where the modules named after the `.tix` are further includes.
    pub fn selection_with(&self, names: &[String]) -> Selection {
        let include = self.selection.include.iter().chain(names).cloned().collect();
        Selection { include, exclude: self.selection.exclude.clone() }
    }

    pub fn is_quiet(&self) -> bool {
        self.verbosity.as_deref() == Some("0")
    }
}
