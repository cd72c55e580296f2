//! The axes with their ticks and units.

use super::layout::{BORDER, Layout, X0, Y0};
use super::text;
use crate::model::Header;
use std::io::{self, Write};

/// No axis has more ticks than this; the loop also ends where a step is too small to change the number.
const MOST_TICKS: usize = 100;
/// Space between the last tick's label and the unit at the axis' end.
const UNIT_SPACE: f64 = 15.0;

pub fn write(out: &mut dyn Write, header: &Header, layout: &Layout) -> io::Result<()> {
    write_x(out, header.sample_unit.as_bytes(), layout)?;
    write_y(out, header.value_unit.as_bytes(), layout)
}

fn write_x(out: &mut dyn Write, unit: &[u8], layout: &Layout) -> io::Result<()> {
    let width = layout.graph_width;
    writeln!(out, "{X0:.6} {Y0:.6} moveto\n{width:.6} 0 rlineto\n0.500000 setlinewidth\nstroke")?;
    writeln!(out, "HE10 setfont")?;
    text::string(out, unit)?;
    writeln!(out, "\ndup stringwidth pop\n{:.6}\nexch sub\n{BORDER:.6} moveto\nshow", X0 + width)?;

    let step = round_step(layout.x_range / 7.0);
    let room = width - (text::width(unit) + UNIT_SPACE);
    // Not `Layout::x`, which divides first: the last digit of the old pages' ticks comes from this order.
    let points_per_time = width / layout.x_range;
    let mut time = layout.start;
    for _ in 0..MOST_TICKS {
        let x = X0 + (time - layout.start) * points_per_time;
        if time >= layout.end {
            break;
        }
        if x - X0 < room {
            writeln!(out, "{x:.6} {Y0:.6} moveto\n0 -4 rlineto\nstroke")?;
            writeln!(out, "HE10 setfont\n({time:.1})\ndup stringwidth pop\n2 div")?;
            writeln!(out, "{x:.6} exch sub\n{BORDER:.6} moveto\nshow")?;
        }
        time += step;
    }
    Ok(())
}

fn write_y(out: &mut dyn Write, unit: &[u8], layout: &Layout) -> io::Result<()> {
    let height = layout.graph_height;
    let left = X0 - BORDER;
    writeln!(out, "{X0:.6} {Y0:.6} moveto\n0 {height:.6} rlineto\n0.500000 setlinewidth\nstroke")?;
    writeln!(out, "gsave\nHE10 setfont")?;
    text::string(out, unit)?;
    writeln!(out, "\ndup stringwidth pop\n{:.6}\nexch sub\n{left:.6} exch\ntranslate", Y0 + height)?;
    writeln!(out, "90 rotate\n0 0 moveto\nshow\ngrestore")?;

    let step = round_step((layout.y_range / 7.0).max(1.0));
    let room = height - (text::width(unit) + UNIT_SPACE);
    let (divisor, letter) = match step {
        _ if step >= 1e6 => (1e6, "M"),
        _ if step >= 1e3 => (1e3, "k"),
        _ => (1.0, ""),
    };
    let mut value = 0.0;
    for _ in 0..MOST_TICKS {
        if value > layout.y_range {
            break;
        }
        let y = layout.y(value);
        if y - Y0 < room {
            let label = text::commas(value / divisor + 0.5);
            writeln!(out, "{X0:.6} {y:.6} moveto\n-4 0 rlineto\nstroke")?;
            writeln!(out, "HE10 setfont\n({label}{letter})\ndup stringwidth\n2 div")?;
            writeln!(out, "{y:.6} exch sub\nexch\n{left:.6} exch sub\nexch\nmoveto\nshow")?;
        }
        value += step;
    }
    Ok(())
}

/// The step near `ideal` that is 1, 2 or 5 times a power of ten.
fn round_step(ideal: f64) -> f64 {
    let (mut step, mut up, mut down) = (ideal, 0, 0);
    while step > 10.0 {
        step /= 10.0;
        up += 1;
    }
    while step < 1.0 {
        step *= 10.0;
        down += 1;
    }
    step = match step {
        _ if step > 4.0 => 5.0,
        _ if step > 1.0 => 2.0,
        _ => 1.0,
    };
    for _ in 0..up {
        step *= 10.0;
    }
    for _ in 0..down {
        step /= 10.0;
    }
    step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        for (ideal, step) in [(1.0, 1.0), (4.0, 2.0), (4.1, 5.0), (10.0, 5.0), (11.0, 20.0), (0.3, 0.2)] {
            assert_eq!(round_step(ideal), step);
        }
    }
}
