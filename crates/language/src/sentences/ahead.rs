//! What is read ahead before it is known whether a sentence has ended.

use super::close::{Close, Verdict, is_dash, is_marker_char};
use super::{Phase, SentenceStream};

/// The longest citation marker that is waited for, in bytes.
const LONGEST_MARKER: usize = 200;

/// The longest word that is waited for, in bytes.
const LONGEST_WORD: usize = 60;

/// The fewest letters that make a word out of what follows a full stop without a space.
const FEWEST_LETTERS: usize = 4;

/// What the end of a sentence may depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ahead {
    /// A citation marker belongs to the sentence before it.
    Marker,
    /// A word that often begins a sentence begins one behind an abbreviation too.
    Word,
    /// A word right behind a full stop: the space was forgotten, or it is a name.
    Run,
    /// A dash goes on before a small letter.
    Dash,
}

impl SentenceStream {
    pub(super) fn ahead(
        &mut self,
        close: Close,
        start: usize,
        gap: bool,
        what: Ahead,
        c: char,
        done: &mut Vec<String>,
    ) {
        let text = self.held.get(start..).unwrap_or_default();
        let more = match what {
            Ahead::Marker => {
                let inner = text.get(1..).unwrap_or_default();
                if c == ']' && close.takes_marker(inner) {
                    return self.take(c, Phase::Closed(Close { cited: true, ..close }));
                }
                is_marker_char(c) && inner.len() < LONGEST_MARKER
            }
            Ahead::Word => c.is_alphanumeric() && text.len() < LONGEST_WORD,
            Ahead::Run => {
                (c.is_alphanumeric() || (c == '.' && !text.ends_with('.'))) && text.len() < LONGEST_WORD
            }
            Ahead::Dash => (is_dash(c) || c == ' ') && text.len() < LONGEST_WORD,
        };
        if more && !(what == Ahead::Run && text.ends_with('.')) {
            self.take(c, self.phase);
        } else {
            self.settle(close, start, gap, what, Some(c), done);
            self.step(c, done);
        }
    }

    /// Decides by what was read ahead, and reads that as ordinary text; `next` comes behind it.
    ///
    /// It is short, and holds no mark but at its end, so that nothing is read a third time.
    pub(super) fn settle(
        &mut self,
        close: Close,
        start: usize,
        gap: bool,
        what: Ahead,
        next: Option<char>,
        done: &mut Vec<String>,
    ) {
        let text = self.held.split_off(start);
        let ends = match what {
            Ahead::Marker => close.before('[', gap) == Verdict::Ends,
            // One letter and a full stop are another initial.
            Ahead::Word => self.rules.starts(&text) && !(next == Some('.') && text.chars().nth(1).is_none()),
            Ahead::Run => self.begins_without_space(&text, next),
            Ahead::Dash => !next.is_some_and(char::is_lowercase),
        };
        if ends {
            self.end_sentence(done);
        } else {
            let mut back = self.held.chars().rev();
            self.last = back.next();
            self.last_but_one = back.next();
            self.phase = Phase::Inside;
        }
        for c in text.chars() {
            self.step(c, done);
        }
    }

    /// Whether a writer left out the space before this: it is a word, no part of a name or an address.
    fn begins_without_space(&self, text: &str, next: Option<char>) -> bool {
        let (word, stop) = text.strip_suffix('.').map_or((text, false), |word| (word, true));
        let name =
            next.is_some_and(|c| c.is_alphanumeric() || matches!(c, '@' | '/' | ':' | '_' | '.' | '-'));
        let known = self.rules.starts(word) || (stop && self.rules.knows(word));
        let long = word.chars().all(char::is_alphabetic) && word.chars().nth(FEWEST_LETTERS - 1).is_some();
        !name && (known || long)
    }

    /// Three dots with spaces between are an omission: in the middle of a sentence, which goes on, or, behind a
    /// full stop, at the beginning of the next sentence, which is then begun. True where it was one.
    pub(super) fn omission(&mut self, done: &mut Vec<String>) -> bool {
        let mut rest = self.held.trim_end_matches(' ');
        let mut dots = 0;
        let attached = loop {
            let Some(before) = rest.strip_suffix('.').filter(|_| dots < 5) else {
                break None;
            };
            dots += 1;
            rest = before.trim_end_matches(' ');
            if rest.len() == before.len() && !rest.is_empty() {
                break Some(before.len() + 1);
            }
        };
        match attached {
            None => dots == 3,
            Some(end) if dots == 4 => {
                let begun = self.held.split_off(end);
                let dots = begun.trim_start_matches(' ');
                self.held.push_str(begun.get(..begun.len() - dots.len()).unwrap_or_default());
                self.end_sentence(done);
                dots.chars().for_each(|c| self.take(c, Phase::Inside));
                true
            }
            Some(_) => false,
        }
    }
}
