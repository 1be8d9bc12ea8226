//! What can be wrong with a script.

/// A script that cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    /// It is not TOML, or has keys that a script does not know.
    #[error("the script cannot be read; correct it: {0}")]
    Unreadable(String),
    /// It has no rule.
    #[error("the script has no rule, so the model could never answer; add a [[rules]] with `say`")]
    NoRules,
    /// A rule does nothing.
    #[error("rule {0} says nothing and calls nothing; give it `say`, `call` or `calls`")]
    NoAction(usize),
    /// A rule does more than one thing.
    #[error("rule {0} has more than one of `say`, `call` and `calls`; keep one")]
    TwoActions(usize),
    /// A rule names an action for a text that it does not say.
    #[error("rule {0} has an `action` and no `say`; give it the text that the action comes with")]
    ActionWithoutText(usize),
    /// A regular expression that is none.
    #[error("{owner} has a `{key}` that is not a regular expression; correct it: {detail}")]
    BadRegex {
        /// The rule or addition.
        owner: String,
        /// The condition.
        key: &'static str,
        /// What is wrong.
        detail: String,
    },
    /// A place that does not exist.
    #[error("{owner} has a place {{{name}}} that does not exist; there are: {known}")]
    UnknownPlace {
        /// The rule or addition.
        owner: String,
        /// The name in braces.
        name: String,
        /// The places there are.
        known: &'static str,
    },
    /// `{match}` without anything that matches.
    #[error("{owner} uses {{match}} but has no `question_matches`; add it to its `when`")]
    NoMatch {
        /// The rule or addition.
        owner: String,
    },
}
