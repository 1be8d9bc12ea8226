//! How reports are worded in a language.

use std::collections::BTreeMap;

use serde::Deserialize;

/// How reports are worded. `{name}` stands for a value; what each takes is said beside it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// No passage is close enough; `{threshold}`.
    pub nothing_above: String,
    /// A question in a transcript; `{text}`.
    pub question: String,
    /// An answer in a transcript; `{text}`.
    pub answer: String,
    /// Where an answer comes from, above the list of sources.
    pub sources: String,
    /// A step of a dialogue; `{step}`, `{call}`, `{result}`.
    pub step: String,
    /// What marks a safety case, with the space behind it.
    pub safety_mark: String,
    /// `{passed}`, `{total}`, `{percent}`.
    pub passed: String,
    /// `{passed}`, `{total}`.
    pub safety: String,
    /// `{count}`, `{total}`.
    pub errored: String,
    /// A case that could not be run; `{detail}`.
    pub error: String,
    /// An expectation that was not met; `{what}`, `{expected}`, `{actual}`.
    pub expected: String,
    /// `{input}`, `{output}`, `{calls}`.
    pub tokens: String,
    /// `{price}`, `{budget}`, `{currency}`.
    pub price: String,
    /// `{questions}`, `{price}`, `{currency}`.
    pub month: String,
    /// Every question at every limit; `{price}`, `{currency}`.
    pub worst: String,
    /// Questions that reached the ceiling of input tokens; `{limit}`, `{count}`, `{total}`.
    pub ceiling: String,
    /// `{verdict}`.
    pub release: String,
    /// The verdict when a version may go out.
    pub yes: String,
    /// The verdict when it may not.
    pub no: String,
    /// The heading of the log.
    pub log: String,
    /// A line of the log; `{action}`, `{reason}`, `{question}`.
    pub log_entry: String,
    /// The action of a rule that stops.
    pub action_stop: String,
    /// The action of a rule that waits for approval.
    pub action_hold: String,
    /// Signs of currencies by ISO 4217 code; a currency without one is shown by its code.
    pub currency_signs: BTreeMap<String, String>,
}

impl Report {
    /// The sign of a currency, or its code.
    #[must_use]
    pub fn currency<'a>(&'a self, code: &'a str) -> &'a str {
        self.currency_signs.get(code).map_or(code, String::as_str)
    }
}
