//! A source text as a box's position sees it: characters by line and column.

use super::mix::Span;

pub struct Source<'a> {
    lines: Vec<&'a str>,
}

impl<'a> Source<'a> {
    pub fn new(text: &'a str) -> Source<'a> {
        Source { lines: text.lines().collect() }
    }

    /// The text of a span, or the line that the source does not have. A tab counts as one column here, as it does
    /// for those who wrote overlays by this rule; over several lines the last is taken to one column past the end.
    pub fn text(&self, span: &Span) -> Result<String, u32> {
        let (start, end) = (span.start, span.end);
        let from = (start.column as usize).max(1) - 1;
        if start.line == end.line {
            let length = (end.column as usize + 1).saturating_sub(start.column as usize);
            return Ok(self.line(start.line)?.chars().skip(from).take(length).collect());
        }
        let mut text: String = self.line(start.line)?.chars().skip(from).collect();
        for line in start.line + 1..=end.line {
            let kept = if line == end.line { end.column as usize + 1 } else { usize::MAX };
            text.push('\n');
            text.extend(self.line(line)?.chars().take(kept));
        }
        Ok(text)
    }

    fn line(&self, line: u32) -> Result<&'a str, u32> {
        (line as usize).checked_sub(1).and_then(|n| self.lines.get(n)).copied().ok_or(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::mix::Position;

    #[test]
    fn a_span_is_cut_by_characters() {
        let source = Source::new("abc d\u{e9}f\nghi\tjkl\n\nq");
        let text = |l1, c1, l2, c2| {
            let start = Position { line: l1, column: c1 };
            source.text(&Span { start, end: Position { line: l2, column: c2 } })
        };
        assert_eq!(text(1, 5, 1, 7).as_deref(), Ok("d\u{e9}f"));
        assert_eq!(text(1, 5, 2, 3).as_deref(), Ok("d\u{e9}f\nghi\t"));
        assert_eq!(text(1, 0, 1, 2).as_deref(), Ok("abc"));
        assert_eq!(text(1, 5, 1, 2).as_deref(), Ok(""));
        assert_eq!(text(3, 1, 4, 9).as_deref(), Ok("\nq"));
        assert_eq!(text(4, 1, 9, 9), Err(5));
        assert_eq!(text(0, 1, 0, 9), Err(0));
        assert_eq!(text(9, 1, 4, 9), Err(9));
    }
}
