//! The key: a box with each band's shade, and its name.

use super::bands::Bands;
use super::layout::{BORDER, KEY_BOX, Layout, X0, Y0};
use super::shades::Shades;
use super::text;
use std::io::{self, Write};

/// As many names as a page holds.
pub const NAMES_ON_A_PAGE: usize = 20;

/// The key beside the graph.
pub fn write_beside(
    out: &mut dyn Write,
    bands: &Bands,
    layout: &Layout,
    shades: &mut Shades,
) -> io::Result<()> {
    let spacing = spacing(bands, layout);
    let mut centre = Y0;
    for band in &bands.shown {
        centre += spacing;
        write_name(out, band.name(), layout.graph_width, centre, layout, shades)?;
    }
    Ok(())
}

/// The key on pages of its own; `new_page` ends a page and begins the next.
pub fn write_pages(
    out: &mut dyn Write,
    bands: &Bands,
    layout: &Layout,
    shades: &mut Shades,
    mut new_page: impl FnMut(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let spacing = spacing(bands, layout);
    for (index, page) in bands.shown.chunks(NAMES_ON_A_PAGE).enumerate() {
        if index > 0 {
            new_page(out)?;
        }
        let mut centre = 0.0;
        for band in page {
            centre += spacing;
            write_name(out, band.name(), 0.0, centre, layout, shades)?;
        }
    }
    new_page(out)
}

fn spacing(bands: &Bands, layout: &Layout) -> f64 {
    let count = bands.shown.len();
    if count <= NAMES_ON_A_PAGE {
        layout.graph_height / (count + 1) as f64
    } else {
        layout.graph_height / NAMES_ON_A_PAGE as f64
    }
}

fn write_name(
    out: &mut dyn Write,
    name: &[u8],
    left: f64,
    centre: f64,
    layout: &Layout,
    shades: &mut Shades,
) -> io::Result<()> {
    let x = X0 + left + BORDER;
    writeln!(out, "{x:.6} {:.6} moveto", centre - KEY_BOX / 2.0)?;
    writeln!(out, "0 14 rlineto\n14 0 rlineto\n0 -14 rlineto\nclosepath\ngsave")?;
    shades.set(out, name)?;
    writeln!(out, "fill\ngrestore\nstroke\nHE10 setfont")?;
    writeln!(out, "{:.6} {:.6} moveto", x + KEY_BOX + BORDER, centre - BORDER)?;
    text::string(out, &text::shorten(name, layout.key_text))?;
    writeln!(out, " show")
}
