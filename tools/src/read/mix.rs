//! Reads `.mix`: `Mix "source" date time zone hash tab-width [(L:C-L:C,Label ...), ...]`.

use super::fault::Fault;
use super::haskell::Scanner;
use crate::coverage::mix::{Decision, Label, Mix, MixBox, Position, Span};

/// A wider tab stop is a mistake, and would make a page of nothing but blanks.
const WIDEST_TAB: u32 = 64;

pub fn read(bytes: &[u8]) -> Result<Mix, Fault> {
    let mut scanner = Scanner::new(bytes)?;
    let opened = scanner.open();
    scanner.keyword("Mix")?;
    let source = scanner.string()?;
    time_stamp(&mut scanner)?;
    let hash = scanner.hash()?;
    let tab_width = scanner.unsigned("the tab width")?;
    if !(1..=WIDEST_TAB).contains(&tab_width) {
        return scanner.error(format!("the tab width is {tab_width}, outside 1 to {WIDEST_TAB}"));
    }
    let mut boxes = Vec::new();
    scanner.list(|scanner| {
        let before = boxes.last().map(|before: &MixBox| &before.label);
        let next = mix_box(scanner)?;
        if !may_follow(before, &next.label) {
            return scanner
                .error("a BinBox without its other half: one for True must be followed by one for False");
        }
        boxes.push(next);
        Ok(())
    })?;
    if let Some(MixBox { label: Label::Binary { outcome: true, .. }, .. }) = boxes.last() {
        return scanner.error("the last box is a BinBox for True without one for False");
    }
    scanner.close(opened)?;
    scanner.end()?;
    Ok(Mix { source, hash, tab_width, boxes })
}

fn may_follow(before: Option<&Label>, next: &Label) -> bool {
    match (before, next) {
        (
            Some(Label::Binary { decision: a, outcome: true }),
            Label::Binary { decision: b, outcome: false },
        ) => a == b,
        (Some(Label::Binary { outcome: true, .. }), _) | (_, Label::Binary { outcome: false, .. }) => false,
        _ => true,
    }
}

/// Checked for its form only: the hash, not the time, says whether two files belong together.
fn time_stamp(scanner: &mut Scanner) -> Result<(), Fault> {
    let numbers = |text: &str, separator: char| {
        text.split(separator)
            .filter(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
            .count()
    };
    let opened = scanner.open();
    let date = scanner.solid();
    let time = scanner.solid();
    let whole = time.split_once('.').map_or(time, |(whole, _)| whole);
    if numbers(date, '-') != 3 || numbers(whole, ':') != 3 {
        return scanner.error("expected a time stamp such as `2026-11-21 01:37:04 UTC`");
    }
    if scanner.word().is_empty() {
        return scanner.expected("a time zone");
    }
    scanner.close(opened)
}

fn mix_box(scanner: &mut Scanner) -> Result<MixBox, Fault> {
    scanner.symbol(b'(')?;
    let start = position(scanner)?;
    scanner.symbol(b'-')?;
    let end = position(scanner)?;
    scanner.symbol(b',')?;
    let label = label(scanner)?;
    scanner.symbol(b')')?;
    Ok(MixBox { span: Span { start, end }, label })
}

fn position(scanner: &mut Scanner) -> Result<Position, Fault> {
    let line = scanner.unsigned("the line")?;
    scanner.symbol(b':')?;
    Ok(Position { line, column: scanner.unsigned("the column")? })
}

fn label(scanner: &mut Scanner) -> Result<Label, Fault> {
    let opened = scanner.open();
    let label = match scanner.word() {
        "ExpBox" => Label::Expression { alternative: truth(scanner)? },
        "TopLevelBox" => Label::TopLevel(names(scanner)?),
        "LocalBox" => Label::Local(names(scanner)?),
        "BinBox" => {
            let decision = match scanner.word() {
                "GuardBinBox" => Decision::Guard,
                "CondBinBox" => Decision::Condition,
                "QualBinBox" => Decision::Qualifier,
                other => return scanner.error(format!("`{other}` is no kind of BinBox")),
            };
            Label::Binary { decision, outcome: truth(scanner)? }
        }
        other => return scanner.error(format!("`{other}` is no kind of box")),
    };
    scanner.close(opened)?;
    Ok(label)
}

fn truth(scanner: &mut Scanner) -> Result<bool, Fault> {
    match scanner.word() {
        "True" => Ok(true),
        "False" => Ok(false),
        _ => scanner.error("expected `True` or `False`"),
    }
}

fn names(scanner: &mut Scanner) -> Result<Vec<String>, Fault> {
    let mut names = Vec::new();
    scanner.list(|scanner| {
        names.push(scanner.string()?);
        Ok(())
    })?;
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_box_is_read() {
        let text = "Mix \"a.scm\" 2026-11-21 01:37:04.105 UTC 7 8 [(1:2-3:4,ExpBox True),(1:1-1:1,TopLevelBox [\"f\"]),\
                    (1:1-1:1, LocalBox [\"f\",\"g\"]),(5:6-5:0,BinBox QualBinBox True),\
                    (5:6-5:0,BinBox QualBinBox False)]";
        let mix = read(text.as_bytes()).expect("well formed");
        assert_eq!((mix.source.as_str(), mix.hash, mix.tab_width), ("a.scm", 7, 8));
        let spans: Vec<String> = mix.boxes.iter().map(|b| b.span.to_string()).collect();
        assert_eq!(spans, ["1:2-3:4", "1:1-1:1", "1:1-1:1", "5:6-5:0", "5:6-5:0"]);
        assert_eq!(mix.boxes[0].label, Label::Expression { alternative: true });
        assert_eq!(mix.boxes[2].label, Label::Local(vec!["f".into(), "g".into()]));
        assert_eq!(mix.boxes[4].label, Label::Binary { decision: Decision::Qualifier, outcome: false });
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, wrong) in [
            ("junk", "m:1: expected `Mix`, found `junk`"),
            ("Mix \"a\" yesterday", "m:1: expected a time stamp such as `2026-11-21 01:37:04 UTC`"),
            ("Mix \"a\" 2026-1-1 1:1:1 UTC 1\n0 []", "m:2: the tab width is 0, outside 1 to 64"),
            ("Mix \"a\" 2026-1-1 1:1:1 UTC 1 8\n[(1:1-1:1,Box)]", "m:2: `Box` is no kind of box"),
            (
                "Mix \"a\" 2026-1-1 1:1:1 UTC 1 8 [(1:-1-1:1,",
                "m:1: the column is -1, outside 0 to 4294967295",
            ),
        ] {
            assert_eq!(read(text.as_bytes()).map_err(|e| e.in_file("m")), Err(wrong.to_string()));
        }
    }
}
