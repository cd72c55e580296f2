//! Scripts that complete the library's flags for its clients' programs: the rows of the table of flags, between `+RTS` and `-RTS`
//! on their command lines. A program reads them if its author has it read its arguments (docs/flags.md).

use barrow::base::flag::{Row, TABLE};
use clap_complete::Shell;
use std::fmt::Write;

pub fn script(shell: Shell, programs: &[String]) -> Result<String, String> {
    // Programs stand in scripts as they are.
    if let Some(odd) = programs.iter().find(|program| !is_plain(program)) {
        return Err(format!("{odd:?} is no name of a program: letters, digits and . _ + - are"));
    }
    match shell {
        Shell::Bash => Ok(bash(programs)),
        Shell::Fish => Ok(fish(programs)),
        Shell::Zsh => Ok(zsh(programs)),
        other => Err(format!("flags of programs are completed in bash, fish and zsh, not in {other}")),
    }
}

fn is_plain(program: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._+-".contains(&byte);
    !program.is_empty() && !program.starts_with('-') && program.bytes().all(plain)
}

/// The part of a flag that a shell fills in; the argument stands directly behind it.
fn stem(row: &Row) -> String {
    let takes_more = !row.argument.shape().is_empty();
    format!("{}{}", row.name, if takes_more && row.name.starts_with("--") { "=" } else { "" })
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn bash(programs: &[String]) -> String {
    let stems: Vec<String> = TABLE.iter().map(stem).collect();
    // A word is not ended where an argument may follow.
    let open: Vec<&str> = TABLE
        .iter()
        .zip(&stems)
        .filter(|(row, _)| !row.argument.shape().is_empty())
        .map(|(_, stem)| stem.as_str())
        .collect();
    let values: Vec<String> = TABLE
        .iter()
        .map(|row| (row.name, row.argument.words().collect::<Vec<_>>().join(" ")))
        .filter(|(_, words)| !words.is_empty())
        .map(|(name, words)| format!("{name}) values='{words}' ;;"))
        .collect();
    // Bash ends words at `=`: the sign is a word, and so is the argument behind it.
    format!(
        "# Flags of programs that use Barrow, after +RTS.\n\
         _barrow_program() {{\n\
         \x20 local word=$2 inside= before flag= values=\n\
         \x20 for before in \"${{COMP_WORDS[@]:1:COMP_CWORD-1}}\"; do\n\
         \x20   case $before in +RTS) inside=1 ;; -RTS) inside= ;; esac\n\
         \x20 done\n\
         \x20 COMPREPLY=()\n\
         \x20 if [ -z \"$inside\" ]; then\n\
         \x20   case $word in +*) COMPREPLY=(+RTS) ;; esac\n\
         \x20   return\n\
         \x20 fi\n\
         \x20 if [ \"${{COMP_WORDS[COMP_CWORD]}}\" = = ]; then\n\
         \x20   flag=${{COMP_WORDS[COMP_CWORD-1]}} word=\n\
         \x20 elif [ \"${{COMP_WORDS[COMP_CWORD-1]}}\" = = ]; then\n\
         \x20   flag=${{COMP_WORDS[COMP_CWORD-2]}}\n\
         \x20 fi\n\
         \x20 if [ -n \"$flag\" ]; then\n\
         \x20   case $flag in {} esac\n\
         \x20   COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n\
         \x20   [ ${{#COMPREPLY[@]}} -ne 0 ] || compopt +o default 2>/dev/null\n\
         \x20   return\n\
         \x20 fi\n\
         \x20 COMPREPLY=($(compgen -W '{} -RTS' -- \"$word\"))\n\
         \x20 case \" {} \" in *\" ${{COMPREPLY[0]}} \"*) [ ${{#COMPREPLY[@]}} -ne 1 ] || compopt -o nospace 2>/dev/null ;; esac\n\
         }}\n\
         complete -o default -F _barrow_program {}\n",
        values.join(" "),
        stems.join(" "),
        open.join(" "),
        programs.join(" "),
    )
}

fn fish(programs: &[String]) -> String {
    let mut text = String::from(
        "# Flags of programs that use Barrow, after +RTS.\n\
         function __barrow_in_rts\n\
         \x20 set -l inside 1\n\
         \x20 for word in (commandline -opc)\n\
         \x20   switch $word\n\
         \x20     case +RTS\n\
         \x20       set inside 0\n\
         \x20     case -RTS\n\
         \x20       set inside 1\n\
         \x20   end\n\
         \x20 end\n\
         \x20 return $inside\n\
         end\n",
    );
    for program in programs {
        let _ =
            writeln!(text, "complete -c {program} -n 'not __barrow_in_rts' -a +RTS -d 'flags of the heap'");
        let _ = writeln!(
            text,
            "complete -c {program} -n __barrow_in_rts -f -a -RTS -d 'arguments of the program again'"
        );
        for row in TABLE {
            let _ = writeln!(
                text,
                "complete -c {program} -n __barrow_in_rts -f -a {} -d {}",
                quoted(&stem(row)),
                quoted(row.doc)
            );
        }
    }
    text
}

/// Zsh calls a function that has the name of the file: the first time it is the file itself, which then has to complete too.
fn zsh(programs: &[String]) -> String {
    let function = format!("_{}", programs[0]);
    let mut text = format!(
        "#compdef {}\n# Flags of programs that use Barrow, after +RTS. The name of this file is {function}.\n{function}() {{\n\
         \x20 local -i begun=${{words[(I)+RTS]}} ended=${{words[(I)-RTS]}}\n\
         \x20 if (( begun == 0 || begun >= CURRENT || ended > begun && ended < CURRENT )); then\n\
         \x20   [[ $PREFIX == +* ]] && compadd -- +RTS\n\
         \x20   _files\n\
         \x20   return\n\
         \x20 fi\n\
         \x20 local -a flags=(\n",
        programs.join(" ")
    );
    for row in TABLE {
        // A colon ends the flag and begins what is said of it.
        let _ = writeln!(text, "    {}", quoted(&format!("{}:{}", stem(row).replace(':', "\\:"), row.doc)));
    }
    text.push_str(
        "    '-RTS:arguments of the program again'\n  )\n  _describe -o 'flag of the heap' flags -S ''\n}\n",
    );
    let _ = writeln!(
        text,
        "if [ \"$funcstack[1]\" = {function} ]; then\n  {function} \"$@\"\nelse\n  compdef {function} {}\nfi",
        programs.join(" ")
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_is_in_each_shells_script() {
        for shell in [Shell::Bash, Shell::Fish, Shell::Zsh] {
            let text = script(shell, &["lisp".to_string(), "a.out".to_string()]).unwrap();
            for row in TABLE {
                assert!(text.contains(&stem(row).replace('\'', "'\\''")), "{row} in {shell}");
            }
            assert!(text.contains("a.out"), "{shell}");
        }
        assert!(script(Shell::Elvish, &["a".to_string()]).is_err());
        assert!(
            script(Shell::Bash, &["a;b".to_string()]).is_err()
                && script(Shell::Bash, &["-a".to_string()]).is_err()
        );
    }
}
