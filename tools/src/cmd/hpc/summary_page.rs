//! The pages that sum up a program: one table of all modules with bars, in four files, each in one order. The links
//! of the table's head lead to the other orders; where scripts run, they sort in place, by every column.

use super::page::head;
use crate::coverage::tally::{Tally, Used};
use crate::sort;
use crate::write::escape::{address, markup_line};

const SCRIPT: &str = include_str!("../../../assets/hpc/sort.js");

pub struct Entry<'a> {
    pub module: &'a str,
    pub file: String,
    pub tally: Tally,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Name,
    TopLevel,
    Alternatives,
    Expressions,
}

impl Order {
    /// In the order in which they are written.
    pub const ALL: [Order; 4] = [Order::Name, Order::TopLevel, Order::Alternatives, Order::Expressions];

    pub fn file(self) -> &'static str {
        match self {
            Order::Name => "hpc_index.html",
            Order::TopLevel => "hpc_index_fun.html",
            Order::Alternatives => "hpc_index_alt.html",
            Order::Expressions => "hpc_index_exp.html",
        }
    }

    /// The best covered first, those with nothing to cover last; equal ones stay as the `.tix` has them.
    pub fn sorted<'a, 'b>(self, entries: &'b [Entry<'a>]) -> Vec<&'b Entry<'a>> {
        let mut sorted: Vec<&Entry> = entries.iter().collect();
        match self {
            Order::Name => sort::by_key(&mut sorted, |entry| entry.module),
            Order::TopLevel => {
                sort::by_key(&mut sorted, |entry| std::cmp::Reverse(entry.tally.top_level.percent()))
            }
            Order::Alternatives => {
                sort::by_key(&mut sorted, |entry| std::cmp::Reverse(entry.tally.alternatives.percent()))
            }
            Order::Expressions => {
                sort::by_key(&mut sorted, |entry| std::cmp::Reverse(entry.tally.expressions.percent()))
            }
        }
        sorted
    }
}

/// What a column counts; those with an order have a file of their own.
struct Column {
    heading: &'static str,
    order: Option<Order>,
    figure: fn(&Tally) -> Used,
}

const COLUMNS: [Column; 5] = [
    Column {
        heading: "Top Level Definitions",
        order: Some(Order::TopLevel),
        figure: |tally| tally.top_level,
    },
    Column { heading: "Alternatives", order: Some(Order::Alternatives), figure: |tally| tally.alternatives },
    Column { heading: "Expressions", order: Some(Order::Expressions), figure: |tally| tally.expressions },
    Column { heading: "Booleans", order: None, figure: |tally| tally.booleans().covered() },
    Column { heading: "Local Declarations", order: None, figure: |tally| tally.local },
];

pub fn total(entries: &[Entry]) -> Tally {
    let mut total = Tally::default();
    entries.iter().for_each(|entry| total.add_module(entry.module, &entry.tally));
    total
}

pub fn page(entries: &[Entry], order: Order) -> String {
    let mut out = head("All modules", "");
    out.push_str("<body>\n<header>\n<h1>Coverage</h1>\n</header>\n<main>\n<table class=\"dashboard\">\n<thead>\n<tr>\n");
    let sorted_by = |this: Option<Order>, direction: &str| {
        if this == Some(order) { format!(" aria-sort=\"{direction}\"") } else { String::new() }
    };
    out.push_str(&format!(
        "<th scope=\"col\"{}><a href=\"hpc_index.html\">module</a></th>\n",
        sorted_by(Some(Order::Name), "ascending")
    ));
    for column in &COLUMNS {
        let heading = match column.order {
            Some(order) => format!("<a href=\"{}\">{}</a>", order.file(), column.heading),
            None => column.heading.to_string(),
        };
        out.push_str(&format!("<th scope=\"col\"{}>{heading}</th>\n", sorted_by(column.order, "descending")));
    }
    out.push_str("</tr>\n</thead>\n<tbody>\n");
    for entry in order.sorted(entries) {
        let (file, module) = (address(&entry.file), markup_line(entry.module));
        let name = format!("<th scope=\"row\">module <a href=\"{file}\"><code>{module}</code></a></th>");
        out.push_str(&row(&name, &entry.tally));
    }
    out.push_str("</tbody>\n<tfoot>\n");
    out.push_str(&row("<th scope=\"row\">Program Coverage Total</th>", &total(entries)));
    out.push_str(&format!("</tfoot>\n</table>\n</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n"));
    out
}

fn row(name: &str, tally: &Tally) -> String {
    let mut out = format!("<tr>\n{name}\n");
    for column in &COLUMNS {
        let figure = (column.figure)(tally);
        // Less than any percentage, so that what can not be covered comes last here too.
        let (key, shown, bar) = match figure.percent() {
            None => ("-1".to_string(), "\u{2013}".to_string(), String::new()),
            Some(percent) => (
                // Finer than whole percents, for long lists of nearly covered modules.
                format!("{:.4}", figure.used as f64 * 100.0 / figure.boxes as f64),
                format!("{percent}%"),
                format!(
                    "<span class=\"invbar\"><span class=\"bar\" style=\"width: {percent}%\"></span></span>"
                ),
            ),
        };
        out.push_str(&format!(
            "<td data-key=\"{key}\" data-heading=\"{}\"><b>{shown}</b> <span class=\"share\">{}/{}</span>{bar}</td>\n",
            column.heading, figure.used, figure.boxes
        ));
    }
    out + "</tr>\n"
}
