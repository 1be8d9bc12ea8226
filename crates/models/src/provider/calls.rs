//! The look-ups of a reply, put together from the pieces they come in.

use std::collections::VecDeque;

use mostrador_answer::message::{Block, Delta, Input, Request, ToolUse};
use serde_json::Value;

use super::reply::{Unread, too_long, wrong_shape};

/// The most look-ups of a reply: far more than a turn runs, and few enough to be searched one by one.
const MOST_CALLS: usize = 256;

/// The look-ups of a reply, as their parts come in.
#[derive(Debug)]
pub(super) struct Calls {
    /// The names of the calls in the exchange so far.
    taken: Vec<String>,
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
        let taken = blocks.filter_map(|block| match block {
            Block::ToolUse(call) => Some(call.id.clone()),
            _ => None,
        });
        Self { taken: taken.collect(), slots: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Enters a part. It belongs to the last look-up with its index, and without one to the last look-up. Another
    /// name of the call begins another look-up, since some servers give all of them one index; and so does a name of a
    /// look-up where there is no index.
    pub(super) fn enter(&mut self, part: &Part<'_>) -> Result<(), Unread> {
        let full = self.slots.len() >= MOST_CALLS;
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
            None if full => return Err(too_long()),
            None => self.slots.push(Slot {
                index: part.index,
                id: part.id.to_owned(),
                name: part.name.to_owned(),
                arguments: part.arguments.to_owned(),
            }),
        }
        Ok(())
    }

    /// Gives the look-ups, in the order in which they began, each with a name of its own: providers take no two calls of
    /// one name in an exchange, and not every server gives them such names.
    pub(super) fn give(&mut self, out: &mut VecDeque<Delta>) -> Result<(), Unread> {
        for slot in std::mem::take(&mut self.slots) {
            if slot.name.is_empty() {
                return Err(wrong_shape("the reply asks for a look-up without a name"));
            }
            let usable = !slot.id.is_empty() && !self.taken.contains(&slot.id);
            let id = if usable { slot.id } else { self.free_name() };
            self.taken.push(id.clone());
            out.push_back(Delta::ToolUse(ToolUse { id, name: slot.name, input: input(slot.arguments) }));
        }
        Ok(())
    }

    /// `call_` and the first number from that of this call on that is free.
    fn free_name(&self) -> String {
        let mut number = self.taken.len() + 1;
        loop {
            let name = format!("call_{number}");
            if !self.taken.contains(&name) {
                return name;
            }
            number += 1;
        }
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
