//! `words.toml` of a pack: what its words are made of, and which of them carry no content.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::stem::LightRules;

/// What a language pack's `words.toml` holds.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Words {
    /// The Snowball algorithm's name, `light` for the pack's own rules, or `none`.
    pub(crate) stemmer: String,
    /// The rules of a `light` stemmer.
    #[serde(default)]
    pub(crate) light: LightRules,
    /// Words that carry no content.
    pub(crate) stop_words: BTreeSet<String>,
    /// Abbreviations after which a sentence goes on, without their last full stop.
    pub(crate) abbreviations: BTreeSet<String>,
}
