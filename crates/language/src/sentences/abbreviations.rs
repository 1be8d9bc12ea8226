//! What the word before a full stop says of it: abbreviations, initials, ordinals, labels.

use std::collections::{BTreeMap, BTreeSet};

use unicode_normalization::char::is_combining_mark;

use super::close::{Close, Strength};
use crate::normal::normalize;
use crate::pack::Words;

/// The longest word with what is written to it that is looked at, in characters.
const LONGEST_CHUNK: usize = 64;

/// How the sentences of one language are told apart.
#[derive(Debug)]
pub(crate) struct Abbreviations {
    /// Lower case, without spaces and without their last full stop.
    known: BTreeMap<String, Class>,
    /// The longest in characters.
    longest: usize,
    /// Words that often begin a sentence.
    starters: BTreeSet<String>,
    number_endings: Vec<String>,
    ordinals: bool,
    pub(super) capital_nouns: bool,
}

/// What may follow an abbreviation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Never the next sentence.
    GoesOn,
    /// Its number; else it is a word like any other.
    Number,
    /// The next sentence, where that begins with a word that often begins one.
    Either,
    /// The next sentence, unless a small letter follows.
    MayEnd,
}

/// An abbreviation at the end of a text.
struct Found {
    class: Class,
    letters: usize,
    /// Nothing stands before it.
    opening: bool,
}

impl Abbreviations {
    /// Prepares what a pack knows of its words.
    pub(crate) fn new(words: &Words) -> Self {
        let mut known = BTreeMap::new();
        let lists = [
            (&words.abbreviations, Class::GoesOn),
            (&words.number_abbreviations, Class::Number),
            (&words.name_abbreviations, Class::Either),
            (&words.closing_abbreviations, Class::MayEnd),
        ];
        for (list, class) in lists {
            for abbreviation in list {
                let squeezed: String = abbreviation
                    .chars()
                    .filter(|c| !c.is_whitespace())
                    .flat_map(char::to_lowercase)
                    .collect();
                // Its parts end in a full stop too: none of them ends a sentence.
                let inner = squeezed.match_indices('.').filter_map(|(at, _)| squeezed.get(..at));
                for part in inner {
                    known.entry(part.to_owned()).or_insert(Class::GoesOn);
                }
                known.insert(squeezed, class);
            }
        }
        let longest = known.keys().map(|one| one.chars().count()).max().unwrap_or_default();
        Self {
            known,
            longest,
            starters: words.stop_words.clone(),
            number_endings: words.number_endings.clone(),
            ordinals: words.ordinal_stop,
            capital_nouns: words.capital_nouns,
        }
    }

    /// Whether a word often begins a sentence.
    pub(super) fn starts(&self, word: &str) -> bool {
        self.starters.contains(&normalize(word))
    }

    /// Whether a word that a full stop follows is one of them.
    pub(super) fn knows(&self, word: &str) -> bool {
        self.known.contains_key(&word.to_lowercase())
    }

    /// A full stop behind `text`, the sentence so far.
    pub(super) fn full_stop(&self, text: &str) -> Close {
        let behind = text.char_indices().rev().find(|(_, c)| !is_word_char(*c));
        let start = behind.map_or(0, |(at, c)| at + c.len_utf8());
        let word = text.get(start..).unwrap_or_default();
        let before = text.get(..start).unwrap_or_default();
        let Some(first) = word.chars().next() else {
            let plain = text.ends_with([')', '”', '“', '"', '»']);
            return Close { plain, ..Close::new(Strength::Weak) };
        };
        let single = word.chars().nth(1).is_none();
        let short = word.len() <= 3 && word.chars().all(|c| c.is_ascii_digit());
        // The label of a list item is the first word of its sentence, dashes and asterisks aside.
        if (single || short) && !before.contains(char::is_alphanumeric) {
            return Close::new(Strength::Never);
        }
        let free = before.chars().next_back().is_none_or(|c| c.is_whitespace() || "(„“\"«".contains(c));
        if self.ordinals && short && word.len() <= 2 && free {
            return Close::new(Strength::Doubtful);
        }
        // An initial; a letter behind a degree sign is a unit.
        let initial = single && first.is_uppercase() && !before.ends_with(['°', '/', '%']);
        if !first.is_numeric()
            && let Some(Found { class, opening, .. }) =
                self.at_end(text).filter(|found| !initial || found.letters > 1)
        {
            return match class {
                Class::GoesOn => Close::new(Strength::Never),
                Class::Number => Close { numbered: !opening, ..Close::new(Strength::Weak) },
                Class::Either => Close::new(Strength::Doubtful),
                Class::MayEnd => Close::new(Strength::Weak),
            };
        }
        if initial {
            return Close::new(Strength::Doubtful);
        }
        self.plain_word(text, word)
    }

    fn plain_word(&self, text: &str, word: &str) -> Close {
        let mut chunk = text.char_indices().rev().take(LONGEST_CHUNK).take_while(|(_, c)| !c.is_whitespace());
        let Some(start) = chunk.by_ref().last().map(|(at, _)| at) else {
            return Close::new(Strength::Weak);
        };
        let chunk = text.get(start..).unwrap_or_default().trim_start_matches(|c: char| !c.is_alphanumeric());
        let whole = !chunk.contains(['.', '/', '@', ':', '_', '&']);
        if !whole && chunk.contains('.') && chunk.split('.').all(is_one_or_two_letters) {
            return Close::new(Strength::Doubtful);
        }
        let letters = word.chars().count();
        let small = word.chars().all(char::is_lowercase);
        let spelt =
            word.chars().all(char::is_alphabetic) && letters >= 3 && !word.chars().all(char::is_uppercase);
        let counted = letters >= 3 && chunk.contains(',') && word.chars().all(|c| c.is_ascii_digit());
        if self.number_endings.iter().any(|ending| word.ends_with(ending.as_str())) {
            return Close { numbered: true, ..Close::new(Strength::Weak) };
        }
        let strength = if whole && small && letters >= 4 { Strength::Strong } else { Strength::Weak };
        Close { plain: whole && (spelt || counted), ..Close::new(strength) }
    }

    /// The longest of them that `text` ends in, as whole words; spaces between its parts may be left out.
    fn at_end(&self, text: &str) -> Option<Found> {
        // Read backwards, and never further than the longest, so that a full stop costs the same anywhere.
        let mut tail: Vec<char> = Vec::new();
        let mut found = None;
        let mut before = text.chars().rev().peekable();
        while let Some(c) = before.next() {
            if !(is_word_char(c) || c.is_whitespace() || c == '.' || c == '-') {
                break;
            }
            if !c.is_whitespace() {
                tail.extend(c.to_lowercase());
            }
            if tail.len() > self.longest {
                break;
            }
            let starts_word = is_word_char(c) && !before.peek().is_some_and(|c| is_word_char(*c));
            if starts_word && let Some(class) = self.known.get(&tail.iter().rev().collect::<String>()) {
                found = Some(Found { class: *class, letters: tail.len(), opening: before.peek().is_none() });
            }
        }
        found
    }
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '°' | 'º' | 'ª') || (!c.is_ascii() && is_combining_mark(c))
}

fn is_one_or_two_letters(part: &str) -> bool {
    !part.is_empty() && part.chars().nth(2).is_none() && part.chars().all(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviations_are_found_as_whole_words() {
        let words = Words {
            abbreviations: ["sr".to_owned(), "p. ej".to_owned(), "n.º".to_owned()].into(),
            closing_abbreviations: ["ej".to_owned()].into(),
            ..Words::default()
        };
        let abbreviations = Abbreviations::new(&words);
        let class = |text| abbreviations.at_end(text).map(|found| found.class);
        for text in ["El Sr", "sr", "(sr", "p. ej", "Como p.ej", "p.  ej", "P", "n.º"] {
            assert_eq!(class(text), Some(Class::GoesOn), "{text}");
        }
        assert_eq!(class("ej"), Some(Class::MayEnd));
        for text in ["israsr", "sr€", "sr.", "", "msr"] {
            assert_eq!(class(text), None, "{text}");
        }
    }
}
