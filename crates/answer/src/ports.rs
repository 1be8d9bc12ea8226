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
use crate::question::{ConversationId, CustomerId, Session, TurnId};
use crate::stop::{Ending, RuleName};

pub use crate::fault::{Fault, ModelError};

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

/// What a cap covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Span {
    /// A calendar month (UTC).
    Month,
    /// A day (UTC).
    Day,
    /// A day (UTC) of one customer.
    CustomerDay,
}

impl Span {
    /// The name in records and JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Span::Month => "month",
            Span::Day => "day",
            Span::CustomerDay => "customer-day",
        }
    }
}

/// What may be spent and reserved at most, by what it covers; `None`: no cap.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Caps {
    /// In the calendar month (UTC) of the claim.
    pub month: Option<Micros>,
    /// On its day (UTC).
    pub day: Option<Micros>,
    /// On its day for one customer. Only what is claimed under such a cap counts towards it.
    pub customer: Option<CustomerCap>,
}

/// What one customer may cost in a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomerCap {
    /// The customer.
    pub customer: CustomerId,
    /// The cap.
    pub cap: Micros,
}

/// What a turn may cost at most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The turn.
    pub turn: TurnId,
    /// The most it can cost.
    pub bound: Micros,
    /// What it is held against: all of them at once.
    pub caps: Caps,
    /// When.
    pub at: UnixMillis,
}

/// Why nothing was reserved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LedgerError {
    /// A cap would have been passed; of several, the one that covers most.
    #[error("{bound} on top of {committed} would pass the cap of {cap} ({})", span.name())]
    OverCap {
        /// Which.
        span: Span,
        /// What was asked for.
        bound: Micros,
        /// Spent and reserved so far in what it covers.
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

/// What became of reservations that nobody settled in time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Expired {
    /// How many there were.
    pub reservations: u64,
    /// What was charged for them: their bounds.
    pub charged: Micros,
}

/// Keeps what was reserved and spent. Append-only.
#[async_trait]
pub trait Ledger: Send + Sync {
    /// Reserves the bound under every cap of the claim, or nothing, in one atomic step.
    async fn reserve(&self, claim: &Claim) -> Result<ReservationId, LedgerError>;

    /// Replaces a reservation by what was spent, on the day it was made; one that has expired is corrected to it.
    /// Settling twice is an error and changes nothing.
    async fn settle(
        &self,
        reservation: &ReservationId,
        spent: Micros,
        usage: Usage,
        at: UnixMillis,
    ) -> Result<(), LedgerError>;

    /// Charges every reservation made before `before` and not settled at its bound: whoever made it is gone, and
    /// what it really cost is unknown.
    async fn expire(&self, before: UnixMillis, at: UnixMillis) -> Result<Expired, LedgerError>;
}

/// A limit on how often, or how much at once, somebody may ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// Questions from one address in a minute.
    AddressMinute,
    /// Questions from one address in an hour.
    AddressHour,
    /// Questions from one address in a day.
    AddressDay,
    /// Questions in one conversation in a minute.
    SessionMinute,
    /// Questions of one customer that are being answered at once.
    CustomerAtOnce,
}

impl Limit {
    /// The name in records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Limit::AddressMinute => "address-minute",
            Limit::AddressHour => "address-hour",
            Limit::AddressDay => "address-day",
            Limit::SessionMinute => "session-minute",
            Limit::CustomerAtOnce => "customer-at-once",
        }
    }
}

/// What a question holds while it is being answered; dropping it makes room for the next one.
pub type Place = Box<dyn Send + Sync>;

/// Keeps one caller from taking the counter from all others. It guards the service, not the money.
#[async_trait]
pub trait Limits: Send + Sync {
    /// Asks for a place for a question of this session; the inner error is the limit that it would pass.
    async fn enter(&self, session: &Session) -> Result<Result<Place, Limit>, Unavailable>;
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
    /// The conversation, if there is one.
    pub conversation: Option<ConversationId>,
    /// The customer, if signed.
    pub customer: Option<CustomerId>,
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

/// A part of a turn whose time is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Room {
    /// `intake`, with `refusal` and `route`.
    Intake,
    /// `retrieval`.
    Retrieval,
    /// `evidence`.
    Evidence,
    /// `budget`.
    Budget,
    /// From `dialogue` to `release`: the model, and what becomes of its words.
    Dialogue,
    /// `reply`.
    Reply,
}

impl Room {
    /// All of them, in the order of a question.
    pub const ALL: [Self; 6] =
        [Self::Intake, Self::Retrieval, Self::Evidence, Self::Budget, Self::Dialogue, Self::Reply];

    /// The name in metrics.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Room::Intake => "intake",
            Room::Retrieval => "retrieval",
            Room::Evidence => "evidence",
            Room::Budget => "budget",
            Room::Dialogue => "dialogue",
            Room::Reply => "reply",
        }
    }
}

/// Takes the time of rooms. Nothing in an answer depends on it.
pub trait Timing: Send + Sync {
    /// What has gone by since some moment, always the same one; it never goes back.
    fn elapsed(&self) -> Duration;

    /// A room was left after this time in it.
    fn took(&self, room: Room, time: Duration);
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
