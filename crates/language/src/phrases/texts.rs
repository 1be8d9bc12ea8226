//! The texts that phrases are made of: each once, in plain form, with what they are used for.

use std::hash::BuildHasher;
use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use hashbrown::HashMap;

use crate::normal::Normal;
use crate::plain::{Plain, is_han, is_letter};

/// A text, and whether its first word may begin with more and its last may go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Way {
    pub(super) text: u32,
    pub(super) opens: bool,
    pub(super) goes_on: bool,
}

/// Texts by their number, and the ways that have been read, so that a word that a hundred phrases share
/// is brought to its plain form once.
#[derive(Debug, Default)]
pub(super) struct Texts {
    numbers: HashMap<String, u32>,
    read: HashMap<String, Range<usize>>,
    ways: Vec<Way>,
    /// Those in which a match may begin or end inside of a word.
    open: Vec<(u32, String)>,
}

/// Finds texts: whole words by their hash, for which nothing needs to be built, and those that begin or end
/// inside of a word by an automaton.
#[derive(Debug, Default)]
pub(super) struct Finder {
    numbers: HashMap<String, u32>,
    /// For the hash of the last word of a text, how many words there are in texts that end so, as bits.
    lengths: HashMap<u64, u32>,
    automaton: Option<AhoCorasick>,
    /// The texts the automaton looks for.
    open: Vec<u32>,
}

/// A text found, with the words it touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hit {
    pub(super) text: u32,
    pub(super) first: usize,
    pub(super) last: usize,
    /// It begins with its first word,
    pub(super) begins: bool,
    /// and ends with its last.
    pub(super) ends: bool,
}

impl Texts {
    /// The ways that a written one stands for: with a non-joiner, both as a gap and as nothing.
    /// None where there is no word in it.
    pub(super) fn ways(&mut self, written: &str) -> Option<&[Way]> {
        if let Some(known) = self.read.get(written) {
            return self.ways.get(known.clone());
        }
        let start = self.ways.len();
        let trimmed = written.trim();
        let (opens, goes_on) = (trimmed.starts_with('*'), trimmed.ends_with('*'));
        let bare = trimmed.trim_matches('*');
        if is_plain(bare) {
            self.add(bare, opens, goes_on);
        } else {
            let normal = Normal::of(bare);
            for form in std::iter::once(&normal).chain(normal.joined()) {
                self.add(&Plain::of(form.as_str()).text, opens, goes_on);
            }
        }
        let range = start..self.ways.len();
        self.read.insert(written.to_owned(), range.clone());
        self.ways.get(range).filter(|ways| !ways.is_empty())
    }

    fn add(&mut self, text: &str, opens: bool, goes_on: bool) {
        if text.is_empty() {
            return;
        }
        let number = if let Some(number) = self.numbers.get(text) {
            *number
        } else {
            let number = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
            self.numbers.insert(text.to_owned(), number);
            number
        };
        if opens || goes_on || text.contains(is_han) {
            self.open.push((number, text.to_owned()));
        }
        self.ways.push(Way { text: number, opens, goes_on });
    }

    pub(super) fn count(&self) -> usize {
        self.numbers.len()
    }

    pub(super) fn finder(mut self) -> Finder {
        self.open.sort_unstable();
        self.open.dedup();
        let built = AhoCorasick::builder()
            // A full table takes longer to build than it saves.
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(self.open.iter().map(|(_, text)| text));
        let mut lengths: HashMap<u64, u32> = HashMap::with_capacity(self.numbers.len());
        for text in self.numbers.keys() {
            let words = text.bytes().filter(|byte| *byte == b' ').count() + 1;
            let bit = 1_u32.checked_shl(u32::try_from(words).unwrap_or(u32::MAX)).unwrap_or_default();
            let last = text.rsplit(' ').next().unwrap_or(text);
            *lengths.entry(self.numbers.hasher().hash_one(last)).or_default() |= bit;
        }
        let open = self.open.iter().map(|(number, _)| *number).collect();
        Finder { numbers: self.numbers, lengths, automaton: built.ok(), open }
    }
}

/// Whether a text is its own plain form at a glance: plain letters of words, or of Chinese alone.
fn is_plain(text: &str) -> bool {
    let words = || text.chars().all(|c| c == ' ' || (is_letter(c) && !is_han(c)));
    let single_spaces =
        || !text.is_empty() && !text.starts_with(' ') && !text.ends_with(' ') && !text.contains("  ");
    text.chars().all(is_han) && !text.is_empty() || words() && single_spaces() && !has_rows(text)
}

/// Whether letters stand alone, which the normal form may join.
fn has_rows(text: &str) -> bool {
    text.split(' ').filter(|word| word.chars().nth(1).is_none()).count() > 2
}

impl Finder {
    /// Every text found, by its last word.
    pub(super) fn find(&self, plain: &Plain, mut found: impl FnMut(Hit)) {
        let mut inside =
            self.automaton.as_ref().map(|automaton| automaton.find_overlapping_iter(plain.text.as_str()));
        let mut next = inside.as_mut().and_then(|inside| self.next_inside(plain, inside));
        for last in 0..plain.words.len() {
            self.whole(plain, last, &mut found);
            while let Some(hit) = next.filter(|hit| hit.last <= last) {
                found(hit);
                next = inside.as_mut().and_then(|inside| self.next_inside(plain, inside));
            }
        }
    }

    /// Texts that begin and end with words, the last of which is this one.
    fn whole(&self, plain: &Plain, last: usize, found: &mut impl FnMut(Hit)) {
        let Some(end) = plain.words.get(last).copied() else { return };
        let hash = plain.text.get(end.start..end.end).map(|word| self.numbers.hasher().hash_one(word));
        let lengths = hash.and_then(|hash| self.lengths.get(&hash));
        let Some(mut lengths) = lengths.copied() else { return };
        while lengths != 0 {
            let words = lengths.trailing_zeros() as usize;
            lengths &= lengths - 1;
            let Some(first) = (last + 1).checked_sub(words) else { return };
            let text = plain.words.get(first).and_then(|word| plain.text.get(word.start..end.end));
            if let Some(text) = text.and_then(|text| self.numbers.get(text)) {
                found(Hit { text: *text, first, last, begins: true, ends: true });
            }
        }
    }

    /// The next text that begins or ends inside of a word, or has Chinese in it.
    fn next_inside(
        &self,
        plain: &Plain,
        hits: &mut impl Iterator<Item = aho_corasick::Match>,
    ) -> Option<Hit> {
        hits.find_map(|hit| {
            let text = *self.open.get(hit.pattern().as_usize())?;
            let first = plain.words.partition_point(|word| word.end <= hit.start());
            let count = plain.words.get(first..)?.partition_point(|word| word.start < hit.end());
            let last = first + count.checked_sub(1)?;
            let (opening, closing) = (plain.words.get(first)?, plain.words.get(last)?);
            let (begins, ends) = (opening.start == hit.start(), closing.end == hit.end());
            // Whole words without Chinese have been found by their hash.
            let known = begins && ends && !is_han_at(plain, hit.range());
            (!known).then_some(Hit { text, first, last, begins, ends })
        })
    }
}

fn is_han_at(plain: &Plain, part: Range<usize>) -> bool {
    plain.text.get(part).is_some_and(|text| text.contains(is_han))
}
