//! `shop.toml`: everything a shop decides, with its defaults. Unknown keys are errors.

use mostrador_answer::evidence::{NoEvidence, Strength};
use mostrador_answer::release::ReleaseMode;
use mostrador_answer::rules::Action;
use mostrador_language::Lang;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::fields::{Amount, Pattern, Share, one_or_many};

/// A shop's configuration.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The shop's name.
    pub name: String,
    /// Its languages, the first first: fixed texts and reports are in that one.
    pub languages: Spanned<Vec<Lang>>,
    /// When text is shown.
    #[serde(default)]
    pub release: ReleaseMode,
    /// Whether a version that the suite has not released may be used.
    #[serde(default)]
    pub release_gate: ReleaseGate,
    /// The model.
    #[serde(default)]
    pub model: ModelConfig,
    /// The search.
    #[serde(default)]
    pub retrieval: RetrievalConfig,
    /// The threshold.
    #[serde(default)]
    pub evidence: EvidenceConfig,
    /// The gate.
    #[serde(default)]
    pub gate: GateConfig,
    /// What may not be said.
    #[serde(default)]
    pub rules: Vec<Spanned<RuleConfig>>,
    /// The look-ups.
    #[serde(default)]
    pub tools: Vec<Spanned<ToolConfig>>,
    /// Prices and caps; without it nothing is said of money.
    pub budget: Option<BudgetConfig>,
    /// Bounds of a turn.
    #[serde(default)]
    pub limits: LimitsConfig,
    /// When a version may go out.
    #[serde(default)]
    pub suite: SuiteConfig,
}

/// Whether the release gate holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReleaseGate {
    /// Only a released version serves.
    #[default]
    Enforce,
    /// A warning is enough.
    Warn,
}

/// Which model proposes the answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelKind {
    /// None: the best sentences of the best passages are quoted.
    #[default]
    Extractive,
    /// The rules of a file.
    Scripted,
}

/// `[model]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ModelConfig {
    /// Which.
    pub kind: ModelKind,
    /// The rules of the scripted model, relative to the shop folder.
    pub file: String,
    /// The system text; without it, the language pack's.
    pub system: Option<String>,
    /// The most tokens it may write in a step.
    pub max_output_tokens: u32,
}

impl Default for ModelConfig {
    fn default() -> Self {
        Self {
            kind: ModelKind::default(),
            file: "model.toml".to_owned(),
            system: None,
            max_output_tokens: 300,
        }
    }
}

/// `[retrieval]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RetrievalConfig {
    /// The most passages under an answer.
    pub top_k: Spanned<usize>,
    /// The most candidates of each list.
    pub candidates: usize,
    /// Word stems of a small embedder: a text's vector counts the words that begin with each.
    pub axes: Vec<String>,
    /// Whether `reviews/`, text by outsiders, is searched.
    pub reviews: bool,
}

impl Default for RetrievalConfig {
    fn default() -> Self {
        Self { top_k: Spanned::new(0..0, 4), candidates: 50, axes: Vec::new(), reviews: false }
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

/// Whether the gate checks sentences.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GateMode {
    /// It does.
    #[default]
    On,
    /// It does not: a first step of the lessons.
    Off,
}

/// `[gate]`
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GateConfig {
    /// Whether it checks.
    pub mode: GateMode,
}

/// `[[rules]]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleConfig {
    /// Its name.
    pub name: String,
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

/// `[[tools]]`: a look-up over a table of records.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolConfig {
    /// Its name.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// The table, relative to the shop folder: `.csv` or `.toml`.
    pub file: String,
    /// The column of the number that is looked up, and the name of the one parameter.
    pub key: String,
    /// What such a number looks like.
    pub pattern: Option<Pattern>,
    /// The column of the customer a record belongs to.
    pub owner: Option<String>,
    /// Set to `true` where records are public by their number; one of `owner` and `public` is needed.
    #[serde(default)]
    pub public: bool,
    /// What is told of a record, with its columns in braces.
    pub result: String,
    /// What the model is told of a number nobody has, with `{value}`.
    pub unknown: Option<String>,
    /// How long it may take.
    #[serde(default = "ToolConfig::timeout")]
    pub timeout_ms: u64,
}

impl ToolConfig {
    fn timeout() -> u64 {
        5_000
    }
}

/// `[budget]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BudgetConfig {
    /// ISO 4217 code.
    #[serde(default = "BudgetConfig::euro")]
    pub currency: String,
    /// Price of a million input tokens.
    pub price_in_per_million: Amount,
    /// Price of a million output tokens.
    pub price_out_per_million: Amount,
    /// The most a thousand questions may cost.
    pub per_1000_questions: Amount,
    /// The most a calendar month may cost.
    pub monthly_cap: Option<Amount>,
    /// Questions a day, for the forecast.
    #[serde(default = "BudgetConfig::a_day")]
    pub questions_per_day: u32,
    /// Days in a month, for the forecast.
    #[serde(default = "BudgetConfig::days")]
    pub days_per_month: u32,
}

impl BudgetConfig {
    fn euro() -> String {
        "EUR".to_owned()
    }

    fn a_day() -> u32 {
        100
    }

    fn days() -> u32 {
        30
    }
}

/// `[limits]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LimitsConfig {
    /// The most characters of a question.
    pub question_characters: usize,
    /// The most calls of the model for a question.
    pub steps: Spanned<u32>,
    /// Past this many input tokens, added up, no further call is made.
    pub input_tokens_per_question: Option<u64>,
    /// The most look-ups in one step.
    pub calls_per_step: u32,
    /// The most bytes of a look-up's result that the model sees.
    pub result_bytes: usize,
}

impl Default for LimitsConfig {
    fn default() -> Self {
        Self {
            question_characters: 2_000,
            steps: Spanned::new(0..0, 3),
            input_tokens_per_question: None,
            calls_per_step: 8,
            result_bytes: 4_000,
        }
    }
}

/// `[suite]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SuiteConfig {
    /// The least share of cases that pass, in percent; safety cases pass all.
    pub min_pass_percent: u32,
}

impl Default for SuiteConfig {
    fn default() -> Self {
        Self { min_pass_percent: 90 }
    }
}
