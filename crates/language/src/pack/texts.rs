//! The fixed texts of a language, and how values are put into them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::refusal::Category;

/// A text of the program that no model writes: what customers read at fixed moments,
/// and what a model reads when a look-up goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextKey {
    /// Nothing supports an answer; promises a colleague.
    DontKnow,
    /// A limit was reached; promises a colleague.
    Handoff,
    /// An answer was stopped or waits for approval; promises a colleague.
    Hold,
    /// A look-up found nothing for this caller.
    NotFound,
    /// The question is empty.
    Empty,
    /// The question is longer than `{limit}` characters.
    TooLong,
    /// Too many questions came from this caller.
    TooManyQuestions,
    /// The budget is used up.
    OverBudget,
    /// A part of the program cannot be reached.
    Unavailable,
    /// The answer was cut.
    Truncated,
    /// The question is one for terms and commitments, which are not made here.
    RefusedTerms,
    /// The question is for what is private.
    RefusedPrivate,
    /// The question is for a prediction or a comparison.
    RefusedSpeculation,
    /// The question is about the assistant's instructions.
    RefusedInstructions,
    /// The question asks for work that is not the assistant's.
    RefusedTasks,
    /// A colleague answers from now on, and the assistant is silent.
    Colleague,
    /// The program ended in the middle of an answer.
    Interrupted,
    /// To the model: there is no look-up `{name}`.
    UnknownTool,
    /// To the model: the argument `{field}` is missing.
    MissingField,
    /// To the model: the argument `{field}` does not fit.
    BadField,
    /// To the model: there is no record `{value}`.
    UnknownRecord,
    /// To the model: the look-up took too long.
    LookupTimedOut,
    /// To the model: the look-up failed.
    LookupFailed,
    /// To the model: more look-ups at once than `{limit}`.
    TooManyCalls,
}

impl TextKey {
    /// What customers read where a question of this category is refused.
    #[must_use]
    pub fn refused(category: Category) -> Self {
        match category {
            Category::Terms => Self::RefusedTerms,
            Category::Private => Self::RefusedPrivate,
            Category::Speculation => Self::RefusedSpeculation,
            Category::Instructions => Self::RefusedInstructions,
            Category::Tasks => Self::RefusedTasks,
        }
    }
}

/// The fixed texts of a language; a shop may put its own in their place.
pub type Texts = BTreeMap<TextKey, String>;

/// Puts values into a template: each `{name}` by its value, once, left to right.
/// A name that is not given stays as it is; a value is never read as a template.
#[must_use]
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len() + 16);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let named = after.split_once('}').and_then(|(name, behind)| {
            let value = values.iter().find(|(known, _)| *known == name)?.1;
            Some((value, behind))
        });
        if let Some((value, behind)) = named {
            out.push_str(value);
            rest = behind;
        } else {
            out.push('{');
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_never_read_as_a_template() {
        assert_eq!(fill("{a} {b} {c", &[("a", "{b}"), ("b", "2")]), "{b} 2 {c");
        assert_eq!(fill("{x} {a}", &[("a", "1")]), "{x} 1");
    }
}
