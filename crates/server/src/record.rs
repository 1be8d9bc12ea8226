//! What is written down of a turn: what the customer read, for both sides, and what each room saw, for operators.

use mostrador_answer::event::{Citation, Closing};
use mostrador_answer::money::Micros;
use mostrador_answer::ports::UnixMillis;
use mostrador_answer::question::CustomerId;
use mostrador_language::TextKey;
use mostrador_store::TurnRecord;
use serde::Serialize;
use serde_json::{Value, json};

use crate::pump::{Done, Out};

/// What a reader was sent.
#[derive(Debug, Default)]
pub(crate) struct Said {
    text: String,
    citations: Vec<Citation>,
    notices: Vec<Notice>,
}

/// A fixed text.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub(crate) struct Notice {
    /// Which text.
    #[schema(value_type = String)]
    pub(crate) key: TextKey,
    /// Its words.
    pub(crate) text: String,
}

/// A whole answer, as the API gives it.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub(crate) struct Whole {
    /// The name of the turn.
    pub(crate) turn: String,
    /// The name of the conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) conversation: Option<String>,
    /// What the customer reads: sentences and notices, in order.
    pub(crate) text: String,
    /// The passages cited, in order of first mention.
    #[schema(value_type = Vec<Object>)]
    pub(crate) citations: Vec<Citation>,
    /// The fixed texts among it.
    pub(crate) notices: Vec<Notice>,
    /// How it ended.
    pub(crate) ending: String,
    /// The language it is in.
    pub(crate) language: String,
    /// Tokens of all calls of the model.
    pub(crate) usage: UsageView,
}

/// Tokens.
#[derive(Debug, Clone, Copy, Serialize, utoipa::ToSchema)]
pub(crate) struct UsageView {
    /// Read by the model.
    pub(crate) input_tokens: u64,
    /// Written by it.
    pub(crate) output_tokens: u64,
}

impl Said {
    pub(crate) fn add(&mut self, out: &Out) {
        match out {
            Out::Sentence(text) => self.text.push_str(text),
            Out::Citation(citation) => self.citations.push(citation.as_ref().clone()),
            Out::Notice { key, text } => {
                if !self.text.is_empty() && !self.text.ends_with(char::is_whitespace) {
                    self.text.push(' ');
                }
                self.text.push_str(text);
                self.notices.push(Notice { key: *key, text: text.clone() });
            }
            Out::Done(_) => {}
        }
    }

    /// What the customer has read.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn whole(&self, done: &Done) -> Whole {
        Whole {
            turn: done.turn.0.clone(),
            conversation: done.conversation.as_ref().map(|conversation| conversation.0.clone()),
            text: self.text.trim_end().to_owned(),
            citations: self.citations.clone(),
            notices: self.notices.clone(),
            ending: done.ending.to_owned(),
            language: done.language.code().to_owned(),
            usage: UsageView { input_tokens: done.input_tokens, output_tokens: done.output_tokens },
        }
    }

    /// The row of a turn. `took`: milliseconds; `closing`: `None` where the turn was lost with its runtime.
    pub(crate) fn record(
        &self,
        done: &Done,
        question: String,
        customer: Option<CustomerId>,
        at: UnixMillis,
        closing: Option<&Closing>,
        took: i64,
    ) -> TurnRecord {
        TurnRecord {
            turn: done.turn.clone(),
            conversation: done.conversation.clone(),
            customer,
            question,
            answer: json!(self.whole(done)),
            text: self.text.trim_end().to_owned(),
            citations: json!(self.citations),
            record: closing.map_or(Value::Null, |closing| json!(closing.record())),
            ending: done.ending.to_owned(),
            rule: closing.and_then(|closing| closing.rule.as_ref()).map(|rule| rule.0.clone()),
            language: done.language,
            cost: closing.map_or(Micros(0), |closing| closing.cost),
            input_tokens: done.input_tokens,
            output_tokens: done.output_tokens,
            took_ms: took,
            at,
        }
    }
}
