//! What could run: the boxes of one module and where they stand in its source, as a `.mix` file holds them.

/// A place in a source file; lines and columns count from 1, both ends are inside.
/// Derived order: by start, then by end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    pub start: Position,
    pub end: Position,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

impl Span {
    pub fn contains(&self, other: &Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

impl std::fmt::Display for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (start, end) = (self.start, self.end);
        f.pad(&format!("{}:{}-{}:{}", start.line, start.column, end.line, end.column))
    }
}

/// Where a truth value decides something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    Guard,
    Condition,
    Qualifier,
}

/// What a box counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    /// `alternative`: it is the right-hand side of a guard, a case or an `if`.
    Expression {
        alternative: bool,
    },
    TopLevel(Vec<String>),
    /// The names that enclose it, outermost first, and its own.
    Local(Vec<String>),
    /// The times a decision came out as `outcome`; the box for true is followed at once by the one for false.
    Binary {
        decision: Decision,
        outcome: bool,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MixBox {
    pub span: Span,
    pub label: Label,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mix {
    /// The source's path as the compiler was given it.
    pub source: String,
    pub hash: u32,
    /// Columns were counted with tab stops this far apart.
    pub tab_width: u32,
    pub boxes: Vec<MixBox>,
}
