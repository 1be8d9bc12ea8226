//! Words of a question that say what it is asked of: all the records, or one of several things named before.

use std::ops::Range;
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
    Owner,
}

/// What a question points to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointed {
    /// Its place from 1, or from the end, where -1 is the last.
    pub place: i32,
    /// The words that say so, in bytes of the question as it was written.
    pub span: Range<usize>,
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
        self.any(question, |_, plain, phrases| {
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

    /// Which of several things a question points to.
    /// Where it names several, the longest phrase counts, then the one that stands first.
    #[must_use]
    pub fn ordinal(&self, question: &Normal) -> Option<Pointed> {
        self.any(question, |normal, plain, phrases| {
            let mut best: Option<(usize, usize, i32)> = None;
            for found in phrases.find(plain) {
                let length = found.last - found.first;
                if let Cue::Place(place) = found.tag
                    && best.is_none_or(|(first, last, _)| length > last - first)
                {
                    best = Some((found.first, found.last, *place));
                }
            }
            let (first, last, place) = best?;
            let (first, last) = (plain.words.get(first)?, plain.words.get(last)?);
            Some(Pointed { place, span: normal.original(first.from..last.to) })
        })
    }

    /// Whether a question asks about the person whose site it is, in the packs' words for that.
    #[must_use]
    pub fn is_about_owner(&self, question: &Normal) -> bool {
        self.any(question, |_, plain, phrases| {
            phrases.find(plain).iter().any(|found| *found.tag == Cue::Owner).then_some(())
        })
        .is_some()
    }

    fn any<T>(
        &self,
        question: &Normal,
        look: impl Fn(&Normal, &Plain, &Phrases<Cue>) -> Option<T>,
    ) -> Option<T> {
        let phrases = self.phrases.get_or_init(|| self.compile());
        let mut forms = std::iter::once(question).chain(question.joined());
        forms.find_map(|normal| look(normal, &Plain::of(normal.as_str()), phrases))
    }

    fn compile(&self) -> Phrases<Cue> {
        let of_one = |lang| {
            let patterns = self.packs.patterns(lang);
            let overview = patterns.overview.phrases.iter().map(|phrase| (Cue::Overview, phrase.as_str()));
            let ordinary = patterns.overview.except.iter().map(|phrase| (Cue::Ordinary, phrase.as_str()));
            let ordinals = patterns.ordinals.iter().flat_map(|ordinal| {
                ordinal.phrases.iter().map(|phrase| (Cue::Place(ordinal.number), phrase.as_str()))
            });
            let owner = patterns.owner.phrases.iter().map(|phrase| (Cue::Owner, phrase.as_str()));
            overview.chain(ordinary).chain(ordinals).chain(owner)
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
            assert_eq!(cues.ordinal(&Normal::of(text)).map(|pointed| pointed.place), place, "{text}");
        }
    }

    #[test]
    fn the_words_that_point_are_named_where_they_stand() {
        let cues = Cues::new(&Packs::default());
        let question = "¿Y el SEGUNDO, qué precio tiene?";
        let pointed = cues.ordinal(&Normal::of(question)).unwrap();
        assert!(question[pointed.span.clone()].contains("SEGUNDO"), "{pointed:?}");
        assert!(!question[pointed.span].contains("precio"));
    }

    #[test]
    fn a_question_about_the_owner_is_told_in_every_language() {
        let cues = Cues::new(&Packs::default());
        for text in [
            "Tell me about yourself",
            "¿A qué te dedicas?",
            "Кой си ти?",
            "Quem é você?",
            "Qui êtes-vous ?",
            "Wer sind Sie?",
            "Расскажи о себе",
            "من أنت؟",
            "درباره خودت بگو",
            "आप कौन हैं?",
            "你是谁？",
        ] {
            assert!(cues.is_about_owner(&Normal::of(text)), "{text}");
        }
        for text in ["How much is delivery?", "¿Cuánto cuesta el envío?", "Колко струва доставката?"]
        {
            assert!(!cues.is_about_owner(&Normal::of(text)), "{text}");
        }
    }
}
