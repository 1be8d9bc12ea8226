//! Server-sent events from a provider: no bytes may panic, and the pieces they come in do not matter.
#![no_main]

use libfuzzer_sys::fuzz_target;

// The parser is no part of what the crate offers, so that it is read from its file.
#[path = "../../crates/models/src/provider/sse.rs"]
#[allow(dead_code)]
mod sse;

const MOST: usize = 4096;

type Read = (Vec<String>, Result<(), sse::BadStream>);

fn events<'b>(pieces: impl Iterator<Item = &'b [u8]>) -> Read {
    let mut parser = sse::Parser::new(MOST);
    let mut found = Vec::new();
    for piece in pieces {
        let read = parser.push::<sse::BadStream>(piece, |data| {
            found.push(data.to_owned());
            Ok(())
        });
        if read.is_err() {
            return (found, read);
        }
    }
    (found, Ok(()))
}

fuzz_target!(|input: (u8, &[u8])| {
    let (size, bytes) = input;
    let pieces = events(bytes.chunks(usize::from(size).max(1)));
    assert_eq!(pieces, events(bytes.chunks(1)));
});
