//! The frame around a page and the box with job, area and date.

use super::layout::{BORDER, HEIGHT, Layout, TITLE_WIDTH, WIDTH};
use super::text;
use crate::model::Header;
use std::io::{self, Write};

/// The longest job text that each box holds.
const SMALL_JOB: usize = 35;
const BIG_JOB: usize = 80;

/// Left and right edges of the box's text.
const LEFT: f64 = BORDER + 6.0;
const RIGHT: f64 = BORDER + TITLE_WIDTH - 6.0;

pub fn write(out: &mut dyn Write, header: &Header, layout: &Layout) -> io::Result<()> {
    frame(out, 0.0, 0.0, WIDTH, HEIGHT)?;
    let bottom = HEIGHT - layout.title_height - BORDER;
    frame(out, BORDER, bottom, TITLE_WIDTH, layout.title_height)?;
    let upper_line = HEIGHT - 20.0 - BORDER + 6.0;
    let job = header.job.as_bytes();
    if layout.big_title {
        let middle = HEIGHT - layout.title_height / 2.0 - BORDER;
        writeln!(out, "{BORDER:.6} {middle:.6} moveto\n{TITLE_WIDTH:.6} 0 rlineto\nstroke")?;
        write_job(out, job, BIG_JOB, upper_line)?;
        let lower_line = HEIGHT - 40.0 - BORDER + 6.0;
        writeln!(out, "HE12 setfont\n{LEFT:.6} {lower_line:.6} moveto")?;
        write_area(out, header, layout)?;
        writeln!(out, "show")?;
        write_date(out, header, lower_line)
    } else {
        write_job(out, job, SMALL_JOB, upper_line)?;
        writeln!(out, "HE12 setfont")?;
        write_area(out, header, layout)?;
        let centre = TITLE_WIDTH / 2.0;
        writeln!(out, "dup stringwidth pop\n2 div\n{centre:.6}\nexch sub\n{upper_line:.6} moveto\nshow")?;
        write_date(out, header, upper_line)
    }
}

fn frame(out: &mut dyn Write, x: f64, y: f64, width: f64, height: f64) -> io::Result<()> {
    if x == 0.0 {
        writeln!(out, "newpath\n0 0 moveto")?;
    } else {
        writeln!(out, "newpath\n{x:.6} {y:.6} moveto")?;
    }
    writeln!(out, "0 {height:.6} rlineto\n{width:.6} 0 rlineto\n0 {:.6} rlineto", -height)?;
    writeln!(out, "closepath\n0.500000 setlinewidth\nstroke")
}

fn write_job(out: &mut dyn Write, job: &[u8], most: usize, y: f64) -> io::Result<()> {
    writeln!(out, "HE12 setfont\n{LEFT:.6} {y:.6} moveto")?;
    text::string(out, &job[..job.len().min(most)])?;
    writeln!(out, " show")
}

fn write_area(out: &mut dyn Write, header: &Header, layout: &Layout) -> io::Result<()> {
    let mut area = text::commas(layout.area).into_bytes();
    area.push(b' ');
    area.extend(header.value_unit.as_bytes());
    area.extend(b" x ");
    area.extend(header.sample_unit.as_bytes());
    text::string(out, &area)?;
    writeln!(out)
}

fn write_date(out: &mut dyn Write, header: &Header, y: f64) -> io::Result<()> {
    writeln!(out, "HE12 setfont")?;
    text::string(out, header.date.as_bytes())?;
    writeln!(out, "\ndup stringwidth pop\n{RIGHT:.6}\nexch sub\n{y:.6} moveto\nshow")
}
