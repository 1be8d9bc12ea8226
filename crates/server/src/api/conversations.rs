//! Conversations: begun, read, listened to, handed to a colleague, erased.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, stream};
use mostrador_answer::ports::{Inbox, InboxEntry};
use mostrador_answer::question::{ConversationId, TurnId};
use mostrador_answer::stop::{Ending, RuleName};
use mostrador_language::{Lang, TextKey};
use mostrador_store::{Line, Speaker};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::api::answers::{asker, checked_address, keepable, within_limits};
use crate::api::body::{Body, Name, Wish};
use crate::api::error::ApiError;
use crate::app::App;
use crate::stream::{named, respond};
use crate::talk::Talk;

/// The most lines in one reading.
const MOST_LINES: usize = 200;

/// How long a store that is away is left in peace.
const AGAIN: std::time::Duration = std::time::Duration::from_secs(1);

/// The rule of a hand-off that the customer asked for.
const ASKED: &str = "customer.asked";

/// How a conversation is begun.
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Beginning {
    /// The customer's language, ISO 639-1.
    #[serde(default)]
    locale: Option<String>,
    /// Where the customer wants to be answered by a colleague.
    #[serde(default)]
    reply_to: Option<String>,
}

/// Begins a conversation.
#[utoipa::path(post, path = "/v1/conversations", tag = "conversations", request_body = Beginning,
    responses((status = 201, description = "its name"), (status = 400, description = "bad_request")))]
pub(crate) async fn open(
    State(app): State<Arc<App>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    Body(beginning): Body<Beginning>,
) -> Result<Response, ApiError> {
    let version = app.version();
    let Beginning { locale, reply_to } = beginning;
    let asker = asker(&app, &version, peer, &headers, locale.as_deref(), reply_to.as_deref())?;
    within_limits(&version, &asker).await?;
    let language = asker.locale.unwrap_or_else(|| version.shop.language());
    let talk = app.desk.begin(asker.customer, language, asker.reply_to)?;
    app.desk.keep(&talk).await?;
    Ok((StatusCode::CREATED, Json(json!({"conversation": talk.id}))).into_response())
}

/// From where a conversation is read.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Since {
    /// Lines after this one.
    #[serde(default)]
    after: i64,
}

/// A line of a conversation, as a customer reads it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct LineView {
    id: i64,
    /// `customer`, `assistant` or `colleague`.
    #[schema(value_type = String)]
    speaker: Speaker,
    text: String,
    #[schema(value_type = Vec<Object>)]
    citations: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ending: Option<String>,
    /// The language that the assistant answered in.
    #[schema(value_type = Option<String>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<Lang>,
    /// Milliseconds since 1970.
    at: i64,
}

impl From<Line> for LineView {
    fn from(line: Line) -> Self {
        // Who the colleague is stays inside.
        let Line { id, speaker, text, turn, citations, ending, language, at, .. } = line;
        Self { id, speaker, text, citations, turn: turn.map(|turn| turn.0), ending, language, at: at.0 }
    }
}

async fn theirs(
    app: &App,
    peer: SocketAddr,
    headers: &HeaderMap,
    conversation: String,
) -> Result<Arc<Talk>, ApiError> {
    let version = app.version();
    let asker = asker(app, &version, peer, headers, None, None)?;
    let talk = app.desk.talk(&ConversationId(conversation), asker.customer.as_ref()).await?;
    talk.ok_or(ApiError::NotFound)
}

/// Reads a conversation.
#[utoipa::path(get, path = "/v1/conversations/{conversation}", tag = "conversations",
    params(("conversation" = String, Path), ("after" = Option<i64>, Query, description = "lines after this one")),
    responses((status = 200, description = "its lines, oldest first, and whether a colleague has it"),
        (status = 404, description = "not_found")))]
pub(crate) async fn read(
    State(app): State<Arc<App>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Name(conversation): Name<String>,
    Wish(since): Wish<Since>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let talk = theirs(&app, peer, &headers, conversation).await?;
    let lines = app.store.lines(&talk.id, since.after, MOST_LINES).await?;
    let lines: Vec<LineView> = lines.into_iter().map(LineView::from).collect();
    let colleague = talk.taken().is_some();
    let body = json!({"conversation": talk.id, "colleague": colleague, "lines": lines});
    let mut response = Json(body).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// Listens to a conversation: what colleagues write, and whether one is there.
#[utoipa::path(get, path = "/v1/conversations/{conversation}/events", tag = "conversations",
    params(("conversation" = String, Path), ("after" = Option<i64>, Query, description = "lines after this one")),
    responses((status = 200, description = "events `line` and `colleague`"), (status = 404, description = "not_found")))]
pub(crate) async fn events(
    State(app): State<Arc<App>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Name(conversation): Name<String>,
    Wish(since): Wish<Since>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let talk = theirs(&app, peer, &headers, conversation).await?;
    let heartbeat = app.with_config(|config| Duration::from_secs(config.heartbeat_seconds.get()));
    let resumed = headers.get("last-event-id").and_then(|value| value.to_str().ok()?.parse().ok());
    let mut changes = talk.changes();
    // What is there already is news to whoever listens from now on.
    changes.mark_changed();
    let listening = Listening {
        open: Some(app.metrics.stream_opened()),
        after: resumed.unwrap_or(since.after),
        app,
        talk,
        changes,
        present: None,
        waiting: VecDeque::new(),
    };
    Ok(respond(listening.events(), heartbeat))
}

struct Listening {
    app: Arc<App>,
    talk: Arc<Talk>,
    changes: watch::Receiver<u64>,
    after: i64,
    present: Option<bool>,
    waiting: VecDeque<Event>,
    open: Option<crate::metrics::OpenStream>,
}

impl Listening {
    fn events(self) -> impl Stream<Item = Result<Event, Infallible>> + Send {
        stream::unfold(self, |mut listening| async {
            let event = listening.next().await?;
            Some((Ok(event), listening))
        })
    }

    /// The next thing that happens; `None` when the program ends or the conversation was erased.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Some(event);
            }
            let changed = tokio::select! {
                biased;
                () = self.app.ending.cancelled() => None,
                changed = self.changes.changed() => changed.ok(),
            };
            if changed.is_none() || self.talk.is_erased() {
                self.open = None;
                return None;
            }
            self.look().await;
        }
    }

    async fn look(&mut self) {
        let present = self.talk.taken().is_some();
        if self.present.replace(present) != Some(present) {
            self.waiting.push_back(named("colleague", &json!({"present": present})));
        }
        loop {
            let lines = match self.app.store.lines(&self.talk.id, self.after, MOST_LINES).await {
                Ok(lines) => lines,
                // A store that is away now is asked again, and nothing is passed over meanwhile.
                Err(error) => {
                    tracing::warn!(%error, "a conversation that is listened to could not be read");
                    tokio::time::sleep(AGAIN).await;
                    self.changes.mark_changed();
                    return;
                }
            };
            let more = lines.len() == MOST_LINES;
            for line in lines {
                self.after = line.id;
                if line.speaker == Speaker::Colleague {
                    let id = line.id.to_string();
                    self.waiting.push_back(named("line", &LineView::from(line)).id(id));
                }
            }
            if !more {
                return;
            }
        }
    }
}

/// What a customer wants a colleague to know.
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HandOff {
    /// In the customer's words; without it, the last question.
    #[serde(default)]
    message: Option<String>,
    /// Where the customer wants to be answered.
    #[serde(default)]
    reply_to: Option<String>,
}

/// Asks for a colleague.
#[utoipa::path(post, path = "/v1/conversations/{conversation}/handoff", tag = "conversations", request_body = HandOff,
    params(("conversation" = String, Path)),
    responses((status = 202, description = "written into the inbox; with what the customer reads"),
        (status = 404, description = "not_found")))]
pub(crate) async fn hand_off(
    State(app): State<Arc<App>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Name(conversation): Name<String>,
    headers: HeaderMap,
    Body(wish): Body<HandOff>,
) -> Result<Response, ApiError> {
    let version = app.version();
    let talk = theirs(&app, peer, &headers, conversation).await?;
    let from = asker(&app, &version, peer, &headers, None, None)?;
    within_limits(&version, &from).await?;
    let message = wish.message.as_deref().map(str::trim).filter(|message| !message.is_empty());
    let message = message.map(|message| keepable(&version, "message", message)).transpose()?;
    app.desk.keep(&talk).await?;
    if let Some(address) = wish.reply_to.as_deref().map(checked_address).transpose()? {
        app.store.set_address(&talk.id, &address).await?;
        talk.set_address(&address);
    }
    let now = app.clock_now();
    let last = app.store.last_lines(&talk.id, MOST_LINES).await?;
    let last = last.iter().rfind(|line| line.speaker == Speaker::Customer).map(|line| line.text.clone());
    let entry = InboxEntry {
        turn: TurnId(format!("{}-{}", talk.id.0, now.0)),
        conversation: Some(talk.id.clone()),
        customer: talk.customer.clone(),
        address: talk.address(),
        ending: Ending::HandedOver,
        rule: RuleName::own(ASKED),
        question: message.clone().or(last).unwrap_or_default(),
        answer: String::new(),
        evidence: String::new(),
        language: talk.language(),
        at: now,
    };
    if let Some(message) = &message {
        app.store.customer_wish(&talk.id, message, now).await?;
        talk.tell();
    }
    let put = app.store.put(&entry).await;
    put.map_err(|error| {
        tracing::error!(%error, "a customer's wish for a colleague could not be written down");
        ApiError::Unavailable("the inbox cannot be reached; try again".to_owned())
    })?;
    app.metrics.handed_off();
    let texts = version.engine.settings().texts(talk.language());
    let text = texts.get(&TextKey::Handoff).cloned().unwrap_or_default();
    let notice = json!({"notice": {"key": TextKey::Handoff, "text": text}});
    Ok((StatusCode::ACCEPTED, Json(notice)).into_response())
}

/// Erases a conversation: its lines, its turns, and what the inbox holds of it.
#[utoipa::path(delete, path = "/v1/conversations/{conversation}", tag = "conversations",
    params(("conversation" = String, Path)),
    responses((status = 204, description = "erased"), (status = 404, description = "not_found")))]
pub(crate) async fn erase(
    State(app): State<Arc<App>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Name(conversation): Name<String>,
    headers: HeaderMap,
) -> Result<StatusCode, ApiError> {
    let version = app.version();
    within_limits(&version, &asker(&app, &version, peer, &headers, None, None)?).await?;
    let talk = theirs(&app, peer, &headers, conversation).await?;
    // Before the store: an answer under way writes nothing behind it.
    app.desk.forget(&talk.id);
    app.store.erase_conversation(&talk.id).await?;
    Ok(StatusCode::NO_CONTENT)
}
