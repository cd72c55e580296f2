//! Pictures as shapes, before they become SVG or PNG. Knows profiles and geometry, no file format.

pub mod area;
pub mod colour;
pub mod flame;
pub mod font;
pub mod top;

/// Red, green, blue.
pub type Rgb = [u8; 3];

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Debug, Clone)]
pub enum Shape {
    /// Filled, closed by itself.
    Polygon {
        points: Vec<(f64, f64)>,
        fill: Rgb,
        title: String,
    },
    Line {
        from: (f64, f64),
        to: (f64, f64),
        stroke: Rgb,
        dashed: bool,
    },
    /// `at` is the middle of the letters' height.
    Text {
        at: (f64, f64),
        anchor: Anchor,
        size: f64,
        fill: Rgb,
        text: String,
    },
}

/// A picture: its size in points and its shapes, the first at the back.
pub struct Scene {
    pub width: f64,
    pub height: f64,
    pub title: String,
    pub shapes: Vec<Shape>,
}

pub const INK: Rgb = [35, 38, 43];
pub const SOFT: Rgb = [99, 105, 115];
pub const GRID: Rgb = [228, 226, 220];

impl Scene {
    pub fn text(&mut self, at: (f64, f64), anchor: Anchor, size: f64, fill: Rgb, text: impl Into<String>) {
        self.shapes.push(Shape::Text { at, anchor, size, fill, text: text.into() });
    }

    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: Rgb) {
        self.shapes.push(Shape::Line { from, to, stroke, dashed: false });
    }

    pub fn rect(&mut self, x: f64, y: f64, w: f64, h: f64, fill: Rgb, title: impl Into<String>) {
        let points = vec![(x, y), (x + w, y), (x + w, y + h), (x, y + h)];
        self.shapes.push(Shape::Polygon { points, fill, title: title.into() });
    }
}

/// Cuts the middle out of a name that would not fit; its beginning says who, its end says where.
pub fn shorten(name: &str, most: usize) -> String {
    let chars: Vec<char> = name.chars().collect();
    if chars.len() <= most {
        return name.to_owned();
    }
    let keep = most.saturating_sub(3);
    let head = keep.div_ceil(2);
    let tail = keep - head;
    format!("{}...{}", String::from_iter(&chars[..head]), String::from_iter(&chars[chars.len() - tail..]))
}

/// How many of a unit make one of the next, and the units.
fn scale_of(bytes: bool) -> (f64, [&'static str; 6]) {
    if bytes {
        (1024.0, [" B", " KiB", " MiB", " GiB", " TiB", " PiB"])
    } else {
        (1000.0, ["", " k", " M", " G", " T", " P"])
    }
}

/// 1234567 as "1.18 MiB"; values that are no bytes as "1.23 M".
pub fn amount(value: f64, bytes: bool) -> String {
    let (step, units) = scale_of(bytes);
    let mut size = value.abs();
    let mut unit = 0;
    while size >= step * 0.9995 && unit + 1 < units.len() {
        size /= step;
        unit += 1;
    }
    let places = match size {
        _ if unit == 0 && size.fract() == 0.0 => 0,
        100.0.. => 0,
        10.0.. => 1,
        _ => 2,
    };
    format!("{}{size:.places$}{}", if value < 0.0 { "-" } else { "" }, units[unit])
}

/// The number at a tick of an axis that ends at `top`: all ticks in one unit, with no more decimals than each needs.
pub fn tick(value: f64, top: f64, bytes: bool) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let (step, units) = scale_of(bytes);
    let (mut size, mut scale, mut unit) = (top, 1.0, 0);
    while size >= step && unit + 1 < units.len() {
        (size, scale, unit) = (size / step, scale * step, unit + 1);
    }
    let text = format!("{:.6}", value / scale);
    format!("{}{}", text.trim_end_matches('0').trim_end_matches('.'), units[unit])
}

/// A step of 1, 2 or 5 times a power of ten, or a power of two for bytes, that parts `range` into at most `count`: 500 KiB
/// and the like are no round parts of a MiB.
pub fn nice_step(range: f64, count: f64, bytes: bool) -> f64 {
    let raw = range / count.max(1.0);
    if !raw.is_finite() || raw <= 0.0 {
        return 1.0;
    }
    if bytes {
        return raw.log2().ceil().exp2().max(1.0);
    }
    let power = 10f64.powf(raw.log10().floor());
    let lead = match raw / power {
        ..=1.0 => 1.0,
        ..=2.0 => 2.0,
        ..=5.0 => 5.0,
        _ => 10.0,
    };
    (lead * power).max(f64::MIN_POSITIVE)
}

/// No axis has more ticks than this.
const MOST_TICKS: usize = 100;

/// The multiples of a step from one number to another. Numbers can be so large that a step does not change them.
pub fn ticks(from: f64, to: f64, step: f64) -> impl Iterator<Item = f64> {
    let first = (from / step).ceil();
    let place = move |k: usize| (first + k as f64) * step;
    let is_next = move |k: &usize| place(*k) <= to && (*k == 0 || place(*k) > place(k - 1));
    (0..MOST_TICKS).take_while(is_next).map(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_end() {
        assert_eq!(ticks(0.3, 1.0, 0.25).collect::<Vec<_>>(), [0.5, 0.75, 1.0]);
        assert_eq!(ticks(-2.0, 1.0, 1.0).collect::<Vec<_>>(), [-2.0, -1.0, 0.0, 1.0]);
        // From 2^53 on, a number and 1 is the number.
        assert_eq!(ticks(1e16, 1e16 + 0.88, 0.2).collect::<Vec<_>>(), [1e16]);
        assert_eq!(ticks(0.0, 1e9, 0.2).count(), MOST_TICKS);
        assert_eq!(ticks(0.0, 1.0, 0.0).count(), 0);
    }

    #[test]
    fn amounts_and_steps() {
        assert_eq!(amount(1023.0, true), "1023 B");
        assert_eq!(amount(1024.0, true), "1.00 KiB");
        assert_eq!(amount(-1_500_000.0, false), "-1.50 M");
        assert_eq!(nice_step(10.0, 5.0, false), 2.0);
        assert_eq!(nice_step(4096.0, 4.0, true), 1024.0);
        assert_eq!(nice_step(0.0, 4.0, true), 1.0);
        // Of 11.2 MiB in seven parts: 2 MiB each, and halves where those are round.
        assert_eq!(nice_step(11.2 * 1048576.0, 7.0, true), 2.0 * 1048576.0);
        assert_eq!(tick(2.0 * 1048576.0, 11.2 * 1048576.0, true), "2 MiB");
        assert_eq!(tick(512.0 * 1024.0, 3.0 * 1048576.0, true), "0.5 MiB");
        assert_eq!((tick(0.0, 5.0, true), tick(1500.0, 9000.0, false)), ("0".into(), "1.5 k".into()));
        assert_eq!(shorten("abcdefghij", 7), "ab...ij");
    }
}
