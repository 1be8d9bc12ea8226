//! Whether a sentence keeps what the source makes its statement depend on.

use std::ops::Range;

use mostrador_language::{Bound, Kind, Value};

use super::cases::{Case, Dependent, Role, Sentence};
use super::known::{Ids, Word, ids_of, shared};
use super::verdict::Why;
use super::window::{Judged, Window, all, flips};

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
        if one_language && is_turned_round(judged, window, dependent) {
            return Err(Why::Contradicted { window: source.text.trim().to_owned() });
        }
    }
    limits(judged, window)?;
    places(judged, window)?;
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

/// More than half of an exception, most of what alone is meant, half of a condition, and every value.
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
    if strict && !judged.sentence.takes_out() {
        return false;
    }
    let plain = || dependent.words.iter().filter(|word| word.is_plain());
    // "Only members …": who is meant stands beside the word.
    let meant = if dependent.behind { plain().next_back() } else { plain().next() };
    // So does what must hold where nothing but the word for it parts it from the rest.
    let held = dependent.role == Role::Condition && main.is_empty();
    let beside = held || dependent.role == Role::Only;
    if beside && one_language && meant.is_some_and(|word| !word.is_among(&judged.ids)) {
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
    match dependent.role {
        // "We only take it back with a receipt": where the sentence does not say "only", it says what is meant.
        Role::Only if !judged.sentence.limits() => found * 4 >= words.len() * 3,
        Role::Only | Role::Exception | Role::Lacking => found * 2 > words.len(),
        Role::Condition | Role::Moment => found * 2 >= words.len(),
    }
}

/// Whether the sentence has the same part, but lets the contrary follow from it: it denies it where the source does not,
/// or makes a condition of an exception. Where one of them has an opposite that the other lacks, that may be what the
/// denial stands for.
fn is_turned_round(judged: &Judged<'_>, window: Window<'_>, dependent: &Dependent) -> bool {
    let source = window.case;
    let (main, said) = (main_words(source), all(&window.stated.sentence));
    judged.sentence.cases.iter().any(|case| {
        // "If it is faulty, the shop pays" of "the customer pays, unless it is faulty, in which case the shop pays".
        let own = main_words(case);
        let follows = dependent
            .words
            .iter()
            .any(|word| word.is_plain() && word.is_among(&own) && !word.is_among(&main));
        let turned = flips(case, source, judged.pack) == 1;
        case.dependents.iter().filter(|ours| is_same(judged, &said, ours, dependent)).any(|ours| {
            let contrary = ours.denies() != dependent.denies();
            let rest = (case.denied != source.denied) != turned;
            let of_one_sort = ours.takes_out() == dependent.takes_out();
            if of_one_sort { contrary } else { !follows && contrary != rest }
        })
    })
}

/// Whether a statement denies what its window does not, or the other way round, and takes out what that depends on: "not
/// without a lead" of "only on a lead".
pub(super) fn says_the_other_way(judged: &Judged<'_>, case: &Case, window: Window<'_>) -> bool {
    let said = all(&window.stated.sentence);
    let theirs = |ours: &Dependent| {
        let mut theirs = window.case.dependents.iter();
        theirs.any(|theirs| ours.denies() != theirs.denies() && is_same(judged, &said, ours, theirs))
    };
    window.text.language == judged.pack.lang
        && case.denied != window.case.denied
        && case.dependents.iter().any(theirs)
}

/// Whether a part of the sentence is a part of the source: most of the words of one are those of the other, and so are
/// the opposites. `said`: all that the sentence of the source says.
fn is_same(judged: &Judged<'_>, said: &Ids, ours: &Dependent, theirs: &Dependent) -> bool {
    let plain = |dependent: &Dependent| dependent.words.iter().filter(|word| word.is_plain()).count();
    let ids = ids_of(&ours.words);
    let shared = shared(theirs.words.iter().filter(|word| word.is_plain()), &ids);
    let opposite = |word: &&Word| !word.is_plain();
    let sides = theirs.words.iter().filter(opposite).all(|word| word.is_among(&judged.ids))
        && ours.words.iter().filter(opposite).all(|word| word.is_among(said));
    sides && shared > 0 && shared * 2 >= plain(ours).min(plain(theirs))
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

/// The place of what the sentence speaks of: "the first lesson is free" is not "the lesson is free".
fn places(judged: &Judged<'_>, window: Window<'_>) -> Result<(), Why> {
    let source = &window.stated.sentence;
    let own = window.case.values.iter().filter_map(|place| source.values.get(*place)).map(|(value, _)| value);
    let mut ordinals = own.filter(|value| matches!(value.kind, Kind::Ordinal { .. }));
    let lost = ordinals.find(|value| {
        let counted = beside(source, &window.case.words, &value.span);
        counted.is_some_and(|word| word.is_among(&judged.ids)) && !says(judged.sentence, value)
    });
    lost.map_or(Ok(()), |value| Err(dropped(source, Role::Condition, &value.span)))
}

/// What a statement says of the first of several is not what the source says of the others beside it: "the first lesson
/// costs 5 €" of "the first lesson is free, each lesson after it costs 5 €".
///
/// # Errors
/// The first place that the window does not name, where it names what is counted.
pub(super) fn orders(judged: &Judged<'_>, case: &Case, window: Window<'_>) -> Result<(), Why> {
    let source = &window.stated.sentence;
    if window.text.language != judged.pack.lang || source.row {
        return Ok(());
    }
    let values = |sentence: &Sentence, case: &Case| -> Vec<Value> {
        let values = case.values.iter().filter_map(|place| sentence.values.get(*place));
        values.map(|(value, _)| value.clone()).collect()
    };
    let theirs = values(source, window.case);
    for value in values(judged.sentence, case) {
        // "After the first lesson, …" speaks of the others.
        let apart = case.cuts.iter().any(|cut| value.span.end <= *cut);
        let is_place = matches!(value.kind, Kind::Ordinal { .. });
        if apart || !is_place || theirs.iter().any(|their| value.said_by(their)) {
            continue;
        }
        let counted = beside(judged.sentence, &case.words, &value.span);
        let elsewhere = source.values.iter().any(|(their, _)| value.said_by(their));
        if let Some(word) = counted.filter(|word| elsewhere && word.is_among(&window.case.ids)) {
            let window = source.text.trim().to_owned();
            return Err(Why::SaidOfAnother { word: word.text.clone(), window });
        }
    }
    Ok(())
}

/// The word right behind a part of a sentence, or else the one right before it.
fn beside<'w>(sentence: &Sentence, words: &'w [Word], span: &Range<usize>) -> Option<&'w Word> {
    let blank = |part: Range<usize>| sentence.text.get(part).is_some_and(|part| part.trim().is_empty());
    let written = |word: &Word| {
        let rest = sentence.text.get(word.at..).unwrap_or_default();
        mostrador_language::words(rest).next().map_or(0, str::len)
    };
    let plain = || words.iter().filter(|word| word.is_plain() && !word.head);
    let behind = plain().find(|word| span.end <= word.at && blank(span.end..word.at));
    behind.or_else(|| plain().find(|word| word.at < span.start && blank(word.at + written(word)..span.start)))
}
