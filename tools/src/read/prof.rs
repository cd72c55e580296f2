//! Reads a text `.prof`: the report with or without ticks and bytes (`-p`, `-P`, `-Pa`), the retainer part of `-hr`,
//! or both in one file. Columns are found by the header's positions, counted in characters, because labels may hold
//! spaces; the numbers are taken from the right, because a long one pushes the others along.

mod retainers;
#[cfg(test)]
mod tests;

use super::ReadError;
use crate::prof::{Centre, Node, ProfFile, Report};

/// `name` only serves the messages.
pub fn read(name: &str, bytes: &[u8]) -> Result<ProfFile, ReadError> {
    let text = String::from_utf8_lossy(bytes);
    let mut reader = Reader { name, lines: text.lines().collect(), at: 0, file: ProfFile::default() };
    if let Err(odd) = std::str::from_utf8(bytes) {
        let line = 1 + bytes[..odd.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
        let what = "some names are not UTF-8; their odd bytes show as \u{fffd}";
        reader.file.warnings.push(format!("{name}:{line}: {what}"));
    }
    reader.file()?;
    Ok(reader.file)
}

/// Whether the beginning of a file looks like one of ours; used to choose a reader.
pub fn looks_like(text: &str) -> bool {
    text.starts_with("Retainer Profiling: ")
        || text.starts_with("Retainer sets created")
        || text.lines().take(3).any(|line| line.contains("Time and Allocation Profiling Report"))
}

struct Reader<'a> {
    name: &'a str,
    lines: Vec<&'a str>,
    at: usize,
    file: ProfFile,
}

/// Where the text columns begin, in characters, and how many numbers follow them.
struct Columns {
    module: usize,
    src: Option<usize>,
    /// Right edge of the text columns (the second table's `no.` begins there).
    numbers: usize,
    with_counts: bool,
    /// Rows of the second table have numbers. Before GHC 6 they had none.
    is_numbered: bool,
}

impl<'a> Reader<'a> {
    /// The whole file: its parts come in any order, as far as they are there.
    fn file(&mut self) -> Result<(), ReadError> {
        let mut found = false;
        while let Some(line) = self.peek() {
            if line.trim().is_empty() {
                self.at += 1;
            } else if let Some(rest) = line.strip_prefix("Retainer Profiling: ") {
                self.census(rest)?;
            } else if line.starts_with("Retainer sets created during profiling:") {
                self.at += 1;
                self.sets()?;
            } else if line.starts_with("Who holds the retainers:") {
                self.at += 1;
                self.holders()?;
            } else if line.contains("Time and Allocation Profiling Report") {
                if self.file.report.is_some() {
                    return Err(self.error("a second report begins here; one file holds one"));
                }
                self.report()?;
            } else {
                return Err(self.error("expected a report, a retainer census or the retainer sets"));
            }
            found |= self.at > 0 && self.file_is_begun();
        }
        if found { Ok(()) } else { Err(self.error("holds neither a report nor retainer sets")) }
    }

    fn file_is_begun(&self) -> bool {
        self.file.report.is_some()
            || !self.file.retainers.censuses.is_empty()
            || !self.file.retainers.sets.is_empty()
    }

    fn report(&mut self) -> Result<(), ReadError> {
        let head = self.line()?;
        let date = head.split("Time and Allocation").next().unwrap_or("").trim().to_owned();
        let mut report = Report { date, processors: 1, ..Report::default() };
        self.skip_blank();
        report.job = self.line()?.trim().to_owned();
        self.skip_blank();
        self.total_time(&mut report)?;
        self.total_alloc(&mut report)?;
        self.skip_blank();
        self.flat_table(&mut report)?;
        self.skip_blank();
        self.tree_table(&mut report)?;
        self.file.report = Some(report);
        Ok(())
    }

    /// `total time  =  0.11 secs   (110 ticks @ 1000 us, 1 processor)`
    fn total_time(&mut self, report: &mut Report) -> Result<(), ReadError> {
        let line = self.line()?;
        let numbers: Option<(f64, u64, u64, u64)> = (|| {
            let rest = line.trim().strip_prefix("total time")?.trim_start().strip_prefix('=')?;
            let (seconds, rest) = rest.split_once(" secs")?;
            let (ticks, rest) = rest.trim().strip_prefix('(')?.split_once(" ticks @ ")?;
            // Runtimes before 7.2 told milliseconds, and of no processors.
            let (tick, us, rest) = match rest.split_once(" us") {
                Some((tick, rest)) => (tick, 1, rest),
                None => rest.split_once(" ms").map(|(tick, rest)| (tick, 1000, rest))?,
            };
            let processors = rest.trim_start_matches(", ").split(' ').next()?.parse().unwrap_or(1);
            let tick_us = number(tick)?.checked_mul(us)?;
            let seconds = seconds.trim().parse().ok().filter(|seconds: &f64| seconds.is_finite())?;
            Some((seconds, number(ticks)?, tick_us, processors))
        })();
        let (seconds, ticks, tick_us, processors) = numbers.ok_or_else(|| {
            self.error_before("expected \"total time = <n> secs (<n> ticks @ <n> us, ...)\"")
        })?;
        (report.seconds, report.ticks, report.tick_us, report.processors) =
            (seconds, ticks, tick_us, processors);
        Ok(())
    }

    fn total_alloc(&mut self, report: &mut Report) -> Result<(), ReadError> {
        let line = self.line()?;
        let bytes = (|| {
            let rest = line.trim().strip_prefix("total alloc")?.trim_start().strip_prefix('=')?;
            number(rest.split_once(" bytes")?.0)
        })();
        report.alloc = bytes.ok_or_else(|| self.error_before("expected \"total alloc = <n> bytes\""))?;
        Ok(())
    }

    fn flat_table(&mut self, report: &mut Report) -> Result<(), ReadError> {
        let columns = self.columns(&["%time"])?;
        self.skip_blank();
        // A program that had no tick and allocated nothing has no row: the next table's heading follows.
        let is_heading = |line: &str| line.split_whitespace().eq(["individual", "inherited"]);
        while let Some(line) = self.peek().filter(|line| !line.trim().is_empty() && !is_heading(line)) {
            let count = if columns.with_counts { 4 } else { 2 };
            let (text, numbers) = self.numbers(line, count)?;
            let [label, module, src] = self.texts(text, &columns)?;
            report.centres.push(Centre {
                label: label.trim().to_owned(),
                module,
                src,
                time_percent: self.float(numbers[0], "%time")?,
                alloc_percent: self.float(numbers[1], "%alloc")?,
            });
            self.at += 1;
        }
        Ok(())
    }

    fn tree_table(&mut self, report: &mut Report) -> Result<(), ReadError> {
        let above = self.line()?;
        if !(above.contains("individual") && above.contains("inherited")) {
            return Err(
                self.error_before("expected the heading \"individual inherited\" of the second table")
            );
        }
        let columns = self.columns(&["no.", "entries"])?;
        report.exact = columns.with_counts;
        self.skip_blank();
        let mut open: Vec<u32> = Vec::new();
        while let Some(line) = self.peek().filter(|line| !line.trim().is_empty()) {
            let own = usize::from(columns.is_numbered);
            let count = if columns.with_counts { 7 } else { 5 } + own;
            let (text, numbers) = self.numbers(line, count)?;
            let (number, numbers) = numbers.split_at(own);
            let [label, module, src] = self.texts(text, &columns)?;
            let depth = label.len() - label.trim_start_matches(' ').len();
            if depth > open.len() {
                return Err(self.error("the row is indented more than one step below the row above"));
            }
            if depth == 0 && !report.nodes.is_empty() {
                return Err(self.error("a second root; only the first row stands without indentation"));
            }
            open.truncate(depth);
            let percents = [self.float(numbers[1], "%time")?, self.float(numbers[2], "%alloc")?];
            let (ticks, bytes) = if columns.with_counts {
                (self.whole(numbers[5], "ticks")? as f64, self.whole(numbers[6], "bytes")? as f64)
            } else {
                (percents[0] * report.ticks as f64 / 100.0, percents[1] * report.alloc as f64 / 100.0)
            };
            let index = report.nodes.len() as u32;
            report.nodes.push(Node {
                parent: open.last().copied(),
                label: label.trim().to_owned(),
                module,
                src,
                // The place in the table serves where rows have no numbers.
                number: match number.first() {
                    Some(number) => self.whole(number, "no.")?,
                    None => u64::from(index) + 1,
                },
                entries: self.whole(numbers[0], "entries")?,
                ticks,
                bytes,
            });
            open.push(index);
            self.at += 1;
        }
        Ok(())
    }

    /// Reads a table's heading; the first of `numbers` that is there is the first heading after the text columns.
    fn columns(&mut self, numbers: &[&str]) -> Result<Columns, ReadError> {
        let line = self.line()?;
        let place = |word: &str| line.find(word).map(|byte| line[..byte].chars().count());
        let (Some(module), Some(numbers)) = (place("MODULE"), numbers.iter().find_map(|word| place(word)))
        else {
            return Err(self.error_before("expected a table heading with COST CENTRE, MODULE and %time"));
        };
        if !line.starts_with("COST CENTRE") {
            return Err(self.error_before("expected a table heading that begins with COST CENTRE"));
        }
        Ok(Columns {
            module,
            src: place("SRC"),
            numbers,
            with_counts: line.contains("ticks") && line.contains("bytes"),
            is_numbered: line.contains(" no. "),
        })
    }

    /// Parts a row into its text and its last `count` numbers.
    fn numbers(&self, line: &'a str, count: usize) -> Result<(&'a str, Vec<&'a str>), ReadError> {
        let mut rest = line.trim_end();
        let mut numbers = Vec::with_capacity(count);
        for _ in 0..count {
            let Some(space) = rest.rfind(' ') else {
                return Err(
                    self.error(&format!("a row of this table ends in {count} numbers; this one has fewer"))
                );
            };
            numbers.push(&rest[space + 1..]);
            rest = rest[..space].trim_end();
        }
        numbers.reverse();
        Ok((rest, numbers))
    }

    /// The label, module and place of a row. A centre may have a label alone: its row ends with that.
    fn texts(&self, text: &str, columns: &Columns) -> Result<[String; 3], ReadError> {
        let chars: Vec<char> = text.chars().collect();
        let slice = |from: usize, to: usize| -> String {
            chars.get(from.min(chars.len())..to.min(chars.len())).unwrap_or(&[]).iter().collect()
        };
        // Columns were of fixed widths once, and a long label pushed the module along.
        let is_pushed = columns.src.is_none()
            && columns.module > 0
            && chars
                .get(columns.module - 1..=columns.module)
                .is_some_and(|edge| edge.iter().all(|c| !c.is_whitespace()));
        if let Some((label, module)) = text.trim_end().rsplit_once(' ').filter(|_| is_pushed) {
            return Ok([label.trim_end().to_owned(), module.to_owned(), String::new()]);
        }
        let label = slice(0, columns.module).trim_end().to_owned();
        if label.trim().is_empty() {
            return Err(self.error("the row has no label"));
        }
        // Older reports have no SRC column; a text that runs past the numbers' edge belongs to the last column.
        let end = columns.numbers.max(chars.len());
        let (module, src) = match columns.src {
            Some(src) => (slice(columns.module, src), slice(src, end)),
            None => (slice(columns.module, end), String::new()),
        };
        Ok([label, module.trim().to_owned(), src.trim().to_owned()])
    }

    fn float(&self, text: &str, what: &str) -> Result<f64, ReadError> {
        text.parse::<f64>()
            .ok()
            .filter(|value| value.is_finite())
            .ok_or_else(|| self.error(&format!("{what} must be a number, not \"{text}\"")))
    }

    fn whole(&self, text: &str, what: &str) -> Result<u64, ReadError> {
        number(text).ok_or_else(|| self.error(&format!("{what} must be a whole number, not \"{text}\"")))
    }

    fn peek(&self) -> Option<&'a str> {
        self.lines.get(self.at).copied()
    }

    fn line(&mut self) -> Result<&'a str, ReadError> {
        let line =
            self.peek().ok_or_else(|| self.error("the report stops here, before its tables are complete"))?;
        self.at += 1;
        Ok(line)
    }

    fn skip_blank(&mut self) {
        while self.peek().is_some_and(|line| line.trim().is_empty()) {
            self.at += 1;
        }
    }

    fn error(&self, what: &str) -> ReadError {
        ReadError::at(self.name, self.at + 1, what)
    }

    /// For a complaint about the line just taken.
    fn error_before(&self, what: &str) -> ReadError {
        ReadError::at(self.name, self.at, what)
    }
}

/// A whole number with or without thousands separators.
fn number(text: &str) -> Option<u64> {
    text.trim().replace(',', "").parse().ok()
}
