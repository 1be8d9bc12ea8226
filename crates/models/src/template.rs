//! Texts of a script with places for values.

use crate::error::ScriptError;

/// The places a text may have, for messages.
const KNOWN: &str = "{question}, {match}, {source}, {result}, {count:N}";

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Question,
    Match,
    Source,
    Result,
    Count(u64),
}

/// What is put into the places.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Values<'a> {
    pub(crate) question: &'a str,
    pub(crate) matched: &'a str,
    pub(crate) source: &'a str,
    pub(crate) result: &'a str,
    pub(crate) rounds: u64,
}

/// A text read once, so that a value is never read as a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Template(Vec<Piece>);

impl Template {
    /// Reads a text of `owner` (such as `rule 2`). Braces around anything but a name stay as they are.
    ///
    /// # Errors
    /// A name that is no place; a `{count:…}` without a number.
    pub(crate) fn parse(text: &str, owner: &str) -> Result<Self, ScriptError> {
        let mut pieces = Vec::new();
        let mut literal = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            literal.push_str(before);
            match after.split_once('}') {
                Some((name, behind)) if is_name(name) => {
                    if !literal.is_empty() {
                        pieces.push(Piece::Text(std::mem::take(&mut literal)));
                    }
                    pieces.push(place(name, owner)?);
                    rest = behind;
                }
                _ => {
                    literal.push('{');
                    rest = after;
                }
            }
        }
        literal.push_str(rest);
        if !literal.is_empty() {
            pieces.push(Piece::Text(literal));
        }
        Ok(Self(pieces))
    }

    /// Whether the text has a place for what a question's pattern found.
    pub(crate) fn wants_match(&self) -> bool {
        self.0.contains(&Piece::Match)
    }

    /// The text with the values in their places.
    pub(crate) fn fill(&self, values: &Values<'_>) -> String {
        let mut out = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Question => out.push_str(values.question),
                Piece::Match => out.push_str(values.matched),
                Piece::Source => out.push_str(values.source),
                Piece::Result => out.push_str(values.result),
                Piece::Count(first) => out.push_str(&first.saturating_add(values.rounds).to_string()),
            }
        }
        out
    }
}

/// A name, with what may stand behind a colon: `count:1050`.
fn is_name(text: &str) -> bool {
    let (name, _) = text.split_once(':').unwrap_or((text, ""));
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

fn place(name: &str, owner: &str) -> Result<Piece, ScriptError> {
    let unknown =
        || ScriptError::UnknownPlace { owner: owner.to_owned(), name: name.to_owned(), known: KNOWN };
    match name {
        "question" => Ok(Piece::Question),
        "match" => Ok(Piece::Match),
        "source" => Ok(Piece::Source),
        "result" => Ok(Piece::Result),
        _ => {
            let number = name.strip_prefix("count:").ok_or_else(unknown)?;
            number.parse().map(Piece::Count).map_err(|_| unknown())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUES: Values<'static> =
        Values { question: "{match}", matched: "{count:1}", source: "a#1", result: "r", rounds: 2 };

    #[test]
    fn a_value_is_never_expanded_again() {
        let filled = |text| Template::parse(text, "rule 1").unwrap().fill(&VALUES);
        assert_eq!(filled("{question}{match} [{source}] {result} {count:40}"), "{match}{count:1} [a#1] r 42");
        assert_eq!(filled("{ \"json\": {} } {"), "{ \"json\": {} } {");
        assert_eq!(filled("{count:18446744073709551615}"), "18446744073709551615");
        assert_eq!(filled(""), "");
    }

    #[test]
    fn a_misspelt_place_is_an_error_that_names_it() {
        for bad in ["{mach}", "{count}", "{count:ten}", "{count:-1}", "{source:1}"] {
            let error = Template::parse(bad, "rule 3").unwrap_err().to_string();
            assert!(error.starts_with("rule 3 ") && error.contains(bad), "{error}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[{}a-z:0-9é ]{0,24}") {
            if let Ok(template) = Template::parse(&text, "rule 1") {
                template.fill(&VALUES);
            }
        }
    }
}
