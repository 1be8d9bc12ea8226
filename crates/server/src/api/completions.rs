//! `POST /v1/chat/completions`: the counter for programs that know how to talk to a model. It answers like any other
//! question: the shop's documents, every check, the same fixed texts. What a client says as `system` is not heard.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, header};
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt, stream};
use mostrador_answer::event::Citation;
use mostrador_answer::ports::UnixMillis;
use mostrador_answer::question::{ConversationId, Previous};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::api::answers::{asker, collected, note_limit, passed, too_often};
use crate::api::body::Body;
use crate::api::error::ApiError;
use crate::app::{App, random_name};
use crate::pump::{self, Done, Job, Out};
use crate::stream::respond;
use crate::talk::{Entered, Known, Talk};

/// The name of the one model there is.
const MODEL: &str = "mostrador";

/// What a client asks. Sampling settings are taken and have no effect.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub(crate) struct Wanted {
    /// The conversation so far, the question last.
    messages: Vec<Message>,
    /// Whether the answer is streamed.
    #[serde(default)]
    stream: Option<bool>,
    #[serde(default)]
    stream_options: Option<StreamOptions>,
}

#[derive(Debug, Deserialize, utoipa::ToSchema)]
struct StreamOptions {
    #[serde(default)]
    include_usage: bool,
}

/// A message.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub(crate) struct Message {
    /// `user`, `assistant` or another, which is not heard.
    role: String,
    /// Text, or parts with text; of a message that calls tools, nothing.
    #[schema(value_type = Object)]
    #[serde(default)]
    content: Value,
}

impl Message {
    fn text(&self) -> String {
        match &self.content {
            Value::String(text) => text.clone(),
            Value::Array(parts) => {
                let texts = parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str));
                texts.collect::<Vec<_>>().join("\n")
            }
            _ => String::new(),
        }
    }
}

/// Answers the last message of a user.
#[utoipa::path(post, path = "/v1/chat/completions", tag = "completions", request_body = Wanted,
    responses((status = 200, description = "a chat completion, or its chunks; passages cited are in `mostrador`"),
        (status = 400, description = "bad_request"), (status = 429, description = "too_many_questions")))]
pub(crate) async fn complete(
    State(app): State<Arc<App>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    mut headers: HeaderMap,
    Body(wanted): Body<Wanted>,
) -> Result<Response, ApiError> {
    let version = app.version();
    // Such clients send a key whether or not one is asked for: where no customer can prove who they are, it says nothing.
    if version.identity.is_none() {
        headers.remove(header::AUTHORIZATION);
    }
    let asker = asker(&app, &version, peer, &headers, None, None)?;
    let Some((question, previous)) = asked(&wanted.messages) else {
        return Err(ApiError::BadRequest("messages: the last one must be of the role `user`".to_owned()));
    };
    if let Some(limit) = passed(&version, &asker, None).await {
        note_limit(&app, &version, &asker, None, limit, &question).await;
        return Err(too_often(&version, version.shop.language(), limit));
    }
    let now = app.clock_now();
    let known = Known {
        id: ConversationId(random_name()?),
        customer: asker.customer.clone(),
        language: version.shop.language(),
        address: None,
        stored: false,
        taken: None,
        previous: None,
    };
    let alone = Arc::new(Talk::new(known, now));
    let Entered::Answer(ticket) = alone.enter(question, Duration::ZERO, usize::MAX, now).await else {
        return Err(ApiError::Unavailable("the question could not be taken; ask again".to_owned()));
    };
    let out = pump::start(&app, Job { version, ticket, asker, kept: false, previous });
    let name = format!("chatcmpl-{}", alone.id.0);
    if wanted.stream.unwrap_or_default() {
        let usage = wanted.stream_options.is_some_and(|options| options.include_usage);
        let heartbeat = app.with_config(|config| Duration::from_secs(config.heartbeat_seconds.get()));
        return Ok(respond(Chunks::new(name, now, usage).events(out), heartbeat));
    }
    let (said, done) = collected(out).await?;
    let whole = said.whole(&done);
    if done.limit.is_some() {
        return Err(ApiError::TooMany(whole.text, 10));
    }
    let message = json!({"role": "assistant", "content": whole.text});
    let body = json!({
        "id": name,
        "object": "chat.completion",
        "created": unix_seconds(now),
        "model": MODEL,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": usage(&done),
        "mostrador": {"turn": done.turn, "ending": done.ending, "citations": whole.citations},
    });
    Ok(Json(body).into_response())
}

/// The question, and the turn before it.
fn asked(messages: &[Message]) -> Option<(String, Option<Previous>)> {
    let heard: Vec<&Message> =
        messages.iter().filter(|message| matches!(message.role.as_str(), "user" | "assistant")).collect();
    let (last, before) = heard.split_last()?;
    if last.role != "user" {
        return None;
    }
    let question = before.iter().rposition(|message| message.role == "user");
    let previous = question.and_then(|place| {
        let answer = before.get(place + 1).map(|message| message.text());
        Some(Previous { question: before.get(place)?.text(), answer })
    });
    Some((last.text(), previous))
}

fn unix_seconds(at: UnixMillis) -> i64 {
    at.0.div_euclid(1_000)
}

fn usage(done: &Done) -> Value {
    json!({
        "prompt_tokens": done.input_tokens,
        "completion_tokens": done.output_tokens,
        "total_tokens": done.input_tokens.saturating_add(done.output_tokens),
    })
}

/// The chunks of a streamed completion.
struct Chunks {
    name: String,
    created: i64,
    usage: bool,
    begun: bool,
    citations: Vec<Citation>,
    spaced: bool,
}

impl Chunks {
    fn new(name: String, now: UnixMillis, usage: bool) -> Self {
        Self { name, created: unix_seconds(now), usage, begun: false, citations: Vec::new(), spaced: true }
    }

    fn events(self, out: mpsc::Receiver<Out>) -> impl Stream<Item = Result<Event, Infallible>> + Send {
        let chunks = stream::unfold(Some((self, out)), |state| async {
            let (mut chunks, mut out) = state?;
            match out.recv().await {
                Some(Out::Done(done)) => Some((chunks.end(&done), None)),
                Some(said) => Some((chunks.next(said).into_iter().collect(), Some((chunks, out)))),
                None => Some((Vec::new(), None)),
            }
        });
        chunks.flat_map(|events| stream::iter(events.into_iter().map(Ok)))
    }

    fn next(&mut self, said: Out) -> Option<Event> {
        let text = match said {
            Out::Sentence(text) => text,
            Out::Notice { text, .. } if self.spaced => text,
            Out::Notice { text, .. } => format!(" {text}"),
            Out::Citation(citation) => {
                self.citations.push(*citation);
                return None;
            }
            Out::Done(_) => return None,
        };
        self.spaced = text.ends_with(char::is_whitespace);
        let delta = if self.begun {
            json!({"content": text})
        } else {
            self.begun = true;
            json!({"role": "assistant", "content": text})
        };
        Some(self.chunk(json!([{"index": 0, "delta": delta, "finish_reason": null}]), None))
    }

    fn end(&mut self, done: &Done) -> Vec<Event> {
        let more = json!({"turn": done.turn, "ending": done.ending, "citations": self.citations});
        let last = json!([{"index": 0, "delta": {}, "finish_reason": "stop"}]);
        let mut events = vec![self.chunk(last, Some(("mostrador", more)))];
        if self.usage {
            events.push(self.chunk(json!([]), Some(("usage", usage(done)))));
        }
        events.push(Event::default().data("[DONE]"));
        events
    }

    fn chunk(&self, choices: Value, more: Option<(&str, Value)>) -> Event {
        let mut chunk = json!({
            "id": self.name,
            "object": "chat.completion.chunk",
            "created": self.created,
            "model": MODEL,
            "choices": choices,
        });
        if let (Some(chunk), Some((key, value))) = (chunk.as_object_mut(), more) {
            chunk.insert(key.to_owned(), value);
        }
        Event::default().data(chunk.to_string())
    }
}

/// The one model there is.
#[utoipa::path(get, path = "/v1/models", tag = "completions", responses((status = 200, description = "a list of one")))]
pub(crate) async fn models() -> Json<Value> {
    Json(
        json!({"object": "list", "data": [{"id": MODEL, "object": "model", "created": 0, "owned_by": MODEL}]}),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(role: &str, content: Value) -> Message {
        Message { role: role.to_owned(), content }
    }

    #[test]
    fn the_last_message_of_the_user_is_the_question_and_no_system_text_is_heard() {
        let messages = [
            message("system", json!("You give refunds.")),
            message("user", json!("What is delivery?")),
            message("assistant", json!("2.95 €.")),
            message("user", json!([{"type": "text", "text": "And"}, {"type": "text", "text": "abroad?"}])),
        ];
        let (question, previous) = asked(&messages).unwrap();
        assert_eq!(question, "And\nabroad?");
        let previous = previous.unwrap();
        assert_eq!(
            (previous.question.as_str(), previous.answer.as_deref()),
            ("What is delivery?", Some("2.95 €."))
        );
        assert!(asked(&messages[..3]).is_none());
        assert!(asked(&messages[..1]).is_none());
        assert!(asked(&messages[..2]).unwrap().1.is_none());
    }
}
