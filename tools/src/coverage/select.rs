//! Which modules a command looks at: `--include`, `--exclude` and further arguments.

#[derive(Default)]
pub struct Selection {
    pub include: Vec<String>,
    pub exclude: Vec<String>,
}

impl Selection {
    /// Excluded by any of its names: out. Otherwise in, unless there are includes and none is one of its names.
    pub fn takes(&self, module: &str) -> bool {
        let named_in = |list: &[String]| list.iter().any(|name| answers_to(module, name));
        !named_in(&self.exclude) && (self.include.is_empty() || named_in(&self.include))
    }
}

/// `p/M` answers to `p:`, `p:M` and `M`; a module `M` of the main package to `M` and `:M`.
fn answers_to(module: &str, name: &str) -> bool {
    let (package, plain) = module.split_once('/').unwrap_or(("", module));
    match name.split_once(':') {
        None => name == plain,
        Some((in_package, "")) => !package.is_empty() && in_package == package,
        Some((in_package, named)) => in_package == package && named == plain,
    }
}

#[cfg(test)]
mod tests {
    use super::answers_to;

    #[test]
    fn a_module_answers_to_its_names_only() {
        for name in ["p-1:", "p-1:A.B", "A.B"] {
            assert!(answers_to("p-1/A.B", name), "{name}");
        }
        for name in ["p-1", "p-1/A.B", ":A.B", "A", "p:", ""] {
            assert!(!answers_to("p-1/A.B", name), "{name}");
        }
        assert!(
            answers_to("M", "M")
                && answers_to("M", ":M")
                && !answers_to("M", ":")
                && !answers_to("M", "main:")
        );
    }
}
