//! What of a text is personal by its form alone: e-mail addresses, telephone numbers, cards and bank accounts by
//! their checksums. Names and postal addresses have no form, and are not found.

use std::ops::Range;

use crate::normal::decimal_digit;

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PersonalKind {
    /// An e-mail address.
    Email,
    /// A telephone number.
    Phone,
    /// The number of a card, by the checksum of Luhn (ISO/IEC 7812-1).
    Card,
    /// The number of an account, by the remainder of 97 (ISO 13616).
    Iban,
}

impl PersonalKind {
    /// The name it stands under in a text it was taken out of.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Phone => "phone",
            Self::Card => "card",
            Self::Iban => "iban",
        }
    }
}

/// The longest and the shortest numbers, in digits.
const CARD: Range<usize> = 13..20;
const PHONE: Range<usize> = 8..16;
const IBAN: Range<usize> = 15..35;

/// The longest parts of an address, in characters (RFC 5321).
const LOCAL: usize = 64;
const HOST: usize = 255;

/// The most characters, digits and marks, that are read as one number.
const SIGNS: usize = 40;

/// What is personal in a text: places in bytes, in order, none inside another.
#[must_use]
pub fn personal(text: &str) -> Vec<(Range<usize>, PersonalKind)> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let reader = Reader { chars: &chars, end: text.len() };
    let mut found = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let read = reader.email(at).or_else(|| reader.iban(at));
        let read = read.map(|(after, kind)| (after, Some(kind))).or_else(|| reader.number(at));
        at = match read {
            Some((after, Some(kind))) => {
                found.push((reader.byte(at)..reader.byte(after), kind));
                after
            }
            // A part of a number that is none of these is none of these either.
            Some((after, None)) => after,
            None => reader.next(at),
        }
    }
    found
}

struct Reader<'t> {
    chars: &'t [(usize, char)],
    end: usize,
}

impl Reader<'_> {
    fn at(&self, at: usize) -> Option<char> {
        self.chars.get(at).map(|(_, c)| *c)
    }

    fn byte(&self, at: usize) -> usize {
        self.chars.get(at).map_or(self.end, |(byte, _)| *byte)
    }

    fn digit(&self, at: usize) -> Option<u32> {
        let c = self.at(at)?;
        decimal_digit(c).unwrap_or(c).to_digit(10)
    }

    /// The next place where something may begin: behind the word or number that begins here.
    fn next(&self, at: usize) -> usize {
        let inside = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '%' | '+' | '-');
        if !self.at(at).is_some_and(char::is_alphanumeric) {
            return at + 1;
        }
        let rest = self.chars.get(at..).unwrap_or_default();
        at + rest.iter().take_while(|(_, c)| inside(*c)).count().max(1)
    }

    /// How many characters are such, of `most` at most: a text is read in time that grows with its length alone.
    fn count(&self, at: usize, most: usize, of: impl Fn(char) -> bool) -> usize {
        self.chars.get(at..).unwrap_or_default().iter().take(most).take_while(|(_, c)| of(*c)).count()
    }

    fn email(&self, at: usize) -> Option<(usize, PersonalKind)> {
        let local =
            self.count(at, LOCAL + 1, |c| c.is_alphanumeric() || matches!(c, '.' | '_' | '%' | '+' | '-'));
        let sign = at + local;
        if local == 0 || local > LOCAL || self.at(sign) != Some('@') {
            return None;
        }
        let host = self.count(sign + 1, HOST, |c| c.is_alphanumeric() || matches!(c, '.' | '-'));
        let mut after = sign + 1 + host;
        // A full stop at the end closes the sentence.
        while after > sign && matches!(self.at(after - 1), Some('.' | '-')) {
            after -= 1;
        }
        let host: Vec<char> = self.chars.get(sign + 1..after)?.iter().map(|(_, c)| *c).collect();
        let dot = host.iter().rposition(|c| *c == '.')?;
        let top = host.get(dot + 1..)?;
        let named = dot > 0 && top.len() >= 2 && top.iter().all(|c| c.is_alphabetic());
        named.then_some((after, PersonalKind::Email))
    }

    fn iban(&self, at: usize) -> Option<(usize, PersonalKind)> {
        let before = at.checked_sub(1).and_then(|before| self.at(before));
        if before.is_some_and(char::is_alphanumeric) {
            return None;
        }
        let letter = |place: usize| self.at(place).is_some_and(|c| c.is_ascii_alphabetic());
        if !(letter(at) && letter(at + 1) && self.digit(at + 2).is_some() && self.digit(at + 3).is_some()) {
            return None;
        }
        let mut read = Vec::new();
        let mut longest = None;
        let mut place = at;
        while read.len() < IBAN.end {
            match self.at(place) {
                Some(' ') => {}
                Some(c) if c.is_ascii_alphabetic() => read.push(c.to_ascii_uppercase()),
                Some(_) => match self.digit(place).and_then(|digit| char::from_digit(digit, 10)) {
                    Some(digit) => read.push(digit),
                    None => break,
                },
                None => break,
            }
            place += 1;
            let ends = !self.at(place).is_some_and(char::is_alphanumeric);
            if ends && IBAN.contains(&read.len()) && remainder_of_97(&read) == Some(1) {
                longest = Some(place);
            }
        }
        longest.map(|after| (after, PersonalKind::Iban))
    }

    /// A card, a telephone number or neither: digits with the marks that people put between them.
    fn number(&self, at: usize) -> Option<(usize, Option<PersonalKind>)> {
        let before = at.checked_sub(1).and_then(|before| self.at(before));
        if before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | ',' | '-' | '/' | '+')) {
            return None;
        }
        let begins = matches!(self.at(at), Some('+' | '('));
        if !begins && self.digit(at).is_none() {
            return None;
        }
        let mut digits = Vec::new();
        let mut groups = vec![0_usize];
        let mut after = at;
        let mut place = at;
        while let Some(c) = self.at(place).filter(|_| place < at + SIGNS) {
            if let Some(digit) = self.digit(place) {
                digits.push(digit);
                if let Some(group) = groups.last_mut() {
                    *group += 1;
                }
                after = place + 1;
            } else if matches!(c, ' ' | '-' | '.' | '/' | '(' | ')') && place < after + 2 {
                if groups.last() != Some(&0) {
                    groups.push(0);
                }
            } else if !(c == '+' && place == at) {
                break;
            }
            place += 1;
        }
        if after == at || self.at(after).is_some_and(char::is_alphanumeric) {
            return None;
        }
        groups.retain(|group| *group > 0);
        if CARD.contains(&digits.len()) && !begins && luhn(&digits) {
            return Some((after, Some(PersonalKind::Card)));
        }
        let international = self.at(at) == Some('+') || digits.starts_with(&[0, 0]);
        let national = digits.first() == Some(&0) || self.at(at) == Some('(');
        // Days are written in such groups too.
        let day = matches!(groups.as_slice(), [4, 2, 2] | [2, 2, 4] | [1, 1, 4] | [1, 2, 4] | [2, 1, 4]);
        let grouped = groups.len() >= 3 && groups.iter().all(|group| *group >= 2);
        let phone = PHONE.contains(&digits.len()) && !day && (international || national || grouped);
        Some((after, phone.then_some(PersonalKind::Phone)))
    }
}

/// Whether every second digit from the right, doubled, and the others add up to a multiple of ten.
fn luhn(digits: &[u32]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| match (place % 2, digit * 2) {
            (0, _) => *digit,
            (_, doubled) if doubled > 9 => doubled - 9,
            (_, doubled) => doubled,
        })
        .sum();
    sum.is_multiple_of(10) && digits.iter().any(|digit| *digit != 0)
}

/// The number with its first four signs put last and letters as 10 to 35, by 97.
fn remainder_of_97(read: &[char]) -> Option<u32> {
    let (country, rest) = read.split_at_checked(4)?;
    rest.iter().chain(country).try_fold(0_u32, |remainder, c| {
        let value = c.to_digit(36)?;
        let shift = if value > 9 { 100 } else { 10 };
        Some((remainder * shift + value) % 97)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(text: &str) -> Vec<(&str, PersonalKind)> {
        personal(text).into_iter().map(|(place, kind)| (&text[place], kind)).collect()
    }

    #[test]
    fn what_has_the_form_and_the_checksum_is_found() {
        use PersonalKind::{Card, Email, Iban, Phone};
        for (text, expected) in [
            ("Write to ana.perez+shop@correo.example.", vec![("ana.perez+shop@correo.example", Email)]),
            ("пишете на иван@поща.бг", vec![("иван@поща.бг", Email)]),
            ("call +34 600 123 456 please", vec![("+34 600 123 456", Phone)]),
            ("call 0044 (20) 7946-0958", vec![("0044 (20) 7946-0958", Phone)]),
            ("0888 123 456", vec![("0888 123 456", Phone)]),
            ("تلفن ۰۹۱۲۳۴۵۶۷۸۹ است", vec![("۰۹۱۲۳۴۵۶۷۸۹", Phone)]),
            ("card 4111 1111 1111 1111, exp 12/27", vec![("4111 1111 1111 1111", Card)]),
            ("IBAN DE89 3704 0044 0532 0130 00 ok", vec![("DE89 3704 0044 0532 0130 00", Iban)]),
            ("GB82WEST12345698765432", vec![("GB82WEST12345698765432", Iban)]),
            ("a@b.example, c@d.example", vec![("a@b.example", Email), ("c@d.example", Email)]),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn orders_prices_days_and_wrong_checksums_stay() {
        for text in [
            "Where is my order 204418?",
            "order 20441833 of 2026-11-30, or 30.11.2026, 30/11/2026",
            "2,95 € or 1 234 567 €",
            "4111 1111 1111 1112",
            "DE89 3704 0044 0532 0130 05",
            "@home at shop.example",
            "user@localhost",
            "from 9:00 to 18:30, 24/7",
            "size 10-12-14",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_and_places_are_in_order(text in "\\PC{0,80}") {
            let mut end = 0;
            for (place, _) in personal(&text) {
                prop_assert!(place.start >= end && place.start < place.end);
                prop_assert!(text.get(place.clone()).is_some());
                end = place.end;
            }
        }

        #[test]
        fn a_number_with_its_check_digit_is_a_card(mut digits in proptest::collection::vec(0_u32..10, 15)) {
            digits[0] = 4;
            let check = (0..10).find(|check| {
                let whole: Vec<u32> = digits.iter().copied().chain([*check]).collect();
                luhn(&whole)
            });
            digits.extend(check);
            let text: String = digits.iter().map(ToString::to_string).collect();
            prop_assert_eq!(found(&text), vec![(text.as_str(), PersonalKind::Card)]);
        }
    }
}
