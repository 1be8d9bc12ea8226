//! How strictly the gate judges.

use serde::{Deserialize, Serialize};

use crate::passage::Similarity;

/// In whose person the assistant may speak.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Person {
    /// In any.
    Any,
    /// As several, which a shop may; not as one.
    #[default]
    We,
    /// In none: what is said of a person's site is said of somebody else.
    None,
}

/// How strictly the gate judges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strictness {
    /// In whose person the assistant may speak.
    pub person: Person,
    /// The least share of a sentence's content words that must be in what it cites, where both are in one language.
    pub support: Similarity,
    /// The most words of a connecting sentence that needs no source; in Chinese three characters count as two words.
    pub connecting_words: usize,
}

impl Default for Strictness {
    /// `We`, a third, six words.
    fn default() -> Self {
        Self { person: Person::default(), support: Similarity::from_millionths(333_333), connecting_words: 6 }
    }
}
