//! Server-sent events: what a turn says, and what happens in a conversation, as it happens.

use std::convert::Infallible;
use std::time::Duration;

use axum::http::{HeaderName, HeaderValue, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt, stream};
use serde::Serialize;
use serde_json::json;
use tokio::sync::mpsc;

use crate::pump::{Done, Out};

/// Tells proxies that buffer to let a stream through as it comes.
const UNBUFFERED: HeaderName = HeaderName::from_static("x-accel-buffering");

/// The conversation of a stream, before its first event.
pub(crate) const CONVERSATION: HeaderName = HeaderName::from_static("mostrador-conversation");

/// The events of a turn, each with its number.
pub(crate) fn turn(out: mpsc::Receiver<Out>, heartbeat: Duration) -> Response {
    let events = stream::unfold(out, |mut out| async { out.recv().await.map(|said| (said, out)) });
    let events = events.enumerate().map(|(number, said)| Ok(event(&said).id((number + 1).to_string())));
    respond(events, heartbeat)
}

/// A stream with the headers that keep caches and proxies from holding it back, and a comment where nothing
/// happens for `heartbeat`.
pub(crate) fn respond(
    events: impl Stream<Item = Result<Event, Infallible>> + Send + 'static,
    heartbeat: Duration,
) -> Response {
    let alive = KeepAlive::new().interval(heartbeat).text("");
    let mut response = Sse::new(events).keep_alive(alive).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store, no-transform"));
    headers.insert(UNBUFFERED, HeaderValue::from_static("no"));
    response
}

fn event(out: &Out) -> Event {
    match out {
        Out::Sentence(text) => named("sentence", &json!({"text": text})),
        Out::Citation(citation) => named("citation", citation),
        Out::Notice { key, text } => named("notice", &json!({"key": key, "text": text})),
        Out::Done(done) => named("done", &ended(done)),
    }
}

fn ended(done: &Done) -> serde_json::Value {
    json!({
        "turn": done.turn,
        "conversation": done.conversation,
        "ending": done.ending,
        "language": done.language.code(),
        "usage": {"input_tokens": done.input_tokens, "output_tokens": done.output_tokens},
    })
}

/// An event with a JSON value on one line.
pub(crate) fn named(name: &str, value: &impl Serialize) -> Event {
    // A value of our own always serialises; JSON has no bare line breaks.
    Event::default().event(name).data(serde_json::to_string(value).unwrap_or_default())
}
