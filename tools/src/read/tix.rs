//! Reads `.tix`: `Tix [TixModule "Name" hash boxes [counts], ...]`, spaced in any way.

use super::fault::Fault;
use super::haskell::Scanner;
use crate::coverage::tix::{Tix, TixModule};

pub fn read(bytes: &[u8]) -> Result<Tix, Fault> {
    let mut scanner = Scanner::new(bytes)?;
    let mut modules = Vec::new();
    let opened = scanner.open();
    scanner.keyword("Tix")?;
    scanner.list(|scanner| {
        modules.push(module(scanner)?);
        Ok(())
    })?;
    scanner.close(opened)?;
    scanner.end()?;
    Ok(Tix { modules })
}

fn module(scanner: &mut Scanner) -> Result<TixModule, Fault> {
    let opened = scanner.open();
    scanner.keyword("TixModule")?;
    let name = scanner.string()?;
    let hash = scanner.hash()?;
    let claimed = scanner.machine_word("the number of boxes")?;
    let mut ticks = Vec::new();
    scanner.list(|scanner| {
        ticks.push(scanner.integer()?);
        Ok(())
    })?;
    scanner.close(opened)?;
    Ok(TixModule { name, hash, claimed, ticks })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::count::Count;

    #[test]
    fn any_spacing_and_brackets_are_the_same_file() {
        let plain = read(b"Tix [TixModule \"A\" 1 2 [3,-4]]");
        let odd =
            read("\u{a0}(Tix([ (TixModule(\"\\65\")\n(4294967297) 2 ([(3) , (- 4)]))\t]))\n".as_bytes());
        assert_eq!(plain, odd);
        let ticks = vec![Count::Word(3), Count::Word(-4)];
        let module = TixModule { name: "A".into(), hash: 1, claimed: 2, ticks };
        assert_eq!(plain, Ok(Tix { modules: vec![module] }));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, wrong) in [
            ("", "t:1: expected `Tix`, found the end of the file"),
            ("Tix [\nTixModule \"A\" 1 1 [1,2", "t:2: expected `,` or `]`, found the end of the file"),
            ("Tix [TixModule \"A\" 1 1 [1.5]]", "t:1: expected `,` or `]`, found `.5]]`"),
            ("Tix []\n\nTix", "t:3: expected the end of the file, found `Tix`"),
            ("Tix [TixModule A 1 1 []]", "t:1: expected `\"`, found `A 1 1 []]`"),
        ] {
            assert_eq!(read(text.as_bytes()).map_err(|e| e.in_file("t")), Err(wrong.to_string()));
        }
    }
}
