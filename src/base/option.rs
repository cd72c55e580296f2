//! THE option table: every flag, its argument, range, default and meaning, spelled as the references' runtime
//! spells it where that has one. Parsing, reading back and the help text all use it.

use super::cost_flags::CostKey;
use super::profile_flags::ProfileKey;
use super::size::{BLOCK_BYTES, MAX_GENERATIONS, MAX_STEPS};
use super::{Failure, List, Outcome};
use std::io::Write;

/// What may follow a flag.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Argument {
    /// Nothing.
    None,
    /// Bytes, with `k`, `m`, `g` or `t`; `or_none` allows it to be left out.
    Size { or_none: bool },
    /// A whole number.
    Count,
    /// A number with a fraction.
    Factor,
    /// A number of percent, with or without the sign; `or_none` allows it to be left out.
    Percent { or_none: bool },
    /// A file name, which may be left out: for the standard error stream, or for a name that the program gives.
    File,
    /// A letter and names.
    Letter,
    /// A file name.
    Name,
    /// One of these words.
    Word(&'static [&'static str]),
}

/// The value of a flag once read. What kind of number it is, the table says.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    On,
    Number(f64),
    /// A whole number, exactly.
    Count(u64),
    Text(&'a str),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
    Nursery,
    NurseryChunk,
    OldFactor,
    OldMinimum,
    SquareRoot,
    Compact,
    HeapHint,
    HeapLimit,
    FreePercent,
    Generations,
    Steps,
    Summary,
    EachCollection,
    OneLine,
    Machine,
    Sanity,
    PlainWords,
    StopAt,
    Poison,
    Stress,
    Seed,
    Source,
    Reserve,
    HugePages,
    Marks,
    Keep,
    Squeeze,
    NoSqueeze,
    Ticky,
    Profile(ProfileKey),
    Selectors,
    Cost(CostKey),
}

pub struct Spec {
    pub key: Key,
    pub flag: &'static str,
    pub argument: Argument,
    pub least: f64,
    pub most: f64,
    pub default: &'static str,
    pub doc: &'static str,
}

const MIB: f64 = (1u64 << 20) as f64;
const GIB: f64 = (1u64 << 30) as f64;
const SIZE: Argument = Argument::Size { or_none: false };
const PERCENT: Argument = Argument::Percent { or_none: false };

const fn spec(
    key: Key,
    flag: &'static str,
    argument: Argument,
    range: (f64, f64),
    default: &'static str,
    doc: &'static str,
) -> Spec {
    Spec { key, flag, argument, least: range.0, most: range.1, default, doc }
}

const NO_RANGE: (f64, f64) = (0.0, f64::MAX);

/// Longer spellings come before their prefixes, since the first match wins.
#[rustfmt::skip]
pub const TABLE: &[Spec] = &[
    spec(Key::Machine, "--machine-readable", Argument::None, NO_RANGE, "off", "with -t, -s or -S: the figures as (name, value) pairs"),
    spec(Key::Stress, "--stress", Argument::Count, (1.0, 1e9), "off", "collect at every n-th trip to the slow path, minor and major mixed"),
    spec(Key::Seed, "--seed", Argument::Count, (0.0, 1e18), "1", "what --stress is mixed from"),
    spec(Key::StopAt, "--stop-at", Argument::Count, (0.0, 1e18), "off", "stop before this collection as at a breakpoint (SIGTRAP), for a debugger"),
    spec(Key::Source, "--source", Argument::Word(&["auto", "range", "chunks"]), NO_RANGE, "auto", "one reserved address range, or chunks wherever the system puts them"),
    spec(Key::Squeeze, "--squeeze", Argument::None, NO_RANGE, "off", "before a collection, update frames side by side on the running stack become one"),
    spec(Key::NoSqueeze, "-Z", Argument::None, NO_RANGE, "on", "the opposite of --squeeze: update frames stay, and every ticky counter holds"),
    spec(Key::HugePages, "--huge-pages", Argument::Word(&["auto", "on", "off"]), NO_RANGE, "auto", "advise huge pages where the kernel offers them; auto: not in a virtual machine"),
    spec(Key::Marks, "--marks", Argument::Word(&["on", "off"]), NO_RANGE, "on", "for -hb, 8 TiB of address space in which a use is marked; off: in the object's biography, at a call"),
    spec(Key::Selectors, "--selectors", Argument::Word(&["on", "off"]), NO_RANGE, "on", "collections evaluate selector thunks; off: to see what that is worth"),
    spec(Key::Reserve, "-xr", SIZE, (16.0 * 1048576.0, 65536.0 * GIB), "4 x memory", "address space to reserve, which the heap then cannot outgrow; not with --source=chunks"),
    spec(Key::Cost(CostKey::TickBytes), "--tick-bytes", Argument::Size { or_none: false }, (1.0, 1e18), "off", "ticks fall due by bytes allocated, not by time: a run can be repeated"),
    spec(Key::Cost(CostKey::Errors), "-xc", Argument::None, NO_RANGE, "off", "barrow_exception writes the stack of cost centres to standard error"),
    spec(Key::Sanity, "-DS", Argument::None, NO_RANGE, "off", "check the whole heap before and after each collection"),
    spec(Key::PlainWords, "-DL", Argument::None, NO_RANGE, "off", "after each collection, look for addresses of what it has moved in words that no table calls references"),
    spec(Key::Poison, "-DZ", Argument::None, NO_RANGE, "off", "fill freed memory with a pattern that is no address"),
    spec(Key::Keep, "-Fd", PERCENT, (0.0, 1000.0), "200%", "free memory kept, in percent of the live heap, before the rest is returned"),
    spec(Key::Nursery, "-A", SIZE, (65536.0, 64.0 * GIB), "adaptive", "size of the nursery; without it, it follows caches and survival"),
    spec(Key::NurseryChunk, "-n", SIZE, (32768.0, 1048576.0), "1m", "size of the chunks that the nursery is divided into"),
    spec(Key::OldFactor, "-F", Argument::Factor, (1.05, 100.0), "2", "the oldest generation may grow to this times its live data"),
    spec(Key::OldMinimum, "-O", SIZE, (BLOCK_BYTES as f64, 65536.0 * GIB), "1m", "an old generation is not collected before it has this size"),
    spec(Key::SquareRoot, "--square-root-above", SIZE, (MIB, 65536.0 * GIB), "off", "with more live data than this, the oldest generation grows by its square root instead of -F"),
    spec(Key::Compact, "-c", Argument::Percent { or_none: true }, (0.0, 100.0), "30%", "compact in place in major collections: always, or when so much of -M is live"),
    spec(Key::HeapHint, "-H", Argument::Size { or_none: true }, (0.0, 65536.0 * GIB), "0", "use this much memory anyway, or as much as was used at most: the nursery fills it"),
    spec(Key::HeapLimit, "-M", SIZE, (2097152.0, 65536.0 * GIB), "unlimited", "the heap never exceeds this"),
    spec(Key::FreePercent, "-m", PERCENT, (0.0, 90.0), "3%", "with -M: this share of the limit must be free after a major collection"),
    spec(Key::Generations, "-G", Argument::Count, (1.0, MAX_GENERATIONS as f64), "2", "number of generations"),
    spec(Key::Steps, "-T", Argument::Count, (1.0, MAX_STEPS as f64), "adaptive", "collections to survive before promotion to the next generation"),
    spec(Key::Cost(CostKey::Stem), "-po", Argument::Name, NO_RANGE, "the program", "what the names of profiles begin with"),
    spec(Key::Cost(CostKey::All), "-pa", Argument::None, NO_RANGE, "off", "as -P, with every cost centre and stack"),
    spec(Key::Cost(CostKey::All), "-Pa", Argument::None, NO_RANGE, "off", "the same"),
    spec(Key::Cost(CostKey::Json), "-pj", Argument::None, NO_RANGE, "off", "as -pa, in JSON"),
    spec(Key::Cost(CostKey::Report), "-p", Argument::None, NO_RANGE, "off", "a time and allocation profile by cost centres, in <name>.prof, when the heap is freed"),
    spec(Key::Cost(CostKey::Detailed), "-P", Argument::None, NO_RANGE, "off", "as -p, with ticks and bytes"),
    spec(Key::Cost(CostKey::Tick), "-V", Argument::Factor, (0.0, 3600.0), "0.02", "seconds of CPU time for a tick of the time profile, 0.0001 at least; 0: no ticks"),
    spec(Key::EachCollection, "-S", Argument::File, NO_RANGE, "off", "a line for each collection, and the summary"),
    spec(Key::Summary, "-s", Argument::File, NO_RANGE, "off", "a summary when the heap is freed"),
    spec(Key::Profile(ProfileKey::Heap), "-h", Argument::Letter, NO_RANGE, "off", "a heap profile, in <name>.hp: -hT by kind, -hy type, -hd description, -hm module, -hi info table, -hc cost-centre stack that made it, -ha place in the code that allocated it, -hr who holds it (-hR the same), -hb biography (-hL the same), -h by cost-centre stack where there are any, else by kind; with names behind y, d, m, c, C or r: only those; -hblag,drag,void,use: only these phases"),
    spec(Key::Profile(ProfileKey::Bytes), "-ib", SIZE, (1.0, 1e18), "off", "a sample every so many bytes allocated, not seconds: a run can be repeated"),
    spec(Key::Profile(ProfileKey::Natural), "-in", Argument::None, NO_RANGE, "off", "samples at the major collections that happen anyway"),
    spec(Key::Profile(ProfileKey::Share), "-ix", PERCENT, (1.0, 100000.0), "40%", "samples of -i come less often when they would cost more than this share of the rest"),
    spec(Key::Profile(ProfileKey::Interval), "-i", Argument::Factor, (0.0, 1e9), "0.1", "seconds of CPU time between samples; 0: only by barrow_census"),
    spec(Key::Profile(ProfileKey::Threads), "-xt", Argument::None, NO_RANGE, "off", "heap profiles show threads and their stacks too"),
    spec(Key::Profile(ProfileKey::NameLength), "-L", Argument::Count, (1.0, 4900.0), "25", "bytes of the name of a cost-centre stack or retainer set in a heap profile"),
    spec(Key::Profile(ProfileKey::MostRetainers), "-R", Argument::Count, (0.0, 1000.0), "8", "retainer sets with more members are shown as MANY; 0: none are"),
    spec(Key::Ticky, "-r", Argument::File, NO_RANGE, "off", "ticky counters, when the heap is freed; with no file, in <name>.ticky"),
    spec(Key::OneLine, "-t", Argument::File, NO_RANGE, "off", "one line when the heap is freed"),
];

impl Spec {
    /// The flag with a placeholder for its argument, for messages and help.
    fn shape(&self) -> &'static str {
        match self.argument {
            Argument::None => "",
            Argument::Size { or_none: false } => "<size>",
            Argument::Size { or_none: true } => "[<size>]",
            Argument::Count | Argument::Factor => "<n>",
            Argument::Percent { or_none: false } => "<percent>",
            Argument::Percent { or_none: true } => "[<percent>]",
            Argument::File => "[<file>]",
            Argument::Letter => "[<letter>[<names>]]",
            Argument::Name => "<name>",
            Argument::Word(_) => "=<word>",
        }
    }

    fn value<'a>(&self, flag: &str, rest: &'a str) -> Outcome<Value<'a>> {
        let bare = if self.flag.starts_with("--") { rest.strip_prefix('=').unwrap_or(rest) } else { rest };
        let wants = || {
            Failure::argument(format_args!(
                "the flag {flag} is not understood: {}{} takes {}",
                self.flag,
                self.shape(),
                describe(self.argument)
            ))
        };
        let mut whole = None;
        let number = match self.argument {
            Argument::None if bare.is_empty() => return Ok(Value::On),
            Argument::None => return Err(wants()),
            Argument::File | Argument::Letter => return Ok(Value::Text(bare)),
            Argument::Name => return if bare.is_empty() { Err(wants()) } else { Ok(Value::Text(bare)) },
            Argument::Word(words) => {
                return if words.contains(&bare) { Ok(Value::Text(bare)) } else { Err(wants()) };
            }
            Argument::Size { or_none: true } if bare.is_empty() => return Ok(Value::Number(0.0)),
            Argument::Size { .. } => parse_size(bare),
            Argument::Count => bare.parse::<u64>().ok().map(|n| {
                whole = Some(n);
                n as f64
            }),
            Argument::Factor => bare.parse().ok(),
            Argument::Percent { or_none: true } if bare.is_empty() => return Ok(Value::On),
            Argument::Percent { .. } => bare.strip_suffix('%').unwrap_or(bare).parse().ok(),
        };
        let number = number.filter(|n: &f64| n.is_finite()).ok_or_else(wants)?;
        if number < self.least || number > self.most {
            return Err(Failure::argument(format_args!(
                "the flag {flag} is out of range: {}{} takes {} to {}",
                self.flag,
                self.shape(),
                self.least,
                self.most
            )));
        }
        Ok(whole.map_or(Value::Number(number), Value::Count))
    }
}

fn describe(argument: Argument) -> &'static str {
    match argument {
        Argument::None => "no argument",
        Argument::Size { .. } => "a size such as 64k, 4m or 1.5g",
        Argument::Count => "a whole number",
        Argument::Factor => "a number such as 2 or 1.5",
        Argument::Percent { or_none: false } => "a percentage such as 3 or 3%",
        Argument::Percent { or_none: true } => "a percentage such as 30 or 30%, or nothing",
        Argument::File => "a file name or nothing",
        Argument::Letter => "a letter, and names for a restriction",
        Argument::Word(["on", "off"]) => "on or off",
        Argument::Name => "a file name",
        Argument::Word(words) if words.contains(&"on") => "auto, on or off",
        Argument::Word(_) => "auto, range or chunks",
    }
}

/// The whole table as text for a person, ending with NUL.
pub fn help() -> Outcome<List<u8>> {
    let mut text = List::new();
    let refused = || Failure::no_memory(format_args!("no memory for the list of flags"));
    for spec in TABLE {
        let long =
            spec.flag.starts_with("--") && matches!(spec.argument, Argument::Count | Argument::Size { .. });
        let equals = if long { "=" } else { "" };
        let shape = super::Sentence::new(format_args!("{}{equals}{}", spec.flag, spec.shape()));
        // A line may be longer than a sentence.
        let line = writeln!(text, "  {:<20} {} (default: {})", shape.as_str(), spec.doc, spec.default);
        line.map_err(|_| refused())?;
    }
    text.push(0)?;
    Ok(text)
}

/// Bytes from a number with an optional unit. Without a unit a number counts bytes.
pub fn parse_size(text: &str) -> Option<f64> {
    let unit = match text.bytes().last()?.to_ascii_lowercase() {
        b'k' => 1u64 << 10,
        b'm' => 1 << 20,
        b'g' => 1 << 30,
        b't' => 1 << 40,
        _ => return text.parse().ok(),
    };
    let number: f64 = text[..text.len() - 1].parse().ok()?;
    (number >= 0.0).then_some(number * unit as f64)
}

/// Reads a line of flags separated by white space, and gives each to `set`. The first wrong one ends it.
pub fn parse(line: &str, mut set: impl FnMut(&'static Spec, Value<'_>) -> Outcome<()>) -> Outcome<()> {
    for flag in line.split_ascii_whitespace() {
        let found = TABLE.iter().find_map(|spec| flag.strip_prefix(spec.flag).map(|rest| (spec, rest)));
        let Some((spec, rest)) = found else {
            return Err(Failure::argument(format_args!(
                "the flag {flag} is not known; barrow_flags_help() lists them"
            )));
        };
        let value = spec.value(flag, rest)?;
        set(spec, value)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Vec<(&'static str, Value<'static>)> {
        let mut seen = Vec::new();
        let line: &'static str = line.to_string().leak();
        parse(line, |spec, value| {
            let value = match value {
                Value::Text(text) => Value::Text(text.to_string().leak()),
                Value::On => Value::On,
                Value::Number(n) => Value::Number(n),
                Value::Count(n) => Value::Count(n),
            };
            seen.push((spec.flag, value));
            Ok(())
        })
        .unwrap();
        seen
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(read("-A64m"), [("-A", Value::Number(67_108_864.0))]);
        assert_eq!(read("-M1.5g -H"), [("-M", Value::Number(1_610_612_736.0)), ("-H", Value::Number(0.0))]);
    }

    #[test]
    fn the_longest_spelling_wins() {
        assert_eq!(read("-Fd10 -F1.5"), [("-Fd", Value::Number(10.0)), ("-F", Value::Number(1.5))]);
        assert_eq!(read("-Sout"), [("-S", Value::Text("out"))]);
    }

    #[test]
    fn wrong_flags_say_what_is_wanted() {
        let wrong = |line: &str| parse(line, |_, _| Ok(())).unwrap_err().sentence;
        assert!(wrong("-Q").as_str().contains("not known"));
        assert!(wrong("-Axyz").as_str().contains("a size such as"));
        assert!(wrong("-G9").as_str().contains("1 to 8"));
        assert!(wrong("-A").as_str().contains("-A<size>"));
        assert!(wrong("--source=disk").as_str().contains("auto, range or chunks"));
    }
}
