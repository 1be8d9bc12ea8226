//! Gate: each ruled sentence against the evidence it cites.
//!
//! One check stands so far: where there is nothing to cite at all, nothing passes. The checks of
//! markers, values and person are not there yet, and a sentence with ground under it passes as it
//! is. The types are final.

use mostrador_language::TextKey;

use crate::evidence::Ground;
use crate::rules::Ruled;
use crate::stop::{Ending, RuleName, Stop};

/// A sentence that the evidence supports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gated(String);

impl Gated {
    /// The sentence, with its markers.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }
}

/// Checks a sentence. `looked_up`: whether a look-up of this turn gave anything, errors included.
///
/// # Errors
/// "I don't know" where neither passage nor look-up stands under the sentence, whatever it says.
pub fn gate(ruled: &Ruled, ground: &Ground, looked_up: bool) -> Result<Gated, Stop> {
    if matches!(ground, Ground::LookupOnly) && !looked_up {
        let evidence = "no passage and no look-up under the answer";
        return Err(Stop::new(Ending::NoEvidence, RuleName::THRESHOLD, evidence, TextKey::DontKnow));
    }
    Ok(Gated(ruled.text().to_owned()))
}
