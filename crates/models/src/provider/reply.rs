//! A reply on its way: what both wires have in common.

use std::collections::VecDeque;

use mostrador_answer::message::{Delta, Request, StopReason};
use mostrador_answer::ports::Fault;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::calls::Calls;
use super::messages_reply::MessagesReply;
use super::openai_reply::OpenaiReply;
use super::settings::Wire;
use super::sse::BadStream;

/// What was heard in a part of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Heard {
    /// A sign of life, or figures.
    Nothing,
    /// The model thinks.
    Thought,
    /// Text, or a part of a look-up.
    Token,
}

/// A reply that cannot be read on: what is wrong, and what was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unread {
    pub(super) fault: Fault,
    pub(super) detail: String,
}

impl Unread {
    pub(super) fn new(fault: Fault, detail: impl Into<String>) -> Self {
        Self { fault, detail: detail.into() }
    }
}

impl From<BadStream> for Unread {
    fn from(bad: BadStream) -> Self {
        match bad {
            BadStream::NotUtf8 => not_utf8(),
            BadStream::TooLong => too_long(),
        }
    }
}

pub(super) fn not_utf8() -> Unread {
    Unread::new(Fault::NotUtf8, "the reply is no UTF-8; look at the provider")
}

pub(super) fn too_long() -> Unread {
    Unread::new(
        Fault::TooLong,
        "the reply is longer than it may be; lower the output limit, or look at the provider",
    )
}

/// What a wire makes of a reply.
#[derive(Debug)]
pub(super) enum Decoder {
    Openai(OpenaiReply),
    Messages(MessagesReply),
}

impl Decoder {
    pub(super) fn new(wire: Wire, request: &Request) -> Self {
        let calls = Calls::after(request);
        match wire {
            Wire::OpenaiCompatible => Decoder::Openai(OpenaiReply::new(calls)),
            Wire::Messages => Decoder::Messages(MessagesReply::new(calls)),
        }
    }

    /// Takes in the data of an event.
    pub(super) fn event(&mut self, data: &str, out: &mut VecDeque<Delta>) -> Result<Heard, Unread> {
        match self {
            Decoder::Openai(reply) => reply.event(data, out),
            Decoder::Messages(reply) => reply.event(data, out),
        }
    }

    /// Takes in a reply that came as one.
    pub(super) fn whole(&mut self, body: &str, out: &mut VecDeque<Delta>) -> Result<(), Unread> {
        match self {
            Decoder::Openai(reply) => reply.whole(body, out),
            Decoder::Messages(reply) => reply.whole(body, out),
        }
    }

    /// What is left to say where the stream ends; `false` where the model had not said why it stopped.
    pub(super) fn close(&mut self, out: &mut VecDeque<Delta>) -> Result<bool, Unread> {
        match self {
            Decoder::Openai(reply) => reply.close(out),
            Decoder::Messages(reply) => reply.close(out),
        }
    }
}

/// Reads JSON of a shape.
pub(super) fn read<T: DeserializeOwned>(text: &str) -> Result<T, Unread> {
    serde_json::from_str(text).map_err(|error| {
        let (fault, what) = if error.is_data() {
            (Fault::WrongShape, "the reply is JSON of another shape")
        } else {
            (Fault::NotJson, "the reply is no JSON")
        };
        // Where, but not what: a message of serde's can repeat what stands there.
        let place = format!("line {}, column {}", error.line(), error.column());
        Unread::new(fault, format!("{what} ({place}); check `base_url` and what the provider speaks"))
    })
}

pub(super) fn wrong_shape(what: &str) -> Unread {
    Unread::new(Fault::WrongShape, format!("{what}; check `base_url` and what the provider speaks"))
}

/// What an error inside a reply is, from what the provider calls it.
pub(super) fn told(error: &Value) -> Unread {
    let name = |key: &str| match error.get(key) {
        Some(Value::String(name)) => name.to_ascii_lowercase(),
        Some(Value::Number(code)) => code.to_string(),
        _ => String::new(),
    };
    let names = [name("type"), name("code")];
    let called = |parts: &[&str]| names.iter().any(|name| parts.iter().any(|part| name.contains(part)));
    let fault = if called(&["rate_limit", "quota", "billing", "429"]) {
        Fault::RateLimited
    } else if called(&["authentication", "permission", "api_key", "401", "403"]) {
        Fault::Unauthorised
    } else if called(&["not_found", "404"]) {
        Fault::NotFound
    } else if called(&["invalid_request", "too_large", "400", "413", "422"]) {
        Fault::BadRequest
    } else {
        Fault::ServerError
    };
    if fault == Fault::Unauthorised {
        // Some providers repeat a part of the key here, so their words are left out.
        return Unread::new(fault, "the provider refuses access in its reply; check the key");
    }
    let said = error.get("message").and_then(Value::as_str).or_else(|| error.as_str()).unwrap_or_default();
    Unread::new(fault, format!("the provider broke its reply off with an error; it says: {said}"))
}

/// Tells of bytes that came and are not said yet, or never.
pub(super) fn unsaid(bytes: usize, out: &mut VecDeque<Delta>) {
    if bytes > 0 {
        out.push_back(Delta::Unsaid(bytes as u64));
    }
}

/// Why the model stopped, where it asked for look-ups or not.
pub(super) fn reason(said: StopReason, calls: bool) -> StopReason {
    match said {
        StopReason::EndTurn | StopReason::ToolUse if calls => StopReason::ToolUse,
        StopReason::ToolUse => StopReason::EndTurn,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use mostrador_language::Lang;
    use proptest::prelude::*;

    use super::*;

    fn decoder(wire: Wire) -> Decoder {
        let request = Request {
            system: String::new(),
            messages: Vec::new(),
            tools: Vec::new(),
            max_output_tokens: 1,
            language: Lang::EN,
            reading: Lang::EN,
            overview: false,
            output_schema: None,
        };
        Decoder::new(wire, &request)
    }

    /// The look-ups of a reply as one: name of the call, look-up, arguments.
    fn calls(body: &str) -> Vec<(String, String, String)> {
        let mut out = VecDeque::new();
        decoder(Wire::OpenaiCompatible).whole(body, &mut out).unwrap();
        let call = |delta| match delta {
            Delta::ToolUse(call) => Some((call.id, call.name, Value::Object(call.input).to_string())),
            _ => None,
        };
        out.into_iter().filter_map(call).collect()
    }

    fn reply(calls: &str) -> String {
        format!(r#"{{"choices":[{{"message":{{"tool_calls":[{calls}]}},"finish_reason":"stop"}}]}}"#)
    }

    #[test]
    fn look_ups_are_told_apart_however_little_a_server_says_of_them() {
        let made = |id: &str, name: &str, input: &str| (id.to_owned(), name.to_owned(), input.to_owned());
        let bare =
            r#"{"function":{"name":"a","arguments":"{}"}},{"function":{"name":"a","arguments":{"x":1}}}"#;
        assert_eq!(calls(&reply(bare)), [made("call_1", "a", "{}"), made("call_2", "a", r#"{"x":1}"#)]);
        let one_index =
            r#"{"index":0,"id":"i","function":{"name":"a"}},{"index":0,"id":"j","function":{"name":"b"}}"#;
        assert_eq!(calls(&reply(one_index)), [made("i", "a", "{}"), made("j", "b", "{}")]);
        let one_id =
            r#"{"index":0,"id":"i","function":{"name":"a"}},{"index":1,"id":"i","function":{"name":"b"}}"#;
        assert_eq!(calls(&reply(one_id)), [made("i", "a", "{}"), made("call_2", "b", "{}")]);
        let repeated = r#"{"index":0,"id":"i","function":{"name":"a","arguments":"{\"x\""}},
            {"index":0,"id":"i","function":{"name":"a","arguments":":1}"}}"#;
        assert_eq!(calls(&reply(repeated)), [made("i", "a", r#"{"x":1}"#)]);
    }

    #[test]
    fn look_ups_without_end_are_too_long() {
        let call = |at: usize| format!(r#"{{"index":{at},"function":{{"name":"a"}}}}"#);
        let many: Vec<String> = (0..300).map(call).collect();
        let read = decoder(Wire::OpenaiCompatible).whole(&reply(&many.join(",")), &mut VecDeque::new());
        assert_eq!(read.unwrap_err().fault, Fault::TooLong);
    }

    #[test]
    fn an_error_inside_a_reply_has_its_fault() {
        let kinds = [
            (r#"{"type":"overloaded_error","message":"busy"}"#, Fault::ServerError),
            (r#"{"type":"insufficient_quota","message":"empty"}"#, Fault::RateLimited),
            (r#"{"code":429,"message":"slow down"}"#, Fault::RateLimited),
            (r#"{"code":"invalid_api_key","message":"sk-12*** is wrong"}"#, Fault::Unauthorised),
            (r#"{"type":"not_found_error","message":"no such model"}"#, Fault::NotFound),
            (r#"{"type":"invalid_request_error","message":"too long"}"#, Fault::BadRequest),
            (r#""broken""#, Fault::ServerError),
        ];
        for (error, fault) in kinds {
            let unread = told(&serde_json::from_str(error).unwrap());
            assert_eq!(unread.fault, fault, "{error}");
            assert!(!unread.detail.contains("sk-12"), "{}", unread.detail);
        }
    }

    /// Texts made of what replies are made of.
    fn events() -> impl Strategy<Value = Vec<String>> {
        let scalar = prop_oneof![
            Just("null".to_owned()),
            Just("0".to_owned()),
            Just("1e999".to_owned()),
            Just("-1".to_owned()),
            Just("\"\"".to_owned()),
            Just("\"tool_use\"".to_owned()),
            Just("\"text_delta\"".to_owned()),
            Just("\"content_block_start\"".to_owned()),
            Just("\"message_delta\"".to_owned()),
        ];
        let key = proptest::sample::select(vec![
            "type",
            "choices",
            "delta",
            "message",
            "content",
            "tool_calls",
            "index",
            "id",
            "function",
            "name",
            "arguments",
            "finish_reason",
            "usage",
            "error",
            "content_block",
            "partial_json",
            "stop_reason",
            "text",
        ]);
        let value = scalar.prop_recursive(4, 24, 4, move |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..3)
                    .prop_map(|items| format!("[{}]", items.join(","))),
                proptest::collection::vec((key.clone(), inner), 0..4).prop_map(|fields| {
                    let fields = fields.iter().map(|(key, value)| format!("\"{key}\":{value}"));
                    format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
                }),
            ]
        });
        proptest::collection::vec(prop_oneof![value, any::<String>(), Just("[DONE]".to_owned())], 0..6)
    }

    proptest! {
        #[test]
        fn any_events_give_deltas_or_an_error(events in events()) {
            for wire in [Wire::OpenaiCompatible, Wire::Messages] {
                let (mut reply, mut out) = (decoder(wire), VecDeque::new());
                let read = events.iter().try_for_each(|event| reply.event(event, &mut out).map(|_| ()));
                if read.is_ok() {
                    let ended = reply.close(&mut out).is_ok_and(|ended| ended);
                    prop_assert_eq!(ended, matches!(out.back(), Some(Delta::End(_))));
                }
                for event in &events {
                    let (mut reply, mut out) = (decoder(wire), VecDeque::new());
                    if reply.whole(event, &mut out).is_ok() {
                        prop_assert!(matches!(out.back(), Some(Delta::End(_))));
                    }
                }
            }
        }
    }
}
