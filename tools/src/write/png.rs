//! A picture as PNG, at two dots for each point. Areas are smoothed at their edges; text is drawn dot by dot.

use crate::draw::font::{HIGH, WIDE, glyph};
use crate::draw::{Anchor, Rgb, Scene, Shape};
use std::io::{self, Write};

const SCALE: f64 = 2.0;
/// Scan lines within each row of dots.
const FINE: usize = 4;
/// Higher pictures than this are cut: they come from stacks thousands deep, and no viewer would open them.
const HIGHEST: f64 = 20_000.0;

pub fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    let width = (scene.width * SCALE) as usize;
    let height = (scene.height.min(HIGHEST) * SCALE) as usize;
    let mut raster = Raster { width, height, dots: vec![255; width * height * 3] };
    for shape in &scene.shapes {
        match shape {
            Shape::Polygon { points, fill, .. } => raster.polygon(points, *fill),
            Shape::Line { from, to, stroke, dashed } => raster.line(*from, *to, *stroke, *dashed),
            Shape::Text { at, anchor, size, fill, text } => raster.text(*at, *anchor, *size, *fill, text),
        }
    }
    let mut encoder = png::Encoder::new(out, width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(unwrapped)?;
    writer.write_image_data(&raster.dots).map_err(unwrapped)?;
    writer.finish().map_err(unwrapped)
}

/// The error of the writer itself: a reader that has seen enough is none.
fn unwrapped(error: png::EncodingError) -> io::Error {
    match error {
        png::EncodingError::IoError(error) => error,
        other => io::Error::other(other),
    }
}

struct Raster {
    width: usize,
    height: usize,
    dots: Vec<u8>,
}

impl Raster {
    fn blend(&mut self, x: usize, y: usize, colour: Rgb, cover: f64) {
        if x < self.width && y < self.height {
            let at = (y * self.width + x) * 3;
            for (dot, wanted) in self.dots[at..at + 3].iter_mut().zip(colour) {
                *dot =
                    (f64::from(*dot) + (f64::from(wanted) - f64::from(*dot)) * cover.min(1.0)).round() as u8;
            }
        }
    }

    /// Even-odd fill: each fine scan line gives spans, which cover their end dots in part.
    fn polygon(&mut self, points: &[(f64, f64)], colour: Rgb) {
        let points: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x * SCALE, y * SCALE)).collect();
        let low = points.iter().map(|p| p.1).fold(f64::INFINITY, f64::min).max(0.0);
        let high = points.iter().map(|p| p.1).fold(0.0, f64::max).min(self.height as f64);
        if low >= high {
            return;
        }
        let rows = low as usize..(high.ceil() as usize).min(self.height);
        // Edges by the rows they cross, so that a picture of many samples stays linear.
        let mut edges: Vec<Vec<(f64, f64, f64, f64)>> = vec![Vec::new(); rows.len()];
        for (index, &a) in points.iter().enumerate() {
            let b = points[(index + 1) % points.len()];
            let (top, bottom) = (a.1.min(b.1), a.1.max(b.1));
            if top == bottom {
                continue;
            }
            let from = (top.max(low) as usize).saturating_sub(rows.start);
            let to = (bottom.ceil() as usize).min(rows.end).saturating_sub(rows.start);
            for row in edges.iter_mut().take(to).skip(from) {
                row.push((a.0, a.1, b.0, b.1));
            }
        }
        let left =
            points.iter().map(|p| p.0).fold(f64::INFINITY, f64::min).clamp(0.0, self.width as f64) as usize;
        let right = points.iter().map(|p| p.0).fold(0.0, f64::max).ceil().min(self.width as f64) as usize;
        let mut cover = vec![0.0f64; self.width];
        for (row, edges) in rows.zip(&edges) {
            cover[left..right].fill(0.0);
            for fine in 0..FINE {
                let y = row as f64 + (fine as f64 + 0.5) / FINE as f64;
                let mut cuts: Vec<f64> = (edges.iter())
                    .filter(|(_, y1, _, y2)| (*y1 <= y) != (*y2 <= y))
                    .map(|(x1, y1, x2, y2)| x1 + (y - y1) / (y2 - y1) * (x2 - x1))
                    .collect();
                cuts.sort_by(f64::total_cmp);
                for pair in cuts.chunks_exact(2) {
                    add_span(&mut cover, pair[0], pair[1]);
                }
            }
            for (x, &covered) in cover.iter().enumerate().take(right).skip(left) {
                if covered > 0.0 {
                    self.blend(x, row, colour, covered);
                }
            }
        }
    }

    /// Lines in these pictures stand or lie.
    fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: Rgb, dashed: bool) {
        let (x1, y1, x2, y2) = (from.0 * SCALE, from.1 * SCALE, to.0 * SCALE, to.1 * SCALE);
        let steps = (x2 - x1).abs().max((y2 - y1).abs()).ceil().max(1.0);
        for step in 0..=steps as usize {
            if dashed && step / 6 % 2 == 1 {
                continue;
            }
            let along = step as f64 / steps;
            let (x, y) = (x1 + (x2 - x1) * along, y1 + (y2 - y1) * along);
            if x >= 0.0 && y >= 0.0 {
                self.blend(x as usize, y as usize, colour, 1.0);
            }
        }
    }

    fn text(&mut self, at: (f64, f64), anchor: Anchor, size: f64, colour: Rgb, text: &str) {
        // Letters of ten points are seven high, which at this scale is two dots for each of the font's.
        let dot = ((size * SCALE * 0.75 / HIGH as f64).round() as usize).max(1);
        let step = (WIDE + 1) * dot;
        let wide = (text.chars().count() * step) as f64;
        let left = at.0 * SCALE
            - match anchor {
                Anchor::Start => 0.0,
                Anchor::Middle => wide / 2.0,
                Anchor::End => wide,
            };
        let top = at.1 * SCALE - (HIGH * dot) as f64 / 2.0;
        for (index, c) in text.chars().enumerate() {
            for (row, bits) in glyph(c).into_iter().enumerate() {
                for column in (0..WIDE).filter(|column| bits & (1 << (WIDE - 1 - column)) != 0) {
                    for (dx, dy) in (0..dot * dot).map(|k| (k % dot, k / dot)) {
                        let x = left + (index * step + column * dot + dx) as f64;
                        let y = top + (row * dot + dy) as f64;
                        if x >= 0.0 && y >= 0.0 {
                            self.blend(x as usize, y as usize, colour, 1.0);
                        }
                    }
                }
            }
        }
    }
}

/// Adds what one fine scan line covers between two places.
fn add_span(cover: &mut [f64], from: f64, to: f64) {
    let share = 1.0 / FINE as f64;
    let (from, to) = (from.clamp(0.0, cover.len() as f64), to.clamp(0.0, cover.len() as f64));
    if to <= from {
        return;
    }
    let (first, last) = (from as usize, to as usize);
    if first == last {
        cover[first] += (to - from) * share;
        return;
    }
    cover[first] += (first as f64 + 1.0 - from) * share;
    for dot in cover.iter_mut().take(last).skip(first + 1) {
        *dot += share;
    }
    if let Some(dot) = cover.get_mut(last) {
        *dot += (to - last as f64) * share;
    }
}
