//! Reads a profile of space by function: the library's JSON. Members that are absent are taken for nothing, and those that
//! are not known here are passed over, since the library's versions differ in them.

use super::ReadError;
use crate::space::{Point, Space};

const FORMAT: &str = "barrow-space";
const VERSION: u64 = 1;

/// By its first member, wherever blanks are.
pub fn looks_like(text: &str) -> bool {
    let mut rest = text.trim_start();
    ["{", "\"format\"", ":", "\"barrow-space\""].iter().all(|part| {
        let found = rest.strip_prefix(part);
        rest = found.unwrap_or(rest).trim_start();
        found.is_some()
    })
}

pub fn read(name: &str, bytes: &[u8]) -> Result<Space, ReadError> {
    let space: Space = serde_json::from_slice(bytes).map_err(|error| {
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or(&what);
        ReadError::at(name, error.line().max(1), &format!("column {}: {what}", error.column()))
    })?;
    if space.format != FORMAT || space.version != VERSION {
        let told =
            format!("{:?} of version {} is not {FORMAT:?} of version {VERSION}", space.format, space.version);
        return Err(ReadError::at(name, 1, &told));
    }
    consistent(&space).map_err(|what| ReadError::file(name, what))?;
    Ok(space)
}

/// Whether numbers lead somewhere and parts add up: what the page relies on.
fn consistent(space: &Space) -> Result<(), String> {
    let functions = space.functions.len() as u64;
    let sum = |part: fn(&crate::space::Function) -> u64| {
        space.functions.iter().fold(0u64, |sum, function| sum.saturating_add(part(function)))
    };
    for (what, sum, total) in [
        ("bytes allocated", sum(|f| f.allocated.bytes), space.total.allocated.bytes),
        ("bytes copied", sum(|f| f.copied.bytes), space.total.copied.bytes),
        ("ticks", sum(|f| f.top), space.total.top),
    ] {
        if sum != total {
            return Err(format!("the functions have {sum} {what}, the total {total}"));
        }
    }
    for (at, &[parent, who, _]) in space.callers.iter().enumerate() {
        if parent > at as u64 || who >= functions {
            return Err(format!(
                "caller {at} has the parent {parent} and the function {who}, which are not there"
            ));
        }
    }
    let moments = || space.maxima.iter().chain(&space.greatest).chain(&space.points);
    let broken = |point: &&Point| {
        let sum = point.parts.iter().fold(0u64, |sum, &[_, bytes]| sum.saturating_add(bytes));
        point.parts.iter().any(|&[who, _]| who >= functions)
            || sum > point.bytes
            || !point.seconds.is_finite()
    };
    match moments().find(broken) {
        Some(point) => Err(format!(
            "what lived after collection {} is more than its {} bytes, or of functions that are not there",
            point.collection, point.bytes
        )),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixture() -> Vec<u8> {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/space/run.json");
        std::fs::read(path).expect("a fixture")
    }

    fn fault(text: &str) -> String {
        read("s.json", text.as_bytes()).expect_err("must be refused").to_string()
    }

    #[test]
    fn what_the_library_wrote() {
        let bytes = fixture();
        assert!(looks_like(std::str::from_utf8(&bytes).expect("UTF-8")));
        let space = read("run.json", &bytes).expect("sound");
        let names: Vec<&str> = space.functions.iter().map(|function| function.name.as_str()).collect();
        assert_eq!(names, ["render <line>", "build", "reverse", "search", "main"]);
        assert_eq!(space.total.allocated.bytes, 34_562_880);
        assert_eq!((space.functions[1].kinds.len(), space.functions[1].kinds[0]["pairs"][0]), (4, 320_000));
        assert!(space.maxima.len() > 2 && space.points.len() > 100 && space.functions[0].calls.is_none());
    }

    #[test]
    fn what_is_wrong_is_told() {
        let text = String::from_utf8(fixture()).expect("UTF-8");
        assert!(!looks_like("{\"format\": \"other\"") && looks_like(" {\n \"format\" : \"barrow-space\","));
        let half = &text[..text.len() / 2];
        assert!(
            fault(half).starts_with("s.json:") && fault(half).contains("EOF while parsing"),
            "{}",
            fault(half)
        );
        assert!(fault(&text.replacen("\"version\":1", "\"version\":9", 1)).starts_with("s.json:1: "));
        let more = fault(&text.replacen("\"bytes\":19200000", "\"bytes\":19200001", 1));
        assert_eq!(more, "s.json: the functions have 34562881 bytes allocated, the total 34562880");
        assert!(
            fault(&text.replacen("\"callers\":[[0,2,6]", "\"callers\":[[0,7,6]", 1)).contains("caller 0 has")
        );
        // What an older library does not tell.
        let less = read("s.json", br#"{"format":"barrow-space","version":1}"#).expect("lenient");
        assert!(less.functions.is_empty() && less.greatest.is_none());
    }

    #[test]
    fn fuzz_space() {
        let words: [&[u8]; 9] = [
            b"{",
            b"]",
            b",\"calls\":5",
            b",\"file\":\"a.c\",\"line\":7",
            b"\"parts\":[[0,1],[4,18446744073709551615]]",
            b"null",
            b"1e999",
            b"-1",
            b"\"kinds\":[{\"pairs\":[1,2,3]}]",
        ];
        crate::fuzz::run(&[fixture()], &words, |bytes| {
            let _ = read("s.json", bytes);
        });
    }
}
