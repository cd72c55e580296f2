//! The bands on top of each other, and the marks on the time axis.

use super::bands::Bands;
use super::layout::{Layout, Y0};
use super::shades::Shades;
use crate::model::HeapProfile;
use std::io::{self, Write};

pub fn write_bands(
    out: &mut dyn Write,
    profile: &HeapProfile,
    bands: &Bands,
    layout: &Layout,
    shades: &mut Shades,
) -> io::Result<()> {
    let xs: Vec<f64> = profile.times.iter().map(|&time| layout.x(time)).collect();
    let mut below = vec![Y0; xs.len()];
    // In points above the axis. Values are scaled before they are summed, since the last digit of the old pages
    // comes from this order.
    let points_per_value = layout.graph_height / layout.y_range;
    let mut tops = vec![0.0; xs.len()];
    for band in &bands.shown {
        for (sample, value) in band.values() {
            tops[sample] += value as f64 * points_per_value;
        }
        let above: Vec<f64> = tops.iter().map(|top| Y0 + top).collect();
        write_outline(out, &xs, &below, &above)?;
        writeln!(out, "closepath\ngsave")?;
        shades.set(out, band.name())?;
        writeln!(out, "fill\ngrestore\nstroke")?;
        below = above;
    }
    Ok(())
}

/// To the right along the curve below, to the left along the curve above.
fn write_outline(out: &mut dyn Write, xs: &[f64], below: &[f64], above: &[f64]) -> io::Result<()> {
    let (Some(first), Some(last)) = (xs.first().zip(below.first()), xs.last().zip(above.last())) else {
        return Ok(());
    };
    writeln!(out, "{:.6} {:.6} moveto", first.0, first.1)?;
    for (x, y) in xs.iter().zip(below) {
        writeln!(out, "{x:.6} {y:.6} lineto")?;
    }
    writeln!(out, "{:.6} {:.6} lineto", last.0, last.1)?;
    for (x, y) in xs.iter().zip(above).rev() {
        writeln!(out, "{x:.6} {y:.6} lineto")?;
    }
    Ok(())
}

/// A small white caret under the axis for each mark.
pub fn write_marks(out: &mut dyn Write, profile: &HeapProfile, layout: &Layout) -> io::Result<()> {
    for &time in &profile.marks {
        writeln!(out, "{:.6} {:.6} moveto", layout.x(time) - 4.0, Y0)?;
        writeln!(out, "4.000000 -4.000000 rlineto\n4.000000 4.000000 rlineto\nclosepath")?;
        writeln!(out, "gsave\n1.0 setgray\nfill\ngrestore\nstroke")?;
    }
    Ok(())
}
