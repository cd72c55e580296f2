//! A picture as SVG. Shapes carry their whole names as titles, which browsers show on hover.

use crate::draw::{Anchor, Rgb, Scene, Shape};
use crate::page::escape;
use std::io::{self, Write};

pub fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    let (w, h) = (scene.width, scene.height);
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" font-family=\"system-ui, Helvetica, Arial, sans-serif\">"
    )?;
    writeln!(
        out,
        "<title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>",
        escape(&scene.title)
    )?;
    for shape in &scene.shapes {
        match shape {
            Shape::Polygon { points, fill, title } => {
                let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.2},{y:.2}")).collect();
                let fill = hex(*fill);
                let title = escape(title);
                writeln!(
                    out,
                    "<polygon fill=\"{fill}\" points=\"{}\"><title>{title}</title></polygon>",
                    points.join(" ")
                )?;
            }
            Shape::Line { from, to, stroke, dashed } => {
                let dash = if *dashed { " stroke-dasharray=\"3 3\"" } else { "" };
                let (x1, y1, x2, y2, stroke) = (from.0, from.1, to.0, to.1, hex(*stroke));
                writeln!(
                    out,
                    "<line x1=\"{x1:.2}\" y1=\"{y1:.2}\" x2=\"{x2:.2}\" y2=\"{y2:.2}\" stroke=\"{stroke}\"{dash}/>"
                )?;
            }
            Shape::Text { at, anchor, size, fill, text } => {
                let anchor = match anchor {
                    Anchor::Start => "start",
                    Anchor::Middle => "middle",
                    Anchor::End => "end",
                };
                // A third of the size below the middle stands the baseline; `dominant-baseline` is not known everywhere.
                let (x, y, fill, text) = (at.0, at.1 + size * 0.35, hex(*fill), escape(text));
                writeln!(
                    out,
                    "<text x=\"{x:.2}\" y=\"{y:.2}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{fill}\">{text}</text>"
                )?;
            }
        }
    }
    writeln!(out, "</svg>")
}

fn hex([red, green, blue]: Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
