//! Route: where the answer to a question is looked for.
//!
//! Every question goes to the passages: records and proposals have no patterns yet that would
//! recognise one. The types are final.

use crate::intake::Admitted;
use crate::refusal::Cleared;

/// A question with the way it takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Routed {
    /// To the passages of the shop's documents.
    Passages(Cleared),
    /// To the shop's dated records.
    Records(Cleared),
    /// To a form that the customer confirms.
    Proposal(Cleared),
}

impl Routed {
    /// The question.
    #[must_use]
    pub fn question(&self) -> &Admitted {
        match self {
            Routed::Passages(cleared) | Routed::Records(cleared) | Routed::Proposal(cleared) => {
                cleared.question()
            }
        }
    }
}

/// What recognises a question for the records or for a form. Nothing can be chosen yet.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct RouteSettings {}

/// Sends a question on its way. All go to the passages until the other ways exist.
#[must_use]
pub fn route(cleared: Cleared, _settings: &RouteSettings) -> Routed {
    Routed::Passages(cleared)
}
