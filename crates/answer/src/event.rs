//! What a customer's side sees of a turn, as it happens, and the whole of it collected.

use serde::Serialize;

use crate::money::{Micros, Usage};
use crate::passage::{Passage, SourceId};
use crate::release::Released;
use crate::reply::FixedText;
use crate::stop::{Ending, RuleName};
use crate::trace::Trace;

/// A passage the answer cites.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Citation {
    /// Its name.
    pub source: SourceId,
    /// The file it stands in, relative to the shop folder.
    pub file: String,
    /// The headings above it, outermost first.
    pub headings: Vec<String>,
    /// Its text.
    pub text: String,
    /// The day its page says it was written or changed, ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// When its file was read, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_at: Option<i64>,
}

impl From<&Passage> for Citation {
    fn from(passage: &Passage) -> Self {
        Self {
            source: passage.source.clone(),
            file: passage.file.clone(),
            headings: passage.headings.clone(),
            text: passage.text.clone(),
            date: passage.date.clone(),
            read_at: passage.read_at,
        }
    }
}

/// How a turn ended, and what it took. What only operators may see is not serialised with it:
/// [`Closing::record`] gives that.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Closing {
    /// How.
    pub ending: Ending,
    /// The rule that ended it early, if one did.
    #[serde(skip)]
    pub rule: Option<RuleName>,
    /// What that rule saw; for operators, not for the customer.
    #[serde(skip)]
    pub evidence: String,
    /// What the model wrote, raw; for operators, not for the customer.
    #[serde(skip)]
    pub raw: String,
    /// Tokens, all calls together.
    pub usage: Usage,
    /// Whether the tokens are the provider's count; `false`: an estimate.
    pub usage_counted: bool,
    /// Calls of the model.
    pub calls: u32,
    /// What it cost, rounded up.
    pub cost: Micros,
    /// What the model's calls cost, in millionths of a micro-unit, exact.
    #[serde(skip)]
    pub spent: u128,
    /// What each room saw.
    #[serde(skip)]
    pub trace: Trace,
}

/// What only operators may see of a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Record<'c> {
    /// The rule that ended it early, if one did.
    pub rule: Option<&'c RuleName>,
    /// What that rule saw.
    pub evidence: &'c str,
    /// What the model wrote, raw.
    pub raw: &'c str,
    /// What each room saw.
    pub trace: &'c Trace,
}

impl Closing {
    /// Whether a part of the program could not do its work, so that this says nothing of the shop.
    #[must_use]
    pub fn could_not(&self) -> bool {
        let ledger = self.rule.as_ref().is_some_and(|rule| rule.0 == RuleName::LEDGER);
        self.ending == Ending::Failed || ledger
    }

    /// What only operators may see.
    #[must_use]
    pub fn record(&self) -> Record<'_> {
        Record { rule: self.rule.as_ref(), evidence: &self.evidence, raw: &self.raw, trace: &self.trace }
    }
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// A sentence that passed every room.
    Sentence(Released),
    /// A passage cited by a sentence before.
    Citation(Citation),
    /// A fixed text.
    Notice(FixedText),
    /// The end; nothing comes after it.
    Done(Box<Closing>),
}

/// A whole answer: the events of a turn, collected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// What the customer reads: the sentences and the notice, in order.
    pub text: String,
    /// The passages cited, in order of first mention.
    pub citations: Vec<Citation>,
    /// How it ended.
    #[serde(flatten)]
    pub closing: Closing,
}
