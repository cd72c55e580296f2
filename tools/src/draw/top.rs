//! The greatest bands by name and the rest as "other", with the number that went into it.

use crate::model::HeapProfile;
use crate::sort;

/// How many bands keep their name; `all` if None.
pub struct Top(pub Option<usize>);

pub struct Layer {
    pub name: String,
    /// One for each sample.
    pub values: Vec<f64>,
    /// Its place in the order of size, None for "other".
    pub rank: Option<usize>,
}

impl Top {
    /// From the greatest to the smallest, "other" last.
    pub fn layers(&self, heap: &HeapProfile) -> Vec<Layer> {
        let mut order: Vec<usize> = (0..heap.bands.len()).collect();
        let key =
            |&band: &usize| (std::cmp::Reverse(heap.bands[band].series.total()), &heap.bands[band].name);
        sort::by(&mut order, |a, b| key(a).cmp(&key(b)));
        let named = self.0.unwrap_or(order.len()).min(order.len());
        let samples = heap.times.len();
        let mut layers: Vec<Layer> = (order[..named].iter().enumerate())
            .map(|(rank, &band)| {
                let values =
                    heap.bands[band].series.dense(samples).into_iter().map(|value| value as f64).collect();
                Layer { name: heap.bands[band].name.to_string(), values, rank: Some(rank) }
            })
            .collect();
        let rest = &order[named..];
        if !rest.is_empty() {
            let mut values = vec![0.0; samples];
            for &band in rest {
                for (sample, value) in heap.bands[band].series.iter() {
                    values[sample] += value as f64;
                }
            }
            layers.push(Layer { name: format!("other ({} bands)", rest.len()), values, rank: None });
        }
        layers
    }
}
