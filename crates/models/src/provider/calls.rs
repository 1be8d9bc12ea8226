//! The look-ups of a reply, put together from the pieces they come in.

use std::collections::VecDeque;

use mostrador_answer::message::{Block, Delta, Input, Request, ToolUse};
use serde_json::Value;

use super::reply::{Unread, wrong_shape};

/// The look-ups of a reply, as their parts come in.
#[derive(Debug)]
pub(super) struct Calls {
    /// Look-ups asked for in the exchange so far.
    before: usize,
    slots: Vec<Slot>,
}

#[derive(Debug)]
struct Slot {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

/// A part of a look-up.
#[derive(Debug, Default)]
pub(super) struct Part<'a> {
    pub(super) index: Option<u64>,
    pub(super) id: &'a str,
    pub(super) name: &'a str,
    pub(super) arguments: &'a str,
}

impl Calls {
    /// The look-ups of a reply to `request`.
    pub(super) fn after(request: &Request) -> Self {
        let blocks = request.messages.iter().flat_map(|message| &message.content);
        let before = blocks.filter(|block| matches!(block, Block::ToolUse(_))).count();
        Self { before, slots: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Enters a part. It belongs to the last look-up with its index, and without one to the last look-up. Another
    /// name of the call begins another look-up, since some servers give all of them one index; and so does a name of a
    /// look-up where there is no index.
    pub(super) fn enter(&mut self, part: &Part<'_>) {
        let place = match part.index {
            Some(index) => self.slots.iter_mut().rev().find(|slot| slot.index == Some(index)),
            None => self.slots.last_mut(),
        };
        let begins = |slot: &Slot| {
            let other_id = !part.id.is_empty() && !slot.id.is_empty() && slot.id != part.id;
            other_id || (part.index.is_none() && !part.name.is_empty() && !slot.name.is_empty())
        };
        match place.filter(|slot| !begins(slot)) {
            Some(slot) => {
                if slot.id.is_empty() {
                    part.id.clone_into(&mut slot.id);
                }
                if slot.name.is_empty() {
                    part.name.clone_into(&mut slot.name);
                }
                slot.arguments.push_str(part.arguments);
            }
            None => self.slots.push(Slot {
                index: part.index,
                id: part.id.to_owned(),
                name: part.name.to_owned(),
                arguments: part.arguments.to_owned(),
            }),
        }
    }

    /// Gives the look-ups, in the order in which they began.
    pub(super) fn give(&mut self, out: &mut VecDeque<Delta>) -> Result<(), Unread> {
        let mut ids: Vec<String> = Vec::with_capacity(self.slots.len());
        for (at, slot) in self.slots.drain(..).enumerate() {
            if slot.name.is_empty() {
                return Err(wrong_shape("the reply asks for a look-up without a name"));
            }
            let usable = !slot.id.is_empty() && !ids.contains(&slot.id);
            let id = if usable { slot.id } else { format!("call_{}", self.before + at + 1) };
            ids.push(id.clone());
            out.push_back(Delta::ToolUse(ToolUse { id, name: slot.name, input: input(slot.arguments) }));
        }
        Ok(())
    }
}

/// The arguments of a look-up. What is no object is handed on as it came, so that the look-up answers that it does
/// not fit.
fn input(arguments: String) -> Input {
    if arguments.trim().is_empty() {
        return Input::new();
    }
    match serde_json::from_str(&arguments) {
        Ok(Value::Object(input)) => input,
        _ => Input::from_iter([("arguments".to_owned(), Value::String(arguments))]),
    }
}
