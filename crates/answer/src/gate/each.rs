//! What a sum is counted for each of, where that is no period of the pack: "6 € per pupil".

use std::ops::Range;

use super::cases::{Case, Sentence};
use super::judge::window;
use super::known::Word;
use super::slots::Slot;
use super::subject::Place;
use super::window::Judged;

/// A word that a sum is counted for, with the small word that says so.
struct Each<'w> {
    says_so: String,
    word: &'w Word,
}

/// The sentence of the source in which every place of a sum counts it for each of something that the sentence does not
/// name, behind the same small word: "6 € per family" of "6 € per pupil".
pub(super) fn counted_otherwise(judged: &Judged<'_>, claim: &Slot, found: &[Place<'_>]) -> Option<String> {
    let case = judged.sentence.cases.get(claim.case)?;
    let ours = each(judged.sentence, case, &claim.value.span).filter(|_| claim.is_money())?;
    let mut instead = None;
    for place in found {
        let window = window(*place).filter(|window| window.text.language == judged.pack.lang)?;
        let source = &window.stated.sentence;
        let theirs = each(source, window.case, &place.slot.value.span)?;
        let other = ours.says_so == theirs.says_so
            && !theirs.word.is_among(&judged.ids)
            && !ours.word.is_among(&place.slot.around)
            && !ours.word.is_among(&window.stated.above);
        if !other {
            return None;
        }
        instead = Some(source.text.trim().to_owned());
    }
    instead
}

/// What stands behind a value with one small word between.
fn each<'w>(sentence: &Sentence, case: &'w Case, span: &Range<usize>) -> Option<Each<'w>> {
    let text = |part: Range<usize>| sentence.text.get(part).unwrap_or_default();
    let one = |part: &str| {
        // The full stop of an abbreviated unit.
        let part = part.trim_start_matches('.');
        let mut words = mostrador_language::words(part);
        let word = words.next().map(str::to_lowercase)?;
        let apart = part.chars().any(|c| !c.is_alphabetic() && !c.is_whitespace());
        (words.next().is_none() && !apart).then_some(word)
    };
    let plain = || case.words.iter().filter(|word| word.is_plain() && !word.head);
    let mut following: Vec<&Word> = plain().filter(|word| span.end <= word.at).collect();
    following.sort_by_key(|word| word.at);
    let mut following = following.into_iter();
    let first = following.next()?;
    let between = text(span.end..first.at);
    // The small word may be one that carries content elsewhere.
    match following.next().filter(|_| between.trim().is_empty()) {
        None => Some(Each { says_so: one(between)?, word: first }),
        Some(next) => Some(Each { says_so: one(text(first.at..next.at))?, word: next }),
    }
}
