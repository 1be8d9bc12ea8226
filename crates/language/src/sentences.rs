//! Sentences, closed one by one as a text arrives.

mod abbreviations;
mod ahead;
mod close;
mod enclosure;
mod labels;
mod line;

pub(crate) use abbreviations::Abbreviations;
use ahead::Ahead;
use close::{Close, Strength, Verdict, closing_mark, is_bullet, is_caseless, is_dash, is_line_break, trails};
use enclosure::{Before, Closed, Enclosure};
use labels::Label;
pub use line::one_line;

use std::sync::Arc;

use crate::pack::Pack;

/// Cuts a text into sentences while it arrives.
///
/// However the text is cut into pieces, the sentences are the same; joined, they are the text exactly.
/// White space belongs to the sentence before it, and so does a citation marker (`[returns#1]`, `[2]`)
/// that follows the closing mark.
///
/// A sentence ends at `.`, `!`, `?`, `…` before white space, at the marks of other scripts, at a line
/// break, and before the label of the next item of a list. It does not end
/// - inside a number, an address, brackets or quotation marks, nor behind brackets in its middle;
/// - after an abbreviation of the language or the label of a list item; after an initial, `U.S.` and other
///   abbreviations that may end one, unless a stop word with a capital follows;
/// - before a small letter, except after `?` and after a plain word of four letters or more with a full stop;
/// - at a line break with exactly one space before it (text that flows, RFC 3676) and a small letter behind.
///
/// A citation marker settles all of these. Brackets and quotation marks that nothing closes are given up
/// at the line break, or after 400 characters.
///
/// Each character is looked at a bounded number of times.
#[derive(Debug, Clone)]
pub struct SentenceStream {
    rules: Arc<Abbreviations>,
    /// The sentence so far.
    held: String,
    /// Whether it holds anything but white space.
    begun: bool,
    /// Whether it holds a letter or a digit.
    worded: bool,
    last: Option<char>,
    last_but_one: Option<char>,
    /// The last character closed a bracket or a quotation.
    paired: bool,
    /// What this sentence is called, where it is an item of a list.
    label: Option<Label>,
    open: Enclosure,
    phase: Phase,
}

#[derive(Debug, Clone, Copy)]
enum Phase {
    /// In the middle of a sentence.
    Inside,
    /// Right behind a closing mark, and what belongs to it.
    Closed(Close),
    /// In a number written to the closing mark, as a note has.
    Note(Close),
    /// In the white space behind that.
    Gap(Close),
    /// In what the end of the sentence depends on, from this byte of the held text.
    Ahead { close: Close, start: usize, gap: bool, what: Ahead },
    /// Behind a line break.
    Line,
    /// Behind a line break at which the text may flow on.
    Flow,
}

impl SentenceStream {
    /// A stream at the beginning of a text.
    #[must_use]
    pub fn new(pack: &Pack) -> Self {
        Self {
            rules: Arc::clone(&pack.abbreviations),
            held: String::new(),
            begun: false,
            worded: false,
            last: None,
            last_but_one: None,
            paired: false,
            label: None,
            open: Enclosure::default(),
            phase: Phase::Inside,
        }
    }

    /// Takes the next piece of the text, and gives the sentences that are now known to be whole, in order.
    pub fn push(&mut self, piece: &str) -> Vec<String> {
        let mut done = Vec::new();
        let mut rest = piece;
        loop {
            let run = if self.passes() { plain_run(rest) } else { 0 };
            if let Some((plain, behind)) = rest.split_at_checked(run).filter(|_| run > 0) {
                self.pass(plain);
                rest = behind;
            }
            let mut chars = rest.chars();
            let Some(c) = chars.next() else {
                return done;
            };
            self.step(c, &mut done);
            rest = chars.as_str();
        }
    }

    /// Whether letters, digits and spaces that come now change nothing but what is held.
    fn passes(&self) -> bool {
        matches!(self.phase, Phase::Inside)
            && !matches!(self.last, Some('.' | ')'))
            && !self.open.awaits_letter()
    }

    /// Takes letters, digits and spaces in the middle of a sentence, many at a time since they are most of a text.
    fn pass(&mut self, plain: &str) {
        let mut back = plain.chars().rev();
        if let Some(last) = back.next() {
            self.last_but_one = back.next().or(self.last);
            self.last = Some(last);
        }
        self.begun |= plain.contains(|c| c != ' ');
        self.worded |= plain.contains(|c| c != ' ');
        self.paired = false;
        self.held.push_str(plain);
        self.open.tick(plain.chars().count());
    }

    /// Gives what is left at the end of the text. The stream is then at the beginning of another text.
    pub fn finish(&mut self) -> Vec<String> {
        let mut done = Vec::new();
        while let Phase::Ahead { close, start, gap, what } = self.phase {
            self.settle(close, start, gap, what, None, &mut done);
        }
        if !self.held.is_empty() {
            self.end_sentence(&mut done);
        }
        self.phase = Phase::Inside;
        done
    }

    fn step(&mut self, c: char, done: &mut Vec<String>) {
        if c.is_whitespace() && !self.paired && self.open.is_empty() && matches!(self.last, Some('.' | ')')) {
            self.item(done);
        }
        match self.phase {
            Phase::Inside => self.inside(c, done),
            Phase::Closed(close) => self.closed(close, c, done),
            Phase::Note(close) if c.is_ascii_digit() => self.take(c, Phase::Note(close)),
            Phase::Note(close) if c.is_whitespace() && !is_line_break(c) => self.take(c, Phase::Gap(close)),
            Phase::Note(_) => self.inside(c, done),
            Phase::Gap(close) => self.gap(close, c, done),
            Phase::Ahead { close, start, gap, what } => self.ahead(close, start, gap, what, c, done),
            Phase::Line if c.is_whitespace() => self.take(c, Phase::Line),
            Phase::Line => self.begin_with(c, done),
            Phase::Flow if c == '\n' && self.last == Some('\r') => self.take(c, Phase::Flow),
            Phase::Flow if c.is_whitespace() => self.line_break(c),
            Phase::Flow if c.is_lowercase() || (self.rules.capital_nouns && c.is_uppercase()) => {
                self.inside(c, done);
            }
            Phase::Flow => self.begin_with(c, done),
        }
    }

    fn take(&mut self, c: char, phase: Phase) {
        self.begun |= !c.is_whitespace();
        self.worded |= c.is_alphanumeric();
        self.held.push(c);
        self.last_but_one = self.last.replace(c);
        self.paired = false;
        self.open.tick(1);
        self.phase = phase;
    }

    fn end_sentence(&mut self, done: &mut Vec<String>) {
        done.push(std::mem::take(&mut self.held));
        self.begun = false;
        self.worded = false;
        self.last = None;
        self.last_but_one = None;
        self.paired = false;
        self.label = None;
        self.open.clear();
        self.phase = Phase::Inside;
    }

    fn begin_with(&mut self, c: char, done: &mut Vec<String>) {
        self.end_sentence(done);
        self.inside(c, done);
    }

    fn line_break(&mut self, c: char) {
        self.open.clear();
        self.take(c, Phase::Line);
    }

    fn inside(&mut self, c: char, done: &mut Vec<String>) {
        if is_line_break(c) && self.begun {
            return if self.flows() { self.take(c, Phase::Flow) } else { self.line_break(c) };
        }
        if let Some(mut close) = closing_mark(c) {
            if c == '.' {
                close = self.rules.full_stop(&self.held);
            }
            close.caseless = self.last.is_some_and(is_caseless);
            close.plain |= matches!(c, '!' | '?') && self.last.is_some_and(char::is_alphabetic);
            return self.take(c, Phase::Closed(close));
        }
        let before = Before { last: self.last, last_but_one: self.last_but_one, wordless: !self.worded };
        if is_bullet(c) && self.worded && self.open.is_empty() && before.last.is_some_and(char::is_whitespace)
        {
            return self.begin_with(c, done);
        }
        let closed = self.open.see(c, before);
        // Speech that was broken off.
        let broken_off = closed.filter(|closed| !closed.bracket && before.last.is_some_and(is_dash));
        match broken_off {
            Some(Closed { opening, .. }) => {
                self.take(c, Phase::Closed(Close::new(Strength::Weak).quoted(opening)));
            }
            None => self.take(c, Phase::Inside),
        }
        self.paired = closed.is_some();
    }

    /// Whether the line that ends here may flow on: exactly one space stands at its end, behind a word or a comma.
    fn flows(&self) -> bool {
        self.last == Some(' ') && self.last_but_one.is_some_and(|c| c.is_alphabetic() || c == ',')
    }

    fn closed(&mut self, close: Close, c: char, done: &mut Vec<String>) {
        if is_line_break(c) {
            self.line_break(c);
        } else if c.is_whitespace() {
            self.take(c, Phase::Gap(close));
        } else if let Some(more) = closing_mark(c) {
            self.take(c, Phase::Closed(close.and(more)));
        } else if let Some(closed) = self.open.closes(c) {
            self.enclosed(close, closed, c);
        } else if trails(c) {
            self.take(c, Phase::Closed(close));
        } else if close.plain
            && c.is_ascii_digit()
            && self.open.is_empty()
            && !self.last_but_one.is_some_and(char::is_numeric)
        {
            self.take(c, Phase::Note(Close { note: true, ..close }));
        } else {
            self.decide(close, c, false, done);
        }
    }

    fn gap(&mut self, close: Close, c: char, done: &mut Vec<String>) {
        if is_line_break(c) {
            self.line_break(c);
        } else if c.is_whitespace() {
            self.take(c, Phase::Gap(close));
        } else if let Some(more) = closing_mark(c) {
            self.take(c, Phase::Closed(close.and(more)));
        } else if let Some(closed) = self.open.closes(c) {
            self.enclosed(close, closed, c);
        } else {
            self.decide(close, c, true, done);
        }
    }

    /// A bracket or a quotation ends behind a closing mark.
    fn enclosed(&mut self, close: Close, closed: Closed, c: char) {
        let inserted = closed.bracket && !closed.opening;
        self.take(c, if inserted { Phase::Inside } else { Phase::Closed(close.quoted(closed.opening)) });
        self.paired = true;
    }

    fn decide(&mut self, close: Close, c: char, gap: bool, done: &mut Vec<String>) {
        if !self.open.is_empty() {
            return self.inside(c, done);
        }
        let what = match close.before(c, gap) {
            _ if c == '[' => Ahead::Marker,
            Verdict::Ends if gap && self.omission(done) => return self.inside(c, done),
            Verdict::Ends => return self.begin_with(c, done),
            Verdict::GoesOn => return self.inside(c, done),
            Verdict::Word => Ahead::Word,
            Verdict::Run => Ahead::Run,
            Verdict::Dash => Ahead::Dash,
        };
        let start = self.held.len();
        self.take(c, Phase::Ahead { close, start, gap, what });
    }

    /// Begins an item of a list where its label was read.
    fn item(&mut self, done: &mut Vec<String>) {
        let Some((start, label)) = Label::at_end(&self.held) else {
            return;
        };
        let before = self.held.get(..start).unwrap_or_default();
        if !before.contains(char::is_alphanumeric) {
            self.label = Some(label);
        } else if self.label.is_some_and(|own| label.follows(own)) {
            let rest = self.held.split_off(start);
            self.end_sentence(done);
            for c in rest.chars() {
                self.take(c, Phase::Inside);
            }
            self.label = Some(label);
        }
    }
}

/// The bytes of letters, digits and spaces that a text begins with.
fn plain_run(text: &str) -> usize {
    let other = |c: char| !(c.is_alphanumeric() || c == ' ');
    text.find(other).unwrap_or(text.len())
}

impl Pack {
    /// The sentences of a whole text, in order; joined, they are the text.
    #[must_use]
    pub fn sentences(&self, text: &str) -> Vec<String> {
        let mut stream = SentenceStream::new(self);
        let mut all = stream.push(text);
        all.extend(stream.finish());
        all
    }
}
