//! Actions: what a structured reply may ask the program to do with it. Whatever a shop does not allow is stopped.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What a reply asks the program to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReplyAction {
    /// Show its text, as far as it passes.
    Answer,
    /// Hand the question to a colleague; its text is not shown.
    Handoff,
}

impl ReplyAction {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Answer, Self::Handoff];

    /// The name in a reply and in `shop.toml`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Handoff => "handoff",
        }
    }
}

/// The field of a reply that names its action.
pub(crate) const ACTION: &str = "action";

/// The field of a reply that holds its text.
pub(crate) const ANSWER: &str = "answer";

/// The actions a shop allows. With none, a model replies in text, and nothing but an answer can come of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ActionSettings(BTreeSet<ReplyAction>);

impl ActionSettings {
    /// A model replies with an object that names one of these.
    #[must_use]
    pub fn new(allowed: impl IntoIterator<Item = ReplyAction>) -> Self {
        Self(allowed.into_iter().collect())
    }

    /// Whether a model replies with an object.
    #[must_use]
    pub fn structured(&self) -> bool {
        !self.0.is_empty()
    }

    /// The names, in order.
    #[must_use]
    pub fn names(&self) -> Vec<&'static str> {
        self.0.iter().map(|action| action.name()).collect()
    }

    /// The allowed action of this name.
    #[must_use]
    pub fn allowed(&self, name: &str) -> Option<ReplyAction> {
        self.0.iter().copied().find(|action| action.name() == name)
    }

    /// The shape of a reply as a JSON Schema; `None` where it is text.
    ///
    /// A provider may keep to it or not: what comes is read as if nobody had been told.
    #[must_use]
    pub fn schema(&self) -> Option<Value> {
        self.structured().then(|| {
            json!({
                "type": "object",
                "properties": {
                    ACTION: {"type": "string", "enum": self.names()},
                    ANSWER: {"type": "string"},
                },
                "required": [ACTION, ANSWER],
                "additionalProperties": false,
            })
        })
    }
}

/// A reply as an object, for models that write no JSON of their own.
#[must_use]
pub fn reply(action: &str, answer: &str) -> String {
    json!({ACTION: action, ANSWER: answer}).to_string()
}
