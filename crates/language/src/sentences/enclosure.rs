//! Brackets and quotation marks that are open: no sentence ends inside them.

/// An opening mark that nothing closes is forgotten after this many characters.
const LONGEST: usize = 400;

/// Deeper than this, opening marks are not counted.
const DEEPEST: usize = 16;

/// The marks that are open at a point of a text, outermost first.
#[derive(Debug, Clone, Default)]
pub(super) struct Enclosure {
    open: Vec<Open>,
    /// Characters since the outermost was opened.
    length: usize,
    /// The last character is an apostrophe behind a letter: a closing mark unless a letter follows.
    apostrophe: bool,
}

#[derive(Debug, Clone, Copy)]
struct Open {
    mark: char,
    opening: bool,
}

/// A bracket or a quotation that was closed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Closed {
    pub(super) bracket: bool,
    /// It opened its sentence.
    pub(super) opening: bool,
}

/// What stands before a mark, read backwards.
#[derive(Debug, Clone, Copy)]
pub(super) struct Before {
    pub(super) last: Option<char>,
    pub(super) last_but_one: Option<char>,
    /// There is no letter or digit in the sentence yet.
    pub(super) wordless: bool,
}

impl Enclosure {
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.open.clear();
        self.length = 0;
        self.apostrophe = false;
    }

    /// Whether the next character decides what an apostrophe was.
    pub(super) fn awaits_letter(&self) -> bool {
        self.apostrophe
    }

    /// Counts characters read, whichever they were, and gives up marks that stayed open too long.
    pub(super) fn tick(&mut self, characters: usize) {
        if !self.open.is_empty() {
            self.length += characters;
            if self.length > LONGEST {
                self.clear();
            }
        }
    }

    /// Takes a character of the text into account, and says what it closes.
    pub(super) fn see(&mut self, c: char, before: Before) -> Option<Closed> {
        if std::mem::take(&mut self.apostrophe) && !c.is_alphanumeric() {
            self.close(|open| is_single(open.mark));
        }
        if matches!(c, '\'' | '’') && before.last.is_some_and(char::is_alphanumeric) {
            self.apostrophe = self.open.iter().any(|open| is_single(open.mark));
            return None;
        }
        let closed = self.closes(c);
        if closed.is_none() && opens(c, before) && self.open.len() < DEEPEST {
            // Two commas are the low quotation mark of a typewriter.
            let mark = if c == ',' { '„' } else { c };
            self.open.push(Open { mark, opening: before.wordless });
        }
        closed
    }

    /// What the character closes, of the marks that are open; those inside it are then closed too.
    pub(super) fn closes(&mut self, c: char) -> Option<Closed> {
        // Hardly any character closes something: the rest is let past before what is open is looked through.
        if self.open.is_empty() || !is_closing(c) {
            return None;
        }
        self.close(|open| is_pair(open.mark, c))
    }

    fn close(&mut self, fits: impl Fn(&Open) -> bool) -> Option<Closed> {
        let at = self.open.iter().rposition(fits)?;
        let Open { mark, opening } = *self.open.get(at)?;
        self.open.truncate(at);
        if self.open.is_empty() {
            self.length = 0;
        }
        Some(Closed { bracket: matches!(mark, '(' | '[' | '{' | '（' | '［' | '【'), opening })
    }
}

fn opens(c: char, before: Before) -> bool {
    let free = |last: char| last.is_whitespace() || "([{«„“¿¡-–—*_".contains(last);
    match c {
        // A sad face is no bracket.
        '(' => before.last != Some(':'),
        // An inch mark or a closing mark without its partner has something right before it.
        '"' => before.last.is_none_or(free),
        // An apostrophe may open a word anywhere; a quotation opens a sentence, or follows its announcement.
        '\'' => {
            before.wordless || (before.last == Some(' ') && matches!(before.last_but_one, Some(',' | ':')))
        }
        ',' => before.last == Some(',') && before.last_but_one.is_none_or(char::is_whitespace),
        _ => matches!(
            c,
            '[' | '{'
                | '（'
                | '［'
                | '【'
                | '「'
                | '『'
                | '《'
                | '〈'
                | '«'
                | '‹'
                | '„'
                | '“'
                | '‘'
                | '‚'
        ),
    }
}

fn is_single(open: char) -> bool {
    matches!(open, '\'' | '‘')
}

fn is_closing(c: char) -> bool {
    matches!(
        c,
        ')' | ']'
            | '}'
            | '"'
            | '）'
            | '］'
            | '】'
            | '」'
            | '』'
            | '》'
            | '〉'
            | '»'
            | '›'
            | '“'
            | '”'
            | '\''
            | '‘'
            | '’'
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
        '\'' => close == '\'' || close == '’',
        '‘' => close == '’',
        '‚' => close == '‘',
        _ => false,
    }
}
