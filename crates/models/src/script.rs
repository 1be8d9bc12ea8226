//! What stands in `model.toml`: the rules of the scripted model, as data.

use std::collections::BTreeMap;

use mostrador_answer::message::Outcome;
use serde::Deserialize;

/// A whole script: rules are tried in order and the first that fits wins;
/// every addition that fits is then appended to a reply that is text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// How tokens are estimated.
    #[serde(default)]
    pub tokens: TokenEstimate,
    /// The rules, in order.
    #[serde(default)]
    pub rules: Vec<Rule>,
    /// What is appended to text, in order.
    #[serde(default)]
    pub additions: Vec<Addition>,
}

/// What tokens are counted by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TokenUnit {
    /// Words, split on white space.
    #[default]
    Words,
    /// Characters.
    Characters,
}

/// An estimate of tokens: `per_hundred` tokens for a hundred units, rounded up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenEstimate {
    /// What is counted.
    #[serde(default)]
    pub unit: TokenUnit,
    /// Tokens in a hundred units.
    #[serde(default = "usual_per_hundred")]
    pub per_hundred: u32,
}

fn usual_per_hundred() -> u32 {
    130
}

impl Default for TokenEstimate {
    fn default() -> Self {
        Self { unit: TokenUnit::default(), per_hundred: usual_per_hundred() }
    }
}

impl TokenEstimate {
    /// The tokens of one text: `ceil(count * per_hundred / 100)`.
    #[must_use]
    pub fn tokens(&self, text: &str) -> u64 {
        self.of_count(self.count(text))
    }

    /// The units of one text. Pieces that end in white space add up to their whole.
    pub(crate) fn count(&self, text: &str) -> u64 {
        let count = match self.unit {
            TokenUnit::Words => text.split_whitespace().count(),
            TokenUnit::Characters => text.chars().count(),
        };
        count as u64
    }

    /// The tokens of so many units.
    pub(crate) fn of_count(&self, count: u64) -> u64 {
        count.saturating_mul(u64::from(self.per_hundred)).div_ceil(100)
    }
}

/// One rule: what must hold, and what the model then does: `say`, `call` or `calls`, one of the three.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// What must hold; nothing given, always.
    #[serde(default)]
    pub when: When,
    /// The text it says.
    pub say: Option<String>,
    /// The action that its text comes with where a reply is an object; an answer where none is given.
    pub action: Option<String>,
    /// The look-up it asks for.
    pub call: Option<Call>,
    /// The look-ups it asks for at once.
    pub calls: Option<Vec<Call>>,
}

/// A look-up a rule asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// The look-up's name; it need not be one of those offered.
    pub tool: String,
    /// Its arguments.
    #[serde(default)]
    pub input: BTreeMap<String, String>,
}

/// What is appended to a text when something holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Addition {
    /// What must hold; nothing given, always.
    #[serde(default)]
    pub when: When,
    /// What is appended, its leading space included.
    pub say: String,
}

/// Conditions; all that are given must hold. Texts are compared exactly, capitals included.
///
/// The *question* is the last block of the first message. The *context* is the text of its first block:
/// the documents with their marks, or the question itself where there are none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct When {
    /// Whether any look-up is offered.
    pub tools: Option<bool>,
    /// The question holds this text.
    pub question_contains: Option<String>,
    /// The question fits this regular expression; `{match}` is its first match,
    /// or the first group of it where there is one.
    pub question_matches: Option<String>,
    /// The context holds this text.
    pub context_contains: Option<String>,
    /// The context fits this regular expression.
    pub context_matches: Option<String>,
    /// The system text holds this text.
    pub system_contains: Option<String>,
    /// The first document is this one.
    pub first_source: Option<String>,
    /// One of the documents is this one; `{source}` then names it.
    pub any_source: Option<String>,
    /// The last message begins with the result of a look-up that went like this.
    pub last_result: Option<LastResult>,
    /// One of the results in the last message holds this text.
    pub result_contains: Option<String>,
    /// So many rounds of look-ups at least have been asked for in this exchange.
    pub rounds_at_least: Option<u32>,
}

/// How the look-up went whose result came last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LastResult {
    /// Any outcome but `found`.
    Error,
    /// Something was found.
    Found,
    /// There is no such thing for this caller.
    NotFound,
    /// Arguments that do not fit.
    BadInput,
    /// It took too long.
    TimedOut,
    /// It could not be done.
    Failed,
}

impl LastResult {
    /// Whether an outcome is this one.
    #[must_use]
    pub fn fits(self, outcome: Outcome) -> bool {
        match self {
            LastResult::Error => outcome.is_error(),
            LastResult::Found => outcome == Outcome::Found,
            LastResult::NotFound => outcome == Outcome::NotFound,
            LastResult::BadInput => outcome == Outcome::BadInput,
            LastResult::TimedOut => outcome == Outcome::TimedOut,
            LastResult::Failed => outcome == Outcome::Failed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_rounded_up_for_each_text() {
        let words = TokenEstimate::default();
        // ceil(0), ceil(1.3), ceil(2.6), ceil(13.0), ceil(14.3)
        let text = |words: usize| vec!["x"; words].join(" ");
        let by_hand = [(0, 0), (1, 2), (2, 3), (10, 13), (11, 15)];
        for (count, tokens) in by_hand {
            assert_eq!(words.tokens(&text(count)), tokens, "{count} words");
        }
        let characters = TokenEstimate { unit: TokenUnit::Characters, per_hundred: 25 };
        assert_eq!(characters.tokens("añil"), 1);
        assert_eq!(characters.tokens("añil y"), 2);
        let most = TokenEstimate { unit: TokenUnit::Characters, per_hundred: u32::MAX };
        assert_eq!(most.of_count(u64::MAX), u64::MAX.div_ceil(100));
    }

    #[test]
    fn an_unknown_key_is_refused_wherever_it_stands() {
        for text in [
            "[token]\nunit = \"words\"",
            "[tokens]\nunits = \"words\"",
            "[tokens]\nunit = \"syllables\"",
            "[[rules]]\nwhen = { question_contain = \"x\" }\nsay = \"y\"",
            "[[rules]]\nsays = \"y\"",
            "[[rules]]\ncall = { tool = \"t\", inputs = {} }",
            "[[additions]]\nsay = \"y\"\ncall = { tool = \"t\" }",
            "[[rules]]\nwhen = { last_result = \"lost\" }\nsay = \"y\"",
        ] {
            assert!(toml::from_str::<Script>(text).is_err(), "{text}");
        }
    }
}
