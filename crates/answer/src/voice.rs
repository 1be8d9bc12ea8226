//! Voice: how a sentence that passed is shown. No word of it is touched.
//!
//! Citation markers are shown as they are; footnotes and hidden markers are not there yet.
//! The types are final.

use crate::gate::Gated;

/// A sentence as the customer will read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Voiced(String);

impl Voiced {
    /// The sentence.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }
}

/// How the assistant speaks. Nothing can be chosen yet.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct VoiceSettings {}

/// Puts a sentence in the shop's voice: markers as they are.
#[must_use]
pub fn voice(gated: &Gated, _settings: &VoiceSettings) -> Voiced {
    Voiced(gated.text().to_owned())
}
