//! However a text arrives, its sentences are the same, and together they are the text.

use mostrador_language::{Lang, Pack, SentenceStream};
use proptest::prelude::*;

/// Texts full of what makes sentences hard.
fn hard_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[.!?…。؟।]{1,3}",
        "[ \n\r\t\u{A0}]{1,2}",
        "[()\\[\\]{}«»„“”\"'’*_]",
        "[A-Za-zñА-Яа-я]{1,5}",
        "[0-9]{1,4}",
        prop::sample::select(vec![
            " [returns#1]",
            "[2]",
            "[a#1, b#2] ",
            " [Note",
            "Sr. ",
            "p. ej. ",
            "ул. ",
            "3.50 €",
            "https://a.b?c=d",
            "1. ",
            " 2. ",
            "b) ",
            " • ",
            ",,",
            " 'x",
            " . . .",
            " -- ",
            "U.S. ",
            "No. 5",
            " \nx",
            "word.Next",
            "退款。",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

fn in_pieces(text: &str, lang: Lang, lengths: &[usize]) -> Vec<String> {
    let mut stream = SentenceStream::new(Pack::of(lang));
    let mut found = Vec::new();
    let mut chars = text.chars();
    let mut lengths = lengths.iter().cycle();
    loop {
        let piece: String = chars.by_ref().take(*lengths.next().unwrap_or(&1)).collect();
        if piece.is_empty() {
            break;
        }
        found.extend(stream.push(&piece));
    }
    found.extend(stream.finish());
    found
}

fn check(text: &str, lengths: &[usize]) -> Result<(), TestCaseError> {
    for lang in [Lang::EN, Lang::DE, Lang::BG, Lang::ZH] {
        let whole = Pack::of(lang).sentences(text);
        prop_assert_eq!(whole.concat(), text);
        prop_assert!(whole.iter().all(|sentence| !sentence.is_empty()));
        prop_assert_eq!(in_pieces(text, lang, lengths), whole);
    }
    Ok(())
}

proptest! {
    #[test]
    fn hard_texts(text in hard_text(), lengths in prop::collection::vec(1_usize..9, 1..6)) {
        check(&text, &lengths)?;
    }

    #[test]
    fn any_text(text in any::<String>(), lengths in prop::collection::vec(1_usize..9, 1..6)) {
        check(&text, &lengths)?;
    }

    /// A sentence stands by itself: cut again, nothing of it comes apart in front of its end.
    #[test]
    fn a_new_sentence_begins_with_text(text in hard_text()) {
        let found = Pack::of(Lang::EN).sentences(&text);
        for sentence in found.iter().skip(1) {
            prop_assert!(!sentence.starts_with(char::is_whitespace), "{sentence:?}");
        }
    }
}

/// Were any of these looked at again and again from the start, this test would take hours.
#[test]
fn a_long_text_takes_as_long_as_it_is() {
    let size = 1_000_000;
    let units = [
        "x",
        "(",
        "[",
        ".",
        "a.",
        "1.",
        "a. [b",
        "\"",
        "Sr. ",
        "p. ",
        ". [",
        "a.[b#",
        " ",
        "\n",
        "… ",
        "U.S. A",
        "word.B",
        "word.Bc.",
        "a. -- ",
        "1. a 2. ",
        "1) ",
        "' ",
        ". . . . A",
        " \na",
        "•",
        "退款",
        "A. B",
        "x ' ",
    ];
    for unit in units {
        let text = unit.repeat(size / unit.len());
        assert_eq!(Pack::of(Lang::ES).sentences(&text).concat(), text, "{unit:?}");
    }
}
