//! The phrases that begin at a place of a text, and the memory of the places looked at last.

use std::cell::Cell;

use super::amounts::Part;
use super::lexicon::{Entry, Lexicon, Mean};
use super::spelled::Spelled;

/// What was found at the places looked at last: a value is tried in many ways, each from the same places.
#[derive(Default)]
pub(super) struct Memory<'a> {
    pub(super) here: Remembered<Here<'a>>,
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

/// Of phrases that begin alike, the longest so many are kept.
const MOST_FOUND: usize = 8;

/// A phrase that begins at a place; small, since many are passed on.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Found {
    pub(super) node: u32,
    /// In bytes: no phrase of a pack comes near what this can hold.
    pub(super) length: u16,
    /// A letter or a digit goes on behind it.
    pub(super) runs_on: bool,
    /// A letter does.
    pub(super) letter: bool,
}

/// The phrases that begin at a place, shortest first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Here<'a> {
    text: &'a str,
    lexicon: &'a Lexicon,
    pub(super) start: usize,
    found: [Found; MOST_FOUND],
    count: usize,
}

impl<'a> Here<'a> {
    /// None found yet at a place.
    #[inline]
    pub(super) fn nothing(text: &'a str, lexicon: &'a Lexicon, start: usize) -> Self {
        Self { text, lexicon, start, found: [Found::default(); MOST_FOUND], count: 0 }
    }

    pub(super) fn found(&self) -> impl Iterator<Item = Found> {
        self.found.iter().take(self.count).copied()
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(super) fn add(&mut self, found: Found) {
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
            entry
                .exactly
                .as_deref()
                .is_none_or(|exactly| self.text.get(self.start..self.end(found)) == Some(exactly))
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
