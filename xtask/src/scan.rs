//! Cuts Rust source into tokens, as far as the checks need it: comments, literals, words, signs.

use std::ops::RangeInclusive;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A line or block comment, doc comments among them.
    Comment,
    /// A string, byte string or C string with escapes.
    Text,
    /// The same in its raw form, without escapes.
    RawText,
    /// A character or a byte.
    Char,
    /// A lifetime or a loop label.
    Lifetime,
    /// A name, a keyword or a number.
    Word,
    /// Any other character.
    Sign,
}

/// A piece of source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    /// What it is.
    pub(crate) kind: Kind,
    /// The line it begins on, from 1.
    pub(crate) line: usize,
    /// The source itself, quotes and prefixes included.
    pub(crate) text: &'a str,
}

/// The tokens of a file in order; only white space is left out. Any text gives tokens:
/// what is not closed runs to the end.
pub(crate) fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let (mut rest, mut line) = (source, 1);
    while let Some(first) = rest.chars().next() {
        let (kind, length) = first_token(rest, first);
        let Some((text, behind)) = rest.split_at_checked(length) else {
            break;
        };
        if let Some(kind) = kind {
            found.push(Token { kind, line, text });
        }
        line += text.matches('\n').count();
        rest = behind;
    }
    found
}

/// What `rest`, which begins with `first`, begins with, and how many bytes that takes. `None`: white space.
fn first_token(rest: &str, first: char) -> (Option<Kind>, usize) {
    if first.is_whitespace() {
        return (None, first.len_utf8());
    }
    if rest.starts_with("//") {
        return (Some(Kind::Comment), rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return (Some(Kind::Comment), block_comment(rest));
    }
    if let Some(length) = raw_text(rest) {
        return (Some(Kind::RawText), length);
    }
    if let Some(length) = text(rest) {
        return (Some(Kind::Text), length);
    }
    if let Some((kind, length)) = quoted(rest) {
        return (Some(kind), length);
    }
    match word(rest) {
        0 => (Some(Kind::Sign), first.len_utf8()),
        length => (Some(Kind::Word), length),
    }
}

fn word(rest: &str) -> usize {
    rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
}

/// Block comments nest.
fn block_comment(rest: &str) -> usize {
    let mut depth = 0_usize;
    let mut characters = rest.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        match (character, characters.peek().map(|(_, next)| *next)) {
            ('/', Some('*')) => depth += 1,
            ('*', Some('/')) if depth == 1 => return at + 2,
            ('*', Some('/')) => depth -= 1,
            _ => continue,
        }
        characters.next();
    }
    rest.len()
}

fn raw_text(rest: &str) -> Option<usize> {
    let body = ["r", "br", "cr"].into_iter().find_map(|prefix| {
        let behind = rest.strip_prefix(prefix)?;
        behind.starts_with(['"', '#']).then_some(behind)
    })?;
    let hashes = body.len() - body.trim_start_matches('#').len();
    // Without the quotation mark it is a raw name, such as r#type.
    let inside = body.trim_start_matches('#').strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    let before = rest.len() - inside.len();
    Some(inside.find(&close).map_or(rest.len(), |at| before + at + close.len()))
}

fn text(rest: &str) -> Option<usize> {
    let inside = ["\"", "b\"", "c\""].into_iter().find_map(|open| rest.strip_prefix(open))?;
    let before = rest.len() - inside.len();
    let mut escaped = false;
    for (at, character) in inside.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(before + at + 1),
            _ => {}
        }
    }
    Some(rest.len())
}

/// A character, a byte, or a lifetime: the three that begin with an apostrophe.
fn quoted(rest: &str) -> Option<(Kind, usize)> {
    let inside = rest.strip_prefix('\'').or_else(|| rest.strip_prefix("b'"))?;
    let before = rest.len() - inside.len();
    let mut characters = inside.char_indices();
    let (_, first) = characters.next()?;
    if first == '\\' {
        // What is escaped may itself be an apostrophe.
        characters.next();
        let close = characters.find(|(_, character)| *character == '\'');
        return Some((Kind::Char, close.map_or(rest.len(), |(at, _)| before + at + 1)));
    }
    match characters.next() {
        Some((at, '\'')) => Some((Kind::Char, before + at + 1)),
        _ => Some((Kind::Lifetime, before + word(inside))),
    }
}

/// The lines, first to last, of what stands under a top-level `#[cfg(test)]`: the attribute,
/// those after it, and the item they belong to. `#![cfg(test)]` makes the whole file one such range.
pub(crate) fn test_lines(tokens: &[Token<'_>]) -> Vec<RangeInclusive<usize>> {
    let code: Vec<&Token<'_>> = tokens.iter().filter(|token| token.kind != Kind::Comment).collect();
    let mut ranges = Vec::new();
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(token) = code.get(at) {
        if depth == 0 && begins(&code, at, &["#", "!", "[", "cfg", "(", "test", ")", "]"]) {
            return vec![1..=usize::MAX];
        }
        if depth == 0 && begins(&code, at, &["#", "[", "cfg", "(", "test", ")", "]"]) {
            let end = end_of_item(&code, at);
            // A text may go on below the line it begins on; the last token of an item is a sign.
            let last = code.get(end).or(code.last()).map_or(token.line, |token| token.line);
            ranges.push(token.line..=last);
            at = end + 1;
            continue;
        }
        depth = depth_after(depth, token);
        at += 1;
    }
    ranges
}

fn begins(code: &[&Token<'_>], at: usize, texts: &[&str]) -> bool {
    texts.iter().enumerate().all(|(n, text)| code.get(at + n).is_some_and(|token| token.text == *text))
}

/// The place of the last token of the item whose first attribute stands at `at`.
fn end_of_item(code: &[&Token<'_>], mut at: usize) -> usize {
    while begins(code, at, &["#", "["]) {
        at = end_of_brackets(code, at + 1) + 1;
    }
    let mut depth = 0_usize;
    while let Some(token) = code.get(at) {
        depth = depth_after(depth, token);
        if depth == 0 && token.kind == Kind::Sign && (token.text == ";" || token.text == "}") {
            return at;
        }
        at += 1;
    }
    at
}

/// The place of the bracket that closes the one at `open`; behind the last token where none does.
pub(crate) fn end_of_brackets(code: &[&Token<'_>], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in code.iter().enumerate().skip(open) {
        depth = depth_after(depth, token);
        if depth == 0 {
            return at;
        }
    }
    code.len()
}

fn depth_after(depth: usize, token: &Token<'_>) -> usize {
    match (token.kind, token.text) {
        (Kind::Sign, "(" | "[" | "{") => depth + 1,
        (Kind::Sign, ")" | "]" | "}") => depth.saturating_sub(1),
        _ => depth,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn kinds(source: &str) -> Vec<(Kind, &str)> {
        tokens(source).into_iter().map(|token| (token.kind, token.text)).collect()
    }

    #[test]
    fn comments_nest_and_end_where_rust_ends_them() {
        assert_eq!(
            kinds("a // b \"c\"\n/* d /* e */ f */ g"),
            [
                (Kind::Word, "a"),
                (Kind::Comment, "// b \"c\""),
                (Kind::Comment, "/* d /* e */ f */"),
                (Kind::Word, "g")
            ]
        );
    }

    #[test]
    fn texts_keep_their_escapes_and_raw_texts_their_hashes() {
        assert_eq!(kinds(r#""a\"b" x"#), [(Kind::Text, r#""a\"b""#), (Kind::Word, "x")]);
        assert_eq!(kinds(r#"b"a" c"b""#), [(Kind::Text, "b\"a\""), (Kind::Text, "c\"b\"")]);
        assert_eq!(
            kinds("r\"a\\\" r#\"b\"c\"# br##\"d\"# \"##"),
            [(Kind::RawText, "r\"a\\\""), (Kind::RawText, "r#\"b\"c\"#"), (Kind::RawText, "br##\"d\"# \"##")]
        );
        assert_eq!(kinds("r#type"), [(Kind::Word, "r"), (Kind::Sign, "#"), (Kind::Word, "type")]);
    }

    #[test]
    fn characters_are_told_from_lifetimes() {
        assert_eq!(
            kinds(r"'a' '\'' '\\' '\u{e9}' b'x' 'a 'static '"),
            [
                (Kind::Char, "'a'"),
                (Kind::Char, r"'\''"),
                (Kind::Char, r"'\\'"),
                (Kind::Char, r"'\u{e9}'"),
                (Kind::Char, "b'x'"),
                (Kind::Lifetime, "'a"),
                (Kind::Lifetime, "'static"),
                (Kind::Sign, "'")
            ]
        );
    }

    #[test]
    fn a_quotation_mark_as_a_character_opens_no_text() {
        assert_eq!(kinds("'\"' x '\"'").len(), 3);
    }

    #[test]
    fn a_token_knows_the_line_it_begins_on() {
        let lines: Vec<usize> = tokens("a\n\"b\nc\" d\n\ne").iter().map(|token| token.line).collect();
        assert_eq!(lines, [1, 2, 3, 5]);
    }

    #[test]
    fn test_items_end_where_their_braces_close() {
        let source =
            "fn a() {}\n#[cfg(test)]\n#[allow(x)]\nmod tests {\n    fn b() { \"}\"; }\n}\nfn c() {}\n";
        assert_eq!(test_lines(&tokens(source)), [2..=6]);
        assert_eq!(test_lines(&tokens("#[cfg(test)]\nuse a::b;\nfn c() {}")), [1..=2]);
        assert_eq!(test_lines(&tokens("#![cfg(test)]\nfn c() {}")), [1..=usize::MAX]);
        assert_eq!(test_lines(&tokens("#[cfg(test)]\nmod tests {")), [1..=2]);
    }

    #[test]
    fn only_the_real_attribute_at_the_top_level_makes_tests() {
        for source in [
            "// #[cfg(test)]\nfn a() {}",
            "const A: &str = \"#[cfg(test)] mod a {}\";",
            "mod a {\n#[cfg(test)]\nfn b() {}\n}",
            "#[cfg(not(test))]\nfn a() {}",
            "#![cfg_attr(test, allow(x))]\nfn a() {}",
        ] {
            assert_eq!(test_lines(&tokens(source)), [], "{source}");
        }
    }

    proptest! {
        #[test]
        fn tokens_hold_everything_but_white_space(source in r#"([a-z'"\\/*#r\n ñ{}();!\[\]]|\PC){0,60}"#) {
            let tokens = tokens(&source);
            let mut rest = source.as_str();
            for token in &tokens {
                let at = rest.find(token.text).unwrap();
                prop_assert!(rest[..at].chars().all(char::is_whitespace));
                rest = &rest[at + token.text.len()..];
            }
            prop_assert!(rest.chars().all(char::is_whitespace));
            test_lines(&tokens);
        }
    }
}
