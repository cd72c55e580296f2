//! The figures of a census, as the client reads them.

use crate::base::{Failure, Outcome};
use crate::identity::names::Name;
use crate::profile::heap::break_down::BreakDown;
use crate::profile::heap::census::Census;

/// The sums of a census, in bytes of objects as they are laid out.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct CensusTotals {
    /// In: `sizeof(barrow_census_totals_t)`.
    pub size: u32,
    pub reserved: u32,
    /// Censuses so far; 0 before the first.
    pub number: u64,
    pub live_bytes: u64,
    pub live_objects: u64,
}

/// One band of a census.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct CensusBand {
    /// In: `sizeof(barrow_census_band_t)`.
    pub size: u32,
    /// Bytes of the whole name, without the NUL, however much of it was asked for.
    pub name_length: u32,
    pub bytes: u64,
    pub objects: u64,
}

impl CensusTotals {
    pub(crate) fn of(census: &Census) -> CensusTotals {
        CensusTotals {
            size: size_of::<CensusTotals>() as u32,
            reserved: 0,
            number: census.taken,
            live_bytes: census.total.bytes(),
            live_objects: census.total.objects,
        }
    }
}

/// The name of a band, its bytes and its objects.
pub(crate) type NamedBand = (Name, u64, u64);

impl Census {
    /// A band of the last census by its number.
    pub(crate) fn band(&mut self, by: BreakDown, index: usize) -> Outcome<NamedBand> {
        let bands = self.bands(by)?.list();
        let band = bands.get(index).ok_or_else(|| {
            Failure::argument(format_args!(
                "there is no band {index}: the census has {} of them",
                bands.len()
            ))
        })?;
        Ok((band.name, band.count.bytes(), band.count.objects))
    }
}
