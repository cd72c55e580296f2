//! The whole PostScript document, in its order.

use super::bands::Bands;
use super::flags::Flags;
use super::layout::{HEIGHT, Layout, WIDTH};
use super::shades::Shades;
use super::{axes, curves, key, text, title};
use crate::model::{Header, HeapProfile};
use std::io::{self, Write};

pub fn write(
    out: &mut dyn Write,
    profile: &HeapProfile,
    bands: &Bands,
    layout: &Layout,
    shades: &mut Shades,
    flags: &Flags,
) -> io::Result<()> {
    let header = &profile.header;
    write_comments(out, header, flags)?;
    write_orientation(out, flags)?;
    writeln!(out, "/HE10 /Helvetica findfont 10 scalefont def")?;
    writeln!(out, "/HE12 /Helvetica findfont 12 scalefont def")?;
    title::write(out, header, layout)?;
    if flags.key_pages {
        key::write_pages(out, bands, layout, shades, |out| {
            writeln!(out, "showpage")?;
            write_orientation(out, flags)?;
            title::write(out, header, layout)
        })?;
    }
    axes::write(out, header, layout)?;
    if !flags.key_pages && flags.most_bands > 0 {
        key::write_beside(out, bands, layout, shades)?;
    }
    curves::write_bands(out, profile, bands, layout, shades)?;
    if flags.marks {
        curves::write_marks(out, profile, layout)?;
    }
    writeln!(out, "showpage")
}

fn write_comments(out: &mut dyn Write, header: &Header, flags: &Flags) -> io::Result<()> {
    out.write_all(b"%!PS-Adobe-2.0\n%%Title: ")?;
    out.write_all(&text::comment(header.job.as_bytes()))?;
    // The old name and version, since pages are compared and sorted by it.
    out.write_all(b"\n%%Creator: hp2ps (version 0.25)\n%%CreationDate: ")?;
    out.write_all(&text::comment(header.date.as_bytes()))?;
    writeln!(out)?;
    if let Some(scale) = scale(flags) {
        let [width, height] = [WIDTH, HEIGHT].map(|length| (length * scale + 0.5).floor());
        writeln!(out, "%%BoundingBox: 0 0 {width:.0} {height:.0}")?;
    }
    writeln!(out, "%%EndComments")
}

fn write_orientation(out: &mut dyn Write, flags: &Flags) -> io::Result<()> {
    if let Some(scale) = scale(flags) {
        writeln!(out, "{scale:.6} {scale:.6} scale")
    } else if flags.upright {
        writeln!(out, "72.000000 108.000000 translate")
    } else {
        writeln!(out, "-90 rotate\n-756.000000 72.000000 translate")
    }
}

fn scale(flags: &Flags) -> Option<f64> {
    flags.width.map(|width| width / WIDTH)
}
