//! Refusal: what the assistant must never answer, before anything is embedded, searched or called.
//!
//! The patterns of the packs and of the shop are not there yet: every question passes. The types
//! are final, so that nothing behind this room changes when they come.

use crate::intake::Admitted;
use crate::stop::Stop;

/// A question that no refusal pattern caught.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cleared {
    admitted: Admitted,
}

impl Cleared {
    /// The question as it was let in.
    #[must_use]
    pub fn question(&self) -> &Admitted {
        &self.admitted
    }
}

/// What is refused. Nothing can be chosen yet.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct RefusalSettings {}

/// Clears a question. Every question passes until patterns exist.
///
/// # Errors
/// A stop with the fixed text of the category that caught the question.
pub fn clear(admitted: Admitted, _settings: &RefusalSettings) -> Result<Cleared, Stop> {
    Ok(Cleared { admitted })
}
