//! A text and a lexicon: what stands at a place, and which phrases begin there.

use super::fold::{Folding, Sort};
use super::here::{Found, Here, Memory};
use super::lexicon::{Lexicon, ends_anywhere};
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

/// No phrase has more characters between two words, and no word more marks over a letter.
const WIDEST_GAP: usize = 6;

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
        let mut here = Here::nothing(self.text, self.lexicon, start);
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
                more.found().for_each(|found| here.add(found));
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
    matches!(
        c,
        ' ' | '\t' | '\u{A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}' | '\u{200C}'
    )
}

/// White space that may stand between thousands.
pub(super) fn is_thin(c: char) -> bool {
    matches!(c, '\u{A0}' | '\u{2009}' | '\u{202F}')
}
