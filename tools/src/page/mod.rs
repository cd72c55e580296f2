//! The viewer's page: assets, a description of the files as JSON, and the packed values, in one HTML file.
//! Invariant: the page asks for nothing from anywhere; its content policy forbids it, save the server it came from.

mod describe;
#[cfg(test)]
mod fuzz;
mod graph;
mod pack;
mod samples;
mod stops;

use crate::read::any::{Input, Profile};
use serde_json::{Value, json};
use std::hash::{DefaultHasher, Hash, Hasher};

const PAGE: &str = include_str!("../../assets/viewer.html");
const STYLE: &str = include_str!("../../assets/viewer.css");

/// A script, from which build.rs has taken the comments.
macro_rules! script {
    ($name:literal) => {
        include_str!(concat!(env!("OUT_DIR"), "/js/", $name, ".js"))
    };
}

/// In the order in which a reader should meet them; all share one scope.
const SCRIPTS: [&str; 30] = [
    script!("dom"),
    script!("format"),
    script!("colour"),
    script!("state"),
    script!("pack"),
    script!("heap"),
    script!("dense"),
    script!("chart"),
    script!("strip"),
    script!("grid"),
    script!("bands"),
    script!("biography"),
    script!("detail"),
    script!("answer"),
    script!("heapflame"),
    script!("heapview"),
    script!("tree"),
    script!("flame"),
    script!("treetable"),
    script!("samples"),
    script!("profview"),
    script!("diffview"),
    script!("spacegraph"),
    script!("spaceview"),
    script!("graphview"),
    script!("stops"),
    script!("stopsview"),
    script!("bar"),
    script!("keys"),
    script!("address"),
];
const LIVE: &str = script!("live");
const START: &str = script!("app");

/// What a page shows, ready to be embedded or sent.
pub struct Data {
    meta: Value,
    /// Base64 of each heap profile's values, by number in `meta`.
    blobs: Vec<String>,
    /// Changes when the content does.
    pub tag: String,
}

/// Whether a browser has room for a page of them.
pub fn fits(inputs: &[Input]) -> Result<(), String> {
    let mut all = 0usize;
    for input in inputs {
        let Profile::Heap(heap) = &input.profile else { continue };
        pack::fits(heap).map_err(|error| format!("{}: {error}", input.name))?;
        all = all.saturating_add(pack::numbers(heap));
    }
    if all <= pack::MOST_NUMBERS {
        return Ok(());
    }
    let (files, most) = (inputs.len(), pack::MOST_NUMBERS);
    Err(format!(
        "a page of these {files} files would hold {all} numbers; {most} is the most: make a page of fewer"
    ))
}

impl Data {
    /// `follow`: milliseconds between a page's questions whether the files have grown.
    pub fn new(inputs: &[Input], diff: bool, follow: Option<u64>) -> Data {
        let mut blobs = Vec::new();
        let files: Vec<Value> =
            inputs.iter().map(|input| describe::file(input, inputs, &mut blobs)).collect();
        let title = inputs.iter().map(|input| describe::base(&input.name)).collect::<Vec<_>>().join(", ");
        let mut meta = json!({ "title": title, "diff": diff, "live": follow, "files": files });
        let mut hasher = DefaultHasher::new();
        (meta.to_string(), &blobs).hash(&mut hasher);
        let tag = format!("{:016x}", hasher.finish());
        meta["tag"] = json!(tag);
        Data { meta, blobs, tag }
    }

    /// For a page that asks for news.
    pub fn answer(&self) -> String {
        json!({ "meta": self.meta, "blobs": self.blobs }).to_string()
    }

    pub fn page(&self) -> String {
        let mut data = format!(
            "<script type=\"application/json\" id=\"barrow-meta\">{}</script>\n",
            // The only way out of a script element is its end tag, in any case of letters.
            self.meta.to_string().replace('<', "\\u003c")
        );
        for blob in &self.blobs {
            data.push_str("<script type=\"text/plain\" class=\"barrow-blob\">");
            data.push_str(blob);
            data.push_str("</script>\n");
        }
        let live = !self.meta["live"].is_null();
        let mut script = String::from("(() => {\n'use strict';\n");
        for part in SCRIPTS.into_iter().chain([LIVE, START]) {
            script.push_str(part);
        }
        script.push_str("})();");
        let title = escape(self.meta["title"].as_str().unwrap_or("heap profile"));
        // In one pass over the template: what is put in may contain anything, also a place's name.
        fill(
            PAGE,
            &[
                ("connect", if live { "'self'" } else { "'none'" }),
                ("title", &title),
                ("css", STYLE),
                ("data", &data),
                ("js", &script),
            ],
        )
    }
}

fn fill(template: &str, places: &[(&str, &str)]) -> String {
    let mut out =
        String::with_capacity(template.len() + places.iter().map(|(_, text)| text.len()).sum::<usize>());
    let mut rest = template;
    while let Some(open) = rest.find("{{") {
        let Some(close) = rest[open..].find("}}") else { break };
        out.push_str(&rest[..open]);
        let name = &rest[open + 2..open + close];
        out.push_str(places.iter().find(|(place, _)| *place == name).map_or("", |(_, text)| text));
        rest = &rest[open + close + 2..];
    }
    out.push_str(rest);
    out
}

/// Text for HTML and XML, inside attributes too.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Not allowed in XML at all, and of no use in HTML.
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() && c != '\n' && c != '\t' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Band, HeapProfile, Series};

    #[test]
    fn names_cannot_break_out_of_the_page() {
        let mut series = Series::default();
        series.push(0, 8);
        let band = Band { name: b"</script><b>{{js}}".as_slice().into(), series };
        let heap = HeapProfile { times: vec![0.0], bands: vec![band], ..HeapProfile::default() };
        let page = Data::new(
            &[Input { name: "a<b>.hp".into(), profile: Profile::Heap(heap), notes: Vec::new() }],
            false,
            None,
        )
        .page();
        assert!(page.contains("\\u003c/script>\\u003cb>{{js}}"));
        assert!(page.contains("<title>a&lt;b&gt;.hp</title>"));
        assert!(page.contains("connect-src 'none'"));
        assert!(!page.contains("</script><b>"));
    }

    #[test]
    fn what_xml_does_not_allow_is_replaced() {
        assert_eq!(escape("a\u{fffe}b\u{ffff}\u{0}\u{85}\t<"), "a\u{fffd}b\u{fffd}\u{fffd}\u{fffd}\t&lt;");
    }

    #[test]
    fn a_page_names_no_other_place() {
        let page = Data::new(&[], false, None).page();
        assert!(!page.contains("http://") && !page.contains("https://") && !page.contains("@import"));
    }
}
