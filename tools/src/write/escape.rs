//! Text inside XML, HTML, JSON and addresses. Everything from a file passes through one of these on its way out.

/// For text and quoted attributes of XML and HTML. Characters that neither may hold are shown as their pictures.
pub fn markup(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        markup_char(c, &mut out);
    }
    out
}

pub fn markup_char(c: char, out: &mut String) {
    match c {
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '&' => out.push_str("&amp;"),
        '"' => out.push_str("&quot;"),
        '\t' | '\n' => out.push(c),
        '\0'..='\x1f' => out.extend(char::from_u32(0x2400 + c as u32)),
        '\x7f' => out.push('\u{2421}'),
        '\u{80}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
        // Writing direction set by a source must not reorder the page around it.
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => out.push('\u{fffd}'),
        _ => out.push(c),
    }
}

/// For a name on one line: markup, without breaks.
pub fn markup_line(text: &str) -> String {
    markup(text).replace('\n', "\u{240a}").replace('\t', "\u{2409}")
}

/// For a terminal: a name must not move the cursor or fake a line.
pub fn visible(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\0'..='\x1f' => char::from_u32(0x2400 + c as u32).unwrap_or('?'),
            '\x7f'..='\u{9f}' => '?',
            _ => c,
        })
        .collect()
}

/// A JSON string with its quotes.
pub fn json(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            // `<` and the line separators too, so that the text may stand in a script.
            '\0'..='\x1f' | '\x7f' | '<' | '\u{2028}' | '\u{2029}' => {
                out.push_str(&format!("\\u{:04x}", c as u32));
            }
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A relative address of a file: every byte that has a meaning in an address is encoded, save the slashes.
pub fn address(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' | b'\'' => {
                out.push(char::from(byte));
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_name_is_taken_for_syntax() {
        let name = "</script>\"'&\0\x1b\u{202e}\u{7f}";
        assert_eq!(markup(name), "&lt;/script&gt;&quot;'&amp;\u{2400}\u{241b}\u{fffd}\u{2421}");
        assert_eq!(json("a\"\\\n\x01<"), r#""a\"\\\n\u0001\u003c""#);
        assert_eq!(address("a b/%<é"), "a%20b/%25%3C%C3%A9");
    }
}
