//! Layers use only those before them (docs/design/00-map.md).

use std::path::Path;

const LAYERS: [&str; 9] = ["base", "os", "megablock", "block", "heap", "gc", "report", "runtime", "ffi"];

fn check(folder: &Path, layer: usize, wrong: &mut Vec<String>) {
    for path in std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            check(&path, layer, wrong);
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or("");
            for after in code.split("crate::").skip(1) {
                let name: String = after.chars().take_while(|c| c.is_ascii_lowercase()).collect();
                let used = LAYERS.iter().position(|known| *known == name);
                if used.is_some_and(|used| used > layer) {
                    wrong.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
                }
            }
        }
    }
}

#[test]
fn arrows_go_down_only() {
    let mut wrong = Vec::new();
    for (number, layer) in LAYERS.iter().enumerate() {
        check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(layer), number, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
