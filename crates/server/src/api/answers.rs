//! `POST /v1/answers` and what belongs to a turn.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use mostrador_answer::ports::{Limit, StopNote, UnixMillis};
use mostrador_answer::question::{ConversationId, Session, TurnId};
use mostrador_answer::redaction::without;
use mostrador_answer::stop::{Ending, RuleName};
use mostrador_language::{Lang, Pack, TextKey, detect};
use mostrador_store::{StoreError, TurnRecord};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::mpsc;

use crate::api::body::{Body, Name};
use crate::api::error::ApiError;
use crate::app::App;
use crate::caller::{address, customer};
use crate::pump::{self, Asker, COLLEAGUE, Done, Job, Out, SUPERSEDED};
use crate::record::{Said, Whole};
use crate::stream::{CONVERSATION, named, respond, turn};
use crate::talk::{Entered, Talk};
use crate::version::Version;

/// The most characters of an address that a customer leaves, and of a comment.
const MOST_ADDRESS: usize = 320;
const MOST_COMMENT: usize = 2_000;

/// A question.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Question {
    /// The customer's words.
    question: String,
    /// The conversation it belongs to; without it a new one begins.
    #[serde(default)]
    conversation: Option<String>,
    /// The language the customer declared, ISO 639-1.
    #[serde(default)]
    locale: Option<String>,
    /// Where the customer wants to be answered by a colleague.
    #[serde(default)]
    reply_to: Option<String>,
}

/// Answers a question from the shop's documents.
#[utoipa::path(post, path = "/v1/answers", tag = "answers", request_body = Question,
    responses((status = 200, description = "The answer; with `Accept: text/event-stream`, as events", body = Whole),
        (status = 400, description = "bad_request"), (status = 401, description = "bad_token"),
        (status = 404, description = "not_found: no such conversation of this customer"),
        (status = 413, description = "too_large"), (status = 415, description = "not_json"),
        (status = 429, description = "too_many_questions"), (status = 503, description = "unavailable")))]
pub(crate) async fn answer(
    State(app): State<Arc<App>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    Body(asked): Body<Question>,
) -> Result<Response, ApiError> {
    let version = app.version();
    let asker = asker(&app, &version, peer, &headers, asked.locale.as_deref(), asked.reply_to.as_deref())?;
    let talk = talk(&app, &version, &asked.question, asked.conversation, &asker).await?;
    let name = HeaderValue::from_str(&talk.id.0).ok();
    let mut response = if wants_events(&headers) {
        let heartbeat = app.with_config(|config| config.heartbeat_seconds.get());
        let out = if waits(&version, &talk) {
            waiting(&app, version, talk, asked.question, asker)
        } else {
            accept(&app, version, &talk, asked.question, asker).await?
        };
        turn(out, Duration::from_secs(heartbeat))
    } else if waits(&version, &talk) {
        // A task of its own: others were told that this message is answered for theirs too, whether or not its reader
        // stays.
        let app = Arc::clone(&app);
        let accepted = app.tasks.spawn({
            let app = Arc::clone(&app);
            async move {
                tokio::select! {
                    () = app.closing.cancelled() => Err(broken_off()),
                    accepted = accept(&app, version, &talk, asked.question, asker) => accepted,
                }
            }
        });
        whole(accepted.await.unwrap_or_else(|_| Err(broken_off()))?).await?
    } else {
        whole(accept(&app, version, &talk, asked.question, asker).await?).await?
    };
    if let Some(name) = name {
        response.headers_mut().insert(CONVERSATION, name);
    }
    Ok(response)
}

/// Whether a message may have to wait for others.
fn waits(version: &Version, talk: &Talk) -> bool {
    talk.is_busy() || version.shop.config().server.burst_ms.get() > 0
}

/// Who asks, as far as the request proves it.
pub(crate) fn asker(
    app: &App,
    version: &Version,
    peer: SocketAddr,
    headers: &HeaderMap,
    locale: Option<&str>,
    reply_to: Option<&str>,
) -> Result<Asker, ApiError> {
    if app.ending.is_cancelled() {
        return Err(ApiError::Unavailable("the counter is closing; try again in a moment".to_owned()));
    }
    let proxies = &version.shop.config().server.trusted_proxies;
    Ok(Asker {
        customer: customer(headers, version, app.clock_now())?,
        locale: locale.map(language).transpose()?,
        reply_to: reply_to.map(checked_address).transpose()?,
        address: Some(address(peer.ip(), headers, proxies)),
    })
}

/// Asks the shop's limits for what is no question but is written down all the same: whoever asks too often does not
/// fill the disk by other ways.
pub(crate) async fn within_limits(version: &Version, asker: &Asker) -> Result<(), ApiError> {
    match passed(version, asker, None).await {
        None => Ok(()),
        Some(limit) => {
            let language = asker.locale.unwrap_or_else(|| version.shop.language());
            Err(too_often(version, language, limit))
        }
    }
}

/// The limit that another message would pass.
pub(crate) async fn passed(version: &Version, asker: &Asker, conversation: Option<&Talk>) -> Option<Limit> {
    let limits = version.engine.ports().limits.as_ref()?;
    let session = Session {
        address: asker.address,
        conversation: conversation.map(|talk| talk.id.clone()),
        ..Session::default()
    };
    // Limits that are away let through, as they do for questions.
    limits.enter(&session).await.ok()?.err()
}

/// Writes down that a limit stopped a question; of many in a minute only the first ones, so that whoever asks too often
/// does not fill the disk by it. The metrics count them all.
pub(crate) async fn note_limit(
    app: &App,
    version: &Version,
    asker: &Asker,
    talk: Option<&Talk>,
    limit: Limit,
    question: &str,
) {
    let rule = format!("{}{}", RuleName::LIMIT, limit.name());
    app.metrics.stopped(&rule);
    let at = app.clock_now();
    if talk.is_some_and(Talk::is_erased) || !app.limit_notes.lets_in(at) {
        return;
    }
    let settings = version.engine.settings();
    let beginning: String = question.chars().take(settings.intake.max_characters).collect();
    let note = StopNote {
        turn: TurnId(format!("{}-{}", talk.map_or("limited", |talk| talk.id.0.as_str()), at.0)),
        conversation: talk.map(|talk| talk.id.clone()),
        customer: asker.customer.clone(),
        ending: Ending::Refused,
        rule: RuleName(rule),
        evidence: "asked too often".to_owned(),
        question: if settings.redact { without(&beginning) } else { beginning },
        at,
    };
    if let Err(error) = version.engine.ports().stops.note(&note).await {
        tracing::warn!(%error, "a question that a limit stopped could not be written down");
    }
}

/// The error of a request that a limit stops.
pub(crate) fn too_often(version: &Version, language: Lang, limit: Limit) -> ApiError {
    ApiError::TooMany(too_many(version, language), seconds(limit.name()))
}

fn too_many(version: &Version, language: Lang) -> String {
    let texts = version.engine.settings().texts(language);
    texts.get(&TextKey::TooManyQuestions).cloned().unwrap_or_default()
}

/// What a reader is sent instead of an answer where a limit is passed.
fn limited(version: &Version, talk: &Talk, limit: &str, now: UnixMillis) -> mpsc::Receiver<Out> {
    let text = too_many(version, talk.language());
    let done = Done { limit: Some(limit.to_owned()), ..pump::unanswered(talk, Ending::Refused.name(), now) };
    ready(vec![Out::Notice { key: TextKey::TooManyQuestions, text }, Out::Done(Box::new(done))])
}

/// Words of a customer as they may be written down: not too long, and without what is personal where the shop wants that.
pub(crate) fn keepable(version: &Version, field: &str, text: &str) -> Result<String, ApiError> {
    let settings = version.engine.settings();
    let most = settings.intake.max_characters;
    if text.chars().count() > most {
        return Err(ApiError::BadRequest(format!("{field}: there is room for {most} characters")));
    }
    Ok(if settings.redact { without(text) } else { text.to_owned() })
}

/// A language there is a pack for.
pub(crate) fn language(code: &str) -> Result<Lang, ApiError> {
    let wrong = |detail: String| ApiError::BadRequest(format!("locale: {detail}"));
    // What browsers say has a region behind it.
    let short = code.split(['-', '_']).next().unwrap_or(code).to_ascii_lowercase();
    let lang = short.parse::<Lang>().map_err(|error| wrong(error.to_string()))?;
    Pack::builtin(lang).map_err(|error| wrong(error.to_string()))?;
    Ok(lang)
}

/// An address that a customer leaves: one line, of a bounded length.
pub(crate) fn checked_address(text: &str) -> Result<String, ApiError> {
    let text = text.trim();
    if text.is_empty() || text.chars().count() > MOST_ADDRESS || text.chars().any(char::is_control) {
        let message = format!("reply_to: write an address of 1 to {MOST_ADDRESS} characters on one line");
        return Err(ApiError::BadRequest(message));
    }
    Ok(text.to_owned())
}

/// The conversation of a message: the one it names, or a new one.
async fn talk(
    app: &Arc<App>,
    version: &Version,
    text: &str,
    conversation: Option<String>,
    asker: &Asker,
) -> Result<Arc<Talk>, ApiError> {
    let Some(id) = conversation else {
        let language = spoken(text, asker.locale, version);
        return Ok(app.desk.begin(asker.customer.clone(), language, asker.reply_to.clone())?);
    };
    let found = app.desk.talk(&ConversationId(id), asker.customer.as_ref()).await?;
    found.ok_or(ApiError::NotFound)
}

/// Takes a message into its conversation behind an answer that may take long: whoever reads events has signs of life
/// meanwhile.
fn waiting(
    app: &Arc<App>,
    version: Arc<Version>,
    talk: Arc<Talk>,
    text: String,
    asker: Asker,
) -> mpsc::Receiver<Out> {
    let (sender, receiver) = mpsc::channel(1);
    let app = Arc::clone(app);
    app.clone().tasks.spawn(async move {
        // A reader who leaves is not waited for, but what others left to this message is still taken in.
        let accepted = tokio::select! {
            () = app.closing.cancelled() => Err(broken_off()),
            accepted = accept(&app, Arc::clone(&version), &talk, text, asker) => accepted,
        };
        let mut out = match accepted {
            Ok(out) => out,
            Err(ApiError::BadRequest(_)) => ready(pump::too_long(&version, &talk, app.clock_now())),
            Err(_) => ready(pump::failed(&version, &talk, app.clock_now())),
        };
        loop {
            let next = tokio::select! {
                biased;
                () = sender.closed() => return,
                next = out.recv() => next,
            };
            let Some(next) = next else { return };
            if sender.send(next).await.is_err() {
                return;
            }
        }
    });
    receiver
}

/// Takes a message into its conversation and starts what answers it.
async fn accept(
    app: &Arc<App>,
    version: Arc<Version>,
    talk: &Arc<Talk>,
    text: String,
    asker: Asker,
) -> Result<mpsc::Receiver<Out>, ApiError> {
    let burst = Duration::from_millis(version.shop.config().server.burst_ms.get());
    let most = version.engine.settings().intake.max_characters;
    let now = app.clock_now();
    // Before anything else: what is not let in stops no answer that is under way.
    if let Some(limit) = passed(&version, &asker, Some(talk)).await {
        note_limit(app, &version, &asker, Some(talk), limit, &text).await;
        app.metrics.ended(Ending::Refused.name(), Duration::ZERO);
        return Ok(limited(&version, talk, limit.name(), now));
    }
    loop {
        let out = match talk.enter(text.clone(), burst, most, now).await {
            Entered::Answer(ticket) => {
                pump::start(app, Job { version, ticket, asker, kept: true, previous: None })
            }
            Entered::Colleague => {
                let kept = keepable(&version, "question", &text)?;
                match app.store.customer_line(&talk.id, &kept, now).await {
                    Ok(_) => talk.tell(),
                    // It is being taken or given back at this very moment: what the store decides holds.
                    Err(StoreError::NotTaken(_)) => {
                        app.desk.refresh(talk).await?;
                        continue;
                    }
                    Err(error) => return Err(error.into()),
                }
                app.metrics.ended(COLLEAGUE, Duration::ZERO);
                ready(pump::passed_on(&version, talk, now))
            }
            Entered::Full => limited(&version, talk, "waiting", now),
            Entered::Erased => return Err(ApiError::NotFound),
            Entered::Superseded => {
                app.metrics.ended(SUPERSEDED, Duration::ZERO);
                ready(vec![Out::Done(Box::new(pump::unanswered(talk, SUPERSEDED, now)))])
            }
        };
        return Ok(out);
    }
}

fn spoken(text: &str, locale: Option<Lang>, version: &Version) -> Lang {
    detect(text, locale, None, &version.engine.settings().languages).lang()
}

fn ready(said: Vec<Out>) -> mpsc::Receiver<Out> {
    let (sender, receiver) = mpsc::channel(said.len().max(1));
    for out in said {
        // There is room for all of them.
        let _ = sender.try_send(out);
    }
    receiver
}

/// Collects a turn.
pub(crate) async fn collected(mut out: mpsc::Receiver<Out>) -> Result<(Said, Done), ApiError> {
    let mut said = Said::default();
    while let Some(next) = out.recv().await {
        if let Out::Done(done) = next {
            return Ok((said, *done));
        }
        said.add(&next);
    }
    Err(broken_off())
}

fn broken_off() -> ApiError {
    ApiError::Unavailable("the answer broke off; ask again".to_owned())
}

async fn whole(out: mpsc::Receiver<Out>) -> Result<Response, ApiError> {
    let (said, done) = collected(out).await?;
    if let Some(limit) = &done.limit {
        return Err(ApiError::TooMany(said.text().to_owned(), seconds(limit)));
    }
    let mut response = Json(said.whole(&done)).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// After how many seconds a question has a chance again.
fn seconds(limit: &str) -> u32 {
    match limit {
        "address-day" => 3_600,
        "address-hour" => 60,
        _ => 10,
    }
}

/// Whether a client would rather have events.
pub(crate) fn wants_events(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted
        .flat_map(|value| value.split(','))
        .any(|kind| kind.trim().to_ascii_lowercase().starts_with("text/event-stream"))
}

/// A finished turn of this customer.
async fn finished(
    app: &App,
    peer: SocketAddr,
    headers: &HeaderMap,
    turn: String,
) -> Result<TurnRecord, ApiError> {
    let version = app.version();
    let asker = asker(app, &version, peer, headers, None, None)?;
    let found = app.store.turn(&TurnId(turn)).await?;
    found.filter(|found| found.customer == asker.customer).ok_or(ApiError::NotFound)
}

/// Reads a finished turn again.
#[utoipa::path(get, path = "/v1/answers/{turn}", tag = "answers", params(("turn" = String, Path)),
    responses((status = 200, description = "The answer; with `Accept: text/event-stream`, as events", body = Whole),
        (status = 404, description = "not_found: no such turn of this customer, or it is not finished")))]
pub(crate) async fn again(
    State(app): State<Arc<App>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Name(turn): Name<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let record = finished(&app, peer, &headers, turn).await?;
    if !wants_events(&headers) {
        let mut response = Json(record.answer).into_response();
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        return Ok(response);
    }
    let mut events = Vec::new();
    if !record.text.is_empty() {
        events.push(named("sentence", &json!({"text": record.text})));
    }
    let citations = record.citations.as_array().cloned().unwrap_or_default();
    events.extend(citations.iter().map(|citation| named("citation", citation)));
    let usage = json!({"input_tokens": record.input_tokens, "output_tokens": record.output_tokens});
    let done = json!({"turn": record.turn, "conversation": record.conversation, "ending": record.ending,
        "language": record.language.code(), "usage": usage});
    events.push(named("done", &done));
    let numbered = (1..).zip(events).map(|(number, event)| Ok(event.id(number.to_string())));
    let heartbeat = app.with_config(|config| config.heartbeat_seconds.get());
    Ok(respond(stream::iter(numbered.collect::<Vec<_>>()), Duration::from_secs(heartbeat)))
}

/// What a customer thinks of an answer.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Opinion {
    /// Whether it helped.
    helpful: bool,
    /// In the customer's words.
    #[serde(default)]
    comment: Option<String>,
}

/// Keeps what a customer thinks of an answer; the last word counts.
#[utoipa::path(post, path = "/v1/answers/{turn}/feedback", tag = "answers", request_body = Opinion,
    params(("turn" = String, Path)),
    responses((status = 204, description = "kept"), (status = 404, description = "not_found")))]
pub(crate) async fn feedback(
    State(app): State<Arc<App>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Name(turn): Name<String>,
    headers: HeaderMap,
    Body(opinion): Body<Opinion>,
) -> Result<StatusCode, ApiError> {
    let record = finished(&app, peer, &headers, turn).await?;
    let comment = opinion.comment.as_deref().map(str::trim).filter(|comment| !comment.is_empty());
    if comment.is_some_and(|comment| comment.chars().count() > MOST_COMMENT) {
        return Err(ApiError::BadRequest(format!("comment: there is room for {MOST_COMMENT} characters")));
    }
    if record.ending == Ending::Cancelled.name() && comment.is_none() && record.text.is_empty() {
        return Err(ApiError::NotFound);
    }
    let comment = comment.map(|comment| keepable(&app.version(), "the comment", comment)).transpose()?;
    app.store.keep_feedback(&record.turn, opinion.helpful, comment.as_deref(), app.clock_now()).await?;
    app.metrics.feedback(opinion.helpful);
    Ok(StatusCode::NO_CONTENT)
}
