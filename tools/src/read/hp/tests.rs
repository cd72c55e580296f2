use super::*;
use std::path::{Path, PathBuf};

fn fixtures(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(folder);
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the fixtures are part of the crate")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "hp"))
        .collect();
    files.sort();
    assert!(files.len() > 50);
    files
}

const HEAD: &str = "JOB \"j\"\nDATE \"d\"\nSAMPLE_UNIT \"seconds\"\nVALUE_UNIT \"bytes\"\n";

fn tolerant(body: &str) -> Result<HeapProfile, String> {
    read(format!("{HEAD}{body}").as_bytes(), Rules::Tolerant).map_err(|error| error.at("f"))
}

fn strict(body: &str) -> Result<HeapProfile, String> {
    read(format!("{HEAD}{body}").as_bytes(), Rules::Strict).map_err(|error| error.at("f"))
}

fn values(profile: &HeapProfile, band: &str) -> Vec<(usize, u64)> {
    let band = profile.bands.iter().find(|other| other.name.to_string() == band).expect("the band is there");
    band.series.iter().collect()
}

/// The sum of all bands in each of the first `samples` samples.
fn heights(profile: &HeapProfile, samples: usize) -> Vec<u128> {
    let mut heights = vec![0; profile.times.len()];
    for (sample, value) in profile.bands.iter().flat_map(|band| band.series.iter()) {
        heights[sample] += u128::from(value);
    }
    heights.truncate(samples);
    heights
}

/// A second opinion: splits lines, knows nothing else.
fn sum_by_lines(text: &str) -> u128 {
    text.lines().filter_map(|line| line.split_once('\t')).filter_map(|(_, n)| n.parse::<u128>().ok()).sum()
}

#[test]
fn every_profile_of_the_runtime_is_strictly_right() {
    for path in fixtures("hp") {
        let bytes = std::fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let result = read(bytes.as_slice(), Rules::Strict);
        // Marks were put between samples by hand.
        if name.contains("-marks") {
            assert!(result.unwrap_err().at("f").contains("f:39: MARK before a sample"), "{name}");
            continue;
        }
        // Refused runs leave an empty file; two files were cut by hand.
        if bytes.is_empty() || name.contains("-cut-") {
            assert!(result.is_err(), "{name}");
            continue;
        }
        let profile = result.unwrap_or_else(|error| panic!("{}", error.at(&name)));
        assert_eq!(profile, read(bytes.as_slice(), Rules::Tolerant).unwrap());
        let text = String::from_utf8_lossy(&bytes);
        let total: u128 = profile.bands.iter().map(|band| band.series.total()).sum();
        assert_eq!(total, sum_by_lines(&text), "{name}");
        assert_eq!(profile.times.len(), text.matches("END_SAMPLE").count(), "{name}");
        assert_eq!(profile.cut, None);
    }
}

#[test]
fn a_cut_file_gives_its_whole_samples() {
    let whole = read_fixture("hp/leak-hc.hp", Rules::Tolerant).unwrap();
    for name in ["hp/leak-hc-cut-midline.hp", "hp/leak-hc-cut-nosampleend.hp"] {
        let part = read_fixture(name, Rules::Tolerant).unwrap();
        assert_eq!(part.times, whole.times[..part.times.len()]);
        assert!(part.cut.is_some(), "{name}");
        assert!(part.bands.iter().all(|band| !band.series.is_empty()));
        assert!(
            read_fixture(name, Rules::Strict).unwrap_err().at("f").ends_with("ends within what begins here")
        );
    }
}

fn read_fixture(name: &str, rules: Rules) -> Result<HeapProfile, HpError> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    read(std::fs::File::open(path).unwrap(), rules)
}

/// Wherever a good file is cut, what is read is a prefix of the whole, or the file is refused for lack of a
/// header or of any sample; it is never something else.
#[test]
fn every_cut_is_a_prefix() {
    let text = format!(
        "{HEAD}BEGIN_SAMPLE 0.50\na\t12\nb c\t3\nEND_SAMPLE 0.50\nMARK 0.60\nBEGIN_SAMPLE 0.75\na\t4\nnew\t5\n\
         END_SAMPLE 0.75\nMARK 0.80\nBEGIN_SAMPLE 0.80\nb c\t9\nEND_SAMPLE 0.80\n"
    );
    let whole = read(text.as_bytes(), Rules::Tolerant).unwrap();
    assert_eq!(values(&whole, "b c"), [(0, 3), (2, 9)]);
    let mut most = 0;
    for length in 0..text.len() {
        match read(&text.as_bytes()[..length], Rules::Tolerant) {
            Ok(part) => {
                assert_eq!(part.times, whole.times[..part.times.len()], "cut at {length}");
                assert_eq!(part.marks, whole.marks[..part.marks.len()], "cut at {length}");
                assert!(part.times.len() >= most);
                most = part.times.len();
                assert_eq!(heights(&part, most), heights(&whole, most), "cut at {length}");
            }
            Err(error) => assert!(most == 0, "cut at {length}: {}", error.at("f")),
        }
    }
    assert_eq!(most, 3);
}

#[test]
fn names_that_the_old_reader_refused() {
    let long = "n".repeat(6000);
    let profile = tolerant(&format!(
        "BEGIN_SAMPLE 0.0\nJOB\t1\nMARK\t2\nEND_SAMPLE\t3\nmy loop\t4\n{long}\t5\n3d\t6\nEND_SAMPLE 0.0\n"
    ))
    .unwrap();
    let names: Vec<_> = profile.bands.iter().map(|band| band.name.to_string()).collect();
    assert_eq!(names, ["JOB", "MARK", "END_SAMPLE", "my loop", &long, "3d"]);
    assert_eq!(profile.bands.iter().map(|band| band.series.total()).sum::<u128>(), 21);
}

#[test]
fn statements_may_share_a_line() {
    let profile = tolerant("BEGIN_SAMPLE 0.0 a\t1 b 2\tc\n3 END_SAMPLE 0.0\r\nMARK 1.0 MARK 2.0\n").unwrap();
    assert_eq!(values(&profile, "c"), [(0, 3)]);
    assert_eq!(profile.bands.len(), 3);
    assert_eq!(profile.marks, [1.0, 2.0]);
}

#[test]
fn values_between_samples_count_for_the_next() {
    let profile = tolerant("a 1\nBEGIN_SAMPLE 0.0\na 2\nEND_SAMPLE 0.0\na 3\nEND_SAMPLE 0.0\n").unwrap();
    assert_eq!(values(&profile, "a"), [(0, 3), (1, 3)]);
    let error = tolerant("BEGIN_SAMPLE 0.0\nEND_SAMPLE 0.0\na 3\n").unwrap_err();
    assert_eq!(error, "f:7: values after the last END_SAMPLE belong to no sample");
}

#[test]
fn big_numbers_are_exact_or_refused() {
    let profile = tolerant("BEGIN_SAMPLE 0.0\na\t18446744073709551615\nEND_SAMPLE 0.0\n").unwrap();
    assert_eq!(values(&profile, "a"), [(0, u64::MAX)]);
    for text in ["18446744073709551616", "99999999999999999999999999999999"] {
        let error = tolerant(&format!("BEGIN_SAMPLE 0.0\na\t{text}\nEND_SAMPLE 0.0\n")).unwrap_err();
        assert_eq!(error, "f:6: the value is greater than 64 bits can hold");
    }
    let error = tolerant("BEGIN_SAMPLE 0.0\na\t18446744073709551615\na\t1\nEND_SAMPLE 0.0\n").unwrap_err();
    assert_eq!(error, "f:7: the value is greater than 64 bits can hold");
    let error = tolerant(&format!("BEGIN_SAMPLE 0.0\na\t{}\nEND_SAMPLE 0.0\n", "1".repeat(33))).unwrap_err();
    assert_eq!(error, "f:6: the number has more than 32 digits");
}

#[test]
fn each_strict_fault_has_its_line() {
    let cases = [
        (
            "BEGIN_SAMPLE 0.0\nBEGIN_SAMPLE 0.0\n",
            6,
            "BEGIN_SAMPLE before the END_SAMPLE of the sample before",
        ),
        ("END_SAMPLE 0.0\n", 5, "END_SAMPLE without a BEGIN_SAMPLE"),
        ("BEGIN_SAMPLE 0.0\nEND_SAMPLE 0.5\n", 6, "END_SAMPLE has another time than its BEGIN_SAMPLE"),
        ("a\t5\n", 5, "a value outside of any sample"),
        ("BEGIN_SAMPLE 0.0\na\t5\na\t5\n", 7, "the band \"a\" is listed twice in one sample"),
        ("BEGIN_SAMPLE 0.0\nJOB\t5\n", 6, "a band named JOB, which other readers take for a statement"),
        ("DATE \"e\"\n", 5, "a second DATE"),
        ("JOB \"e\"\n", 5, "a second JOB"),
        ("BEGIN_SAMPLE 0.0\nJOB \"e\"\nEND_SAMPLE 0.0\n", 6, "a second JOB"),
        (
            "BEGIN_SAMPLE 0.0\nEND_SAMPLE 0.0\nJOB \"e\"\nBEGIN_SAMPLE 1.0\nEND_SAMPLE 1.0\n",
            7,
            "JOB before a sample: many readers end the file here, so it stands behind the last one",
        ),
        (
            "MARK 0.0\nBEGIN_SAMPLE 0.0\nEND_SAMPLE 0.0\n",
            5,
            "MARK before a sample: many readers end the file here, so it stands behind the last one",
        ),
        ("BEGIN_SAMPLE 0.0\na\n5\n", 6, "each statement has a line of its own"),
        ("BEGIN_SAMPLE 0.0 a 5\n", 5, "each statement has a line of its own"),
        ("BEGIN_SAMPLE 0.0.0\n", 5, "a number with two decimal points"),
        (
            "BEGIN_SAMPLE 0.0e1\n",
            5,
            "BEGIN_SAMPLE needs a time with a decimal point after it, such as 1.250000",
        ),
        ("BEGIN_SAMPLE 0.0\na\t5\n", 5, "the file ends within what begins here"),
        ("BEGIN_SAMPLE 0.0\na b\t5\n", 6, "the name \"a\" needs a whole number after it, not \"b\""),
    ];
    for (body, line, text) in cases {
        assert_eq!(strict(body).unwrap_err(), format!("f:{line}: {text}"), "{body}");
    }
    let late = "DATE \"d\"\nJOB \"j\"\n".as_bytes();
    let error = read(late, Rules::Strict).unwrap_err().at("f");
    assert!(error.starts_with("f:1: DATE out of place"), "{error}");
}

#[test]
fn hand_made_files_are_taken_or_refused_as_expected() {
    let refused: Vec<String> = fixtures("src/hp-made")
        .iter()
        .filter_map(|path| {
            let error = read(std::fs::File::open(path).unwrap(), Rules::Tolerant).err()?;
            let message = error.at(&path.file_stem()?.to_string_lossy());
            Some(message.splitn(3, ':').take(2).collect::<Vec<_>>().join(":"))
        })
        .collect();
    assert_eq!(refused.join(" "), REFUSED);
}

/// File and line.
const REFUSED: &str = "bad-number:6 band-after-last:11 begin-integer:5 binary-junk:1 blank:4 comment:1 \
    date-not-string:2 digits-31:6 digits-32:6 digits-40:6 empty:1 end-integer:7 end-missing-number:8 \
    exponent-time:5 exponent-value:6 float-value:6 header-only:5 hex-value:6 job-not-string:1 junk-between:8 \
    mark-in-sample:6 mark-integer:8 mark-string:8 negative-time:5 negative:6 no-date:12 no-job:12 \
    no-sampleunit:12 no-valueunit:12 out-of-order:8 quote-band:6 string-escaped-quote:1 unterminated-long:1 \
    unterminated:1";

#[test]
fn junk_without_line_ends_takes_no_memory() {
    for byte in [b'x', b'1', b'"', 0xff] {
        let error = read(std::io::repeat(byte).take(1 << 24), Rules::Tolerant).unwrap_err();
        assert!(matches!(error, HpError::Bad { line: 1, .. }), "{}", error.at("f"));
    }
    // White space alone is as nothing.
    let error = read(std::io::repeat(b'\n').take(1 << 20), Rules::Tolerant).unwrap_err();
    assert_eq!(error.at("f"), "f:1048577: the file is empty");
}

/// A profile of any length, made as it is read: the same hundred samples of 400 bands over and over, with rising
/// times.
struct Endless {
    bands: String,
    now: std::io::Cursor<String>,
    sample: u64,
    samples: u64,
}

impl Endless {
    fn new(samples: u64) -> Endless {
        let bands =
            (0..400).map(|band| format!("({band})loop/step{band}/main\t{}\n", 40_000 + band * 977)).collect();
        Endless { bands, now: std::io::Cursor::new(HEAD.to_string()), sample: 0, samples }
    }
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.now.read(buffer)?;
        if count > 0 || self.sample == self.samples {
            return Ok(count);
        }
        let time = self.sample as f64 / 100.0;
        self.sample += 1;
        let text = format!("BEGIN_SAMPLE {time:.6}\n{}END_SAMPLE {time:.6}\n", self.bands);
        self.now = std::io::Cursor::new(text);
        self.now.read(buffer)
    }
}

/// The most memory this process ever had, in bytes.
fn memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok()).unwrap_or(0) * 1024
}

#[test]
#[ignore = "reads 1 GB; for an optimised build, alone: cargo test --release -- --ignored a_gigabyte"]
fn a_gigabyte_in_constant_memory() {
    let samples = 90_000;
    for rules in [Rules::Strict, Rules::Tolerant] {
        let before = memory();
        let start = std::time::Instant::now();
        let mut reader = HpReader::new(Endless::new(samples), rules);
        let (mut bytes, mut seen) = (0.0, 0);
        while let Some(event) = reader.next().unwrap() {
            seen += u64::from(matches!(event, Event::Sample { .. }));
            bytes += reader.bands().listed().map(|(_, value)| value as f64).sum::<f64>();
        }
        let size = Endless::new(0).bands.len() as f64 * samples as f64 / 1e6;
        let speed = size / start.elapsed().as_secs_f64();
        println!("{rules:?}: {size:.0} MB at {speed:.0} MB/s, {bytes:.3e} bytes in {seen} samples");
        assert_eq!(seen, samples);
        assert!(speed > 200.0);
        assert!(memory() - before < 1 << 20, "{} bytes more", memory() - before);
    }
    let start = std::time::Instant::now();
    let profile = read(Endless::new(samples), Rules::Tolerant).unwrap();
    println!("whole: {:.1} s, {} MB", start.elapsed().as_secs_f64(), memory() / 1_000_000);
    assert_eq!(
        profile.bands.iter().map(|band| band.series.iter().count()).sum::<usize>(),
        400 * samples as usize
    );
}
