//! What can be wrong with a suite.

use mostrador_shop::ShopError;

/// An error in a suite of cases.
#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    /// The shop, or a case file, does not fit.
    #[error(transparent)]
    Shop(#[from] ShopError),
    /// There is nothing to run.
    #[error("{0} holds no case; write one in cases/first.yaml, such as\n- question: \"…\"\n  ends: answered")]
    NoCases(String),
    /// Every case names another model than the shop's own.
    #[error("no case is put to the shop's own model, the one that customers meet; write one without `model`")]
    NoOwnCase,
    /// A file of questions does not fit; line 0: the file as a whole.
    #[error("{file}{}: {detail}", if *line == 0 { String::new() } else { format!(":{line}") })]
    Questions {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong, and what to do.
        detail: String,
    },
    /// There is no price to forecast with.
    #[error(
        "shop.toml has no [budget]; give it price_in_per_million, price_out_per_million and per_1000_questions"
    )]
    NoBudget,
}
