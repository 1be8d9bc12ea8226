//! The words of a question and of a passage, as they are compared.

use mostrador_language::{ContentWord, Pack, words};

/// A set of the question's terms, a bit each.
pub(crate) type Found = u64;

/// What a text holds: its content stems, and the signs that are too short for a stem (`37`, `XL`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Words {
    stems: Vec<String>,
    signs: Vec<String>,
}

impl Words {
    /// The words of a text.
    pub(crate) fn of(text: &str, pack: &Pack) -> Self {
        let signs = words(text).filter(|word| is_sign(word)).map(str::to_owned).collect();
        Self { stems: pack.content_stems(text), signs }
    }

    /// These and those of another text.
    #[must_use]
    pub(crate) fn and(mut self, other: &Words) -> Self {
        self.stems.extend_from_slice(&other.stems);
        self.signs.extend_from_slice(&other.signs);
        self
    }
}

/// One or two characters, with a digit among them or all capitals.
fn is_sign(word: &str) -> bool {
    let short = word.chars().nth(2).is_none();
    short && (word.chars().any(char::is_numeric) || word.chars().all(char::is_uppercase))
}

/// What is looked for.
#[derive(Debug)]
pub(crate) struct Terms {
    words: Vec<ContentWord>,
    signs: Vec<String>,
}

impl Terms {
    /// The terms of a question; beyond 64 of them the rest is left out.
    pub(crate) fn of(question: &str, pack: &Pack) -> Self {
        let mut content = pack.content_words(question);
        let Words { mut signs, .. } = Words::of(question, pack);
        // A question's first word has a capital for another reason.
        let first = words(question).next().filter(|word| !word.chars().any(char::is_numeric));
        let mut seen = Vec::new();
        signs.retain(|sign| {
            let new = Some(sign.as_str()) != first && !seen.contains(sign);
            seen.push(sign.clone());
            new
        });
        content.truncate(Found::BITS as usize);
        signs.truncate(Found::BITS as usize - content.len());
        Self { words: content, signs }
    }

    /// Which of them are among these words.
    pub(crate) fn found_in(&self, words: &Words) -> Found {
        let mut found = 0;
        for (at, word) in self.words.iter().enumerate() {
            if word.is_among(|stem| words.stems.iter().any(|there| there == stem)) {
                found |= 1 << at;
            }
        }
        for (at, sign) in self.signs.iter().enumerate() {
            if words.signs.contains(sign) {
                found |= 1 << (self.words.len() + at);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use mostrador_language::Lang;

    use super::*;

    #[test]
    fn short_signs_count_where_they_are_written_alike() {
        let terms = Terms::of("A lamp, size XL or 37, XL", Pack::of(Lang::EN));
        let found = |text| terms.found_in(&Words::of(text, Pack::of(Lang::EN))).count_ones();
        let counted =
            [("lamps", 1), ("XL", 1), ("xl", 0), ("37", 1), ("A", 0), ("size 37 XL lamp", 4), ("", 0)];
        for (text, count) in counted {
            assert_eq!(found(text), count, "{text}");
        }
    }

    #[test]
    fn a_compound_is_one_term_found_by_its_parts() {
        let terms = Terms::of("Versandkosten?", Pack::of(Lang::DE));
        let found = |text| terms.found_in(&Words::of(text, Pack::of(Lang::DE))).count_ones();
        for (text, count) in [("Die Kosten für den Versand", 1), ("Versandkosten", 1), ("Versand", 0)] {
            assert_eq!(found(text), count, "{text}");
        }
    }

    #[test]
    fn a_question_of_many_words_is_cut_at_the_bits_there_are() {
        let many: String = (100..300).map(|n| format!("word{n} {}{} ", n % 10, "K")).collect();
        let terms = Terms::of(&many, Pack::of(Lang::EN));
        assert_eq!(terms.found_in(&Words::of(&many, Pack::of(Lang::EN))).count_ones(), Found::BITS);
    }
}
