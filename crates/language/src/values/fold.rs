//! Letters as they are looked up: without case, accents and what else writers leave out.

use std::sync::LazyLock;

use unicode_normalization::char::decompose_canonical;

use crate::normal::{is_dropped, normalize};

const ZERO_WIDTH_NON_JOINER: char = '\u{200C}';

/// What sort of character one is to whoever looks for values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// A letter of a script that puts space between words.
    Letter,
    /// A letter of a script that does not.
    Han,
    /// A decimal digit.
    Digit,
    /// A mark over a letter, or something invisible: part of the word it stands in.
    Mark,
    /// White space.
    Space,
    /// Anything else.
    Sign,
}

#[derive(Debug, Clone, Copy)]
struct Known {
    folded: Option<char>,
    sort: Sort,
}

/// Characters below this are looked up in a table: Latin, Greek, Cyrillic, Arabic, Devanagari.
const TABLED: u32 = 0xA00;

/// And these behind them: dashes, quotation marks, spaces, signs of currencies.
const PUNCTUATION: std::ops::Range<u32> = 0x2000..0x2100;

static TABLE: LazyLock<Vec<Known>> = LazyLock::new(|| {
    let known = |code| {
        let c = char::from_u32(code).unwrap_or(' ');
        Known { folded: fold_slowly(c), sort: sort_slowly(c) }
    };
    (0..TABLED).chain(PUNCTUATION).map(known).collect()
});

/// The table, once for a whole text.
#[derive(Clone, Copy)]
pub(super) struct Folding(&'static [Known]);

impl Folding {
    pub(super) fn new() -> Self {
        Self(&TABLE)
    }

    #[inline]
    fn known(self, c: char) -> Option<&'static Known> {
        let code = u32::from(c);
        let place = if code < TABLED {
            code
        } else if PUNCTUATION.contains(&code) {
            code - PUNCTUATION.start + TABLED
        } else {
            return None;
        };
        self.0.get(place as usize)
    }

    /// The character to look up; a space for white space and hyphens; none where there is nothing to look up.
    #[inline]
    pub(super) fn fold(self, c: char) -> Option<char> {
        match self.known(c) {
            Some(known) => known.folded,
            None => fold_slowly(c),
        }
    }

    #[inline]
    pub(super) fn sort(self, c: char) -> Sort {
        match self.known(c) {
            Some(known) => known.sort,
            None => sort_slowly(c),
        }
    }

    /// The value of a decimal digit of any script.
    #[inline]
    pub(super) fn digit(self, c: char) -> Option<u8> {
        if self.sort(c) != Sort::Digit {
            return None;
        }
        self.fold(c).and_then(|c| c.to_digit(10)).and_then(|digit| u8::try_from(digit).ok())
    }

    /// A phrase of a pack as it is looked up: single spaces, no full stop at the end.
    pub(super) fn phrase(self, phrase: &str) -> Vec<char> {
        let mut out: Vec<char> = Vec::new();
        for c in phrase.trim_end_matches('.').chars().filter_map(|c| self.fold(c)) {
            if c != ' ' || out.last().is_some_and(|last| *last != ' ') {
                out.push(c);
            }
        }
        while out.len() > 1 && out.last() == Some(&' ') {
            out.pop();
        }
        out
    }
}

fn sort_slowly(c: char) -> Sort {
    if decimal_digit(c).is_some() {
        Sort::Digit
    } else if c == ZERO_WIDTH_NON_JOINER || is_dropped(c) || is_accent(c) {
        Sort::Mark
    } else if c.is_whitespace() {
        Sort::Space
    } else if is_han(c) {
        Sort::Han
    } else if c.is_alphabetic() && !matches!(c, 'º' | 'ª') || is_vowel_sign(c) {
        Sort::Letter
    } else {
        Sort::Sign
    }
}

/// Chinese characters, and the syllables of Japanese, which stand between them.
pub(super) fn is_han(c: char) -> bool {
    matches!(c, '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{323AF}')
}

fn is_accent(c: char) -> bool {
    // Also the dot under a letter of Devanagari, which many leave out, and the hamza over one of Arabic.
    matches!(c, '\u{300}'..='\u{36F}' | '\u{93C}' | '\u{653}'..='\u{655}')
}

/// The virama of Devanagari, which is no letter of Unicode's.
fn is_vowel_sign(c: char) -> bool {
    c == '\u{94D}'
}

/// The value of a decimal digit as a character, ASCII.
fn decimal_digit(c: char) -> Option<char> {
    if c.is_ascii_digit() {
        return Some(c);
    }
    if c.is_ascii() || !c.is_numeric() {
        return None;
    }
    let zero = match c {
        '\u{660}'..='\u{669}' => '\u{660}',
        '\u{6F0}'..='\u{6F9}' => '\u{6F0}',
        '\u{966}'..='\u{96F}' => '\u{966}',
        '\u{FF10}'..='\u{FF19}' => '\u{FF10}',
        // What is a digit only in a ring or raised is none.
        _ if is_compatible_only(c) => return None,
        _ => {
            let normal = normalize(c.encode_utf8(&mut [0; 4]));
            let mut chars = normal.chars();
            let only = chars.next().filter(|_| chars.as_str().is_empty());
            return only.filter(char::is_ascii_digit);
        }
    };
    char::from_digit(u32::from(c) - u32::from(zero), 10)
}

fn is_compatible_only(c: char) -> bool {
    matches!(c, '\u{B2}' | '\u{B3}' | '\u{B9}' | '\u{2070}'..='\u{218F}' | '\u{2460}'..='\u{24FF}'
        | '\u{2776}'..='\u{2793}' | '\u{3000}'..='\u{33FF}' | '\u{1F100}'..='\u{1F10F}')
}

fn fold_slowly(c: char) -> Option<char> {
    if c == ZERO_WIDTH_NON_JOINER || c.is_whitespace() || matches!(c, '-' | '\u{2010}' | '\u{2011}') {
        return Some(' ');
    }
    if is_dropped(c) || is_accent(c) {
        return None;
    }
    if let Some(digit) = decimal_digit(c) {
        return Some(digit);
    }
    let c = match u32::from(c) {
        // The wide forms of ASCII.
        code @ 0xFF01..=0xFF5E => char::from_u32(code - 0xFEE0).unwrap_or(c),
        _ => c,
    };
    let lower = c.to_lowercase().next().unwrap_or(c);
    let mut base = None;
    decompose_canonical(lower, |part| {
        base.get_or_insert(part);
    });
    Some(match base.unwrap_or(lower) {
        // Both marks of an ordinal, and the sign of a degree, which is written for one of them.
        'º' | 'ª' => '°',
        '’' => '\'',
        'ς' => 'σ',
        // Arabic letters in their Persian form, and those that are written one for another.
        '\u{64A}' | '\u{649}' => '\u{6CC}',
        '\u{643}' => '\u{6A9}',
        '\u{629}' => '\u{647}',
        // The nasal mark of Devanagari, with and without its moon.
        '\u{901}' => '\u{902}',
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_looked_up_without_case_and_accents() {
        let folding = Folding::new();
        let folded = |text: &str| folding.phrase(text).into_iter().collect::<String>();
        for (written, other) in [
            ("Más DE", "mas de"),
            ("di\u{301}as", "días"),
            ("трёх", "трех"),
            ("мини\u{306}", "минй"),
            ("أكثر", "اكثر"),
            ("يورو", "یورو"),
            ("هज़ार", "هजार"),
            ("पाँच", "पांच"),
            ("dix-neuf", "dix neuf"),
            ("می\u{200C}شود", "می شود"),
            ("年", "年"),
            ("руб.", "руб"),
        ] {
            assert_eq!(folded(written), folded(other));
        }
        assert_eq!(folding.digit('४'), Some(4));
        assert_eq!(folding.digit('৪'), Some(4));
        assert_eq!(folding.digit('²'), None);
        assert_eq!(folding.digit('五'), None);
    }
}
