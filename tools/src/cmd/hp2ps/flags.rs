//! The flags of hp2ps, in their own old syntax: one letter, its value glued to it.

use crate::moment::Window;
use std::ffi::OsString;
use std::path::PathBuf;

pub const USAGE: &str = "\
Draws a heap profile (.hp) as a PostScript page.

usage: hp2ps [flags] [FILE[.hp]]        (also: barrow hp2ps ...)

  hp2ps prog.hp                writes prog.ps, and prog.aux with its scale, order and shades
  hp2ps -c -d -m12 prog        in colour, restless bands on top, twelve bands at most
  hp2ps -e120mm prog           a figure for a document, 120 mm wide
  hp2ps -p prog                on the scale of the run before, to compare the two
  hp2ps -c < prog.hp > p.ps    as a filter, without .aux

  -b       the title in a big box (the default when it is longer than 35 bytes)
  -s       the title in a small box
  -c       in colour
  -d       the bands with the greatest standard deviation on top, not those with the greatest area
  -i[+|-]  the bands in order of their names, the greatest on top; -i- the smallest on top
  -eN[in|mm|pt]  encapsulated PostScript, N wide (points by default, more than 144 points)
  -g       upright, for previewers
  -l       as -m0
  -mN      at most N bands, by default 20; the others become OTHER; -m0 all bands, and no key
  -M       the key on pages of its own (always with more than 20 bands)
  -p       scale, order and shades from the .aux file
  -tF      leaves out the smallest bands that together make less than F percent: 0 to 5, by default 1
  -wFROM..TO  only the samples of this stretch of time, such as -w1.5..3; one end may be left out
  -y       without marks
  -?       this text

A last sample that is cut short, as in the file of a running program, is left out with a warning.
Exit status: 0 drawn, 1 the profile is wrong (the message names the line), 2 a flag is wrong.
";

pub const SHORT_USAGE: &str =
    "usage: hp2ps [-b -s -c -d -i[+|-] -eN[in|mm|pt] -g -l -mN -M -p -tF -wFROM..TO -y] [FILE[.hp]]
       hp2ps -? explains the flags";

/// The paper's width in points that a picture must exceed, and the width of the picture unscaled.
const LEAST_WIDTH: f64 = 144.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TitleBox {
    /// Big if the job's text is long.
    Fitting,
    Big,
    Small,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameOrder {
    GreatestOnTop,
    SmallestOnTop,
}

#[derive(Debug)]
pub struct Flags {
    /// Without a file standard input goes to standard output.
    pub file: Option<PathBuf>,
    pub title: TitleBox,
    pub colour: bool,
    pub by_deviation: bool,
    pub by_name: Option<NameOrder>,
    /// The width in points of encapsulated PostScript.
    pub width: Option<f64>,
    pub upright: bool,
    /// 0: no limit, and no key beside the graph.
    pub most_bands: usize,
    pub key_pages: bool,
    pub previous: bool,
    /// Percent.
    pub traces: f64,
    pub window: Option<Window>,
    pub marks: bool,
}

impl Default for Flags {
    fn default() -> Flags {
        Flags {
            file: None,
            title: TitleBox::Fitting,
            colour: false,
            by_deviation: false,
            by_name: None,
            width: None,
            upright: false,
            most_bands: 20,
            key_pages: false,
            previous: false,
            traces: 1.0,
            window: None,
            marks: true,
        }
    }
}

#[derive(Debug)]
pub enum Request {
    Help,
    Draw(Flags),
}

/// Only the first file counts; a lone `-` is no file, as for a filter.
pub fn parse(args: &[OsString]) -> Result<Request, String> {
    let mut flags = Flags::default();
    let mut small = false;
    for argument in args {
        let shown = argument.to_string_lossy();
        let Some(flag) = shown.strip_prefix('-') else {
            flags.file.get_or_insert_with(|| PathBuf::from(argument));
            continue;
        };
        // Only -p may have another letter behind it.
        let mut letters = flag.chars();
        let mut letter = letters.next();
        while letter == Some('p') {
            flags.previous = true;
            letter = letters.next();
        }
        let value = letters.as_str();
        match letter {
            None => {}
            Some('b') => flags.title = TitleBox::Big,
            Some('s') => small = true,
            Some('c') => flags.colour = true,
            Some('d') => flags.by_deviation = true,
            Some('g') => flags.upright = true,
            Some('i') if value.starts_with('-') => flags.by_name = Some(NameOrder::SmallestOnTop),
            Some('i') => flags.by_name = Some(NameOrder::GreatestOnTop),
            Some('l') => flags.most_bands = 0,
            Some('M') => flags.key_pages = true,
            Some('y') => flags.marks = false,
            Some('e') => flags.width = Some(width(value).ok_or(value)?),
            Some('m') => {
                flags.most_bands = most_bands(value).ok_or(&*shown)?;
                // A key of more than 20 names does not fit beside the graph.
                flags.key_pages |= flags.most_bands > 20;
            }
            Some('t') => flags.traces = traces(value).ok_or(&*shown)?,
            Some('w') => flags.window = Some(value.parse().map_err(|_| shown.to_string())?),
            Some('?' | 'h') => return Ok(Request::Help),
            Some('-') if value == "help" => return Ok(Request::Help),
            Some(_) => return Err(shown.into_owned()),
        }
    }
    if small && flags.title != TitleBox::Big {
        flags.title = TitleBox::Small;
    }
    Ok(Request::Draw(flags))
}

fn width(text: &str) -> Option<f64> {
    let (number, unit) = split_number(text);
    let points = match unit {
        "" | "pt" => 1.0,
        "in" => 72.0,
        "mm" => 2.834646,
        _ => return None,
    };
    let width = number.parse::<f64>().ok()? * points;
    (width.is_finite() && width > LEAST_WIDTH).then_some(width)
}

/// Text that is no number counts as 0, the way scripts may have come to use it; a negative number is no limit.
fn most_bands(text: &str) -> Option<usize> {
    if text.starts_with('-') {
        return None;
    }
    let digits: String =
        text.trim_start_matches('+').chars().take_while(char::is_ascii_digit).take(9).collect();
    Some(digits.parse().unwrap_or(0))
}

fn traces(text: &str) -> Option<f64> {
    if text.starts_with('-') {
        return None;
    }
    let percent = split_number(text).0.parse().unwrap_or(0.0);
    (0.0..=5.0).contains(&percent).then_some(percent)
}

fn split_number(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(args: &str) -> Flags {
        match parse(&args.split(' ').map(OsString::from).collect::<Vec<_>>()) {
            Ok(Request::Draw(flags)) => flags,
            other => panic!("{args}: {other:?}"),
        }
    }

    fn refused(args: &str) -> String {
        parse(&[args.into()]).expect_err(args)
    }

    #[test]
    fn letters_behind_p_count_and_behind_others_do_not() {
        let pc = flags("-pc a b");
        assert!(pc.previous && pc.colour);
        assert_eq!(pc.file, Some("a".into()));
        let cd = flags("-cd");
        assert!(cd.colour && !cd.by_deviation);
    }

    #[test]
    fn a_big_title_wins() {
        assert_eq!(flags("-b -s").title, TitleBox::Big);
        assert_eq!(flags("-s -b").title, TitleBox::Big);
        assert_eq!(flags("-s").title, TitleBox::Small);
    }

    #[test]
    fn widths_have_units_and_a_least() {
        assert_eq!(flags("-e6.5in").width, Some(468.0));
        assert_eq!(flags("-e145").width, Some(145.0));
        assert_eq!(flags("-e200pt").width, Some(200.0));
        for (flag, shown) in [("-e144", "144"), ("-e", ""), ("-e10cm", "10cm"), ("-e1.2.3in", "1.2.3in")] {
            assert_eq!(refused(flag), shown);
        }
    }

    #[test]
    fn limits() {
        assert_eq!(flags("-mx").most_bands, 0);
        assert_eq!(flags("-l").most_bands, 0);
        assert_eq!(flags("-m99999999999999999999").most_bands, 999_999_999);
        assert!(flags("-m21").key_pages && !flags("-m20").key_pages);
        assert_eq!(flags("-t0.5").traces, 0.5);
        assert_eq!(flags("-w1.5..").window, "1.5..".parse().ok());
        for flag in ["-w3..1", "-w", "-m-3", "-t-1", "-t6", "-z", "--", "-px"] {
            assert_eq!(refused(flag), flag);
        }
    }
}
