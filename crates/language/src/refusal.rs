//! Questions that are refused before anything is looked up: phrases of every language, by category.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

use regex::{Regex, RegexSet};
use serde::{Deserialize, Serialize};

use crate::Lang;
use crate::normal::Normal;
use crate::pack::{BadPattern, Pack, Packs, Phrasing};
use crate::phrases::Phrases;
use crate::plain::{Plain, Scripts};

/// A kind of question that an assistant may be told never to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Category {
    /// Terms and commitments: haggling, fees and availability of a person, contracts, exceptions, guarantees.
    Terms,
    /// What is private: where somebody lives, their family, telephone, birthday.
    Private,
    /// Predictions, and comparisons with others by name.
    Speculation,
    /// Attempts to read, change or switch off the assistant's instructions.
    Instructions,
    /// Work that has nothing to do with the shop: code, translations, essays, homework.
    Tasks,
}

impl Category {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Terms, Self::Private, Self::Speculation, Self::Instructions, Self::Tasks];
}

/// A question that is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Why.
    pub category: Category,
    /// The language of the phrase; none where it is one of the shop's own.
    pub lang: Option<Lang>,
    /// The words that decided it, in the original text, in bytes.
    pub found: Range<usize>,
}

/// What a shop refuses, in every language there is a pack for: a question is tried against all of them,
/// whatever language it seems to be in.
///
/// Compiled when the first question in a script is checked.
#[derive(Debug)]
pub struct Refusals {
    packs: Packs,
    categories: Vec<Category>,
    own: BTreeMap<Category, Phrasing>,
    compiled: OnceLock<Compiled>,
}

#[derive(Debug, Clone, Copy)]
struct Tag {
    category: Category,
    lang: Option<Lang>,
    /// The phrase is an ordinary one.
    except: bool,
}

#[derive(Debug)]
struct Compiled {
    /// Every phrase.
    written: Vec<(Tag, String)>,
    /// The phrases that have letters of a script, compiled when a question has some: a program that is asked
    /// one question does not pay for the phrases of eleven languages.
    phrases: [OnceLock<Phrases<Tag>>; Scripts::COUNT],
    patterns: Vec<Expressions>,
}

/// The regular expressions of one language.
#[derive(Debug)]
struct Expressions {
    lang: Option<Lang>,
    categories: Vec<Category>,
    written: Vec<String>,
    set: OnceLock<Option<RegexSet>>,
}

impl Refusals {
    /// What is refused: these categories, as the packs word them and as the shop does.
    ///
    /// A shop's own phrases count for their category whether or not it is among `categories`.
    ///
    /// # Errors
    /// The first of the shop's own phrases that cannot be read.
    pub fn new(
        packs: &Packs,
        categories: &[Category],
        own: &BTreeMap<Category, Phrasing>,
    ) -> Result<Self, BadPattern> {
        own.values().try_for_each(Phrasing::check)?;
        Ok(Self {
            packs: packs.clone(),
            categories: categories.to_vec(),
            own: own.clone(),
            compiled: OnceLock::new(),
        })
    }

    /// Whether a question is refused, and for what.
    ///
    /// Where several phrases are found, the one that ends first decides. Words are compared without case,
    /// accents and signs, in both readings of a non-joiner; letters put apart by signs, and words in letters
    /// that look like those of the rest, are read as they are meant.
    #[must_use]
    pub fn check(&self, question: &Normal) -> Option<Refused> {
        let compiled = self.compiled.get_or_init(|| self.compile());
        question.readings().find_map(|normal| {
            let plain = Plain::of(normal.as_str());
            let undisguised = || plain.undisguised().find_map(|plain| compiled.check(normal, &plain));
            compiled.check(normal, &plain).or_else(undisguised)
        })
    }

    fn compile(&self) -> Compiled {
        let mut worded: Vec<(Option<Lang>, Category, &Phrasing)> = Vec::new();
        for lang in Pack::languages() {
            let by_category = self.packs.patterns(lang).refusal.by_category();
            let wanted = by_category.into_iter().filter(|(category, _)| self.categories.contains(category));
            worded.extend(wanted.map(|(category, phrasing)| (Some(lang), category, phrasing)));
        }
        worded.extend(self.own.iter().map(|(category, phrasing)| (None, *category, phrasing)));

        let phrases = worded.iter().flat_map(|(lang, category, phrasing)| {
            let tag = |except| Tag { category: *category, lang: *lang, except };
            let refused = phrasing.phrases.iter().map(move |phrase| (tag(false), phrase.as_str()));
            refused.chain(phrasing.except.iter().map(move |phrase| (tag(true), phrase.as_str())))
        });
        let patterns = worded.chunk_by(|(a, ..), (b, ..)| a == b).filter_map(|of_one| {
            let written = |(_, category, phrasing): &(_, Category, &Phrasing)| {
                let category = *category;
                phrasing.bounded_patterns().map(move |pattern| (category, pattern)).collect::<Vec<_>>()
            };
            let (categories, written): (Vec<_>, Vec<_>) = of_one.iter().flat_map(written).unzip();
            let lang = of_one.first()?.0;
            (!written.is_empty()).then(|| Expressions { lang, categories, written, set: OnceLock::new() })
        });
        let written = phrases.map(|(tag, phrase)| (tag, phrase.to_owned())).collect();
        Compiled { patterns: patterns.collect(), written, phrases: Default::default() }
    }
}

impl Compiled {
    fn check(&self, normal: &Normal, plain: &Plain) -> Option<Refused> {
        let mut found = Vec::new();
        for script in Scripts::of(&plain.text).each() {
            found.extend(self.phrases_in(script).into_iter().flat_map(|phrases| phrases.find(plain)));
        }
        found.sort_by_key(|found| found.last);
        let ordinary = |category: Category, first: usize, last: usize| {
            let mut exceptions =
                found.iter().filter(|found| found.tag.except && found.tag.category == category);
            exceptions.any(|found| found.first <= last && first <= found.last)
        };
        let refused = |category, lang, first: usize, last: usize| {
            let from = plain.words.get(first).map_or(0, |word| word.from);
            let to = plain.words.get(last).map_or(from, |word| word.to);
            Refused { category, lang, found: normal.original(from..to) }
        };
        let phrase = found
            .iter()
            .filter(|found| !found.tag.except)
            .find(|found| !ordinary(found.tag.category, found.first, found.last));
        if let Some(found) = phrase {
            return Some(refused(found.tag.category, found.tag.lang, found.first, found.last));
        }
        if self.patterns.is_empty() {
            return None;
        }
        // Expressions see a space on each side, so that a word at the edge is between spaces too.
        let spaced = format!(" {} ", plain.text);
        self.patterns.iter().find_map(|expressions| {
            let (category, place) = expressions.find(&spaced)?;
            let first = plain.words.partition_point(|word| word.end < place.start);
            let last = plain.words.partition_point(|word| word.start + 1 < place.end).checked_sub(1)?;
            (!ordinary(category, first, last)).then(|| refused(category, expressions.lang, first, last))
        })
    }
}

impl Compiled {
    /// The phrases that have letters of a script.
    fn phrases_in(&self, script: usize) -> Option<&Phrases<Tag>> {
        let written =
            || self.written.iter().filter(|(_, phrase)| Scripts::of(phrase).each().any(|s| s == script));
        let phrases = || written().map(|(tag, phrase)| (*tag, phrase.as_str()));
        self.phrases.get(script).map(|place| place.get_or_init(|| Phrases::of_readable(phrases())))
    }
}

impl Expressions {
    fn find(&self, text: &str) -> Option<(Category, Range<usize>)> {
        let set = self.set.get_or_init(|| RegexSet::new(&self.written).ok()).as_ref()?;
        let number = set.matches(text).iter().next()?;
        // Where it stands is asked of one expression alone, and only when a question is refused.
        let place = Regex::new(self.written.get(number)?).ok()?.find(text)?.range();
        Some((*self.categories.get(number)?, place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Overlay;

    fn refusals(own: &[(Category, &str)]) -> Refusals {
        let own = own.iter().map(|(category, toml)| (*category, toml::from_str(toml).unwrap())).collect();
        Refusals::new(&Packs::default(), &[Category::Instructions], &own).unwrap()
    }

    fn check(refusals: &Refusals, text: &str) -> Option<(Category, String)> {
        let refused = refusals.check(&Normal::of(text))?;
        Some((refused.category, text[refused.found].to_owned()))
    }

    #[test]
    fn only_the_categories_asked_for_are_refused() {
        let text = "Will the price drop next month?";
        assert_eq!(check(&refusals(&[]), text), None);
        let all = Refusals::new(&Packs::default(), &Category::ALL, &BTreeMap::new()).unwrap();
        assert_eq!(check(&all, text).unwrap().0, Category::Speculation);
    }

    #[test]
    fn a_shop_has_phrases_and_expressions_of_its_own() {
        let own = refusals(&[(
            Category::Private,
            "phrases = [\"the (owner|boss) * car\"]\npatterns = [\"room [0-9]+\", \"pókój\"]\nexcept = [\"car park\"]",
        )]);
        assert_eq!(
            check(&own, "Is the owner's old car red?"),
            Some((Category::Private, "the owner's old car".into()))
        );
        assert_eq!(check(&own, "Who sleeps in ROOM 12?"), Some((Category::Private, "ROOM 12".into())));
        assert_eq!(check(&own, "Pokój!"), Some((Category::Private, "Pokój".into())));
        assert_eq!(check(&own, "Which is the owner's car park?"), None);
        assert_eq!(check(&own, "a showroom 12"), None);
        let broken = BTreeMap::from([(Category::Tasks, toml::from_str("phrases = [\"(\"]").unwrap())]);
        assert!(Refusals::new(&Packs::default(), &[], &broken).is_err());
    }

    #[test]
    fn a_shop_changes_the_phrases_of_a_pack() {
        let overlay: Overlay =
            toml::from_str("[add.patterns.refusal.instructions]\nphrases = [\"open sesame\"]\n").unwrap();
        let packs = Packs::new([Pack::with(Lang::EN, &overlay).unwrap()]);
        let changed = Refusals::new(&packs, &[Category::Instructions], &BTreeMap::new()).unwrap();
        let refused = changed.check(&Normal::of("Open, sesame!")).unwrap();
        assert_eq!((refused.category, refused.lang), (Category::Instructions, Some(Lang::EN)));
        let broken: Overlay = toml::from_str("[add.patterns.overview]\nphrases = [\"(\"]\n").unwrap();
        assert!(
            Pack::with(Lang::EN, &broken).unwrap_err().to_string().starts_with("packs/en/patterns.toml: ")
        );
    }
}
