//! Every Rust file opens with a `//!` line that says what it is for.

use std::path::Path;

use crate::house::{Finding, rust_files};

/// Files of every crate, tests and benches included, whose first line is not `//!` with words behind it.
pub(crate) fn check(root: &Path) -> anyhow::Result<Vec<Finding>> {
    let files = rust_files(root, &["src", "tests", "benches"])?;
    let opens = |text: &str| {
        let said = text.lines().next().and_then(|line| line.strip_prefix("//!"));
        said.is_some_and(|said| !said.trim().is_empty())
    };
    Ok(files
        .iter()
        .filter(|file| !opens(&file.text))
        .map(|file| file.finding(1, "the file does not open with a `//!` line; say in one what it is for"))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::house::built;

    #[test]
    fn a_file_that_does_not_say_what_it_is_for_is_found_wherever_it_stands() {
        let house = built(&[
            ("crates/a/src/lib.rs", "//! What it is for.\n"),
            ("crates/a/src/none.rs", "fn a() {}\n"),
            ("crates/a/src/late.rs", "\n//! Too late.\n"),
            ("crates/a/src/blank.rs", "//!\n//! Too late.\n"),
            ("crates/a/src/empty.rs", ""),
            ("crates/a/tests/story.rs", "/// Not of the file.\nfn a() {}\n"),
            ("crates/a/benches/pace.rs", "// No doc comment.\n"),
            ("xtask/src/main.rs", "fn main() {}\n"),
        ]);
        let found: Vec<String> = check(house.path()).unwrap().into_iter().map(|f| f.file).collect();
        assert_eq!(
            found,
            [
                "crates/a/benches/pace.rs",
                "crates/a/src/blank.rs",
                "crates/a/src/empty.rs",
                "crates/a/src/late.rs",
                "crates/a/src/none.rs",
                "crates/a/tests/story.rs",
                "xtask/src/main.rs"
            ]
        );
    }

    #[test]
    fn a_house_whose_files_all_open_so_is_clean() {
        let house = built(&[("crates/a/src/lib.rs", "//! A.\n"), ("crates/a/tests/t.rs", "//! T.\n")]);
        assert_eq!(check(house.path()).unwrap(), []);
    }
}
