//! Where a command's result goes: the file of `--output`, or standard output.

use super::failure::Failure;
use super::find::unreadable;
use super::settings::Settings;
use crate::whole_file;
use std::fs;

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
            let folder = path.parent().filter(|_| !path.exists()).map_or(Ok(()), fs::create_dir_all);
            let written = folder.and_then(|()| whole_file::write(path, |out| out.write_all(text.as_bytes())));
            written.map_err(|error| unreadable(&path.display().to_string(), &error))
        }
    }
}
