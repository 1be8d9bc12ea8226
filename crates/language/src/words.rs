//! Words, and the one analysis of a text that search, coverage and grounding share.

mod compounds;
mod han;

use std::collections::BTreeMap;
use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

use crate::normal::{is_dropped, normalize};
use crate::pack::Pack;

pub(crate) use compounds::Compounds;
pub(crate) use han::is_unspaced;

/// A word of a text, analysed.
///
/// In scripts without spaces (Han, Kana) two neighbouring characters are a word, so that spans overlap there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// The word in its normal form.
    pub word: String,
    /// Its stem; the word itself where the language has no stemmer or the word holds a digit.
    pub stem: String,
    /// The stems of its parts, where it is a compound; a stop word has none.
    pub parts: Vec<String>,
    /// Whether the language pack lists it among the words that carry no content.
    pub stop: bool,
    /// Where it stands in the original text, in bytes.
    pub span: Range<usize>,
}

/// A word that carries content: its stem, and those of its parts where it is a compound.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContentWord {
    /// The stem of the whole.
    pub stem: String,
    /// The stems of the parts; empty where it is no compound.
    pub parts: Vec<String>,
}

impl ContentWord {
    /// Whether the word is said where these stems stand: as a whole, or by all of its parts.
    #[must_use]
    pub fn is_among(&self, has: impl Fn(&str) -> bool) -> bool {
        has(&self.stem) || (!self.parts.is_empty() && self.parts.iter().all(|part| has(part)))
    }

    /// The stem of the whole, and those of the parts.
    pub fn stems(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.stem.as_str()).chain(self.parts.iter().map(String::as_str))
    }
}

/// The words of a text as they are written, in order: maximal runs of letters and numbers, of scripts with spaces
/// and of scripts without apart.
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
        let unspaced = is_unspaced(first);
        while let Some((at, c)) =
            chars.next_if(|(_, c)| is_joined(*c) || (is_word_char(*c) && is_unspaced(*c) == unspaced))
        {
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

impl Token {
    fn carries_content(&self) -> bool {
        let fewest = if self.word.contains(is_unspaced) { FEWEST_CHARACTERS } else { FEWEST_LETTERS };
        !self.stop && self.word.chars().filter(|c| c.is_alphanumeric()).nth(fewest - 1).is_some()
    }
}

impl Pack {
    /// The words of a text in order, each with its normal form, its stem, and whether it carries content.
    #[must_use]
    pub fn analyse(&self, text: &str) -> Vec<Token> {
        let mut tokens = Vec::new();
        for span in spans(text) {
            let written = text.get(span.clone()).unwrap_or_default();
            if written.starts_with(is_unspaced) {
                self.unspaced(text, span, &mut tokens);
            } else {
                tokens.extend(self.token(written, span));
            }
        }
        tokens
    }

    fn token(&self, written: &str, span: Range<usize>) -> Option<Token> {
        let word = normalize(written);
        if word.is_empty() {
            // A vowel mark standing alone, in its Arabic presentation form, counts as a letter.
            return None;
        }
        let stop = self.words.stop_words.contains(&word);
        let stem = self.stemmer.stem(&word);
        let parts = if stop { Vec::new() } else { self.words.compounds.split(&word) };
        let parts = parts.into_iter().map(|part| self.stemmer.stem(part)).collect();
        Some(Token { word, stem, parts, stop, span })
    }

    /// The terms a text is indexed by and searched for, in order, repeats included: the stem of every word
    /// that is no stop word, followed by those of its parts. Shorter words than content words count too, since
    /// a size or a number of two digits tells passages apart; single letters do not.
    ///
    /// In scripts without spaces each character is a term beside the pairs: a pair can be written in two words, and
    /// both lengths together find more than either (Kwok 1997, "Comparing Representations in Chinese
    /// Information Retrieval").
    #[must_use]
    pub fn index_terms(&self, text: &str) -> Vec<String> {
        let mut terms = Vec::new();
        let mut end = 0;
        for token in self.analyse(text).into_iter().filter(|token| !token.stop) {
            let longer = token.word.chars().nth(1).is_some();
            if token.word.contains(is_unspaced) {
                // A pair that begins inside the one before shares a character with it.
                let shared = usize::from(token.span.start < end);
                terms.extend(token.word.chars().skip(shared).map(String::from));
                end = token.span.end;
                terms.extend(longer.then_some(token.stem));
            } else if longer || is_number(&token.word) {
                terms.push(token.stem);
                terms.extend(token.parts);
            }
        }
        terms
    }

    /// Whether nouns have a capital in the middle of a sentence, so that a capital tells no name.
    #[must_use]
    pub fn capital_nouns(&self) -> bool {
        self.words.capital_nouns
    }

    /// The distinct content words of a text, sorted by stem.
    ///
    /// A content word has three letters or digits or more, two characters in a script without spaces, and is no
    /// stop word.
    #[must_use]
    pub fn content_words(&self, text: &str) -> Vec<ContentWord> {
        let tokens = self.analyse(text).into_iter().filter(Token::carries_content);
        let distinct: BTreeMap<_, _> = tokens.map(|token| (token.stem, token.parts)).collect();
        distinct.into_iter().map(|(stem, parts)| ContentWord { stem, parts }).collect()
    }

    /// The distinct stems of a text's content words and of their parts, sorted: what is searched, and searched for.
    #[must_use]
    pub fn content_stems(&self, text: &str) -> Vec<String> {
        let words = self.content_words(text);
        let mut stems: Vec<String> =
            words.into_iter().flat_map(|word| std::iter::once(word.stem).chain(word.parts)).collect();
        stems.sort_unstable();
        stems.dedup();
        stems
    }
}

fn is_number(word: &str) -> bool {
    word.chars().all(char::is_numeric)
}

const FEWEST_LETTERS: usize = 3;

/// In a script without spaces.
const FEWEST_CHARACTERS: usize = 2;

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
    fn index_terms_keep_repeats_and_short_numbers() {
        let pack = Pack::of(Lang::ES);
        assert_eq!(pack.index_terms("Talla 42, o 8 b: la talla M8"), ["tall", "42", "8", "tall", "m8"]);
        assert_eq!(Pack::of(Lang::DE).index_terms("Versandkosten"), ["versandkost", "versand", "kost"]);
        assert_eq!(
            Pack::of(Lang::ZH).index_terms("会员价格"),
            ["会", "员", "会员", "价", "员价", "格", "价格"]
        );
        assert_eq!(Pack::of(Lang::ZH).index_terms("我要退款吗 7天"), ["退", "款", "退款", "7", "天"]);
    }

    /// "Rückgabe" must be found in "Rückgaberecht", and "Versandkosten" in what says the same in two words.
    #[test]
    fn compounds_are_found_by_their_parts_and_counted_as_one_word() {
        let german = Pack::of(Lang::DE);
        let passage =
            german.content_stems("Das Rückgaberecht gilt 14 Tage. Die Kosten für den Versand tragen wir.");
        let has = |stem: &str| passage.iter().any(|there| there == stem);
        for question in ["Rückgabe?", "Wie hoch sind die Versandkosten?", "Rückgaberecht", "Recht"] {
            let words: Vec<_> = german.content_words(question);
            assert!(words.last().unwrap().is_among(has), "{question} {words:?} {passage:?}");
        }
        for question in ["Lieferkosten", "Rückgabefrist", "Garantie"] {
            let words = german.content_words(question);
            assert_eq!(words.len(), 1, "{words:?}");
            assert!(!words[0].is_among(has), "{question}");
        }
    }

    #[test]
    fn a_language_without_a_pack_is_analysed_plainly() {
        let tokens = Pack::of("xx".parse().unwrap()).analyse("The Orders");
        let expected = [("the", 0..3), ("orders", 4..10)];
        for (token, (word, span)) in tokens.iter().zip(expected) {
            let plain =
                Token { word: word.to_owned(), stem: word.to_owned(), parts: vec![], stop: false, span };
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
            for lang in [Lang::EN, Lang::DE, Lang::ZH] {
                let mut last = 0;
                for token in Pack::of(lang).analyse(&text) {
                    prop_assert!(token.span.start >= last && !token.word.is_empty() && !token.stem.is_empty());
                    prop_assert_eq!(&token.word, &normalize(&text[token.span.clone()]));
                    last = token.span.start;
                }
            }
        }

        /// Letters that stand alone or in a word of mixed scripts are read together by the normal form of a whole text.
        #[test]
        fn words_in_normal_form_are_the_words_of_the_normal_form(
            text in "(([a-zñáéA-ZÑ]{2,6}\u{AD}?[a-z]{0,3}|[а-яА-Я]{2,8}|[0-9]{2,5})[ .,-]{1,2}){0,8}"
        ) {
            let normal = normalize(&text);
            let before: Vec<String> = words(&text).map(normalize).collect();
            prop_assert_eq!(before, words(&normal).map(str::to_owned).collect::<Vec<_>>());
        }
    }
}
