//! Sentences that begin with a pronoun or a relative, in comments and in pages: a sentence begins with its noun.

/// Openings that leave the reader without the noun of a sentence, wherever it stands.
const NEVER: [&str; 12] = [
    "What ",
    "Those ",
    "One that ",
    "One who ",
    "That which ",
    "Which ",
    "Who ",
    "Whoever ",
    "Whatever ",
    "As for ",
    "So many ",
    "So much ",
];
/// Openings that need a noun before them, so that nothing may begin with them.
const NOT_FIRST: [&str; 5] = ["It ", "They ", "Its ", "The same ", "The same, "];

fn is_wrong(sentence: &str, is_first: bool) -> bool {
    let begins = |openings: &[&str]| openings.iter().any(|opening| sentence.starts_with(opening));
    !sentence.ends_with('?') && (begins(&NEVER) || is_first && begins(&NOT_FIRST))
}

/// Paragraphs of a text, each with its first line: comments of a source, or prose of a page.
struct Paragraphs {
    done: Vec<(usize, String)>,
    text: String,
    line: usize,
}

impl Paragraphs {
    fn new() -> Paragraphs {
        Paragraphs { done: Vec::new(), text: String::new(), line: 0 }
    }

    fn add(&mut self, line: usize, text: &str) {
        if self.text.is_empty() {
            self.line = line;
        } else {
            self.text.push(' ');
        }
        self.text.push_str(text);
    }

    fn end(&mut self) {
        if !self.text.is_empty() {
            self.done.push((self.line, std::mem::take(&mut self.text)));
        }
    }

    fn wrong(mut self) -> Vec<(usize, String)> {
        self.end();
        let mut wrong = Vec::new();
        for (line, text) in self.done {
            let text = text.trim_start_matches("SAFETY: ");
            for (at, sentence) in text.split_inclusive(". ").enumerate() {
                if is_wrong(sentence.trim(), at == 0) {
                    wrong.push((line, sentence.trim().to_string()));
                }
            }
        }
        wrong
    }
}

/// The wrong openings in the comments of a source of Rust. A promise may point to another one: "As for `store`".
pub fn in_comments(source: &str) -> Vec<(usize, String)> {
    let mut found = Paragraphs::new();
    let mut is_promise = false;
    for (number, line) in source.lines().enumerate() {
        let text =
            line.trim_start().strip_prefix("//").map(|text| text.trim_start_matches(['/', '!']).trim());
        match text {
            None | Some("") => {
                found.end();
                is_promise &= text.is_some();
            }
            Some(heading) if heading.starts_with('#') => {
                found.end();
                is_promise = heading == "# Safety";
            }
            Some(text) => {
                found.add(number + 1, if is_promise { text.trim_start_matches("As for ") } else { text })
            }
        }
    }
    found.wrong()
}

/// The wrong openings in the prose of a page: paragraphs, items and cells; neither headings nor code.
pub fn in_page(page: &str) -> Vec<(usize, String)> {
    let mut found = Paragraphs::new();
    let mut is_code = false;
    for (number, line) in page.lines().enumerate() {
        let text = line.trim_start();
        is_code ^= text.starts_with("```");
        let begins = found.text.is_empty();
        if is_code
            || text.is_empty()
            || text.starts_with(['#', '`', '<'])
            || line.starts_with("    ") && begins
        {
            found.end();
            continue;
        }
        if text.starts_with('|') {
            for cell in text.split('|') {
                found.end();
                found.add(number + 1, cell.trim());
            }
            continue;
        }
        let item = ["- ", "* "].iter().find_map(|mark| text.strip_prefix(mark));
        if item.is_some() {
            found.end();
        }
        found.add(number + 1, item.unwrap_or(text).trim_start_matches('*').trim_end());
    }
    found.wrong()
}
