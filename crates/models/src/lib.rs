//! Language models and embedders behind the ports.
//!
//! [`ScriptedModel`] says what a script tells it to, [`ExtractiveModel`] quotes the documents and needs
//! no model at all, [`AxesEmbedder`] counts words along chosen axes. None of them uses a network.
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::string_slice
    )
)]

mod error;

mod script;

mod template;

mod exchange;

mod condition;

mod scripted;

mod values;

mod terms;

mod units;

mod quote;

mod extractive;

mod axes;

pub use axes::AxesEmbedder;
pub use error::ScriptError;
pub use extractive::ExtractiveModel;
pub use script::{Addition, Call, LastResult, Rule, Script, TokenEstimate, TokenUnit, When};
pub use scripted::ScriptedModel;
