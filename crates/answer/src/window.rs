//! Window: a dialogue that outgrows the model's context loses its oldest rounds, with a mark; never the newest.

use crate::budget::{OVERHEAD, input_bound};
use crate::message::{Block, Message, Request, Role};
use crate::money::Usage;

/// Leaves out the oldest rounds of look-ups and results until the next call is at most `room` tokens, and marks it
/// in the first message, before the question. Gives how many were left out.
///
/// The next call is taken to be what the last one was (`last`, in and out) and one token a byte of the results since.
/// The first message, with documents and question, stays, and so does the newest round.
pub(crate) fn fit(request: &mut Request, last: Usage, room: u64) -> u32 {
    let newest = request.messages.last().map_or(0, size);
    let sent = input_bound(request).saturating_sub(newest).max(1);
    let mut next = last.input_tokens.saturating_add(last.output_tokens).saturating_add(newest);
    let mut omitted = 0;
    // The first message, the round in question, and a newer one behind it.
    while next > room && request.messages.len() >= 5 {
        let round: Vec<Message> = request.messages.drain(1..3).collect();
        // In tokens as the provider counts them, of which there are fewer than bytes.
        let bytes: u64 = round.iter().map(size).sum();
        next = next.saturating_sub(bytes.saturating_mul(last.input_tokens.min(sent)) / sent);
        omitted += 1;
    }
    if omitted > 0 {
        mark(request, omitted);
    }
    omitted
}

fn size(message: &Message) -> u64 {
    message.content.iter().map(|block| block.text().len() as u64 + OVERHEAD).sum()
}

fn mark(request: &mut Request, omitted: u32) {
    let Some(first) = request.messages.first_mut().filter(|message| message.role == Role::User) else {
        return;
    };
    let before = first.content.iter_mut().find_map(|block| match block {
        Block::Omitted(rounds) => Some(rounds),
        _ => None,
    });
    match before {
        Some(rounds) => *rounds = rounds.saturating_add(omitted),
        None => first.content.insert(first.content.len().saturating_sub(1), Block::Omitted(omitted)),
    }
}

#[cfg(test)]
mod tests {
    use mostrador_language::Lang;

    use super::*;
    use crate::message::{Outcome, ToolResult, ToolUse};

    fn request(results: &[usize]) -> Request {
        let mut messages =
            vec![Message { role: Role::User, content: vec![Block::Text("question".to_owned())] }];
        for (at, size) in results.iter().enumerate() {
            let id = format!("call_{at}");
            let call = ToolUse { id: id.clone(), name: "t".to_owned(), input: serde_json::Map::new() };
            let result = ToolResult { tool_use_id: id, content: "x".repeat(*size), outcome: Outcome::Found };
            messages.push(Message { role: Role::Assistant, content: vec![Block::ToolUse(call)] });
            messages.push(Message { role: Role::User, content: vec![Block::ToolResult(result)] });
        }
        Request {
            system: String::new(),
            messages,
            tools: Vec::new(),
            max_output_tokens: 10,
            language: Lang::EN,
            reading: Lang::EN,
            overview: false,
            output_schema: None,
        }
    }

    #[test]
    fn the_oldest_rounds_go_and_leave_a_mark_before_the_question() {
        let mut full = request(&[500, 500, 500]);
        assert_eq!(fit(&mut full, Usage::new(1_200, 10), 1_300), 1);
        assert_eq!(full.messages.len(), 5);
        assert_eq!(full.messages[0].content[0].text(), "<omitted rounds=\"1\"/>");
        assert_eq!(full.messages[0].content[1].text(), "question");
        let again = fit(&mut full, Usage::new(1_200, 10), 700);
        assert_eq!((again, full.messages.len()), (1, 3));
        assert_eq!(full.messages[0].content[0].text(), "<omitted rounds=\"2\"/>");
    }

    #[test]
    fn a_round_is_taken_off_in_tokens_and_not_in_bytes() {
        let mut full = request(&[400, 400, 400, 400]);
        // About four bytes a token: a round of 434 bytes was 108 tokens.
        assert_eq!(fit(&mut full, Usage::new(340, 0), 600), 2);
    }

    #[test]
    fn the_newest_round_stays_however_large_and_what_fits_is_left_alone() {
        let mut one = request(&[5_000]);
        assert_eq!(fit(&mut one, Usage::new(100, 10), 10), 0);
        assert_eq!(one, request(&[5_000]));
        let mut small = request(&[5, 5, 5]);
        assert_eq!(fit(&mut small, Usage::new(100, 10), 1_000), 0);
        assert_eq!(small, request(&[5, 5, 5]));
    }
}
