//! Help texts, from the table alone.

use super::table::{COMMANDS, CommandRow, FlagRow, GROUPS, Group};

/// The list of commands.
pub fn overview() -> String {
    let mut out = "Usage: hpc COMMAND ...\n\n".to_string();
    for (group, heading) in GROUPS {
        out.push_str(&format!("{heading}:\n"));
        COMMANDS.iter().filter(|row| row.group == group).for_each(|row| out.push_str(&summary(row)));
    }
    out.push('\n');
    out
}

fn summary(row: &CommandRow) -> String {
    format!("  {:<12}{}\n", row.name, row.summary)
}

/// A command's help as hpc 0.68 has it; with `additions`, our own flags too.
pub fn command(row: &CommandRow, additions: bool) -> String {
    let mut out = format!("Usage: hpc {} {}\n{}\n", row.name, row.usage, row.summary);
    let mut flags: Vec<&FlagRow> = row.flags.iter().map(|flag| flag.row()).collect();
    if additions {
        flags.extend(row.additions.iter().map(|flag| flag.row()));
    }
    if !flags.is_empty() {
        out.push_str("\n\nOptions:\n\n");
        out.push_str(&flag_list(&flags, true));
    }
    out.push('\n');
    out
}

/// What this tool has and hpc 0.68 has not.
pub fn additions() -> String {
    let mut out = "Beyond hpc 0.68 (spelled in full, not abbreviated):\n\n".to_string();
    COMMANDS.iter().filter(|row| row.group == Group::Additions).for_each(|row| out.push_str(&summary(row)));
    for row in COMMANDS.iter().filter(|row| !row.additions.is_empty()) {
        out.push_str(&format!("\nhpc {}\n", row.name));
        out.push_str(&flag_list(&row.additions.iter().map(|flag| flag.row()).collect::<Vec<_>>(), true));
    }
    out.push('\n');
    out
}

/// Everything, for the manual page: the list, then each command with its flags.
pub fn whole() -> Vec<String> {
    let commands = COMMANDS.iter().map(|row| command(row, true));
    std::iter::once(overview()).chain(commands).collect()
}

/// One flag a line, what it does in a column beside it; `whole` for all lines of each text.
pub fn flag_list(flags: &[&FlagRow], whole: bool) -> String {
    let spelled = |row: &FlagRow| match row.argument {
        Some(argument) => format!("--{}={argument}", row.name),
        None => format!("--{}", row.name),
    };
    let width = flags.iter().map(|row| spelled(row).len()).max().unwrap_or(0);
    let mut out = String::new();
    for row in flags {
        let mut left = spelled(row);
        for line in row.help.iter().take(if whole { row.help.len() } else { 1 }) {
            out.push_str(&format!("    {left:<width$}  {line}\n"));
            left.clear();
        }
    }
    out
}
