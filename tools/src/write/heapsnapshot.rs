//! Chrome's heap snapshots. Nodes and edges are lists of numbers, edges by the order of the nodes that they belong to, so
//! the snapshot is read once for each list, and only its index is kept.
//!
//! Node 0 is the root of everything; a node for each name of roots comes next, then the objects in the order of the file.

use crate::read::ReadError;
use crate::read::snapshot::{Hold, Index, Info, Reader, Record, target};
use crate::write::escape;
use std::collections::HashMap;
use std::io::{self, Read, Write};

pub enum Error {
    Read(ReadError),
    Io(io::Error),
}

impl From<ReadError> for Error {
    fn from(error: ReadError) -> Error {
        Error::Read(error)
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::Io(error)
    }
}

const NODE_FIELDS: u64 = 7;

/// What the format calls nodes: places in its list of their types.
mod node {
    pub const HIDDEN: u64 = 0;
    pub const ARRAY: u64 = 1;
    pub const OBJECT: u64 = 3;
    pub const CLOSURE: u64 = 5;
    pub const NATIVE: u64 = 8;
    pub const SYNTHETIC: u64 = 9;
}

/// The same of edges. Elements have an index, all others the number of a string.
mod edge {
    pub const ELEMENT: u64 = 1;
    pub const INTERNAL: u64 = 3;
    pub const WEAK: u64 = 6;
}

const NODE_TYPES: &str = r#""hidden","array","string","object","code","closure","regexp","number","native","synthetic","concatenated string","sliced string","symbol","bigint","object shape""#;
const EDGE_TYPES: &str = r#""context","element","property","internal","hidden","shortcut","weak""#;

/// The strings of a snapshot, each once.
#[derive(Default)]
struct Strings {
    all: Vec<String>,
    numbers: HashMap<String, u64>,
}

impl Strings {
    fn number(&mut self, text: &str) -> u64 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.all.len() as u64;
        self.all.push(text.to_owned());
        self.numbers.insert(text.to_owned(), number);
        number
    }
}

/// What objects of an info table are shown as: their description, with its module where there is one.
fn name(info: &Info) -> String {
    // The library's word for none.
    if info.module.is_empty() || info.module == "(no module)" {
        info.description.clone()
    } else {
        format!("{}.{}", info.module, info.description)
    }
}

/// As the library numbers what objects look like.
fn node_type(sort: u8) -> u64 {
    match sort {
        0 => node::OBJECT,
        1 => node::ARRAY,
        2 | 4 => node::NATIVE,
        3 => node::CLOSURE,
        _ => node::HIDDEN,
    }
}

/// `open` opens the file of the index once more.
pub fn write<'s, R: Read>(
    file: &str,
    index: &Index,
    open: impl Fn() -> io::Result<R> + 's,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let names = index.roots.len() as u64;
    let first = 1 + names;
    let mut strings = Strings::default();
    let [nothing, weak, code] = ["", "weak", "code"].map(|text| strings.number(text));
    let mut shown: HashMap<u32, (u64, u64)> = HashMap::new();
    for (&number, info) in &index.infos {
        shown.insert(number, (node_type(info.sort), strings.number(&name(info))));
    }
    let root_edges: u64 = index.roots.iter().map(|(_, roots)| roots.len() as u64).sum();
    write!(
        out,
        concat!(
            r#"{{"snapshot":{{"meta":{{"node_fields":["type","name","id","self_size","edge_count","trace_node_id","detachedness"],"#,
            r#""node_types":[[{}],"string","number","number","number","number","number"],"#,
            r#""edge_fields":["type","name_or_index","to_node"],"edge_types":[[{}],"string_or_number","node"],"#,
            r#""trace_function_info_fields":["function_id","name","script_name","script_id","line","column"],"#,
            r#""trace_node_fields":["id","function_info_index","count","size","children"],"#,
            r#""sample_fields":["timestamp_us","last_assigned_id"],"#,
            r#""location_fields":["object_index","script_id","line","column"]}},"#,
            r#""node_count":{},"edge_count":{},"trace_function_count":0}},"#,
            "\n\"nodes\":["
        ),
        NODE_TYPES,
        EDGE_TYPES,
        first + index.totals.objects,
        names + root_edges + index.totals.edges
    )?;
    let mut rows = Rows { out, text: Vec::with_capacity(1 << 16), is_first: true };
    let mut id = 1;
    let mut row_of = |rows: &mut Rows<'_>, kind: u64, name: u64, size: u64, edges: u64| {
        let row = [kind, name, id, size, edges, 0, 0];
        id += 2;
        rows.row(&row)
    };
    row_of(&mut rows, node::SYNTHETIC, nothing, 0, names)?;
    for (name, roots) in &index.roots {
        let name = strings.number(&format!("({name})"));
        row_of(&mut rows, node::SYNTHETIC, name, 0, roots.len() as u64)?;
    }
    each_object(file, open()?, |reader, info, words| {
        let mut edges = 0;
        while reader.edge()?.is_some() {
            edges += 1;
        }
        let (kind, name) = shown.get(&info).copied().unwrap_or((node::HIDDEN, nothing));
        Ok(row_of(&mut rows, kind, name, words.saturating_mul(8), edges)?)
    })?;
    rows.text.extend_from_slice(b"],\n\"edges\":[");
    rows.is_first = true;
    for number in 0..names {
        rows.row(&[edge::ELEMENT, number, (1 + number) * NODE_FIELDS])?;
    }
    for (_, roots) in &index.roots {
        for (number, &at) in roots.iter().enumerate() {
            // The index has found all of them.
            let to = index.find(at).unwrap_or_default() as u64;
            rows.row(&[edge::ELEMENT, number as u64, (first + to) * NODE_FIELDS])?;
        }
    }
    each_object(file, open()?, |reader, _, _| {
        while let Some(found) = reader.edge()? {
            let to = (first + target(reader, index, found)? as u64) * NODE_FIELDS;
            let row = match found.hold {
                Hold::Strong => [edge::ELEMENT, found.index, to],
                Hold::Weak => [edge::WEAK, weak, to],
                Hold::Code => [edge::INTERNAL, code, to],
            };
            rows.row(&row)?;
        }
        Ok(())
    })?;
    rows.text.extend_from_slice(
        b"],\n\"trace_function_infos\":[],\"trace_tree\":[],\"samples\":[],\"locations\":[],\n\"strings\":[",
    );
    rows.put()?;
    for (number, text) in strings.all.iter().enumerate() {
        let comma = if number == 0 { "" } else { ",\n" };
        write!(out, "{comma}{}", escape::json(text))?;
    }
    out.write_all(b"]}\n")?;
    Ok(())
}

fn each_object<R: Read>(
    file: &str,
    source: R,
    mut visit: impl FnMut(&mut Reader<'_, R>, u32, u64) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut reader = Reader::new(file, source)?;
    loop {
        match reader.next()? {
            Record::Object { info, words, .. } => visit(&mut reader, info, words)?,
            Record::Roots(_) => while reader.edge()?.is_some() {},
            Record::Info(..) => {}
            Record::End(_) => return Ok(()),
        }
    }
}

/// Rows of numbers, put out in large pieces.
struct Rows<'a> {
    out: &'a mut dyn Write,
    text: Vec<u8>,
    is_first: bool,
}

impl Rows<'_> {
    fn row(&mut self, numbers: &[u64]) -> io::Result<()> {
        if !self.is_first {
            self.text.extend_from_slice(b",\n");
        }
        self.is_first = false;
        for (place, &number) in numbers.iter().enumerate() {
            if place > 0 {
                self.text.push(b',');
            }
            self.number(number);
        }
        if self.text.len() > (1 << 16) - 256 { self.put() } else { Ok(()) }
    }

    fn number(&mut self, mut number: u64) {
        let mut digits = [0; 20];
        let mut at = digits.len();
        loop {
            at -= 1;
            digits[at] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                break;
            }
        }
        self.text.extend_from_slice(&digits[at..]);
    }

    fn put(&mut self) -> io::Result<()> {
        self.out.write_all(&self.text)?;
        self.text.clear();
        Ok(())
    }
}
