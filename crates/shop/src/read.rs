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
        ShopError::field(shown, line, with_nearest(error.message()))
    })
}

/// Reads YAML. `shown`: the file's name for messages.
///
/// # Errors
/// [`ShopError::Field`] where the text does not fit `T`.
pub fn yaml<T: DeserializeOwned>(text: &str, shown: &str) -> Result<T, ShopError> {
    // `y` and `no` are words in a case, not yes and no.
    let plain = serde_saphyr::options! { with_snippet: false, strict_booleans: true };
    serde_saphyr::from_str_with_options(text, plain).map_err(|error| {
        let line = error.location().map_or(1, |location| usize::try_from(location.line()).unwrap_or(1));
        ShopError::field(shown, line, with_nearest(&error.to_string()))
    })
}

/// The line, from 1, that a byte of a text stands in.
#[must_use]
pub fn line_of(text: &str, byte: usize) -> usize {
    let before = text.as_bytes().get(..byte).unwrap_or(text.as_bytes());
    before.iter().filter(|byte| **byte == b'\n').count() + 1
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
    fn broken_files_name_their_line() {
        let error =
            toml::<Sample>("question = \"a\"\nsafety = maybe\n", "shop.toml").unwrap_err().to_string();
        assert!(error.starts_with("shop.toml:2:"), "{error}");
        let error = yaml::<Vec<Sample>>("- question: [\n", "a.yaml").unwrap_err().to_string();
        assert!(error.starts_with("a.yaml:"), "{error}");
    }
}
