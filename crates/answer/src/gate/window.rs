//! Whether a statement agrees with the part of the source that it stands on.

use mostrador_language::{Pack, Period};

use super::cases::{Case, Dependent, Role, Sentence};
use super::kept;
use super::known::{Ids, WHOLE, Word, ids_of, share, shared, subjects};
use super::prepared::{Stated, Text};
use super::substituted::substituted;
use super::swapped::is_of_the_same;
use super::verdict::Why;

/// Shorter words, in letters, are not compared without the beginning that would deny them.
const SHORTEST_DENIED: usize = 4;

/// The part of the source that a statement stands on: a case of one of its sentences.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window<'p> {
    pub(super) text: &'p Text,
    pub(super) stated: &'p Stated,
    pub(super) case: &'p Case,
    /// The place of the sentence in its text.
    pub(super) sentence: usize,
}

/// A sentence to be judged, with all it says.
pub(super) struct Judged<'j> {
    pub(super) sentence: &'j Sentence,
    pub(super) ids: Ids,
    pub(super) pack: &'j Pack,
}

/// Of several windows that fit equally, one that agrees is enough: that one is given.
///
/// # Errors
/// What is wrong with the last of them.
pub(super) fn agree<'p>(
    judged: &Judged<'_>,
    case: &Case,
    windows: &[Window<'p>],
) -> Result<Option<Window<'p>>, Why> {
    let mut wrong = Ok(None);
    for window in windows {
        let agrees = agrees(judged, case, *window)
            .and_then(|()| unsaid(judged, case, *window))
            .and_then(|()| kept::borrows(judged, case, *window))
            .and_then(|()| is_of_the_same(judged, case, *window))
            .and_then(|()| kept::orders(judged, case, *window))
            .and_then(|()| keeps_words(judged, *window))
            .and_then(|()| keeps_periods(judged, case, *window));
        wrong = agrees.map(|()| Some(*window));
        if wrong.is_ok() {
            return wrong;
        }
    }
    wrong
}

fn agrees(judged: &Judged<'_>, case: &Case, window: Window<'_>) -> Result<(), Why> {
    let one_language = window.text.language == judged.pack.lang;
    let source = &window.stated.sentence;
    let flips = match gapped(window) {
        _ if !one_language => 0,
        Some(before) if flips(case, window.case, judged.pack) == 0 => turned(&case.opposites, &before),
        _ => flips(case, window.case, judged.pack),
    };
    let otherwise =
        speaks_of_exception(judged, case, window) || kept::says_the_other_way(judged, case, window);
    let denial = (case.denied != window.case.denied) != otherwise;
    // "Not enabled" for "disabled" says the same; both or neither turned round do.
    if flips > 1 || (flips == 1) != denial {
        return Err(Why::Contradicted { window: source.text.trim().to_owned() });
    }
    kept::keeps(judged, window, one_language)?;
    for dependent in &case.dependents {
        // "Not unless …" is said of "only if …".
        let turning = source.takes_out() || (case.denied && source.turning) || next_turns(window, dependent);
        let adds = match dependent.role {
            Role::Exception | Role::Lacking => true,
            Role::Only => dependent.words.iter().any(|word| word.is_plain()),
            Role::Condition | Role::Moment => false,
        };
        let turning = if dependent.role == Role::Only { source.turning || turning } else { turning };
        if adds && !turning {
            return Err(Why::ExceptionAdded {
                part: judged.sentence.part(&dependent.span),
                window: source.text.trim().to_owned(),
            });
        }
    }
    Ok(())
}

/// The sides of opposites that a window takes from the statement whose verb it leaves out, where it does: "the small one is 5 % cheaper, the large one 15 %".
fn gapped(window: Window<'_>) -> Option<Vec<(u16, bool)>> {
    let source = &window.stated.sentence;
    if source.row {
        return None;
    }
    let at = source.cases.iter().position(|case| std::ptr::eq(case, window.case))?;
    let before = source.cases.get(at.checked_sub(1)?).filter(|_| window.case.goes_on)?;
    let value = |place: &usize| source.values.get(*place).map(|(value, _)| value);
    let comparable = |one: &mostrador_language::Value| {
        before.values.iter().filter_map(value).any(|other| other.is_comparable(one))
    };
    let own = |(pair, _): &&(u16, bool)| window.case.opposites.iter().any(|(other, _)| other == pair);
    let inherited = || before.opposites.iter().filter(|side| !own(side)).copied().collect();
    window.case.values.iter().filter_map(value).any(comparable).then(inherited)
}

/// Whether a statement speaks of what its window takes out, for which the contrary holds: "not on Sundays" of
/// "daily except on Sundays".
fn speaks_of_exception(judged: &Judged<'_>, case: &Case, window: Window<'_>) -> bool {
    let is_exception = |dependent: &&Dependent| dependent.role == Role::Exception;
    if !case.denied || case.dependents.iter().any(|dependent| is_exception(&dependent)) {
        return false;
    }
    let source = &window.stated.sentence;
    window.case.dependents.iter().filter(is_exception).any(|dependent| {
        let mut words = dependent.words.iter().filter(|word| word.is_plain()).peekable();
        let mut values = dependent.values.iter().filter_map(|place| source.values.get(*place)).peekable();
        let names = words.peek().is_some() || values.peek().is_some();
        names
            && words.all(|word| word.is_among(&judged.ids))
            && values.all(|(value, _)| judged.sentence.values.iter().any(|(claim, _)| claim.said_by(value)))
    })
}

/// A statement that denies nothing does not also say what the source denies beside the window: all of it, and more
/// than the window says by itself.
fn unsaid(judged: &Judged<'_>, case: &Case, window: Window<'_>) -> Result<(), Why> {
    if case.denied || judged.sentence.turning || window.text.language != judged.pack.lang {
        return Ok(());
    }
    let around = window.text.stated.iter().skip(window.sentence.saturating_sub(1)).take(3);
    let denied = around.flat_map(|stated| {
        let cases = stated.sentence.cases.iter().filter(|source| source.denied);
        cases.map(move |source| (stated, source))
    });
    for (stated, source) in denied {
        let words = || source.words.iter().filter(|word| word.is_plain());
        let said = words().all(|word| word.is_among(&case.ids));
        let more = words().any(|word| !word.is_among(&window.case.ids));
        let affirmed = window
            .stated
            .sentence
            .cases
            .iter()
            .any(|own| !own.denied && words().all(|word| word.is_among(&own.ids)));
        if said && more && !affirmed && flips(case, source, judged.pack) == 0 {
            return Err(Why::Contradicted { window: stated.sentence.text.trim().to_owned() });
        }
    }
    Ok(())
}

/// No word stands in the place of one of the window's.
fn keeps_words(judged: &Judged<'_>, window: Window<'_>) -> Result<(), Why> {
    let Some(word) = substituted(judged, window) else { return Ok(()) };
    let window = window.stated.sentence.text.trim().to_owned();
    Err(Why::SaidOfAnother { word: word.text.clone(), window })
}

/// A statement names no other period than its window does: "the price of last month" is not that of last year.
fn keeps_periods(judged: &Judged<'_>, case: &Case, window: Window<'_>) -> Result<(), Why> {
    let source = &window.stated.sentence;
    // What the window names itself is not what stands beside it: "the monthly one costs 32 €, the quarterly one 84 €".
    let at = source.cases.iter().position(|other| std::ptr::eq(other, window.case)).unwrap_or_default();
    let mut stated: Vec<Period> = source.periods_of(at).collect();
    if stated.is_empty() || case.values.is_empty() {
        stated = source.periods.iter().map(|(_, period)| *period).collect();
    }
    let theirs = |period: &Period| {
        stated.contains(period)
            || window.stated.periods.contains(period)
            || window.case.column.periods.contains(period)
    };
    let ours = |period: &Period| judged.sentence.periods.iter().any(|(_, other)| other == period);
    let place = judged.sentence.cases.iter().position(|other| std::ptr::eq(other, case)).unwrap_or_default();
    let Some((span, _)) = judged.sentence.periods_in(place).find(|(_, period)| !theirs(period)) else {
        return Ok(());
    };
    let named = if source.row { &window.case.column.periods } else { &stated };
    if named.iter().all(ours) {
        return Ok(());
    }
    let value = judged.sentence.part(span);
    Err(Why::PeriodChanged { value, window: source.text.trim().to_owned() })
}

/// Whether a sentence behind the window, which speaks of the same, turns it round.
fn next_turns(window: Window<'_>, dependent: &Dependent) -> bool {
    let next = window.text.stated.get(window.sentence + 1).filter(|next| next.sentence.turning);
    next.is_some_and(|next| {
        let words = all(&next.sentence);
        let mut plain = dependent.words.iter().filter(|word| word.is_plain()).peekable();
        plain.peek().is_none() || plain.any(|word| word.is_among(&words))
    })
}

/// How many of their words exclude each other: sides of opposites, and words with a beginning that denies.
pub(super) fn flips(case: &Case, source: &Case, pack: &Pack) -> usize {
    let opposites = turned(&case.opposites, &source.opposites);
    if opposites > 0 {
        // A word with such a beginning is listed among the opposites as often as not.
        return opposites.min(2);
    }
    denied_by_prefix(case, source, pack).min(2)
}

/// How many pairs of opposites they take contrary sides of.
fn turned(ours: &[(u16, bool)], theirs: &[(u16, bool)]) -> usize {
    let side = |sides: &[(u16, bool)], pair: u16| {
        let mut sides = sides.iter().filter(|(other, _)| *other == pair).map(|(_, side)| *side);
        let first = sides.next()?;
        sides.all(|side| side == first).then_some(first)
    };
    let mut pairs: Vec<u16> = ours.iter().map(|(pair, _)| *pair).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let excluded = |pair: &&u16| match (side(ours, **pair), side(theirs, **pair)) {
        (Some(ours), Some(theirs)) => ours != theirs,
        _ => false,
    };
    pairs.iter().filter(excluded).count()
}

/// How many words of one are those of the other with a beginning that denies them.
fn denied_by_prefix(case: &Case, source: &Case, pack: &Pack) -> usize {
    let denies = |one: &str, other: &str| {
        other.chars().nth(SHORTEST_DENIED - 1).is_some()
            && one.strip_suffix(other).is_some_and(|prefix| pack.talk.negating_prefixes.contains(prefix))
    };
    let ours = case.words.iter().filter(|word| word.is_plain() && !word.is_among(&source.ids));
    ours.filter(|one| {
        let mut theirs = source.words.iter().filter(|word| word.is_plain() && !word.is_among(&case.ids));
        theirs.any(|other| denies(&one.text, &other.text) || denies(&other.text, &one.text))
    })
    .count()
}

/// The cases of the source that say most of what a statement without values says; none where none says half of it.
/// Words alone are compared, since the same words with other digits are about the same; a word and its opposite are
/// about the same too. Of cases that say as much, the one whose sentence says more of the rest is meant.
///
/// `before`: the window of what the statement goes on with; where that sentence says it, it is meant.
pub(super) fn closest<'p>(
    judged: &Judged<'_>,
    case: &Case,
    texts: &[&'p Text],
    before: Option<Window<'p>>,
) -> Vec<Window<'p>> {
    let pack = judged.pack;
    let others: Vec<&Word> = judged
        .sentence
        .words()
        .filter(|word| word.is_plain() && !case.words.iter().any(|own| own.at == word.at))
        .collect();
    let words = || case.words.iter().filter(|word| word.is_plain());
    let total = words().count();
    let mut best: Vec<Window<'p>> = Vec::new();
    let mut most = (0, 0);
    let stays = |text: &Text, sentence: usize| {
        before.is_some_and(|before| std::ptr::eq(before.text, text) && before.sentence == sentence)
    };
    for text in texts {
        for (sentence, stated) in text.stated.iter().enumerate() {
            if stated.heading {
                continue;
            }
            let mut around = stated.above.clone();
            let whole: Ids = stated.sentence.cases.iter().flat_map(|case| &case.ids).chain(&around).collect();
            let context = share(shared(others.iter().copied(), &whole), others.len());
            for source in &stated.sentence.cases {
                around.extend(&source.ids);
                let opposed = denied_by_prefix(case, source, pack);
                let covered = shared(words(), &around) + opposed;
                if covered * 2 < total || covered == 0 {
                    continue;
                }
                let beside = shared(&source.words, &case.ids) + opposed + opposites(case, source);
                if beside == 0 {
                    continue;
                }
                // What stands before a case is not said of it where it has something of its own in its place.
                let apart = subjects(&source.words, &case.words).any(|word| !word.is_among(&judged.ids));
                let said = words().filter(|word| word.is_among(&source.ids) || word.is_among(&stated.above));
                let covered = if apart { said.count() + opposed } else { covered };
                let fit = share(covered, total)
                    + share(beside, source.words.len())
                    + context * 2
                    + if stays(text, sentence) && (case.chained || covered == total) { 2 * WHOLE } else { 0 };
                // Of two cases of a sentence, the one that is of the same.
                let fit = (fit, shared(others.iter().copied(), &source.ids));
                let window = Window { text, stated, case: source, sentence };
                match fit.cmp(&most) {
                    std::cmp::Ordering::Greater => {
                        most = fit;
                        best = vec![window];
                    }
                    std::cmp::Ordering::Equal => best.push(window),
                    std::cmp::Ordering::Less => {}
                }
            }
        }
    }
    best
}

/// How many of the sides of opposites that a case takes are those that the other excludes.
fn opposites(case: &Case, source: &Case) -> usize {
    let excluded = |(pair, side): &&(u16, bool)| source.opposites.contains(&(*pair, !*side));
    case.opposites.iter().filter(excluded).count()
}

/// What a whole sentence says.
pub(super) fn all(sentence: &Sentence) -> Ids {
    ids_of(sentence.words())
}
