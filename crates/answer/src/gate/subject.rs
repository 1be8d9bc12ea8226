//! Whether a value is said of the same thing in the source.

use super::cases::Sentence;
use super::known::{Ids, WHOLE, Word, ids_of, share, shared, subjects};
use super::prepared::Text;
use super::slots::Slot;

/// Where a value of the evidence stands: text, sentence, and the slot there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'p> {
    pub(super) text: &'p Text,
    pub(super) sentence: usize,
    pub(super) slot: &'p Slot,
}

/// What a sentence says a value of.
pub(super) struct Claimed {
    words: Vec<Word>,
    ids: Ids,
    /// All that the sentence says.
    all: Ids,
    /// Whether it has a word that the evidence does not have anywhere.
    unknown: bool,
    /// Whether the value stands alone in the sentence, as in a list.
    alone: bool,
}

impl Claimed {
    /// What counts as said of a value.
    fn reach<'s>(&self, slot: &'s Slot) -> &'s Ids {
        let mut own = subjects(&slot.own, &self.words).map(|word| word.is_among(&self.all));
        // Of what is said of several things, one is enough.
        let other = if slot.listed { !own.any(|said| said) } else { own.any(|said| !said) };
        if other { &slot.near } else { &slot.around }
    }

    fn is_value(&self, word: &Word) -> bool {
        !word.is_plain() && word.id.is_some_and(super::known::is_value)
    }

    /// Of what stands beside the value; where nothing does, of what stands beside none of the sentence's values.
    pub(super) fn of(slot: &Slot, claims: &[Slot], sentence: &Sentence) -> Self {
        let own = &slot.own;
        let others = claims.iter().filter(|other| other.value.is_comparable(&slot.value));
        let theirs: Vec<usize> = others.flat_map(|other| &other.own).map(|word| word.at).collect();
        let free = sentence.words().filter(|word| !theirs.contains(&word.at));
        let alone = !own.iter().any(Word::is_plain);
        let mut words: Vec<Word> = if alone { free.cloned().collect() } else { own.clone() };
        let unknown = words.iter().any(|word| word.is_plain() && word.id.is_none() && word.parts.is_empty());
        if !alone {
            words.extend(before(slot, sentence));
        }
        let ids = ids_of(&words);
        let all = ids_of(sentence.cases.iter().take(slot.case + 1).flat_map(|case| &case.words));
        Self { words, ids, all, unknown, alone }
    }
}

/// What a sentence speaks of before the statement of a value goes on with it: "the large bag weighs 3 kg and costs
/// 9 €". Nothing where a value of the same sort stands in between.
fn before(slot: &Slot, sentence: &Sentence) -> Vec<Word> {
    let earlier = sentence.cases.iter().take(slot.case);
    let sibling = |place: &usize| {
        sentence.values.get(*place).is_some_and(|(other, _)| other.is_comparable(&slot.value))
    };
    if earlier.clone().any(|case| case.values.iter().any(sibling)) {
        return Vec::new();
    }
    earlier.flat_map(|case| &case.words).cloned().collect()
}

/// The first rival that fits what is claimed better than the value that was found; none where it stands.
///
/// What only one of the two is said of decides; where there is nothing of the kind, or of both, the shares count: of
/// what stands beside a value in the source, how much is claimed, and of what is claimed, how much stands around it.
pub(super) fn better<'p>(
    claimed: &Claimed,
    found: Place<'p>,
    rivals: impl Iterator<Item = (Place<'p>, bool)>,
) -> Option<Place<'p>> {
    let alone = claimed.alone && !found.slot.own.iter().any(Word::is_plain);
    if alone || (!found.slot.own.is_empty() && ids_of(&found.slot.own) == claimed.ids) {
        return None;
    }
    let mine = Fit::of(claimed, found.slot);
    for (rival, cited) in rivals {
        let only_mine = only(claimed, found.slot, rival.slot);
        let only_theirs = only(claimed, rival.slot, found.slot);
        let theirs = || Fit::of(claimed, rival.slot);
        let loses = match (only_mine, only_theirs) {
            (0, 1..) => true,
            (1.., 0) => false,
            _ if !cited => false,
            (0, 0) => {
                let wide = |slot: &Slot| shared(&slot.own, &claimed.all) * WHOLE / slot.own.len().max(1);
                if wide(found.slot) > wide(rival.slot) {
                    continue;
                }
                let theirs = theirs();
                let likely = theirs.beside * 2 >= WHOLE || !claimed.unknown;
                theirs.beside > mine.beside && likely
            }
            _ => {
                let theirs = theirs();
                theirs.beside + theirs.around > mine.beside + mine.around
            }
        };
        if loses {
            return Some(rival);
        }
    }
    None
}

/// How much of what is claimed stands around one value and not around another.
///
/// Words decide, and other values only where no word does: they come along with the one that is judged. What stands
/// beside another value of its sort is said of this one too where the verb is left out, but not where this one has
/// something of its own that is not claimed.
fn only(claimed: &Claimed, one: &Slot, other: &Slot) -> usize {
    let (ours, theirs) = (claimed.reach(one), claimed.reach(other));
    let apart = |word: &&Word| word.is_among(ours) && !word.is_among(theirs);
    let count = |values: bool| {
        let words = claimed.words.iter().filter(|word| values == claimed.is_value(word));
        words.filter(apart).count()
    };
    let swaps = |words: &Ids, others: &Ids| {
        claimed
            .words
            .iter()
            .any(|word| !claimed.is_value(word) && word.is_among(words) != word.is_among(others))
    };
    if swaps(ours, theirs) { count(false) } else { count(true) }
}

/// Shares in millionths.
struct Fit {
    /// Of what stands beside the value, what is claimed.
    beside: usize,
    /// Of what is claimed, what stands around the value.
    around: usize,
}

impl Fit {
    fn of(claimed: &Claimed, slot: &Slot) -> Self {
        let beside = if slot.own.is_empty() {
            // A value alone is said of what is around it.
            share(shared(&claimed.words, claimed.reach(slot)), claimed.words.len())
        } else {
            share(shared(&slot.own, &claimed.ids), slot.own.len())
        };
        Self { beside, around: share(shared(&claimed.words, claimed.reach(slot)), claimed.words.len()) }
    }
}
