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
use crate::passage::{Passage, Similarity, Trust};
use crate::question::{ConversationId, CustomerId, TurnId};
use crate::stop::{Ending, RuleName};

/// A moment: milliseconds since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct UnixMillis(pub i64);

impl UnixMillis {
    /// The day it is (UTC), ISO 8601. A moment that lies outside the years -9999 to 9999 is on the first day of 1970.
    #[must_use]
    pub fn day(self) -> String {
        let moment = jiff::Timestamp::from_millisecond(self.0).unwrap_or_default();
        jiff::tz::Offset::UTC.to_datetime(moment).date().to_string()
    }
}

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

/// What a search looks through. A passage that does not fit is as if it were not in the index: it takes no
/// place in a list. The empty filter leaves everything in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only passages in one of these languages; empty: in any.
    pub languages: Vec<Lang>,
    /// Only passages of this trust.
    pub trust: Option<Trust>,
    /// Only passages whose file, relative to the shop folder, is one of these or lies below one of these
    /// folders; empty: all.
    pub files: Vec<String>,
    /// Only passages dated on this day or later, ISO 8601; a passage without a date does not fit.
    pub from: Option<String>,
    /// Only passages dated on this day or earlier, ISO 8601; a passage without a date does not fit.
    pub to: Option<String>,
    /// The day it is, ISO 8601: a passage valid until a day before does not fit.
    pub today: Option<String>,
}

impl Filter {
    /// Whether a passage may be found. Days are ISO 8601 and of one length, so they compare as texts.
    #[must_use]
    pub fn fits(&self, passage: &Passage) -> bool {
        let dated = |holds: &dyn Fn(&str) -> bool| passage.date.as_deref().is_some_and(holds);
        (self.languages.is_empty() || self.languages.contains(&passage.language))
            && self.trust.is_none_or(|trust| passage.trust == trust)
            && (self.files.is_empty() || self.files.iter().any(|file| lies_in(&passage.file, file)))
            && self.from.as_deref().is_none_or(|from| dated(&|date| date >= from))
            && self.to.as_deref().is_none_or(|to| dated(&|date| date <= to))
            && self
                .today
                .as_deref()
                .is_none_or(|today| passage.valid_until.as_deref().is_none_or(|until| until >= today))
    }
}

fn lies_in(file: &str, place: &str) -> bool {
    let rest = file.strip_prefix(place.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Finds passages. The two lists come back apart and are fused by the retrieval room, for order only.
#[async_trait]
pub trait Search: Send + Sync {
    /// Passages that fit, by cosine with `vector`, best first, at most `limit`, similarity above 0.
    /// Ties keep the order of the documents.
    async fn dense(
        &self,
        vector: &[f32],
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<(Found, Similarity)>, Unavailable>;

    /// Passages that fit, by the question's index terms, best first, at most `limit`; each shares one at least.
    /// Ties keep the order of the documents.
    async fn lexical(
        &self,
        terms: &[String],
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<Found>, Unavailable>;
}

/// The index of a shop, which is replaced as a whole when the documents change.
#[async_trait]
pub trait Index: Send + Sync {
    /// The generation that is current now. What it finds does not change while it is held: a turn takes one and
    /// searches nothing else.
    async fn current(&self) -> Result<Arc<dyn Search>, Unavailable>;
}

/// An index that is never replaced.
pub struct Fixed(pub Arc<dyn Search>);

#[async_trait]
impl Index for Fixed {
    async fn current(&self) -> Result<Arc<dyn Search>, Unavailable> {
        Ok(Arc::clone(&self.0))
    }
}

/// What a text is embedded as: some embedders want to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmbedAs {
    /// A question.
    Query,
    /// A passage of the documents.
    Passage,
}

/// Turns texts into vectors.
#[async_trait]
pub trait Embed: Send + Sync {
    /// The embedder's name and version, kept with an index and a calibration.
    fn id(&self) -> String;

    /// One vector a text, all of one length, in the order of the texts.
    async fn embed(&self, texts: &[&str], role: EmbedAs) -> Result<Vec<Vec<f32>>, Unavailable>;
}

/// The shop's dated facts, for questions about what is new or what there is.
#[async_trait]
pub trait Records: Send + Sync {
    /// Those in one of `languages` that are still valid on the day `today` (ISO 8601), newest first, at most
    /// `limit`. Ties keep the order of the files.
    async fn newest(
        &self,
        languages: &[Lang],
        today: &str,
        limit: usize,
    ) -> Result<Vec<Arc<Passage>>, Unavailable>;
}

/// What kept a model from answering.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// Something that its configuration needs is missing.
    NotConfigured,
    /// Its address has no name server's answer.
    NoSuchHost,
    /// Nobody listens, or the way there is closed.
    Unreachable,
    /// No secure connection could be made.
    Tls,
    /// No connection in the time for it.
    ConnectTimeout,
    /// The provider does not accept the key.
    Unauthorised,
    /// There is no such address or model.
    NotFound,
    /// The provider does not accept the request.
    BadRequest,
    /// Too many requests, or the account is used up.
    RateLimited,
    /// The provider is broken or busy.
    ServerError,
    /// No first token in the time for it.
    FirstTokenTimeout,
    /// Nothing more in the time between two tokens.
    Stalled,
    /// The whole call took longer than it may.
    CallTimeout,
    /// The reply broke off before its end.
    BrokeOff,
    /// The reply is no UTF-8.
    NotUtf8,
    /// The reply is no JSON.
    NotJson,
    /// The reply is JSON of another shape.
    WrongShape,
    /// The reply is longer than a reply may be.
    TooLong,
    /// No recording of this request.
    NotRecorded,
    /// No rule of the script fits.
    NoRule,
}

impl Fault {
    /// Every fault, in the order of a call.
    pub const ALL: [Fault; 20] = [
        Fault::NotConfigured,
        Fault::NoSuchHost,
        Fault::Unreachable,
        Fault::Tls,
        Fault::ConnectTimeout,
        Fault::Unauthorised,
        Fault::NotFound,
        Fault::BadRequest,
        Fault::RateLimited,
        Fault::ServerError,
        Fault::FirstTokenTimeout,
        Fault::Stalled,
        Fault::CallTimeout,
        Fault::BrokeOff,
        Fault::NotUtf8,
        Fault::NotJson,
        Fault::WrongShape,
        Fault::TooLong,
        Fault::NotRecorded,
        Fault::NoRule,
    ];

    /// The name in traces and records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Fault::NotConfigured => "not-configured",
            Fault::NoSuchHost => "no-such-host",
            Fault::Unreachable => "unreachable",
            Fault::Tls => "tls",
            Fault::ConnectTimeout => "connect-timeout",
            Fault::Unauthorised => "unauthorised",
            Fault::NotFound => "not-found",
            Fault::BadRequest => "bad-request",
            Fault::RateLimited => "rate-limited",
            Fault::ServerError => "server-error",
            Fault::FirstTokenTimeout => "first-token-timeout",
            Fault::Stalled => "stalled",
            Fault::CallTimeout => "call-timeout",
            Fault::BrokeOff => "broke-off",
            Fault::NotUtf8 => "not-utf8",
            Fault::NotJson => "not-json",
            Fault::WrongShape => "wrong-shape",
            Fault::TooLong => "too-long",
            Fault::NotRecorded => "not-recorded",
            Fault::NoRule => "no-rule",
        }
    }
}

/// A model that could not answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the model {model} failed ({}): {detail}", fault.name())]
pub struct ModelError {
    /// The model.
    pub model: String,
    /// What kept it.
    pub fault: Fault,
    /// What happened, without secrets, and what to do.
    pub detail: String,
    /// Whether the provider may ask money for the call all the same: it had begun to work on it.
    pub charged: bool,
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
    /// Where the customer wants to be answered, if they said so.
    pub address: Option<String>,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_has_a_day() {
        for (millis, day) in [
            (0, "1970-01-01"),
            (-1, "1969-12-31"),
            (951_782_400_000, "2000-02-29"),
            (951_868_799_999, "2000-02-29"),
            (951_868_800_000, "2000-03-01"),
            (4_107_542_400_000, "2100-03-01"),
            (1_767_225_599_999, "2025-12-31"),
        ] {
            assert_eq!(UnixMillis(millis).day(), day);
        }
    }
}
