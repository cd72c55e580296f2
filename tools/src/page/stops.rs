//! A time line as the page is told of it: numbers in flat lists, since there may be many. Sums are of all stops and collections;
//! of more than can be drawn at once, the longest go.

use super::describe::base;
use crate::read::any::Input;
use crate::sort;
use crate::stops::Timeline;
use serde_json::{Value, json};

/// Spans that go to the page: collections, and threads in stops. A page of so many has about 10 MB.
const MOST: usize = 600_000;

#[derive(Default, Clone)]
struct Sums {
    stood: u64,
    stood_ns: u64,
    asked: u64,
    waited_ns: u64,
    collections: u64,
    collected_ns: u64,
    /// The times that it was the last to come, and for how long the others had to wait for it.
    last: u64,
    last_ns: u64,
}

pub fn file(input: &Input, timeline: &Timeline) -> Value {
    let sums = sums(timeline);
    let threads: Vec<Value> = (timeline.threads.iter().zip(&sums))
        .map(|(thread, sum)| {
            json!({
                "number": thread.number, "name": thread.shown(), "attached": thread.attached,
                "stood": sum.stood, "stoodNs": sum.stood_ns, "asked": sum.asked, "waitedNs": sum.waited_ns,
                "collections": sum.collections, "collectedNs": sum.collected_ns, "last": sum.last, "lastNs": sum.last_ns,
            })
        })
        .collect();
    let (stops, left_stops) =
        longest(&timeline.stops, MOST, |stop| (stop.ended - stop.asked, 1 + stop.others.len()));
    let (collections, left_collections) =
        longest(&timeline.collections, MOST / 6, |one| (one.ended - one.begun, 1));
    let mut flat: Vec<u64> = Vec::new();
    for stop in stops {
        let head = [stop.asked, stop.still - stop.asked, stop.ended - stop.asked, stop.thread as u64];
        flat.extend(head);
        flat.push(stop.others.len() as u64);
        for other in &stop.others {
            flat.extend([other.thread as u64 * 2 + u64::from(other.away), other.from - stop.asked]);
        }
    }
    let runs: Vec<u64> = collections
        .into_iter()
        .flat_map(|one| {
            let kind = one.generation.saturating_mul(2) | u64::from(one.major);
            [
                one.begun,
                one.ended - one.begun,
                one.thread as u64,
                one.workers,
                kind,
                one.number,
                one.copied,
                one.live,
            ]
        })
        .collect();
    let all = |values: &mut dyn Iterator<Item = u64>| values.fold(0, u64::saturating_add);
    let most = |values: &mut dyn Iterator<Item = u64>| values.max().unwrap_or(0);
    json!({
        "type": "stops", "path": base(&input.name), "job": timeline.job, "warnings": input.notes, "end": timeline.end,
        "threads": threads, "stops": flat, "collections": runs, "leftStops": left_stops, "leftCollections": left_collections,
        "sums": {
            "stops": timeline.stops.len(), "waitedNs": all(&mut sums.iter().map(|sum| sum.waited_ns)),
            "longestWait": most(&mut timeline.stops.iter().map(|stop| stop.still - stop.asked)),
            "longestStop": most(&mut timeline.stops.iter().map(|stop| stop.ended - stop.asked)),
            "stoppedNs": all(&mut timeline.stops.iter().map(|stop| stop.ended - stop.asked)),
            "collections": timeline.collections.len(), "majors": timeline.collections.iter().filter(|one| one.major).count(),
            "collectedNs": all(&mut sums.iter().map(|sum| sum.collected_ns)),
            "longest": most(&mut timeline.collections.iter().map(|one| one.ended - one.begun)),
        },
    })
}

fn sums(timeline: &Timeline) -> Vec<Sums> {
    let mut sums = vec![Sums::default(); timeline.threads.len()];
    let add = |sum: &mut u64, more| *sum = sum.saturating_add(more);
    for stop in &timeline.stops {
        let own = &mut sums[stop.thread];
        own.asked += 1;
        add(&mut own.waited_ns, stop.still - stop.asked);
        for other in stop.others.iter().filter(|other| !other.away) {
            sums[other.thread].stood += 1;
            add(&mut sums[other.thread].stood_ns, stop.ended - other.from);
        }
        if let Some(last) = stop.others.iter().filter(|other| !other.away).max_by_key(|other| other.from) {
            sums[last.thread].last += 1;
            add(&mut sums[last.thread].last_ns, last.from - stop.asked);
        }
    }
    for one in &timeline.collections {
        sums[one.thread].collections += 1;
        add(&mut sums[one.thread].collected_ns, one.ended - one.begun);
    }
    sums
}

/// The longest items that fit, in their order, and how many do not. `weigh` gives how long one is, and how much it takes.
fn longest<T>(items: &[T], most: usize, weigh: impl Fn(&T) -> (u64, usize)) -> (Vec<&T>, usize) {
    if items.iter().map(|item| weigh(item).1).sum::<usize>() <= most {
        return (items.iter().collect(), 0);
    }
    let mut order: Vec<usize> = (0..items.len()).collect();
    sort::by(&mut order, |&a, &b| weigh(&items[b]).0.cmp(&weigh(&items[a]).0));
    let mut room = most;
    let mut kept: Vec<usize> = order
        .into_iter()
        .filter(|&at| {
            let left = room.checked_sub(weigh(&items[at]).1);
            room = left.unwrap_or(room);
            left.is_some()
        })
        .collect();
    sort::by(&mut kept, Ord::cmp);
    let left = items.len() - kept.len();
    (kept.into_iter().map(|at| &items[at]).collect(), left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::any::Profile;
    use crate::stops::{Collection, Other, Stop, Thread};

    #[test]
    fn the_longest_that_fit_are_kept_in_their_order() {
        let items = [(5, 2), (9, 3), (1, 1), (7, 2)];
        assert_eq!(longest(&items, 8, |&item| item), (items.iter().collect(), 0));
        assert_eq!(longest(&items, 5, |&item| item), (vec![&(9, 3), &(7, 2)], 2));
        assert_eq!(longest(&items, 0, |&item| item), (vec![], 4));
        assert_eq!(longest(&items, 4, |&item| item), (vec![&(9, 3), &(1, 1)], 2));
        assert_eq!(longest(&[(9, 30), (5, 2)], 8, |&item| item), (vec![&(5, 2)], 1), "what never fits");
    }

    #[test]
    fn sums_end_at_the_greatest_number() {
        let stop = |thread, other| Stop {
            asked: 0,
            still: u64::MAX,
            ended: u64::MAX,
            thread,
            others: vec![
                Other { thread: other, from: 0, away: false },
                Other { thread: 2, from: u64::MAX, away: false },
            ],
        };
        let collection = |thread| Collection {
            begun: 0,
            ended: u64::MAX,
            thread,
            workers: 1,
            number: 1,
            generation: u64::MAX,
            major: true,
            copied: 0,
            live: 0,
        };
        let timeline = Timeline {
            threads: (0..3).map(|_| Thread::default()).collect(),
            stops: vec![stop(0, 1), stop(0, 1), stop(1, 0)],
            collections: vec![collection(0), collection(0), collection(1)],
            ..Timeline::default()
        };
        let input =
            Input { name: "a.stops".into(), profile: Profile::Stops(Timeline::default()), notes: Vec::new() };
        let told = file(&input, &timeline);
        for name in ["waitedNs", "stoppedNs", "collectedNs"] {
            assert_eq!(told["sums"][name], json!(u64::MAX), "{name}");
        }
        for (thread, name) in [(0, "waitedNs"), (0, "collectedNs"), (1, "stoodNs"), (2, "lastNs")] {
            assert_eq!(told["threads"][thread][name], json!(u64::MAX), "{thread} {name}");
        }
    }
}
