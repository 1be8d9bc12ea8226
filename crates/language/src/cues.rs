//! Words of a question that say what it is asked of: all the records, or one of several things named before.

use std::sync::OnceLock;

use crate::normal::Normal;
use crate::pack::{Pack, Packs};
use crate::phrases::Phrases;
use crate::plain::Plain;

/// The overview phrases and the ordinals of every language; compiled when first asked.
#[derive(Debug)]
pub struct Cues {
    packs: Packs,
    phrases: OnceLock<Phrases<Cue>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cue {
    Overview,
    Ordinary,
    Place(i32),
}

impl Cues {
    /// Those of the packs a shop works with.
    #[must_use]
    pub fn new(packs: &Packs) -> Self {
        Self { packs: packs.clone(), phrases: OnceLock::new() }
    }

    /// Whether a question is for what is new or for all there is, which no passage is near to.
    #[must_use]
    pub fn is_overview(&self, question: &Normal) -> bool {
        self.any(question, |plain, phrases| {
            let found = phrases.find(plain);
            let ordinary = |first: usize, last: usize| {
                let mut exceptions = found.iter().filter(|found| *found.tag == Cue::Ordinary);
                exceptions.any(|found| found.first <= last && first <= found.last)
            };
            let mut overviews = found.iter().filter(|found| *found.tag == Cue::Overview);
            overviews.any(|found| !ordinary(found.first, found.last)).then_some(())
        })
        .is_some()
    }

    /// Which of several things a question points to: its place from 1, or from the end, where -1 is the last.
    /// Where it names several, the longest phrase counts, then the one that stands first.
    #[must_use]
    pub fn ordinal(&self, question: &Normal) -> Option<i32> {
        self.any(question, |plain, phrases| {
            let mut best: Option<(usize, i32)> = None;
            for found in phrases.find(plain) {
                let length = found.last - found.first;
                if let Cue::Place(place) = found.tag
                    && best.is_none_or(|(longest, _)| length > longest)
                {
                    best = Some((length, *place));
                }
            }
            best.map(|(_, place)| place)
        })
    }

    fn any<T>(&self, question: &Normal, look: impl Fn(&Plain, &Phrases<Cue>) -> Option<T>) -> Option<T> {
        let phrases = self.phrases.get_or_init(|| self.compile());
        let mut forms = std::iter::once(question).chain(question.joined());
        forms.find_map(|normal| look(&Plain::of(normal.as_str()), phrases))
    }

    fn compile(&self) -> Phrases<Cue> {
        let of_one = |lang| {
            let patterns = self.packs.patterns(lang);
            let overview = patterns.overview.phrases.iter().map(|phrase| (Cue::Overview, phrase.as_str()));
            let ordinary = patterns.overview.except.iter().map(|phrase| (Cue::Ordinary, phrase.as_str()));
            let ordinals = patterns.ordinals.iter().flat_map(|ordinal| {
                ordinal.phrases.iter().map(|phrase| (Cue::Place(ordinal.number), phrase.as_str()))
            });
            overview.chain(ordinary).chain(ordinals)
        };
        let phrases: Vec<(Cue, &str)> = Pack::languages().flat_map(of_one).collect();
        Phrases::of_readable(phrases.into_iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_for_everything_is_told_from_one_for_a_thing() {
        let cues = Cues::new(&Packs::default());
        for text in ["What's new?", "¿Qué novedades hay?", "What do you sell?", "¿Qué productos tenéis?"]
        {
            assert!(cues.is_overview(&Normal::of(text)), "{text}");
        }
        for text in ["How much is delivery?", "¿Cuánto cuesta el envío?", "Is the lamp new?"] {
            assert!(!cues.is_overview(&Normal::of(text)), "{text}");
        }
    }

    #[test]
    fn a_question_points_to_one_of_several() {
        let cues = Cues::new(&Packs::default());
        for (text, place) in [
            ("Tell me more about the second one", Some(2)),
            ("Cuéntame más sobre el segundo", Some(2)),
            ("and the last one?", Some(-1)),
            ("¿Y la penúltima?", Some(-2)),
            ("the second to last one", Some(-2)),
            ("How long does delivery take?", None),
        ] {
            assert_eq!(cues.ordinal(&Normal::of(text)), place, "{text}");
        }
    }
}
