//! Code holds no word of any language: strings outside tests have no letters beyond ASCII.

use std::path::Path;

use crate::house::{File, Finding, rust_files};
use crate::scan::{Kind, Token, test_lines, tokens};

/// Crates that are for tests from end to end.
const FOR_TESTS: [&str; 1] = ["crates/testkit/"];

/// Strings under `crates/*/src`, outside tests, with a letter beyond ASCII, written out or escaped;
/// each at the line of its first such letter. Symbols that are no letters, such as ✓ or €, may stand.
pub(crate) fn check(root: &Path) -> anyhow::Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for file in files(root)? {
        findings.extend(strings(&file).iter().filter_map(|token| {
            let (line, letter) = foreign_letter(token)?;
            let message = format!(
                "the string holds the letter {letter:?}; a word of a language belongs in packs/, and is read from there"
            );
            Some(file.finding(line, message))
        }));
    }
    Ok(findings)
}

/// The source of the program: the Rust files under `crates/*/src`, without the crates for tests.
///
/// # Errors
/// As [`rust_files`].
pub(crate) fn files(root: &Path) -> anyhow::Result<Vec<File>> {
    let mut files = rust_files(root, &["src"])?;
    files.retain(|file| {
        file.name.starts_with("crates/") && !FOR_TESTS.iter().any(|home| file.name.starts_with(home))
    });
    Ok(files)
}

/// The strings of a file outside its tests, in order.
pub(crate) fn strings(file: &File) -> Vec<Token<'_>> {
    let mut tokens = tokens(&file.text);
    let tests = test_lines(&tokens);
    tokens.retain(|token| {
        matches!(token.kind, Kind::Text | Kind::RawText)
            && !tests.iter().any(|range| range.contains(&token.line))
    });
    tokens
}

/// The first letter beyond ASCII in a string, and its line.
fn foreign_letter(token: &Token<'_>) -> Option<(usize, char)> {
    let escapes = match token.kind {
        Kind::Text => true,
        Kind::RawText => false,
        _ => return None,
    };
    let mut line = token.line;
    let mut rest = token.text.chars();
    while let Some(character) = rest.next() {
        let meant = if escapes && character == '\\' { escaped(&mut rest) } else { character };
        if !meant.is_ascii() && meant.is_alphabetic() {
            return Some((line, meant));
        }
        line += usize::from(character == '\n');
    }
    None
}

/// The character that an escape stands for, `rest` being behind its backslash. An escape other than
/// `\u{…}` stands for ASCII or for no character, so a space will do.
fn escaped(rest: &mut std::str::Chars<'_>) -> char {
    let body = rest.as_str().strip_prefix("u{").and_then(|body| body.split_once('}'));
    let meant = body.and_then(|(digits, _)| u32::from_str_radix(&digits.replace('_', ""), 16).ok());
    match meant.and_then(char::from_u32) {
        Some(meant) => {
            rest.find(|character| *character == '}');
            meant
        }
        None => {
            // So that an escaped backslash does not begin another escape. A line break is left for the count.
            if !rest.as_str().starts_with('\n') {
                rest.next();
            }
            ' '
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::house::built;

    fn found(source: &str) -> Vec<(usize, String)> {
        let house = built(&[("crates/a/src/lib.rs", source)]);
        check(house.path()).unwrap().into_iter().map(|f| (f.line, f.message)).collect()
    }

    #[test]
    fn letters_beyond_ascii_are_found_in_every_kind_of_string() {
        for (source, letter) in [
            ("const A: &str = \"envío\";", 'í'),
            ("const A: &str = r#\"доставка\"#;", 'д'),
            ("const A: &str = \"\\u{e9}\";", 'é'),
            ("const A: &str = \"配送\";", '配'),
            ("const A: &CStr = c\"añ\";", 'ñ'),
            ("#[doc = \"año\"]\nconst A: u8 = 1;", 'ñ'),
        ] {
            let findings = found(source);
            assert_eq!(findings.len(), 1, "{source}");
            assert!(findings[0].1.contains(&format!("{letter:?}")), "{source}: {}", findings[0].1);
        }
    }

    #[test]
    fn a_letter_is_found_on_its_own_line() {
        assert_eq!(found("//! A.\nconst A: &str = \"one \\\n    two\n    año\";\n")[0].0, 4);
    }

    #[test]
    fn comments_characters_symbols_and_plain_texts_may_stand() {
        let source = "//! Año.\n/* доставка */\nconst A: char = 'ñ';\nconst B: &str = \"✓ ✗ → — € \\u{200c} \\\\u{e9}\";\n\
                      const C: &str = r\"\\u{e9}\";\n";
        assert_eq!(found(source), []);
    }

    #[test]
    fn tests_and_the_crate_for_tests_may_hold_words() {
        let source = "fn a() {}\n#[cfg(test)]\nmod tests {\n    const A: &str = \"envío\";\n}\n";
        let house = built(&[
            ("crates/a/src/lib.rs", source),
            ("crates/a/tests/story.rs", "const A: &str = \"envío\";"),
            ("crates/testkit/src/lib.rs", "const A: &str = \"envío\";"),
        ]);
        assert_eq!(check(house.path()).unwrap(), []);
    }

    #[test]
    fn code_after_the_tests_is_no_test() {
        let source = "#[cfg(test)]\nmod tests {}\nconst A: &str = \"envío\";\n";
        assert_eq!(found(source).len(), 1);
    }
}
