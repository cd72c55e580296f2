//! Lines of flags, as they are read and as they are given back.

use super::flags::Flags;
use super::profile::ProfileFlags;
use super::row::Row;
use super::table::TABLE;
use super::value::Cut;
use crate::base::{Failure, Outcome, Text};

fn row_of(word: &str) -> Outcome<&'static Row> {
    TABLE.iter().find(|row| word.starts_with(row.name)).ok_or_else(|| {
        Failure::argument(format_args!(
            "the flag {} is not known; -? lists them, as barrow_flags_help() does",
            Cut(word)
        ))
    })
}

impl Flags {
    pub fn parse(line: &str) -> Outcome<Flags> {
        let mut flags = Flags { line: Text::of(line)?, ..Flags::default() };
        for word in line.split_ascii_whitespace() {
            row_of(word)?.read(word, &mut flags)?;
        }
        flags.profile.check()?;
        Ok(flags)
    }

    /// The value in force of one flag, spelled as it would be given; `None` when there is no such flag.
    pub fn read_back(&self, name: &str) -> Outcome<Option<Text>> {
        let Some(row) = TABLE.iter().find(|row| row.name == name) else { return Ok(None) };
        let mut text = Text::new();
        (row.get)(self, &mut text)?;
        Ok(Some(text))
    }
}

impl ProfileFlags {
    /// The flags of a profile that starts while the program runs.
    pub fn parse(line: &str) -> Outcome<ProfileFlags> {
        let mut flags = Flags::default();
        for word in line.split_ascii_whitespace() {
            let row = row_of(word)?;
            if !row.of_profile {
                return Err(Failure::argument(format_args!(
                    "the flag {} is of the whole heap; a profile that is started takes {OfProfiles}",
                    row.name
                )));
            }
            row.read(word, &mut flags)?;
        }
        flags.profile.check()?;
        if flags.profile.break_downs().next().is_none() {
            return Err(Failure::argument(format_args!(
                "the flags \"{}\" have no break-down: try -hT, or -hy for types",
                Cut(line)
            )));
        }
        Ok(flags.profile)
    }
}

/// The names of the flags that a profile takes.
struct OfProfiles;

impl std::fmt::Display for OfProfiles {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut names = TABLE.iter().filter(|row| row.of_profile).map(|row| row.name).peekable();
        let mut first = true;
        while let Some(name) = names.next() {
            let between = match names.peek() {
                _ if first => "",
                None => " and ",
                Some(_) => ", ",
            };
            write!(f, "{between}{name}")?;
            first = false;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::value;
    use super::*;

    fn in_force(line: &str, name: &str) -> String {
        Flags::parse(line).unwrap().read_back(name).unwrap().unwrap().as_str().to_string()
    }

    fn wrong(line: &str) -> String {
        Flags::parse(line).unwrap_err().sentence.as_str().to_string()
    }

    /// The default in the table of flags is the value in force when no flag is given.
    #[test]
    fn defaults_are_read_back_as_the_help_has_them() {
        for row in TABLE {
            // These two defaults depend on the machine and on the program.
            if matches!(row.default, "4 x -M or memory, 1t at most" | "the program") {
                continue;
            }
            let read = in_force("", row.name);
            let bytes = |text: &str| value::size(text.trim_end_matches('%'));
            let same = read == row.default || bytes(&read).is_some() && bytes(&read) == bytes(row.default);
            assert!(same && !read.is_empty(), "{}: {read} and {}", row.name, row.default);
        }
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(in_force("-A64m", "-A"), "67108864");
        assert_eq!(in_force("-M1.5g", "-M"), "1610612736");
        assert_eq!(in_force("-M1e9", "-M"), "1000000000");
        assert_eq!(in_force("-H", "-H"), "on");
        assert_eq!(in_force("-M.5G", "-M"), "536870912");
    }

    /// Numbers above 2^53 too, where neighbouring numbers with a fraction are the same.
    #[test]
    fn whole_numbers_are_exact() {
        for (flag, text, value) in [
            ("--seed=", "9007199254740993", "9007199254740993"),
            ("--stop-at=", "9007199254740995", "9007199254740995"),
            ("-ib", "9007199254740993", "9007199254740993"),
            ("--tick-bytes=", "9007199254740993", "9007199254740993"),
            ("--tick-bytes=", "8796093022209k", "9007199254742016"),
            ("-O", "70368744177663", "70368744177663"),
            ("-xr", "65536g", "70368744177664"),
            ("-M", "63.9999999999999t", "70368744177663"),
        ] {
            assert_eq!(in_force(&format!("{flag}{text}"), flag.trim_end_matches('=')), value, "{flag}{text}");
        }
        assert!(wrong("-O70368744177665").contains("4096 to 70368744177664"));
        assert!(wrong("-ib1000000000000000001").contains("out of range"));
        assert!(wrong("-ib99999999999999999999999999999999999999999999t").contains("out of range"));
        for line in ["-A-5", "-A.", "-A", "-Ak", "-A1_000", "-Ainf", "-Anan", "-A1.2.3m"] {
            assert!(wrong(line).contains("a size such as"), "{line}: {}", wrong(line));
        }
    }

    #[test]
    fn the_longest_name_wins() {
        for (at, row) in TABLE.iter().enumerate() {
            let hidden = TABLE[at + 1..].iter().find(|later| later.name.starts_with(row.name));
            assert!(hidden.is_none(), "{} is never found behind {}", hidden.unwrap().name, row.name);
        }
        assert_eq!(
            (in_force("-Fd10 -F1.5", "-Fd"), in_force("-Fd10 -F1.5", "-F")),
            ("10".into(), "1.5".into())
        );
        assert_eq!(in_force("-Sout", "-S"), "out");
    }

    #[test]
    fn wrong_flags_say_what_is_wanted() {
        assert!(wrong("-Q").contains("not known"));
        assert!(wrong("-Axyz").contains("a size such as"));
        assert!(wrong("-G9").contains("1 to 8"));
        assert!(wrong("-A").contains("-A<size>"));
        assert!(wrong("--source=disk").contains("--source=<word> takes auto, range or chunks"));
        assert!(wrong("--marks=auto").contains("takes on or off"));
        assert!(wrong(&format!("-G{}", "9".repeat(1000))).ends_with("a whole number"));
        assert!(wrong(&format!("-hb{}", "x".repeat(1000))).ends_with("none of lag, drag, void and use"));
    }

    /// A tick or an interval out of range is refused, and not changed.
    #[test]
    fn times_out_of_range_are_refused() {
        for line in ["-V0.00001", "-V3601", "-V-1", "-i0.0000001", "-i2e9", "-i-0.1"] {
            assert!(wrong(line).contains("out of range"), "{line}: {}", wrong(line));
        }
        assert!(wrong("-V0.00001").ends_with("-V<n> takes 0, or 0.0001 to 3600"));
        for (line, name, value) in [
            ("-V0", "-V", "0"),
            ("-V0.0001", "-V", "0.0001"),
            ("-i0", "-i", "0"),
            ("-i0.000001", "-i", "0.000001"),
        ] {
            assert_eq!(in_force(line, name), value);
        }
    }

    #[test]
    fn what_was_given_is_read_back() {
        let line = "-Sa -sb -tc -rd -G3";
        for (name, value) in [("-S", "a"), ("-s", "b"), ("-t", "c"), ("-r", "d"), ("-G", "3")] {
            assert_eq!(in_force(line, name), value, "{name}");
        }
        for name in ["-S", "-s", "-t", "-r", "-H"] {
            assert_eq!(in_force("-S -s -t -r -H", name), "on", "{name}");
        }
        let long = "n".repeat(3000);
        assert_eq!(in_force(&format!("-po{long} -s{long}"), "-po"), long);
        assert_eq!(in_force(&format!("-po{long} -s{long}"), "-s"), long);
        assert_eq!(Flags::parse(&format!("-po{long}")).unwrap().line.as_str().len(), 3003);
    }

    #[test]
    fn break_downs_and_restrictions() {
        let flags = Flags::parse("-hT -hy -hdBranch,Leaf -hy -i0.5 -hyMap").unwrap();
        assert_eq!(flags.profile.break_downs().collect::<String>(), "Ty");
        assert_eq!(flags.profile.restrictions.as_str(), "dBranch,Leaf yMap");
        let flags = Flags::parse("-hT -hd{Branch,Leaf} -hb{drag} -hd{{x}}").unwrap();
        assert_eq!(flags.profile.restrictions.as_str(), "dBranch,Leaf bdrag d{x}");
        assert_eq!(in_force("-hT -hd{{x},y} -hd{{x}}", "-h"), "-hT -hd{x},y -hd{{x}}");
        let line = "-hT -hy -hdBranch,Leaf -hy -i0.5 -hyMap";
        assert_eq!(in_force(line, "-h"), "-hT -hy -hdBranch,Leaf -hyMap");
        assert_eq!((in_force(line, "-i"), in_force(line, "-in")), ("0.5".into(), "off".into()));
        assert_eq!(Flags::parse("-h").unwrap().profile.break_downs().collect::<String>(), "h");
        assert_eq!(in_force("-h", "-h"), "-h");
        assert!(wrong("-hx").contains("one of Tydmicarb") && wrong("-hTx").contains("restriction"));
        assert_eq!(in_force("-ib64k", "-ib"), "65536");
    }

    /// Capital letters are read as in the references' runtime.
    #[test]
    fn upper_case_means_the_same_but_for_centres_anywhere() {
        assert_eq!(in_force("-hC -hM -hD -hY -hR -hB", "-h"), "-hc -hm -hd -hy -hr -hb");
        assert_eq!(in_force("-hL -hR", "-h"), "-hb -hr");
        assert_eq!(
            in_force("-hT -hCa -hMb -hDc -hYd -hRe -hBdrag -hcf", "-h"),
            "-hT -hCa -hmb -hdc -hyd -hre -hbdrag -hcf"
        );
        assert!(wrong("-hT -hLdrag").contains("restriction") && wrong("-hI").contains("break-down"));
        assert!(wrong("-hA").contains("break-down"));
    }

    #[test]
    fn restrictions_have_no_limit_and_want_a_break_down() {
        let names: Vec<String> = (0..500).map(|number| format!("name{number}")).collect();
        let long = format!("-hd{}", names.join(","));
        let line = format!("-hT {long} -hyMap");
        assert_eq!(in_force(&line, "-h"), line);
        assert!(wrong("-hdBranch").contains("try -hT -hdBranch"));
        assert!(wrong("-hT -hd{}").contains("names nothing"));
        assert!(wrong(&long).ends_with("for types"));
    }

    #[test]
    fn a_profile_that_is_started_takes_its_own_flags() {
        let wrong = |line: &str| ProfileFlags::parse(line).unwrap_err().sentence.as_str().to_string();
        assert!(
            wrong("-hT -A1m").ends_with("takes -h, -ib, -in, -iw, -ix, -i, -xt, -L and -R"),
            "{}",
            wrong("-hT -A1m")
        );
        assert!(wrong("-i1").contains("no break-down") && wrong("-hdx").contains("try -hT -hdx"));
        assert_eq!(ProfileFlags::parse("-hy -i0.5").unwrap().sampling, super::super::Sampling::Seconds(0.5));
    }
}
