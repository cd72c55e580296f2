//! The page of one module, and what all pages share: names of files, head, style.
//!
//! A page needs no network and no script: it is one file that opens from disk.

use crate::coverage::count::Count;
use crate::coverage::markup::CountNote;
use crate::coverage::module::Module;
use crate::coverage::tally::{Tally, Used};
use crate::write::escape::{address, markup_line};

pub const STYLE: &str = include_str!("../../../assets/hpc/page.css");

/// The longest part of a file name; systems allow 255 bytes, and an extension follows.
const LONGEST_PART: usize = 180;

/// Known by the source's extension. Only names and comment marks depend on it: no source is parsed.
pub enum Language {
    Haskell,
    /// Its extension, if that can be part of a file name.
    Other(Option<String>),
}

impl Language {
    pub fn of(source: &str) -> Language {
        let file = source.rsplit('/').next().unwrap_or(source);
        match file.rsplit_once('.').map(|(_, extension)| extension) {
            Some("hs" | "lhs" | "hsc" | "chs" | "hs-boot" | "lhs-boot" | "x" | "y") => Language::Haskell,
            Some(extension) if is_plain(extension) => Language::Other(Some(extension.to_string())),
            _ => Language::Other(None),
        }
    }

    /// The second last extension of a page; `hs` for literate and generated sources too.
    fn extension(&self) -> &str {
        match self {
            Language::Haskell => "hs",
            Language::Other(extension) => extension.as_deref().unwrap_or("src"),
        }
    }

    /// In Haskell the note in front of a declaration is a comment.
    pub fn count_note(&self) -> CountNote {
        match self {
            Language::Haskell => |count| format!("-- {}", entered(count)),
            Language::Other(_) => entered,
        }
    }
}

fn is_plain(extension: &str) -> bool {
    (1..=16).contains(&extension.len())
        && extension.bytes().all(|b| b.is_ascii_alphanumeric() || b"+_-".contains(&b))
}

fn entered(count: &Count) -> String {
    match count {
        Count::Word(1) => "entered once".to_string(),
        count if count.is_positive() => format!("entered {} times", with_commas(&count.to_string())),
        _ => "never entered".to_string(),
    }
}

/// Four digits are read well enough without.
fn with_commas(digits: &str) -> String {
    if digits.len() < 5 {
        return digits.to_string();
    }
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Where a module's page goes, below the destination whatever the module is called: the slash of a package makes
/// a folder; what could lead elsewhere or means something to a shell or a file system is written as `%XX`.
/// Different names give different files.
pub fn file_name(module: &str, language: &Language) -> String {
    let parts: Vec<String> = module.split('/').map(file_part).collect();
    format!("{}.{}.html", parts.join("/"), language.extension())
}

fn file_part(part: &str) -> String {
    if part.is_empty() {
        return "%".to_string();
    }
    let dots = part.bytes().all(|byte| byte == b'.');
    let mut out = String::new();
    for c in part.chars() {
        if c.is_alphanumeric() || "_-'+@,=~".contains(c) || (c == '.' && !dots) {
            out.push(c);
        } else {
            let mut bytes = [0; 4];
            c.encode_utf8(&mut bytes).bytes().for_each(|byte| out.push_str(&format!("%{byte:02X}")));
        }
    }
    if out.len() > LONGEST_PART {
        let end = (0..=LONGEST_PART).rev().find(|&at| out.is_char_boundary(at)).unwrap_or(0);
        out.truncate(end);
        out.push_str(&format!("%-{:016x}", hash(part)));
    }
    out
}

/// FNV-1a: only to tell apart names that are cut.
fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// Up to `<body>`. `style` follows the common one.
pub fn head(title: &str, style: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{} - coverage</title>\n<style>\n{STYLE}{style}</style>\n</head>\n",
        markup_line(title)
    )
}

pub fn module(module: &Module, file: &str, lines: &str, highlight_covered: bool) -> String {
    let tally = Tally::of(module);
    let up = "../".repeat(file.matches('/').count());
    let figure = |what: &str, used: Used| {
        let percent = used.percent().map_or("\u{2013}".to_string(), |percent| format!("{percent}%"));
        format!("<li>{what}: {percent} ({}/{})</li>\n", used.used, used.boxes)
    };
    let body_class = if highlight_covered { "highlight-covered" } else { "highlight-gaps" };
    let mut out = head(module.name(), "");
    out.push_str(&format!(
        "<body class=\"{body_class}\">\n<header>\n<p><a href=\"{}\">All modules</a></p>\n\
         <h1>{}</h1>\n<p>{}</p>\n<ul class=\"figures\">\n",
        address(&format!("{up}hpc_index.html")),
        markup_line(module.name()),
        markup_line(&module.mix.source),
    ));
    out.push_str(&figure("Top-level definitions", tally.top_level));
    out.push_str(&figure("Alternatives", tally.alternatives));
    out.push_str(&figure("Expressions", tally.expressions));
    out.push_str(&figure("Booleans", tally.booleans().covered()));
    out.push_str("</ul>\n");
    out.push_str(
        "<p class=\"legend\"><span class=\"nottickedoff\">never executed</span> \
         <span class=\"istickedoff\">executed</span> <span class=\"tickonlytrue\">always true</span> \
         <span class=\"tickonlyfalse\">always false</span></p>\n</header>\n<main>\n",
    );
    out.push_str(&format!("<pre>\n{lines}</pre>\n</main>\n</body>\n</html>\n"));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_stay_below_their_folder_and_apart() {
        let haskell = |name: &str| file_name(name, &Language::Haskell);
        assert_eq!(haskell("Main"), "Main.hs.html");
        assert_eq!(haskell("pkg-1.0/Tower.Inner"), "pkg-1.0/Tower.Inner.hs.html");
        assert_eq!(haskell("../../etc/x"), "%2E%2E/%2E%2E/etc/x.hs.html");
        assert_eq!(haskell("/etc/x"), "%/etc/x.hs.html");
        assert_eq!(haskell("a\\b:\"<\0"), "a%5Cb%3A%22%3C%00.hs.html");
        let (long, longer) = ("x".repeat(300), "x".repeat(301));
        assert!(haskell(&long).len() < 255 && haskell(&long) != haskell(&longer));
        assert_eq!(file_name("m", &Language::of("lib/m.scm")), "m.scm.html");
        assert_eq!(file_name("hpc_index", &Language::of("Makefile")), "hpc_index.src.html");
        assert_eq!(file_name("m", &Language::of("a/.b/../x.<i>")), "m.src.html");
        assert_eq!(file_name("m", &Language::of("Lit.lhs")), "m.hs.html");
    }

    #[test]
    fn counts_have_commas_from_ten_thousand_on() {
        let note = Language::Haskell.count_note();
        let told: Vec<String> =
            [-1, 0, 1, 2, 9999, 10_000, 1_234_567].map(|n| note(&Count::Word(n))).to_vec();
        assert_eq!(
            told,
            [
                "-- never entered",
                "-- never entered",
                "-- entered once",
                "-- entered 2 times",
                "-- entered 9999 times",
                "-- entered 10,000 times",
                "-- entered 1,234,567 times",
            ]
        );
        assert_eq!(Language::of("a.scm").count_note()(&Count::ZERO), "never entered");
    }
}
