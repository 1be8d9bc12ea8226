//! Promises in an answer that only a person of the shop may make: phrases of every language, by family.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::Lang;
use crate::normal::Normal;
use crate::pack::{Pack, Packs};
use crate::phrases::Phrases;
use crate::plain::{Plain, Scripts};

/// A kind of promise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// Money will be paid or sent back to the one who asks.
    Money,
    /// The one who asks gets a discount, a voucher or something for nothing.
    Discount,
    /// Something was, or is now being, done by the one who answers: cancelled, changed, booked, refunded.
    Done,
    /// What is of the one who asks is said to be in a new state: cancelled, booked, refunded.
    State,
    /// The question was given to a colleague, or one will get in touch.
    Handoff,
}

impl Family {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Money, Self::Discount, Self::Done, Self::State, Self::Handoff];
}

/// A promise that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Promise {
    /// Its kind.
    pub family: Family,
    /// The language of the phrase.
    pub lang: Lang,
    /// The words that make it, in the normal form.
    pub text: String,
}

/// The promises of every language there is a pack for, whatever language an answer seems to be in.
///
/// Compiled when the first answer in a script is read, or before by [`Promises::prepare`].
#[derive(Debug)]
pub struct Promises {
    packs: Packs,
    phrases: [OnceLock<Phrases<Tag>>; Scripts::COUNT],
}

/// How many words from the end of an ordinary phrase to the first word that it makes ordinary.
const NEAR: usize = 2;

#[derive(Debug, Clone, Copy)]
struct Tag {
    family: Family,
    lang: Lang,
    /// The phrase is an ordinary one.
    except: bool,
}

impl Promises {
    /// Those of the packs a shop works with.
    #[must_use]
    pub fn new(packs: &Packs) -> Self {
        Self { packs: packs.clone(), phrases: Default::default() }
    }

    /// Compiles everything now, so that no answer has to wait for it.
    pub fn prepare(&self) {
        for script in 0..Scripts::COUNT {
            let _ = self.phrases_in(script);
        }
    }

    /// The promise of one of these families that ends first in a text.
    ///
    /// Words are compared without case, accents and signs. What shares a word with an ordinary phrase of its
    /// family and language, such as one that denies it, is no promise; nor is what such a phrase stands right
    /// before, with at most one word between.
    #[must_use]
    pub fn find(&self, text: &Normal, families: &[Family]) -> Option<Promise> {
        text.readings().find_map(|normal| self.find_in(normal, families))
    }

    fn find_in(&self, normal: &Normal, families: &[Family]) -> Option<Promise> {
        let plain = Plain::of(normal.as_str());
        let mut found = Vec::new();
        for script in Scripts::of(&plain.text).each() {
            found.extend(self.phrases_in(script).into_iter().flat_map(|phrases| phrases.find(&plain)));
        }
        found.retain(|found| families.contains(&found.tag.family));
        found.sort_by_key(|found| found.last);
        let promised = found.iter().filter(|found| !found.tag.except).find(|promise| {
            let mut ordinary = found.iter().filter(|found| {
                found.tag.except
                    && found.tag.family == promise.tag.family
                    && found.tag.lang == promise.tag.lang
            });
            let sentence = |word: usize| plain.words.get(word).map(|word| word.sentence);
            !ordinary.any(|found| {
                let shares = found.first <= promise.last && promise.first <= found.last;
                let before = found.last < promise.first && promise.first - found.last <= NEAR;
                shares || (before && sentence(found.last) == sentence(promise.first))
            })
        })?;
        let (first, last) = (plain.words.get(promised.first)?, plain.words.get(promised.last)?);
        let text = normal.as_str().get(first.from..last.to)?.to_owned();
        Some(Promise { family: promised.tag.family, lang: promised.tag.lang, text })
    }

    /// The phrases that have letters of a script.
    fn phrases_in(&self, script: usize) -> Option<&Phrases<Tag>> {
        self.phrases.get(script).map(|place| place.get_or_init(|| self.compile(script)))
    }

    fn compile(&self, script: usize) -> Phrases<Tag> {
        let of_one = |lang| {
            let families = self.packs.patterns(lang).promises.by_family();
            families.into_iter().flat_map(move |(family, phrasing)| {
                let tagged = move |except: bool| {
                    move |phrase: &'_ String| (Tag { family, lang, except }, phrase.clone())
                };
                let promised = phrasing.phrases.iter().map(tagged(false));
                promised.chain(phrasing.except.iter().map(tagged(true)))
            })
        };
        let here = |(_, phrase): &(Tag, String)| Scripts::of(phrase).each().any(|place| place == script);
        let written: Vec<(Tag, String)> = Pack::languages().flat_map(of_one).filter(here).collect();
        Phrases::of_readable(written.iter().map(|(tag, phrase)| (*tag, phrase.as_str())))
    }
}
