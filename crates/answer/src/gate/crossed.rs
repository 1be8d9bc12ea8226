//! Whether a statement takes its halves from two that stand beside each other in one sentence of the source.

use std::ops::Range;

use mostrador_language::{Kind, Value};

use super::cases::{Case, Sentence};
use super::known::{Id, Word};
use super::swapped::has_only_days;
use super::window::{Judged, Window};

/// The first word that is said of what another part of the sentence is said of: "the club cleans the hall" of "the
/// tenant cleans the hall and the club locks the doors", "entry costs 2 €" of "entry is free, a locker costs 2 €".
pub(super) fn crossed<'w>(judged: &Judged<'_>, case: &'w Case, window: Window<'w>) -> Option<&'w Word> {
    let source = &window.stated.sentence;
    if source.row {
        return None;
    }
    parts_crossed(judged, case, window).or_else(|| led_by_another(judged, case, window))
}

/// What stands between two cuts.
struct Part<'w> {
    words: Vec<&'w Word>,
    span: Range<usize>,
    /// Whether it has a word of one before.
    alike: bool,
}

impl<'w> Part<'w> {
    fn said(&self, judged: &Judged<'_>) -> Vec<&'w Word> {
        self.words.iter().copied().filter(|word| word.is_among(&judged.ids)).collect()
    }

    /// How much of it is left out; who speaks in it counts too.
    fn lost(&self, judged: &Judged<'_>, source: &Sentence) -> usize {
        let speaks = source.speakers.iter().any(|speaker| self.span.contains(&speaker.span.start));
        let silent = speaks && judged.sentence.speakers.is_empty();
        self.words.len() - self.said(judged).len() + usize::from(silent)
    }

    /// Whether its first word is said.
    fn begins(&self, judged: &Judged<'_>) -> bool {
        self.words.first().is_some_and(|word| word.is_among(&judged.ids))
    }
}

/// The parts of some cases, without exceptions and conditions; a word that a case repeats is in the first of them
/// alone.
fn parts<'w>(cases: &[&'w Case]) -> Vec<Part<'w>> {
    let mut cuts: Vec<usize> = cases.iter().flat_map(|case| &case.cuts).copied().collect();
    cuts.sort_unstable();
    let ends: Vec<usize> = cuts.iter().copied().skip(1).chain([usize::MAX]).collect();
    let depends = |word: &Word| {
        let within = |case: &&Case| case.dependents.iter().any(|part| part.span.contains(&word.at));
        cases.iter().any(within)
    };
    let part = |span: Range<usize>| {
        let inside = |word: &&Word| word.is_plain() && span.contains(&word.at) && !depends(word);
        let mut words: Vec<&Word> = cases.iter().flat_map(|case| &case.words).filter(inside).collect();
        words.sort_by_key(|word| word.at);
        let alike = cases.iter().any(|case| case.alike.contains(&span.start));
        Part { words, span, alike }
    };
    cuts.into_iter()
        .zip(ends)
        .map(|(from, to)| part(from..to))
        .filter(|part| !part.words.is_empty())
        .collect()
}

/// Two parts of one case, of each of which the sentence says something and leaves something out.
fn parts_crossed<'w>(judged: &Judged<'_>, case: &Case, window: Window<'w>) -> Option<&'w Word> {
    let source = &window.stated.sentence;
    // What has a price of its own has not what is said of the other: "a locker is free" of "entry is free, a locker
    // costs 2 €". That it has not may be said.
    let plain = !case.denied && has_only_days(judged, case);
    let priced = |part: &Part<'_>| {
        let sum =
            |value: &Value| matches!(value.kind, Kind::Money { .. }) && part.span.contains(&value.span.start);
        plain && source.values.iter().any(|(value, _)| sum(value))
    };
    let parts = parts(&[window.case]);
    parts.windows(2).find_map(|pair| {
        let [one, other] = pair else { return None };
        let (first, second) = (one.said(judged), other.said(judged));
        let dear = priced(other) && !priced(one);
        let (lost, lost_too) = (one.lost(judged, source), other.lost(judged, source) + usize::from(dear));
        let mixed = !first.is_empty() && !second.is_empty() && lost > 0 && lost_too > 0;
        // Where the second has no word of the first, it may leave out what that has: who does it has to change.
        let taken = !one.begins(judged)
            && other.begins(judged)
            && (dear || (lost == 1 && first.len() > 1 && lost_too * 2 >= other.words.len()));
        let crossed = mixed && first.len() * 3 >= one.words.len() && (other.alike || taken);
        second.first().copied().filter(|_| crossed)
    })
}

/// A value that is said of what an earlier part is about, which states something itself, where its own begins with
/// something else.
fn led_by_another<'w>(judged: &Judged<'_>, case: &'w Case, window: Window<'w>) -> Option<&'w Word> {
    let source = &window.stated.sentence;
    let values = window.case.values.iter().filter_map(|place| source.values.get(*place));
    let ours = || case.values.iter().filter_map(|place| judged.sentence.values.get(*place));
    let said =
        |value: &Value| ours().find(|(claim, _)| claim.said_by(value)).map(|(claim, _)| claim.span.start);
    let (value, claimed) = values.filter_map(|(value, _)| Some((value, said(value)?))).next()?;
    if value.as_period().is_some() {
        return None;
    }
    let at = source.cases.iter().position(|other| std::ptr::eq(other, window.case))?;
    let from = (0..=at).rfind(|at| source.cases.get(*at).is_some_and(|case| !case.chained))?;
    let cases: Vec<&Case> = source.cases.get(from..=at)?.iter().collect();
    let parts = parts(&cases);
    let own = parts.iter().position(|part| part.span.contains(&value.span.start))?;
    let (own, before) = (parts.get(own)?, parts.get(own.checked_sub(1)?)?);
    let states = |part: &Part<'_>| {
        let side = |word: &Word| word.pair.is_some() && part.span.contains(&word.at);
        let value = |(value, _): &(Value, Option<Id>)| part.span.contains(&value.span.start);
        cases.iter().flat_map(|case| &case.words).any(side) || source.values.iter().any(value)
    };
    // What the sentence says in another part of it is told for itself.
    let begins = case.cuts.iter().copied().filter(|cut| *cut <= claimed).max().unwrap_or_default();
    let plain = || case.words.iter().filter(|word| word.is_plain() && word.at >= begins);
    let has = |part: &Part<'_>, word: &Word| part.words.iter().any(|own| same(own, word));
    let taken = plain().find(|word| has(before, word) && !has(own, word))?;
    let lost =
        own.words.iter().filter(|word| word.at < value.span.start && !word.is_among(&judged.ids)).count();
    // A word that the text does not have may be another for one that is left out.
    let unknown = plain().filter(|word| !word.is_among(&window.text.ids)).count();
    (states(before) && !own.begins(judged) && lost > unknown).then_some(taken)
}

fn same(one: &Word, other: &Word) -> bool {
    one.text == other.text || (one.id.is_some() && one.id == other.id)
}
