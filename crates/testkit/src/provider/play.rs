//! The steps of a reply as the bytes of a wire.

use super::step::Step;
use super::words::{messages_end, messages_step, openai_end, openai_step, whole_messages, whole_openai};

/// What goes over the wire next.
#[derive(Debug)]
pub(super) enum Piece {
    Bytes(Vec<u8>),
    Repeat(Vec<u8>, usize),
    Stall,
    Close,
}

/// The pieces of a reply; with `split` its bytes are cut anew.
pub(super) fn pieces(messages: bool, whole: bool, split: Option<usize>, steps: &[Step]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut open = Vec::new();
    if whole {
        let json = if messages { whole_messages(steps) } else { whole_openai(steps) };
        pieces.push(Piece::Bytes(json.to_string().into_bytes()));
    }
    for step in steps {
        match step {
            Step::Bytes(bytes) => pieces.push(Piece::Bytes(bytes.clone())),
            Step::Repeat(bytes, times) => pieces.push(Piece::Repeat(bytes.clone(), *times)),
            Step::Stall => pieces.push(Piece::Stall),
            Step::Close => pieces.push(Piece::Close),
            _ if whole => {}
            Step::End(reason, usage) => {
                let events = if messages {
                    messages_end(&mut open, *reason, *usage)
                } else {
                    openai_end(*reason, *usage)
                };
                pieces.extend(events.into_iter().map(|event| Piece::Bytes(event.into_bytes())));
            }
            other => {
                let events = if messages { messages_step(&mut open, other) } else { openai_step(other) };
                pieces.extend(events.into_iter().map(|event| Piece::Bytes(event.into_bytes())));
            }
        }
    }
    match split {
        Some(size) => pieces.into_iter().flat_map(|piece| cut(piece, size)).collect(),
        None => pieces,
    }
}

fn cut(piece: Piece, size: usize) -> Vec<Piece> {
    match piece {
        Piece::Bytes(bytes) => bytes.chunks(size.max(1)).map(|part| Piece::Bytes(part.to_vec())).collect(),
        other => vec![other],
    }
}
