//! The results of a profile, by function: the counts of makers are added up under names (`naming`).

use crate::base::{Failure, List, Outcome, sort};
use crate::identity::function;
use crate::identity::maker::{Maker, Makers};
use crate::os::symbols::Symbols;
use crate::profile::heap::tally::Count;
use crate::profile::space::kinds::COLUMNS;
use crate::profile::space::ledger::manner::{MANNER_CALLS, MANNER_KINDS, MANNER_TIME};
use crate::profile::space::ledger::{Run, STAMPED, Space, Wish};
use crate::profile::space::live::{Analysis, Live};
pub(crate) use crate::profile::space::naming::NameOf;
use crate::profile::space::naming::{Key, key};
use crate::profile::space::rows::{Cell, Row};
use crate::profile::space::time::{Caller, Callers};

/// A piece of `Results::text`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Text {
    pub(crate) from: usize,
    pub(crate) to: usize,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Function {
    pub name: Text,
    pub module: Text,
    /// The offset in the module of the first of its addresses; or 0.
    pub offset: usize,
    /// The client's word.
    pub word: usize,
    /// Number of places in it that allocate.
    pub sites: u32,
    pub allocated: Count,
    pub copied: Count,
    /// Ticks of the clock at which it was running; `elsewhere` are those at which it waited on the stack.
    pub top: u64,
    pub elsewhere: u64,
    /// Number of calls, where compiled code counts them.
    pub calls: u64,
    /// Bytes in the heap when the profile ended.
    pub living_bytes: u64,
    /// Whether it was recorded by kind.
    pub has_kinds: bool,
    /// Whether the client's `name_of` has named it.
    pub(crate) is_told: bool,
}

/// The live bytes at one moment: pairs of a function's index and its bytes.
#[derive(Default)]
pub struct Point {
    pub seconds: f64,
    pub collection: u64,
    pub bytes: u64,
    pub asked: bool,
    pub parts: List<(u32, u64)>,
}

#[derive(Default)]
pub struct Results {
    pub functions: List<Function>,
    pub total: Function,
    /// Objects and words made by functions that were not profiled.
    pub unprofiled: Count,
    pub generations: usize,
    /// Objects and words copied out of each generation, for each function.
    pub copied: List<Count>,
    /// The tables of kinds, for each function: a line for allocated objects and one for each generation that
    /// objects were copied out of, by column.
    pub cells: List<Cell>,
    text: List<u8>,
    pub collections: u64,
    pub used_bytes: u64,
    pub side_bytes: u64,
    pub own_ns: u64,
    pub short_of_memory: bool,
    pub lost_tables: bool,
    /// Nanoseconds of a tick; 0 when time was not sampled.
    pub tick_ns: u64,
    /// Ticks of collections, of the profiler, and of the program where memory was short.
    pub ticks_apart: [u64; 3],
    /// The tree of callers, with functions by index.
    pub callers: Callers,
    pub points: List<Point>,
    pub maxima: List<Point>,
    pub greatest: Point,
}

impl Results {
    pub fn text(&self, text: Text) -> &[u8] {
        &self.text[text.from..text.to]
    }

    pub(crate) fn function(&self, index: usize) -> Outcome<&Function> {
        self.functions
            .get(index)
            .ok_or_else(|| Failure::argument(format_args!("the space profile has no function {index}")))
    }

    /// A node in the tree of callers.
    pub(crate) fn caller(&self, index: usize) -> Outcome<&Caller> {
        self.callers
            .nodes
            .get(index)
            .ok_or_else(|| Failure::argument(format_args!("the space profile has no caller {index}")))
    }

    pub fn lines(&self) -> usize {
        1 + self.generations
    }

    pub fn copied_of(&self, function: usize) -> &[Count] {
        &self.copied[function * self.generations..(function + 1) * self.generations]
    }

    pub fn cells_of(&self, function: usize) -> &[Cell] {
        let each = self.lines() * COLUMNS;
        &self.cells[function * each..(function + 1) * each]
    }

    pub(crate) fn keep(&mut self, text: &[u8]) -> Outcome<Text> {
        let from = self.text.len();
        self.text.append(text)?;
        Ok(Text { from, to: self.text.len() })
    }

    /// Gathers the results of the profile `run` and those inside it.
    pub(crate) fn gather(
        space: &Space,
        makers: &Makers,
        begun: &Run,
        name_of: Option<NameOf>,
    ) -> Outcome<Results> {
        let Run { id: run, collections_before, wish: Wish { client, .. }, .. } = *begun;
        let mut results = Results { generations: space.generations, ..Results::default() };
        let mut symbols = Symbols::default();
        let mut keys = List::new();
        for number in 1..space.rows.count() as u32 {
            let maker = makers.get(number);
            let row = space.rows.get(number);
            if planted!(136, maker.run != run, maker.run < run) || is_unused_rest(maker, row) {
                continue;
            }
            // The row may be there for a profile outside this one.
            let manner = space.manner_of(number);
            if manner & STAMPED == 0 {
                add(&mut results.unprofiled, row.allocated);
            }
            if manner == 0 {
                continue;
            }
            keys.push(key(number, maker, &mut symbols)?)?;
        }
        sort::sort(&mut keys);
        let mut index_of = List::new();
        index_of.fill(space.rows.count(), u32::MAX)?;
        let mut before: Option<Key> = None;
        for &key in keys.iter() {
            let same = before.is_some_and(|b| b.word == key.word && b.code == key.code);
            if !same {
                results.add_function(
                    key,
                    makers.get(key.number),
                    &mut symbols,
                    name_of,
                    client,
                    space.mark,
                )?;
            }
            before = Some(key);
            index_of[key.number as usize] = results.functions.len() as u32 - 1;
            results.add_counts(space, key.number);
        }
        results.add_calls(space, &keys, &mut symbols)?;
        results.sort(&mut index_of)?;
        results.sum();
        let place = |number, manners| {
            let wanted = space.manner_of(number) & manners != 0;
            index_of.get(number as usize).copied().filter(|_| wanted).unwrap_or(u32::MAX)
        };
        let one = |analysis: &Analysis| point(analysis, &|number| place(number, STAMPED));
        let Live { greatest, maxima, points, .. } = &space.live;
        // Moments before this profile are those of profiles around it.
        let is_own = |analysis: &&Analysis| analysis.collection > planted!(610, 0, collections_before);
        let all = points.iter().chain(maxima.iter()).chain([greatest]);
        // Others' objects may be most of a moment that is not this profile's greatest.
        let own_words = |analysis: &&Analysis| -> u64 {
            let own = analysis.parts.iter().filter(|&&(number, _)| place(number, STAMPED) != u32::MAX);
            own.map(|&(_, words)| words).sum()
        };
        if let Some(greatest) = all.filter(is_own).max_by_key(own_words) {
            results.greatest = one(greatest)?;
        }
        for analysis in maxima.iter().filter(is_own) {
            results.maxima.push(one(analysis)?)?;
        }
        for analysis in points.iter().filter(is_own) {
            results.points.push(one(analysis)?)?;
        }
        results.short_of_memory = space.short_of_memory || space.live.missed != 0;
        results.lost_tables = space.lost_tables;
        // The clock may be that of a profile around one which wants no time.
        let wish = &begun.wish;
        let has_time = wish.tick_ns != 0 || wish.manner & MANNER_TIME != 0 || wish.manner_of.is_some();
        if let Some(clock) = space.clock.as_ref().filter(|_| has_time) {
            results.tick_ns = clock.interval();
        }
        results.put_callers(space, &|number| place(number, MANNER_TIME));
        results.used_bytes = space.held_bytes().max(space.most_bytes) as u64;
        Ok(results)
    }

    /// Takes the tree of callers, with functions by index. Nodes of other profiles are left out, with
    /// their callers.
    fn put_callers(&mut self, space: &Space, place_of: &dyn Fn(u32) -> u32) {
        let mut place = List::new();
        for node in space.callers.nodes.iter() {
            let index = place_of(node.who);
            // A parent comes before its children.
            let parent =
                if node.parent == 0 { Some(0) } else { place.get(node.parent as usize - 1).copied() };
            let at = match parent {
                Some(parent) if index != u32::MAX && (node.parent == 0 || parent != 0) => {
                    self.callers.add(parent, index, node.ticks)
                }
                _ => 0,
            };
            if place.push(at).is_err() {
                return;
            }
        }
    }

    /// Adds a row to the function that was added last.
    fn add_counts(&mut self, space: &Space, number: u32) {
        let (row, last) = (space.rows.get(number), self.functions.len() - 1);
        let manner = space.manner_of(number);
        let generations = self.generations;
        let function = &mut self.functions[last];
        function.sites += 1;
        if manner & MANNER_TIME != 0 {
            function.top += row.top;
            function.elsewhere += row.elsewhere;
        }
        if manner & STAMPED == 0 {
            return;
        }
        add(&mut function.allocated, row.allocated);
        add(&mut function.copied, row.copied);
        for (generation, aged) in space.rows.aged(number).iter().enumerate() {
            add(&mut self.copied[last * generations + generation], aged.copied);
            function.living_bytes += aged.in_it * 8;
        }
        let cells = if manner & MANNER_KINDS != 0 { space.rows.cells(number) } else { &[] };
        function.has_kinds |= !cells.is_empty();
        let first = last * (1 + generations) * COLUMNS;
        for (sum, cell) in self.cells[first..].iter_mut().zip(cells) {
            sum.objects += cell.objects;
            sum.bytes += cell.bytes;
            sum.overhead += cell.overhead;
        }
    }

    /// Adds calls to the functions that are there, names those that are words of counted functions, and adds functions that
    /// were only called.
    fn add_calls(&mut self, space: &Space, keys: &[Key], symbols: &mut Symbols) -> Outcome<()> {
        let (Some(run), Some(calls)) = (space.runs.last(), space.calls.last()) else { return Ok(()) };
        // The keys of the functions so far, in the order of the keys.
        let mut known = List::new();
        for key in keys {
            if known.last() != Some(&(key.word, key.code)) {
                known.push((key.word, key.code))?;
            }
        }
        for number in 1..=function::count() {
            let Some(function) = function::function(number) else { continue };
            let (code, count) = (function.code(), calls.of(number));
            if code == 0 {
                continue;
            }
            let word = known.binary_search(&(code, code));
            if let Some(word) = word.ok().filter(|&word| planted!(686, false, !self.functions[word].is_told))
            {
                self.functions[word].name = self.keep(function.name.to_bytes())?;
            }
            if count == 0 {
                continue;
            }
            let wanted = match run.wish.manner_of {
                Some(choose) => {
                    let (function, site) = (code as *mut _, std::ptr::null_mut());
                    // SAFETY: the client's callback takes its own pointer and a word of the client's own.
                    space.mark.during(|| unsafe { choose(run.wish.client, function, site) })
                }
                None => run.wish.manner,
            };
            if wanted & MANNER_CALLS == 0 {
                continue;
            }
            let there = word.or_else(|_| known.binary_search(&(0, code)));
            let index = match there {
                Ok(index) => index,
                Err(_) => {
                    let mut one =
                        Function { name: self.keep(function.name.to_bytes())?, ..Function::default() };
                    match symbols.locate(code)? {
                        Some(located) => {
                            one.module = self.keep(located.module)?;
                            one.offset = located.offset;
                        }
                        None => one.word = code,
                    }
                    self.push_function(one)?;
                    self.functions.len() - 1
                }
            };
            self.functions[index].calls += count;
        }
        Ok(())
    }

    pub(crate) fn push_function(&mut self, function: Function) -> Outcome<()> {
        let cells = (self.functions.len() + 1) * self.lines() * COLUMNS;
        self.copied.fill((self.functions.len() + 1) * self.generations, Count::default())?;
        self.cells.fill(cells, Cell::default())?;
        self.functions.push(function)
    }

    /// Sorts the functions: those that allocate most come first.
    fn sort(&mut self, index_of: &mut List<u32>) -> Outcome<()> {
        let mut order = List::new();
        for index in 0..self.functions.len() {
            order.push(index)?;
        }
        let functions = &self.functions;
        sort::sort_by_key(&mut order, |&i| (std::cmp::Reverse(functions[i].allocated.words), i));
        let mut sorted = Results::default();
        let mut place = List::new();
        place.fill(order.len(), 0u32)?;
        for (to, &from) in order.iter().enumerate() {
            place[from] = to as u32;
            sorted.functions.push(functions[from])?;
            sorted.copied.append(self.copied_of(from))?;
            sorted.cells.append(self.cells_of(from))?;
        }
        for index in index_of.iter_mut().filter(|index| **index != u32::MAX) {
            *index = place[*index as usize];
        }
        (self.functions, self.copied, self.cells) = (sorted.functions, sorted.copied, sorted.cells);
        Ok(())
    }

    fn sum(&mut self) {
        for function in self.functions.iter() {
            add(&mut self.total.allocated, function.allocated);
            add(&mut self.total.copied, function.copied);
            self.total.top += function.top;
            self.total.calls += function.calls;
            self.total.living_bytes += function.living_bytes;
            self.total.sites += function.sites;
        }
    }
}

pub(super) fn add(sum: &mut Count, more: Count) {
    sum.words += more.words;
    sum.objects += more.objects;
}

/// Whether a row for other functions was never used.
fn is_unused_rest(maker: Maker, row: &Row) -> bool {
    maker.site == usize::MAX && row.allocated.words == 0 && row.top + row.elsewhere == 0
}

fn point(analysis: &Analysis, place_of: &dyn Fn(u32) -> u32) -> Outcome<Point> {
    let mut parts: List<(u32, u64)> = List::new();
    for &(number, words) in analysis.parts.iter() {
        parts.push((place_of(number), words * 8))?;
    }
    sort::sort(&mut parts);
    let mut merged: List<(u32, u64)> = List::new();
    for &(index, bytes) in parts.iter().filter(|(index, _)| *index != u32::MAX) {
        match merged.last_mut() {
            Some(last) if last.0 == index => last.1 += bytes,
            _ => merged.push((index, bytes))?,
        }
    }
    Ok(Point {
        seconds: analysis.seconds,
        collection: analysis.collection,
        bytes: merged.iter().map(|(_, bytes)| bytes).sum(),
        asked: analysis.asked,
        parts: merged,
    })
}
