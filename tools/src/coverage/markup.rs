//! Marks a source text with what ran. The classes of the spans are the vocabulary of the pages: `istickedoff`,
//! `nottickedoff`, `tickonlytrue`, `tickonlyfalse`, `decl`, `funcount`, `spaces`, `lineno`.
//!
//! Nothing here knows the language of the source: a text is lines, columns and tabs.

use super::count::Count;
use super::mix::{Label, Position};
use super::module::{Module, Verdict, verdict};
use crate::sort;
use crate::write::escape::markup_char;

/// How a declaration's count is spelled in front of it, if at all.
pub type CountNote = fn(&Count) -> String;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Ticked,
    NotTicked,
    OnlyTrue,
    OnlyFalse,
    Declaration(Count),
}

#[derive(Clone, Debug)]
struct Mark {
    start: Position,
    end: Position,
    kind: Kind,
}

/// The positions make no sensible page.
#[derive(Debug, PartialEq, Eq)]
pub enum Unmarkable {
    TooDeep,
    TooLong,
}

/// Marks open at once; real programs have some tens. Each is closed and opened again on every line it spans.
const DEEPEST: usize = 200;

/// How large a page may grow beyond sixty-four times its source.
const SPARE_BYTES: usize = 1 << 26;

/// A mark may end beyond its line by tabs that were counted otherwise; further than this it is a mistake.
const WIDEST_PADDING: u32 = 512;

const TAB: u32 = 8;

/// The marked lines, numbered, each ended by a newline.
pub fn marked_lines(module: &Module, text: &str, note: Option<CountNote>) -> Result<String, Unmarkable> {
    let mut walk = Walk {
        marks: marks(module),
        next: 0,
        open: Vec::new(),
        at: Position { line: 1, column: 1 },
        tab_width: module.mix.tab_width,
        note,
        out: String::with_capacity(text.len() * 2),
        longest: text.len().saturating_mul(64).saturating_add(SPARE_BYTES),
    };
    walk.text(text)?;
    let mut numbered = String::with_capacity(walk.out.len() + 40 * walk.at.line as usize);
    for (n, line) in walk.out.lines().enumerate() {
        numbered.push_str(&format!("<span class=\"lineno\">{:5} </span>{line}\n", n + 1));
    }
    Ok(numbered)
}

/// Sorted by start, the longer first; of equal ones in the order of the boxes.
fn marks(module: &Module) -> Vec<Mark> {
    let mut marks = Vec::with_capacity(module.mix.boxes.len());
    for (number, (mix_box, count)) in module.boxes().enumerate() {
        let mut mark = |kind| marks.push(Mark { start: mix_box.span.start, end: mix_box.span.end, kind });
        match mix_box.label {
            Label::Binary { outcome: true, .. } => {
                let Some(falsehoods) = module.tix.ticks.get(number + 1) else { continue };
                match verdict(count, falsehoods) {
                    Verdict::AlwaysTrue => mark(Kind::OnlyTrue),
                    Verdict::AlwaysFalse => mark(Kind::OnlyFalse),
                    Verdict::BothWays | Verdict::Unevaluated => {}
                }
                continue;
            }
            Label::Binary { .. } => continue,
            Label::TopLevel(_) => mark(Kind::Declaration(count.clone())),
            Label::Expression { .. } | Label::Local(_) => {}
        }
        mark(if count.is_positive() { Kind::Ticked } else { Kind::NotTicked });
    }
    sort::by(&mut marks, |a, b| a.start.cmp(&b.start).then(b.end.cmp(&a.end)));
    marks
}

struct Walk {
    marks: Vec<Mark>,
    next: usize,
    /// Innermost last.
    open: Vec<Mark>,
    at: Position,
    tab_width: u32,
    note: Option<CountNote>,
    out: String,
    longest: usize,
}

impl Walk {
    fn text(&mut self, text: &str) -> Result<(), Unmarkable> {
        let mut rest = text.chars();
        while let Some(c) = rest.clone().next() {
            self.open_and_close()?;
            if c == '\n' && self.ends_short() {
                self.character(' ', true);
                continue;
            }
            rest.next();
            if c == '\n' {
                self.newline(&mut rest);
                if self.out.len() > self.longest {
                    return Err(Unmarkable::TooLong);
                }
            } else {
                // The carriage return of a line's end is part of the end: shown, it would be a line of its own.
                let ends_line = c == '\r' && rest.as_str().starts_with('\n');
                self.character(c, !ends_line);
            }
        }
        self.open_and_close()?;
        while self.open.pop().is_some() {
            self.out.push_str("</span>");
        }
        Ok(())
    }

    /// Closes what ends before this place and opens what begins here; what should have begun before is lost.
    fn open_and_close(&mut self) -> Result<(), Unmarkable> {
        loop {
            if self.open.last().is_some_and(|mark| mark.end < self.at) {
                self.open.pop();
                self.out.push_str("</span>");
                continue;
            }
            match self.marks.get(self.next) {
                Some(mark) if mark.start <= self.at => {
                    let mark = mark.clone();
                    self.next += 1;
                    if mark.start == self.at {
                        self.begin(mark)?;
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    fn begin(&mut self, mut mark: Mark) -> Result<(), Unmarkable> {
        if let Some(around) = self.open.last() {
            let decided = matches!(around.kind, Kind::OnlyTrue | Kind::OnlyFalse);
            if around.kind == mark.kind || (decided && mark.kind == Kind::Ticked) {
                return Ok(());
            }
            mark.end = mark.end.min(around.end);
        }
        if self.open.len() == DEEPEST {
            return Err(Unmarkable::TooDeep);
        }
        self.open_tag(&mark.kind);
        self.open.push(mark);
        Ok(())
    }

    fn open_tag(&mut self, kind: &Kind) {
        let class = match kind {
            Kind::Ticked => "istickedoff",
            Kind::NotTicked => "nottickedoff",
            Kind::OnlyTrue => "tickonlytrue",
            Kind::OnlyFalse => "tickonlyfalse",
            Kind::Declaration(count) => {
                if let Some(note) = self.note {
                    self.out.push_str(&format!("<span class=\"funcount\">{}</span>", note(count)));
                }
                "decl"
            }
        };
        self.out.push_str(&format!("<span class=\"{class}\">"));
    }

    fn character(&mut self, c: char, shown: bool) {
        if c == '\t' {
            let blanks = TAB - (self.at.column - 1) % TAB;
            self.out.extend((0..blanks).map(|_| ' '));
            self.at.column = next_stop(self.at.column, self.tab_width);
            return;
        }
        if shown {
            markup_char(c, &mut self.out);
        }
        self.at.column = self.at.column.saturating_add(1);
    }

    /// Whether the innermost mark ends on this line but beyond its last character: then blanks fill the line, one
    /// column at a time, since other marks may begin there too.
    fn ends_short(&self) -> bool {
        self.open.last().is_some_and(|mark| {
            let missing = mark.end.column.saturating_sub(self.at.column);
            mark.end.line == self.at.line && (1..=WIDEST_PADDING).contains(&missing)
        })
    }

    /// Marks do not cross lines, so that each line can be read alone; only a declaration does.
    fn newline(&mut self, rest: &mut std::str::Chars) {
        let declaration = self.open.iter().rposition(|mark| matches!(mark.kind, Kind::Declaration(_)));
        let crossing = declaration.map_or(0, |at| at + 1);
        self.out.extend(self.open[crossing..].iter().map(|_| "</span>"));
        self.out.push('\n');
        self.at = Position { line: self.at.line.saturating_add(1), column: 1 };
        if self.open.is_empty() {
            return;
        }
        self.out.push_str("<span class=\"spaces\">");
        while let Some(blank @ (' ' | '\t')) = rest.clone().next() {
            rest.next();
            self.character(blank, true);
        }
        self.out.push_str("</span>");
        for number in crossing..self.open.len() {
            let kind = self.open[number].kind.clone();
            self.open_tag(&kind);
        }
    }
}

fn next_stop(column: u32, width: u32) -> u32 {
    let past = (column - 1) % width.max(1);
    column.saturating_add(width.max(1) - past)
}
