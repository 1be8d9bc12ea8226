//! Passages, where they come from, and how close one is to a question.

use std::ops::Range;

use mostrador_language::Lang;
use serde::{Deserialize, Serialize};

/// The name of a passage: `file#n`. Letters, digits, `-`, `_`, `.`, `/` and one `#`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SourceId(String);

/// A name that a passage cannot have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} cannot name a passage; use letters, digits, '-', '_', '.', '/' and one '#', such as \"returns#1\""
)]
pub struct BadSourceId(String);

impl SourceId {
    /// Checks a name. Whatever could close the mark around a document is refused here.
    ///
    /// # Errors
    /// [`BadSourceId`] where the name is empty or holds another character.
    pub fn new(name: impl Into<String>) -> Result<Self, BadSourceId> {
        let name = name.into();
        let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '#');
        let one_mark = name.matches('#').count() == 1;
        if name.is_empty() || !one_mark || !name.chars().all(fits) {
            return Err(BadSourceId(name));
        }
        Ok(Self(name))
    }

    /// The name as written in a citation marker.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for SourceId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whose words a text is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trust {
    /// The shop's own text.
    #[default]
    Shop,
    /// Text by an outsider: a review, a forum, another site.
    Customer,
}

/// A piece of a document, as it is searched, shown to the model and cited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// Its name.
    pub source: SourceId,
    /// The headings above it, outermost first; empty where there are none.
    pub headings: Vec<String>,
    /// Its text, as the customer may read it.
    pub text: String,
    /// The file it came from, relative to the shop folder.
    pub file: String,
    /// Its language.
    pub language: Lang,
    /// Whose words it is.
    pub trust: Trust,
    /// The day its page says it was written or changed, ISO 8601 (`2026-03-01`).
    #[serde(default)]
    pub date: Option<String>,
    /// The last day on which it may be used, ISO 8601; `None` where its page names none.
    #[serde(default)]
    pub valid_until: Option<String>,
    /// When its file was read, in milliseconds since 1970; `None` where nobody asked.
    #[serde(default)]
    pub read_at: Option<i64>,
    /// Where it stands in its file, in bytes; `0..0` where the format has no such places.
    #[serde(default)]
    pub bytes: Range<u64>,
    /// Passages that say the same under the same headings, left out in favour of this one.
    #[serde(default)]
    pub also: Vec<SourceId>,
}

impl Passage {
    /// A passage of the shop's own, without headings, file or dates.
    #[must_use]
    pub fn new(source: SourceId, text: impl Into<String>, language: Lang) -> Self {
        Self {
            source,
            headings: Vec::new(),
            text: text.into(),
            file: String::new(),
            language,
            trust: Trust::Shop,
            date: None,
            valid_until: None,
            read_at: None,
            bytes: 0..0,
            also: Vec::new(),
        }
    }
}

/// A similarity in millionths, 0 to 1,000,000. Thresholds are compared with this and nothing else.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Similarity(u32);

impl Similarity {
    /// The largest similarity: 1.
    pub const ONE: Similarity = Similarity(1_000_000);

    /// A similarity from a cosine; what lies outside 0..1 is clipped, not-a-number is 0.
    #[must_use]
    pub fn from_cosine(cosine: f64) -> Self {
        if cosine.is_nan() {
            return Self(0);
        }
        // In range after the clamp, so the cast keeps every digit that counts.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "clamped to 0..=1e6 before"
        )]
        let millionths = (cosine.clamp(0.0, 1.0) * 1e6).round() as u32;
        Self(millionths)
    }

    /// A share as a similarity: `part` of `whole`, rounded down; 0 where `whole` is 0.
    #[must_use]
    pub fn from_counts(part: usize, whole: usize) -> Self {
        let millionths = (part.min(whole) as u128 * 1_000_000).checked_div(whole as u128).unwrap_or(0);
        Self(u32::try_from(millionths).unwrap_or(1_000_000))
    }

    /// A similarity from millionths; more than a million is a million.
    #[must_use]
    pub const fn from_millionths(millionths: u32) -> Self {
        Self(if millionths > 1_000_000 { 1_000_000 } else { millionths })
    }

    /// The similarity in millionths.
    #[must_use]
    pub fn millionths(self) -> u32 {
        self.0
    }
}

impl std::fmt::Display for Similarity {
    /// Two decimals, halves away from zero: `953463` is `0.95`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let cents = (self.0 + 5_000) / 10_000;
        write!(f, "{}.{:02}", cents / 100, cents % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_close_the_mark_it_stands_in() {
        assert!(SourceId::new("returns#1").is_ok());
        assert!(SourceId::new("guías/envío-2.b#12").is_ok());
        for bad in ["", "returns", "a#1#2", "a b#1", "a\"#1", "a<#1", "a]#1"] {
            assert!(SourceId::new(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn similarities_are_clipped_and_rounded_the_same_everywhere() {
        assert_eq!(Similarity::from_cosine(f64::NAN).millionths(), 0);
        assert_eq!(Similarity::from_cosine(-0.2).millionths(), 0);
        assert_eq!(Similarity::from_cosine(1.0 + 1e-9), Similarity::ONE);
        assert_eq!(Similarity::from_cosine(1.0 / 3f64.sqrt()).to_string(), "0.58");
        assert_eq!(Similarity::from_counts(2, 3).millionths(), 666_666);
        assert_eq!(Similarity::from_counts(1, 0).millionths(), 0);
    }
}
