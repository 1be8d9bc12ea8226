//! Words and values of the evidence as numbers, so that sets of them are compared quickly.

use std::collections::HashMap;

use mostrador_language::Value;

/// The number of a word's stem, of a side of two opposites, or of a value.
pub(super) type Id = u32;

/// Values are numbered apart from words.
const VALUES: Id = 1 << 31;

/// Whether a number is that of a value.
pub(super) fn is_value(id: Id) -> bool {
    id & VALUES != 0
}

/// All that the evidence says, numbered.
#[derive(Debug, Clone, Default)]
pub(super) struct Known {
    words: HashMap<String, Id>,
    values: Vec<Value>,
}

impl Known {
    pub(super) fn word(&self, stem: &str) -> Option<Id> {
        self.words.get(stem).copied()
    }

    pub(super) fn learn_word(&mut self, stem: &str) -> Id {
        if let Some(id) = self.words.get(stem) {
            return *id;
        }
        let id = number(self.words.len());
        self.words.insert(stem.to_owned(), id);
        id
    }

    /// The first value of the evidence that says what this one claims, with the same bound and period.
    pub(super) fn value(&self, claimed: &Value) -> Option<Id> {
        let says = |value: &Value| says(value, claimed);
        // Of days that are among several others', the same ones before those that have more.
        let exactly = |value: &Value| says(value) && value.same(claimed);
        let place = self.values.iter().position(exactly).or_else(|| self.values.iter().position(says));
        place.map(|place| VALUES | number(place))
    }

    pub(super) fn learn_value(&mut self, value: &Value) -> Id {
        let same = |known: &Value| known.same(value) && known.same_bound(value) && known.same_period(value);
        let place = self.values.iter().position(same).unwrap_or_else(|| {
            self.values.push(value.clone());
            self.values.len() - 1
        });
        VALUES | number(place)
    }
}

/// Whether a value of the evidence says what a sentence claims, bound and period included.
pub(super) fn says(source: &Value, claimed: &Value) -> bool {
    claimed.same_bound(source) && claimed.same_period(source) && claimed.said_by(source)
}

fn number(place: usize) -> Id {
    Id::try_from(place).unwrap_or(VALUES - 1).min(VALUES - 1)
}

/// A set of numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Ids(Vec<Id>);

impl Ids {
    pub(super) fn has(&self, id: Id) -> bool {
        self.0.binary_search(&id).is_ok()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<Id> for Ids {
    fn from_iter<T: IntoIterator<Item = Id>>(ids: T) -> Self {
        let mut ids: Vec<Id> = ids.into_iter().collect();
        ids.sort_unstable();
        ids.dedup();
        Self(ids)
    }
}

impl Extend<Id> for Ids {
    fn extend<T: IntoIterator<Item = Id>>(&mut self, ids: T) {
        self.0.extend(ids);
        self.0.sort_unstable();
        self.0.dedup();
    }
}

impl<'s> IntoIterator for &'s Ids {
    type Item = Id;
    type IntoIter = std::iter::Copied<std::slice::Iter<'s, Id>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().copied()
    }
}

/// Something that tells one statement from another: a word, a side of two opposites, or a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// Its number; none where the evidence has no such word.
    pub(super) id: Option<Id>,
    /// Those of the parts of a compound.
    pub(super) parts: Vec<Option<Id>>,
    /// In its normal form; empty where it is none of the text's own words.
    pub(super) text: String,
    /// Where it begins in the sentence, in bytes.
    pub(super) at: usize,
    /// Whether it is written as a name is.
    pub(super) name: bool,
    /// The pair of opposites that it is a side of, where it stands for that.
    pub(super) pair: Option<u16>,
    /// Whether it stands at the head of the row or of the column, and not where the case does.
    pub(super) head: bool,
}

impl Word {
    /// Whether it is in a set, as a whole or by all of its parts.
    pub(super) fn is_among(&self, ids: &Ids) -> bool {
        let has = |id: Option<Id>| id.is_some_and(|id| ids.has(id));
        has(self.id) || (!self.parts.is_empty() && self.parts.iter().all(|part| has(*part)))
    }

    /// Whether it is a word of the text, not a value and not a side of two opposites.
    pub(super) fn is_plain(&self) -> bool {
        !self.text.is_empty()
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = Id> {
        self.id.into_iter().chain(self.parts.iter().flatten().copied())
    }
}

/// The plain words among some that say what a statement is of: without the sides of opposites that `others` say
/// something of too, this or the contrary.
pub(super) fn subjects<'w>(words: &'w [Word], others: &[Word]) -> impl Iterator<Item = &'w Word> {
    let pairs: Vec<u16> = others.iter().filter_map(|word| word.pair).collect();
    let side = move |at: usize| {
        words
            .iter()
            .any(|word| word.at == at && !word.head && word.pair.is_some_and(|pair| pairs.contains(&pair)))
    };
    words.iter().filter(move |word| word.is_plain() && (word.head || !side(word.at)))
}

/// The numbers of some words.
pub(super) fn ids_of<'w>(words: impl IntoIterator<Item = &'w Word>) -> Ids {
    words.into_iter().flat_map(Word::ids).collect()
}

/// How many of some words are in a set.
pub(super) fn shared<'w>(words: impl IntoIterator<Item = &'w Word>, ids: &Ids) -> usize {
    words.into_iter().filter(|word| word.is_among(ids)).count()
}

/// The whole of a share.
pub(super) const WHOLE: usize = 1_000_000;

/// A part of a whole in millionths; of nothing, all of it.
pub(super) fn share(part: usize, whole: usize) -> usize {
    (part * WHOLE).checked_div(whole).unwrap_or(WHOLE)
}
