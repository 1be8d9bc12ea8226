//! What a model that is no model sees of a call: question, context, documents, results.

use mostrador_answer::message::{Block, MarkedDocument, Message, Request, ToolResult};

/// A request, read once.
#[derive(Debug)]
pub(crate) struct Exchange<'a> {
    /// The request itself.
    pub(crate) request: &'a Request,
    /// The last block of the first message.
    pub(crate) question: String,
    /// Which of several things named before is meant, as the model is told.
    pub(crate) item: Option<String>,
    /// The documents of the first message, in order.
    pub(crate) documents: Vec<&'a MarkedDocument>,
    /// The results in the last message, in order.
    pub(crate) results: Vec<&'a ToolResult>,
    /// Messages so far in which look-ups were asked for.
    pub(crate) rounds: u64,
    /// Look-ups asked for so far.
    pub(crate) uses: usize,
}

impl<'a> Exchange<'a> {
    pub(crate) fn of(request: &'a Request) -> Self {
        let first: &[Block] = request.messages.first().map_or(&[], |message| &message.content);
        let last: &[Block] = request.messages.last().map_or(&[], |message| &message.content);
        let documents = first.iter().filter_map(|block| match block {
            Block::Documents(documents) => Some(documents),
            _ => None,
        });
        let results = last.iter().filter_map(|block| match block {
            Block::ToolResult(result) => Some(result),
            _ => None,
        });
        let asked: Vec<usize> = request.messages.iter().map(uses).collect();
        Self {
            request,
            item: first.iter().find_map(|block| match block {
                Block::Item(title) => Some(title.clone()),
                _ => None,
            }),
            question: first.last().map(Block::text).unwrap_or_default(),
            documents: documents.flatten().collect(),
            results: results.collect(),
            rounds: asked.iter().filter(|uses| **uses > 0).count() as u64,
            uses: asked.iter().sum(),
        }
    }

    /// The text of the first block of the first message: the documents, or else the question.
    pub(crate) fn context(&self) -> String {
        let first = self.request.messages.first().and_then(|message| message.content.first());
        first.map(Block::text).unwrap_or_default()
    }

    /// The result the last message begins with, if it begins with one.
    pub(crate) fn last_result(&self) -> Option<&'a ToolResult> {
        match self.request.messages.last()?.content.first()? {
            Block::ToolResult(result) => Some(result),
            _ => None,
        }
    }

    /// The name of the `n`-th look-up (from 0) of this reply. It counts on from what the exchange holds,
    /// so that the same request always gets the same names.
    pub(crate) fn call_id(&self, n: usize) -> String {
        format!("call_{}", self.uses + n + 1)
    }
}

fn uses(message: &Message) -> usize {
    message.content.iter().filter(|block| matches!(block, Block::ToolUse(_))).count()
}
