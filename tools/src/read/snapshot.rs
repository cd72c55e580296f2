//! Reads snapshots of an object graph, as `barrow_snapshot` writes them: record by record, from a stream, and as an index
//! that finds an object by its address (docs/formats-snapshot.md).

use super::ReadError;
use barrow::report::snapshot::{
    BLOCK_HEAD_BYTES, MAGIC, MOST_BLOCK_BYTES, Totals, edge, record, sum, unzigzag,
};
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read};

pub fn looks_like(start: &[u8]) -> bool {
    start.starts_with(MAGIC)
}

/// Addresses in words are below: nothing overflows when a few are added.
const MOST_WORDS: u64 = 1 << 61;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// As the library numbers what objects look like (`report::snapshot::Sort`).
    pub sort: u8,
    pub whole: String,
    pub kind: String,
    pub type_name: String,
    pub description: String,
    pub module: String,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Record {
    Info(u32, Info),
    /// Address and size in words. Its edges come next.
    Object {
        info: u32,
        at: u64,
        words: u64,
    },
    /// Where roots of a name lead to comes next.
    Roots(String),
    End(Totals),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    Strong,
    Weak,
    Code,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    pub hold: Hold,
    /// Which of the fields that can hold references.
    pub index: u64,
    /// An address in words.
    pub to: u64,
}

pub struct Reader<'a, R> {
    name: &'a str,
    source: R,
    block: Vec<u8>,
    /// In the block.
    next: usize,
    /// Of the block's records in the file.
    offset: u64,
    after: u64,
    near: u64,
    hold: Hold,
    index: u64,
}

impl<'a, R: Read> Reader<'a, R> {
    pub fn new(name: &'a str, source: R) -> Result<Reader<'a, R>, ReadError> {
        let mut reader = Reader {
            name,
            source,
            block: Vec::new(),
            next: 0,
            offset: 0,
            after: 0,
            near: 0,
            hold: Hold::Strong,
            index: 0,
        };
        let mut magic = [0; MAGIC.len()];
        if reader.fill(&mut magic)? != magic.len() || magic != *MAGIC {
            return Err(reader.wrong("this is no snapshot: it does not begin as one"));
        }
        reader.offset = MAGIC.len() as u64;
        Ok(reader)
    }

    /// A complaint about what was read last.
    pub fn wrong(&self, what: &str) -> ReadError {
        ReadError::at(self.name, self.offset as usize + self.next, what)
    }

    pub fn next(&mut self) -> Result<Record, ReadError> {
        let first = self.number()?;
        if first != 0 {
            return self.object(first);
        }
        match self.byte()? {
            record::INFO => {
                let number = self.number()?;
                let number = u32::try_from(number)
                    .map_err(|_| self.wrong(&format!("the number {number} is no info table's")))?;
                let sort = self.byte()?;
                let [whole, kind, type_name, description, module] =
                    [self.text()?, self.text()?, self.text()?, self.text()?, self.text()?];
                Ok(Record::Info(number, Info { sort, whole, kind, type_name, description, module }))
            }
            record::ROOTS => {
                let name = self.text()?;
                (self.near, self.index, self.hold) = (0, 0, Hold::Strong);
                Ok(Record::Roots(name))
            }
            record::END => {
                let [objects, words, edges, roots] =
                    [self.number()?, self.number()?, self.number()?, self.number()?];
                if self.next < self.block.len() || self.fill(&mut [0])? != 0 {
                    return Err(self.wrong("something follows the end of the snapshot"));
                }
                Ok(Record::End(Totals { objects, words, edges, roots }))
            }
            other => Err(self.wrong(&format!("there is no record of kind {other}"))),
        }
    }

    fn object(&mut self, info: u64) -> Result<Record, ReadError> {
        let at = self.after.wrapping_add(unzigzag(self.number()?));
        let words = self.number()?;
        let info =
            u32::try_from(info).map_err(|_| self.wrong(&format!("the number {info} is no info table's")))?;
        if at == 0 || at >= MOST_WORDS || words == 0 || words >= MOST_WORDS {
            return Err(self.wrong(&format!("no object of {words} words can lie at word {at:#x}")));
        }
        self.after = at + words;
        (self.near, self.index, self.hold) = (at, 0, Hold::Strong);
        Ok(Record::Object { info, at, words })
    }

    /// The next edge of the last object or roots; `None` at their end.
    pub fn edge(&mut self) -> Result<Option<Edge>, ReadError> {
        loop {
            match self.number()? {
                edge::END => return Ok(None),
                edge::SKIP => {
                    let count = self.number()?;
                    self.index = self.index.saturating_add(count);
                }
                edge::WEAK => self.hold = Hold::Weak,
                edge::CODE => self.hold = Hold::Code,
                edge::STRONG => self.hold = Hold::Strong,
                difference => {
                    self.near = self.near.wrapping_add(unzigzag(difference - edge::FIRST));
                    let index = self.index;
                    self.index = self.index.saturating_add(1);
                    return Ok(Some(Edge { hold: self.hold, index, to: self.near }));
                }
            }
        }
    }

    fn text(&mut self) -> Result<String, ReadError> {
        let length = self.number()?;
        let mut bytes = Vec::new();
        for _ in 0..length {
            bytes.push(self.byte()?);
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    #[inline]
    fn number(&mut self) -> Result<u64, ReadError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            if shift == 63 && byte > 1 {
                break;
            }
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(self.wrong("a number has more than 64 bits"))
    }

    #[inline]
    fn byte(&mut self) -> Result<u8, ReadError> {
        if self.next == self.block.len() {
            self.read_block()?;
        }
        self.next += 1;
        Ok(self.block[self.next - 1])
    }

    #[cold]
    fn read_block(&mut self) -> Result<(), ReadError> {
        self.offset += self.block.len() as u64;
        self.block.clear();
        self.next = 0;
        let mut head = [0; BLOCK_HEAD_BYTES];
        match self.fill(&mut head)? {
            BLOCK_HEAD_BYTES => {}
            0 => return Err(self.wrong("the snapshot ends here, without an end record")),
            _ => return Err(self.wrong("the snapshot ends within the head of a block")),
        }
        let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
        if length == 0 || length > MOST_BLOCK_BYTES {
            return Err(self.wrong(&format!("a block cannot have {length} bytes of records")));
        }
        let mut block = vec![0; length];
        if self.fill(&mut block)? != length {
            return Err(self.wrong(&format!("the snapshot ends within a block of {length} bytes")));
        }
        if sum(&block).to_le_bytes() != head[4..] {
            return Err(
                self.wrong(&format!("the sum of this block of {length} bytes is wrong: it was damaged"))
            );
        }
        self.offset += BLOCK_HEAD_BYTES as u64;
        self.block = block;
        Ok(())
    }

    /// As much as there is.
    fn fill(&mut self, place: &mut [u8]) -> Result<usize, ReadError> {
        let mut filled = 0;
        while filled < place.len() {
            match self.source.read(&mut place[filled..]) {
                Ok(0) => break,
                Ok(more) => filled += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(ReadError::file(self.name, error)),
            }
        }
        Ok(filled)
    }
}

/// Objects side by side in memory and in the file.
struct Run {
    start: u64,
    end: u64,
    /// The number of the first object.
    first: usize,
}

/// What has to be known of a snapshot before its edges mean anything. Eight bytes for each object, and some for each run
/// of objects that lie side by side.
pub struct Index {
    pub infos: BTreeMap<u32, Info>,
    /// By name, in the order of names' first roots, with the addresses that they lead to.
    pub roots: Vec<(String, Vec<u64>)>,
    pub totals: Totals,
    addresses: Vec<u64>,
    runs: Vec<Run>,
}

impl Index {
    /// Reads a snapshot from its beginning to its end.
    pub fn read<R: Read>(name: &str, source: R) -> Result<Index, ReadError> {
        let mut reader = Reader::new(name, source)?;
        let mut index = Index {
            infos: BTreeMap::new(),
            roots: Vec::new(),
            totals: Totals::default(),
            addresses: Vec::new(),
            runs: Vec::new(),
        };
        let mut root_names: HashMap<String, usize> = HashMap::new();
        let mut seen = Totals::default();
        loop {
            match reader.next()? {
                Record::Info(number, info) => {
                    if index.infos.insert(number, info).is_some() {
                        return Err(reader.wrong(&format!("info table {number} is described twice")));
                    }
                }
                Record::Object { info, at, words } => {
                    if !index.infos.contains_key(&info) {
                        return Err(reader.wrong(&format!("info table {info} was not described")));
                    }
                    seen.objects += 1;
                    seen.words = seen.words.saturating_add(words);
                    index.add(at, words);
                    while reader.edge()?.is_some() {
                        seen.edges += 1;
                    }
                }
                Record::Roots(name) => {
                    let next = index.roots.len();
                    let number = *root_names.entry(name.clone()).or_insert(next);
                    if number == next {
                        index.roots.push((name, Vec::new()));
                    }
                    while let Some(edge) = reader.edge()? {
                        seen.roots += 1;
                        index.roots[number].1.push(edge.to);
                    }
                }
                Record::End(totals) => {
                    if totals != seen {
                        return Err(
                            reader.wrong(&format!("the end says {totals:?}, and {seen:?} were there"))
                        );
                    }
                    index.totals = totals;
                    break;
                }
            }
        }
        index
            .sort()
            .map_err(|at| ReadError::file(name, format!("two objects lie at address {:#x}", at * 8)))?;
        for (name_of_root, roots) in &index.roots {
            if let Some(at) = roots.iter().find(|&&at| index.find(at).is_none()) {
                let what =
                    format!("the root {name_of_root} leads to {:#x}, where no object is", at.wrapping_mul(8));
                return Err(ReadError::file(name, what));
            }
        }
        Ok(index)
    }

    fn add(&mut self, at: u64, words: u64) {
        match self.runs.last_mut() {
            Some(run) if run.end == at => run.end = at + words,
            _ => self.runs.push(Run { start: at, end: at + words, first: self.addresses.len() }),
        }
        self.addresses.push(at);
    }

    fn sort(&mut self) -> Result<(), u64> {
        self.runs.sort_unstable_by_key(|run| run.start);
        match self.runs.windows(2).find(|two| two[0].end > two[1].start) {
            Some(two) => Err(two[1].start),
            None => Ok(()),
        }
    }

    #[cfg(test)]
    pub fn objects(&self) -> usize {
        self.addresses.len()
    }

    /// The number of the object at an address, in the order of the file.
    pub fn find(&self, at: u64) -> Option<usize> {
        let after = self.runs.partition_point(|run| run.start <= at);
        let run = self.runs.get(after.checked_sub(1)?)?;
        if at >= run.end {
            return None;
        }
        // No object is smaller than a word, so the run has no more objects than words.
        let most = run.first + (at - run.start) as usize + 1;
        let objects = &self.addresses[run.first..most.min(self.addresses.len())];
        let count = objects.partition_point(|&object| object < at && object >= run.start);
        (objects.get(count) == Some(&at)).then_some(run.first + count)
    }
}

/// Reads a snapshot again, of which everything is known, and finds where each edge leads.
pub fn check_edges<R: Read>(name: &str, source: R, index: &Index) -> Result<(), ReadError> {
    let mut reader = Reader::new(name, source)?;
    loop {
        match reader.next()? {
            Record::Object { .. } => {
                while let Some(edge) = reader.edge()? {
                    target(&reader, index, edge)?;
                }
            }
            Record::Roots(_) => while reader.edge()?.is_some() {},
            Record::Info(..) => {}
            Record::End(_) => return Ok(()),
        }
    }
}

/// The number of the object that an edge leads to.
pub fn target<R: Read>(reader: &Reader<'_, R>, index: &Index, edge: Edge) -> Result<usize, ReadError> {
    index.find(edge.to).ok_or_else(|| {
        reader.wrong(&format!("an object refers to {:#x}, where no object is", edge.to.wrapping_mul(8)))
    })
}

#[cfg(test)]
#[path = "snapshot_tests.rs"]
mod tests;
