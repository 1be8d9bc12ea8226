//! Pages that contradict each other: two passages that state different values of one thing.

use std::collections::HashMap;
use std::sync::Arc;

use mostrador_language::{Currency, Kind, Packs, Value};
use serde::Serialize;

use super::cases::{Case, Sentence};
use super::known::{Id, Ids, Word, ids_of};
use super::prepared::{Prepared, Stated, Text};
use super::slots::Slot;
use crate::passage::{Passage, SourceId};

/// One of two statements that do not go together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Statement {
    /// The passage.
    pub source: SourceId,
    /// The value as it is written there.
    pub value: String,
    /// The sentence it stands in.
    pub sentence: String,
}

/// Two passages that state different values of one thing, in the order of the passages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Contradiction {
    /// In the passage that comes first.
    pub one: Statement,
    /// In the other.
    pub other: Statement,
}

/// The fewest words that both statements must have beside their values.
const FEWEST_WORDS: usize = 2;

/// A word that so many statements have tells nothing apart: those that have no rarer one are not compared.
const MOST_STATEMENTS: usize = 400;

/// Pairs of passages of the shop's own, in one language, that state different values of one thing; each pair once.
///
/// One thing is what the same words stand beside, under headings that do not tell them apart and with the same
/// conditions, exceptions and denials; so a warning is rarely wrong, and a contradiction in other words is not found.
/// Addresses and bare numbers are not compared, nor are sums of different currencies.
#[must_use]
pub fn contradictions(passages: &[Arc<Passage>], packs: &Packs) -> Vec<Contradiction> {
    let prepared = Prepared::new(passages, packs);
    let places: Vec<Place<'_>> = prepared.texts.iter().enumerate().flat_map(places_in).collect();
    let mut having: HashMap<Id, Vec<usize>> = HashMap::new();
    for (at, place) in places.iter().enumerate() {
        for id in &place.words {
            having.entry(id).or_default().push(at);
        }
    }
    let mut found: Vec<Contradiction> = Vec::new();
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for (at, place) in places.iter().enumerate() {
        let rarest =
            place.words.into_iter().filter_map(|id| having.get(&id)).min_by_key(|having| having.len());
        let candidates = rarest.filter(|having| having.len() <= MOST_STATEMENTS);
        for other in candidates.into_iter().flatten().filter(|other| **other > at) {
            let Some(other) = places.get(*other) else { continue };
            let pair = (place.number, other.number);
            if pair.0 != pair.1 && !pairs.contains(&pair) && place.contradicts(other) {
                pairs.push(pair);
                found.extend(
                    place.statement().zip(other.statement()).map(|(one, other)| Contradiction { one, other }),
                );
            }
        }
    }
    found
}

/// A value with what it is said of.
struct Place<'p> {
    /// Which passage, in their order.
    number: usize,
    text: &'p Text,
    stated: &'p Stated,
    slot: &'p Slot,
    case: &'p Case,
    /// What stands beside the value.
    words: Ids,
    /// What its case depends on.
    depends: Ids,
    /// What it goes on from: the statements before it in its sentence, where it is only joined to them.
    before: Vec<&'p Word>,
}

fn places_in<'p>((number, text): (usize, &'p Text)) -> impl Iterator<Item = Place<'p>> {
    let stated = text.stated.iter().filter(|stated| text.proves() && !stated.heading);
    let slots = stated.flat_map(|stated| stated.slots.iter().map(move |slot| (stated, slot)));
    slots.filter(|(_, slot)| is_told(&slot.value)).filter_map(move |(stated, slot)| {
        let case = stated.sentence.cases.get(slot.case)?;
        let words = ids_of(&slot.own);
        let depends = ids_of(case.dependents.iter().flat_map(|dependent| &dependent.words));
        let cases = stated.sentence.cases.get(..slot.case).filter(|_| case.chained).unwrap_or_default();
        let before = cases.iter().flat_map(|case| &case.words).filter(|word| word.is_plain()).collect();
        let enough = slot.own.iter().filter(|word| word.is_plain()).count() >= FEWEST_WORDS;
        enough.then_some(Place { number, text, stated, slot, case, words, depends, before })
    })
}

/// Whether another value in its place would be another statement of the same thing. A bare number is as often the name
/// of one of several: "lamp 8".
fn is_told(value: &Value) -> bool {
    matches!(
        value.kind,
        Kind::Percent { .. }
            | Kind::Money { .. }
            | Kind::Measure { .. }
            | Kind::Duration { .. }
            | Kind::Date { .. }
            | Kind::Time { .. }
    )
}

impl Place<'_> {
    fn contradicts(&self, other: &Self) -> bool {
        self.text.language == other.text.language
            && differ(self.slot, other.slot)
            && self.is_of_the_same(other)
            && !self.text.says_too(other)
            && !other.text.says_too(self)
    }

    fn is_of_the_same(&self, other: &Self) -> bool {
        let headed = |one: &Self, two: &Self| one.text.is_headed_apart_from(two.text);
        let led = |one: &Self, two: &Self| one.before.iter().any(|word| !word.is_among(&two.text.ids));
        self.words == other.words
            && self.depends == other.depends
            && self.case.denied == other.case.denied
            && self.case.opposites == other.case.opposites
            && !(headed(self, other) && headed(other, self))
            && !led(self, other)
            && !led(other, self)
    }

    fn statement(&self) -> Option<Statement> {
        let sentence = &self.stated.sentence.text;
        Some(Statement {
            source: self.text.source.clone()?,
            value: sentence.get(self.slot.value.span.clone())?.to_owned(),
            sentence: sentence.trim().to_owned(),
        })
    }
}

impl Text {
    /// Whether a heading has a word or a number that the other text does not say. The day of a page tells nothing apart.
    fn is_headed_apart_from(&self, other: &Text) -> bool {
        let headings = || self.stated.iter().filter(|stated| stated.heading).map(|stated| &stated.sentence);
        let mut words = headings().flat_map(Sentence::words);
        let mut values = headings().flat_map(|heading| &heading.values);
        let told = |value: &Value| {
            let theirs = || other.stated.iter().flat_map(|stated| &stated.sentence.values);
            matches!(value.kind, Kind::Date { .. }) || theirs().any(|(their, _)| their.same(value))
        };
        words.any(|word| !word.is_among(&other.ids)) || values.any(|(value, _)| !told(value))
    }

    /// Whether a text says the value of a place too, of something that has a word of it: it then tells of two cases.
    fn says_too(&self, place: &Place<'_>) -> bool {
        let mut slots = self.stated.iter().flat_map(|stated| &stated.slots);
        slots.any(|slot| slot.says(place.slot) && place.words.into_iter().any(|id| slot.around.has(id)))
    }
}

/// Whether two values are of one sort, limit and period, and neither says the other.
fn differ(one: &Slot, other: &Slot) -> bool {
    fn currency(value: &Value) -> Option<&Currency> {
        match &value.kind {
            Kind::Money { currency, .. } => Some(currency),
            _ => None,
        }
    }
    let (ours, theirs) = (&one.value, &other.value);
    ours.is_comparable(theirs)
        && ours.same_bound(theirs)
        && ours.same_period(theirs)
        && (&one.named, &one.limits) == (&other.named, &other.limits)
        && currency(ours) == currency(theirs)
        && !one.says(other)
        && !other.says(one)
}
