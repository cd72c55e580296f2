//! The same colours as the page's: neighbours differ in hue by the golden angle and are equally light, by OKLCH.

use super::Rgb;

pub const OTHER: Rgb = [201, 200, 195];

/// For the band of this rank.
pub fn band(rank: usize, name: &str) -> Rgb {
    // The lives of biographical profiling have meanings, and so colours of their own.
    let life = match name {
        "USE" => Some((0.68, 0.09, 165.0)),
        "INHERENT_USE" => Some((0.8, 0.06, 175.0)),
        "LAG" => Some((0.83, 0.1, 88.0)),
        "DRAG" => Some((0.73, 0.12, 58.0)),
        "VOID" => Some((0.62, 0.14, 32.0)),
        _ => None,
    };
    let (light, chroma, hue) = life.unwrap_or_else(|| {
        let light = [0.7, 0.62, 0.79][rank % 3];
        (light, if rank < 24 { 0.105 } else { 0.07 }, (205.0 + rank as f64 * 137.508) % 360.0)
    });
    oklch(light, chroma, hue)
}

/// For a frame: hue by module, so that a module's frames stand together.
pub fn frame(name: &str, module: &str) -> Rgb {
    let hash =
        |text: &str, by: u32| text.chars().fold(0u32, |h, c| h.wrapping_mul(by).wrapping_add(c as u32));
    let hue = hash(if module.is_empty() { name } else { module }, 31) % 360;
    let shade = hash(name, 33);
    oklch(0.82 + f64::from(shade % 7) * 0.012, 0.075, f64::from(hue) + f64::from(shade % 61) - 30.0)
}

fn oklch(lightness: f64, chroma: f64, hue: f64) -> Rgb {
    let (a, b) = (chroma * hue.to_radians().cos(), chroma * hue.to_radians().sin());
    let l = (lightness + 0.3963377774 * a + 0.2158037573 * b).powi(3);
    let m = (lightness - 0.1055613458 * a - 0.0638541728 * b).powi(3);
    let s = (lightness - 0.0894841775 * a - 1.291485548 * b).powi(3);
    let gamma = |x: f64| {
        let y = x.clamp(0.0, 1.0);
        let y = if y <= 0.0031308 { 12.92 * y } else { 1.055 * y.powf(1.0 / 2.4) - 0.055 };
        (255.0 * y).round() as u8
    };
    [
        gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
        gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
        gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
    ]
}
