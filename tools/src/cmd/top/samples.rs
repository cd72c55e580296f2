//! The table that `top` prints of samples: functions, or labels of a key, with each value; the greatest of one value first.

use super::{Sort, Top};
use crate::draw;
use crate::out::counted;
use crate::sampled::{Sampled, Text};
use crate::sort;
use barrow::base::Shown;
use std::cmp::Ordering;
use std::io::{self, Write};

pub struct Table<'a> {
    top: &'a Top,
    sampled: &'a Sampled,
    /// The value that orders.
    main: usize,
    key: Option<Text>,
}

impl Table<'_> {
    pub fn new<'a>(top: &'a Top, sampled: &'a Sampled) -> Result<Table<'a>, String> {
        if !matches!(top.sort, None | Some(Sort::Name)) {
            return Err("samples tell of one moment: --sort name, or none for the greatest --value".into());
        }
        let main = top.value.as_ref().map(|value| sampled.value(value)).transpose()?;
        let key = top.label.as_ref().map(|label| sampled.key(label)).transpose()?;
        Ok(Table { top, sampled, main: main.unwrap_or_else(|| sampled.main()), key })
    }

    fn amount(&self, value: usize, number: i64) -> String {
        let text = draw::amount(number.unsigned_abs() as f64, self.sampled.is_bytes(value));
        if number < 0 { format!("-{text}") } else { text }
    }

    pub fn print(&self, room: usize, out: &mut dyn Write) -> io::Result<()> {
        let Table { top, sampled, main, key } = *self;
        let shown = |text: &str| Shown::whole(text.as_bytes()).to_string();
        let every = sampled.period().map_or(String::new(), |(period, unit)| {
            let amount = draw::amount(period as f64, unit == "bytes");
            format!(
                ", one each {amount}{}",
                if unit == "bytes" { String::new() } else { format!(" {}", shown(unit)) }
            )
        });
        writeln!(out, "{}", shown(sampled.program()))?;
        let totals: Vec<String> = (0..sampled.types.len())
            .map(|value| {
                let total = self.amount(value, sampled.total(value));
                format!("{} {total}", shown(sampled.text(sampled.types[value].name)))
            })
            .collect();
        writeln!(out, "{}{every}; {}\n", counted(sampled.samples.len(), "stack"), totals.join(", "))?;
        // Behind what orders, the others from the last: what is in use before what was allocated.
        let others: Vec<usize> = (0..sampled.types.len()).rev().filter(|&value| value != main).collect();
        let heads: Vec<String> =
            (0..sampled.types.len()).map(|value| head(sampled.text(sampled.types[value].name))).collect();
        let width = |value: usize| heads[value].chars().count().max(10);
        write!(out, "{:>w$} {:>6}", heads[main], "SHARE", w = width(main))?;
        others.iter().try_for_each(|&value| write!(out, " {:>w$}", heads[value], w = width(value)))?;
        writeln!(out, "  {}", key.map_or("FUNCTION".to_owned(), |key| head(sampled.text(key))))?;
        let mut rows: Vec<(String, Vec<i64>)> = sampled.groups(key).into_iter().collect();
        sort::by(&mut rows, |a, b| a.0.cmp(&b.0));
        if top.sort.is_none() {
            // Rows that are equal in one value go by the next.
            sort::by(&mut rows, |one, other| {
                let values = [main].into_iter().chain(others.iter().copied());
                values
                    .map(|value| other.1[value].cmp(&one.1[value]))
                    .find(|order| order.is_ne())
                    .unwrap_or(Ordering::Equal)
            });
        }
        let whole = sampled.total(main);
        let most = match top.bands {
            Some(0) => usize::MAX,
            Some(most) => most,
            None => room,
        };
        for (name, values) in rows.iter().take(most) {
            let share = if whole == 0 { 0.0 } else { 100.0 * values[main] as f64 / whole as f64 };
            write!(out, "{:>w$} {share:>5.1}%", self.amount(main, values[main]), w = width(main))?;
            for &value in &others {
                write!(out, " {:>w$}", self.amount(value, values[value]), w = width(value))?;
            }
            writeln!(out, "  {}", shown(name))?;
        }
        if rows.len() > most {
            writeln!(out, "... and {} more (-n0 shows all)", rows.len() - most)?;
        }
        Ok(())
    }
}

/// `inuse_space` as the head of a column.
fn head(name: &str) -> String {
    Shown::whole(name.replace('_', " ").to_uppercase().as_bytes()).to_string()
}
