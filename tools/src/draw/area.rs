//! A heap profile as stacked areas with axes, marks, peak and key.

use super::top::Top;
use super::{Anchor, GRID, INK, SOFT, Scene, Shape, amount, colour, nice_step, shorten, tick, ticks};
use crate::model::HeapProfile;
use crate::moment::Moment;

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 480.0;
const LEFT: f64 = 76.0;
const TOP: f64 = 52.0;
const BOTTOM: f64 = 40.0;
const KEY: f64 = 250.0;
/// More points than this across the picture can't be seen.
const COLUMNS: usize = 1400;

pub fn draw(heap: &HeapProfile, top: &Top) -> Scene {
    let title = heap.header.job.to_string();
    let mut scene = Scene { width: WIDTH, height: HEIGHT, title: title.clone(), shapes: Vec::new() };
    let bytes = heap.header.value_unit.as_bytes() == b"bytes";
    let heights: Vec<f64> = heap.heights().into_iter().map(|height| height as f64).collect();
    let (from, to) = (heap.times.first().copied().unwrap_or(0.0), heap.times.last().copied().unwrap_or(1.0));
    let span = if to > from { to - from } else { 1.0 };
    let most = heights.iter().copied().fold(0.0, f64::max) * 1.08;
    let most = if most > 0.0 { most } else { 1.0 };
    let (w, h) = (WIDTH - LEFT - KEY, HEIGHT - TOP - BOTTOM);
    let x = |time: f64| LEFT + (time - from) / span * w;
    let y = |value: f64| TOP + h - value / most * h;

    scene.text((LEFT, 20.0), Anchor::Start, 14.0, INK, shorten(&title, 90));
    scene.text((LEFT, 37.0), Anchor::Start, 10.0, SOFT, heap.header.date.to_string());
    axes(&mut scene, heap, bytes, (from, span, most));

    let layers = top.layers(heap);
    let picked = pick(&heights);
    let mut below = vec![0.0; picked.len()];
    for layer in layers.iter().rev() {
        let fill = layer.rank.map_or(colour::OTHER, |rank| colour::band(rank, &layer.name));
        let above: Vec<f64> = picked.iter().zip(&below).map(|(&at, base)| base + layer.values[at]).collect();
        let upper = picked.iter().zip(&above).map(|(&at, &value)| (x(heap.times[at]), y(value)));
        let lower = picked.iter().zip(&below).map(|(&at, &value)| (x(heap.times[at]), y(value)));
        let points: Vec<_> = upper.chain(lower.rev()).collect();
        scene.shapes.push(Shape::Polygon { points, fill, title: layer.name.clone() });
        below = above;
    }
    for &mark in heap.marks.iter().filter(|&&mark| mark >= from && mark <= to) {
        let at = x(mark);
        scene.shapes.push(Shape::Line { from: (at, TOP), to: (at, TOP + h), stroke: SOFT, dashed: true });
    }
    if let Some(peak) = Moment::Peak.sample(heap).filter(|&peak| heights[peak] > 0.0) {
        let at = x(heap.times[peak]).clamp(LEFT + 50.0, LEFT + w - 50.0);
        let text = format!("peak {}", amount(heights[peak], bytes));
        scene.text((at, y(heights[peak]) - 9.0), Anchor::Middle, 10.0, INK, text);
    }
    key(&mut scene, &layers, w, h);
    scene
}

fn axes(scene: &mut Scene, heap: &HeapProfile, bytes: bool, (from, span, most): (f64, f64, f64)) {
    let (w, h) = (WIDTH - LEFT - KEY, HEIGHT - TOP - BOTTOM);
    let step = nice_step(most, 7.0, bytes);
    for k in 0..=(most / step) as usize {
        let value = k as f64 * step;
        let at = TOP + h - value / most * h;
        scene.line((LEFT, at), (LEFT + w, at), GRID);
        scene.text((LEFT - 8.0, at), Anchor::End, 10.0, SOFT, tick(value, most, bytes));
    }
    let step = nice_step(span, 8.0, false);
    let places = (-(step.log10() + 1e-9).floor()).clamp(0.0, 9.0) as usize;
    for time in ticks(from, from + span * 0.88, step) {
        let at = LEFT + (time - from) / span * w;
        scene.line((at, TOP + h), (at, TOP + h + 4.0), SOFT);
        scene.text((at, TOP + h + 14.0), Anchor::Middle, 10.0, SOFT, format!("{time:.places$}"));
    }
    scene.text((LEFT + w, TOP + h + 14.0), Anchor::End, 10.0, SOFT, heap.header.sample_unit.to_string());
}

fn key(scene: &mut Scene, layers: &[super::top::Layer], w: f64, h: f64) {
    let fit = (h / 17.0) as usize;
    let left = LEFT + w + 18.0;
    for (line, layer) in layers.iter().take(fit).enumerate() {
        let at = TOP + 8.0 + line as f64 * 17.0;
        let fill = layer.rank.map_or(colour::OTHER, |rank| colour::band(rank, &layer.name));
        scene.rect(left, at - 5.0, 10.0, 10.0, fill, layer.name.clone());
        scene.text((left + 16.0, at), Anchor::Start, 10.0, INK, shorten(&layer.name, 36));
    }
    if layers.len() > fit {
        let at = TOP + 8.0 + fit as f64 * 17.0;
        scene.text((left + 16.0, at), Anchor::Start, 10.0, SOFT, format!("and {} more", layers.len() - fit));
    }
}

/// All samples, or the lowest and the highest of each column, so that no peak is lost.
fn pick(heights: &[f64]) -> Vec<usize> {
    if heights.len() <= COLUMNS * 2 {
        return (0..heights.len()).collect();
    }
    let mut picked = Vec::with_capacity(COLUMNS * 2 + 2);
    for column in 0..COLUMNS {
        let range = heights.len() * column / COLUMNS..heights.len() * (column + 1) / COLUMNS;
        let by = |a: &usize, b: &usize| heights[*a].total_cmp(&heights[*b]);
        if let (Some(low), Some(high)) = (range.clone().min_by(by), range.max_by(by)) {
            picked.push(low.min(high));
            if low != high {
                picked.push(low.max(high));
            }
        }
    }
    picked.insert(0, 0);
    picked.push(heights.len() - 1);
    picked.dedup();
    picked
}
