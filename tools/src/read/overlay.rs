//! Reads overlay files. The grammar:
//!
//! ```text
//! file  = { tick } { "module" string "{" { item } "}" }
//! item  = tick | "tick" "function" string [where] [category] ";" | "inside" string "{" { item } "}"
//! tick  = "tick" [string] [where] [category] ";"
//! where = "on" "line" int | "at" "position" int ":" int "-" int ":" int
//! ```
//!
//! Words are letters only, a category is anything between square brackets and says nothing. No comments.

use super::fault::{Fault, utf8};
use super::haskell::string_tail;
use crate::coverage::mix::{Position, Span};
use crate::coverage::overlay::{Inside, Overlay, Place, Target, Tick};
use crate::write::haskell::string;

/// What is wrong, twice: where, and in the words that hpc has for it.
#[derive(Debug, PartialEq, Eq)]
pub struct OverlayError {
    pub told: String,
    pub error: Fault,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token<'a> {
    Word(&'a str),
    Text(String),
    Number(&'a str),
    Category(&'a str),
    Symbol(char),
}

impl Token<'_> {
    fn told(&self) -> String {
        match self {
            Token::Word(word) => format!("ID {}", string(word)),
            Token::Text(text) => format!("STR {}", string(text)),
            Token::Number(digits) => format!("INT {digits}"),
            Token::Category(text) => format!("CAT {}", string(text)),
            Token::Symbol(symbol) => format!("SYM '{symbol}'"),
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    /// With the byte each begins at.
    tokens: Vec<(usize, Token<'a>)>,
    next: usize,
    /// Why there are no more tokens, if not for the end of the file.
    broken: Option<(usize, &'static str)>,
    insides: Vec<Inside>,
}

/// Adds what one file says to `overlay`, so that several are read as one.
pub fn read(bytes: &[u8], overlay: &mut Overlay) -> Result<(), OverlayError> {
    let text = utf8(bytes).map_err(|error| OverlayError { told: "lexer failure".into(), error })?;
    let (tokens, broken) = tokens(text);
    let mut parser = Parser { text, tokens, next: 0, broken, insides: std::mem::take(&mut overlay.insides) };
    while parser.word("tick") {
        let tick = parser.tick(None, false)?;
        overlay.everywhere.push(tick);
    }
    while parser.word("module") {
        let name = parser.string("the module's name")?;
        let ticks = parser.items()?;
        overlay.modules.entry(name).or_default().extend(ticks);
    }
    if parser.next < parser.tokens.len() || parser.broken.is_some() {
        return parser.fail("expected `module`");
    }
    overlay.insides = parser.insides;
    Ok(())
}

/// With the byte each begins at; and the byte and the reason why there are no more, if not for the end of the file.
type Tokens<'a> = (Vec<(usize, Token<'a>)>, Option<(usize, &'static str)>);

fn tokens(text: &str) -> Tokens<'_> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let run = |of: fn(char) -> bool| rest.find(|c| !of(c)).unwrap_or(rest.len());
        let (token, length) = match c {
            _ if c.is_whitespace() => {
                at += c.len_utf8();
                continue;
            }
            '{' | '}' | ';' | '-' | ':' => (Token::Symbol(c), 1),
            '"' => match string_tail(&rest[1..]) {
                Ok((value, length)) => (Token::Text(value), length + 1),
                Err(_) => return (tokens, Some((at, "bad string"))),
            },
            '[' => match rest.find(']') {
                Some(end) => (Token::Category(&rest[1..end]), end + 1),
                None => return (tokens, Some((at, "lexer failure in CAT"))),
            },
            '0'..='9' => {
                let length = run(|c| c.is_ascii_digit());
                (Token::Number(&rest[..length]), length)
            }
            _ if c.is_alphabetic() => {
                let length = run(char::is_alphabetic);
                (Token::Word(&rest[..length]), length)
            }
            _ => return (tokens, Some((at, "lexer failure"))),
        };
        tokens.push((at, token));
        at += length;
    }
    (tokens, None)
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&Token<'a>> {
        self.tokens.get(self.next).map(|(_, token)| token)
    }

    fn fail<T>(&self, what: &str) -> Result<T, OverlayError> {
        let left = &self.tokens[self.next..];
        // The list of ten tokens can not be made when what follows them is broken.
        let broken = self.broken.filter(|_| left.len() < 10);
        let told = match broken {
            Some((_, told)) => told.to_string(),
            None => {
                let left: Vec<String> = left.iter().take(10).map(|(_, token)| token.told()).collect();
                format!("[{}]", left.join(","))
            }
        };
        let (at, what) = match (left.first(), broken) {
            (None, Some((at, _))) => {
                let found: String = self.text[at..].chars().take(1).collect();
                (at, format!("`{found}` begins nothing that an overlay may hold"))
            }
            (Some((at, token)), _) => (*at, format!("{what}, found {}", token.told())),
            (None, None) => (self.text.len(), format!("{what}, found the end of the file")),
        };
        Err(OverlayError { told, error: Fault::at(self.text.as_bytes(), at, what) })
    }

    fn take(&mut self, token: &Token) -> bool {
        let found = self.peek() == Some(token);
        self.next += usize::from(found);
        found
    }

    fn word(&mut self, word: &str) -> bool {
        self.take(&Token::Word(word))
    }

    fn expect(&mut self, token: &Token, what: &str) -> Result<(), OverlayError> {
        if self.take(token) { Ok(()) } else { self.fail(&format!("expected {what}")) }
    }

    fn string(&mut self, what: &str) -> Result<String, OverlayError> {
        let Some(Token::Text(text)) = self.peek() else {
            return self.fail(&format!("expected {what} as a string"));
        };
        let text = text.clone();
        self.next += 1;
        Ok(text)
    }

    fn number(&mut self) -> Result<u32, OverlayError> {
        let Some(Token::Number(digits)) = self.peek() else { return self.fail("expected a number") };
        // No source has such a line: a number too large matches nothing, as it should.
        let value = digits.parse().unwrap_or(u32::MAX);
        self.next += 1;
        Ok(value)
    }

    /// `{ items }`, with any nesting, without recursion: the open `inside`s are a chain.
    fn items(&mut self) -> Result<Vec<Tick>, OverlayError> {
        let mut ticks = Vec::new();
        let mut inside = None;
        self.expect(&Token::Symbol('{'), "`{`")?;
        loop {
            if self.word("tick") {
                ticks.push(self.tick(inside, true)?);
            } else if self.word("inside") {
                let function = self.string("the function's name")?;
                self.expect(&Token::Symbol('{'), "`{`")?;
                self.insides.push(Inside { function, within: inside });
                inside = Some(self.insides.len() - 1);
            } else if self.take(&Token::Symbol('}')) {
                match inside {
                    Some(number) => inside = self.insides[number].within,
                    None => return Ok(ticks),
                }
            } else {
                return self.fail("expected `tick`, `inside` or `}`");
            }
        }
    }

    /// What follows the word `tick`.
    fn tick(&mut self, inside: Option<usize>, in_module: bool) -> Result<Tick, OverlayError> {
        let target = if in_module && self.word("function") {
            Target::Function(self.string("the function's name")?)
        } else if let Some(Token::Text(_)) = self.peek() {
            Target::Text(self.string("the source text")?)
        } else {
            Target::AnyExpression
        };
        let place = self.place()?;
        if let Some(Token::Category(_)) = self.peek() {
            self.next += 1;
        }
        self.expect(&Token::Symbol(';'), "`;`")?;
        Ok(Tick { target, place, inside })
    }

    fn place(&mut self) -> Result<Place, OverlayError> {
        if self.word("on") {
            self.expect(&Token::Word("line"), "`line`")?;
            return Ok(Place::Line(self.number()?));
        }
        if !self.word("at") {
            return Ok(Place::Anywhere);
        }
        self.expect(&Token::Word("position"), "`position`")?;
        let start = self.position()?;
        self.expect(&Token::Symbol('-'), "`-`")?;
        Ok(Place::At(Span { start, end: self.position()? }))
    }

    fn position(&mut self) -> Result<Position, OverlayError> {
        let line = self.number()?;
        self.expect(&Token::Symbol(':'), "`:`")?;
        Ok(Position { line, column: self.number()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn insides_nest_and_modules_add_up() {
        let mut overlay = Overlay::default();
        let text =
            b"tick on line 3; module \"M\" { inside \"f\" { inside \"g\" { tick; } tick \"x\" [why not]; } }";
        read(text, &mut overlay).expect("well formed");
        read(b"module \"M\" { tick function \"h\" at position 1:2-3:4; }", &mut overlay)
            .expect("well formed");
        assert_eq!(overlay.everywhere.len(), 1);
        let insides: Vec<Option<usize>> = overlay.modules["M"].iter().map(|tick| tick.inside).collect();
        assert_eq!(insides, [Some(1), Some(0), None]);
        assert_eq!(overlay.insides[1].within, Some(0));
    }

    #[test]
    fn what_is_wrong_is_told_twice() {
        for (text, told, place) in [
            (
                "module \"M\" {\n  tick = 3;\n}",
                "lexer failure",
                "o:2: `=` begins nothing that an overlay may hold",
            ),
            ("module \"M\" {\n", "[]", "o:2: expected `tick`, `inside` or `}`, found the end of the file"),
            ("tick \"a\" on 3;", "[INT 3,SYM ';']", "o:1: expected `line`, found INT 3"),
            ("} a b c =", "lexer failure", "o:1: expected `module`, found SYM '}'"),
        ] {
            let error = read(text.as_bytes(), &mut Overlay::default()).expect_err("broken");
            assert_eq!((error.told.as_str(), error.error.in_file("o").as_str()), (told, place));
        }
    }
}
