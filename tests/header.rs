//! The committed header is the one that the library's declarations give.

const COMMITTED: &str = include_str!("../include/barrow.h");

#[test]
fn the_header_is_fresh() {
    let generated = std::fs::read_to_string(env!("BARROW_HEADER")).expect("build.rs has made the header");
    let differing = COMMITTED.lines().zip(generated.lines()).enumerate().find(|(_, (old, new))| old != new);
    if let Some((line, (old, new))) = differing {
        panic!(
            "include/barrow.h, line {}, says\n  {old}\nand the declarations say\n  {new}\nci/header.sh refreshes it",
            line + 1
        );
    }
    assert!(
        COMMITTED == generated,
        "include/barrow.h is shorter or longer than it should be; ci/header.sh refreshes it"
    );
}

/// Constants that are written by hand in barrow/inline.h and in cbindgen.toml are those of the library.
#[test]
fn constants_written_twice_are_equal() {
    use barrow::base::size::*;
    let inline = include_str!("../include/barrow/inline.h");
    let value = |text: &str, name: &str| -> usize {
        let line = text.lines().find(|line| line.starts_with(&format!("#define {name} ")));
        let word = line.unwrap_or_else(|| panic!("{name} is not defined")).split_whitespace().nth(2);
        word.unwrap_or("").trim_end_matches('u').parse().unwrap_or_else(|_| panic!("{name} is no number"))
    };
    for (name, ours) in [
        ("BARROW_BLOCK_BYTES", BLOCK_BYTES),
        ("BARROW_LOG_BLOCK_BYTES", LOG_BLOCK_BYTES),
        ("BARROW_MEGABLOCK_BYTES", MEGABLOCK_BYTES),
        ("BARROW_DESCRIPTOR_BYTES", DESCRIPTOR_BYTES),
        ("BARROW_LOG_DESCRIPTOR_BYTES", LOG_DESCRIPTOR_BYTES),
        ("BARROW_MAX_INLINE_WORDS", MAX_INLINE_WORDS),
        ("BARROW_MAX_RESERVE_WORDS", MAX_RESERVE_WORDS),
        ("BARROW_MIN_OBJECT_WORDS", MIN_OBJECT_WORDS),
        ("BARROW_CARD_ELEMENTS", CARD_ELEMENTS),
    ] {
        assert_eq!(value(inline, name), ours, "{name}");
    }
    assert_eq!(value(COMMITTED, "BARROW_ABI_MAJOR"), barrow::ffi::version::ABI_MAJOR as usize);
    assert_eq!(value(COMMITTED, "BARROW_ABI_MINOR"), barrow::ffi::version::ABI_MINOR as usize);
}
