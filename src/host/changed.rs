//! A change in place as profilers hear of it: one object ends, another begins.

use crate::base::Addr;
use crate::host::Host;

impl Host {
    /// An object of `words` words is about to be changed in place: for profiles it ends here.
    pub fn overwritten(&mut self, object: Addr, words: usize) {
        let Host { runtime, profilers, .. } = self;
        profilers.each().into_iter().for_each(|profiler| profiler.gone(runtime, object, words));
    }

    /// An object was changed in place: for profiles a new one begins here, with no past.
    pub fn created(&mut self, object: Addr) {
        let Host { runtime, profilers, .. } = self;
        profilers.each().into_iter().for_each(|profiler| profiler.created(runtime, object));
    }
}
