//! Where things lie on the page, in points. The picture is 648 by 432 before it is scaled.

use super::bands::Bands;
use super::flags::{Flags, TitleBox};
use super::previous::Previous;
use super::text;
use crate::model::HeapProfile;

pub const WIDTH: f64 = 648.0;
pub const HEIGHT: f64 = 432.0;
pub const BORDER: f64 = 5.0;
pub const TITLE_WIDTH: f64 = WIDTH - 2.0 * BORDER;
/// The graph's lower left corner.
pub const X0: f64 = 45.0;
pub const Y0: f64 = 20.0;
/// The box in the key that shows a band's shade.
pub const KEY_BOX: f64 = 14.0;

/// A graph narrower than this shows nothing; the names in the key are cut before it comes to that.
const LEAST_GRAPH: f64 = 200.0;

pub struct Layout {
    pub big_title: bool,
    pub title_height: f64,
    pub graph_width: f64,
    pub graph_height: f64,
    /// The time at the left edge, and how much time the graph's width is.
    pub start: f64,
    pub end: f64,
    pub x_range: f64,
    /// How much the graph's height is.
    pub y_range: f64,
    /// Value units times sample units under the picture's upper edge.
    pub area: f64,
    /// The names in the key must not be wider.
    pub key_text: f64,
}

impl Layout {
    pub fn of(profile: &HeapProfile, bands: &Bands, flags: &Flags, previous: &Previous) -> Layout {
        let times = &profile.times;
        let start = times.first().copied().unwrap_or(0.0);
        let end = times.last().copied().unwrap_or(0.0);
        let heights = bands.heights(times.len());
        let greatest = heights.iter().copied().max().unwrap_or(0) as f64;
        let big_title = match flags.title {
            TitleBox::Big => true,
            TitleBox::Small => false,
            TitleBox::Fitting => profile.header.job.as_bytes().len() > 35,
        };
        let title_height = if big_title { 40.0 } else { 20.0 };
        let (key_width, key_text) = if flags.key_pages || flags.most_bands == 0 {
            (0.0, TITLE_WIDTH - 2.0 * KEY_BOX - 2.0 * BORDER)
        } else {
            let widest = bands.shown.iter().map(|band| text::width(band.name())).fold(0.0, f64::max);
            let most = TITLE_WIDTH - X0 - LEAST_GRAPH - KEY_BOX - 15.0;
            (widest.min(most) + 15.0 + KEY_BOX, most)
        };
        Layout {
            big_title,
            title_height,
            graph_width: TITLE_WIDTH - X0 - key_width,
            graph_height: HEIGHT - title_height - 2.0 * BORDER - Y0,
            start,
            end,
            x_range: or_one((end - start).max(previous.x_range)),
            y_range: or_one(greatest.max(previous.y_range)),
            area: area(times, &heights),
            key_text,
        }
    }

    pub fn x(&self, time: f64) -> f64 {
        X0 + (time - self.start) / self.x_range * self.graph_width
    }

    pub fn y(&self, value: f64) -> f64 {
        Y0 + value / self.y_range * self.graph_height
    }
}

/// Nothing can be divided by a range of zero.
fn or_one(range: f64) -> f64 {
    if range == 0.0 { 1.0 } else { range }
}

/// The trapezium rule.
fn area(times: &[f64], heights: &[u128]) -> f64 {
    let mut area = 0.0;
    for (time, height) in times.windows(2).zip(heights.windows(2)) {
        let base = time[1] - time[0];
        let (least, most) = (height[0].min(height[1]) as f64, height[0].max(height[1]) as f64);
        area += base * least + base * (most - least) / 2.0;
    }
    area
}
