//! Why a question ends early, and how every question ends.

use mostrador_language::TextKey;
use serde::{Deserialize, Serialize};

/// How a turn ended: a state, never read out of prose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// The model's words were shown.
    Answered,
    /// The question may not be answered: a refusal, or a question that is no question.
    Refused,
    /// Nothing supports an answer.
    NoEvidence,
    /// Answered from the shop's records.
    Records,
    /// The answer waits for a colleague's approval.
    Held,
    /// The answer was stopped.
    Withheld,
    /// Handed to a colleague: a limit was reached.
    HandedOver,
    /// There was no money for it, or the ledger could not be reached.
    OverBudget,
    /// The model or a part of the program could not be reached.
    Failed,
    /// The customer left.
    Cancelled,
}

impl Ending {
    /// Every ending a case may expect, in the order of the journey.
    pub const ALL: [Ending; 10] = [
        Ending::Answered,
        Ending::Refused,
        Ending::NoEvidence,
        Ending::Records,
        Ending::Held,
        Ending::Withheld,
        Ending::HandedOver,
        Ending::OverBudget,
        Ending::Failed,
        Ending::Cancelled,
    ];

    /// The name used in cases, JSON and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Ending::Answered => "answered",
            Ending::Refused => "refused",
            Ending::NoEvidence => "no-evidence",
            Ending::Records => "records",
            Ending::Held => "held",
            Ending::Withheld => "withheld",
            Ending::HandedOver => "handed-over",
            Ending::OverBudget => "over-budget",
            Ending::Failed => "failed",
            Ending::Cancelled => "cancelled",
        }
    }

    /// Whether the fixed text of this ending promises that a colleague will look at it,
    /// so that an inbox entry has to be written before the text is shown.
    #[must_use]
    pub fn promises_colleague(self) -> bool {
        matches!(self, Ending::NoEvidence | Ending::Held | Ending::Withheld | Ending::HandedOver)
    }
}

/// A rule of the program that ends a turn; a shop's own rules go by the shop's names.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RuleName(pub String);

impl RuleName {
    /// A question with nothing in it.
    pub const EMPTY: &str = "intake.empty";
    /// A question longer than the limit.
    pub const TOO_LONG: &str = "intake.too-long";
    /// A question that is refused; behind it stands the category, or the name of the shop's own pattern.
    pub const REFUSAL: &str = "refusal.";
    /// Nothing close enough in the documents.
    pub const THRESHOLD: &str = "evidence.threshold";
    /// The model said that what it was given does not cover the question.
    pub const NOT_COVERED: &str = "dialogue.not-covered";
    /// The steps of the dialogue were used up.
    pub const STEPS: &str = "dialogue.steps";
    /// The input tokens of the question were used up.
    pub const TOKENS: &str = "dialogue.input-tokens";
    /// The same look-up with the same arguments, again.
    pub const REPEATED: &str = "dialogue.repeated-call";
    /// The time of the dialogue was used up.
    pub const TIME: &str = "dialogue.time";
    /// The model's reply was cut by its output limit.
    pub const TRUNCATED: &str = "dialogue.truncated";
    /// The model or its provider would not answer.
    pub const REFUSED: &str = "dialogue.refused";
    /// The reply has a shape that no answer has.
    pub const SHAPE: &str = "dialogue.shape";
    /// The model could not be reached, or broke off.
    pub const MODEL: &str = "dialogue.model";
    /// A cap would have been passed.
    pub const CAP: &str = "budget.cap";
    /// The ledger could not be reached.
    pub const LEDGER: &str = "budget.ledger";
    /// A store other than the ledger could not be reached.
    pub const STORE: &str = "store.unavailable";
    /// The answer promises money.
    pub const PROMISE_MONEY: &str = "promise.money";
    /// The answer promises a discount.
    pub const PROMISE_DISCOUNT: &str = "promise.discount";
    /// The answer says that something was done, which no answer can do.
    pub const PROMISE_DONE: &str = "promise.done";
    /// The answer says that a colleague was told, which only an inbox entry does.
    pub const PROMISE_HANDOFF: &str = "promise.handoff";
    /// The reply asks for an action that the shop does not allow.
    pub const ACTION: &str = "action.not-allowed";
    /// The reply asks for a colleague.
    pub const ACTION_HANDOFF: &str = "action.handoff";
    /// The customer left.
    pub const LEFT: &str = "turn.left";

    /// A rule of the program, by one of the names above.
    #[must_use]
    pub fn own(name: &str) -> Self {
        Self(name.to_owned())
    }
}

impl std::fmt::Display for RuleName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// An early end: which ending, by which rule, on which evidence, and the fixed text to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stop {
    /// How the turn ends.
    pub ending: Ending,
    /// The rule that ended it.
    pub rule: RuleName,
    /// What the rule saw, for the people who read the record; never shown to the customer.
    pub evidence: String,
    /// The fixed text the customer gets.
    pub text: TextKey,
    /// The shop's own words in the place of that text, in the customer's language.
    pub wording: Option<String>,
}

impl Stop {
    /// A stop by one of the program's own rules.
    #[must_use]
    pub fn new(ending: Ending, rule: &str, evidence: impl Into<String>, text: TextKey) -> Self {
        Self { ending, rule: RuleName::own(rule), evidence: evidence.into(), text, wording: None }
    }
}
