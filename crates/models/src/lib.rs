//! Language models and embedders behind the ports.
//!
//! [`ScriptedModel`] says what a script tells it to, [`ExtractiveModel`] quotes the documents and needs
//! no model at all, [`AxesEmbedder`] counts words along chosen axes. [`ServiceEmbedder`] asks an embedding
//! service, [`ProviderModel`] a language model behind a provider; `LocalEmbedder` (feature `local-embed`) runs a model folder. Nothing is loaded and no connection is
//! made before the first text.
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

mod embedder;

mod http;

mod post;

#[cfg(feature = "local-embed")]
mod local;

mod local_settings;

mod service;

mod provider;

mod fallback;

mod cassette;

mod recorder;

mod recorded;

pub use axes::AxesEmbedder;
pub use cassette::CassetteError;
pub use embedder::EmbedderError;
pub use error::ScriptError;
pub use extractive::ExtractiveModel;
pub use fallback::{Behind, FallbackModel};
pub use http::Http;
#[cfg(feature = "local-embed")]
pub use local::LocalEmbedder;
pub use local_settings::LocalSettings;
pub use post::PostError;
pub use provider::{Limits, ProviderError, ProviderModel, ProviderSettings, Wire};
pub use recorded::RecordedModel;
pub use recorder::Recorder;
pub use script::{Addition, Call, LastResult, Rule, Script, TokenEstimate, TokenUnit, When};
pub use scripted::ScriptedModel;
pub use service::{ServiceEmbedder, ServiceSettings};
