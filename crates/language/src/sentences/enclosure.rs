//! Brackets and quotation marks that are open: no sentence ends inside them.

/// An opening mark that nothing closes is forgotten after this many characters.
const LONGEST: usize = 400;

/// Deeper than this, opening marks are not counted.
const DEEPEST: usize = 16;

/// The marks that are open at a point of a text, outermost first.
#[derive(Debug, Clone, Default)]
pub(super) struct Enclosure {
    open: Vec<char>,
    /// Characters since the outermost was opened.
    length: usize,
}

impl Enclosure {
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.open.clear();
        self.length = 0;
    }

    /// Counts a character read, whichever it was, and gives up marks that stayed open too long.
    pub(super) fn tick(&mut self) {
        if !self.open.is_empty() {
            self.length += 1;
            if self.length > LONGEST {
                self.clear();
            }
        }
    }

    /// Takes a character of the text into account; `last` is the one before it.
    pub(super) fn see(&mut self, c: char, last: Option<char>) {
        if !self.closes(c) && opens(c, last) && self.open.len() < DEEPEST {
            self.open.push(c);
        }
    }

    /// Whether the character closes a mark that is open; it and those inside it are then closed.
    pub(super) fn closes(&mut self, c: char) -> bool {
        // Hardly any character closes something: the rest is let past before what is open is looked through.
        if self.open.is_empty() || !is_closing(c) {
            return false;
        }
        let Some(at) = self.open.iter().rposition(|open| is_pair(*open, c)) else {
            return false;
        };
        self.open.truncate(at);
        if self.open.is_empty() {
            self.length = 0;
        }
        true
    }
}

fn opens(c: char, last: Option<char>) -> bool {
    match c {
        // A sad face is no bracket.
        '(' => last != Some(':'),
        // An inch mark or a closing mark without its partner has something right before it.
        '"' => last.is_none_or(|last| last.is_whitespace() || "([{«„“¿¡-–—*_".contains(last)),
        _ => matches!(c, '[' | '{' | '（' | '［' | '【' | '「' | '『' | '《' | '〈' | '«' | '‹' | '„' | '“'),
    }
}

fn is_closing(c: char) -> bool {
    matches!(
        c,
        ')' | ']' | '}' | '"' | '）' | '］' | '】' | '」' | '』' | '》' | '〉' | '»' | '›' | '“' | '”'
    )
}

fn is_pair(open: char, close: char) -> bool {
    match open {
        '(' => close == ')',
        '[' => close == ']',
        '{' => close == '}',
        '（' => close == '）',
        '［' => close == '］',
        '【' => close == '】',
        '「' => close == '」',
        '『' => close == '』',
        '《' => close == '》',
        '〈' => close == '〉',
        '«' => close == '»',
        '‹' => close == '›',
        // Closed in one way in German and Bulgarian, in the other in Polish.
        '„' => close == '“' || close == '”',
        '“' => close == '”',
        '"' => close == '"',
        _ => false,
    }
}
