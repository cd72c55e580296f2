//! The table that `top` prints: with bars and names cut to fit for a terminal, whole and plain for a pipe.

use super::Sort;
use super::tally::{BandTally, Tally};
use crate::draw;
use crate::out::counted;
use crate::sort;
use barrow::base::Shown;
use std::cmp::Reverse;
use std::fmt::Write;
use unicode_width::UnicodeWidthChar;

pub struct Style<'a> {
    /// The terminal's width; none for a pipe.
    pub width: Option<usize>,
    pub most: usize,
    pub sort: Sort,
    /// Only bands whose names have this in them, in any case.
    pub filter: &'a str,
    /// Bands above the first that is shown.
    pub skip: usize,
}

pub fn is_found(band: &BandTally, filter: &str) -> bool {
    filter.is_empty() || band.name.to_string().to_lowercase().contains(&filter.to_lowercase())
}

/// Lines above the first band.
pub const HEAD_LINES: usize = 4;

pub fn render(tally: &Tally, style: &Style<'_>) -> String {
    let unit = tally.header.sample_unit.to_string();
    let mut lines = vec![
        format!("{}   {}", shown(&tally.header.job.to_string()), shown(&tally.header.date.to_string())),
        format!(
            "{}, {:.3} to {:.3} {}; {}; peak {} at {:.3}, last {} at {:.3}",
            counted(tally.samples as usize, "sample"),
            tally.start,
            tally.end,
            shown(&unit),
            counted(tally.bands.len(), "band"),
            amount(tally, tally.peak.total as f64),
            tally.peak.time,
            amount(tally, tally.last.total as f64),
            tally.last.time,
        ),
        String::new(),
        numbers(["AT PEAK", "SHARE", "LAST", "MEAN", "GROWTH"], style) + "BAND",
    ];
    let mut bands = sorted(tally, style.sort);
    bands.retain(|band| is_found(band, style.filter));
    let greatest = bands.iter().map(|band| bar_value(tally, band, style.sort)).fold(0.0, f64::max);
    for band in bands.iter().skip(style.skip).take(style.most) {
        lines.push(band_line(tally, band, style, greatest));
    }
    let shown_bands = style.skip.saturating_add(style.most);
    if bands.len() > shown_bands {
        lines.push(format!("... and {} more (-n0 shows all)", counted(bands.len() - shown_bands, "band")));
    }
    if let Some(cut) = tally.cut {
        lines.push(format!("line {}: the last sample is incomplete and is left out", cut.line));
    }
    let mut text = String::new();
    for line in lines {
        match style.width {
            Some(width) => text += fit(&line, width),
            None => text += &line,
        }
        text.push('\n');
    }
    text
}

fn sorted(tally: &Tally, sort: Sort) -> Vec<&BandTally> {
    let mut bands: Vec<_> = tally.bands.iter().collect();
    // Equal bands in order of names, so that a repainted table does not flicker.
    sort::by(&mut bands, |a, b| a.name.cmp(&b.name));
    match sort {
        Sort::Peak => sort::by_key(&mut bands, |band| Reverse(band.at_peak)),
        Sort::Last => sort::by_key(&mut bands, |band| Reverse(band.at_last)),
        Sort::Mean => sort::by_key(&mut bands, |band| Reverse(tally.mean(band))),
        Sort::Growth => sort::by_key(&mut bands, |band| Reverse(band.growth())),
        Sort::Name => {}
    }
    bands
}

/// The bars show what the table is sorted by.
fn bar_value(tally: &Tally, band: &BandTally, sort: Sort) -> f64 {
    match sort {
        Sort::Peak | Sort::Name => band.at_peak as f64,
        Sort::Last => band.at_last as f64,
        Sort::Mean => tally.mean(band) as f64,
        Sort::Growth => band.growth().max(0) as f64,
    }
}

const BAR: usize = 20;

/// Of the columns of numbers.
const WIDTHS: [usize; 5] = [10, 6, 10, 10, 11];
/// So much of a name is worth more than numbers that the table is not sorted by.
const NAME: usize = 16;

/// The columns of numbers, as many as leave room for names: the last go first.
fn numbers(cells: [&str; 5], style: &Style<'_>) -> String {
    let sorted_by = match style.sort {
        Sort::Peak | Sort::Name => 0,
        Sort::Last => 2,
        Sort::Mean => 3,
        Sort::Growth => 4,
    };
    let mut is_shown = [true; 5];
    let mut used = NAME + 1 + WIDTHS.iter().map(|width| width + 1).sum::<usize>();
    for at in (0..WIDTHS.len()).rev().filter(|&at| at != sorted_by) {
        if style.width.is_some_and(|width| width < used) {
            is_shown[at] = false;
            used -= WIDTHS[at] + 1;
        }
    }
    let mut line = String::new();
    for (at, width) in WIDTHS.iter().enumerate().filter(|&(at, _)| is_shown[at]) {
        let _ = write!(line, "{:>width$} ", cells[at]);
    }
    line + " "
}

fn band_line(tally: &Tally, band: &BandTally, style: &Style, greatest: f64) -> String {
    let (part, whole) = match style.sort {
        Sort::Last | Sort::Growth => (band.at_last, tally.last.total),
        _ => (band.at_peak, tally.peak.total),
    };
    let share = if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 };
    let growth = band.growth();
    let sign = if growth < 0 { "-" } else { "+" };
    let cells = [
        number(tally, band.at_peak as f64),
        format!("{share:.1}%"),
        number(tally, band.at_last as f64),
        number(tally, tally.mean(band) as f64),
        format!("{sign}{}", number(tally, growth.unsigned_abs() as f64)),
    ];
    let mut line = numbers(cells.each_ref().map(String::as_str), style);
    if style.width.is_some_and(|width| width >= 90) {
        let length = if greatest > 0.0 { bar_value(tally, band, style.sort) / greatest } else { 0.0 };
        let _ = write!(line, "{} ", bar(length));
    }
    line + &shown(&band.name.to_string())
}

/// `length` is 0 to 1.
fn bar(length: f64) -> String {
    let eighths = (length * (BAR * 8) as f64).round() as usize;
    let part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    let mut bar = "\u{2588}".repeat(eighths / 8);
    bar += part;
    let blank = BAR - bar.chars().count().min(BAR);
    bar + &" ".repeat(blank)
}

/// With its unit, as the page and `barrow diff` have it.
fn amount(tally: &Tally, value: f64) -> String {
    let unit = &tally.header.value_unit;
    let number = number(tally, value);
    if unit.as_bytes() == b"bytes" { number } else { format!("{number} {}", shown(&unit.to_string())) }
}

fn number(tally: &Tally, value: f64) -> String {
    draw::amount(value, tally.header.value_unit.as_bytes() == b"bytes")
}

/// Control characters in a name could command the terminal.
fn shown(text: &str) -> String {
    Shown::whole(text.as_bytes()).to_string()
}

/// As much of the line as the terminal is wide.
pub fn fit(line: &str, width: usize) -> &str {
    let mut used = 0;
    for (index, c) in line.char_indices() {
        used += c.width().unwrap_or(0);
        if used > width {
            return &line[..index];
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::hp::{Event, HpReader, Rules};

    fn tally(body: &str) -> Tally {
        let head = "JOB \"j\"\nDATE \"d\"\nSAMPLE_UNIT \"seconds\"\nVALUE_UNIT \"bytes\"\n";
        let text = format!("{head}{body}");
        let mut reader = HpReader::new(text.as_bytes(), Rules::Tolerant);
        let mut tally = Tally::default();
        while let Some(event) = reader.next().unwrap() {
            if let Event::Sample { time } = event {
                tally.add(time, reader.bands());
            }
        }
        tally.header = reader.header();
        tally
    }

    const BODY: &str = "BEGIN_SAMPLE 0.0\nEND_SAMPLE 0.0\nBEGIN_SAMPLE 1.0\na\t1000\nb\t500\nEND_SAMPLE 1.0\n\
        BEGIN_SAMPLE 2.0\nb\t3000\n\u{1b}c\t12\nEND_SAMPLE 2.0\nBEGIN_SAMPLE 3.0\na\t7\nb\t900\nEND_SAMPLE 3.0\n\
        BEGIN_SAMPLE 4.0\nEND_SAMPLE 4.0\n";

    #[test]
    fn plain_text_for_a_pipe() {
        let text =
            render(&tally(BODY), &Style { width: None, most: 2, sort: Sort::Peak, filter: "", skip: 0 });
        let expected = "j   d
5 samples, 0.000 to 4.000 seconds; 3 bands; peak 2.94 KiB at 2.000, last 907 B at 3.000

   AT PEAK  SHARE       LAST       MEAN      GROWTH  BAND
  2.93 KiB  99.6%      900 B   1.43 KiB      +400 B  b
      12 B   0.4%        0 B        4 B        +0 B  \\u{1b}c
... and 1 band more (-n0 shows all)
";
        assert_eq!(text, expected);
    }

    #[test]
    fn orders() {
        let names = |sort| {
            let text = render(&tally(BODY), &Style { width: None, most: 9, sort, filter: "", skip: 0 });
            let last_words = text.lines().skip(4).filter_map(|line| line.split(' ').next_back());
            last_words.collect::<Vec<_>>().join("")
        };
        assert_eq!(names(Sort::Name), "\\u{1b}cab");
        assert_eq!(names(Sort::Last), "ba\\u{1b}c");
        assert_eq!(names(Sort::Growth), "b\\u{1b}ca");
        assert_eq!(names(Sort::Mean), "ba\\u{1b}c");
        let found = |filter, skip| {
            render(&tally(BODY), &Style { width: None, most: 9, sort: Sort::Name, filter, skip })
                .lines()
                .count()
                - 4
        };
        assert_eq!((found("A", 0), found("", 1), found("z", 0), found("", 7)), (1, 2, 0, 0));
    }

    #[test]
    fn a_terminal_gets_bars_and_no_line_too_long() {
        for width in [1, 40, 95, 200] {
            let text = render(
                &tally(BODY),
                &Style { width: Some(width), most: 9, sort: Sort::Last, filter: "", skip: 0 },
            );
            assert!(text.lines().all(|line| line.chars().count() <= width));
            assert_eq!(text.contains('\u{2588}'), width >= 90);
        }
        // Numbers give way to names, and the ones that the table is sorted by are the last to do so.
        for (width, sort, wanted) in [
            (69, Sort::Peak, "AT PEAK SHARE LAST MEAN GROWTH BAND"),
            (68, Sort::Peak, "AT PEAK SHARE LAST MEAN BAND"),
            (40, Sort::Peak, "AT PEAK SHARE BAND"),
            (20, Sort::Peak, "AT PEAK BAND"),
            (40, Sort::Growth, "AT PEAK GROWTH BAND"),
            (28, Sort::Mean, "MEAN BAND"),
        ] {
            let text =
                render(&tally(BODY), &Style { width: Some(width), most: 9, sort, filter: "", skip: 0 });
            let head: Vec<&str> = text.lines().nth(3).unwrap_or("").split_whitespace().collect();
            assert_eq!(head.join(" "), wanted, "{width} columns");
        }
        assert_eq!(bar(1.0).chars().count(), BAR);
        assert_eq!(bar(0.0), " ".repeat(BAR));
        assert_eq!(bar(0.5 / 160.0).trim_end(), "▏");
    }
}
