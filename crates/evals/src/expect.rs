//! What an answer is judged by: its text, its ending, its rule and its citations.

use mostrador_answer::event::Answer;
use mostrador_answer::trace::Ranked;
use serde::Serialize;

use crate::case::Case;

/// An expectation that was not met.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Miss {
    /// The key of the case.
    pub what: &'static str,
    /// What it asked for.
    pub expected: String,
    /// What there was; empty where the answer's text shows it.
    pub actual: String,
}

/// What a case asked for and an answer did not give, in the order of the keys.
#[must_use]
pub fn judge(case: &Case, answer: &Answer) -> Vec<Miss> {
    let mut misses = Vec::new();
    let mut miss = |what, expected: &str, actual: &str| {
        misses.push(Miss { what, expected: expected.to_owned(), actual: actual.to_owned() });
    };
    for text in case.has.iter().filter(|text| !answer.text.contains(text.as_str())) {
        miss("has", text, "");
    }
    for text in case.not.iter().filter(|text| answer.text.contains(text.as_str())) {
        miss("not", text, "");
    }
    let closing = &answer.closing;
    if let Some(ending) = case.ends.filter(|ending| *ending != closing.ending) {
        miss("ends", ending.name(), closing.ending.name());
    }
    let rule = closing.rule.as_ref().map_or("-", |rule| rule.0.as_str());
    if let Some(expected) = case.rule.as_deref().filter(|expected| *expected != rule) {
        miss("rule", expected, rule);
    }
    let cited: Vec<&str> = answer.citations.iter().map(|citation| citation.source.as_str()).collect();
    for source in case.cites.iter().filter(|source| !cited.contains(&source.as_str())) {
        let actual = if cited.is_empty() { "-".to_owned() } else { cited.join(", ") };
        miss("cites", source, &actual);
    }
    let used: Vec<&str> = closing.trace.ranked.iter().filter(|ranked| ranked.used).map(source).collect();
    for source in case.passages.iter().filter(|source| !used.contains(&source.as_str())) {
        let actual = if used.is_empty() { "-".to_owned() } else { used.join(", ") };
        miss("passages", source, &actual);
    }
    misses
}

fn source(ranked: &Ranked) -> &str {
    ranked.source.as_str()
}
