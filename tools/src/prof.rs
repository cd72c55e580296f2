//! A time and allocation profile in memory, and the retainer sets that share its file.
//! What the text report rounds away is marked, so that nobody takes a percentage for a measurement.

/// Everything one `.prof` (text or JSON) held. A retainer run without `-p` has no report.
#[derive(Debug, Default)]
pub struct ProfFile {
    pub report: Option<Report>,
    pub retainers: Retainers,
    /// Of a report of ticky counters.
    pub counters: Vec<Counter>,
    /// What was odd but could be read.
    pub warnings: Vec<String>,
}

#[derive(Debug)]
pub struct Counter {
    pub name: String,
    pub value: u64,
}

#[derive(Debug, Default)]
pub struct Report {
    /// Program and arguments as the report's third line has them, inner spacing kept.
    pub job: String,
    pub date: String,
    pub seconds: f64,
    pub ticks: u64,
    /// Length of a tick in microseconds; 0 when ticking was off.
    pub tick_us: u64,
    pub processors: u64,
    pub alloc: u64,
    /// The flat table, in the file's order; empty for JSON, which has none.
    pub centres: Vec<Centre>,
    /// Parents come before their children; the first node is the root.
    pub nodes: Vec<Node>,
    /// Whether ticks and bytes of the nodes were written, or are worked out from percentages.
    pub exact: bool,
    /// Of ticky counters, which know functions, entries and bytes, and nothing of stacks or time.
    pub is_ticky: bool,
}

/// One row of the flat table.
#[derive(Debug, Default)]
pub struct Centre {
    pub label: String,
    pub module: String,
    pub src: String,
    pub time_percent: f64,
    pub alloc_percent: f64,
}

/// One cost-centre stack: a row of the second table.
#[derive(Debug, Default, Clone)]
pub struct Node {
    pub parent: Option<u32>,
    pub label: String,
    pub module: String,
    pub src: String,
    /// The stack's number in text, the centre's in JSON.
    pub number: u64,
    pub entries: u64,
    /// Own share only, never the children's.
    pub ticks: f64,
    pub bytes: f64,
}

impl Node {
    /// The name that tells two centres apart in a picture: every module has a `CAF`.
    pub fn full_name(&self) -> String {
        if self.module.is_empty() || self.label == self.module {
            self.label.clone()
        } else {
            format!("{}.{}", self.module, self.label)
        }
    }

    /// File and first line of `File.hs:3:1-9` and `File.hs:(3,1)-(4,2)`; nothing for `<built-in>` and its like.
    pub fn place(&self) -> Option<(&str, u64)> {
        let colon = self.src.find(":(").or_else(|| {
            let last = self.src.rfind(':')?;
            self.src[..last].rfind(':')
        })?;
        let digits: &str = self.src[colon + 1..].trim_start_matches('(');
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        Some((&self.src[..colon], digits[..end].parse().ok()?))
    }
}

#[derive(Debug, Default)]
pub struct Retainers {
    pub censuses: Vec<RetainerCensus>,
    pub sets: Vec<RetainerSet>,
    /// Who holds the retainers: each with its holders behind it, one deeper.
    pub holders: Vec<Holder>,
}

#[derive(Debug)]
pub struct Holder {
    pub depth: usize,
    pub name: String,
    /// What it holds in all, at the last census.
    pub bytes: u64,
}

#[derive(Debug, Default)]
pub struct RetainerCensus {
    pub number: u64,
    pub seconds: f64,
    pub max_stack: u64,
    pub visits: f64,
    /// What all sets cost, and how many there are; older runtimes don't say.
    pub cost: Option<u64>,
    pub sets: Option<u64>,
}

/// Set `number` of the `.hp`'s `(number)` bands; each member is a stack, innermost first, `<>` the root alone.
#[derive(Debug, Default)]
pub struct RetainerSet {
    pub number: u64,
    pub members: Vec<String>,
}

/// What of a report a weight is taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Measure {
    /// Bytes allocated
    Alloc,
    /// Ticks of the time profiler
    Time,
    /// How often each centre was entered
    Entries,
}

impl Measure {
    pub fn of(self, node: &Node) -> f64 {
        match self {
            Measure::Alloc => node.bytes,
            Measure::Time => node.ticks,
            Measure::Entries => node.entries as f64,
        }
    }
}

impl Report {
    /// The words, behind a report's name, which say that its ticks and bytes were worked out.
    pub fn rounded(&self) -> Option<&'static str> {
        (!self.exact).then_some("has percentages with one decimal (-P writes ticks and bytes)")
    }

    /// What is looked at first: time if any was told, else bytes, else entries.
    pub fn main_measure(&self) -> Measure {
        let any = |measure: Measure| self.nodes.iter().any(|node| measure.of(node) > 0.0);
        [Measure::Time, Measure::Alloc].into_iter().find(|&measure| any(measure)).unwrap_or(Measure::Entries)
    }

    /// How far each node's weight may be from the truth: half of the last digit of a percentage.
    pub fn blur(&self, measure: Measure) -> f64 {
        let whole = match measure {
            _ if self.exact => 0,
            Measure::Alloc => self.alloc,
            Measure::Time => self.ticks,
            Measure::Entries => 0,
        };
        whole as f64 * 0.000_5
    }

    /// All of a weight: the head's figure where it has one, since parts that were rounded do not add up to it.
    pub fn whole(&self, measure: Measure) -> f64 {
        match measure {
            Measure::Alloc => self.alloc as f64,
            Measure::Time => self.ticks as f64,
            Measure::Entries => self.nodes.iter().map(|node| node.entries as f64).sum(),
        }
    }

    /// Children of each node, in the file's order.
    pub fn children(&self) -> Vec<Vec<u32>> {
        let mut children = vec![Vec::new(); self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                children[parent as usize].push(index as u32);
            }
        }
        children
    }

    /// A node, its parent, and so on up to the root.
    pub fn upwards(&self, index: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(index), |&at| self.nodes[at].parent.map(|parent| parent as usize))
    }

    /// Names from the root down to `index`.
    pub fn path(&self, index: usize) -> Vec<String> {
        let mut path: Vec<String> = self.upwards(index).map(|at| self.nodes[at].full_name()).collect();
        path.reverse();
        path
    }

    /// Own and inherited weight of each node; parents come first, so one backward walk is enough.
    pub fn inherited(&self, measure: Measure) -> Vec<f64> {
        let mut sums: Vec<f64> = self.nodes.iter().map(|node| measure.of(node)).collect();
        for index in (0..self.nodes.len()).rev() {
            if let Some(parent) = self.nodes[index].parent {
                sums[parent as usize] += sums[index];
            }
        }
        sums
    }
}
