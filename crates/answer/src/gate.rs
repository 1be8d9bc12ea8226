//! Gate: each ruled sentence against the evidence it cites.
//!
//! One check stands in the way of an answer so far: where there is nothing to cite at all, nothing passes. The
//! types of the room are final.
//!
//! The checks of markers, values, person and of what a source denies or excepts are the modules below:
//! [`judge()`] on what [`Prepared`] has read, and [`quote()`] for what does not pass. `gate` does not call them yet.

mod verdict;

mod strictness;

mod judge;

mod quote;

mod prepared;

mod subject;

mod window;

mod kept;

mod slots;

mod cases;

mod reading;

mod pieces;

mod known;

mod markers;

use mostrador_language::TextKey;
use serde::{Deserialize, Serialize};

use crate::evidence::Ground;
use crate::ports::LookupResult;
use crate::rules::Ruled;
use crate::stop::{Ending, RuleName, Stop};

pub use judge::judge;
pub use prepared::Prepared;
pub use quote::{Quoted, quote};
pub use strictness::{Person, Strictness};
pub use verdict::{Verdict, Why};

/// Whether the gate checks sentences.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GateMode {
    /// It does.
    #[default]
    On,
    /// It does not: for trying search and prompt before there is anything to check.
    Off,
}

/// How the gate checks.
#[derive(Debug, Clone, Default)]
pub struct GateSettings {
    /// Whether it checks.
    pub mode: GateMode,
}

/// What an answer stands on in this turn.
#[derive(Debug, Clone, Copy)]
pub struct Support<'t> {
    /// The passages or records that were found.
    pub ground: &'t Ground,
    /// What the look-ups of this turn gave, errors included.
    pub looked: &'t [LookupResult],
}

/// A sentence that the evidence supports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gated(String);

impl Gated {
    /// The sentence, with its markers.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }

    #[cfg(test)]
    pub(crate) fn for_test(text: String) -> Self {
        Self(text)
    }
}

/// Checks a sentence.
///
/// # Errors
/// "I don't know" where neither passage nor look-up stands under the sentence, whatever it says.
pub fn gate(ruled: &Ruled, support: Support<'_>, settings: &GateSettings) -> Result<Gated, Stop> {
    let nothing = matches!(support.ground, Ground::LookupOnly) && support.looked.is_empty();
    if settings.mode == GateMode::On && nothing {
        let evidence = "no passage and no look-up under the answer";
        return Err(Stop::new(Ending::NoEvidence, RuleName::THRESHOLD, evidence, TextKey::DontKnow));
    }
    Ok(Gated(ruled.text().to_owned()))
}
