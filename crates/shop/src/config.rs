//! `shop.toml`: everything a shop decides, with its defaults. Unknown keys are errors.

use std::collections::BTreeMap;

use mostrador_answer::actions::{ActionSettings, ReplyAction};
use mostrador_answer::evidence::{NoEvidence, Strength};
use mostrador_answer::gate::{GateMode, OnFailure, Person, Strictness};
use mostrador_answer::release::ReleaseMode;
use mostrador_answer::rules::Action;
use mostrador_answer::voice::Citations;
use mostrador_language::Lang;
use serde::{Deserialize, Serialize};
use toml::Spanned;

pub use crate::budget_config::{BudgetConfig, Over};
use crate::fields::{Amount, Filled, Pattern, Share, Within, one_or_many};
use crate::identity::config::IdentityConfig;
pub use crate::model_config::{ModelConfig, ModelKind};
use crate::refusals::{PromisesConfig, RefusalConfig};
pub use crate::server_config::{PersonalDataConfig, ReleaseGate, RetentionConfig, ServerConfig};
use crate::tools::ToolConfig;

/// A shop's configuration.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The shop's name.
    pub name: Filled,
    /// Its languages, the first first: fixed texts and reports are in that one.
    pub languages: Spanned<Vec<Lang>>,
    /// When text is shown.
    #[serde(default)]
    pub release: ReleaseMode,
    /// Why private data, outsiders' text and a way out may be together, where they are.
    pub accept_trifecta: Option<Filled>,
    /// The model.
    #[serde(default)]
    pub model: ModelConfig,
    /// Models that can stand behind it, by name.
    #[serde(default)]
    pub models: BTreeMap<String, Spanned<ModelConfig>>,
    /// The search.
    #[serde(default)]
    pub retrieval: RetrievalConfig,
    /// What turns texts into vectors.
    #[serde(default)]
    pub embedder: EmbedderConfig,
    /// The threshold.
    #[serde(default)]
    pub evidence: EvidenceConfig,
    /// The dated facts, in `records/` or from the shop's database.
    #[serde(default)]
    pub records: RecordsConfig,
    /// Whose site it is, where it is a person's and no shop's.
    pub owner: Option<OwnerConfig>,
    /// What is never answered.
    #[serde(default)]
    pub refusal: RefusalConfig,
    /// The gate.
    #[serde(default)]
    pub gate: GateConfig,
    /// How the assistant speaks.
    #[serde(default)]
    pub voice: VoiceConfig,
    /// What may not be said.
    #[serde(default)]
    pub rules: Vec<Spanned<RuleConfig>>,
    /// What only a person may promise.
    #[serde(default)]
    pub promises: PromisesConfig,
    /// What a model's reply may ask for.
    #[serde(default)]
    pub actions: ActionsConfig,
    /// The look-ups.
    #[serde(default)]
    pub tools: Vec<Spanned<ToolConfig>>,
    /// How it is known who asks; without it nobody is signed in.
    pub identity: Option<Spanned<IdentityConfig>>,
    /// Prices and caps; without it nothing is said of money.
    pub budget: Option<BudgetConfig>,
    /// Bounds of a turn.
    #[serde(default)]
    pub limits: LimitsConfig,
    /// When a version may go out.
    #[serde(default)]
    pub suite: SuiteConfig,
    /// What is done with a version that did not.
    #[serde(default)]
    pub release_gate: ReleaseGate,
    /// How it is served.
    #[serde(default)]
    pub server: ServerConfig,
    /// How long what was said is kept.
    #[serde(default)]
    pub retention: RetentionConfig,
    /// What is done with what is personal in customers' words.
    #[serde(default)]
    pub personal_data: PersonalDataConfig,
}

/// `[retrieval]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RetrievalConfig {
    /// The most passages under an answer.
    pub top_k: Within<1, 100>,
    /// The most candidates of each list.
    pub candidates: Within<1, 10_000>,
    /// Word stems of a small embedder: a text's vector counts the words that begin with each.
    pub axes: Vec<Filled>,
    /// Whether `reviews/`, text by outsiders, is searched.
    pub reviews: bool,
}

impl Default for RetrievalConfig {
    fn default() -> Self {
        Self { top_k: Within::new(4), candidates: Within::new(50), axes: Vec::new(), reviews: false }
    }
}

/// Which embedder turns texts into vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EmbedderKind {
    /// None: words alone are searched.
    None,
    /// The axes of `[retrieval]`.
    Axes,
    /// A service with `/v1/embeddings`.
    OpenaiCompatible,
    /// A model folder, run in the program.
    Local,
}

/// `[embedder]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EmbedderConfig {
    /// Which; where it is left out, `axes` with axes and `none` without.
    pub kind: Option<Spanned<EmbedderKind>>,
    /// The service's address.
    pub base_url: Option<Spanned<Filled>>,
    /// The model, as the service calls it.
    pub model: Option<Filled>,
    /// The environment variable that holds the service's key.
    pub api_key_env: Option<Filled>,
    /// The most texts in a request.
    pub batch: Within<1, 2_048>,
    /// How long a request may take, repeats counted.
    pub timeout_seconds: Within<1, 600>,
    /// How often a request is repeated.
    pub retries: Within<0, 10>,
    /// Put before a question.
    pub query_prefix: Option<String>,
    /// Put before a passage.
    pub passage_prefix: Option<String>,
    /// Whether the service is told `input_type`.
    pub input_type: bool,
    /// How many numbers a vector has.
    pub dimensions: Option<Within<1, 8_192>>,
    /// What a million tokens cost.
    pub price_per_million: Option<Amount>,
    /// The model folder, from the shop folder or from the root of the file system.
    pub folder: Option<Filled>,
}

impl Default for EmbedderConfig {
    fn default() -> Self {
        Self {
            kind: None,
            base_url: None,
            model: None,
            api_key_env: None,
            batch: Within::new(32),
            timeout_seconds: Within::new(30),
            retries: Within::new(3),
            query_prefix: None,
            passage_prefix: None,
            input_type: false,
            dimensions: None,
            price_per_million: None,
            folder: None,
        }
    }
}

/// `[records.query]`: dated facts from a query of the shop's database, in place of `records/`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QueryConfig {
    /// The environment variable that holds the database's address.
    pub database_env: Filled,
    /// The query: columns `date` and `text`, and `title`, `language`, `valid_until` where there are such.
    pub sql: Filled,
    /// How long an answer of the database is used again.
    #[serde(default = "QueryConfig::cache")]
    pub cache_seconds: Within<0, 86_400>,
}

impl QueryConfig {
    fn cache() -> Within<0, 86_400> {
        Within::new(60)
    }
}

/// `[evidence]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EvidenceConfig {
    /// The least strength of a passage under an answer.
    pub threshold: Share,
    /// What the strength is made of.
    pub strength: Spanned<Strength>,
    /// What happens below it.
    pub no_evidence: NoEvidence,
}

impl Default for EvidenceConfig {
    fn default() -> Self {
        let threshold = Share(mostrador_answer::passage::Similarity::from_millionths(400_000));
        Self {
            threshold,
            strength: Spanned::new(0..0, Strength::default()),
            no_evidence: NoEvidence::default(),
        }
    }
}

/// `[records]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RecordsConfig {
    /// The most that an overview shows.
    pub most: Within<1, 100>,
    /// Where they come from, if not from `records/`.
    pub query: Option<QueryConfig>,
}

impl Default for RecordsConfig {
    fn default() -> Self {
        Self { most: Within::new(8), query: None }
    }
}

/// `[owner]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnerConfig {
    /// The names a person goes by, the one that pages use first.
    pub names: Vec<String>,
}

/// `[gate]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GateConfig {
    /// Whether it checks.
    pub mode: GateMode,
    /// What happens to a sentence that fails.
    pub on_failure: OnFailure,
    /// In whose person the assistant may speak; without it, `we` in a shop and `none` on a person's site.
    pub person: Option<Person>,
    /// The least share of a sentence's words that what it cites must hold.
    pub support: Share,
    /// The most words of a connecting sentence that needs no source.
    pub connecting_words: Within<0, 50>,
}

impl Default for GateConfig {
    fn default() -> Self {
        let Strictness { support, connecting_words, .. } = Strictness::default();
        Self {
            mode: GateMode::default(),
            on_failure: OnFailure::default(),
            person: None,
            support: Share(support),
            connecting_words: Within::new(connecting_words as u64),
        }
    }
}

/// `[voice]`
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct VoiceConfig {
    /// How the passages that a sentence cites are shown in it.
    pub citations: Citations,
}

/// `[[rules]]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleConfig {
    /// Its name.
    pub name: Filled,
    /// Why; the name where it is left out.
    pub reason: Option<String>,
    /// Texts that may not occur; one, or a list.
    #[serde(default, deserialize_with = "one_or_many")]
    pub words: Vec<String>,
    /// A pattern that may not occur.
    pub pattern: Option<Pattern>,
    /// What happens then.
    pub action: Action,
}

/// `[actions]`
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ActionsConfig {
    /// What a reply may ask for; with nothing, it is text.
    pub allowed: Option<Spanned<Vec<ReplyAction>>>,
}

impl ActionsConfig {
    /// Them as the engine takes them.
    #[must_use]
    pub fn settings(&self) -> ActionSettings {
        ActionSettings::new(self.allowed.iter().flat_map(|allowed| allowed.get_ref().iter().copied()))
    }
}

/// `[limits]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LimitsConfig {
    /// The most characters of a question.
    pub question_characters: Within<1, 100_000>,
    /// The most calls of the model for a question.
    pub steps: Within<1, 50>,
    /// Past this many input tokens, added up, no further call is made.
    pub input_tokens_per_question: Option<Within<1, 100_000_000>>,
    /// The most look-ups in one step.
    pub calls_per_step: Within<1, 100>,
    /// The most bytes of a look-up's result that the model sees.
    pub result_bytes: Within<100, 1_000_000>,
    /// The most seconds an answer may take, from the first call of the model.
    pub seconds: Within<1, 3_600>,
    /// The most questions from one address in a minute; 0: no limit.
    pub address_minute: Within<0, 1_000_000>,
    /// The same in an hour.
    pub address_hour: Within<0, 1_000_000>,
    /// The same in a day.
    pub address_day: Within<0, 1_000_000>,
    /// The most questions in one conversation in a minute; 0: no limit.
    pub session_minute: Within<0, 1_000_000>,
    /// The most questions of one signed customer that are answered at once; 0: no limit.
    pub customer_at_once: Within<0, 10_000>,
}

impl Default for LimitsConfig {
    fn default() -> Self {
        Self {
            question_characters: Within::new(2_000),
            steps: Within::new(3),
            input_tokens_per_question: None,
            calls_per_step: Within::new(8),
            result_bytes: Within::new(4_000),
            seconds: Within::new(120),
            address_minute: Within::new(20),
            address_hour: Within::new(200),
            address_day: Within::new(1_000),
            session_minute: Within::new(12),
            customer_at_once: Within::new(3),
        }
    }
}

/// `[suite]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SuiteConfig {
    /// The least share of cases that pass, in percent; safety cases pass all.
    pub min_pass_percent: Within<1, 100>,
}

impl Default for SuiteConfig {
    fn default() -> Self {
        Self { min_pass_percent: Within::new(90) }
    }
}
