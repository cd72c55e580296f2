//! What a band's name says: `(306)mkWords/words/main` is stack 306, innermost centre first.

/// The number in front, if there is one, and the rest.
pub fn numbered(name: &str) -> (Option<u64>, &str) {
    let parts = name.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    match parts.and_then(|(number, rest)| Some((number.parse().ok()?, rest))) {
        Some((number, rest)) => (Some(number), rest),
        None => (None, name),
    }
}

/// How a name ends that the runtime has cut.
pub const CUT: &str = "...";

/// Frames of a band, innermost first. Only numbered names are stacks; sets of retainers (with commas) are not, and a
/// `/` at an edge or beside another belongs to an operator's name. What was cut off is a frame of its own, the outermost one, and
/// takes the name before it with it, of which nobody knows whether it is whole.
pub fn frames(name: &str) -> Vec<String> {
    let (number, text) = numbered(name);
    if number.is_none() || text.contains(',') {
        return vec![text.to_owned()];
    }
    let mut frames: Vec<String> = Vec::new();
    let mut glue = false;
    let whole = text.strip_suffix(CUT).unwrap_or(text);
    for part in whole.split('/') {
        match frames.last_mut() {
            Some(last) if glue || part.is_empty() => {
                last.push('/');
                last.push_str(part);
            }
            _ => frames.push(part.to_owned()),
        }
        // `\//main` is the operator `\/` in main: the empty part took the slash that is its own.
        glue = frames.last().is_some_and(String::is_empty);
    }
    frames.retain(|frame| !frame.is_empty());
    if whole.len() < text.len() {
        match frames.len() {
            0 => {}
            1 => frames[0].push_str(CUT),
            _ => drop(frames.pop()),
        }
        frames.push(CUT.to_owned());
    }
    frames
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_and_what_only_looks_like_one() {
        assert_eq!(frames("(306)mkWords/words/main"), ["mkWords", "words", "main"]);
        assert_eq!(frames("(306)mkWords/words/main.ws..."), ["mkWords", "words", "..."]);
        assert_eq!(frames("(306)mkWor..."), ["mkWor...", "..."]);
        assert_eq!(frames("(306)..."), ["..."]);
        assert_eq!(frames("(48)CAF,a/b..."), ["CAF,a/b..."]);
        assert_eq!(frames("(48)CAF,a/b"), ["CAF,a/b"]);
        assert_eq!(frames("a/b"), ["a/b"]);
        assert_eq!(frames("(7)\\\\//main"), ["\\\\/", "main"]);
        assert_eq!(numbered("(x)y"), (None, "(x)y"));
        assert_eq!(numbered("(12)"), (Some(12), ""));
    }
}
