//! Reads heap profiles (`.hp`) as a stream: sample by sample, in memory that grows with the number of bands
//! and not with the length of the file. `read` gathers a whole profile for those who want one.
//!
//! Takes everything that hp2ps takes, and more: bands named like a keyword or with spaces in the name (told by
//! the tab and the number that make up the rest of the line), names of any sensible length, and a file that
//! ends within its last sample, which is left out and reported. The strict rules instead refuse whatever some
//! reader of the format would misread.

mod band_table;
mod fault;
mod scan;
#[cfg(test)]
mod tests;

pub use band_table::BandTable;
pub use fault::{Fault, HpError, Keyword};

use crate::model::{Band, Cut, Header, HeapProfile, Series, Text};
use scan::{Number, Plain, Scan};
use std::io::Read;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// Whatever can be understood; a cut last sample is left out.
    Tolerant,
    /// What every reader of the format understands in the same way.
    Strict,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// A sample is complete; `HpReader::bands` holds its values until the next call.
    Sample {
        time: f64,
    },
    Mark {
        time: f64,
    },
}

/// The reader. After `next` has answered `None` the header and the cut are final.
pub struct HpReader<R> {
    scan: Scan<R>,
    rules: Rules,
    header: [Option<Text>; 4],
    bands: BandTable,
    samples: u64,
    /// The time of the last BEGIN_SAMPLE.
    time: Option<f64>,
    /// The line of the BEGIN_SAMPLE that has no END_SAMPLE yet.
    open: Option<u64>,
    /// The line of the first value after an END_SAMPLE and before the next BEGIN_SAMPLE.
    stray: Option<u64>,
    /// Since the last END_SAMPLE, the first line that is no sample's: many readers end the file there.
    between: Option<(u64, Keyword)>,
    /// The statement being read begins here.
    statement: u64,
    /// And what follows its first word, here.
    argument: u64,
    cut: Option<Cut>,
    /// No word has come yet.
    is_empty: bool,
    finished: bool,
}

/// Reads a whole profile into memory.
pub fn read(source: impl Read, rules: Rules) -> Result<HeapProfile, HpError> {
    let mut reader = HpReader::new(source, rules);
    let mut profile = HeapProfile::default();
    let mut series: Vec<Series> = Vec::new();
    while let Some(event) = reader.next()? {
        match event {
            Event::Mark { time } => profile.marks.push(time),
            Event::Sample { time } => {
                let sample = profile.times.len();
                profile.times.push(time);
                series.resize_with(reader.bands.len(), Series::default);
                for (band, value) in reader.bands.listed() {
                    series[band].push(sample, value);
                }
            }
        }
    }
    profile.header = reader.header();
    profile.cut = reader.cut;
    // A band that only the cut sample names has no entry, and is no band of what was read.
    profile.bands = (series.into_iter().enumerate())
        .filter(|(_, series)| !series.is_empty())
        .map(|(band, series)| Band { name: reader.bands.name(band).into(), series })
        .collect();
    Ok(profile)
}

impl<R: Read> HpReader<R> {
    pub fn new(source: R, rules: Rules) -> HpReader<R> {
        HpReader {
            scan: Scan::new(source),
            rules,
            header: Default::default(),
            bands: BandTable::default(),
            samples: 0,
            time: None,
            open: None,
            stray: None,
            between: None,
            statement: 1,
            argument: 1,
            cut: None,
            is_empty: true,
            finished: false,
        }
    }

    /// The names of all bands so far, and the values of the last sample.
    pub fn bands(&self) -> &BandTable {
        &self.bands
    }

    /// What is known of the header; missing texts are empty before the end of the file.
    pub fn header(&self) -> Header {
        let text = |word| self.header[header_index(word)].clone().unwrap_or_default();
        Header {
            job: text(Keyword::Job),
            date: text(Keyword::Date),
            sample_unit: text(Keyword::SampleUnit),
            value_unit: text(Keyword::ValueUnit),
        }
    }

    /// The incomplete last sample, once the end has been reached.
    pub fn cut(&self) -> Option<Cut> {
        self.cut
    }

    /// The next sample or mark.
    pub fn next(&mut self) -> Result<Option<Event>, HpError> {
        if self.finished {
            return Ok(None);
        }
        match self.statements() {
            Ok(Some(event)) => Ok(Some(event)),
            Ok(None) => self.finish(),
            Err(error) => self.forgive_cut(error),
        }
    }

    fn is_strict(&self) -> bool {
        self.rules == Rules::Strict
    }

    fn strict(&self, wrong: bool, fault: impl FnOnce() -> Fault) -> Result<(), HpError> {
        if wrong && self.is_strict() { Err(HpError::bad(self.statement, fault())) } else { Ok(()) }
    }

    /// Reads statements until one completes an event.
    fn statements(&mut self) -> Result<Option<Event>, HpError> {
        loop {
            let Some(first) = self.scan.skip_space()? else { return Ok(None) };
            self.statement = self.scan.line;
            self.is_empty = false;
            if self.scan.line_start
                && let Some(plain) = self.scan.plain_line()?
                && self.plain_band(&plain)?
            {
                continue;
            }
            let own_line = self.scan.line_start;
            self.strict(!own_line, || Fault::NotOnOneLine)?;
            if first == b'"' {
                self.scan.string()?;
                return Err(HpError::bad(self.statement, Fault::StringUnexpected));
            }
            if own_line
                && !self.is_strict()
                && let Some(plain) = self.scan.spaced_line()?
                && self.spaced_band(&plain)?
            {
                continue;
            }
            self.scan.word()?;
            match Keyword::of(&self.scan.text) {
                None => self.band()?,
                Some(Keyword::BeginSample) => self.begin_sample()?,
                Some(Keyword::EndSample) => return self.end_sample().map(Some),
                Some(Keyword::Mark) => {
                    if let Some(mark) = self.mark()? {
                        return Ok(Some(mark));
                    }
                }
                Some(word) => self.header_text(word)?,
            }
        }
    }

    /// Takes a line `name TAB integer`. False if the line must be read word by word after all.
    fn plain_band(&mut self, plain: &Plain) -> Result<bool, HpError> {
        let name = self.scan.plain_name(plain);
        if let Some(word) = Keyword::of(name) {
            if !plain.tab {
                return Ok(false);
            }
            if self.is_strict() {
                return Err(HpError::bad(self.statement, Fault::KeywordAsName(word)));
            }
        }
        let Some(value) = plain.value else {
            return Err(HpError::bad(self.statement, Fault::ValueTooBig));
        };
        let band = self.bands.find_or_add(name);
        self.scan.skip_plain(plain);
        self.add(band, value)?;
        Ok(true)
    }

    /// As `plain_band` for a name with spaces, unless the line's first words make statements by themselves.
    fn spaced_band(&mut self, plain: &Plain) -> Result<bool, HpError> {
        let name = self.scan.plain_name(plain);
        let mut words = name.split(|&byte| byte == b' ').filter(|word| !word.is_empty());
        let keyword = words.next().is_none_or(|word| Keyword::of(word).is_some());
        if keyword || words.next().is_none_or(|word| word[0].is_ascii_digit()) {
            return Ok(false);
        }
        self.plain_band(plain)
    }

    fn band(&mut self) -> Result<(), HpError> {
        let name = std::mem::take(&mut self.scan.text);
        let value = match self.argument()? {
            Some(Number::Integer(Some(value))) => value,
            Some(Number::Integer(None)) => return Err(HpError::bad(self.argument, Fault::ValueTooBig)),
            _ => {
                let fault = Fault::WantsInteger { name: show(&name), found: show(&self.scan.text) };
                return Err(HpError::bad(self.argument, fault));
            }
        };
        let band = self.bands.find_or_add(&name);
        self.add(band, value)
    }

    fn add(&mut self, band: usize, value: u64) -> Result<(), HpError> {
        if self.open.is_none() && self.stray.is_none() {
            self.strict(true, || Fault::OutsideSample)?;
            self.stray = Some(self.statement);
        }
        if self.is_strict() {
            let name = self.bands.name(band);
            self.strict(name.len() > 4999, || Fault::NameTooLongForHp2ps)?;
            self.strict(self.bands.is_listed(band), || Fault::ListedTwice(show(name)))?;
        }
        if !self.bands.add(band, value) {
            return Err(HpError::bad(self.statement, Fault::ValueTooBig));
        }
        Ok(())
    }

    fn begin_sample(&mut self) -> Result<(), HpError> {
        let time = self.float(Keyword::BeginSample)?;
        if let Some((line, word)) = self.between.filter(|_| self.is_strict()) {
            return Err(HpError::bad(line, Fault::SamplesBehind(word)));
        }
        self.strict(self.open.is_some(), || Fault::BeginTwice)?;
        let missing = HEADER.into_iter().find(|&word| self.header[header_index(word)].is_none());
        if let Some(word) = missing {
            self.strict(true, || Fault::Missing(word))?;
        }
        if self.time.is_some_and(|last| time < last) {
            return Err(HpError::bad(self.argument, Fault::OutOfSequence));
        }
        self.bands.begin_sample();
        self.time = Some(time);
        self.open = Some(self.statement);
        self.stray = None;
        Ok(())
    }

    fn end_sample(&mut self) -> Result<Event, HpError> {
        let end = self.float(Keyword::EndSample)?;
        self.strict(self.open.is_none(), || Fault::EndWithoutBegin)?;
        // Without any BEGIN_SAMPLE so far the only time known is this one.
        let time = *self.time.get_or_insert(end);
        self.strict(time != end, || Fault::EndTimeDiffers)?;
        self.open = None;
        self.stray = None;
        self.between = None;
        self.samples += 1;
        self.bands.end_sample();
        Ok(Event::Sample { time })
    }

    /// None of a mark whose number may go on behind the end of the file.
    fn mark(&mut self) -> Result<Option<Event>, HpError> {
        let time = self.float(Keyword::Mark)?;
        if !self.is_strict() && self.scan.peek()?.is_none() {
            return Ok(None);
        }
        if self.open.is_some() {
            return Err(HpError::bad(self.statement, Fault::MarkInSample));
        }
        self.between.get_or_insert((self.statement, Keyword::Mark));
        Ok(Some(Event::Mark { time }))
    }

    fn header_text(&mut self, word: Keyword) -> Result<(), HpError> {
        if self.scan.skip_space()? != Some(b'"') {
            return Err(HpError::bad(self.scan.line, Fault::WantsString(word)));
        }
        self.strict(self.scan.line != self.statement, || Fault::NotOnOneLine)?;
        self.scan.string()?;
        let index = header_index(word);
        // Behind the samples, another JOB says what was not known at the beginning.
        let is_late = word == Keyword::Job && self.samples > 0 && self.open.is_none();
        self.strict(self.header[index].is_some() && !is_late, || Fault::HeaderTwice(word))?;
        if is_late {
            self.between.get_or_insert((self.statement, word));
        }
        let in_order = self.header[..index].iter().all(Option::is_some);
        self.strict(!in_order, || Fault::HeaderLate(word))?;
        self.header[index] = Some(self.scan.text.as_slice().into());
        Ok(())
    }

    /// The number after a word. None if something else follows, which is then the scanner's text.
    fn argument(&mut self) -> Result<Option<Number>, HpError> {
        let first = self.scan.skip_space()?;
        self.argument = self.scan.line;
        if !first.is_some_and(|byte| byte.is_ascii_digit()) {
            self.scan.word()?;
            return Ok(None);
        }
        self.strict(self.argument != self.statement, || Fault::NotOnOneLine)?;
        let number = self.scan.number()?;
        let dots = self.scan.text.iter().filter(|&&byte| byte == b'.').count();
        self.strict(dots > 1, || Fault::TwoDots)?;
        if self.scan.peek()?.is_none_or(scan::is_space) {
            return Ok(Some(number));
        }
        // Such as 1e6: the number is not what it seems.
        let mut whole = std::mem::take(&mut self.scan.text);
        self.scan.word()?;
        whole.append(&mut self.scan.text);
        self.scan.text = whole;
        Ok(None)
    }

    fn float(&mut self, word: Keyword) -> Result<f64, HpError> {
        match self.argument()? {
            Some(Number::Float(time)) => Ok(time),
            _ => Err(HpError::bad(self.argument, Fault::WantsFloat(word))),
        }
    }

    /// The end of the file, between statements.
    fn finish(&mut self) -> Result<Option<Event>, HpError> {
        if let Some(line) = self.open {
            return self.forgive_cut(HpError::bad(line, Fault::CutShort));
        }
        if let Some(line) = self.stray {
            return Err(HpError::bad(line, Fault::StrayValues));
        }
        self.wind_up()
    }

    /// A file whose writer was stopped ends within a sample or a statement. What stands before is sound, so the
    /// tolerant rules keep it; anything wrong in mid-file is wrong.
    fn forgive_cut(&mut self, error: HpError) -> Result<Option<Event>, HpError> {
        let HpError::Bad { fault, .. } = &error else { return Err(error) };
        // The beginning of a number is a smaller one.
        let can_be_cut = matches!(
            fault,
            Fault::CutShort | Fault::WantsFloat(_) | Fault::WantsInteger { .. } | Fault::OutOfSequence
        );
        if !can_be_cut || !self.scan.is_last_line_open()? {
            return Err(error);
        }
        let line = self.open.unwrap_or(self.statement);
        if self.is_strict() {
            return Err(HpError::bad(line, Fault::CutShort));
        }
        if self.samples > 0 {
            self.cut = Some(Cut { line });
        }
        self.wind_up()
    }

    fn wind_up(&mut self) -> Result<Option<Event>, HpError> {
        self.finished = true;
        self.bands.forget_values();
        if self.is_empty {
            return Err(HpError::bad(self.scan.line, Fault::Empty));
        }
        for word in [Keyword::Job, Keyword::Date, Keyword::ValueUnit, Keyword::SampleUnit] {
            if self.header[header_index(word)].is_none() {
                return Err(HpError::bad(self.scan.line, Fault::Missing(word)));
            }
        }
        if self.samples == 0 {
            return Err(HpError::bad(self.scan.line, Fault::NoSamples));
        }
        Ok(None)
    }
}

/// The header's words in the order in which the runtime writes them.
const HEADER: [Keyword; 4] = [Keyword::Job, Keyword::Date, Keyword::SampleUnit, Keyword::ValueUnit];

fn header_index(word: Keyword) -> usize {
    HEADER.iter().position(|&other| other == word).unwrap_or_default()
}

/// A name for a message: printable, and not the whole of a long one.
fn show(name: &[u8]) -> String {
    let cut = &name[..name.len().min(40)];
    let dots = if cut.len() < name.len() { "..." } else { "" };
    format!("{}{dots}", cut.escape_ascii())
}
