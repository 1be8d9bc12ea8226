//! `patterns.toml` of a pack: questions that are refused, and questions for the records.

use serde::Deserialize;

/// What a language pack's `patterns.toml` holds.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Patterns {}
