//! Whether a statement is made of the thing that the source makes it of, where no value tells.

use mostrador_language::Pack;

use super::cases::{Case, Sentence};
use super::known::{Ids, Word, shared, subjects};
use super::prepared::Stated;
use super::verdict::Why;
use super::window::{Judged, Window, flips};

/// So many words at the beginning of a statement say what it is of, where it says so there.
const SUBJECT: usize = 3;

/// A statement that names something else of the cited text in the place of what its window speaks of is said of
/// another thing: "the cheques are accepted" of "vouchers are accepted", where the text speaks of cheques elsewhere.
/// In a row of a table, whose cells have no verbs, what stands in another row is enough.
///
/// # Errors
/// The first word that the window does not say.
pub(super) fn is_of_the_same(judged: &Judged<'_>, case: &Case, window: Window<'_>) -> Result<(), Why> {
    if window.text.language != judged.pack.lang || window.stated.heading {
        return Ok(());
    }
    let source = &window.stated.sentence;
    let side = |(pair, _): &(u16, bool)| {
        let own = |side: &&(u16, bool)| !window.case.column.opposites.contains(side);
        window.case.opposites.iter().filter(own).any(|(other, _)| other == pair)
    };
    let alone = case.values.is_empty() && case.opposites.iter().any(side);
    let (with, chain) = chain(source, window.case, alone, judged.pack);
    let told = told_so_far(judged.sentence, case);
    let dropped: Vec<&Word> = chain
        .iter()
        .flat_map(|own| subjects(&own.words, &case.words))
        .filter(|word| !word.is_among(&told))
        .collect();
    // What has something of its own that is not told is not said of what stands beside it.
    let said_with = if dropped.is_empty() { &with } else { &chain };
    let said: Ids = said_with.iter().flat_map(|case| &case.ids).chain(&window.stated.above).collect();
    let missing: Vec<&Word> = case
        .words
        .iter()
        .filter(|word| word.is_plain() && !word.is_among(&said) && word.is_among(&window.text.ids))
        .collect();
    if source.row {
        let lacks = |(pair, side): &(u16, bool)| {
            let has = |case: &Case, side: bool| case.opposites.contains(&(*pair, side));
            !has(window.case, *side)
                && source
                    .cases
                    .iter()
                    .any(|cell| has(cell, *side) && !cell.column.opposites.contains(&(*pair, *side)))
        };
        if case.values.is_empty() && case.opposites.iter().any(lacks) {
            return Err(Why::Contradicted { window: source.text.trim().to_owned() });
        }
    }
    let theirs =
        with.iter().filter(|other| !chain.iter().any(|own| std::ptr::eq(*own, **other)) && !source.row);
    for other in theirs {
        let valued = case.values.is_empty() && !other.values.is_empty();
        if case.denied == other.denied && flips(case, other, judged.pack) == 0 && !valued {
            continue;
        }
        let only = |word: &&Word| {
            word.is_plain()
                && word.is_among(&other.ids)
                && !with.iter().any(|case| !std::ptr::eq(*case, *other) && word.is_among(&case.ids))
                && !word.is_among(&window.stated.above)
        };
        let apart = subjects(&other.words, &window.case.words).any(|word| !word.is_among(&told));
        if case.values.is_empty()
            && !dropped.is_empty()
            && apart
            && flips(window.case, other, judged.pack) > 0
        {
            // "It is on" of "it is on for the large one and off for the small".
            return Err(Why::Contradicted { window: source.text.trim().to_owned() });
        }
        let later = source.cases.iter().skip_while(|own| !std::ptr::eq(*own, window.case));
        let later = later.clone().any(|own| std::ptr::eq(own, *other));
        let taken = case.words.iter().find(only).filter(|_| later);
        if let (Some(word), false) = (taken, is_told(judged, case, source, other)) {
            return Err(Why::SaidOfAnother {
                word: word.text.clone(),
                window: source.text.trim().to_owned(),
            });
        }
    }
    let Some(first) = missing.first() else { return Ok(()) };
    let wrong =
        || Err(Why::SaidOfAnother { word: first.text.clone(), window: source.text.trim().to_owned() });
    let mut others = window.text.stated.iter().filter(|stated| !stated.heading);
    if source.row {
        let in_row = |stated: &Stated| {
            let cases = &stated.sentence.cases;
            let head = cases.first().is_some_and(|head| {
                head.words.iter().all(|word| !word.is_plain() || word.is_among(&judged.ids))
            });
            let says = cases.iter().any(|case| missing.iter().any(|word| word.is_among(&case.ids)));
            stated.sentence.row && says && !head
        };
        return if others.any(in_row) { wrong() } else { Ok(()) };
    }
    let mut others = others.flat_map(|stated| stated.sentence.cases.iter().map(move |case| (stated, case)));
    let begins = |cases: &[&Case], words: &[&Word]| {
        let mut plain: Vec<&Word> =
            cases.iter().flat_map(|case| &case.words).filter(|word| word.is_plain()).collect();
        plain.sort_by_key(|word| word.at);
        plain
            .iter()
            .take(SUBJECT)
            .any(|first| words.iter().any(|word| word.text == first.text || word.id == first.id))
    };
    let parallel = |(stated, other): (&Stated, &Case)| {
        !is_told(judged, case, &stated.sentence, other)
            && !said_with.iter().any(|case| std::ptr::eq(*case, other))
            && missing.iter().all(|word| word.is_among(&other.ids))
            && !dropped.iter().any(|word| word.is_among(&other.ids))
            && (begins(&chain, &dropped) || begins(&[other], &missing))
    };
    if !dropped.is_empty() && others.any(parallel) { wrong() } else { Ok(()) }
}

/// What a sentence says up to the end of a statement: what comes behind it is of something else.
fn told_so_far(sentence: &Sentence, case: &Case) -> Ids {
    let at =
        sentence.cases.iter().position(|other| std::ptr::eq(other, case)).unwrap_or(sentence.cases.len());
    sentence.cases.iter().take(at + 1).flat_map(|case| &case.ids).collect()
}

/// Whether a sentence tells what a case of the source states, and not only names what that is about: its value, or most
/// of its words and the same of them.
fn is_told(judged: &Judged<'_>, case: &Case, source: &Sentence, other: &Case) -> bool {
    let mut values = other.values.iter().filter_map(|place| source.values.get(*place)).peekable();
    if values.peek().is_some() {
        return values.any(|(value, _)| judged.sentence.values.iter().any(|(claim, _)| claim.said_by(value)));
    }
    let words = || other.words.iter().filter(|word| word.is_plain());
    let most = shared(words(), &judged.ids) * 2 > words().count();
    most && case.denied == other.denied && flips(case, other, judged.pack) == 0
}

/// The cases that go on with one another, this one among them, and those of them that this one goes on with. Of a row,
/// all its cells, or the one cell where `alone`: a statement without values is of one.
fn chain<'s>(
    sentence: &'s Sentence,
    case: &'s Case,
    alone: bool,
    pack: &Pack,
) -> (Vec<&'s Case>, Vec<&'s Case>) {
    let cases = &sentence.cases;
    let Some(at) = cases.iter().position(|other| std::ptr::eq(other, case)) else {
        return Default::default();
    };
    if sentence.row {
        let all = if alone { vec![case] } else { cases.iter().collect() };
        return (all, Vec::new());
    }
    let goes_on = |place: usize| cases.get(place).is_some_and(|case| case.chained);
    let from = (0..=at).rfind(|place| !goes_on(*place)).unwrap_or_default();
    let behind = cases.iter().skip(from + 1).take_while(|case| case.chained).count();
    let with = cases.iter().skip(from).take(behind + 1).collect();
    let stops = |place: &usize| {
        let parallel =
            |(before, case): (&Case, &Case)| !before.values.is_empty() || flips(before, case, pack) > 0;
        !goes_on(*place) || cases.get(place - 1).zip(cases.get(*place)).is_none_or(parallel)
    };
    let begins = (1..=at).rev().find(stops).unwrap_or_default();
    (with, cases.iter().skip(begins).take(at + 1 - begins).collect())
}
