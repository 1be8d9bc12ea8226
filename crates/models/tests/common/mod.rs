//! Calls of a model and what comes back, for the tests of this folder.

#![allow(dead_code, clippy::unwrap_used, reason = "helpers of tests; not every test file needs all of them")]

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use mostrador_answer::message::{
    Block, Delta, LookupSpec, MarkedDocument, Message, Outcome, Parameter, Request, Role, StopReason,
    ToolResult, ToolUse,
};
use mostrador_answer::money::Usage;
use mostrador_answer::passage::{SourceId, Trust};
use mostrador_answer::ports::{Model, ModelError};
use mostrador_language::Lang;

/// A whole reply, collected.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Reply {
    pub(crate) pieces: Vec<String>,
    pub(crate) calls: Vec<ToolUse>,
    pub(crate) usage: Usage,
    pub(crate) reason: StopReason,
}

impl Reply {
    pub(crate) fn text(&self) -> String {
        self.pieces.concat()
    }
}

/// Asks, and checks the order in which a reply arrives: text, look-ups, one usage, the end.
pub(crate) async fn ask(model: &dyn Model, request: &Request) -> Result<Reply, ModelError> {
    let deltas: Vec<_> = model.stream(Arc::new(request.clone())).collect().await;
    let (mut pieces, mut calls, mut usage, mut reason) = (Vec::new(), Vec::new(), None, None);
    for delta in deltas {
        assert!(reason.is_none(), "something came behind the end");
        match delta? {
            Delta::Text(text) => {
                assert!(calls.is_empty() && usage.is_none(), "text came late");
                pieces.push(text);
            }
            Delta::ToolUse(call) => {
                assert!(usage.is_none(), "a look-up came late");
                calls.push(call);
            }
            Delta::Usage(used) => {
                assert!(usage.replace(used.filled(Usage::default())).is_none(), "two usages");
            }
            Delta::Unsaid(_) => {}
            Delta::Handover(_) => panic!("nobody stands behind this model"),
            Delta::End(why) => reason = Some(why),
        }
    }
    Ok(Reply { pieces, calls, usage: usage.unwrap(), reason: reason.unwrap() })
}

pub(crate) fn document(source: &str, title: &str, text: &str) -> MarkedDocument {
    MarkedDocument::new(SourceId::new(source).unwrap(), title, text, Trust::Shop)
}

/// The first call of a turn.
pub(crate) fn request(language: Lang, documents: &[MarkedDocument], question: &str) -> Request {
    let mut content = Vec::new();
    if !documents.is_empty() {
        content.push(Block::Documents(documents.to_vec()));
    }
    content.push(Block::Text(question.to_owned()));
    Request {
        system: "Answer from the documents.".to_owned(),
        messages: vec![Message { role: Role::User, content }],
        tools: Vec::new(),
        max_output_tokens: 300,
        language,
        reading: language,
        overview: false,
        output_schema: None,
    }
}

/// A look-up with one parameter.
pub(crate) fn lookup(name: &str, parameter: &str, pattern: Option<&str>) -> LookupSpec {
    LookupSpec {
        name: name.to_owned(),
        description: "State of an order by its number. Reads only.".to_owned(),
        parameters: vec![Parameter { name: parameter.to_owned(), pattern: pattern.map(str::to_owned) }],
        schema: None,
        needs_customer: false,
        trust: Trust::Shop,
        timeout: Duration::from_secs(1),
    }
}

/// The next call of the turn: what the model asked for, and the results, in order.
pub(crate) fn answered(mut request: Request, calls: &[ToolUse], results: &[(Outcome, &str)]) -> Request {
    let asked = calls.iter().cloned().map(Block::ToolUse).collect();
    let results = calls.iter().zip(results).map(|(call, (outcome, content))| {
        Block::ToolResult(ToolResult {
            tool_use_id: call.id.clone(),
            content: (*content).to_owned(),
            outcome: *outcome,
        })
    });
    request.messages.push(Message { role: Role::Assistant, content: asked });
    request.messages.push(Message { role: Role::User, content: results.collect() });
    request
}

/// The values of the calls, in order.
pub(crate) fn values(reply: &Reply) -> Vec<String> {
    reply.calls.iter().flat_map(ToolUse::values).collect()
}
