//! Route: where the answer to a question is looked for.
//!
//! A question for an overview goes to the dated records, where there are any; every other to the passages. Forms
//! have no patterns yet that would recognise a question for one.

use std::sync::Arc;

use mostrador_language::{Cues, Normal, Packs, normalize, words};

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

    /// The same question on its way to the passages.
    #[must_use]
    pub(crate) fn into_passages(self) -> Self {
        match self {
            Routed::Passages(cleared) | Routed::Records(cleared) | Routed::Proposal(cleared) => {
                Routed::Passages(cleared)
            }
        }
    }
}

/// What recognises a question for the records.
#[derive(Debug, Clone)]
pub struct RouteSettings {
    /// The packs' words for overviews, places in a list, and the owner.
    pub cues: Arc<Cues>,
    /// The most records an overview shows.
    pub records: usize,
    /// The names of the person whose site it is; empty for a shop.
    pub owner: Vec<String>,
}

impl RouteSettings {
    /// Overviews of at most eight records, for a shop.
    #[must_use]
    pub fn new(packs: &Packs) -> Self {
        Self { cues: Arc::new(Cues::new(packs)), records: 8, owner: Vec::new() }
    }

    /// Whether a question is about the person whose site it is: it says one of the names, or asks in the packs'
    /// words for that. Never so for a shop.
    #[must_use]
    pub fn is_about_owner(&self, question: &Admitted) -> bool {
        let said: Vec<&str> = words(question.normal()).collect();
        let names = |name: &String| {
            let name = normalize(name);
            let parts: Vec<&str> = words(&name).collect();
            !parts.is_empty() && said.windows(parts.len()).any(|window| window == parts)
        };
        !self.owner.is_empty()
            && (self.owner.iter().any(names) || self.cues.is_about_owner(&Normal::of(question.original())))
    }
}

/// Sends a question on its way. `records`: whether there are any.
#[must_use]
pub fn route(cleared: Cleared, records: bool, settings: &RouteSettings) -> Routed {
    if records && settings.cues.is_overview(&Normal::of(cleared.question().original())) {
        Routed::Records(cleared)
    } else {
        Routed::Passages(cleared)
    }
}
