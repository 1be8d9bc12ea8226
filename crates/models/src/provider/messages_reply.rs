//! A reply of `POST /v1/messages`: in events, or as one.

use std::collections::VecDeque;

use mostrador_answer::message::{Delta, StopReason};
use mostrador_answer::money::Reported;
use serde::Deserialize;
use serde_json::Value;

use super::calls::{Calls, Part};
use super::reply::{Heard, Unread, read, reason, told, unsaid, wrong_shape};

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Event {
    MessageStart {
        message: Start,
    },
    ContentBlockStart {
        index: Option<u64>,
        content_block: Block,
    },
    ContentBlockDelta {
        index: Option<u64>,
        delta: Piece,
    },
    MessageDelta {
        delta: Stopped,
        usage: Option<Usage>,
    },
    MessageStop,
    Error {
        error: Value,
    },
    /// Signs of life, ends of blocks, and what is not known yet.
    #[serde(other)]
    Other,
}

#[derive(Debug, Deserialize)]
struct Start {
    usage: Option<Usage>,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block {
    Text {
        text: Option<String>,
    },
    ToolUse {
        id: Option<String>,
        name: Option<String>,
        input: Option<Value>,
    },
    #[serde(other)]
    Other,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Piece {
    TextDelta {
        text: String,
    },
    InputJsonDelta {
        partial_json: String,
    },
    ThinkingDelta {
        thinking: String,
    },
    #[serde(other)]
    Other,
}

#[derive(Debug, Deserialize)]
struct Stopped {
    stop_reason: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Usage {
    input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
    output_tokens: Option<u64>,
}

#[derive(Debug, Deserialize)]
struct Whole {
    content: Option<Vec<Block>>,
    stop_reason: Option<String>,
    usage: Option<Usage>,
    error: Option<Value>,
}

/// A reply as far as it has come in.
#[derive(Debug)]
pub(super) struct MessagesReply {
    calls: Calls,
    finished: Option<StopReason>,
    usage: Usage,
    reported: Reported,
}

impl MessagesReply {
    pub(super) fn new(calls: Calls) -> Self {
        let usage = Usage {
            input_tokens: None,
            cache_read_input_tokens: None,
            cache_creation_input_tokens: None,
            output_tokens: None,
        };
        Self { calls, finished: None, usage, reported: Reported::default() }
    }

    pub(super) fn event(&mut self, data: &str, out: &mut VecDeque<Delta>) -> Result<Heard, Unread> {
        match read(data)? {
            Event::MessageStart { message } => {
                // What it says of the output here is no count yet.
                let usage = message.usage.map(|usage| Usage { output_tokens: None, ..usage });
                self.count(usage, out);
                Ok(Heard::Nothing)
            }
            Event::ContentBlockStart { index, content_block } => self.block(index, content_block, out),
            Event::ContentBlockDelta { index, delta } => self.piece(index, delta, out),
            Event::MessageDelta { delta, usage } => {
                if let Some(stop) = delta.stop_reason {
                    self.finish(&stop, out)?;
                }
                self.count(usage, out);
                Ok(Heard::Nothing)
            }
            Event::MessageStop => {
                if self.close(out)? {
                    Ok(Heard::Nothing)
                } else {
                    Err(wrong_shape("the reply ends without a `stop_reason`"))
                }
            }
            Event::Error { error } => Err(told(&error)),
            Event::Other => Ok(Heard::Nothing),
        }
    }

    pub(super) fn whole(&mut self, body: &str, out: &mut VecDeque<Delta>) -> Result<(), Unread> {
        let whole: Whole = read(body)?;
        if let Some(error) = &whole.error {
            return Err(told(error));
        }
        let content = whole.content.ok_or_else(|| wrong_shape("the reply has no `content`"))?;
        for (index, block) in (0..).zip(content) {
            self.block(Some(index), block, out)?;
        }
        let stop = whole.stop_reason.ok_or_else(|| wrong_shape("the reply has no `stop_reason`"))?;
        self.finish(&stop, out)?;
        self.count(whole.usage, out);
        self.close(out).map(|_| ())
    }

    pub(super) fn close(&mut self, out: &mut VecDeque<Delta>) -> Result<bool, Unread> {
        let Some(finished) = self.finished else { return Ok(false) };
        out.push_back(Delta::End(finished));
        Ok(true)
    }

    fn block(
        &mut self,
        index: Option<u64>,
        block: Block,
        out: &mut VecDeque<Delta>,
    ) -> Result<Heard, Unread> {
        match block {
            Block::Text { text } => match text.filter(|text| !text.is_empty()) {
                Some(text) => {
                    out.push_back(Delta::Text(text));
                    Ok(Heard::Token)
                }
                None => Ok(Heard::Nothing),
            },
            Block::ToolUse { id, name, input } => {
                // In events the input is empty here, and its text follows in pieces.
                let given =
                    |input: &Value| !input.is_null() && input.as_object().is_none_or(|map| !map.is_empty());
                let arguments = input.filter(given).map(|input| input.to_string()).unwrap_or_default();
                unsaid(arguments.len() + name.as_ref().map_or(0, String::len), out);
                self.calls.enter(&Part {
                    index,
                    id: id.as_deref().unwrap_or_default(),
                    name: name.as_deref().unwrap_or_default(),
                    arguments: &arguments,
                })?;
                Ok(Heard::Token)
            }
            Block::Other => Ok(Heard::Thought),
        }
    }

    fn piece(
        &mut self,
        index: Option<u64>,
        piece: Piece,
        out: &mut VecDeque<Delta>,
    ) -> Result<Heard, Unread> {
        match piece {
            Piece::TextDelta { text } if text.is_empty() => Ok(Heard::Nothing),
            Piece::TextDelta { text } => {
                out.push_back(Delta::Text(text));
                Ok(Heard::Token)
            }
            Piece::ThinkingDelta { thinking } => {
                unsaid(thinking.len(), out);
                Ok(Heard::Thought)
            }
            Piece::InputJsonDelta { partial_json } => {
                unsaid(partial_json.len(), out);
                self.calls.enter(&Part { index, arguments: &partial_json, ..Part::default() })?;
                Ok(Heard::Token)
            }
            Piece::Other => Ok(Heard::Thought),
        }
    }

    fn finish(&mut self, stop: &str, out: &mut VecDeque<Delta>) -> Result<(), Unread> {
        let said = match stop {
            "max_tokens" | "model_context_window_exceeded" => StopReason::MaxTokens,
            "refusal" => StopReason::Refusal,
            "tool_use" => StopReason::ToolUse,
            _ => StopReason::EndTurn,
        };
        let called = !self.calls.is_empty();
        if called && said != StopReason::Refusal {
            self.calls.give(out)?;
        }
        self.finished = Some(reason(said, called));
        Ok(())
    }

    /// Enters figures. What was read from the cache or written to it is not among the input tokens of this wire.
    fn count(&mut self, later: Option<Usage>, out: &mut VecDeque<Delta>) {
        let Some(later) = later else { return };
        let usage = &mut self.usage;
        usage.input_tokens = later.input_tokens.or(usage.input_tokens);
        usage.cache_read_input_tokens = later.cache_read_input_tokens.or(usage.cache_read_input_tokens);
        usage.cache_creation_input_tokens =
            later.cache_creation_input_tokens.or(usage.cache_creation_input_tokens);
        usage.output_tokens = later.output_tokens.or(usage.output_tokens);
        let cached = usage.cache_read_input_tokens;
        let sum = |input: u64| {
            let written = usage.cache_creation_input_tokens.unwrap_or(0);
            input.saturating_add(cached.unwrap_or(0)).saturating_add(written)
        };
        let reported = Reported {
            input_tokens: usage.input_tokens.map(sum),
            output_tokens: usage.output_tokens,
            cached_input_tokens: cached,
            reasoning_tokens: None,
        };
        if reported != self.reported {
            self.reported = reported;
            out.push_back(Delta::Usage(reported));
        }
    }
}
