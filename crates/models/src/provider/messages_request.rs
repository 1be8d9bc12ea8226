//! A request as `POST /v1/messages` takes it.

use mostrador_answer::message::{Block, Request};
use serde_json::{Map, Value, json};

use super::settings::ProviderSettings;

/// The body of a request.
pub(super) fn body(request: &Request, model: &str, settings: &ProviderSettings) -> Map<String, Value> {
    let messages = request.messages.iter().map(|message| {
        let content: Value = message.content.iter().filter_map(block).collect();
        json!({ "role": message.role, "content": content })
    });
    let mut body = Map::new();
    body.insert("model".to_owned(), model.into());
    body.insert("messages".to_owned(), messages.collect());
    body.insert("max_tokens".to_owned(), request.max_output_tokens.into());
    body.insert("stream".to_owned(), settings.stream.into());
    if !request.system.is_empty() {
        body.insert("system".to_owned(), request.system.as_str().into());
    }
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|spec| {
            json!({
                "name": spec.name,
                "description": spec.description,
                "input_schema": spec.input_schema(),
            })
        });
        body.insert("tools".to_owned(), tools.collect());
    }
    if let Some(schema) = &request.output_schema {
        let format = json!({ "type": "json_schema", "schema": schema });
        body.insert("output_config".to_owned(), json!({ "format": format }));
    }
    body
}

/// A block; `None` for an empty text, which this wire refuses.
fn block(block: &Block) -> Option<Value> {
    match block {
        Block::ToolUse(call) => {
            let id = plain(&call.id);
            Some(json!({ "type": "tool_use", "id": id, "name": call.name, "input": call.input }))
        }
        Block::ToolResult(result) => Some(json!({
            "type": "tool_result",
            "tool_use_id": plain(&result.tool_use_id),
            "content": result.content,
            "is_error": result.outcome.is_error(),
        })),
        other => {
            let text = other.text();
            (!text.trim().is_empty()).then(|| json!({ "type": "text", "text": text }))
        }
    }
}

/// The name of a call in the letters that this wire takes: it may come from a model that stood in on the other.
fn plain(id: &str) -> String {
    let keep = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    id.chars().map(|letter| if keep(letter) { letter } else { '_' }).collect()
}
