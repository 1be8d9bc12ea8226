//! A text and a lexicon: what stands at a place, and which phrases begin there.

use std::cell::Cell;

use super::amounts::Part;
use super::fold::{Folding, Sort};
use super::lexicon::{Entry, Lexicon, Mean, ends_anywhere};
use super::spelled::Spelled;
use crate::pack::Numbers;

/// A text that is looked through with the words of one pack. Places are bytes, on boundaries of characters.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) numbers: &'a Numbers,
    pub(super) lexicon: &'a Lexicon,
    pub(super) folding: Folding,
    pub(super) memory: &'a Memory<'a>,
}

/// What was found at the places looked at last: a value is tried in many ways, each from the same places.
#[derive(Default)]
pub(super) struct Memory<'a> {
    here: Remembered<Here<'a>>,
    pub(super) spelled: Remembered<Option<Spelled>>,
    pub(super) number: Remembered<Option<Part>>,
    pub(super) part: Remembered<Option<Part>>,
}

/// What was found at some places.
pub(super) struct Remembered<T>([Cell<Option<(usize, T)>>; PLACES]);

impl<T> Default for Remembered<T> {
    fn default() -> Self {
        Self(std::array::from_fn(|_| Cell::new(None)))
    }
}

impl<T: Copy> Remembered<T> {
    /// What is at a place: as it is remembered, or found now.
    #[inline]
    pub(super) fn or_find(&self, at: usize, find: impl FnOnce() -> T) -> T {
        let cell = self.0.get(at % PLACES);
        if let Some((place, known)) = cell.and_then(Cell::get)
            && place == at
        {
            return known;
        }
        let found = find();
        if let Some(cell) = cell {
            cell.set(Some((at, found)));
        }
        found
    }
}

/// So many places are remembered, each by its last bits.
const PLACES: usize = 8;

/// No phrase has more characters between two words, and no word more marks over a letter.
const WIDEST_GAP: usize = 6;

/// Of phrases that begin alike, the longest so many are kept.
const MOST_FOUND: usize = 8;

/// A phrase that begins at a place; small, since many are passed on.
#[derive(Debug, Clone, Copy, Default)]
struct Found {
    node: u32,
    /// In bytes: no phrase of a pack comes near what this can hold.
    length: u16,
    /// A letter or a digit goes on behind it.
    runs_on: bool,
    /// A letter does.
    letter: bool,
}

/// The phrases that begin at a place, shortest first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Here<'a> {
    text: &'a str,
    lexicon: &'a Lexicon,
    start: usize,
    found: [Found; MOST_FOUND],
    count: usize,
}

impl<'a> Here<'a> {
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    fn add(&mut self, found: Found) {
        if self.count == MOST_FOUND {
            self.found.rotate_left(1);
            self.count -= 1;
        }
        if let Some(place) = self.found.get_mut(self.count) {
            *place = found;
            self.count += 1;
        }
    }

    fn end(&self, found: Found) -> usize {
        self.start + usize::from(found.length)
    }

    fn longest_first(&self) -> impl Iterator<Item = Found> {
        self.found.iter().take(self.count).rev().copied()
    }

    fn means(&self, found: Found) -> impl Iterator<Item = Mean> {
        let fits = move |entry: &&'a Entry| {
            entry.exactly.as_deref().is_none_or(|exactly| self.text.get(self.start..self.end(found)) == Some(exactly))
        };
        self.lexicon.entries(found.node).iter().filter(fits).map(|entry| entry.mean)
    }

    /// The longest phrase of whole words with a meaning that `pick` takes, and where it ends.
    pub(super) fn pick<T>(&self, pick: impl Fn(Mean) -> Option<T>) -> Option<(T, usize)> {
        let whole = self.longest_first().filter(|found| !found.runs_on);
        whole.into_iter().find_map(|found| Some((self.means(found).find_map(&pick)?, self.end(found))))
    }

    /// As [`Here::pick`]; a digit may follow at once.
    pub(super) fn pick_before_digit<T>(&self, pick: impl Fn(Mean) -> Option<T>) -> Option<(T, usize)> {
        let whole = self.longest_first().filter(|found| !found.letter);
        whole.into_iter().find_map(|found| Some((self.means(found).find_map(&pick)?, self.end(found))))
    }

    /// As [`Here::pick`]; the phrase may be part of a word.
    pub(super) fn pick_part<T>(&self, pick: impl Fn(Mean) -> Option<T>) -> Option<(T, usize)> {
        self.longest_first().find_map(|found| Some((self.means(found).find_map(&pick)?, self.end(found))))
    }

    /// Every meaning of the longest phrase of whole words of which one meaning is wanted.
    pub(super) fn all(&self, wanted: impl Fn(Mean) -> bool) -> Option<(Vec<Mean>, usize)> {
        let whole = self.longest_first().filter(|found| !found.runs_on);
        whole.into_iter().find_map(|found| {
            let means: Vec<Mean> = self.means(found).collect();
            means.iter().any(|mean| wanted(*mean)).then_some((means, self.end(found)))
        })
    }

    pub(super) fn has(&self, wanted: impl Fn(Mean) -> bool) -> bool {
        self.pick(|mean| wanted(mean).then_some(())).is_some()
    }
}

impl<'a> Reader<'a> {
    #[inline]
    pub(super) fn char_at(&self, at: usize) -> Option<char> {
        match self.text.as_bytes().get(at) {
            Some(byte) if byte.is_ascii() => Some(char::from(*byte)),
            _ => self.text.get(at..)?.chars().next(),
        }
    }

    pub(super) fn char_before(&self, at: usize) -> Option<char> {
        self.text.get(..at)?.chars().next_back()
    }

    #[inline]
    pub(super) fn sort_at(&self, at: usize) -> Option<Sort> {
        self.char_at(at).map(|c| self.folding.sort(c))
    }

    pub(super) fn digit_at(&self, at: usize) -> Option<u8> {
        self.char_at(at).and_then(|c| self.folding.digit(c))
    }

    /// Behind up to a few spaces, none of which ends the line.
    pub(super) fn gap(&self, at: usize) -> usize {
        let mut end = at;
        for _ in 0..WIDEST_GAP {
            match self.char_at(end) {
                Some(c) if is_blank(c) => end += c.len_utf8(),
                _ => break,
            }
        }
        end
    }

    /// As [`Reader::gap`], or behind one hyphen.
    pub(super) fn link(&self, at: usize) -> usize {
        match self.char_at(at) {
            Some(c @ ('-' | '\u{2010}' | '\u{2011}')) => at + c.len_utf8(),
            _ => self.gap(at),
        }
    }

    /// The phrases that begin at a place.
    pub(super) fn here(&self, at: usize) -> Here<'a> {
        self.memory.here.or_find(at, || self.look(at))
    }

    /// As [`Reader::here`], for a place that is looked at once.
    #[inline]
    pub(super) fn look(&self, at: usize) -> Here<'a> {
        let mut here = self.walk(at, at);
        if !self.lexicon.prefixes.is_empty() {
            self.behind_prefixes(at, &mut here);
        }
        here
    }

    #[inline]
    fn walk(&self, start: usize, at: usize) -> Here<'a> {
        let mut here = Here {
            text: self.text,
            lexicon: self.lexicon,
            start,
            found: [Found::default(); MOST_FOUND],
            count: 0,
        };
        self.walk_into(at, &mut here);
        here
    }

    fn walk_into(&self, at: usize, here: &mut Here<'a>) {
        let mut node = self.lexicon.root();
        let mut end = at;
        let mut blanks = 0;
        let mut marks = 0;
        let mut last = None;
        while let Some(c) = self.char_at(end) {
            let folded = self.folding.fold(c);
            match folded {
                None => {
                    marks += 1;
                    if marks > WIDEST_GAP || last.is_none() {
                        return;
                    }
                    end += c.len_utf8();
                    continue;
                }
                Some(' ') if blanks > 0 => {
                    blanks += 1;
                    if blanks > WIDEST_GAP {
                        return;
                    }
                    end += c.len_utf8();
                    continue;
                }
                Some(folded) => {
                    let Some(next) = self.lexicon.step(node, folded) else {
                        return;
                    };
                    node = next;
                    blanks = usize::from(folded == ' ');
                    last = Some(folded);
                    marks = 0;
                    end += c.len_utf8();
                }
            }
            if blanks == 0 && !self.lexicon.entries(node).is_empty() {
                let (behind, follows) = self.behind_marks(end);
                end = behind;
                let open = last.is_some_and(|last| !ends_anywhere(self.folding, last));
                let letter = open && follows == Some(Sort::Letter);
                let runs_on = letter || (open && follows == Some(Sort::Digit));
                let length = u16::try_from(end - here.start).unwrap_or(u16::MAX);
                here.add(Found { node, length, runs_on, letter });
            }
        }
    }

    /// Behind the marks of the last letter, and what sort of character stands there.
    fn behind_marks(&self, at: usize) -> (usize, Option<Sort>) {
        let mut end = at;
        for _ in 0..WIDEST_GAP {
            match self.char_at(end) {
                Some(c) if self.folding.fold(c).is_none() => end += c.len_utf8(),
                Some(c) => return (end, Some(self.folding.sort(c))),
                None => return (end, None),
            }
        }
        (end, Some(Sort::Mark))
    }

    /// Adds the phrases that begin behind a letter written in one with them.
    fn behind_prefixes(&self, at: usize, here: &mut Here<'a>) {
        for (prefix, _) in &self.lexicon.prefixes {
            if let Some(behind) = self.behind_prefix(at, prefix)
                && self.sort_at(behind) == Some(Sort::Letter)
            {
                let more = self.walk(at, behind);
                more.found.iter().take(more.count).for_each(|found| here.add(*found));
            }
        }
    }

    fn behind_prefix(&self, at: usize, prefix: &[char]) -> Option<usize> {
        let mut end = at;
        for wanted in prefix {
            let c = self.char_at(end)?;
            if self.folding.fold(c) != Some(*wanted) {
                return None;
            }
            end += c.len_utf8();
        }
        Some(end)
    }

    /// Behind a joiner of numbers that is written in one with the word behind it.
    pub(super) fn behind_joiner(&self, at: usize) -> Option<usize> {
        let joiners = self.lexicon.prefixes.iter().filter(|(_, joins)| *joins);
        joiners.filter_map(|(prefix, _)| self.behind_prefix(at, prefix)).next()
    }

    /// The end of the word that begins here: of its letters and marks, and of its digits where it has some.
    pub(super) fn word_end(&self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut end = at;
        loop {
            while bytes.get(end).is_some_and(u8::is_ascii_alphabetic) {
                end += 1;
            }
            match self.char_at(end) {
                Some(c) if !c.is_ascii() && matches!(self.folding.sort(c), Sort::Letter | Sort::Mark) => {
                    end += c.len_utf8();
                }
                _ => return end,
            }
        }
    }
}

/// White space inside a line.
pub(super) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}' | '\u{200C}')
}

/// White space that may stand between thousands.
pub(super) fn is_thin(c: char) -> bool {
    matches!(c, '\u{A0}' | '\u{2009}' | '\u{202F}')
}
