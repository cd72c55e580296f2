//! Graphs whose figures are worked out by taking objects away.

use super::*;
use barrow::report::snapshot::{InfoTexts, SnapshotWriter, Sort, edge};

fn texts<'a>(type_name: &'a [u8], description: &'a [u8]) -> InfoTexts<'a> {
    InfoTexts { sort: Sort::Data, whole: b"", kind: b"M.K", type_name, description, module: b"M" }
}

fn random(state: &mut u64, below: u64) -> u64 {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*state >> 33) % below
}

/// A snapshot of objects of three types at addresses of 8 words each, in any order, with references and roots.
fn snapshot(order: &[u64], to: &[Vec<u64>], roots: &[(&str, Vec<u64>)]) -> Vec<u8> {
    let place = |own: u64| (0x200 + own * 8) * 8;
    let mut bytes = Vec::new();
    let mut writer = SnapshotWriter::begin(&mut bytes).unwrap();
    for (number, name) in [&b"List"[..], b"Table", b"Entry"].into_iter().enumerate() {
        writer.info(number as u32 + 1, &texts(name, b"")).unwrap();
    }
    for &own in order {
        writer.object(own as u32 % 3 + 1, place(own), 1 + own % 7);
        for &target in &to[own as usize] {
            writer.edge(edge::STRONG, place(target));
        }
        writer.edge(edge::WEAK, place(0));
        writer.end_edges();
    }
    for (name, targets) in roots {
        writer.roots(name.as_bytes());
        targets.iter().for_each(|&target| writer.edge(edge::STRONG, place(target)));
        writer.end_edges();
    }
    writer.end().unwrap();
    bytes
}

/// What the roots hold when some objects are taken away, in words.
fn held(to: &[Vec<u64>], roots: &[(&str, Vec<u64>)], without: impl Fn(u64) -> bool) -> Vec<bool> {
    let mut seen = vec![false; to.len()];
    let mut open: Vec<u64> = roots.iter().flat_map(|(_, targets)| targets.clone()).collect();
    while let Some(own) = open.pop() {
        if !without(own) && !std::mem::replace(&mut seen[own as usize], true) {
            open.extend(&to[own as usize]);
        }
    }
    seen
}

#[test]
fn figures_are_those_of_taking_objects_away() {
    let mut state = 3;
    for round in 0..300 {
        let count = 1 + random(&mut state, 30);
        let mut order: Vec<u64> = (0..count).collect();
        (1..count).rev().for_each(|at| order.swap(at as usize, random(&mut state, at + 1) as usize));
        let to: Vec<Vec<u64>> = (0..count)
            .map(|_| (0..random(&mut state, 4)).map(|_| random(&mut state, count)).collect())
            .collect();
        let pick =
            |state: &mut u64| (0..random(state, 3)).map(|_| random(state, count)).collect::<Vec<u64>>();
        let roots = [("handles", pick(&mut state)), ("stack", pick(&mut state))];
        let shown = read("x", &snapshot(&order, &to, &roots)[..]).unwrap();
        let words = |seen: &[bool]| -> u64 {
            (0..count).filter(|&own| seen[own as usize]).map(|own| 1 + own % 7).sum()
        };
        let all = held(&to, &roots, |_| false);
        assert_eq!(shown.nodes[0].retained, words(&all), "round {round}");
        assert_eq!(shown.unheld.0, all.iter().filter(|&&is| !is).count() as u64);
        assert_eq!(shown.weak, count);
        for node in &shown.nodes {
            let What::Object(_, at) = node.what else { continue };
            let own = (at - 0x200) / 8;
            let gone = words(&all) - words(&held(&to, &roots, |other| other == own));
            assert_eq!((node.retained, node.words), (gone, 1 + own % 7), "round {round}: object {own}");
            check_way(node.way.as_ref().unwrap(), own, &to, &roots, &all);
        }
        for row in &shown.types {
            let kind = ["List", "Table", "Entry"].iter().position(|name| *name == row.name).unwrap() as u64;
            let mut gone = vec![false; count as usize];
            for own in (0..count).filter(|own| own % 3 == kind && all[*own as usize]) {
                let left = held(&to, &roots, |other| other == own);
                (0..count as usize).for_each(|at| gone[at] |= all[at] && !left[at]);
            }
            let gone = words(&gone);
            assert_eq!(row.retained, Some(gone), "round {round}: {}", row.name);
            assert_eq!(row.count, (0..count).filter(|own| own % 3 == kind).count() as u64);
        }
    }
}

/// Every step is a reference, the first of a root; and no way is shorter.
fn check_way(way: &Way, own: u64, to: &[Vec<u64>], roots: &[(&str, Vec<u64>)], all: &[bool]) {
    let place = |what: &What| match what {
        What::Object(_, at) => (at - 0x200) / 8,
        other => panic!("{other:?} on the way"),
    };
    let What::Roots(name) = way.steps[0] else { panic!("{way:?} begins at no root") };
    let steps: Vec<u64> = way.steps[1..].iter().map(place).collect();
    assert!(roots[name as usize].1.contains(&steps[0]));
    assert!(steps.windows(2).all(|two| to[two[0] as usize].contains(&two[1])), "{steps:?}");
    assert_eq!((steps.last(), way.left_out, all[own as usize]), (Some(&own), 0, true));
    let mut depth = vec![0; to.len()];
    let mut line: Vec<u64> = roots.iter().flat_map(|(_, targets)| targets.clone()).collect();
    line.iter().for_each(|&first| depth[first as usize] = 1);
    let mut next = 0;
    while let Some(&at) = line.get(next) {
        next += 1;
        for &target in &to[at as usize] {
            if depth[target as usize] == 0 {
                depth[target as usize] = depth[at as usize] + 1;
                line.push(target);
            }
        }
    }
    assert_eq!(steps.len(), depth[own as usize]);
}

#[test]
fn of_many_objects_the_greatest_are_shown_with_what_is_left() {
    // A table of 60,000 lists, every tenth of which has an entry, and a list of 30,000.
    let (lists, long) = (60_000u64, 30_000u64);
    let mut to: Vec<Vec<u64>> = vec![(1..=lists).collect()];
    let entries = 1 + lists + long;
    (0..lists).for_each(|at| to.push(if at % 10 == 0 { vec![entries + at / 10] } else { vec![] }));
    (0..long).for_each(|at| to.push(if at + 1 < long { vec![2 + lists + at] } else { vec![] }));
    (0..lists / 10).for_each(|_| to.push(vec![]));
    let order: Vec<u64> = (0..to.len() as u64).collect();
    let shown = read("x", &snapshot(&order, &to, &[("handles", vec![0, 1 + lists])])[..]).unwrap();
    assert_eq!(shown.nodes.len(), MOST_NODES);
    let table = shown.nodes.iter().find(|node| node.what == What::Object(shown.row("List"), 0x200)).unwrap();
    assert_eq!(
        table.retained,
        1 + (1..=lists).chain(entries..entries + lists / 10).map(|own| 1 + own % 7).sum::<u64>()
    );
    let kept: u64 = shown
        .nodes
        .iter()
        .filter(|node| node.parent.is_some_and(|parent| shown.nodes[parent as usize].what == table.what))
        .map(|node| node.retained)
        .sum();
    let rest: u64 = table.rest.iter().map(|&(_, _, words)| words).sum::<u64>() + table.more.1;
    assert_eq!(table.words + kept + rest, table.retained);
    // The way to the list's depth is told at both ends.
    let deep = shown.nodes.iter().filter_map(|node| node.way.as_ref()).find(|way| way.left_out > 0).unwrap();
    assert_eq!((deep.steps.len(), deep.near), (2 * WAY_END, WAY_END as u32));
}

/// More than a thousand ways of some 100,000 steps: each of them begins at a root, and none is missing.
#[test]
fn long_ways_are_whole_however_many_there_are() {
    // A ladder, on which no object keeps another alive, and at its end objects that keep ten each.
    let (long, heads) = (100_000u64, 1500u64);
    let first = 2 * long;
    let mut to: Vec<Vec<u64>> = (0..first).map(|own| vec![(own | 1) + 1, (own | 1) + 2]).collect();
    for last in &mut to[first as usize - 2..] {
        *last = (first..first + heads).collect();
    }
    let leaf = first + heads;
    (0..heads).for_each(|head| to.push((leaf + head * 10..leaf + head * 10 + 10).collect()));
    (0..heads * 10).for_each(|_| to.push(vec![]));
    let order: Vec<u64> = (0..to.len() as u64).collect();
    let shown = read("x", &snapshot(&order, &to, &[("handles", vec![0, 1])])[..]).unwrap();
    let depth = |what: What| match what {
        What::Object(_, at) if (at - 0x200) / 8 < first => (at - 0x200) / 16 + 2,
        What::Object(_, at) => long + 2 + u64::from((at - 0x200) / 8 >= leaf),
        _ => 1,
    };
    let ways = shown.nodes.iter().filter_map(|node| Some((node.what, node.way.as_ref()?)));
    let instances = shown.instances.iter().flatten().map(|one| (one.what, &one.way));
    let mut deep = 0;
    for (what, way) in ways.chain(instances) {
        assert_eq!((way.steps[0], way.steps.last()), (What::Roots(0), Some(&what)));
        assert_eq!(way.steps.len() as u64 + way.left_out, depth(what), "to {what:?}");
        assert!(way.left_out == 0 || (way.steps.len(), way.near as usize) == (2 * WAY_END, WAY_END));
        for (step, &what) in way.steps.iter().enumerate() {
            let missing = if step < way.near as usize { 0 } else { way.left_out };
            assert_eq!(depth(what), step as u64 + 1 + missing);
        }
        deep += u64::from(way.left_out > long / 2);
    }
    assert!(deep > 900, "{deep} ways are long");
}

impl Shown {
    fn row(&self, name: &str) -> u32 {
        self.types.iter().position(|row| row.name == name).unwrap() as u32
    }
}

#[test]
fn two_objects_at_one_address_and_references_to_none_are_told() {
    let told = |order: &[u64], to: &[Vec<u64>]| {
        read("x", &snapshot(order, to, &[])[..]).err().map(|error| error.to_string())
    };
    assert_eq!(told(&[0, 0], &[vec![]]).unwrap(), "x: two objects lie at address 0x1000");
    assert_eq!(told(&[0], &[vec![5]]).unwrap(), "x: an object refers to 0x1140, where no object is");
}

/// Under a right sum: what then reads must be shown without a word of complaint from us.
#[test]
fn damaged_records_are_refused_or_shown() {
    use barrow::report::snapshot::{BLOCK_HEAD_BYTES, MAGIC, sum};
    let to: Vec<Vec<u64>> = (0..12).map(|own| vec![(own * 5) % 12, (own * 7 + 1) % 12]).collect();
    let sound = snapshot(&(0..12).collect::<Vec<u64>>(), &to, &[("handles", vec![0, 3])]);
    let head = MAGIC.len() + BLOCK_HEAD_BYTES;
    let (mut state, mut shown) = (5, 0);
    for _ in 0..60_000 {
        let mut bytes = sound.clone();
        for _ in 0..1 + random(&mut state, 3) {
            let at = head as u64 + random(&mut state, (bytes.len() - head) as u64);
            bytes[at as usize] = random(&mut state, 256) as u8;
        }
        let total = sum(&bytes[head..]).to_le_bytes();
        bytes[head - 4..head].copy_from_slice(&total);
        if let Ok(read) = read("x", &bytes[..]) {
            assert!(read.nodes[0].retained <= read.words);
            shown += 1;
        }
    }
    assert!(shown > 300, "{shown} were sound still");
}
