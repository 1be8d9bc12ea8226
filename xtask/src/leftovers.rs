//! Nothing unfinished and nothing switched off stays in code or tests.

use std::path::Path;

use crate::house::{File, Finding, rust_files};
use crate::scan::{Kind, Token, end_of_brackets, tokens};

/// Macros that mark unfinished work or are left from a search for a fault.
const MACROS: [&str; 3] = ["todo", "unimplemented", "dbg"];

/// Ignored tests (doc tests too) and left-over macros, tests and benches included.
pub(crate) fn check(root: &Path) -> anyhow::Result<Vec<Finding>> {
    let files = rust_files(root, &["src", "tests", "benches"])?;
    Ok(files.iter().flat_map(in_file).collect())
}

fn in_file(file: &File) -> Vec<Finding> {
    let tokens = tokens(&file.text);
    let mut findings: Vec<Finding> =
        tokens.iter().filter(|token| token.kind == Kind::Comment).filter_map(|c| doc_test(file, c)).collect();
    let code: Vec<&Token<'_>> = tokens.iter().filter(|token| token.kind != Kind::Comment).collect();
    for (at, token) in code.iter().enumerate() {
        let opens = |at: usize| code.get(at).is_some_and(|next| ["(", "[", "{"].contains(&next.text));
        let follows = |n: usize, text: &str| code.get(at + n).is_some_and(|next| next.text == text);
        if token.kind == Kind::Word && MACROS.contains(&token.text) && follows(1, "!") && opens(at + 2) {
            let message = format!("`{}!` stays in the code; finish the work or take it out", token.text);
            findings.push(file.finding(token.line, message));
        }
        if token.text == "#" && follows(1, "[") && ignores(&code, at + 2) {
            findings.push(file.finding(token.line, "the test is ignored; make it run or take it out"));
        }
    }
    findings
}

/// Whether the attribute whose first word stands at `first` is `ignore`, plain or behind a condition.
fn ignores(code: &[&Token<'_>], first: usize) -> bool {
    match code.get(first).map(|token| token.text) {
        Some("ignore") => true,
        Some("cfg_attr") => {
            let end = end_of_brackets(code, first + 1);
            code.iter()
                .take(end)
                .skip(first + 1)
                .any(|token| token.kind == Kind::Word && token.text == "ignore")
        }
        _ => false,
    }
}

fn doc_test(file: &File, comment: &Token<'_>) -> Option<Finding> {
    let said = ["///", "//!"].into_iter().find_map(|mark| comment.text.strip_prefix(mark))?;
    let info = said.trim().strip_prefix("```")?;
    let ignored = info.split(',').any(|word| word.trim().starts_with("ignore"));
    ignored
        .then(|| file.finding(comment.line, "the doc test is ignored; use `text`, `no_run` or make it run"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::house::built;

    fn lines(source: &str) -> Vec<usize> {
        let house = built(&[("crates/a/tests/t.rs", source)]);
        check(house.path()).unwrap().into_iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn every_way_to_ignore_a_test_is_found() {
        assert_eq!(lines("#[test]\n#[ignore]\nfn a() {}\n"), [2]);
        assert_eq!(lines("#[test]\n# [ ignore = \"slow\" ]\nfn a() {}\n"), [2]);
        assert_eq!(lines("#[cfg_attr(unix, ignore)]\nfn a() {}\n"), [1]);
        assert_eq!(lines("//! ```ignore\n//! a();\n//! ```\n/// ```rust,ignore\nfn a() {}\n"), [1, 4]);
    }

    #[test]
    fn macros_left_over_are_found_inside_tests_and_outside() {
        let house = built(&[
            (
                "crates/a/src/lib.rs",
                "fn a() { todo!() }\n#[cfg(test)]\nmod tests { fn b() { std::dbg!(1); } }\n",
            ),
            ("xtask/src/main.rs", "fn a() {\n    unimplemented!(\"later\")\n}\n"),
        ]);
        let found: Vec<String> = check(house.path()).unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].starts_with("crates/a/src/lib.rs:1: `todo!`"), "{}", found[0]);
        assert!(found[1].starts_with("crates/a/src/lib.rs:3: `dbg!`"), "{}", found[1]);
        assert!(found[2].starts_with("xtask/src/main.rs:2: `unimplemented!`"), "{}", found[2]);
    }

    #[test]
    fn words_that_only_look_like_them_may_stand() {
        let source = "//! Never `todo!()`.\nfn ignore(todo: u8) -> bool { todo != 1 }\n\
                      const A: &str = \"#[ignore] dbg!()\";\n#[cfg_attr(test, allow(x))]\nfn b() {}\n/// ```text\nfn c() {}\n";
        assert_eq!(lines(source), [] as [usize; 0]);
    }
}
