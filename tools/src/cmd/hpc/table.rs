//! THE table of commands and their flags: the parser and the help texts are both made from it.
//!
//! `flags` are those of hpc 0.68, whose help texts scripts compare; `additions` are ours. They are shown by
//! `COMMAND --help` and `help additions`, and must be spelled in full, so that no abbreviation changes its meaning.

use super::failure::Failure;
use super::settings::Settings;
use super::{draft, export, join, markup, overlay, report, show};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    PerModule,
    DeclList,
    Exclude,
    Include,
    SrcDir,
    HpcDir,
    ResetHpcDirs,
    XmlOutput,
    FunEntryCount,
    HighlightCovered,
    DestDir,
    Output,
    JoinFunction,
    MapFunction,
    Union,
    Verbosity,
    Json,
    Classic,
    Lcov,
    Cobertura,
    Help,
}

pub struct FlagRow {
    pub flag: Flag,
    pub name: &'static str,
    /// What its argument stands for, if it takes one.
    pub argument: Option<&'static str>,
    pub help: &'static [&'static str],
}

const fn row(
    flag: Flag,
    name: &'static str,
    argument: Option<&'static str>,
    help: &'static [&'static str],
) -> FlagRow {
    FlagRow { flag, name, argument, help }
}

const MODULE: Option<&str> = Some("[PACKAGE:][MODULE]");

const FLAGS: &[FlagRow] = &[
    row(Flag::PerModule, "per-module", None, &["show module level detail"]),
    row(Flag::DeclList, "decl-list", None, &["show unused decls"]),
    row(Flag::Exclude, "exclude", MODULE, &["exclude MODULE and/or PACKAGE"]),
    row(Flag::Include, "include", MODULE, &["include MODULE and/or PACKAGE"]),
    row(
        Flag::SrcDir,
        "srcdir",
        Some("DIR"),
        &["path to source directory of .hs files", "multi-use of srcdir possible"],
    ),
    row(
        Flag::HpcDir,
        "hpcdir",
        Some("DIR"),
        &["append sub-directory that contains .mix files", "default .hpc [rarely used]"],
    ),
    row(Flag::ResetHpcDirs, "reset-hpcdirs", None, &["empty the list of hpcdir's", "[rarely used]"]),
    row(Flag::XmlOutput, "xml-output", None, &["show output in XML"]),
    row(Flag::FunEntryCount, "fun-entry-count", None, &["show top-level function entry counts"]),
    row(
        Flag::HighlightCovered,
        "highlight-covered",
        None,
        &["highlight covered code, rather that code gaps"],
    ),
    row(Flag::DestDir, "destdir", Some("DIR"), &["path to write output to"]),
    row(Flag::Output, "output", Some("FILE"), &["output FILE"]),
    row(
        Flag::JoinFunction,
        "function",
        Some("FUNCTION"),
        &["combine .tix files with join function, default = ADD", "FUNCTION = ADD | DIFF | SUB"],
    ),
    row(
        Flag::MapFunction,
        "function",
        Some("FUNCTION"),
        &["apply function to .tix files, default = ID", "FUNCTION = ID | INV | ZERO"],
    ),
    row(Flag::Union, "union", None, &["use the union of the module namespace (default is intersection)"]),
    row(Flag::Verbosity, "verbosity", Some("[0-2]"), &["verbosity level, 0-2", "default 1"]),
    row(Flag::Json, "json", None, &["show output in JSON"]),
    row(Flag::Classic, "classic", None, &["write the pages as hpc 0.68 laid them out"]),
    row(Flag::Lcov, "lcov", None, &["write an LCOV tracefile"]),
    row(Flag::Cobertura, "cobertura", None, &["write Cobertura XML"]),
    row(Flag::Help, "help", None, &["show this help"]),
];

impl Flag {
    pub fn row(self) -> &'static FlagRow {
        FLAGS.iter().find(|row| row.flag == self).expect("every flag has its row: a test says so")
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Group {
    Commands,
    Reporting,
    Processing,
    Overlays,
    Others,
    /// Ours; not in the list that `help` prints.
    Additions,
}

pub const GROUPS: [(Group, &str); 5] = [
    (Group::Commands, "Commands"),
    (Group::Reporting, "Reporting Coverage"),
    (Group::Processing, "Processing Coverage files"),
    (Group::Overlays, "Coverage Overlays"),
    (Group::Others, "Others"),
];

/// What a command does with its settings and operands; its standard output is gathered in the string.
pub type Run = fn(&Settings, &[String], &mut String) -> Result<(), Failure>;

pub struct CommandRow {
    pub name: &'static str,
    pub group: Group,
    pub summary: &'static str,
    /// What follows the name in the usage line.
    pub usage: &'static str,
    pub flags: &'static [Flag],
    pub additions: &'static [Flag],
    /// None for those that need nothing but the table itself.
    pub run: Option<Run>,
}

use Flag::*;

const HELPED: &[Flag] = &[Help];

pub const COMMANDS: &[CommandRow] = &[
    CommandRow {
        name: "help",
        group: Group::Commands,
        summary: "Display help for hpc or a single command",
        usage: "[<HPC_COMMAND>]",
        flags: &[],
        additions: &[],
        run: None,
    },
    CommandRow {
        name: "report",
        group: Group::Reporting,
        summary: "Output textual report about program coverage",
        usage: "[OPTION] .. <TIX_FILE> [<MODULE> [<MODULE> ..]]",
        flags: &[PerModule, DeclList, Exclude, Include, SrcDir, HpcDir, ResetHpcDirs, XmlOutput, Verbosity],
        additions: &[Json, Help],
        run: Some(report::run),
    },
    CommandRow {
        name: "markup",
        group: Group::Reporting,
        summary: "Markup Haskell source with program coverage",
        usage: "[OPTION] .. <TIX_FILE> [<MODULE> [<MODULE> ..]]",
        flags: &[
            Exclude,
            Include,
            SrcDir,
            HpcDir,
            ResetHpcDirs,
            FunEntryCount,
            HighlightCovered,
            DestDir,
            Verbosity,
        ],
        additions: &[Classic, Help],
        run: Some(markup::run),
    },
    CommandRow {
        name: "sum",
        group: Group::Processing,
        summary: "Sum multiple .tix files in a single .tix file",
        usage: "[OPTION] .. <TIX_FILE> [<TIX_FILE> [<TIX_FILE> ..]]",
        flags: &[Exclude, Include, Output, Union, Verbosity],
        additions: HELPED,
        run: Some(join::sum),
    },
    CommandRow {
        name: "combine",
        group: Group::Processing,
        summary: "Combine two .tix files in a single .tix file",
        usage: "[OPTION] .. <TIX_FILE> <TIX_FILE>",
        flags: &[Exclude, Include, Output, JoinFunction, Union, Verbosity],
        additions: HELPED,
        run: Some(join::combine),
    },
    CommandRow {
        name: "map",
        group: Group::Processing,
        summary: "Map a function over a single .tix file",
        usage: "[OPTION] .. <TIX_FILE> ",
        flags: &[Exclude, Include, Output, MapFunction, Union, Verbosity],
        additions: HELPED,
        run: Some(join::map),
    },
    CommandRow {
        name: "overlay",
        group: Group::Overlays,
        summary: "Generate a .tix file from an overlay file",
        usage: "[OPTION] .. <OVERLAY_FILE> [<OVERLAY_FILE> [...]]",
        flags: &[SrcDir, HpcDir, ResetHpcDirs, Output, Verbosity],
        additions: HELPED,
        run: Some(overlay::run),
    },
    CommandRow {
        name: "draft",
        group: Group::Overlays,
        summary: "Generate draft overlay that provides 100% coverage",
        usage: "[OPTION] .. <TIX_FILE>",
        flags: &[Exclude, Include, SrcDir, HpcDir, ResetHpcDirs, Output, Verbosity],
        additions: HELPED,
        run: Some(draft::run),
    },
    CommandRow {
        name: "show",
        group: Group::Others,
        summary: "Show .tix file in readable, verbose format",
        usage: "[OPTION] .. <TIX_FILE> [<MODULE> [<MODULE> ..]]",
        flags: &[Exclude, Include, SrcDir, HpcDir, ResetHpcDirs, Output, Verbosity],
        additions: HELPED,
        run: Some(show::run),
    },
    CommandRow {
        name: "version",
        group: Group::Others,
        summary: "Display version for hpc",
        usage: "",
        flags: &[],
        additions: &[],
        run: None,
    },
    CommandRow {
        name: "export",
        group: Group::Additions,
        summary: "Write coverage in the format of another tool",
        usage: "[OPTION] .. <TIX_FILE> [<MODULE> [<MODULE> ..]]",
        flags: &[Lcov, Cobertura, Exclude, Include, SrcDir, HpcDir, ResetHpcDirs, Output, Verbosity],
        additions: HELPED,
        run: Some(export::run),
    },
];

pub fn command(name: &str) -> Option<&'static CommandRow> {
    COMMANDS.iter().find(|row| row.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flag_of_every_command_has_its_row() {
        for flag in COMMANDS.iter().flat_map(|command| command.flags.iter().chain(command.additions)) {
            assert_eq!(flag.row().flag, *flag);
        }
    }

    #[test]
    fn no_command_has_two_flags_of_one_name() {
        for command in COMMANDS {
            let mut names: Vec<&str> =
                command.flags.iter().chain(command.additions).map(|flag| flag.row().name).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), command.flags.len() + command.additions.len(), "{}", command.name);
        }
    }
}
