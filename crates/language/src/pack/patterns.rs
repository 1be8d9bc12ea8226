//! `patterns.toml` of a pack: questions that are refused or delicate, questions for the records, and promises.

use regex::Regex;
use serde::{Deserialize, Serialize};

use crate::delicate::Delicate;
use crate::phrases::{BadPhrase, Phrases};
use crate::plain::{bare, is_han};
use crate::promises::Family;
use crate::refusal::Category;

/// What a language pack's `patterns.toml` holds.
///
/// Lists are written as people write; both they and the question are compared without case, accents
/// and punctuation. The signs of a phrase:
///
/// - `(a|b c|d)`: one of these; with an empty one, `(please|)`, nothing as well.
/// - `*` standing alone: up to five words, or characters of Chinese, inside one sentence.
/// - `instruct*`, `*ruct`, `*struct*`: a word that begins, ends, goes on in any way. In Chinese,
///   which writes no spaces, everything may go on.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Patterns {
    /// Questions the assistant never answers, by category.
    #[serde(default)]
    pub(crate) refusal: Refusal,
    /// Questions for what is new or for all there is, which the dated records answer.
    #[serde(default)]
    pub(crate) overview: Phrasing,
    /// Questions about the person whose site it is.
    #[serde(default)]
    pub(crate) owner: Phrasing,
    /// What the name of that person may be read as.
    #[serde(default)]
    pub(crate) names: Names,
    /// What only a person of the shop may promise, by family.
    #[serde(default)]
    pub(crate) promises: Promised,
    /// Questions whose answer is shown as a whole, by what makes them delicate.
    #[serde(default)]
    pub(crate) delicate: DelicateOnes,
    /// Words that point to one of several things named before.
    #[serde(default)]
    pub(crate) ordinals: Vec<Ordinal>,
}

/// Questions the assistant never answers, by category; [`crate::Category`] says what each is.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Refusal {
    pub(crate) terms: Phrasing,
    pub(crate) private: Phrasing,
    pub(crate) speculation: Phrasing,
    pub(crate) instructions: Phrasing,
    pub(crate) tasks: Phrasing,
}

impl Refusal {
    /// Every category with its phrasing.
    pub(crate) fn by_category(&self) -> [(Category, &Phrasing); 5] {
        [
            (Category::Terms, &self.terms),
            (Category::Private, &self.private),
            (Category::Speculation, &self.speculation),
            (Category::Instructions, &self.instructions),
            (Category::Tasks, &self.tasks),
        ]
    }
}

/// What the name of the person whose site it is may be read as.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Names {
    /// Pairs of what stands there, with `~` for the name and `#` for any one word, and of how it is read.
    pub(crate) read_as: Vec<[String; 2]>,
}

/// What only a person of the shop may promise; [`crate::Family`] says what each is.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Promised {
    pub(crate) money: Phrasing,
    pub(crate) discount: Phrasing,
    pub(crate) done: Phrasing,
    pub(crate) state: Phrasing,
    pub(crate) handoff: Phrasing,
}

impl Promised {
    /// Every family with its phrasing.
    pub(crate) fn by_family(&self) -> [(Family, &Phrasing); 5] {
        [
            (Family::Money, &self.money),
            (Family::Discount, &self.discount),
            (Family::Done, &self.done),
            (Family::State, &self.state),
            (Family::Handoff, &self.handoff),
        ]
    }
}

/// Ways to say a thing, in a pack or in a shop's own settings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Phrasing {
    /// Phrases; a match begins and ends at a word. `(a|b c)` is one of these, with an empty one also nothing;
    /// a `*` alone up to five words of the same sentence; `begin*` and `*end` a word that is longer.
    pub phrases: Vec<String>,
    /// Regular expressions, for what a phrase cannot say. They see words with one space between, in
    /// lower case, without accents and punctuation; a match begins and ends at a word. `[^ ]+` is a word.
    pub patterns: Vec<String>,
    /// Phrases that are ordinary: a match that shares a word with one of them does not count.
    pub except: Vec<String>,
}

/// Questions whose answer is shown as a whole; [`crate::Delicate`] says what each is.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct DelicateOnes {
    pub(crate) money: Phrasing,
    pub(crate) instructions: Phrasing,
}

impl DelicateOnes {
    /// Every kind with its phrasing.
    pub(crate) fn each(&self) -> [(Delicate, &Phrasing); 2] {
        [(Delicate::Money, &self.money), (Delicate::Instructions, &self.instructions)]
    }
}

/// Words for one place in a list.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ordinal {
    /// The place, from 1; from the end, -1 is the last.
    pub(crate) number: i32,
    /// Phrases, with the signs above.
    pub(crate) phrases: Vec<String>,
}

/// A phrase or a regular expression that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadPattern(String);

impl From<BadPhrase> for BadPattern {
    fn from(bad: BadPhrase) -> Self {
        Self(bad.to_string())
    }
}

impl Phrasing {
    /// Whether everything in it can be read.
    ///
    /// # Errors
    /// The first phrase or expression that cannot.
    pub fn check(&self) -> Result<(), BadPattern> {
        Phrases::new(self.phrases.iter().chain(&self.except).map(|phrase| ((), phrase.as_str())))?;
        for pattern in &self.patterns {
            Regex::new(&bounded(pattern))
                .map_err(|error| BadPattern(format!("the pattern {pattern:?}: {error}")))?;
        }
        Ok(())
    }

    /// The regular expressions as they are looked for: their letters plain, between words where there are any.
    pub(crate) fn bounded_patterns(&self) -> impl Iterator<Item = String> {
        self.patterns.iter().map(|pattern| bounded(pattern))
    }
}

impl Patterns {
    /// Whether everything in it can be read.
    pub(crate) fn check(&self) -> Result<(), BadPattern> {
        for (_, phrasing) in self.refusal.by_category() {
            phrasing.check()?;
        }
        for (_, phrasing) in self.promises.by_family() {
            phrasing.check()?;
        }
        for (_, phrasing) in self.delicate.each() {
            phrasing.check()?;
        }
        self.overview.check()?;
        self.owner.check()?;
        let ordinals = self.ordinals.iter().flat_map(|ordinal| &ordinal.phrases);
        Phrases::new(ordinals.map(|phrase| ((), phrase.as_str())))?;
        Ok(())
    }
}

fn bounded(pattern: &str) -> String {
    let mut plain = String::with_capacity(pattern.len() + 8);
    for c in pattern.chars() {
        // Signs and classes of an expression are ASCII; letters beyond it are written as in a plain text.
        if c.is_ascii() { plain.push(c) } else { c.to_lowercase().for_each(|c| bare(c, &mut plain)) }
    }
    if plain.contains(is_han) { plain } else { format!(" (?:{plain}) ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pack;

    #[test]
    fn every_pack_can_be_read() {
        for lang in Pack::languages() {
            Pack::of(lang)
                .patterns()
                .check()
                .unwrap_or_else(|error| panic!("packs/{lang}/patterns.toml: {error}"));
        }
    }

    #[test]
    fn a_pattern_that_cannot_be_read_is_named() {
        let own = Phrasing { patterns: vec!["a(".to_owned()], ..Phrasing::default() };
        assert!(own.check().unwrap_err().to_string().starts_with("the pattern \"a(\": "));
        let own = Phrasing { except: vec!["(a".to_owned()], ..Phrasing::default() };
        assert_eq!(
            own.check().unwrap_err().to_string(),
            "the phrase \"(a\" has a bracket without its other half"
        );
    }
}
