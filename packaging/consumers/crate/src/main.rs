//! Calls its own C, which has the inline forms; the rest of the library comes with the crate.
use barrow as _;

unsafe extern "C" {
    /// The sum of a list of the numbers below `count`, which was collected many times. 0 when something went wrong.
    fn sum_of_list(count: u64) -> u64;
}

fn main() {
    // SAFETY: it takes any number and keeps nothing.
    println!("{}", unsafe { sum_of_list(100_000) });
}
