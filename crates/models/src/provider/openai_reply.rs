//! A reply of `POST /v1/chat/completions`: in events, or as one.

use std::collections::VecDeque;

use mostrador_answer::message::{Delta, StopReason};
use mostrador_answer::money::Reported;
use serde::Deserialize;
use serde_json::Value;

use super::calls::{Calls, Part};
use super::reply::{Heard, Unread, read, reason, told, unsaid, wrong_shape};

#[derive(Debug, Deserialize)]
struct Chunk {
    choices: Option<Vec<Choice>>,
    usage: Option<Usage>,
    error: Option<Value>,
}

#[derive(Debug, Deserialize)]
struct Choice {
    index: Option<u64>,
    /// In an event.
    delta: Option<Said>,
    /// In a reply that came as one.
    message: Option<Said>,
    finish_reason: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Said {
    content: Option<Content>,
    refusal: Option<String>,
    tool_calls: Option<Vec<CallPart>>,
    reasoning_content: Option<Value>,
    reasoning: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<TextPart>),
}

#[derive(Debug, Deserialize)]
struct TextPart {
    text: Option<String>,
}

#[derive(Debug, Deserialize)]
struct CallPart {
    index: Option<u64>,
    id: Option<String>,
    function: Option<Function>,
}

#[derive(Debug, Deserialize)]
struct Function {
    name: Option<String>,
    arguments: Option<Value>,
}

#[derive(Debug, Deserialize)]
struct Usage {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
    prompt_tokens_details: Option<PromptDetails>,
    completion_tokens_details: Option<CompletionDetails>,
}

#[derive(Debug, Deserialize)]
struct PromptDetails {
    cached_tokens: Option<u64>,
}

#[derive(Debug, Deserialize)]
struct CompletionDetails {
    reasoning_tokens: Option<u64>,
}

/// A reply as far as it has come in.
#[derive(Debug)]
pub(super) struct OpenaiReply {
    calls: Calls,
    /// Whether it asked for look-ups that are given already.
    called: bool,
    finished: Option<StopReason>,
    refused: bool,
    reported: Option<Reported>,
}

impl OpenaiReply {
    pub(super) fn new(calls: Calls) -> Self {
        Self { calls, called: false, finished: None, refused: false, reported: None }
    }

    pub(super) fn event(&mut self, data: &str, out: &mut VecDeque<Delta>) -> Result<Heard, Unread> {
        if data.trim() == "[DONE]" {
            if self.finished.is_none() {
                return Err(wrong_shape("the reply ends without a `finish_reason`"));
            }
            self.close(out)?;
            return Ok(Heard::Nothing);
        }
        self.chunk(read(data)?, out)
    }

    pub(super) fn whole(&mut self, body: &str, out: &mut VecDeque<Delta>) -> Result<(), Unread> {
        self.chunk(read(body)?, out)?;
        if self.close(out)? { Ok(()) } else { Err(wrong_shape("the reply has no `finish_reason`")) }
    }

    pub(super) fn close(&mut self, out: &mut VecDeque<Delta>) -> Result<bool, Unread> {
        let Some(finished) = self.finished else { return Ok(false) };
        self.give_calls(out)?;
        let said = if self.refused { StopReason::Refusal } else { finished };
        out.push_back(Delta::End(reason(said, self.called)));
        Ok(true)
    }

    fn chunk(&mut self, chunk: Chunk, out: &mut VecDeque<Delta>) -> Result<Heard, Unread> {
        if let Some(error) = &chunk.error {
            return Err(told(error));
        }
        if chunk.choices.is_none() && chunk.usage.is_none() {
            return Err(wrong_shape("the reply has no `choices`"));
        }
        let mut heard = Heard::Nothing;
        let first = |choice: &Choice| choice.index.unwrap_or(0) == 0;
        for choice in chunk.choices.unwrap_or_default().into_iter().filter(first) {
            if let Some(said) = choice.delta.or(choice.message) {
                heard = heard.max(self.say(said, out)?);
            }
            if let Some(finish) = choice.finish_reason {
                self.finished = Some(finished(&finish)?);
            }
        }
        if let Some(usage) = chunk.usage {
            // Look-ups come before the figures where both are known.
            if self.finished.is_some() {
                self.give_calls(out)?;
            }
            let reported = reported(&usage);
            if self.reported.replace(reported) != Some(reported) {
                out.push_back(Delta::Usage(reported));
            }
        }
        Ok(heard)
    }

    fn say(&mut self, said: Said, out: &mut VecDeque<Delta>) -> Result<Heard, Unread> {
        let mut heard = Heard::Nothing;
        // Some servers send the same thought in both fields.
        if let Some(thought) = said.reasoning_content.or(said.reasoning) {
            unsaid(thought.as_str().map_or(0, str::len), out);
            heard = Heard::Thought;
        }
        if let Some(refusal) = said.refusal.filter(|refusal| !refusal.is_empty()) {
            unsaid(refusal.len(), out);
            self.refused = true;
            heard = Heard::Token;
        }
        let text = match said.content {
            Some(Content::Text(text)) => text,
            Some(Content::Parts(parts)) => parts.into_iter().filter_map(|part| part.text).collect(),
            None => String::new(),
        };
        if !text.is_empty() {
            out.push_back(Delta::Text(text));
            heard = Heard::Token;
        }
        for part in said.tool_calls.unwrap_or_default() {
            let function = part.function.unwrap_or(Function { name: None, arguments: None });
            // Some servers send the object itself, not its text.
            let arguments = match function.arguments {
                Some(Value::String(text)) => text,
                Some(Value::Null) | None => String::new(),
                Some(other) => other.to_string(),
            };
            unsaid(arguments.len() + function.name.as_ref().map_or(0, String::len), out);
            self.calls.enter(&Part {
                index: part.index,
                id: part.id.as_deref().unwrap_or_default(),
                name: function.name.as_deref().unwrap_or_default(),
                arguments: &arguments,
            })?;
            heard = Heard::Token;
        }
        Ok(heard)
    }

    fn give_calls(&mut self, out: &mut VecDeque<Delta>) -> Result<(), Unread> {
        if self.refused || self.finished == Some(StopReason::Refusal) || self.calls.is_empty() {
            return Ok(());
        }
        self.called = true;
        self.calls.give(out)
    }
}

/// Why it stopped. What nobody knows is an end like any other; an error is none.
fn finished(finish: &str) -> Result<StopReason, Unread> {
    Ok(match finish {
        "length" => StopReason::MaxTokens,
        "content_filter" => StopReason::Refusal,
        "tool_calls" | "function_call" => StopReason::ToolUse,
        "error" => return Err(told(&Value::Null)),
        _ => StopReason::EndTurn,
    })
}

fn reported(usage: &Usage) -> Reported {
    Reported {
        input_tokens: usage.prompt_tokens,
        output_tokens: usage.completion_tokens,
        cached_input_tokens: usage.prompt_tokens_details.as_ref().and_then(|details| details.cached_tokens),
        reasoning_tokens: usage
            .completion_tokens_details
            .as_ref()
            .and_then(|details| details.reasoning_tokens),
    }
}
