//! Sentences, closed one by one as a text arrives.

mod abbreviations;
mod enclosure;

pub(crate) use abbreviations::Abbreviations;
use enclosure::Enclosure;

use std::sync::Arc;

use crate::pack::Pack;

/// The longest citation marker that is waited for, in bytes.
const LONGEST_MARKER: usize = 200;

/// Cuts a text into sentences while it arrives.
///
/// However the text is cut into pieces, the sentences are the same; joined, they are the text exactly.
/// White space belongs to the sentence before it, and so does a citation marker (`[returns#1]`, `[2]`)
/// that follows the closing mark.
///
/// A sentence ends at `.`, `!`, `?`, `…` before white space, at the marks of other scripts, and at a line
/// break. It does not end inside a number, an address, brackets or quotation marks, after an abbreviation
/// of the language, a single capital letter or the label of a list item, nor, after `.` and `…`, before a
/// small letter, unless a citation marker stands between. Brackets and quotation marks that nothing closes
/// are given up at the line break, or after 400 characters.
///
/// Each character is looked at a bounded number of times.
#[derive(Debug, Clone)]
pub struct SentenceStream {
    abbreviations: Arc<Abbreviations>,
    /// The sentence so far.
    held: String,
    /// Whether it holds anything but white space.
    begun: bool,
    last: Option<char>,
    open: Enclosure,
    phase: Phase,
}

#[derive(Debug, Clone, Copy)]
enum Phase {
    /// In the middle of a sentence.
    Inside,
    /// Right behind a closing mark, and what belongs to it.
    Closed(Close),
    /// In the white space behind that.
    Gap(Close),
    /// In what may be a citation marker behind that, opened at this byte of the held text.
    Marker { close: Close, start: usize, gap: bool },
    /// Behind a line break.
    Line,
}

/// A closing mark, and how surely it ends the sentence.
#[derive(Debug, Clone, Copy)]
struct Close {
    strength: Strength,
    /// The next sentence may begin without white space.
    at_once: bool,
    /// A citation marker followed.
    cited: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    /// A full stop that belongs to the word before it: ends the sentence only with a citation marker.
    Doubtful,
    /// Does not end it before a small letter.
    Weak,
    /// Ends it.
    Strong,
}

impl Close {
    /// Whether the sentence ends before `next`, with or without white space between.
    fn ends_before(self, next: char, gap: bool) -> bool {
        if self.cited {
            return true;
        }
        match self.strength {
            _ if !gap => self.at_once || (self.strength == Strength::Strong && "¿¡".contains(next)),
            Strength::Doubtful => false,
            Strength::Weak => !next.is_lowercase(),
            Strength::Strong => true,
        }
    }

    /// This mark and another one behind it.
    fn and(self, other: Close) -> Close {
        Close {
            strength: self.strength.max(other.strength),
            at_once: self.at_once || other.at_once,
            cited: self.cited,
        }
    }

    /// This mark with the end of a quotation or a bracket behind it: what surrounds that may go on.
    fn quoted(self) -> Close {
        Close { strength: self.strength.min(Strength::Weak), ..self }
    }

    /// Whether `text` between brackets is a citation marker behind this mark.
    fn takes_marker(self, text: &str) -> bool {
        let names_source = text.contains('#') && text.chars().all(is_marker_char);
        // A number in brackets behind an abbreviation is a number.
        let numbers = self.strength != Strength::Doubtful
            && text.contains(|c: char| c.is_ascii_digit())
            && text.chars().all(|c| c.is_ascii_digit() || c == ',' || c == ' ');
        names_source || numbers
    }
}

fn closing_mark(c: char) -> Option<Close> {
    let (strength, at_once) = match c {
        '.' | '…' => (Strength::Weak, false),
        '!' | '?' => (Strength::Strong, false),
        '。' | '！' | '？' | '｡' | '؟' | '۔' | '।' | '॥' => (Strength::Strong, true),
        _ => return None,
    };
    Some(Close { strength, at_once, cited: false })
}

fn is_line_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn is_marker_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '#' | ',' | ';' | ' ')
}

/// Marks without a partner that may stand behind a closing mark, emphasis of Markdown among them.
fn trails(c: char) -> bool {
    matches!(c, ')' | ']' | '}' | '"' | '\'' | '’' | '”' | '»' | '*' | '_' | '`' | '~')
}

impl SentenceStream {
    /// A stream at the beginning of a text.
    #[must_use]
    pub fn new(pack: &Pack) -> Self {
        Self {
            abbreviations: Arc::clone(&pack.abbreviations),
            held: String::new(),
            begun: false,
            last: None,
            open: Enclosure::default(),
            phase: Phase::Inside,
        }
    }

    /// Takes the next piece of the text, and gives the sentences that are now known to be whole, in order.
    pub fn push(&mut self, piece: &str) -> Vec<String> {
        let mut done = Vec::new();
        for c in piece.chars() {
            self.step(c, &mut done);
        }
        done
    }

    /// Gives what is left at the end of the text. The stream is then at the beginning of another text.
    pub fn finish(&mut self) -> Vec<String> {
        let mut done = Vec::new();
        if let Phase::Marker { close, start, gap } = self.phase {
            self.no_marker(close, start, gap, &mut done);
        }
        if !self.held.is_empty() {
            self.end_sentence(&mut done);
        }
        self.phase = Phase::Inside;
        done
    }

    fn step(&mut self, c: char, done: &mut Vec<String>) {
        match self.phase {
            Phase::Inside => self.inside(c),
            Phase::Closed(close) => self.closed(close, c, done),
            Phase::Gap(close) => self.gap(close, c, done),
            Phase::Marker { close, start, gap } => self.marker(close, start, gap, c, done),
            Phase::Line if c.is_whitespace() => self.take(c, Phase::Line),
            Phase::Line => self.begin_with(c, done),
        }
    }

    fn take(&mut self, c: char, phase: Phase) {
        self.begun |= !c.is_whitespace();
        self.held.push(c);
        self.last = Some(c);
        self.open.tick();
        self.phase = phase;
    }

    fn end_sentence(&mut self, done: &mut Vec<String>) {
        done.push(std::mem::take(&mut self.held));
        self.begun = false;
        self.last = None;
        self.open.clear();
        self.phase = Phase::Inside;
    }

    fn begin_with(&mut self, c: char, done: &mut Vec<String>) {
        self.end_sentence(done);
        self.inside(c);
    }

    fn line_break(&mut self, c: char) {
        self.open.clear();
        self.take(c, Phase::Line);
    }

    fn inside(&mut self, c: char) {
        if is_line_break(c) && self.begun {
            return self.line_break(c);
        }
        if let Some(close) = closing_mark(c) {
            let doubtful = c == '.' && self.ends_in_abbreviation();
            let strength = if doubtful { Strength::Doubtful } else { close.strength };
            return self.take(c, Phase::Closed(Close { strength, ..close }));
        }
        self.open.see(c, self.last);
        self.take(c, Phase::Inside);
    }

    fn closed(&mut self, close: Close, c: char, done: &mut Vec<String>) {
        if is_line_break(c) {
            self.line_break(c);
        } else if c.is_whitespace() {
            self.take(c, Phase::Gap(close));
        } else if let Some(more) = closing_mark(c) {
            self.take(c, Phase::Closed(close.and(more)));
        } else if self.open.closes(c) {
            self.take(c, Phase::Closed(close.quoted()));
        } else if trails(c) {
            self.take(c, Phase::Closed(close));
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
        } else if self.open.closes(c) {
            self.take(c, Phase::Closed(close.quoted()));
        } else {
            self.decide(close, c, true, done);
        }
    }

    fn decide(&mut self, close: Close, c: char, gap: bool, done: &mut Vec<String>) {
        let enclosed = !self.open.is_empty();
        if !enclosed && c == '[' {
            let start = self.held.len();
            self.take(c, Phase::Marker { close, start, gap });
        } else if !enclosed && close.ends_before(c, gap) {
            self.begin_with(c, done);
        } else {
            self.inside(c);
        }
    }

    fn marker(&mut self, close: Close, start: usize, gap: bool, c: char, done: &mut Vec<String>) {
        let inner = self.held.get(start + 1..).unwrap_or_default();
        if c == ']' && close.takes_marker(inner) {
            self.take(c, Phase::Closed(Close { cited: true, ..close }));
        } else if is_marker_char(c) && inner.len() < LONGEST_MARKER {
            self.take(c, self.phase);
        } else {
            self.no_marker(close, start, gap, done);
            self.step(c, done);
        }
    }

    /// Reads what looked like a marker as ordinary text.
    ///
    /// It opens with a bracket and is shorter than what a bracket is given up after,
    /// so that no other marker can begin in it: nothing is read a third time.
    fn no_marker(&mut self, close: Close, start: usize, gap: bool, done: &mut Vec<String>) {
        let text = self.held.split_off(start);
        if close.ends_before('[', gap) {
            self.end_sentence(done);
        } else {
            self.last = self.held.chars().next_back();
            self.phase = Phase::Inside;
        }
        for c in text.chars() {
            self.step(c, done);
        }
    }

    /// Whether a full stop here would belong to the word before it.
    fn ends_in_abbreviation(&self) -> bool {
        let behind = self.held.char_indices().rev().find(|(_, c)| !c.is_alphanumeric());
        let start = behind.map_or(0, |(at, c)| at + c.len_utf8());
        let word = self.held.get(start..).unwrap_or_default();
        let mut letters = word.chars();
        let Some(letter) = letters.next() else {
            return false;
        };
        let single = letters.next().is_none();
        if single && letter.is_uppercase() {
            return true;
        }
        let short = single || (word.len() <= 3 && word.chars().all(|c| c.is_ascii_digit()));
        // The label of a list item is the first word of its sentence, dashes and asterisks aside.
        let before = self.held.get(..start).unwrap_or_default();
        let label = short && !before.chars().rev().any(char::is_alphanumeric);
        let known = || self.abbreviations.end(&self.held);
        label || (!letter.is_numeric() && known())
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lang;

    /// Each text has its sentences divided by `|`.
    fn cut(lang: Lang, texts: &[&str]) {
        for marked in texts {
            let expected: Vec<&str> = marked.split('|').collect();
            assert_eq!(Pack::of(lang).sentences(&marked.replace('|', "")), expected);
        }
    }

    #[test]
    fn spanish() {
        cut(
            Lang::ES,
            &[
                "Cuesta 3.50 €. |Gratis desde 50 €.",
                "El Sr. Pérez llama a las 10.30 h.",
                "El Sr. Pérez llama a las 10.30 h. |Luego escribe.",
                "Hay lámparas, p. ej. Orla, y p.ej. Luna. |Mira el núm. 5 en la pág. 12.",
                "¿Cuánto tarda? |¡Dos días!",
                "¿Cuánto?|¡Dos días!",
                "Hay cables, pilas, etc. en la tienda. |Hay cables, etc. |También pilas.",
                "Dijo «Es gratis. Siempre.» y colgó. |Dijo: «Es gratis.» |Colgó.",
                "«¿Es gratis?» preguntó Ana. |(¿Es gratis? Sí.) |Vale.",
                "Escribe a J. R. Pérez. |EE. UU. no entra.",
                "1. Abre la caja. |2. Mira.",
                "**1.** Abre la caja. |**Mira.** |Ya.",
                "Mira... y verás. |Mira... |Verás.",
            ],
        );
    }

    #[test]
    fn bulgarian() {
        cut(
            Lang::BG,
            &[
                "Доставката е 3.50 €. |Над 50 € е безплатна.",
                "Магазинът е на ул. Шипка 5, гр. София. |Вземете я от бул. Витоша.",
                "На 3. октомври пристига. |Обадете се на тел. 0700 12345.",
                "Тя каза: „Безплатно е. Винаги.“ |После затвори.",
                "Струва 5 лв. за офис. |Струва 5 лв. |Над 50 лв. е безплатно.",
            ],
        );
    }

    #[test]
    fn english() {
        cut(
            Lang::EN,
            &[
                "See https://shop.example/a.b?c=d. |Next.",
                "Write to help@shop.example or see www.shop.example. |We answer within a day!",
                "Mr. Smith paid $3.50. |Why? |Ask Dr. J. Watson.",
                "Use small parts, e.g. Bolts. |Order No. 5 is late. |Is it? |No. |Fine.",
                "She said \"It is free. Always.\" |Then she left.",
                "A 5\" screen costs 30 €. |A 7\" one costs 50 €.",
                "Sorry :( It costs 3 €. |Really.",
                "Open [the \"box. Then wait.\n|Next.",
            ],
        );
    }

    #[test]
    fn other_scripts_have_marks_of_their_own() {
        cut(
            "zh".parse().unwrap(),
            &["七天内可退。|运费三元。|「可以。」|好！", "هل الشحن مجاني؟ |نعم.", "यह मुफ़्त है। |हाँ।"],
        );
    }

    #[test]
    fn a_citation_belongs_to_the_sentence_it_closes() {
        cut(
            Lang::EN,
            &[
                "Text. [returns#1] |Next.",
                "Text. [returns#1]|Next.",
                "Text.[returns#1] |next.",
                "Text. [a/b-c#1][d#2] [3] |Next [4]. |Last.",
                "Text. [4][1][4]. |Next.",
                "Text? [a#1, b#2] |Next.",
                "Vitamin C. [a#1] |Next.",
                "Text. |[Note] Next. |[Open",
                "Text. |[see b#1 (here)] Next.",
                "Version.[x is free. Next.",
                "Text.\n|[a#1] Next.",
            ],
        );
    }

    #[test]
    fn a_line_ends_a_sentence() {
        cut(
            Lang::EN,
            &["\n\n Delivery", "Delivery\n\n|- 3 €\r\n|- 5 €\n", "One\u{2028}|two", "  ", "Text.  \n |Next."],
        );
        assert_eq!(Pack::of(Lang::EN).sentences(""), Vec::<String>::new());
    }

    #[test]
    fn nothing_is_closed_before_what_follows_is_known() {
        let nothing = Vec::<String>::new();
        let mut stream = SentenceStream::new(Pack::of(Lang::ES));
        for piece in ["Cuesta 3", ".", "50 €.", " ", "[a#1", "] "] {
            assert_eq!(stream.push(piece), nothing, "{piece:?}");
        }
        assert_eq!(stream.push("G"), ["Cuesta 3.50 €. [a#1] "]);
        assert_eq!(stream.finish(), ["G"]);
        assert_eq!(stream.finish(), nothing);
        assert_eq!(stream.push("Text. [a#1"), nothing);
        assert_eq!(stream.finish(), ["Text. ", "[a#1"]);
        assert_eq!(stream.push("gratis."), nothing);
        assert_eq!(stream.finish(), ["gratis."]);
    }

    #[test]
    fn what_nothing_closes_is_given_up() {
        for open in ["(", "\"", "„", "[", "«"] {
            let text = format!("Before {open}it. {}Then. Next.", "x ".repeat(300));
            let found = Pack::of(Lang::EN).sentences(&text);
            assert_eq!(found.last().map(String::as_str), Some("Next."), "{open}");
            assert_eq!(found.len(), 2, "{open}");
        }
    }
}
