//! `markup --classic`: the same pages in the frames of hpc 0.68, for scripts that read those. Names are escaped.

use super::summary_page::{Entry, Order, total};
use crate::coverage::tally::{Tally, Used};
use crate::write::escape::{address, markup_line};

const META: &str = "<meta http-equiv=\"Content-Type\" content=\"text/html; charset=UTF-8\">";

pub fn module(lines: &str, highlight_covered: bool) -> String {
    let (missed, ran, declaration) = match highlight_covered {
        false => ("{ background: yellow}", "{ background: white }", "{ font-weight: bold }"),
        true => (
            "{ color: #404040; background: white; font-style: oblique }",
            "{ color: black; background: #d0c0ff; font-style: normal; }",
            "{ font-weight: bold; background: #d0c0ff }",
        ),
    };
    format!(
        "<html>\n<head>\n{META}\n<style type=\"text/css\">\n\
         span.lineno {{ color: white; background: #aaaaaa; border-right: solid white 12px }}\n\
         span.nottickedoff {missed}\nspan.istickedoff {ran}\n\
         span.tickonlyfalse {{ margin: -1px; border: 1px solid #f20913; background: #f20913 }}\n\
         span.tickonlytrue  {{ margin: -1px; border: 1px solid #60de51; background: #60de51 }}\n\
         span.funcount {{ font-size: small; color: orange; z-index: 2; position: absolute; right: 20 }}\n\
         span.decl {declaration}\nspan.spaces    {{ background: white }}\n\
         </style>\n</head>\n<body>\n<pre>\n\
         <span class=\"decl\"><span class=\"nottickedoff\">never executed</span> \
         <span class=\"tickonlytrue\">always true</span> \
         <span class=\"tickonlyfalse\">always false</span></span>\n\
         </pre>\n<pre>\n{lines}\n</pre>\n</body>\n</html>\n"
    )
}

pub fn summary(entries: &[Entry], order: Order) -> String {
    let kind = |order: Order, heading: &str| {
        format!("<th colspan=3><a href=\"{}\">{heading}</a></th>", order.file())
    };
    let columns = "<th>%</th><th colspan=2>covered / total</th>".repeat(3);
    let mut out = format!(
        "<html><head>{META}<style type=\"text/css\">table.bar {{ background-color: #f25913; }}\n\
         td.bar {{ background-color: #60de51;  }}\ntd.invbar {{ background-color: #f25913;  }}\n\
         table.dashboard {{ border-collapse: collapse  ; border: solid 1px black }}\n\
         .dashboard td {{ border: solid 1px black }}\n.dashboard th {{ border: solid 1px black }}\n\
         </style>\n</head><body><table class=\"dashboard\" width=\"100%\" border=1>\n\
         <tr><th rowspan=2><a href=\"hpc_index.html\">module</a></th>{}{}{}</tr><tr>{columns}</tr>",
        kind(Order::TopLevel, "Top Level Definitions"),
        kind(Order::Alternatives, "Alternatives"),
        kind(Order::Expressions, "Expressions"),
    );
    for entry in order.sorted(entries) {
        out.push_str(&format!(
            "<tr>\n<td>&nbsp;&nbsp;<tt>module <a href=\"{}\">{}</a></tt></td>\n{}</tr>\n",
            address(&entry.file),
            markup_line(entry.module),
            cells(&entry.tally)
        ));
    }
    out.push_str(&format!(
        "<tr></tr><tr style=\"background: #e0e0e0\">\n\
         <th align=left>&nbsp;&nbsp;Program Coverage Total</tt></th>\n{}</tr>\n</table></body></html>\n",
        cells(&total(entries))
    ));
    out
}

fn cells(tally: &Tally) -> String {
    [tally.top_level, tally.alternatives, tally.expressions].into_iter().map(cell).collect()
}

fn cell(figure: Used) -> String {
    let share = format!("<td>{}/{}</td>", figure.used, figure.boxes);
    let Some(percent) = figure.percent() else {
        return format!("<td align=\"right\">-&nbsp;</td>{share}<td width=100>&nbsp;</td>");
    };
    // An empty bar is a full one of the other colour.
    let (width, class) = if percent > 0 { (percent, "bar") } else { (100, "invbar") };
    format!(
        "<td align=\"right\">{percent}%</td>{share}<td width=100>\
         <table cellpadding=0 cellspacing=0 width=\"100\" class=\"bar\"><tr><td>\
         <table cellpadding=0 cellspacing=0 width=\"{width}%\"><tr><td height=12 class=\"{class}\"></td></tr>\
         </table></td></tr></table></td>"
    )
}
