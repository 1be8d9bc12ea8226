//! The source's own sentence in the place of one that does not pass.

use mostrador_language::{Lang, one_line};

use super::cases::{Namer, Sentence};
use super::known::{ids_of, says, shared};
use super::markers::take_out;
use super::prepared::Prepared;
use crate::passage::SourceId;

/// The fewest words that the sentence and the one in its place share; a value they share counts as one.
const FEWEST: usize = 2;

/// A sentence of the source, word for word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quoted {
    /// The sentence, on one line.
    pub text: String,
    /// The passage it stands in.
    pub source: SourceId,
}

/// The one sentence of the shop's passages that says most of what a sentence says; `None` where none says two of
/// its words, or several say as much. Passages that it cites go before the others.
#[must_use]
pub fn quote(sentence: &str, lang: Lang, prepared: &Prepared) -> Option<Quoted> {
    let marked = take_out(sentence);
    let read = Sentence::read(&marked.text, prepared.pack(lang), &mut Namer::Look(&prepared.known));
    let ids = ids_of(read.words());
    let mut best: Option<(usize, bool, usize, Quoted)> = None;
    let mut tied = false;
    for text in prepared.texts.iter().filter(|text| text.proves()) {
        let Some(source) = &text.source else { continue };
        let cited = marked.markers.contains(&source.as_str());
        for stated in text.stated.iter().filter(|stated| !stated.heading) {
            let own = ids_of(stated.sentence.words());
            let words = shared(read.words().filter(|word| word.is_plain()), &own);
            let source_values = &stated.sentence.values;
            let said = read
                .values
                .iter()
                .filter(|(claim, _)| source_values.iter().any(|(value, _)| says(value, claim)));
            let score = words + said.count();
            if score < FEWEST {
                continue;
            }
            // Of two that say as much, the one that says less besides is meant.
            let besides = usize::MAX - own.into_iter().filter(|id| !ids.has(*id)).count();
            let line = one_line(&stated.sentence.text);
            let rank = (score, cited, besides);
            let known = best.as_ref().map(|(score, cited, besides, _)| (*score, *cited, *besides));
            if known.is_none_or(|known| rank > known) {
                best = Some((score, cited, besides, Quoted { text: line, source: source.clone() }));
                tied = false;
            } else if known == Some(rank) && best.as_ref().is_some_and(|(.., quoted)| quoted.text != line) {
                tied = true;
            }
        }
    }
    best.filter(|_| !tied).map(|(.., quoted)| quoted)
}
