//! Closing marks, and how surely each ends its sentence.

/// A closing mark, and how surely it ends the sentence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Close {
    pub(super) strength: Strength,
    /// The next sentence may begin without white space.
    pub(super) at_once: bool,
    /// A word stands before it behind which a writer may have forgotten the space.
    pub(super) plain: bool,
    /// A letter of a script without capitals stands before it: a small letter behind it says nothing.
    pub(super) caseless: bool,
    /// It stands in a quotation that does not open its sentence.
    pub(super) within: bool,
    /// It belongs to the word before it where a number follows.
    pub(super) numbered: bool,
    /// The number of a note is written to it: before a small letter it would be a number like any other.
    pub(super) note: bool,
    /// A citation marker followed.
    pub(super) cited: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// A full stop that belongs to the word before it: ends the sentence only with a citation marker.
    Never,
    /// One that may: ends it only before a word that often begins a sentence.
    Doubtful,
    /// Does not end it before a small letter.
    Weak,
    /// Ends it.
    Strong,
}

/// What is known of the end of a sentence when the next character has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Ends,
    GoesOn,
    /// It depends on the word that begins here.
    Word,
    /// It depends on what follows, written without a space behind the mark.
    Run,
    /// It depends on what follows the dash.
    Dash,
}

impl Close {
    pub(super) fn new(strength: Strength) -> Close {
        Close {
            strength,
            at_once: false,
            plain: false,
            caseless: false,
            within: false,
            numbered: false,
            note: false,
            cited: false,
        }
    }

    /// Whether the sentence ends before `next`, with or without white space between.
    pub(super) fn before(self, next: char, gap: bool) -> Verdict {
        let ends = |yes: bool| if yes { Verdict::Ends } else { Verdict::GoesOn };
        if self.cited {
            return Verdict::Ends;
        }
        // What divides a sentence begins none.
        if ",;:".contains(next) || (self.numbered && next.is_numeric()) {
            return Verdict::GoesOn;
        }
        if self.note {
            return ends(gap && next.is_uppercase());
        }
        // Where no capital tells, what follows a quotation in the middle of a sentence is taken for the rest of it.
        if self.within && is_caseless(next) {
            return Verdict::GoesOn;
        }
        if !gap {
            let run = self.plain && next.is_uppercase();
            let now = self.at_once || (self.strength == Strength::Strong && "¿¡".contains(next));
            return if now || !run { ends(now) } else { Verdict::Run };
        }
        match self.strength {
            Strength::Never => Verdict::GoesOn,
            Strength::Doubtful if next.is_uppercase() => Verdict::Word,
            Strength::Doubtful => ends("¿¡".contains(next)),
            _ if is_dash(next) => Verdict::Dash,
            _ if next == '(' && self.within => Verdict::GoesOn,
            Strength::Weak => ends(self.caseless || !next.is_lowercase()),
            Strength::Strong => Verdict::Ends,
        }
    }

    /// This mark and another one behind it.
    pub(super) fn and(self, other: Close) -> Close {
        let strength = if self.strength == Strength::Strong && other.strength == Strength::Weak {
            // Dots behind a sure mark leave open whether it goes on.
            Strength::Weak
        } else {
            self.strength.max(other.strength)
        };
        Close { strength, at_once: self.at_once || other.at_once, plain: false, numbered: false, ..self }
    }

    /// This mark with the end of a quotation behind it: what surrounds that may go on.
    ///
    /// `opening`: the quotation opened the sentence.
    pub(super) fn quoted(self, opening: bool) -> Close {
        Close { strength: self.strength.min(Strength::Weak), plain: false, within: !opening, ..self }
    }

    /// Whether `text` between brackets is a citation marker behind this mark.
    pub(super) fn takes_marker(self, text: &str) -> bool {
        let names_source = text.contains('#') && text.chars().all(is_marker_char);
        // A number in brackets behind an abbreviation is a number.
        let numbers = self.strength > Strength::Never
            && text.contains(|c: char| c.is_ascii_digit())
            && text.chars().all(|c| c.is_ascii_digit() || c == ',' || c == ' ');
        names_source || numbers
    }
}

/// What a mark closes by itself; `None` where it is none.
pub(super) fn closing_mark(c: char) -> Option<Close> {
    let (strength, at_once) = match c {
        '.' | '…' | '!' => (Strength::Weak, false),
        '?' => (Strength::Strong, false),
        '。' | '！' | '？' | '｡' | '．' | '؟' | '۔' | '।' | '॥' => (Strength::Strong, true),
        _ => return None,
    };
    Some(Close { at_once, ..Close::new(strength) })
}

/// A letter of a script without capitals.
pub(super) fn is_caseless(c: char) -> bool {
    c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase()
}

pub(super) fn is_dash(c: char) -> bool {
    matches!(c, '-' | '–' | '—')
}

pub(super) fn is_line_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

pub(super) fn is_marker_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '#' | ',' | ';' | ' ')
}

/// Signs that open an item of a list wherever they stand.
pub(super) fn is_bullet(c: char) -> bool {
    matches!(c, '•' | '⁃' | '‣' | '◦' | '▪' | '●' | '■' | '○')
}

/// Marks without a partner that may stand behind a closing mark, emphasis of Markdown among them.
pub(super) fn trails(c: char) -> bool {
    matches!(c, ')' | ']' | '}' | '"' | '\'' | '’' | '”' | '»' | '*' | '_' | '`' | '~')
}
