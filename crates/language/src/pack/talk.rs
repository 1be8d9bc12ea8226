//! `talk.toml` of a pack: small words that turn a sentence round, and who speaks in it.

use serde::Deserialize;

/// What a language pack's `talk.toml` holds.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Talk {}
