//! The part of a `.prof` that tells of retainers: a few lines for each census, the sets with their members, and who holds
//! the retainers.

use super::Reader;
use crate::prof::{Holder, RetainerCensus, RetainerSet};
use crate::read::ReadError;

impl Reader<'_> {
    pub(super) fn census(&mut self, rest: &str) -> Result<(), ReadError> {
        let (number, seconds) = rest
            .split_once(", at ")
            .and_then(|(number, rest)| {
                Some((number.parse().ok()?, finite(rest.strip_suffix(" seconds")?.trim())?))
            })
            .ok_or_else(|| self.error("expected \"Retainer Profiling: <number>, at <seconds> seconds\""))?;
        let mut census = RetainerCensus { number, seconds, ..RetainerCensus::default() };
        self.at += 1;
        while let Some(line) = self.peek().filter(|line| line.starts_with('\t') && line.contains(" = ")) {
            let Some((key, value)) = line.trim().split_once(" = ") else { break };
            let bad = || self.error(&format!("{key} must be a number"));
            match key {
                "Max auxiliary stack size" => census.max_stack = value.parse().map_err(|_| bad())?,
                "Average number of visits per object" => census.visits = finite(value).ok_or_else(bad)?,
                "Current total costs" => census.cost = Some(value.parse().map_err(|_| bad())?),
                "Number of retainer sets" => census.sets = Some(value.parse().map_err(|_| bad())?),
                _ => break,
            }
            self.at += 1;
        }
        self.file.retainers.censuses.push(census);
        Ok(())
    }

    pub(super) fn sets(&mut self) -> Result<(), ReadError> {
        while let Some(line) = self.peek().filter(|line| line.starts_with("SET ")) {
            let set = (|| {
                let (number, members) = line.strip_prefix("SET ")?.split_once(" = {")?;
                let members = members.trim_end().strip_suffix('}')?;
                // A member begins with `<` and ends with `>`, but both may stand inside a label: only `>, <` parts.
                let inner = members.strip_prefix('<')?.strip_suffix('>')?;
                let members = inner.split(">, <").map(str::to_owned).collect();
                Some(RetainerSet { number: number.parse().ok()?, members })
            })();
            let set =
                set.ok_or_else(|| self.error("expected \"SET <number> = {<retainer>, <retainer>}\""))?;
            self.file.retainers.sets.push(set);
            self.at += 1;
        }
        Ok(())
    }

    /// `<Main.c> 24000`, and below it, two blanks deeper each, `held by <Main.b> 16`.
    pub(super) fn holders(&mut self) -> Result<(), ReadError> {
        while let Some(line) = self.peek().filter(|line| !line.trim().is_empty()) {
            let text = line.trim_start_matches(' ');
            let indent = line.len() - text.len();
            let holder = (|| {
                let text = if indent == 0 { text } else { text.strip_prefix("held by ")? };
                // A name may hold the marks, so the first and the last count.
                let (name, bytes) = text.strip_prefix('<')?.rsplit_once("> ")?;
                Some(Holder { depth: indent / 2, name: name.to_owned(), bytes: bytes.parse().ok()? })
            })();
            let above = self.file.retainers.holders.last().map_or(0, |above| above.depth + 1);
            let holder = holder.filter(|holder| indent % 2 == 0 && holder.depth <= above).ok_or_else(|| {
                self.error("expected \"<retainer> <bytes>\", or \"held by <retainer> <bytes>\" two blanks below what it holds")
            })?;
            self.file.retainers.holders.push(holder);
            self.at += 1;
        }
        Ok(())
    }
}

/// A page cannot be told of numbers that are none, or have no end.
fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}
