//! Words, and the one analysis of a text that search, coverage and grounding share.

use std::collections::BTreeSet;
use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

use crate::normal::{is_dropped, normalize};
use crate::pack::Pack;

/// A word of a text, analysed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// The word in its normal form.
    pub word: String,
    /// Its stem; the word itself where the language has no stemmer or the word holds a digit.
    pub stem: String,
    /// Whether the language pack lists it among the words that carry no content.
    pub stop: bool,
    /// Where it stands in the original text, in bytes.
    pub span: Range<usize>,
}

/// The words of a text as they are written, in order: maximal runs of letters and numbers.
///
/// Accents written as characters of their own, and invisible characters, belong to the word
/// that they stand in.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    spans(text).filter_map(|span| text.get(span))
}

fn spans(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut chars = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (start, first) = chars.find(|(_, c)| is_word_char(*c))?;
        let mut end = start + first.len_utf8();
        while let Some((at, c)) = chars.next_if(|(_, c)| is_word_char(*c) || is_joined(*c)) {
            // An invisible character at the end of a word is not part of it.
            if !is_dropped(c) {
                end = at + c.len_utf8();
            }
        }
        Some(start..end)
    })
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() && !is_dropped(c)
}

fn is_joined(c: char) -> bool {
    !c.is_ascii() && (is_combining_mark(c) || is_dropped(c))
}

impl Pack {
    /// The words of a text in order, each with its normal form, its stem, and whether it carries content.
    #[must_use]
    pub fn analyse(&self, text: &str) -> Vec<Token> {
        let token = |span: Range<usize>| {
            let word = normalize(text.get(span.clone())?);
            if word.is_empty() {
                // A vowel mark standing alone, in its Arabic presentation form, counts as a letter.
                return None;
            }
            let stop = self.words.stop_words.contains(&word);
            let stem = self.stemmer.stem(&word);
            Some(Token { word, stem, stop, span })
        };
        spans(text).filter_map(token).collect()
    }

    /// The distinct stems of a text's content words, sorted.
    ///
    /// A content word has three letters or digits or more and is no stop word.
    #[must_use]
    pub fn content_stems(&self, text: &str) -> Vec<String> {
        let counts = |token: &Token| {
            !token.stop
                && token.word.chars().filter(|c| c.is_alphanumeric()).nth(FEWEST_LETTERS - 1).is_some()
        };
        let tokens = self.analyse(text).into_iter().filter(counts);
        tokens.map(|token| token.stem).collect::<BTreeSet<_>>().into_iter().collect()
    }
}

const FEWEST_LETTERS: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lang;
    use proptest::prelude::*;

    #[test]
    fn words_are_runs_of_letters_and_numbers() {
        for (text, expected) in [
            ("¿Cuánto cuesta? 3.50 €", vec!["Cuánto", "cuesta", "3", "50"]),
            ("e-mail: a_b@c.es", vec!["e", "mail", "a", "b", "c", "es"]),
            ("devolucio\u{301}n.", vec!["devolucio\u{301}n"]),
            ("en\u{AD}vío\u{200B} ya", vec!["en\u{AD}vío", "ya"]),
            ("हिन्दी", vec!["हिन्दी"]),
            ("", vec![]),
            ("\u{301} — \u{3164}", vec![]),
        ] {
            assert_eq!(words(text).collect::<Vec<_>>(), expected, "{text:?}");
        }
    }

    #[test]
    fn content_stems_leave_out_stop_words_and_short_words() {
        assert_eq!(
            Pack::of(Lang::ES).content_stems("¿Cuánto cuesta el envío de 2 kg a Palma?"),
            ["cuest", "envi", "palm"]
        );
        assert_eq!(Pack::of(Lang::BG).content_stems("поръчка 1042, поръчки, 42"), ["1042", "поръчк"]);
        assert_eq!(Pack::of(Lang::EN).content_stems("the and of"), Vec::<String>::new());
    }

    #[test]
    fn a_language_without_a_pack_is_analysed_plainly() {
        let tokens = Pack::of("xx".parse().unwrap()).analyse("The Orders");
        let expected = [("the", 0..3), ("orders", 4..10)];
        for (token, (word, span)) in tokens.iter().zip(expected) {
            let plain = Token { word: word.to_owned(), stem: word.to_owned(), stop: false, span };
            assert_eq!(*token, plain);
        }
        assert_eq!(tokens.len(), 2);
    }

    #[test]
    fn nothing_is_no_word() {
        assert_eq!(words("\u{FE70} ").count(), 1);
        assert_eq!(Pack::of(Lang::ES).analyse("\u{FE70} "), []);
    }

    #[test]
    fn stop_words_of_every_pack_can_be_met() {
        for lang in Pack::languages() {
            for word in &Pack::builtin(lang).unwrap().words.stop_words {
                let tokens = Pack::of(lang).analyse(word);
                assert!(tokens.len() == 1 && tokens[0].stop, "packs/{lang}/words.toml: {word:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn spans_show_where_the_words_are(text in any::<String>()) {
            for lang in [Lang::EN, Lang::ES, Lang::BG] {
                let mut last = 0;
                for token in Pack::of(lang).analyse(&text) {
                    prop_assert!(token.span.start >= last && !token.word.is_empty() && !token.stem.is_empty());
                    prop_assert_eq!(&token.word, &normalize(&text[token.span.clone()]));
                    last = token.span.end;
                }
            }
        }

        #[test]
        fn words_in_normal_form_are_the_words_of_the_normal_form(text in "[a-zA-ZñáéíóúÑа-яА-Я0-9 .,\u{AD}\u{301}-]{0,60}") {
            let normal = normalize(&text);
            let before: Vec<String> = words(&text).map(normalize).collect();
            prop_assert_eq!(before, words(&normal).map(str::to_owned).collect::<Vec<_>>());
        }
    }
}
