//! What the normal form makes of single characters: case, digits, letters of one kind, what is left out.

use super::ZERO_WIDTH_NON_JOINER;

/// A character, composed by NFKC, in the normal form: one or more characters, or none.
pub(super) fn fold(c: char, mut put: impl FnMut(char)) {
    if c == ZERO_WIDTH_NON_JOINER || c.is_whitespace() {
        put(' ');
    } else if is_dropped(c) {
        // Nothing of it stays.
    } else if let Some(digit) = decimal_digit(c) {
        put(digit);
    } else if let Some(letter) = persian(c) {
        put(letter);
    } else {
        c.to_lowercase().for_each(|c| put(if c == 'ς' { 'σ' } else { c }));
    }
}

/// The Persian form of an Arabic letter: kaf and yeh as Persian writes them, hamza taken off its seat,
/// the marbuta as heh.
pub(super) fn persian(c: char) -> Option<char> {
    Some(match c {
        '\u{643}' => '\u{6A9}',
        '\u{626}' | '\u{649}' | '\u{64A}' | '\u{6D0}' | '\u{6D3}' => '\u{6CC}',
        '\u{622}' | '\u{623}' | '\u{625}' | '\u{671}' => '\u{627}',
        '\u{624}' => '\u{648}',
        '\u{629}' | '\u{6BE}' | '\u{6C0}' | '\u{6C1}' | '\u{6C2}' | '\u{6C3}' | '\u{6D5}' => '\u{647}',
        _ => return None,
    })
}

/// Whether the normal form has nothing of this character: it is invisible, or a mark over a letter
/// that writers leave out as they like.
pub(crate) fn is_dropped(c: char) -> bool {
    if c.is_ascii() {
        return c.is_control() && !c.is_whitespace();
    }
    c != ZERO_WIDTH_NON_JOINER && (is_invisible(c) || is_optional_mark(c) || is_stray_control(c))
}

fn is_stray_control(c: char) -> bool {
    c.is_control() && !c.is_whitespace()
}

/// General category Cf, or `Default_Ignorable_Code_Point` (Unicode 16, DerivedCoreProperties.txt).
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{600}'..='\u{605}' | '\u{61C}' | '\u{6DD}' | '\u{70F}'
        | '\u{890}'..='\u{891}' | '\u{8E2}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}'
        | '\u{FFF0}'..='\u{FFFB}' | '\u{110BD}' | '\u{110CD}' | '\u{13430}'..='\u{1343F}'
        | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Hebrew points, Arabic vowel and reading marks, hamza as a mark of its own, the stroke that lengthens
/// an Arabic word, and the frames that make an emoji of a digit.
fn is_optional_mark(c: char) -> bool {
    matches!(c,
        '\u{591}'..='\u{5BD}' | '\u{5BF}' | '\u{5C1}'..='\u{5C2}' | '\u{5C4}'..='\u{5C5}' | '\u{5C7}'
        | '\u{610}'..='\u{61A}' | '\u{640}' | '\u{64B}'..='\u{65F}' | '\u{670}'
        | '\u{6D6}'..='\u{6DC}' | '\u{6DF}'..='\u{6E4}' | '\u{6E7}'..='\u{6E8}' | '\u{6EA}'..='\u{6ED}'
        | '\u{20DD}'..='\u{20E0}' | '\u{20E2}'..='\u{20E4}')
}

/// The digit zero of every script, in order (Unicode 16, general category Nd); nine others follow each.
/// The mathematical and full-width ones are not here, since NFKC has already turned them into ASCII.
const ZEROS: [char; 66] = [
    '\u{660}',
    '\u{6F0}',
    '\u{7C0}',
    '\u{966}',
    '\u{9E6}',
    '\u{A66}',
    '\u{AE6}',
    '\u{B66}',
    '\u{BE6}',
    '\u{C66}',
    '\u{CE6}',
    '\u{D66}',
    '\u{DE6}',
    '\u{E50}',
    '\u{ED0}',
    '\u{F20}',
    '\u{1040}',
    '\u{1090}',
    '\u{17E0}',
    '\u{1810}',
    '\u{1946}',
    '\u{19D0}',
    '\u{1A80}',
    '\u{1A90}',
    '\u{1B50}',
    '\u{1BB0}',
    '\u{1C40}',
    '\u{1C50}',
    '\u{A620}',
    '\u{A8D0}',
    '\u{A900}',
    '\u{A9D0}',
    '\u{A9F0}',
    '\u{AA50}',
    '\u{ABF0}',
    '\u{104A0}',
    '\u{10D30}',
    '\u{10D40}',
    '\u{11066}',
    '\u{110F0}',
    '\u{11136}',
    '\u{111D0}',
    '\u{112F0}',
    '\u{11450}',
    '\u{114D0}',
    '\u{11650}',
    '\u{116C0}',
    '\u{116D0}',
    '\u{116DA}',
    '\u{11730}',
    '\u{118E0}',
    '\u{11950}',
    '\u{11BF0}',
    '\u{11C50}',
    '\u{11D50}',
    '\u{11DA0}',
    '\u{11F50}',
    '\u{16A60}',
    '\u{16AC0}',
    '\u{16B50}',
    '\u{16D70}',
    '\u{1E140}',
    '\u{1E2F0}',
    '\u{1E4F0}',
    '\u{1E5F1}',
    '\u{1E950}',
];

pub(crate) fn decimal_digit(c: char) -> Option<char> {
    if c.is_ascii() || !c.is_numeric() {
        return None;
    }
    let after = ZEROS.partition_point(|zero| *zero <= c);
    let zero = ZEROS.get(after.checked_sub(1)?)?;
    char::from_digit(u32::from(c) - u32::from(*zero), 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_decimal_digit_is_known() {
        assert!(ZEROS.is_sorted());
        for zero in ZEROS {
            for digit in 0..10 {
                let c = char::from_u32(u32::from(zero) + digit).unwrap();
                assert_eq!(decimal_digit(c), char::from_digit(digit, 10), "U+{:X}", u32::from(c));
            }
        }
        for other in ['²', '①', '½', '五', '\u{66A}'] {
            assert_eq!(decimal_digit(other), None, "{other}");
        }
    }
}
