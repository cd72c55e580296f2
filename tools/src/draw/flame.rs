//! A report as an icicle graph: the root above, width by weight.

use super::{Anchor, INK, SOFT, Scene, amount, colour, shorten};
use crate::prof::{Measure, Report};
use crate::sort;

const WIDTH: f64 = 1200.0;
const EDGE: f64 = 20.0;
const HEAD: f64 = 52.0;
const ROW: f64 = 18.0;

pub fn draw(report: &Report, measure: Measure) -> Scene {
    let weights = report.inherited(measure);
    let children = report.children();
    let mut scene =
        Scene { width: WIDTH, height: HEAD + EDGE, title: report.job.clone(), shapes: Vec::new() };
    let whole = weights.first().copied().unwrap_or(0.0);
    let bytes = measure == Measure::Alloc;
    let word = match measure {
        Measure::Time => "ticks",
        Measure::Alloc => "allocated",
        Measure::Entries => "entries",
    };
    scene.text((EDGE, 20.0), Anchor::Start, 14.0, INK, shorten(&report.job, 120));
    let all = format!("{} {word}  {}", amount(whole, bytes), report.date);
    scene.text((EDGE, 37.0), Anchor::Start, 10.0, SOFT, all);
    let mut open = if whole > 0.0 { vec![(0u32, EDGE, 0usize)] } else { Vec::new() };
    while let Some((index, left, depth)) = open.pop() {
        let node = &report.nodes[index as usize];
        let width = weights[index as usize] / whole * (WIDTH - 2.0 * EDGE);
        let top = HEAD + depth as f64 * ROW;
        scene.height = scene.height.max(top + ROW + EDGE);
        let name = node.full_name();
        let share = 100.0 * weights[index as usize] / whole;
        let title = format!("{name} ({}): {}, {share:.1}%", node.src, amount(weights[index as usize], bytes));
        let fill = if index == 0 { colour::OTHER } else { colour::frame(&node.label, &node.module) };
        scene.rect(left, top, (width - 0.6).max(0.2), ROW - 1.0, fill, title);
        if width > 30.0 {
            let fit = ((width - 8.0) / 6.4) as usize;
            scene.text(
                (left + 4.0, top + ROW / 2.0),
                Anchor::Start,
                10.0,
                INK,
                if name.chars().count() <= fit { name } else { shorten(&node.label, fit) },
            );
        }
        let mut at = left;
        // The heaviest first, as in the page.
        let mut inside = children[index as usize].clone();
        sort::by(&mut inside, |&a, &b| weights[b as usize].total_cmp(&weights[a as usize]));
        for child in inside {
            let wide = weights[child as usize] / whole * (WIDTH - 2.0 * EDGE);
            // Narrower than this is less than a hair on any paper.
            if wide >= 0.3 {
                open.push((child, at, depth + 1));
            }
            at += wide;
        }
    }
    scene
}
