//! What each value of a sentence is said of.

use mostrador_language::{Bound, Kind, Period, Value};

use super::cases::{Case, Role, Sentence};
use super::known::{Id, Ids, Word, ids_of};

/// A value with what it is said of.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    pub(super) value: Value,
    /// The case it stands in, by its place in the sentence.
    pub(super) case: usize,
    /// What stands beside it, up to the next value of its sort: words, opposites, values of other sorts.
    pub(super) own: Vec<Word>,
    /// The same, without what stands beside another value of its sort.
    pub(super) near: Ids,
    /// All of it, and what the sentence says before it, or behind it where no other value of its sort stands.
    pub(super) around: Ids,
    /// The periods that its case and the head of its column name.
    pub(super) named: Vec<Period>,
    /// The limits that the head of its column names.
    pub(super) limits: Vec<Bound>,
    /// Whether it is said of each of several things.
    pub(super) listed: bool,
}

impl Slot {
    /// Whether a value of the evidence says what a sentence claims. The period of one is said by the other where that
    /// names it in the same statement: `Price a week | 150 €` says `150 € a week`.
    pub(super) fn says(&self, claimed: &Slot) -> bool {
        let (ours, theirs) = (&self.value, &claimed.value);
        let more: Vec<Period> = theirs.periods().filter(|period| !ours.is_counted_for(*period)).collect();
        let less: Vec<Period> = ours.periods().filter(|period| !theirs.is_counted_for(*period)).collect();
        let period = (more.is_empty() || less.is_empty())
            && more.iter().all(|period| self.named.contains(period))
            && less.iter().all(|period| claimed.named.contains(period));
        let bound = theirs.same_bound(ours)
            || (ours.bound.is_none() && theirs.bound.is_some_and(|bound| self.limits.contains(&bound)));
        period && bound && theirs.said_by(ours)
    }

    /// Whether it is a sum of money.
    pub(super) fn is_money(&self) -> bool {
        matches!(self.value.kind, Kind::Money { .. })
    }
}

/// The slots of a sentence, in the order of its values. `above`: what the sentence takes up from before it.
pub(super) fn slots(sentence: &Sentence, above: &Ids) -> Vec<Slot> {
    let mut slots = Vec::new();
    for (at, case) in sentence.cases.iter().enumerate() {
        for place in &case.values {
            let Some((value, _)) = sentence.values.get(*place) else { continue };
            let own = own(sentence, case, *place, value);
            let mut around: Vec<Id> = own.iter().flat_map(Word::ids).chain(above).collect();
            let mut near = around.clone();
            for (other, theirs) in sentence.cases.iter().enumerate() {
                if sentence.row {
                    break;
                }
                if other < at || (other > at && !cut_off(sentence, at, other, value)) {
                    around.extend(&theirs.ids);
                    if !theirs.values.iter().any(|place| is_sibling(sentence, *place, value)) {
                        near.extend(&theirs.ids);
                    }
                    let values = theirs.values.iter().filter_map(|place| sentence.values.get(*place));
                    let others = values.filter(|(other, _)| !other.is_comparable(value));
                    around.extend(others.filter_map(|(_, id)| *id));
                }
            }
            let (around, near) = (around.into_iter().collect(), near.into_iter().collect());
            let named = sentence.periods_of(at).chain(case.column.periods.iter().copied()).collect();
            slots.push(Slot {
                value: value.clone(),
                case: at,
                own,
                near,
                around,
                named,
                limits: case.column.bounds.clone(),
                listed: case.listed,
            });
        }
        if case.values.len() > 1 && !sentence.row {
            // What precedes a value in its own case is said of it too, where nothing is repeated.
            inherit(&mut slots, at);
        }
    }
    slots
}

/// Whether a value of the same sort stands between a case and one behind it, or in that one.
fn cut_off(sentence: &Sentence, from: usize, to: usize, value: &Value) -> bool {
    let between = sentence.cases.iter().take(to + 1).skip(from + 1);
    between.flat_map(|case| &case.values).any(|place| is_sibling(sentence, *place, value))
}

fn is_sibling(sentence: &Sentence, place: usize, value: &Value) -> bool {
    sentence.values.get(place).is_some_and(|(other, _)| other.is_comparable(value))
}

/// What stands beside a value in its case.
fn own(sentence: &Sentence, case: &Case, place: usize, value: &Value) -> Vec<Word> {
    let sibling = |other: &&usize| **other != place && is_sibling(sentence, **other, value);
    let before = case.values.iter().rev().filter(|other| **other < place).find(sibling).copied();
    let after = case.values.iter().filter(|other| **other > place).find(sibling).copied();
    let from = before.map_or(0, |before| divider(sentence, case, before, place));
    let to = after.map_or(usize::MAX, |after| divider(sentence, case, place, after));
    let beside = |word: &&Word| {
        (from..to).contains(&word.at) && (word.head || !takes_out(case, word.at, value.span.start))
    };
    let mut own: Vec<Word> = case.words.iter().filter(beside).cloned().collect();
    for other in case.values.iter().filter(|other| **other != place) {
        if let Some((other, id)) = sentence.values.get(*other)
            && !other.is_comparable(value)
            && (from..to).contains(&other.span.start)
        {
            own.push(value_word(*id, other.span.start));
        }
    }
    own
}

/// Whether a word stands in an exception or a condition that the value does not stand in: what a rule leaves out, or
/// depends on, tells nothing of which of several it is.
fn takes_out(case: &Case, word: usize, value: usize) -> bool {
    case.dependents.iter().any(|dependent| {
        let role = matches!(dependent.role, Role::Exception | Role::Condition);
        role && dependent.span.contains(&word) && !dependent.span.contains(&value)
    })
}

/// A value as what tells one statement from another.
pub(super) fn value_word(id: Option<Id>, at: usize) -> Word {
    Word { id, parts: Vec::new(), text: String::new(), at, name: false, pair: None, head: false }
}

/// Where what is said of one value ends and what is said of the next begins, in bytes. Between values behind
/// their words it is the first cut, between values before theirs the last one.
fn divider(sentence: &Sentence, case: &Case, one: usize, next: usize) -> usize {
    let span =
        |place: usize| sentence.values.get(place).map(|(value, _)| value.span.clone()).unwrap_or_default();
    let (one, next) = (span(one), span(next));
    let first = case.values.iter().map(|place| span(*place).start).min().unwrap_or_default();
    let leads = !case.words.iter().any(|word| word.is_plain() && word.at < first);
    let mut cuts = case.cuts.iter().copied().filter(|cut| one.end <= *cut && *cut <= next.start);
    let cut = if leads { cuts.next_back() } else { cuts.next() };
    cut.unwrap_or(if leads { next.start } else { one.end })
}

/// Gives each slot of a case what stands before it there.
fn inherit(slots: &mut [Slot], case: usize) {
    let mut before = Ids::default();
    for slot in slots.iter_mut().filter(|slot| slot.case == case) {
        slot.around.extend(&before);
        before.extend(&ids_of(&slot.own));
    }
}
