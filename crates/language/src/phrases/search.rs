//! The texts of all phrases looked for at once, and the chains they form.

use super::notation::{BadPhrase, Piece, read};
use super::texts::{Finder, Hit, Texts, Way};
use crate::plain::{Plain, PlainWord};

/// Phrases, each with a tag that says what it stands for.
#[derive(Debug)]
pub(crate) struct Phrases<T> {
    finder: Finder,
    /// The steps that texts are ways of, text by text.
    uses: Vec<Use>,
    /// Where the uses of each text begin; one more than there are texts.
    starts: Vec<u32>,
    /// Every step of every line, a line's steps in a row.
    steps: Vec<Place>,
    tags: Vec<T>,
}

/// A text as a way of a step.
#[derive(Debug, Clone, Copy)]
struct Use {
    step: u32,
    opens: bool,
    goes_on: bool,
}

/// Where a step stands in its line: one way through a phrase, of which there are several where parts
/// may be left out.
#[derive(Debug, Clone, Copy)]
struct Place {
    first: bool,
    last: bool,
    /// How many words may stand between it and the step before.
    gap: u32,
    tag: u32,
}

/// A phrase found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Found<'a, T> {
    /// What the phrase stands for.
    pub(crate) tag: &'a T,
    /// Its first word, counted in the text.
    pub(crate) first: usize,
    /// Its last.
    pub(crate) last: usize,
}

/// The beginning of a line found so far.
#[derive(Debug, Clone, Copy)]
struct Begun {
    step: u32,
    first: usize,
    last: usize,
}

impl<T> Phrases<T> {
    /// Compiles phrases; the order in which they are given decides between phrases that end together.
    ///
    /// # Errors
    /// The first phrase that cannot be read.
    pub(crate) fn new<'p>(phrases: impl IntoIterator<Item = (T, &'p str)>) -> Result<Self, BadPhrase> {
        let mut building = Building::default();
        let mut tags = Vec::new();
        for (tag, phrase) in phrases {
            building.add(phrase, short(tags.len()))?;
            tags.push(tag);
        }
        let Building { texts, steps, uses: pairs, .. } = building;
        // Sorted by counting: there are tens of thousands.
        let mut starts = vec![0_u32; texts.count() + 1];
        for (text, _) in &pairs {
            starts.iter_mut().skip(*text as usize + 1).take(1).for_each(|count| *count += 1);
        }
        let mut sum = 0;
        starts.iter_mut().for_each(|start| {
            sum += *start;
            *start = sum;
        });
        let mut next = starts.clone();
        let mut uses = vec![Use { step: 0, opens: false, goes_on: false }; pairs.len()];
        for (text, used) in pairs {
            let Some(place) = next.get_mut(text as usize) else { continue };
            uses.iter_mut().skip(*place as usize).take(1).for_each(|slot| *slot = used);
            *place += 1;
        }
        Ok(Self { finder: texts.finder(), uses, starts, steps, tags })
    }

    /// As [`Phrases::new`], without those that cannot be read.
    pub(crate) fn of_readable<'p>(phrases: impl Iterator<Item = (T, &'p str)> + Clone) -> Self {
        Self::new(phrases.clone())
            .or_else(|_| Self::new(phrases.filter(|(_, phrase)| read(phrase).is_ok())))
            .unwrap_or_else(|_| Self {
                finder: Finder::default(),
                uses: Vec::new(),
                starts: Vec::new(),
                steps: Vec::new(),
                tags: Vec::new(),
            })
    }

    /// Every phrase in a text, by where it ends, then by the order of the phrases.
    ///
    /// A phrase found at several beginnings that end together is found once, from the nearest.
    pub(crate) fn find(&self, plain: &Plain) -> Vec<Found<'_, T>> {
        let mut found = Vec::new();
        let mut begun: Vec<Begun> = Vec::new();
        // Most steps follow one that never came, and small words are a way of hundreds of steps.
        let mut came = vec![false; self.steps.len()];
        self.finder.find(plain, |hit| {
            let fits = |used: &&Use| (hit.begins || used.opens) && (hit.ends || used.goes_on);
            for used in self.uses_of(hit.text).iter().filter(fits) {
                let Some(place) = self.steps.get(used.step as usize) else { continue };
                let first = if place.first {
                    Some(hit.first)
                } else if came.get(used.step as usize - 1) != Some(&true) {
                    None
                } else {
                    before(&begun, used.step - 1, &hit, place.gap as usize, &plain.words)
                };
                let Some(first) = first else { continue };
                if !place.last {
                    begun.push(Begun { step: used.step, first, last: hit.last });
                    came.iter_mut().skip(used.step as usize).take(1).for_each(|came| *came = true);
                } else if let Some(tag) = self.tags.get(place.tag as usize) {
                    found.push((place.tag, Found { tag, first, last: hit.last }));
                }
            }
        });
        found.sort_by_key(|(number, found)| (found.last, *number));
        found.into_iter().map(|(_, found)| found).collect()
    }

    fn uses_of(&self, text: u32) -> &[Use] {
        let start = |text: usize| self.starts.get(text).map(|start| *start as usize);
        let range = start(text as usize).zip(start(text as usize + 1));
        range.and_then(|(from, to)| self.uses.get(from..to)).unwrap_or_default()
    }
}

fn short(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Phrases on their way to being compiled.
#[derive(Default)]
struct Building {
    texts: Texts,
    steps: Vec<Place>,
    uses: Vec<(u32, Use)>,
    /// The ways of the pieces of the phrase being read.
    ways: Vec<Way>,
    /// Where those of each piece end.
    ends: Vec<usize>,
}

impl Building {
    fn add(&mut self, phrase: &str, tag: u32) -> Result<(), BadPhrase> {
        let pieces = read(phrase)?;
        let mut wordless = false;
        self.ways.clear();
        self.ends.clear();
        for piece in &pieces {
            piece.each_way(|written| match self.texts.ways(written) {
                Some(ways) => self.ways.extend_from_slice(ways),
                None => wordless = true,
            });
            self.ends.push(self.ways.len());
        }
        if wordless {
            return Err(BadPhrase::new(phrase, "has a piece without a word"));
        }
        let optional = pieces.iter().filter(|piece| piece.optional).count();
        (0..1_u32 << optional).for_each(|without| self.line(&pieces, without, tag));
        Ok(())
    }

    /// Adds the way through a phrase without those of its optional pieces whose bit is set.
    fn line(&mut self, pieces: &[Piece<'_>], mut without: u32, tag: u32) {
        let from = self.steps.len();
        // The gap before what is left out is still a gap.
        let mut gap = 0;
        let mut start = 0;
        for (piece, end) in pieces.iter().zip(&self.ends) {
            let ways = self.ways.get(start..*end).unwrap_or_default();
            start = *end;
            gap = gap.max(piece.gap);
            if piece.optional {
                let left_out = without & 1 == 1;
                without >>= 1;
                if left_out {
                    continue;
                }
            }
            let step = short(self.steps.len());
            let first = step as usize == from;
            self.steps.push(Place { first, last: false, gap: short(gap), tag });
            gap = 0;
            let used = |way: &Way| (way.text, Use { step, opens: way.opens, goes_on: way.goes_on });
            self.uses.extend(ways.iter().map(used));
        }
        if let Some(last) = self.steps.get_mut(from..).and_then(<[Place]>::last_mut) {
            last.last = true;
        }
    }
}

/// The longest way of any pack in words; what ended further back than this and a gap has gone by.
const FARTHEST: usize = 24;

/// Where the nearest line begins that stands at a step and ends within a gap before these words.
fn before(begun: &[Begun], step: u32, hit: &Hit, gap: usize, all: &[PlainWord]) -> Option<usize> {
    let sentence = |word: usize| all.get(word).map(|word| word.sentence);
    let near = |begun: &&Begun| begun.last + FARTHEST >= hit.first;
    begun.iter().rev().take_while(near).find_map(|begun| {
        let between = hit.first.checked_sub(begun.last + 1)?;
        let fits = begun.step == step && between <= gap;
        // Words that must follow at once may have a full stop between, as a disguise; a gap may not.
        let together = gap == 0 || sentence(begun.last) == sentence(hit.first);
        (fits && together).then_some(begun.first)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normalize;
    use proptest::prelude::*;

    fn found(phrases: &[&str], text: &str) -> Vec<String> {
        let phrases = Phrases::new(phrases.iter().map(|phrase| ((), *phrase))).unwrap();
        let normal = normalize(text);
        let plain = Plain::of(&normal);
        let shown = |found: Found<'_, ()>| {
            normal[plain.words[found.first].from..plain.words[found.last].to].to_owned()
        };
        phrases.find(&plain).into_iter().map(shown).collect()
    }

    #[test]
    fn whole_words_are_found() {
        assert_eq!(found(&["the rule"], "The rules: THE, rule!"), ["the, rule"]);
        assert_eq!(found(&["the rule*"], "The rules"), ["the rules"]);
        assert_eq!(found(&["*rules"], "overrules"), ["overrules"]);
        assert_eq!(found(&["退款"], "我要退款吗"), ["退款"]);
        assert_eq!(found(&["écrit"], "ecrit"), ["ecrit"]);
    }

    #[test]
    fn a_gap_stays_within_its_words_and_its_sentence() {
        let phrase = ["ignore * rules"];
        assert_eq!(found(&phrase, "ignore rules"), ["ignore rules"]);
        assert_eq!(found(&phrase, "Ignore, it is by no means, rules"), ["ignore, it is by no means, rules"]);
        assert_eq!(found(&phrase, "ignore it is by no means all rules"), Vec::<String>::new());
        assert_eq!(found(&phrase, "May I ignore it? The rules"), Vec::<String>::new());
        assert_eq!(found(&["忽略*指令"], "忽略你之前的指令"), ["忽略你之前的指令"]);
    }

    #[test]
    fn steps_follow_each_other() {
        let phrase = ["(ignore|forget) (all|the|) (your|previous) rule*"];
        for text in ["ignore all your rules", "forget previous rule", "Forget. The. Previous. Rules."] {
            assert_eq!(found(&phrase, text).len(), 1, "{text}");
        }
        for text in ["ignore all rules", "your rules ignore all", "ignore nearly all your rules"] {
            assert_eq!(found(&phrase, text).len(), 0, "{text}");
        }
    }

    #[test]
    fn many_beginnings_cost_no_more_than_a_look_back() {
        let phrases = Phrases::new([((), "a * b * c"), ((), "(a|b) a")]).unwrap();
        let plain = Plain::of(&"a b a ".repeat(50_000));
        assert!(phrases.find(&plain).len() >= 50_000);
    }

    proptest! {
        #[test]
        fn what_is_found_is_what_a_slow_look_finds(text in "[ab c.]{0,30}") {
            let phrases = Phrases::new([((), "a * b"), ((), "(a|c) b"), ((), "a (c|) a")]).unwrap();
            let plain = Plain::of(&normalize(&text));
            let words: Vec<&str> = plain.words.iter().map(|w| &plain.text[w.start..w.end]).collect();
            let same = |a: usize, b: usize| plain.words[a].sentence == plain.words[b].sentence;
            let slow = (0..words.len()).any(|i| (i + 1..words.len()).any(|j| {
                let near = j - i <= 6 && same(i, j) && words[i] == "a" && words[j] == "b";
                let pair = j == i + 1 && (words[i] == "a" || words[i] == "c") && words[j] == "b";
                let twice = words[i] == "a" && words[j] == "a" && (j == i + 1 || (j == i + 2 && words[i + 1] == "c"));
                near || pair || twice
            }));
            prop_assert_eq!(!phrases.find(&plain).is_empty(), slow);
        }
    }
}
