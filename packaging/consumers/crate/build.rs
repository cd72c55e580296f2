//! The C of this crate, compiled against the headers of the `barrow` that cargo chose.
fn main() {
    let include = std::env::var("DEP_BARROW_INCLUDE").expect("barrow says where its headers are");
    cc::Build::new().file("src/fast_paths.c").include(include).warnings_into_errors(true).compile("fast_paths");
}
