//! No file is longer than 500 lines without its tests: when it grows, it has two subjects.

use std::path::Path;

use crate::house::{Finding, rust_files};
use crate::scan::{test_lines, tokens};

/// The most lines a file may have, top-level `#[cfg(test)]` items not counted.
const MOST: usize = 500;

/// Files under `src` of every crate that are too long, at the first line that is too much.
/// Files under `tests/` and `benches/` may have any length.
pub(crate) fn check(root: &Path) -> anyhow::Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for file in rust_files(root, &["src"])? {
        let tests = test_lines(&tokens(&file.text));
        let own: Vec<usize> = (1..=file.text.lines().count())
            .filter(|line| !tests.iter().any(|range| range.contains(line)))
            .collect();
        if let Some(first_too_much) = own.get(MOST) {
            let message = format!(
                "the file has {} lines without tests, more than {MOST}; divide it by subject",
                own.len()
            );
            findings.push(file.finding(*first_too_much, message));
        }
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::house::built;

    fn lines(count: usize) -> String {
        "const A: u8 = 1;\n".repeat(count)
    }

    #[test]
    fn a_file_of_501_lines_is_found_and_one_of_500_is_not() {
        let house = built(&[("crates/a/src/long.rs", &lines(501)), ("crates/a/src/fits.rs", &lines(500))]);
        let findings = check(house.path()).unwrap();
        assert_eq!(findings.len(), 1);
        assert_eq!((findings[0].file.as_str(), findings[0].line), ("crates/a/src/long.rs", 501));
        assert!(findings[0].message.contains("501 lines"), "{}", findings[0].message);
    }

    #[test]
    fn tests_are_not_counted_but_what_comes_after_them_is() {
        let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", lines(700));
        let fits = format!("{}{tests}", lines(400));
        let long = format!("{}{tests}{}", lines(400), lines(101));
        let house = built(&[("xtask/src/fits.rs", &fits), ("xtask/src/long.rs", &long)]);
        let findings = check(house.path()).unwrap();
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].file, "xtask/src/long.rs");
    }

    #[test]
    fn a_mark_of_tests_in_a_comment_or_a_text_hides_nothing() {
        let hidden =
            format!("// #[cfg(test)] mod tests {{\nconst B: &str = \"#[cfg(test)]\";\n{}", lines(499));
        let house = built(&[("crates/a/src/hidden.rs", &hidden)]);
        assert_eq!(check(house.path()).unwrap().len(), 1);
    }

    #[test]
    fn tests_and_benches_may_have_any_length() {
        let house = built(&[("crates/a/tests/t.rs", &lines(900)), ("crates/a/benches/b.rs", &lines(900))]);
        assert_eq!(check(house.path()).unwrap(), []);
    }
}
