//! What the bands of a heap profile are, as far as the file tells: by its name, which a run of several profiles gives, by its
//! bands' names, or by the flags in its job line.

use crate::model::HeapProfile;
use std::fmt;

/// How a profile sorts what it counts.
pub struct Sorting {
    /// None where the file does not tell.
    pub by: Option<BreakDown>,
    /// The flags that leave objects out, in order.
    pub only: Vec<String>,
}

/// By the letter of its flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BreakDown(char);

impl fmt::Display for BreakDown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match self.0 {
            'T' => "closure kind",
            'a' => "allocation site",
            'b' => "biography",
            'c' => "cost-centre stack",
            'd' => "closure description",
            'e' => "era",
            'i' => "info table",
            'm' => "module",
            'r' => "retainer set",
            _ => "type",
        };
        write!(f, "by {words} (-h{})", self.0)
    }
}

const LETTERS: &str = "Tabcdeimry";
const PHASES: [&str; 5] = ["LAG", "USE", "DRAG", "VOID", "INHERENT_USE"];

impl Sorting {
    pub fn of(name: &str, heap: &HeapProfile) -> Sorting {
        let job = heap.header.job.to_string();
        let (asked, only) = flags(&job);
        let lives = |name: &str| PHASES.contains(&name);
        let is_biography =
            !heap.bands.is_empty() && heap.bands.iter().all(|band| lives(&band.name.to_string()));
        let by = match (in_name(name), asked[..].first()) {
            (Some(letter), _) => Some(letter),
            _ if is_biography => Some('b'),
            // The letters of one run's profiles are in the job line of each of them.
            (None, Some(&letter)) if asked.iter().all(|&other| other == letter) => Some(letter),
            _ => None,
        };
        Sorting { by: by.map(BreakDown), only }
    }
}

/// The `y` of `prog.hy.hp`.
fn in_name(name: &str) -> Option<char> {
    let stem = name.strip_suffix(".gz").unwrap_or(name).strip_suffix(".hp")?;
    let letter = stem.rsplit_once(".h")?.1;
    let mut letters = letter.chars();
    letters.next().filter(|&letter| letters.next().is_none() && LETTERS.contains(letter))
}

/// The break-downs and the restrictions among a job line's flags. `-h` alone is one or another, by the program.
fn flags(job: &str) -> (Vec<char>, Vec<String>) {
    let (mut asked, mut only) = (Vec::new(), Vec::new());
    let mut inside = false;
    for word in job.split_whitespace() {
        match word {
            "+RTS" => inside = true,
            "-RTS" => inside = false,
            _ => {}
        }
        let Some(rest) = word.strip_prefix("-h").filter(|_| inside) else { continue };
        let mut letters = rest.chars();
        let Some(letter) = letters.next() else { continue };
        let letter = if letter == 'T' { letter } else { letter.to_ascii_lowercase() };
        if !LETTERS.contains(letter) {
            continue;
        }
        if letters.next().is_none() {
            asked.push(letter);
        } else {
            only.push(word.to_owned());
        }
    }
    (asked, only)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_names_and_of_job_lines() {
        assert_eq!(flags("prog -hx +RTS -hd -i0.1 -hcmain -RTS -hy"), (vec!['d'], vec!["-hcmain".into()]));
        assert_eq!(flags("prog +RTS -hC -hT -h"), (vec!['c', 'T'], vec![]));
        assert_eq!(
            (in_name("a/prog.hy.hp"), in_name("prog.hp"), in_name("prog.help.hp")),
            (Some('y'), None, None)
        );
        assert_eq!(in_name("prog.2.hT.hp.gz"), Some('T'));
    }
}
