//! Tags of invariants: paragraphs of `docs/design/` that begin with one, and words in brackets that cite one.

use super::layers::LAYERS;

pub fn is_tag(text: &str) -> bool {
    let mut parts = text.split('.');
    // And of what crosses layers.
    const OTHERS: [&str; 3] = ["path", "ccs", "bio"];
    parts.next().is_some_and(|layer| LAYERS.contains(&layer) || OTHERS.contains(&layer))
        && text.contains('.')
        && parts.all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'))
}

pub fn in_brackets(text: &str) -> impl Iterator<Item = &str> {
    text.split('[')
        .skip(1)
        .filter_map(|after| after.split_once(']').map(|(tag, _)| tag))
        .filter(|tag| is_tag(tag))
}

/// The tags that a page states. A paragraph that begins like one, and has none, is a mistake.
pub fn stated_in(page: &str) -> impl Iterator<Item = &str> {
    page.lines()
        .filter(|line| line.starts_with("- **["))
        .map(|line| in_brackets(line).next().unwrap_or_else(|| panic!("no tag: {line}")))
}
