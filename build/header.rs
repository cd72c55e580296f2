//! The C header, by cbindgen from the library's declarations.

#[path = "outline.rs"]
mod outline;

use std::path::Path;

/// The text of barrow.h; nothing where cbindgen cannot read the sources, which the compiler says better, and says next.
pub fn generate(root: &Path) -> Option<String> {
    let config = match cbindgen::Config::from_file(root.join("cbindgen.toml")) {
        Ok(config) => config,
        Err(error) => panic!("cbindgen.toml: {error}"),
    };
    match cbindgen::Builder::new().with_crate(root).with_config(config).generate() {
        Ok(bindings) => {
            let mut text = Vec::new();
            bindings.write(&mut text);
            Some(outline::arrange(&String::from_utf8_lossy(&text)))
        }
        Err(error) => {
            println!("cargo:warning=the C header was not generated: {error}");
            None
        }
    }
}
