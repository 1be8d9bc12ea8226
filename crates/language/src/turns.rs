//! The small words of a pack's `talk.toml`, found in a text: what turns a sentence round, and who speaks.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use aho_corasick::AhoCorasick;
use unicode_normalization::char::is_combining_mark;

use crate::normal::Normal;
use crate::pack::{Forms, Pack, Talk};
use crate::words::{is_unspaced, words};

/// What a small word does to the sentence it stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Turn {
    /// It denies what is done: not, never.
    Denial,
    /// It denies what stands beside it: without.
    Lacking,
    /// It takes something out: except.
    Exception,
    /// It makes the rest depend on something: if.
    Condition,
    /// It says when the rest holds: once.
    Moment,
    /// It leaves nothing else: only.
    Only,
    /// It adds a clause: and.
    Joiner,
    /// It sets a clause against the one before: but.
    Contrast,
    /// It excludes its opposite, by the place of the pair in the pack and the side of it.
    Opposite {
        /// The pair.
        pair: u16,
        /// Whether it is on the second side.
        other: bool,
    },
    /// One person speaks: I, my.
    FirstPerson,
    /// Several speak: we, our.
    We,
}

/// A small word found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turned {
    /// What it does.
    pub turn: Turn,
    /// Whether it stands behind what it speaks of.
    pub behind: bool,
    /// Where it stands, in bytes of the text as it is.
    pub span: Range<usize>,
}

/// Words of one layer take each other's place where they overlap; those of two layers do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Layer {
    Turning,
    Opposites,
    Speakers,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    layer: Layer,
    /// `None`: a phrase in which what it holds means nothing of the kind.
    turn: Option<Turn>,
    behind: bool,
    /// Met also inside a word.
    inside: bool,
}

/// What a pack's `talk.toml` lists, ready to be looked for.
#[derive(Debug)]
pub(crate) struct Turning {
    finder: Option<AhoCorasick>,
    /// By the number of the pattern.
    entries: Vec<Vec<Entry>>,
    /// As their words with one space between.
    connectives: BTreeSet<String>,
    back: BTreeSet<String>,
    /// The most words that one of `back` has.
    longest_back: usize,
}

impl Turning {
    fn new(talk: &Talk) -> Self {
        let mut forms: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
        let mut add = |list: &Forms, layer, turn: Option<Turn>, inside| {
            for form in list {
                let behind = layer == Layer::Turning && talk.behind.contains(form);
                forms.entry(form.clone()).or_default().push(Entry { layer, turn, behind, inside });
            }
        };
        let denials: Forms = talk.negators.difference(&talk.lacking).cloned().collect();
        let conditions: Forms = talk.conditions.difference(&talk.moments).cloned().collect();
        add(&talk.joiners, Layer::Turning, Some(Turn::Joiner), false);
        add(&talk.contrasts, Layer::Turning, Some(Turn::Contrast), false);
        add(&denials, Layer::Turning, Some(Turn::Denial), false);
        add(&talk.lacking, Layer::Turning, Some(Turn::Lacking), false);
        add(&talk.exceptions, Layer::Turning, Some(Turn::Exception), false);
        add(&conditions, Layer::Turning, Some(Turn::Condition), false);
        add(&talk.moments, Layer::Turning, Some(Turn::Moment), false);
        add(&talk.only, Layer::Turning, Some(Turn::Only), false);
        add(&talk.ordinary, Layer::Turning, None, false);
        for (pair, sides) in (0_u16..).zip(&talk.antonyms) {
            add(&sides.one, Layer::Opposites, Some(Turn::Opposite { pair, other: false }), false);
            add(&sides.other, Layer::Opposites, Some(Turn::Opposite { pair, other: true }), false);
        }
        add(&talk.first_person, Layer::Speakers, Some(Turn::FirstPerson), false);
        add(&talk.first_person_inside, Layer::Speakers, Some(Turn::FirstPerson), true);
        add(&talk.first_person_except, Layer::Speakers, None, false);
        add(&talk.we, Layer::Speakers, Some(Turn::We), false);
        let finder = AhoCorasick::new(forms.keys()).ok();
        let back: BTreeSet<String> = talk.back.iter().map(|form| spaced(form)).collect();
        Self {
            finder,
            entries: forms.into_values().collect(),
            connectives: talk.connectives.iter().map(|form| spaced(form)).collect(),
            longest_back: back.iter().map(|form| form.split(' ').count()).max().unwrap_or_default(),
            back,
        }
    }

    /// `prefixes`: what is written together with the word behind it; `joiners`: those of them that mean "and".
    fn find(&self, normal: &str, prefixes: &[String], joiners: &[String]) -> Vec<Hit> {
        let Some(finder) = &self.finder else { return Vec::new() };
        let mut hits = Vec::new();
        for found in finder.find_overlapping_iter(normal) {
            let span = found.start()..found.end();
            let whole = is_whole(normal, &span);
            let behind = !whole && is_behind_prefix(normal, &span, prefixes);
            let joined = behind && is_behind_prefix(normal, &span, joiners);
            let joins = !whole && joins_clause(normal, &span, prefixes);
            let entries = self.entries.get(found.pattern().as_usize()).map_or(&[][..], Vec::as_slice);
            hits.extend(
                entries
                    .iter()
                    .filter(|entry| {
                        let joins = joins && entry.turn == Some(Turn::Joiner);
                        // Before a small word most prefixes make another word of it.
                        let behind = if entry.layer == Layer::Opposites { behind } else { joined };
                        whole || entry.inside || joins || behind
                    })
                    .map(|entry| Hit { span: span.clone(), entry: *entry }),
            );
        }
        hits
    }
}

#[derive(Debug, Clone)]
struct Hit {
    span: Range<usize>,
    entry: Entry,
}

impl Pack {
    /// The small words of a text in the order they stand in, as [`Talk`] says when they are met.
    ///
    /// Opposites are found beside the words that turn a sentence: in `not refundable` both are.
    #[must_use]
    pub fn turns(&self, text: &str) -> Vec<Turned> {
        let normal = Normal::of(text);
        let prefixes = &self.numbers.numerals.prefixes;
        let joins = |prefix: &&String| self.talk.joiners.contains(prefix.as_str());
        let joiners: Vec<String> = prefixes.iter().filter(joins).cloned().collect();
        let mut hits = self.turning().find(normal.as_str(), prefixes, &joiners);
        // The longest first; of equals the one that was listed first, since the sort is stable.
        hits.sort_by_key(|hit| (std::cmp::Reverse(hit.span.len()), hit.span.start));
        let mut taken: [BTreeMap<usize, usize>; 3] = Default::default();
        let mut kept: Vec<&Hit> = Vec::new();
        for hit in &hits {
            let Some(taken) = taken.get_mut(hit.entry.layer as usize) else { continue };
            let before = taken.range(..hit.span.end).next_back();
            let same = before.is_some_and(|(start, end)| *start == hit.span.start && *end == hit.span.end);
            let free = before.is_none_or(|(_, end)| *end <= hit.span.start);
            // A word may be in several pairs of opposites, and counts in each.
            if free || (same && hit.entry.layer == Layer::Opposites) {
                taken.insert(hit.span.start, hit.span.end);
                kept.push(hit);
            }
        }
        let mut turns: Vec<Turned> = kept
            .into_iter()
            .filter_map(|hit| {
                let span = normal.original(hit.span.clone());
                Some(Turned { turn: hit.entry.turn?, behind: hit.entry.behind, span })
            })
            .collect();
        turns.sort_by_key(|turned| (turned.span.start, turned.turn));
        turns
    }

    /// Whether a text only connects and states nothing: it consists of connecting sentences of the pack.
    #[must_use]
    pub fn is_connective(&self, text: &str) -> bool {
        let connectives = &self.turning().connectives;
        let normal = Normal::of(text);
        let whole = spaced(normal.as_str());
        if whole.is_empty() || connectives.contains(&whole) {
            return true;
        }
        let ends = |c: char| matches!(c, ',' | '.' | '!' | ';' | ':' | '\u{60C}' | '\u{3002}' | '\u{964}');
        let mut parts = normal.as_str().split(ends).map(spaced).filter(|part| !part.is_empty());
        parts.all(|part| connectives.contains(&part))
    }

    /// Whether a sentence begins by speaking of what the one before spoke of.
    #[must_use]
    pub fn speaks_back(&self, sentence: &str) -> bool {
        let turning = self.turning();
        let normal = Normal::of(sentence);
        let mut begun = String::new();
        for word in words(normal.as_str()).take(turning.longest_back) {
            if word.starts_with(is_unspaced) {
                return turning.back.iter().any(|form| word.starts_with(form.as_str()));
            }
            if !begun.is_empty() {
                begun.push(' ');
            }
            begun.push_str(word);
            if turning.back.contains(&begun) {
                return true;
            }
        }
        false
    }

    fn turning(&self) -> &Turning {
        self.turning.get_or_init(|| Arc::new(Turning::new(&self.talk)))
    }
}

/// The words of a text with one space between.
fn spaced(text: &str) -> String {
    words(text).collect::<Vec<_>>().join(" ")
}

/// Whether no letter or digit goes on at either end, in a script that has spaces.
fn is_whole(text: &str, span: &Range<usize>) -> bool {
    let goes_on = |c: char| (c.is_alphanumeric() || is_combining_mark(c)) && !is_unspaced(c);
    let inside = text.get(span.clone()).unwrap_or_default();
    let ends = |edge: Option<char>, beyond: Option<char>| {
        let word = edge.is_some_and(|c| (c.is_alphanumeric() || is_combining_mark(c)) && !is_unspaced(c));
        !word || !beyond.is_some_and(goes_on)
    };
    let before = text.get(..span.start).and_then(|text| text.chars().next_back());
    let after = text.get(span.end..).and_then(|text| text.chars().next());
    ends(inside.chars().next(), before) && ends(inside.chars().next_back(), after)
}

/// Whether nothing but a prefix stands before it in its word.
fn is_behind_prefix(text: &str, span: &Range<usize>, prefixes: &[String]) -> bool {
    let before = text.get(..span.start).unwrap_or_default();
    prefixes.iter().any(|prefix| {
        before.strip_suffix(prefix.as_str()).is_some_and(|start| is_whole(text, &(start.len()..span.end)))
    })
}

/// Whether it is a prefix, at the beginning of a clause that it joins to the one before.
fn joins_clause(text: &str, span: &Range<usize>, prefixes: &[String]) -> bool {
    let word = text.get(span.clone()).unwrap_or_default();
    let before = text.get(..span.start).unwrap_or_default();
    let clause = before.len() > before.trim_end().len() && before.trim_end().ends_with([',', '\u{60C}']);
    clause && prefixes.iter().any(|prefix| prefix == word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lang;
    use proptest::prelude::*;

    fn found(lang: Lang, text: &str) -> Vec<(Turn, &str)> {
        let turns = Pack::of(lang).turns(text);
        let shown = turns.into_iter().map(|turned| (turned.turn, &text[turned.span]));
        shown.filter(|(turn, _)| !matches!(turn, Turn::Opposite { .. })).collect()
    }

    #[test]
    fn the_longest_entry_is_the_one_that_is_meant() {
        use Turn::{Condition, Denial, Exception, Joiner, Lacking, Only, We};
        let text = "We do not ship it, except to Malta";
        assert_eq!(found(Lang::EN, text), [(We, "We"), (Denial, "not"), (Exception, "except")]);
        assert_eq!(found(Lang::EN, "Not only lamps, no later than Monday"), [(Only, "x"); 0]);
        assert_eq!(
            found(Lang::EN, "Only if new and without marks"),
            [(Condition, "Only if"), (Joiner, "and"), (Lacking, "without")]
        );
        assert_eq!(found(Lang::EN, "A note on nothingness"), [(Only, "x"); 0]);
        assert_eq!(found(Lang::ZH, "自我介绍，不锈钢除外"), [(Exception, "除外")]);
        assert_eq!(found(Lang::FA, "چک نمی\u{200C}پذیریم"), [(Denial, "نمی\u{200C}پذیریم")]);
    }

    #[test]
    fn who_speaks_is_told_from_names_that_say_my() {
        let speaks = |lang, text| found(lang, text).iter().any(|(turn, _)| *turn == Turn::FirstPerson);
        assert!(speaks(Lang::EN, "I can help"));
        assert!(!speaks(Lang::EN, "Open My account"));
        assert!(speaks(Lang::ZH, "这是我做的"));
        assert!(!speaks(Lang::ZH, "自我修正"));
    }

    #[test]
    fn opposites_are_found_with_their_side() {
        let side = |text| {
            let turns = Pack::of(Lang::EN).turns(text);
            let mut opposites = turns.into_iter().filter_map(|turned| match turned.turn {
                Turn::Opposite { pair, other } => Some((pair, other)),
                _ => None,
            });
            opposites.next().unwrap()
        };
        let (enabled, disabled) = (side("Sync is enabled"), side("Sync is disabled"));
        assert_eq!(enabled.0, disabled.0);
        assert_ne!(enabled.1, disabled.1);
    }

    #[test]
    fn connecting_sentences_and_those_that_speak_back_are_known() {
        let english = Pack::of(Lang::EN);
        assert!(english.is_connective("Of course!") && english.is_connective("Yes, of course."));
        assert!(!english.is_connective("Yes, it is free."));
        assert!(english.speaks_back("This one costs more.") && !english.speaks_back("Lamps cost more."));
        assert!(Pack::of(Lang::ZH).speaks_back("该保修期为两年。"));
    }

    proptest! {
        #[test]
        fn any_text_can_be_looked_through(text in any::<String>()) {
            for lang in [Lang::EN, Lang::FA, Lang::ZH] {
                for turned in Pack::of(lang).turns(&text) {
                    prop_assert!(text.get(turned.span).is_some());
                }
                let _ = Pack::of(lang).is_connective(&text) || Pack::of(lang).speaks_back(&text);
            }
        }
    }
}
