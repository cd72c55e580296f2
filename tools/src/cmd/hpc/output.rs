//! Where a command's result goes: the file of `--output`, or standard output.

use super::failure::Failure;
use super::find::unreadable;
use super::settings::Settings;
use crate::write::file;

/// On standard output a newline follows, as hpc has it.
pub fn put(settings: &Settings, text: &str, out: &mut String) -> Result<(), Failure> {
    match &settings.output {
        None => {
            out.push_str(text);
            out.push('\n');
            Ok(())
        }
        Some(_) => put_plain(settings, text, out),
    }
}

/// The same text in both places.
pub fn put_plain(settings: &Settings, text: &str, out: &mut String) -> Result<(), Failure> {
    match &settings.output {
        None => {
            out.push_str(text);
            Ok(())
        }
        Some(path) => {
            let written = file::write_named(path, text.as_bytes());
            written.map_err(|error| unreadable(&path.display().to_string(), &error))
        }
    }
}
