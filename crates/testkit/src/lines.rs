//! A model that says what the test tells it to, piece by piece, and remembers what it was asked.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use futures_util::stream::{BoxStream, Stream, StreamExt};
use mostrador_answer::message::{Delta, Request, StopReason, ToolUse};
use mostrador_answer::money::Usage;
use mostrador_answer::ports::{Fault, Model, ModelError};

/// What the model does next in a reply.
#[derive(Debug, Clone)]
pub enum Line {
    /// Sends a delta.
    Send(Delta),
    /// Sends nothing, for ever.
    Stall,
    /// Fails.
    Fail,
}

/// A model that says its replies in order, one a call; when they are used up, it fails.
#[derive(Debug, Default)]
pub struct LinesModel {
    replies: Mutex<VecDeque<Vec<Line>>>,
    requests: Mutex<Vec<Arc<Request>>>,
    dropped: Arc<AtomicUsize>,
}

impl LinesModel {
    /// A model with these replies.
    #[must_use]
    pub fn new(replies: Vec<Vec<Line>>) -> Self {
        Self { replies: Mutex::new(replies.into()), ..Self::default() }
    }

    /// A model that says each text in one call, in pieces of three characters.
    #[must_use]
    pub fn saying(texts: &[&str]) -> Self {
        Self::new(texts.iter().map(|text| say(text)).collect())
    }

    /// What it was asked, in order.
    #[must_use]
    pub fn requests(&self) -> Vec<Arc<Request>> {
        self.requests.lock().unwrap().clone()
    }

    /// How many replies were let go before their end.
    #[must_use]
    pub fn dropped(&self) -> usize {
        self.dropped.load(Ordering::SeqCst)
    }
}

/// A reply that says a text in pieces of three characters: 10 tokens in, 5 out.
#[must_use]
pub fn say(text: &str) -> Vec<Line> {
    let characters: Vec<char> = text.chars().collect();
    let pieces = characters.chunks(3).map(|piece| Delta::Text(piece.iter().collect()));
    pieces.chain(end(StopReason::EndTurn)).map(Line::Send).collect()
}

/// A reply that asks for look-ups by name and value: 10 tokens in, 5 out.
#[must_use]
pub fn call(calls: &[(&str, &str)]) -> Vec<Line> {
    let used = |(at, (name, value)): (usize, &(&str, &str))| {
        let input = serde_json::json!({"value": value}).as_object().unwrap().clone();
        Delta::ToolUse(ToolUse { id: format!("call_{at}"), name: (*name).to_owned(), input })
    };
    calls.iter().enumerate().map(used).chain(end(StopReason::ToolUse)).map(Line::Send).collect()
}

/// The end of a reply: 10 tokens in, 5 out.
pub fn end(reason: StopReason) -> impl Iterator<Item = Delta> {
    [Delta::Usage(Usage::new(10, 5).into()), Delta::End(reason)].into_iter()
}

impl Model for LinesModel {
    fn id(&self) -> String {
        "lines".to_owned()
    }

    fn counts_tokens(&self) -> bool {
        true
    }

    fn stream(&self, request: Arc<Request>) -> BoxStream<'static, Result<Delta, ModelError>> {
        self.requests.lock().unwrap().push(request);
        let lines = self.replies.lock().unwrap().pop_front().unwrap_or_else(|| vec![Line::Fail]);
        Reply { lines: lines.into(), dropped: Arc::clone(&self.dropped) }.boxed()
    }
}

struct Reply {
    lines: VecDeque<Line>,
    dropped: Arc<AtomicUsize>,
}

impl Stream for Reply {
    type Item = Result<Delta, ModelError>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match self.lines.front() {
            Some(Line::Stall) => Poll::Pending,
            None => Poll::Ready(None),
            Some(_) => match self.lines.pop_front() {
                Some(Line::Send(delta)) => Poll::Ready(Some(Ok(delta))),
                _ => {
                    let error = ModelError {
                        model: "lines".to_owned(),
                        fault: Fault::BrokeOff,
                        detail: "told to fail".to_owned(),
                        charged: true,
                    };
                    Poll::Ready(Some(Err(error)))
                }
            },
        }
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        if !self.lines.is_empty() {
            self.dropped.fetch_add(1, Ordering::SeqCst);
        }
    }
}
