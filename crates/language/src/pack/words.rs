//! `words.toml` of a pack: what its words are made of, and which of them carry no content.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Deserializer};

use crate::normal::normalize;
use crate::stem::LightRules;
use crate::words::{Compounds, words};

/// What a language pack's `words.toml` holds.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Words {
    /// The Snowball algorithm's name, `light` for the pack's own rules, or `none`.
    pub(crate) stemmer: String,
    /// The rules of a `light` stemmer.
    #[serde(default)]
    pub(crate) light: LightRules,
    /// Letters of the normal form that the Snowball algorithm knows in another form.
    #[serde(default)]
    pub(crate) stemmer_letters: BTreeMap<char, char>,
    /// Beginnings of words that are replaced before the Snowball algorithm sees them, where three letters follow;
    /// in the letters that it knows.
    #[serde(default)]
    pub(crate) stemmer_prefixes: BTreeMap<String, String>,
    /// Endings likewise, where three letters stand before them.
    #[serde(default)]
    pub(crate) stemmer_endings: BTreeMap<String, String>,
    /// What compounds are made of.
    #[serde(default)]
    pub(crate) compounds: Compounds,
    /// In a script without spaces: words of content that hold a stop word.
    #[serde(default, deserialize_with = "in_normal_form")]
    pub(crate) kept_words: BTreeSet<String>,
    /// Words that carry no content, in normal form; a sentence that begins with a capital often begins with one.
    #[serde(deserialize_with = "in_normal_form")]
    pub(crate) stop_words: BTreeSet<String>,
    /// Abbreviations after which a sentence goes on, all of them without their last full stop.
    pub(crate) abbreviations: BTreeSet<String>,
    /// Those that go on before a number, and else are words (`No. 5`, `No.`).
    #[serde(default)]
    pub(crate) number_abbreviations: BTreeSet<String>,
    /// Endings of words that go on before a number (`Mozartstr. 14`).
    #[serde(default)]
    pub(crate) number_endings: Vec<String>,
    /// Those that end a sentence only where the next one begins with a stop word (`Inc.`, `Co.`).
    #[serde(default)]
    pub(crate) name_abbreviations: BTreeSet<String>,
    /// Those that end a sentence unless a small letter follows (`p.m.`, `etc.`).
    #[serde(default)]
    pub(crate) closing_abbreviations: BTreeSet<String>,
    /// Whether a full stop makes an ordinal of a number (`1. Oktober`).
    #[serde(default)]
    pub(crate) ordinal_stop: bool,
    /// Whether nouns have a capital in the middle of a sentence.
    #[serde(default)]
    pub(crate) capital_nouns: bool,
}

/// Packs are written in ordinary spelling. Where the normal form of an entry is more than one word (for a hyphen or
/// a zero-width non-joiner), its parts count, and so does what is written without the non-joiner.
fn in_normal_form<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeSet<String>, D::Error> {
    let mut normal = BTreeSet::new();
    for entry in Vec::<String>::deserialize(from)? {
        let entry = normalize(&entry);
        normal.extend(words(&entry).map(str::to_owned));
        if entry.contains(' ') {
            normal.insert(entry.replace(' ', ""));
        }
    }
    Ok(normal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Lang, Pack};

    #[test]
    fn what_follows_an_abbreviation_is_said_once() {
        for lang in Pack::languages() {
            let words = &Pack::of(lang).words;
            let mut seen = BTreeSet::new();
            let lists = [
                &words.abbreviations,
                &words.number_abbreviations,
                &words.name_abbreviations,
                &words.closing_abbreviations,
            ];
            for abbreviation in lists.into_iter().flatten() {
                assert!(seen.insert(abbreviation), "packs/{lang}/words.toml: {abbreviation}");
                assert!(!abbreviation.ends_with('.'), "packs/{lang}/words.toml: {abbreviation}");
            }
        }
    }

    #[test]
    fn lists_are_long_enough_for_what_customers_write_around_a_question() {
        for lang in Pack::languages() {
            let words = &Pack::of(lang).words;
            assert!(words.stop_words.len() >= 250, "packs/{lang}/words.toml: {}", words.stop_words.len());
        }
        assert_ne!(Pack::of(Lang::DE).words.stop_words, Pack::of(Lang::EN).words.stop_words);
    }

    #[test]
    fn entries_are_met_in_any_spelling_of_theirs() {
        let words: Words = toml::from_str(
            "stemmer = \"none\"\nabbreviations = []\nstop_words = [\"می\u{200C}خواهم\", \"Из-За\"]",
        )
        .unwrap();
        assert_eq!(words.stop_words.iter().collect::<Vec<_>>(), ["за", "из", "خواهم", "می", "میخواهم"]);
    }
}
