//! Whether a statement has another word in the place of one of the source.

use super::cases::Sentence;
use super::known::Word;
use super::window::{Judged, Window, all};

/// The one word that nothing of the evidence says and that stands where the source has another, which the sentence
/// leaves out: "you can pay by cheque" of "you can pay by card". It stands behind the same small word and before the
/// same word; a verb may be said in other words, and stands behind no such one.
pub(super) fn substituted<'w>(judged: &'w Judged<'_>, window: Window<'_>) -> Option<&'w Word> {
    let source = &window.stated.sentence;
    if window.text.language != judged.pack.lang || window.stated.heading || source.row {
        return None;
    }
    let unknown = |word: &&Word| {
        let part = word.parts.iter().any(Option::is_some) && word.parts.iter().all(Option::is_some);
        // One character of a script without spaces is often half a word.
        let long = word.text.chars().nth(1).is_some();
        word.is_plain() && word.id.is_none() && !part && !word.name && long
    };
    let left_out: Vec<&Word> =
        source.words().filter(|word| word.is_plain() && !word.is_among(&judged.ids)).collect();
    let mut words = judged.sentence.words().filter(unknown);
    // A sentence with several words of its own says it in other words.
    let (Some(word), None) = (words.next(), words.next()) else { return None };
    let said = all(source);
    // "Gratis" for "free": a word on the same side of two that exclude each other.
    let side =
        judged.sentence.words().any(|own| own.at == word.at && own.pair.is_some() && own.is_among(&said));
    let ours =
        Around::of(judged.sentence, word).filter(|ours| !judged.pack.speaks_back(&ours.before) && !side)?;
    let taken = left_out.iter().any(|other| Around::of(source, other).as_ref() == Some(&ours));
    taken.then_some(word)
}

/// The words beside a word: a small one before it, and the next, where it goes on.
#[derive(PartialEq, Eq)]
struct Around {
    before: String,
    behind: Option<String>,
}

impl Around {
    fn of(sentence: &Sentence, word: &Word) -> Option<Self> {
        let text = sentence.text.as_str();
        let divides =
            |c: char| !(c.is_alphanumeric() || c.is_whitespace() || matches!(c, '\'' | '\u{2019}' | '-'));
        let before = text.get(..word.at)?.rsplit(divides).next()?;
        let last = mostrador_language::words(before).last()?;
        let at = text.get(..word.at)?.rfind(last)?;
        let small = !sentence.words().any(|own| own.is_plain() && own.at == at)
            && !sentence.values.iter().any(|(value, _)| value.span.contains(&at));
        let rest = text.get(word.at..)?;
        let own = mostrador_language::words(rest).next()?;
        let behind = rest.get(own.len()..)?.split(divides).next()?;
        let behind = mostrador_language::words(behind).next().map(str::to_lowercase);
        small.then_some(Self { before: last.to_lowercase(), behind })
    }
}
