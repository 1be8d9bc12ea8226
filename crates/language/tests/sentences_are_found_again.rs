//! Sentences of each language, joined in any order, are found again where they were joined.

use mostrador_language::{Lang, Pack, SentenceStream};
use proptest::prelude::*;

const SENTENCES: [(Lang, &str); 11] = [
    (Lang::EN, include_str!("sentences/en.txt")),
    (Lang::ES, include_str!("sentences/es.txt")),
    (Lang::BG, include_str!("sentences/bg.txt")),
    (Lang::PT, include_str!("sentences/pt.txt")),
    (Lang::FR, include_str!("sentences/fr.txt")),
    (Lang::DE, include_str!("sentences/de.txt")),
    (Lang::RU, include_str!("sentences/ru.txt")),
    (Lang::AR, include_str!("sentences/ar.txt")),
    (Lang::FA, include_str!("sentences/fa.txt")),
    (Lang::HI, include_str!("sentences/hi.txt")),
    (Lang::ZH, include_str!("sentences/zh.txt")),
];

/// Every sentence before every other, which holds all that one boundary can be.
#[test]
fn any_two_sentences_are_found_again() {
    let mut lost = Vec::new();
    for (lang, listed) in SENTENCES {
        let sentences: Vec<&str> = listed.lines().collect();
        assert!(sentences.len() >= 30, "{lang}");
        for one in &sentences {
            for other in &sentences {
                let found = Pack::of(lang).sentences(&format!("{one} {other}"));
                if found.iter().map(|sentence| sentence.trim()).ne([*one, *other]) {
                    lost.push(found);
                }
            }
        }
    }
    assert!(lost.is_empty(), "{} lost: {:#?}", lost.len(), lost.iter().step_by(9).collect::<Vec<_>>());
}

proptest! {
    #[test]
    fn many_sentences_are_found_again_in_any_pieces(
        lang in 0..SENTENCES.len(),
        chosen in prop::collection::vec(any::<prop::sample::Index>(), 1..40),
        length in 1_usize..50,
    ) {
        let (lang, listed) = SENTENCES[lang];
        let listed: Vec<&str> = listed.lines().collect();
        let sentences: Vec<&str> = chosen.iter().map(|index| listed[index.index(listed.len())]).collect();
        let letters: Vec<char> = sentences.join(" ").chars().collect();
        let mut stream = SentenceStream::new(Pack::of(lang));
        let mut found: Vec<String> =
            letters.chunks(length).flat_map(|piece| stream.push(&piece.iter().collect::<String>())).collect();
        found.extend(stream.finish());
        prop_assert_eq!(found.iter().map(|sentence| sentence.trim()).collect::<Vec<_>>(), sentences);
    }
}
