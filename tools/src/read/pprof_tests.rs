use super::*;
use crate::fuzz;
use crate::write::pprof::write_samples;
use flate2::read::GzDecoder;
use std::io::Read;
use std::path::Path;

fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    [&[number << 3 | 2, bytes.len() as u8], bytes].concat()
}

/// Texts "", "space", "bytes", "main", "a.c", "type", "Pair"; one value; a function in a mapped file, and one that is unknown.
fn small() -> Vec<Vec<u8>> {
    let texts: [&[u8]; 7] = [b"", b"space", b"bytes", b"main", b"a.c", b"type", b"Pair"];
    let mut parts: Vec<Vec<u8>> = texts.iter().map(|text| field(6, text)).collect();
    parts.push(field(1, &[8, 1, 16, 2]));
    // Numbers of stacks one by one, and many in a part; labels of a text and of a number.
    parts.push(field(2, &[8, 9, 8, 7, 16, 40, 0x1a, 4, 8, 5, 16, 6]));
    parts.push(field(2, &[0x0a, 2, 7, 9, 0x12, 1, 2, 0x1a, 4, 8, 2, 24, 64]));
    parts.push(field(3, &[8, 3, 16, 0x10, 24, 0x20, 32, 4, 40, 4]));
    parts.push(field(4, &[8, 7, 16, 3, 24, 0x12, 0x22, 4, 8, 2, 16, 17]));
    parts.push(field(4, &[8, 9, 16, 3, 24, 0x18]));
    parts.push(field(5, &[8, 2, 16, 3, 24, 3, 32, 4]));
    parts
}

fn read_parts(parts: &[Vec<u8>]) -> Result<Sampled, String> {
    read("f", &parts.concat()).map_err(|error| error.to_string())
}

#[test]
fn parts_may_come_in_any_order() {
    let mut parts = small();
    for turned in [false, true] {
        if turned {
            // The table of texts keeps its own order.
            parts[7..].reverse();
            parts.rotate_left(7);
        }
        let read = read_parts(&parts).expect("sound");
        assert_eq!((read.types.len(), read.samples.len(), read.total(0)), (1, 2, 42));
        let sample = read.samples.iter().find(|sample| sample.values[0] == 40).expect("the first");
        let names: Vec<String> = read.places(sample).map(|place| read.told(place)).collect();
        assert_eq!(names, ["a.c+0xc", "main<a.c:17>"]);
        assert_eq!(read.group(sample, Some(read.key("type").expect("a label"))), "Pair");
        let other = read.samples.iter().find(|sample| sample.values[0] == 2).expect("the second");
        assert_eq!(read.group(other, Some(read.key("bytes").expect("a label"))), "64 bytes");
        assert_eq!(read.group(other, None), "main<a.c:17>");
        let told = read.key("weight").unwrap_err();
        assert!(told.contains("type") && told.contains("bytes"), "{told}");
        assert!(read.value("time").unwrap_err().contains("but space"));
    }
}

#[test]
fn what_is_written_reads_as_the_same() {
    let read = read_parts(&small()).expect("sound");
    let mut packed = Vec::new();
    write_samples(&read, &mut packed).expect("to memory");
    let mut bytes = Vec::new();
    GzDecoder::new(&packed[..]).read_to_end(&mut bytes).expect("gzip");
    let again = super::read("f", &bytes).expect("sound");
    assert_eq!(format!("{read:?}"), format!("{again:?}"));
}

#[test]
fn faults_are_told_with_their_byte() {
    let refused = |change: &dyn Fn(&mut Vec<Vec<u8>>)| {
        let mut parts = small();
        change(&mut parts);
        read_parts(&parts).expect_err("damaged")
    };
    assert!(read("f", b"").unwrap_err().to_string().contains("no table of texts"));
    assert!(refused(&|parts| parts.truncate(7)).starts_with("f:0: its samples have 0 values"));
    assert!(refused(&|parts| parts[0] = field(6, b"x")).contains("first text"));
    assert!(
        refused(&|parts| parts[7] = field(1, &[8, 77])).contains("text 77 is named here, and there are 7")
    );
    assert!(refused(&|parts| parts[8] = field(2, &[8, 9])).contains("0 values, where 1 are announced"));
    assert!(refused(&|parts| parts[8] = field(2, &[8, 5, 16, 1])).contains("location 5 is named here"));
    assert!(refused(&|parts| parts[11] = field(4, &[8, 7, 16, 8])).contains("mapping 8 is named here"));
    assert!(refused(&|parts| parts[11] = field(4, &[8, 7, 0x22, 2, 8, 6])).contains("function 6"));
    assert!(refused(&|parts| parts[11] = field(4, &[8, 7, 0x22, 0])).contains("a line without a function"));
    assert!(refused(&|parts| parts.push(field(5, &[8, 2]))).contains("function 2 is there twice"));
    assert!(refused(&|parts| parts.push(field(4, &[16, 3]))).contains("a location without a number"));
    assert!(
        refused(&|parts| parts.push(vec![0x32, 9, 1])).contains("a field of 9 bytes, of which 1 are there")
    );
    assert!(refused(&|parts| parts.push(vec![0x33])).contains("of kind 3"));
    assert!(refused(&|parts| parts.push(vec![0x48, 0xff])).contains("ends within a number"));
    assert!(
        refused(&|parts| parts.push([&[0x48][..], &[0xff; 10]].concat())).contains("more than ten bytes")
    );
    assert!(refused(&|parts| parts.push(vec![0x08, 1])).contains("bytes are wanted here"));
    assert!(refused(&|parts| parts.push(vec![0x4a, 0])).contains("a number is wanted here"));
    // Each byte of this sample is a location of many functions.
    let many = refused(&|parts| {
        let lines = [&[8, 7, 16, 3][..], &[0x22, 2, 8, 2].repeat(30)].concat();
        parts[11] = field(4, &lines);
        let stack = [&[0x0a, 0x90, 0x4e][..], &[7; 10_000], &[16, 1]].concat();
        parts.push([&[0x12, 0x95, 0x4e][..], &stack].concat());
    });
    assert!(many.contains("more functions than a file of this size"), "{many}");
}

#[test]
fn fuzz_pprof() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/samples");
    let mut files = vec![small().concat()];
    for name in ["go-heap.pb.gz", "demo.pprof.gz"] {
        let packed = std::fs::read(folder.join(name)).expect("a fixture");
        let mut bytes = Vec::new();
        GzDecoder::new(&packed[..]).read_to_end(&mut bytes).expect("gzip");
        files.push(bytes);
    }
    let words: [&[u8]; 8] = [
        &[0x0a, 4, 8, 1, 16, 2],
        &[0x12, 4, 8, 1, 16, 1],
        &[0x32, 0],
        &[0x22, 2, 8, 1],
        &[0xff; 10],
        &[8, 0],
        &[0x12, 0],
        &[0x1a, 4, 8, 5, 16, 6],
    ];
    fuzz::run(&files, &words, |bytes| match read("f", bytes) {
        Ok(read) => {
            assert!(read.keys().len() <= bytes.len());
            let mut packed = Vec::new();
            write_samples(&read, &mut packed).expect("to memory");
            read.samples.iter().for_each(|sample| drop(read.group(sample, None)));
        }
        Err(error) => assert!(error.to_string().starts_with("f:")),
    });
}
