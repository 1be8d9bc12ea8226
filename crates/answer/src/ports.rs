//! The seams: what the story needs from the world, as traits. Adapters live in other crates.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use mostrador_language::Lang;
use serde::{Deserialize, Serialize};

use crate::message::{Delta, Input, LookupSpec, Outcome, Request};
use crate::money::{Micros, Usage};
use crate::passage::{Passage, Similarity};
use crate::question::{ConversationId, CustomerId, TurnId};
use crate::stop::{Ending, RuleName};

/// A moment: milliseconds since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct UnixMillis(pub i64);

/// A part of the world that could not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{part} is unavailable: {detail}")]
pub struct Unavailable {
    /// Which part: `index`, `embedder`, `inbox`, …
    pub part: &'static str,
    /// What it said, without secrets.
    pub detail: String,
}

impl Unavailable {
    /// An error of `part`, with what was said.
    pub fn new(part: &'static str, detail: impl std::fmt::Display) -> Self {
        Self { part, detail: detail.to_string() }
    }
}

/// A passage found, with the words of it that count, already analysed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The passage.
    pub passage: Arc<Passage>,
    /// Its distinct content stems, those of parts of compounds among them (headings included), sorted.
    pub stems: Arc<[String]>,
}

/// Finds passages. The two lists come back apart and are fused by the retrieval room, for order only.
#[async_trait]
pub trait Search: Send + Sync {
    /// Passages by cosine with `vector`, best first, at most `limit`, similarity above 0.
    /// Ties keep the order of the documents.
    async fn dense(&self, vector: &[f32], limit: usize) -> Result<Vec<(Found, Similarity)>, Unavailable>;

    /// Passages by the question's content stems, those of parts of compounds among them, best first, at most
    /// `limit`; each shares one at least.
    /// Ties keep the order of the documents.
    async fn lexical(&self, stems: &[String], limit: usize) -> Result<Vec<Found>, Unavailable>;
}

/// Turns texts into vectors.
#[async_trait]
pub trait Embed: Send + Sync {
    /// The embedder's name and version, kept with an index and a calibration.
    fn id(&self) -> String;

    /// One vector a text, all of one length, in the order of the texts.
    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Unavailable>;
}

/// A model that could not answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the model {model} failed: {detail}")]
pub struct ModelError {
    /// The model.
    pub model: String,
    /// What happened, without secrets.
    pub detail: String,
}

/// A language model. It proposes; nothing it says reaches a customer from here.
pub trait Model: Send + Sync {
    /// The model's name, for records and reports.
    fn id(&self) -> String;

    /// Whether the tokens of [`Usage`] are this model's own count (`false`: an estimate).
    fn counts_tokens(&self) -> bool;

    /// Starts one call. The stream ends after [`Delta::End`] or the first error;
    /// dropping it drops the call.
    fn stream(&self, request: Arc<Request>) -> BoxStream<'static, Result<Delta, ModelError>>;
}

/// What a look-up gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookupResult {
    /// How it went.
    pub outcome: Outcome,
    /// The text for the model: the least that answers.
    pub content: String,
}

/// Reads something. It can change nothing.
#[async_trait]
pub trait Lookup: Send + Sync {
    /// How it is offered.
    fn spec(&self) -> &LookupSpec;

    /// Looks something up for `caller`, who comes from the session. What belongs to somebody else
    /// does not exist for the caller. Every fault is an [`Outcome`], never a panic.
    async fn look(&self, input: &Input, caller: Option<&CustomerId>) -> LookupResult;
}

/// Money held back for a turn until it is settled.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ReservationId(pub i64);

/// What a turn may cost at most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The turn.
    pub turn: TurnId,
    /// The most it can cost.
    pub bound: Micros,
    /// The most that may be spent and reserved in the calendar month (UTC) of `at`; `None`: no cap.
    pub monthly_cap: Option<Micros>,
    /// When.
    pub at: UnixMillis,
}

/// Why nothing was reserved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LedgerError {
    /// The cap would have been passed.
    #[error("{bound} on top of {committed} this month would pass the cap of {cap}")]
    OverCap {
        /// What was asked for.
        bound: Micros,
        /// Spent and reserved so far this month.
        committed: Micros,
        /// The cap.
        cap: Micros,
    },
    /// The ledger cannot be reached, so what was spent is unknown.
    #[error("the ledger is unavailable: {0}")]
    Unavailable(String),
    /// It cannot be entered: settled before, never reserved, or amounts no ledger can hold. Nothing was changed.
    #[error("the ledger refuses: {0}")]
    Refused(String),
}

/// Keeps what was reserved and spent. Append-only.
#[async_trait]
pub trait Ledger: Send + Sync {
    /// Reserves the bound, or nothing, in one atomic step.
    async fn reserve(&self, claim: &Claim) -> Result<ReservationId, LedgerError>;

    /// Replaces a reservation by what was spent. Settling twice is an error and changes nothing.
    async fn settle(
        &self,
        reservation: &ReservationId,
        spent: Micros,
        usage: Usage,
        at: UnixMillis,
    ) -> Result<(), LedgerError>;
}

/// Something for a colleague: what was asked, what was going to be said, and why it was not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InboxEntry {
    /// The turn.
    pub turn: TurnId,
    /// The conversation, if there is one.
    pub conversation: Option<ConversationId>,
    /// The customer, if signed.
    pub customer: Option<CustomerId>,
    /// How the turn ended.
    pub ending: Ending,
    /// The rule that ended it.
    pub rule: RuleName,
    /// The question.
    pub question: String,
    /// What the model wrote, whole where it was allowed to finish; empty where it wrote nothing.
    pub answer: String,
    /// What the rule saw.
    pub evidence: String,
    /// The language of the question.
    pub language: Lang,
    /// When.
    pub at: UnixMillis,
}

/// Where colleagues find what was handed to them.
#[async_trait]
pub trait Inbox: Send + Sync {
    /// Keeps an entry; once this returns it outlives the process.
    async fn put(&self, entry: &InboxEntry) -> Result<(), Unavailable>;
}

/// A record of a stop: which question, which rule, which evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StopNote {
    /// The turn.
    pub turn: TurnId,
    /// How it ended.
    pub ending: Ending,
    /// The rule.
    pub rule: RuleName,
    /// What the rule saw.
    pub evidence: String,
    /// The question.
    pub question: String,
    /// When.
    pub at: UnixMillis,
}

/// Keeps a record of every stop.
#[async_trait]
pub trait StopLog: Send + Sync {
    /// Keeps a note.
    async fn note(&self, note: &StopNote) -> Result<(), Unavailable>;
}

/// Tells the time.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> UnixMillis;
}

/// Makes names that nobody else has.
pub trait Ids: Send + Sync {
    /// A new turn's name.
    fn turn(&self) -> TurnId;
}

/// Starts tasks and waits: all the runtime the story needs.
pub trait Runtime: Send + Sync {
    /// Starts a task that owns itself.
    fn spawn(&self, task: BoxFuture<'static, ()>);

    /// Completes after `pause`.
    fn sleep(&self, pause: Duration) -> BoxFuture<'static, ()>;
}
