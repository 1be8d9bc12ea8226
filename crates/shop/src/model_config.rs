//! `[model]` and `[models.NAME]`: which model proposes the answers, and those that stand behind it.

use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::fields::{Amount, Filled, InFolder, Temperature, Within};

/// Which model proposes the answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelKind {
    /// None: the best sentences of the best passages are quoted.
    #[default]
    Extractive,
    /// The rules of a file.
    Scripted,
    /// A service with `/v1/chat/completions`.
    OpenaiCompatible,
    /// A service with `/v1/messages`.
    Messages,
    /// What a service said before, from `recordings/`.
    Recorded,
}

impl ModelKind {
    /// Whether it is asked over the network, and money paid for it.
    #[must_use]
    pub fn is_service(self) -> bool {
        matches!(self, ModelKind::OpenaiCompatible | ModelKind::Messages)
    }
}

/// `[model]`, and a model of `[models]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ModelConfig {
    /// Which.
    pub kind: ModelKind,
    /// The rules of the scripted model, relative to the shop folder.
    pub file: InFolder,
    /// The system text; without it, the language pack's.
    pub system: Option<Spanned<String>>,
    /// The most tokens it may write in a step.
    pub max_output_tokens: Within<1, 1_000_000>,
    /// The most tokens it may think in a step beyond what it writes; they are paid for as output.
    pub reasoning_tokens: Within<0, 1_000_000>,
    /// The service's address.
    pub base_url: Option<Spanned<Filled>>,
    /// The model, as the service calls it.
    pub model: Option<Spanned<Filled>>,
    /// The environment variable that holds the service's key.
    pub api_key_env: Option<Filled>,
    /// The header that carries the key, where it is not the usual one.
    pub key_header: Option<Filled>,
    /// How freely it writes, from 0; without it, what the service does by itself.
    pub temperature: Option<Temperature>,
    /// Whether the reply comes piece by piece.
    pub stream: bool,
    /// Whether the service wants its output limit as `max_completion_tokens`.
    pub completion_limit: bool,
    /// The tokens that its context window holds.
    pub context_tokens: Option<Within<256, 100_000_000>>,
    /// How often a request is repeated that the service did not begin to answer.
    pub retries: Within<0, 10>,
    /// How long connecting may take.
    pub connect_seconds: Within<1, 600>,
    /// How long the first token may take.
    pub first_token_seconds: Within<1, 3_600>,
    /// How long it may take from one token to the next.
    pub between_tokens_seconds: Within<1, 3_600>,
    /// How long a call may take as a whole.
    pub call_seconds: Within<1, 3_600>,
    /// The models that go on where this one cannot answer, in order: names of `[models]`, or `extractive`.
    pub fallback: Spanned<Vec<String>>,
    /// The folder of the recordings, relative to the shop folder.
    pub recordings: InFolder,
    /// Price of a million input tokens; without it, that of `[budget]`.
    pub price_in_per_million: Option<Spanned<Amount>>,
    /// Price of a million output tokens; without it, that of `[budget]`.
    pub price_out_per_million: Option<Spanned<Amount>>,
    /// Price of a million input tokens that the service had in its cache.
    pub price_cached_in_per_million: Option<Spanned<Amount>>,
    /// A call of more input tokens than these is a long one, with the two prices below.
    pub long_above_tokens: Option<Spanned<Within<1, 100_000_000>>>,
    /// Price of a million input tokens of a long call, cached ones included.
    pub long_price_in_per_million: Option<Spanned<Amount>>,
    /// Price of a million output tokens of a long call.
    pub long_price_out_per_million: Option<Spanned<Amount>>,
}

impl Default for ModelConfig {
    fn default() -> Self {
        Self {
            kind: ModelKind::default(),
            file: InFolder("model.toml".to_owned()),
            system: None,
            max_output_tokens: Within::new(300),
            reasoning_tokens: Within::new(0),
            base_url: None,
            model: None,
            api_key_env: None,
            key_header: None,
            temperature: None,
            stream: true,
            completion_limit: false,
            context_tokens: None,
            retries: Within::new(2),
            connect_seconds: Within::new(5),
            first_token_seconds: Within::new(30),
            between_tokens_seconds: Within::new(20),
            call_seconds: Within::new(90),
            fallback: Spanned::new(0..0, Vec::new()),
            recordings: InFolder("recordings".to_owned()),
            price_in_per_million: None,
            price_out_per_million: None,
            price_cached_in_per_million: None,
            long_above_tokens: None,
            long_price_in_per_million: None,
            long_price_out_per_million: None,
        }
    }
}
