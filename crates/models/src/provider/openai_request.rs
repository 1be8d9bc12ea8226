//! A request as `POST /v1/chat/completions` takes it.

use mostrador_answer::message::{Block, LookupSpec, Message, Request, Role, ToolResult, ToolUse};
use serde_json::{Map, Value, json};

use super::settings::ProviderSettings;

/// The body of a request.
pub(super) fn body(request: &Request, model: &str, settings: &ProviderSettings) -> Map<String, Value> {
    let mut messages = Vec::with_capacity(request.messages.len() + 1);
    if !request.system.is_empty() {
        messages.push(json!({ "role": "system", "content": request.system }));
    }
    for message in &request.messages {
        enter(message, &mut messages);
    }
    let mut body = Map::new();
    body.insert("model".to_owned(), model.into());
    body.insert("messages".to_owned(), messages.into());
    let limit = if settings.max_completion_tokens { "max_completion_tokens" } else { "max_tokens" };
    body.insert(limit.to_owned(), request.max_output_tokens.into());
    body.insert("stream".to_owned(), settings.stream.into());
    if settings.stream {
        body.insert("stream_options".to_owned(), json!({ "include_usage": true }));
    }
    if !request.tools.is_empty() {
        body.insert("tools".to_owned(), request.tools.iter().map(tool).collect());
    }
    if let Some(schema) = &request.output_schema {
        let named = json!({ "name": "reply", "strict": true, "schema": schema });
        body.insert("response_format".to_owned(), json!({ "type": "json_schema", "json_schema": named }));
    }
    body
}

fn tool(spec: &LookupSpec) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": spec.name,
            "description": spec.description,
            "parameters": spec.input_schema(),
        },
    })
}

/// Results go before everything else of a message: each is a message of its own and has to follow its call.
fn enter(message: &Message, messages: &mut Vec<Value>) {
    let (mut calls, mut texts) = (Vec::new(), Vec::new());
    for block in &message.content {
        match block {
            Block::ToolResult(result) => messages.push(tool_result(result)),
            Block::ToolUse(call) => calls.push(tool_call(call)),
            // One text, not several parts: not every server takes parts.
            other => texts.push(other.text()),
        }
    }
    let text = texts.join("\n\n");
    match message.role {
        Role::User if texts.is_empty() => {}
        Role::User => messages.push(json!({ "role": "user", "content": text })),
        Role::Assistant if calls.is_empty() => messages.push(json!({ "role": "assistant", "content": text })),
        Role::Assistant => {
            let content = if text.is_empty() { Value::Null } else { Value::String(text) };
            messages.push(json!({ "role": "assistant", "content": content, "tool_calls": calls }));
        }
    }
}

fn tool_call(call: &ToolUse) -> Value {
    let arguments = Value::Object(call.input.clone()).to_string();
    json!({ "id": call.id, "type": "function", "function": { "name": call.name, "arguments": arguments } })
}

/// There is no field for an error on this wire, so that the text says it.
fn tool_result(result: &ToolResult) -> Value {
    let mark = if result.outcome.is_error() { "error: " } else { "" };
    json!({ "role": "tool", "tool_call_id": result.tool_use_id, "content": format!("{mark}{}", result.content) })
}
