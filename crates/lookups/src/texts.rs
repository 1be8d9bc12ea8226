//! The fixed texts a look-up answers with, and how much of a model's own text goes back to it.

use mostrador_answer::message::Outcome;
use mostrador_answer::ports::LookupResult;
use mostrador_language::{TextKey, Texts, fill};

use crate::error::LookupError;

/// The longest value that is looked up, in characters, where nothing else says.
pub(crate) const LONGEST: usize = 100;

/// The texts of one look-up.
#[derive(Debug, Clone)]
pub(crate) struct Fixed {
    unknown: String,
    missing: String,
    bad: String,
}

impl Fixed {
    /// Takes what is needed out of a shop's texts. `name`: the look-up.
    pub(crate) fn of(name: &str, texts: &Texts) -> Result<Self, LookupError> {
        Ok(Self {
            unknown: text(name, texts, TextKey::UnknownRecord, "unknown_record")?,
            missing: text(name, texts, TextKey::MissingField, "missing_field")?,
            bad: text(name, texts, TextKey::BadField, "bad_field")?,
        })
    }

    /// An argument is not there.
    pub(crate) fn missing(&self, field: &str) -> LookupResult {
        LookupResult { outcome: Outcome::BadInput, content: fill(&self.missing, &[("field", field)]) }
    }

    /// An argument does not fit, or there is no such one.
    pub(crate) fn bad(&self, field: &str) -> LookupResult {
        LookupResult { outcome: Outcome::BadInput, content: fill(&self.bad, &[("field", &short(field))]) }
    }

    /// There is no such record for this caller. `arguments`: by name; a single one is also the `{value}`.
    pub(crate) fn unknown(&self, arguments: &[(&str, String)]) -> LookupResult {
        let values: Vec<String> = arguments.iter().map(|(_, value)| short(value)).collect();
        let all = values.join(", ");
        let named = arguments.iter().zip(&values).map(|((name, _), value)| (*name, value.as_str()));
        let places: Vec<(&str, &str)> = std::iter::once(("value", all.as_str())).chain(named).collect();
        LookupResult { outcome: Outcome::NotFound, content: fill(&self.unknown, &places) }
    }
}

/// The text of a look-up that could not be done.
pub(crate) fn failed(name: &str, texts: &Texts) -> Result<LookupResult, LookupError> {
    let content = text(name, texts, TextKey::LookupFailed, "lookup_failed")?;
    Ok(LookupResult { outcome: Outcome::Failed, content: fill(&content, &[("name", name)]) })
}

fn text(name: &str, texts: &Texts, key: TextKey, text: &'static str) -> Result<String, LookupError> {
    texts.get(&key).cloned().ok_or_else(|| LookupError::MissingText { name: name.to_owned(), text })
}

/// A text of the model's that goes back to it: nothing that could close a mark, and no more than a number.
fn short(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, '<' | '>')).take(LONGEST).collect()
}
