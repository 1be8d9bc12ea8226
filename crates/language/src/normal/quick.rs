//! The quick way to the normal form, for text as it is mostly written.

use super::ZERO_WIDTH_NON_JOINER;
use super::letters::{decimal_digit, is_dropped, persian};

/// What a character is to its word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// White space, and the non-joiner.
    Gap,
    /// Nothing of it stays.
    Dropped,
    /// A letter of a script whose letters are taken for those of another.
    Latin,
    /// As [`Kind::Latin`].
    Cyrillic,
    /// A letter of another alphabet.
    Alphabetic,
    /// A letter of a script that is no alphabet, or a sign over one.
    Letter,
    Digit,
    Other,
}

/// Writes the normal form of a text and tells `note`, for each character written, where it ends there
/// and where what it stands for begins and ends in the text.
///
/// False, with something half written, where a character needs a normalisation that looks at its
/// neighbours, a word mixes scripts, or single letters follow each other: then the long way is to be gone.
pub(super) fn quick(text: &str, out: &mut String, mut note: impl FnMut(usize, usize, usize)) -> bool {
    let mut word = Word::default();
    // Where white space that is not yet written begins.
    let mut gap: Option<usize> = None;
    for (at, c) in text.char_indices() {
        let Some((folded, kind)) = fold(c) else { return false };
        if !word.goes_on(folded, kind) {
            return false;
        }
        match kind {
            Kind::Dropped => {}
            Kind::Gap => gap = gap.or(Some(at)),
            _ => {
                if let Some(start) = gap.take()
                    && !out.is_empty()
                {
                    out.push(' ');
                    note(out.len(), start, at);
                }
                out.push(folded);
                note(out.len(), at, at + c.len_utf8());
            }
        }
    }
    word.goes_on(' ', Kind::Gap)
}

/// What is known of the word and the piece between white space that are being read.
#[derive(Default)]
struct Word {
    latin: bool,
    cyrillic: bool,
    /// A zero stands behind letters of this word.
    zero: bool,
    /// Letters since the last white space; a script that is no alphabet counts double.
    letters: u32,
    /// Pieces of one letter in a row.
    singles: u32,
}

impl Word {
    /// Takes one more character; false where the quick way ends.
    fn goes_on(&mut self, c: char, kind: Kind) -> bool {
        let letter = matches!(kind, Kind::Latin | Kind::Cyrillic);
        match kind {
            Kind::Dropped => return true,
            Kind::Latin => self.latin = true,
            Kind::Cyrillic => self.cyrillic = true,
            Kind::Alphabetic | Kind::Letter | Kind::Digit => {}
            Kind::Gap | Kind::Other => (self.latin, self.cyrillic, self.zero) = (false, false, false),
        }
        let zero_inside = self.zero && letter;
        // A sign of another script over a single letter, which is then a single letter all the same.
        let signed = kind == Kind::Letter && self.letters == 1;
        self.zero |= c == '0' && (self.latin || self.cyrillic);
        match kind {
            Kind::Latin | Kind::Cyrillic | Kind::Alphabetic => self.letters += 1,
            Kind::Letter => self.letters += 2,
            Kind::Gap if self.letters == 1 => (self.letters, self.singles) = (0, self.singles + 1),
            // A gap after a gap says nothing new.
            Kind::Gap if self.letters > 1 => (self.letters, self.singles) = (0, 0),
            _ => {}
        }
        let mixed = self.latin && self.cyrillic;
        !mixed && !zero_inside && !signed && self.singles < 3
    }
}

/// A character in the normal form, where it is written so whatever stands beside it; combining
/// marks and what NFKC takes apart are not for this way.
fn fold(c: char) -> Option<(char, Kind)> {
    let moved = |by: i32| char::from_u32(u32::from(c).wrapping_add_signed(by)).unwrap_or(c);
    Some(match c {
        'a'..='z' => (c, Kind::Latin),
        'A'..='Z' => (c.to_ascii_lowercase(), Kind::Latin),
        ' ' | '\t'..='\r' | '\u{A0}' | '\u{202F}' | ZERO_WIDTH_NON_JOINER => (' ', Kind::Gap),
        '0'..='9' => (c, Kind::Digit),
        '!'..='~' => (c, Kind::Other),
        '\u{DF}'..='\u{F6}' | '\u{F8}'..='\u{FF}' | '\u{153}' => (c, Kind::Latin),
        '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{DE}' => (moved(0x20), Kind::Latin),
        '\u{152}' => (moved(1), Kind::Latin),
        '\u{A1}' | '\u{A3}' | '\u{A7}' | '\u{AB}' | '\u{B0}' | '\u{B7}' | '\u{BB}' | '\u{BF}' => {
            (c, Kind::Other)
        }
        '\u{430}'..='\u{45F}' => (c, Kind::Cyrillic),
        '\u{410}'..='\u{42F}' => (moved(0x20), Kind::Cyrillic),
        '\u{400}'..='\u{40F}' => (moved(0x50), Kind::Cyrillic),
        '\u{60C}' | '\u{61B}' | '\u{61F}' | '\u{66A}'..='\u{66C}' => (c, Kind::Other),
        '\u{621}'..='\u{63A}' | '\u{641}'..='\u{64A}' => (persian(c).unwrap_or(c), Kind::Alphabetic),
        '\u{67E}' | '\u{686}' | '\u{698}' | '\u{6A9}' | '\u{6AF}' | '\u{6CC}' => (c, Kind::Alphabetic),
        '\u{660}'..='\u{669}' | '\u{6F0}'..='\u{6F9}' | '\u{966}'..='\u{96F}' => {
            (decimal_digit(c)?, Kind::Digit)
        }
        '\u{900}'..='\u{93B}' | '\u{93D}'..='\u{94D}' => (c, Kind::Letter),
        '\u{964}' | '\u{965}' => (c, Kind::Other),
        '\u{4E00}'..='\u{9FEF}' => (c, Kind::Letter),
        '\u{3001}' | '\u{3002}' | '\u{3008}'..='\u{3011}' => (c, Kind::Other),
        // The full-width forms of ASCII.
        '\u{FF01}'..='\u{FF5E}' => return fold(moved(-0xFEE0)),
        '\u{2010}' | '\u{2012}'..='\u{2016}' | '\u{2018}'..='\u{2022}' | '\u{20AC}' | '\u{20BD}' => {
            (c, Kind::Other)
        }
        _ if is_dropped(c) => (' ', Kind::Dropped),
        _ => return None,
    })
}
