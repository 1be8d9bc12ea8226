//! `numbers.toml` of a pack: how a language writes numbers, money, measures, dates and bounds.

use serde::Deserialize;

/// What a language pack's `numbers.toml` holds.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Numbers {}
