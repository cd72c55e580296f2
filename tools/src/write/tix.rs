//! Writes `.tix`, spaced as hpc spaces it. No newline at the end.

use super::haskell::string;
use crate::coverage::tix::Tix;
use std::fmt::Write;

pub fn write(tix: &Tix) -> String {
    let mut text = String::from("Tix [");
    for (n, module) in tix.modules.iter().enumerate() {
        let comma = if n > 0 { "," } else { "" };
        let claimed = match module.claimed {
            0.. => module.claimed.to_string(),
            _ => format!("({})", module.claimed),
        };
        // Writing to a string can not fail.
        let _ = write!(text, "{comma}TixModule {} {} {claimed} [", string(&module.name), module.hash);
        for (n, tick) in module.ticks.iter().enumerate() {
            let comma = if n > 0 { "," } else { "" };
            let _ = write!(text, "{comma}{tick}");
        }
        text.push(']');
    }
    text.push(']');
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_written_reads_back() {
        let text = r#"Tix [TixModule "a\"\233\&1" 5 (-2) [1,-1,99999999999999999999],TixModule "" 0 0 []]"#;
        let tix = crate::read::tix::read(text.as_bytes()).expect("well formed");
        assert_eq!(super::write(&tix), text);
    }
}
