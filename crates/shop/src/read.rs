//! Reading TOML and YAML so that every error names file, line, key and the nearest known key.

use std::path::Path;

use serde::de::DeserializeOwned;

use crate::error::ShopError;

/// The text of a file of the shop.
///
/// # Errors
/// [`ShopError::Unreadable`] where it cannot be read or is not UTF-8.
pub fn text(file: &Path) -> Result<String, ShopError> {
    let read = std::fs::read_to_string(file);
    let text = read.map_err(|source| ShopError::Unreadable { file: file.to_owned(), source })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// Reads TOML. `shown`: the file's name for messages.
///
/// # Errors
/// [`ShopError::Field`] where the text does not fit `T`.
pub fn toml<T: DeserializeOwned>(text: &str, shown: &str) -> Result<T, ShopError> {
    toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(1, |span| line_of(text, span.start));
        let written = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
        let mut message = plain(error.message());
        if let Some(key) =
            key(written, '=').filter(|key| TOP.contains(key) && message.contains("unknown field"))
        {
            message =
                format!("`{key}` stands at the top of the file, above the first [section]; move it there");
        } else if has_decimal_comma(written) {
            message = format!("{message}; a number is written with a point, such as 0.40");
        }
        ShopError::field(shown, line, with_key(text, line, '=', &message))
    })
}

/// Reads YAML. `shown`: the file's name for messages.
///
/// # Errors
/// [`ShopError::Field`] where the text does not fit `T`.
pub fn yaml<T: DeserializeOwned>(text: &str, shown: &str) -> Result<T, ShopError> {
    // `y` and `no` are words in a case, not yes and no.
    let options = serde_saphyr::options! { with_snippet: false, strict_booleans: true };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        let line = error.location().map_or(1, |location| usize::try_from(location.line()).unwrap_or(1));
        ShopError::field(shown, line, with_key(text, line, ':', &plain(&error.to_string())))
    })
}

/// The line, from 1, that a byte of a text stands in.
#[must_use]
pub fn line_of(text: &str, byte: usize) -> usize {
    let before = text.as_bytes().get(..byte).unwrap_or(text.as_bytes());
    before.iter().filter(|byte| **byte == b'\n').count() + 1
}

/// Keys of `shop.toml` that belong to no section: written below one, they are taken for keys of that.
const TOP: [&str; 5] = ["accept_trifecta", "languages", "name", "release", "release_gate"];

/// The key that stands in a line.
fn key(written: &str, mark: char) -> Option<&str> {
    let (key, _) = written.split_once(mark)?;
    let key = key.trim().trim_start_matches("- ").trim();
    let is_key = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    is_key.then_some(key)
}

/// Names the key that stands in the line, where the message does not.
fn with_key(text: &str, line: usize, mark: char, message: &str) -> String {
    let written = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    match key(written, mark) {
        Some(key) if !message.contains(&format!("`{key}`")) => format!("`{key}`: {message}"),
        _ => message.to_owned(),
    }
}

/// Whether a number is written with a decimal comma, as many languages do and no configuration does.
fn has_decimal_comma(written: &str) -> bool {
    let value =
        written.split_once('=').map_or("", |(_, value)| value.split('#').next().unwrap_or_default().trim());
    let digits = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    value.split_once(',').is_some_and(|(whole, part)| digits(whole) && digits(part))
}

/// Says in plain words what the parsers say in those of a programmer.
fn plain(message: &str) -> String {
    const WORDS: [(&str, &str); 16] = [
        ("invalid type: ", "this is "),
        ("invalid value: ", "this is "),
        ("expected usize", "a whole number from 0 is needed"),
        ("expected u64", "a whole number from 0 is needed"),
        ("expected u32", "a whole number from 0 is needed"),
        ("expected f64", "a number is needed"),
        ("expected a boolean", "true or false is needed"),
        ("expected a string", "a text in quotation marks is needed"),
        ("expected a sequence", "a list in square brackets is needed"),
        ("expected sequence start", "a list is needed, each entry beginning with \"- \""),
        ("expected mapping start", "an entry with keys is needed, such as \"question: …\""),
        ("invalid boolean (strict mode expects true/false)", "write true or false"),
        (
            "multiple YAML documents detected; use from_str_multiple or from_str_multiple_with_options",
            "the file holds a line \"---\"; put all cases into one list",
        ),
        (", set DuplicateKeyPolicy in Options if acceptable", "; keep one"),
        ("mapping values are not allowed in this context", "put a text that holds \": \" in quotation marks"),
        (
            "missing escaped value, expected",
            "put a text with backslashes in single quotation marks; expected",
        ),
    ];
    let nearest = with_nearest(message);
    WORDS.iter().fold(nearest, |message, (from, to)| message.replace(from, to))
}

/// Adds the nearest known name to serde's "unknown field" and "unknown variant", and takes off the
/// place that one of the parsers repeats.
fn with_nearest(message: &str) -> String {
    let message = message.trim().replace('\n', " ");
    let message = message.split(" at line ").next().unwrap_or(&message);
    let given = message.split('`').nth(1);
    let unknown = message.contains("unknown field") || message.contains("unknown variant");
    let expected = message.split_once("expected ").map(|(_, expected)| expected);
    let (Some(given), Some(expected), true) = (given, expected, unknown) else {
        return message.to_owned();
    };
    let expected = expected.strip_prefix("one of ").unwrap_or(expected).replace(" or ", ", ");
    let known = expected.split(", ").map(|name| name.trim_matches('`'));
    let similarity = |known: &str| strsim::jaro_winkler(given, known);
    let nearest = known.max_by(|a, b| similarity(a).total_cmp(&similarity(b)));
    match nearest {
        Some(nearest) if similarity(nearest) > 0.6 => format!("{message}; did you mean `{nearest}`?"),
        _ => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only read")]
    struct Sample {
        question: String,
        safety: Option<bool>,
    }

    #[test]
    fn an_unknown_key_is_named_with_its_line_and_the_nearest() {
        let error =
            toml::<Sample>("question = \"a\"\n\nsafty = true\n", "shop.toml").unwrap_err().to_string();
        assert!(error.starts_with("shop.toml:3: unknown field `safty`"), "{error}");
        assert!(error.ends_with("did you mean `safety`?"), "{error}");
        let error = yaml::<Vec<Sample>>("- question: a\n- question: b\n  qestion: c\n", "cases/a.yaml");
        let error = error.unwrap_err().to_string();
        assert!(error.starts_with("cases/a.yaml:3:"), "{error}");
        assert!(error.ends_with("did you mean `question`?"), "{error}");
    }

    #[test]
    fn a_key_of_no_section_and_a_decimal_comma_are_known_again() {
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        #[expect(dead_code, reason = "only read")]
        struct Sections {
            suite: Sample,
        }
        let text = "[suite]\nquestion = \"a\"\nrelease_gate = \"warn\"\n";
        let error = toml::<Sections>(text, "shop.toml").unwrap_err().to_string();
        assert!(error.starts_with("shop.toml:3: `release_gate` stands at the top of the file"), "{error}");
        let error = toml::<Sample>("question = 0,40\n", "shop.toml").unwrap_err().to_string();
        assert!(error.ends_with("a number is written with a point, such as 0.40"), "{error}");
    }

    #[test]
    fn broken_files_name_their_line() {
        let error =
            toml::<Sample>("question = \"a\"\nsafety = maybe\n", "shop.toml").unwrap_err().to_string();
        assert!(error.starts_with("shop.toml:2:"), "{error}");
        let error = yaml::<Vec<Sample>>("- question: [\n", "a.yaml").unwrap_err().to_string();
        assert!(error.starts_with("a.yaml:"), "{error}");
    }
}
