//! Whether a sentence keeps what the source makes its statement depend on.

use std::ops::Range;

use mostrador_language::{Bound, Value};

use super::cases::{Case, Dependent, Role, Sentence};
use super::known::{Ids, Word, ids_of, shared};
use super::verdict::Why;
use super::window::{Judged, Window};

/// Exceptions, conditions and limits of the case that a statement stands on are in the sentence, and so is the one
/// that a short sentence behind it adds.
///
/// # Errors
/// The first that is not.
pub(super) fn keeps(judged: &Judged<'_>, window: Window<'_>, one_language: bool) -> Result<(), Why> {
    let source = &window.stated.sentence;
    let own = main_words(window.case);
    for dependent in &window.case.dependents {
        if !is_kept(judged, source, dependent, &own, one_language) {
            return Err(dropped(source, dependent.role, &dependent.span));
        }
        if one_language && is_turned_round(judged, dependent) {
            return Err(Why::Contradicted { window: source.text.trim().to_owned() });
        }
    }
    limits(judged, window)?;
    let next = window.text.stated.get(window.sentence + 1);
    if let Some(next) = next
        && let [case] = next.sentence.cases.as_slice()
        && let [only] = case.dependents.as_slice()
        && only.role == Role::Exception
        && only.words.len() == case.words.len()
        && next.sentence.part(&(0..only.span.start)).is_empty()
        && !is_kept(judged, &next.sentence, only, &own, one_language)
    {
        return Err(dropped(&next.sentence, only.role, &only.span));
    }
    Ok(())
}

/// What a statement takes from a case beside its window comes with what that makes it depend on: "the deposit of 10 €
/// is refunded" of "the deposit is 10 €, and it is refunded only if …".
///
/// # Errors
/// The first that the sentence leaves out.
pub(super) fn borrows(judged: &Judged<'_>, case: &Case, window: Window<'_>) -> Result<(), Why> {
    let text = window.text;
    if text.language != judged.pack.lang || window.stated.sentence.row {
        return Ok(());
    }
    let has = |word: &Word| word.is_among(&window.case.ids) || word.is_among(&window.stated.above);
    let missing: Vec<&Word> = case.words.iter().filter(|word| word.is_plain() && !has(word)).collect();
    let next = text.stated.get(window.sentence + 1);
    for stated in std::iter::once(window.stated).chain(next).filter(|_| !missing.is_empty()) {
        let others = stated.sentence.cases.iter().filter(|other| !std::ptr::eq(*other, window.case));
        for other in others.filter(|other| !other.dependents.is_empty()) {
            let main = main_words(other);
            let own = || other.words.iter().filter(|word| word.is_plain() && word.is_among(&main));
            let lent = missing.iter().any(|word| word.is_among(&main));
            if !lent || shared(own(), &judged.ids) * 2 < own().count() {
                continue;
            }
            for dependent in &other.dependents {
                if !is_kept(judged, &stated.sentence, dependent, &main, true) {
                    return Err(dropped(&stated.sentence, dependent.role, &dependent.span));
                }
            }
        }
    }
    Ok(())
}

fn dropped(source: &Sentence, role: Role, span: &Range<usize>) -> Why {
    let (part, window) = (source.part(span), source.text.trim().to_owned());
    match role {
        Role::Exception => Why::ExceptionDropped { part, window },
        Role::Lacking | Role::Condition | Role::Moment | Role::Only => Why::ConditionDropped { part, window },
    }
}

/// What the case says besides what it depends on.
fn main_words(case: &Case) -> Ids {
    let apart = |word: &&Word| {
        word.head || !case.dependents.iter().any(|dependent| dependent.span.contains(&word.at))
    };
    ids_of(case.words.iter().filter(apart))
}

/// More than half of an exception, half of a condition, and every value.
fn is_kept(
    judged: &Judged<'_>,
    source: &Sentence,
    dependent: &Dependent,
    main: &Ids,
    one_language: bool,
) -> bool {
    let values =
        || dependent.values.iter().filter_map(|place| source.values.get(*place)).map(|(value, _)| value);
    if !values().all(|value| says(judged.sentence, value)) {
        return false;
    }
    if dependent.role == Role::Moment && dependent.apart {
        return true;
    }
    let strict = matches!(dependent.role, Role::Exception | Role::Lacking);
    if strict && !judged.sentence.turning {
        return false;
    }
    let plain = || dependent.words.iter().filter(|word| word.is_plain());
    // "Only members …": who is meant stands beside the word.
    let meant = if dependent.behind { plain().next_back() } else { plain().next() };
    if dependent.role == Role::Only && one_language && meant.is_some_and(|word| !word.is_among(&judged.ids)) {
        return false;
    }
    let mut words: Vec<&Word> = plain().filter(|word| !word.is_among(main)).collect();
    if words.is_empty() {
        words = plain().collect();
    }
    if words.is_empty() || !one_language {
        return values().next().is_some() || judged.sentence.turning;
    }
    let found = shared(words.iter().copied(), &judged.ids);
    if strict || dependent.role == Role::Only { found * 2 > words.len() } else { found * 2 >= words.len() }
}

/// Whether the sentence has the same part, but denies it where the source does not, or the other way round. Where
/// one of them has an opposite that the other lacks, that may be what the denial stands for.
fn is_turned_round(judged: &Judged<'_>, dependent: &Dependent) -> bool {
    let words = || dependent.words.iter().filter(|word| word.is_plain());
    let ours = judged.sentence.cases.iter().flat_map(|case| &case.dependents);
    let mut same = ours.filter(|ours| {
        let ids = ids_of(&ours.words);
        let shared = shared(words(), &ids);
        shared > 0 && shared * 2 >= words().count()
    });
    let all = ids_of(&dependent.words);
    same.any(|ours| {
        let ids = ids_of(&ours.words);
        let opposite = |word: &&Word| !word.is_plain();
        let sides = dependent.words.iter().filter(opposite).all(|word| word.is_among(&ids))
            && ours.words.iter().filter(opposite).all(|word| word.is_among(&all));
        sides && ours.denied != dependent.denied
    })
}

fn says(sentence: &Sentence, value: &Value) -> bool {
    sentence.values.iter().any(|(claimed, _)| claimed.said_by(value))
}

/// Limits that the case, or the head of its column, states beside what the sentence says: "free over 50 €" is not
/// "free".
fn limits(judged: &Judged<'_>, window: Window<'_>) -> Result<(), Why> {
    let source = &window.stated.sentence;
    let limits =
        |value: &Value| value.is_weekdays() || value.bound.is_some_and(|bound| bound != Bound::About);
    let lost = |value: &&Value| limits(value) && !says(judged.sentence, value);
    let mut own =
        window.case.values.iter().filter_map(|place| source.values.get(*place)).map(|(value, _)| value);
    if let Some(value) = own.find(lost) {
        return Err(dropped(source, Role::Condition, &value.span));
    }
    match window.case.column.values.iter().find(lost) {
        None => Ok(()),
        Some(_) => Err(Why::ConditionDropped {
            part: window.case.column.text.clone(),
            window: source.text.trim().to_owned(),
        }),
    }
}
