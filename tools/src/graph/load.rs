//! Reads a snapshot into a graph, in one pass over the file: references are kept as addresses until all objects are known.

use super::Graph;
use super::ahead::{AHEAD, fetch};
use super::dominators::MOST;
use super::places::Places;
use crate::read::ReadError;
use crate::read::snapshot::{Hold, Reader, Record};
use barrow::report::snapshot::Totals;
use std::collections::HashMap;
use std::io::Read;
use std::thread;

#[derive(Default)]
struct Draft {
    addresses: Vec<u64>,
    words: Vec<u32>,
    large: Vec<(u32, u64)>,
    info: Vec<u32>,
    /// Where the references of each object begin in `to`.
    starts: Vec<u32>,
    to: Vec<u64>,
    roots: Vec<(String, Vec<u64>)>,
    weak: u64,
}

pub fn load<R: Read>(name: &str, source: R) -> Result<Graph, ReadError> {
    let mut reader = Reader::new(name, source)?;
    let mut draft = Draft::default();
    let mut infos = Vec::new();
    // By the number that the file gives an info table, which counts from 1 in files of the library.
    let mut near: Vec<u32> = Vec::new();
    let mut far: HashMap<u32, u32> = HashMap::new();
    let mut root_names: HashMap<String, usize> = HashMap::new();
    let mut seen = Totals::default();
    loop {
        match reader.next()? {
            Record::Info(number, info) => {
                let next = infos.len() as u32;
                infos.push(info);
                let known = if (number as usize) < 1 << 16 {
                    near.resize(near.len().max(number as usize + 1), u32::MAX);
                    std::mem::replace(&mut near[number as usize], next) != u32::MAX
                } else {
                    far.insert(number, next).is_some()
                };
                if known {
                    return Err(reader.wrong(&format!("info table {number} is described twice")));
                }
            }
            Record::Object { info, at, words } => {
                let known = near.get(info as usize).copied().filter(|&own| own != u32::MAX);
                let Some(own) = known.or_else(|| far.get(&info).copied()) else {
                    return Err(reader.wrong(&format!("info table {info} was not described")));
                };
                if draft.addresses.len() + draft.to.len() + seen.roots as usize >= MOST - (1 << 20) {
                    return Err(reader.wrong("more than two billion objects and references"));
                }
                seen.objects += 1;
                seen.words = seen.words.saturating_add(words);
                if words >= u64::from(u32::MAX) {
                    draft.large.push((draft.addresses.len() as u32, words));
                }
                draft.addresses.push(at);
                draft.words.push(u32::try_from(words).unwrap_or(u32::MAX));
                draft.info.push(own);
                draft.starts.push(draft.to.len() as u32);
                while let Some(edge) = reader.edge()? {
                    seen.edges += 1;
                    if edge.hold == Hold::Weak {
                        draft.weak += 1;
                    } else {
                        draft.to.push(edge.to);
                    }
                }
            }
            Record::Roots(name) => {
                let next = draft.roots.len();
                let number = *root_names.entry(name.clone()).or_insert(next);
                if number == next {
                    draft.roots.push((name, Vec::new()));
                }
                while let Some(edge) = reader.edge()? {
                    seen.roots += 1;
                    draft.roots[number].1.push(edge.to);
                }
            }
            Record::End(totals) if totals != seen => {
                return Err(reader.wrong(&format!("the end says {totals:?}, and {seen:?} were there")));
            }
            Record::End(_) => break,
        }
    }
    draft.starts.push(draft.to.len() as u32);
    let mut graph = draft.finish().map_err(|what| ReadError::file(name, what))?;
    graph.infos = infos;
    Ok(graph)
}

/// Values that come in the order of the file, put into the order of the numbers.
fn placed<T: Copy + Default>(number: &[u32], values: impl Iterator<Item = T>) -> Vec<T> {
    let mut placed = vec![T::default(); number.len()];
    for ((at, &own), value) in number.iter().enumerate().zip(values) {
        if let Some(&later) = number.get(at + AHEAD) {
            fetch(&placed, later as usize);
        }
        placed[own as usize] = value;
    }
    placed
}

impl Draft {
    /// Everything by number of object. The parts that are read for the last time are freed on the way.
    fn finish(self) -> Result<Graph, String> {
        let at = |address: u64| format!("{:#x}", address.wrapping_mul(8));
        let count = self.addresses.len();
        let places = Places::new(&self.addresses)
            .map_err(|address| format!("two objects lie at address {}", at(address)))?;
        let number = places.find_all(&self.addresses).unwrap_or_default();
        // The number of references first, then where they begin.
        let nodes = count + self.roots.len() + 1;
        let mut starts = vec![0u32; nodes + 1];
        let sizes = self.starts.windows(2).map(|two| two[1] - two[0]);
        // Each of these waits for memory, two at a time for half as long.
        let (addresses, words, info) = thread::scope(|scope| {
            let work = || placed(&number, self.addresses.iter().copied());
            let addresses = thread::Builder::new().spawn_scoped(scope, work);
            let words = placed(&number, self.words.iter().copied());
            let info = placed(&number, self.info.iter().copied());
            for (&own, size) in number.iter().zip(sizes) {
                starts[own as usize + 1] = size;
            }
            let addresses = addresses.ok().and_then(|thread| thread.join().ok());
            (addresses.unwrap_or_else(work), words, info)
        });
        drop((self.addresses, self.words, self.info));
        let large: HashMap<u32, u64> =
            self.large.iter().map(|&(place, size)| (number[place as usize], size)).collect();
        let size = |own: usize| large.get(&(own as u32)).copied().unwrap_or(u64::from(words[own]));
        if let Some(own) = (1..count).find(|&own| addresses[own - 1] + size(own - 1) > addresses[own]) {
            return Err(format!("two objects lie at address {}", at(addresses[own])));
        }
        for (place, (_, to)) in self.roots.iter().enumerate() {
            starts[count + place + 1] = to.len() as u32;
        }
        starts[nodes] = self.roots.len() as u32;
        let mut sum = self.to.len() as u64;
        sum += self.roots.iter().map(|(_, to)| to.len() as u64 + 1).sum::<u64>();
        if sum as usize + nodes >= MOST {
            return Err("more than two billion objects and references".into());
        }
        let mut sum = 0u64;
        for start in &mut starts {
            sum += u64::from(*start);
            *start = sum as u32;
        }
        let to = places
            .find_all(&self.to)
            .map_err(|address| format!("an object refers to {}, where no object is", at(address)))?;
        drop(self.to);
        let mut targets = vec![0u32; sum as usize];
        for (place, &own) in number.iter().enumerate() {
            if let Some(&later) = number.get(place + 2 * AHEAD) {
                fetch(&starts, later as usize);
            }
            if let Some(&later) = number.get(place + AHEAD) {
                fetch(&targets, starts[later as usize] as usize);
            }
            let to = &to[self.starts[place] as usize..self.starts[place + 1] as usize];
            let begin = starts[own as usize] as usize;
            targets[begin..begin + to.len()].copy_from_slice(to);
        }
        drop(to);
        let mut next = starts[count] as usize;
        for (name, to) in &self.roots {
            for &address in to {
                targets[next] = places
                    .find(address)
                    .ok_or_else(|| format!("the root {name} leads to {}, where no object is", at(address)))?;
                next += 1;
            }
        }
        for place in 0..self.roots.len() {
            targets[next + place] = (count + place) as u32;
        }
        let roots = self.roots.into_iter().map(|(name, _)| name).collect();
        Ok(Graph {
            addresses,
            info,
            infos: Vec::new(),
            starts,
            targets,
            roots,
            words,
            large,
            weak: self.weak,
        })
    }
}
