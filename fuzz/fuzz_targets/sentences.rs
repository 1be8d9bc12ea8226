//! However a text is cut into pieces, its sentences are the same, and joined they are the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mostrador_language::{Pack, SentenceStream};

fuzz_target!(|input: (u8, u8, &str)| {
    let (which, size, text) = input;
    let langs: Vec<_> = Pack::languages().collect();
    let pack = Pack::of(langs[usize::from(which) % langs.len()]);
    let whole = pack.sentences(text);
    assert_eq!(whole.concat(), text);
    let mut stream = SentenceStream::new(pack);
    let mut sentences = Vec::new();
    let mut piece = String::new();
    for c in text.chars() {
        piece.push(c);
        if piece.len() > usize::from(size) {
            sentences.extend(stream.push(&piece));
            piece.clear();
        }
    }
    sentences.extend(stream.push(&piece));
    sentences.extend(stream.finish());
    assert_eq!(sentences, whole);
});
