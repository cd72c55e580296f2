//! Names that compilers of Rust and C++ give to functions of a path, `_ZN5store6insert17h0123456789abcdefE`, as people write them.
//! Names with parameters of types, or of another scheme, stay as they are.

/// `store::insert`; none for a name that is no such one.
pub fn readable(name: &str) -> Option<String> {
    let mut rest = name.strip_prefix("_ZN")?;
    let mut parts: Vec<&str> = Vec::new();
    while !rest.starts_with('E') {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let length: usize = rest[..digits].parse().ok()?;
        let end = digits.checked_add(length)?;
        parts.push(rest.get(digits..end).filter(|part| !part.is_empty())?);
        rest = &rest[end..];
    }
    // The last part tells versions of a crate apart.
    let is_hash = |part: &&&str| {
        part.len() == 17 && part.starts_with('h') && part[1..].bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    if parts.len() > 1 && parts.last().as_ref().is_some_and(is_hash) {
        parts.pop();
    }
    let parts: Vec<String> = parts.into_iter().map(plain).collect();
    if parts.is_empty() { None } else { Some(parts.join("::")) }
}

const SIGNS: [(&str, &str); 12] = [
    ("$LT$", "<"),
    ("$GT$", ">"),
    ("$LP$", "("),
    ("$RP$", ")"),
    ("$RF$", "&"),
    ("$BP$", "*"),
    ("$C$", ","),
    ("$u20$", " "),
    ("$u7b$", "{"),
    ("$u7d$", "}"),
    ("$u5b$", "["),
    ("$u5d$", "]"),
];

fn plain(part: &str) -> String {
    // A name begins with a letter, so that a sign has this before it.
    let part = part.strip_prefix('_').filter(|rest| rest.starts_with('$')).unwrap_or(part);
    let signs = SIGNS.iter().fold(part.to_owned(), |text, (code, sign)| text.replace(code, sign));
    signs.replace("..", "::")
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn paths_of_rust_and_cpp() {
        let told = |name| readable(name).unwrap_or_default();
        assert_eq!(told("_ZN5store6insert17h0123456789abcdefE"), "store::insert");
        assert_eq!(told("_ZN5store6insert17h0123456789abcdefE.llvm.77"), "store::insert");
        assert_eq!(told("_ZN3foo3barEPKc"), "foo::bar");
        assert_eq!(
            told("_ZN3std2rt10lang_start28_$u7b$$u7b$closure$u7d$$u7d$17h50a1c958aed4259bE"),
            "std::rt::lang_start::{{closure}}"
        );
        assert_eq!(told("_ZN4core3ptr13drop$LT$T$GT$17h50a1c958aed4259bE"), "core::ptr::drop<T>");
        for other in [
            "",
            "main",
            "_ZN",
            "_ZNE",
            "_ZN3fo",
            "_ZN0E",
            "_ZN99999999999999999999aE",
            "_ZN1\u{e9}E",
            "_ZN3fooIiE",
            "_RNvC1a",
        ] {
            assert_eq!(readable(other), None, "{other}");
        }
    }
}
