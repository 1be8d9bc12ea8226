//! Steps in the words of the two wires.

use mostrador_answer::message::StopReason;
use serde_json::{Map, Value, json};

use super::step::{FakeUsage, Step};

/// The place on the Messages wire of what is no look-up; look-ups stand behind it.
const TEXT: usize = 0;

fn data(event: &Value) -> String {
    format!("data: {event}\n\n")
}

pub(super) fn openai_step(step: &Step) -> Vec<String> {
    let delta = match step {
        Step::Begin(_) => json!({ "role": "assistant", "content": "" }),
        Step::Text(text) => json!({ "content": text }),
        Step::Thinks(text) => json!({ "content": null, "reasoning_content": text }),
        Step::Refuses(text) => json!({ "refusal": text }),
        Step::Tool { at, id, name } => {
            let mut call = json!({ "index": at, "type": "function", "function": { "arguments": "" } });
            if !id.is_empty() {
                call["id"] = json!(id);
            }
            if !name.is_empty() {
                call["function"]["name"] = json!(name);
            }
            json!({ "tool_calls": [call] })
        }
        Step::Arguments { at, piece } => {
            json!({ "tool_calls": [{ "index": at, "function": { "arguments": piece } }] })
        }
        Step::Ping => return vec![": ping\n\n".to_owned()],
        _ => return Vec::new(),
    };
    vec![data(&json!({ "id": "c", "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] }))]
}

pub(super) fn openai_end(reason: StopReason, usage: Option<FakeUsage>) -> Vec<String> {
    let choice = json!({ "index": 0, "delta": {}, "finish_reason": openai_reason(reason) });
    let mut events = vec![data(&json!({ "id": "c", "choices": [choice] }))];
    if let Some(usage) = usage {
        events.push(data(&json!({ "id": "c", "choices": [], "usage": openai_usage(usage) })));
    }
    events.push("data: [DONE]\n\n".to_owned());
    events
}

fn openai_reason(reason: StopReason) -> &'static str {
    match reason {
        StopReason::EndTurn => "stop",
        StopReason::ToolUse => "tool_calls",
        StopReason::MaxTokens => "length",
        StopReason::Refusal => "content_filter",
    }
}

fn openai_usage(usage: FakeUsage) -> Value {
    json!({
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "prompt_tokens_details": { "cached_tokens": usage.cached },
        "completion_tokens_details": { "reasoning_tokens": usage.reasoning },
    })
}

fn event(event: &Value) -> String {
    format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap())
}

pub(super) fn messages_step(open: &mut Vec<usize>, step: &Step) -> Vec<String> {
    let mut events = Vec::new();
    let mut begin = |open: &mut Vec<usize>, index: usize, block: Value| {
        if !open.contains(&index) {
            open.push(index);
            events.push(event(
                &json!({ "type": "content_block_start", "index": index, "content_block": block }),
            ));
        }
    };
    let (index, delta) = match step {
        Step::Begin(usage) => {
            let usage = messages_usage(*usage, 1);
            let message =
                json!({ "id": "m", "type": "message", "role": "assistant", "content": [], "usage": usage });
            return vec![event(&json!({ "type": "message_start", "message": message }))];
        }
        Step::Text(text) => {
            begin(open, TEXT, json!({ "type": "text", "text": "" }));
            (TEXT, json!({ "type": "text_delta", "text": text }))
        }
        Step::Thinks(text) => {
            begin(open, 100, json!({ "type": "thinking", "thinking": "" }));
            (100, json!({ "type": "thinking_delta", "thinking": text }))
        }
        Step::Tool { at, id, name } => {
            let mut block = json!({ "type": "tool_use", "input": {} });
            if !id.is_empty() {
                block["id"] = json!(id);
            }
            if !name.is_empty() {
                block["name"] = json!(name);
            }
            begin(open, at + 1, block);
            return events;
        }
        Step::Arguments { at, piece } => {
            (at + 1, json!({ "type": "input_json_delta", "partial_json": piece }))
        }
        Step::Ping => return vec![event(&json!({ "type": "ping" }))],
        _ => return Vec::new(),
    };
    events.push(event(&json!({ "type": "content_block_delta", "index": index, "delta": delta })));
    events
}

pub(super) fn messages_end(
    open: &mut Vec<usize>,
    reason: StopReason,
    usage: Option<FakeUsage>,
) -> Vec<String> {
    let stop = |index| event(&json!({ "type": "content_block_stop", "index": index }));
    let mut events: Vec<String> = open.drain(..).map(stop).collect();
    let mut delta = json!({ "type": "message_delta", "delta": { "stop_reason": messages_reason(reason) } });
    if let Some(usage) = usage {
        delta["usage"] = json!({ "output_tokens": usage.output });
    }
    events.push(event(&delta));
    events.push(event(&json!({ "type": "message_stop" })));
    events
}

fn messages_reason(reason: StopReason) -> &'static str {
    match reason {
        StopReason::EndTurn => "end_turn",
        StopReason::ToolUse => "tool_use",
        StopReason::MaxTokens => "max_tokens",
        StopReason::Refusal => "refusal",
    }
}

fn messages_usage(usage: FakeUsage, output: u64) -> Value {
    json!({
        "input_tokens": usage.input - usage.cached - usage.written,
        "cache_read_input_tokens": usage.cached,
        "cache_creation_input_tokens": usage.written,
        "output_tokens": output,
    })
}

/// The text, the look-ups with their arguments, and the end of a reply.
struct Said {
    text: String,
    thought: String,
    refusal: Option<String>,
    calls: Vec<(String, String, String)>,
    end: Option<(StopReason, Option<FakeUsage>)>,
}

fn said(steps: &[Step]) -> Said {
    let mut said =
        Said { text: String::new(), thought: String::new(), refusal: None, calls: Vec::new(), end: None };
    for step in steps {
        match step {
            Step::Text(text) => said.text.push_str(text),
            Step::Thinks(text) => said.thought.push_str(text),
            Step::Refuses(text) => said.refusal = Some(text.clone()),
            Step::Tool { id, name, .. } => said.calls.push((id.clone(), name.clone(), String::new())),
            Step::Arguments { at, piece } => said.calls[*at].2.push_str(piece),
            Step::End(reason, usage) => said.end = Some((*reason, *usage)),
            _ => {}
        }
    }
    said
}

pub(super) fn whole_openai(steps: &[Step]) -> Value {
    let said = said(steps);
    let calls = said.calls.iter().map(|(id, name, arguments)| {
        json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } })
    });
    let calls: Vec<Value> = calls.collect();
    let content = if said.text.is_empty() { Value::Null } else { json!(said.text) };
    let mut message = json!({ "role": "assistant", "content": content, "refusal": said.refusal });
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    if !said.thought.is_empty() {
        message["reasoning_content"] = json!(said.thought);
    }
    let reason = said.end.map(|(reason, _)| openai_reason(reason));
    let mut reply = json!({
        "object": "chat.completion",
        "choices": [{ "index": 0, "message": message, "finish_reason": reason }],
    });
    if let Some(usage) = said.end.and_then(|(_, usage)| usage) {
        reply["usage"] = openai_usage(usage);
    }
    reply
}

pub(super) fn whole_messages(steps: &[Step]) -> Value {
    let said = said(steps);
    let mut content = Vec::new();
    if !said.thought.is_empty() {
        content.push(json!({ "type": "thinking", "thinking": said.thought }));
    }
    if !said.text.is_empty() {
        content.push(json!({ "type": "text", "text": said.text }));
    }
    for (id, name, arguments) in &said.calls {
        let input: Value = serde_json::from_str(arguments).unwrap_or_else(|_| json!(arguments));
        let input = if arguments.is_empty() { Value::Object(Map::new()) } else { input };
        content.push(json!({ "type": "tool_use", "id": id, "name": name, "input": input }));
    }
    let reason = said.end.map(|(reason, _)| messages_reason(reason));
    let mut reply =
        json!({ "type": "message", "role": "assistant", "content": content, "stop_reason": reason });
    if let Some(usage) = said.end.and_then(|(_, usage)| usage) {
        reply["usage"] = messages_usage(usage, usage.output);
    }
    reply
}
