//! A source text as a box's position sees it: characters by line and column.

use super::mix::Span;

pub struct Source<'a> {
    lines: Vec<&'a str>,
}

impl<'a> Source<'a> {
    /// Lines end with a line feed; a carriage return before it is a character, as it is for those who wrote overlays by this
    /// rule: a text over several lines of such a source has it.
    pub fn new(text: &'a str) -> Source<'a> {
        Source { lines: text.split_terminator('\n').collect() }
    }

    /// The text of a span, or the line that the source does not have. A tab counts as one column here, as it does
    /// for those who wrote overlays by this rule; over several lines the last is taken to one column past the end.
    pub fn text(&self, span: &Span) -> Result<String, u32> {
        let pieces: Result<Vec<&str>, u32> = self.pieces(span).collect();
        Ok(pieces?.join("\n"))
    }

    /// Whether that text is `wanted`; looks no further than the first difference.
    pub fn reads(&self, span: &Span, wanted: &str) -> Result<bool, u32> {
        let mut rest = Some(wanted);
        for piece in self.pieces(span) {
            let Some(wanted) = rest else { return Ok(false) };
            let mut parts = wanted.splitn(2, '\n');
            if parts.next() != Some(piece?) {
                return Ok(false);
            }
            rest = parts.next();
        }
        Ok(rest.is_none())
    }

    /// The part of each line that a span covers.
    fn pieces<'s>(&'s self, span: &'s Span) -> impl Iterator<Item = Result<&'a str, u32>> + 's {
        let (start, end) = (span.start, span.end);
        let from = start.column.max(1) - 1;
        (start.line..=end.line).map(move |number| {
            let line = self.line(number)?;
            let skipped = if number == start.line { from as usize } else { 0 };
            let kept = match () {
                () if start.line == end.line => {
                    (end.column as usize + 1).saturating_sub(start.column as usize)
                }
                () if number == end.line => end.column as usize + 1,
                () => usize::MAX,
            };
            Ok(cut(line, skipped, kept))
        })
    }

    fn line(&self, line: u32) -> Result<&'a str, u32> {
        (line as usize).checked_sub(1).and_then(|n| self.lines.get(n)).copied().ok_or(line)
    }
}

/// By characters; no more than there are.
fn cut(line: &str, skipped: usize, kept: usize) -> &str {
    let offset = |text: &str, count: usize| text.char_indices().nth(count).map_or(text.len(), |(at, _)| at);
    let line = &line[offset(line, skipped)..];
    &line[..offset(line, kept)]
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
        assert_eq!(text(9, 1, 4, 9).as_deref(), Ok(""));
        let returns = Source::new("ab\r\ncd\r\n");
        let span = |l1, c1, l2, c2| Span {
            start: Position { line: l1, column: c1 },
            end: Position { line: l2, column: c2 },
        };
        assert_eq!(returns.text(&span(1, 1, 2, 1)).as_deref(), Ok("ab\r\ncd"));
        assert_eq!(returns.text(&span(1, 2, 1, 9)).as_deref(), Ok("b\r"));
        assert_eq!(returns.reads(&span(1, 1, 2, 1), "ab\ncd"), Ok(false));
        assert_eq!(returns.text(&span(3, 1, 3, 1)), Err(3));
        let span = Span { start: Position { line: 4, column: 1 }, end: Position { line: 9, column: 9 } };
        assert_eq!(source.reads(&span, "q\n"), Err(5));
        assert_eq!(source.reads(&span, "z\n"), Ok(false));
        let span = Span { start: Position { line: 1, column: 5 }, end: Position { line: 2, column: 3 } };
        assert_eq!(source.reads(&span, "d\u{e9}f\nghi\t"), Ok(true));
        assert_eq!(source.reads(&span, "d\u{e9}f\nghi\t\n"), Ok(false));
        assert_eq!(source.reads(&span, "d\u{e9}f"), Ok(false));
    }
}
