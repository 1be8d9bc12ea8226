//! Numbers that are names: of telephones, orders, articles, versions.

use super::amounts::Of;
use super::fold::Sort;
use super::reader::Reader;

/// The digits of a telephone number: no fewer, no more (ITU-T E.164 allows 15).
const FEWEST_DIALLED: usize = 7;
const MOST_DIALLED: usize = 15;
/// With a word for a telephone before it, a number of a service is one too.
const FEWEST_NAMED: usize = 3;
/// No name is read further than this.
const LONGEST: usize = 64;

/// Groups of digits with single signs between them.
#[derive(Debug, Clone, Copy, Default)]
struct Dialled {
    digits: usize,
    groups: usize,
    shortest: usize,
    end: usize,
    /// The first group begins with a zero and goes on.
    zero: bool,
}

impl Reader<'_> {
    fn dialled(&self, at: usize) -> Dialled {
        let mut found = Dialled { end: at, shortest: usize::MAX, ..Dialled::default() };
        let mut next = at;
        let mut group = 0;
        for place in 0..LONGEST {
            let Some(c) = self.char_at(next) else {
                break;
            };
            if let Some(digit) = self.folding.digit(c) {
                if found.digits == 0 {
                    found.zero = digit == 0;
                }
                if group == 0 {
                    found.groups += 1;
                }
                group += 1;
                found.digits += 1;
                next += c.len_utf8();
                found.end = next;
                found.zero &= found.groups > 1 || group > 1 || self.digit_at(next).is_some();
                // A trunk prefix may be one digit.
                if self.digit_at(next).is_none() && found.groups > 1 {
                    found.shortest = found.shortest.min(group);
                }
                continue;
            }
            group = 0;
            let sign = matches!(
                c,
                ' ' | '\u{A0}' | '\u{202F}' | '-' | '\u{2011}' | '.' | '/' | '(' | ')' | '\u{2013}'
            );
            let twice = found.end + 2 < next;
            if !sign || twice || (place == 0 && c != '(') {
                break;
            }
            next += c.len_utf8();
        }
        found
    }

    /// A telephone number: with a plus sign, with a word for it before it (`named`), or in groups as only
    /// telephone numbers are. Where it ends.
    pub(super) fn telephone(&self, at: usize, named: bool) -> Option<usize> {
        let plus = matches!(self.char_at(at), Some('+' | '\u{FF0B}'));
        let start = if plus { at + self.char_at(at)?.len_utf8() } else { at };
        let found = self.dialled(start);
        if plus || named {
            let fewest = if named { FEWEST_NAMED } else { FEWEST_DIALLED };
            return (fewest..=MOST_DIALLED).contains(&found.digits).then_some(found.end);
        }
        let dialled = (FEWEST_DIALLED..=MOST_DIALLED).contains(&found.digits);
        let national = found.zero && found.groups >= 2 && found.shortest >= 2;
        let grouped = found.groups >= 3 && found.digits >= 9 && found.shortest >= 2;
        let here = dialled && (national || grouped);
        // Thousands with spaces between them are a number, and three numbers may be a date.
        let other = || {
            let number = self.digits(at);
            matches!(number, Some(super::digits::Digits::Number(written)) if written.end >= found.end)
                || self.numeric_date(at).is_some()
                || self.part(at).is_some_and(|part| part.of != Of::Nothing)
        };
        (here && !other()).then_some(found.end)
    }

    /// A name of letters and digits that begins here, with hyphens and the like inside it: where it ends.
    /// None where it holds no digit.
    pub(super) fn code(&self, at: usize) -> Option<usize> {
        let mut end = at;
        let mut digits = 0;
        let mut next = at;
        for _ in 0..LONGEST {
            let Some(c) = self.char_at(next) else {
                break;
            };
            match self.folding.sort(c) {
                Sort::Digit => digits += 1,
                Sort::Letter if is_code_letter(c) => {}
                _ if matches!(c, '-' | '_' | '/' | '.') && next > at => {
                    let behind = self.char_at(next + 1);
                    let upper = behind.is_some_and(|c| c.is_uppercase() || self.folding.digit(c).is_some());
                    if !upper || !is_code_letter(behind.unwrap_or(' ')) && self.digit_at(next + 1).is_none() {
                        break;
                    }
                    next += 1;
                    continue;
                }
                _ => break,
            }
            next += c.len_utf8();
            end = next;
        }
        (digits > 0).then_some(end)
    }

    /// The end of everything in one with the digits at a place.
    pub(super) fn run_end(&self, at: usize) -> usize {
        let mut end = at;
        while let Some(c) = self.char_at(end) {
            if self.folding.digit(c).is_none() {
                break;
            }
            end += c.len_utf8();
        }
        end
    }

    /// A name as it is compared: letters in upper case, digits as 0 to 9, full stops and
    /// slashes before digits unless it is dialled; a leading `00`
    /// of a telephone number is the plus sign it stands for.
    pub(super) fn name(&self, start: usize, end: usize, dialled: bool) -> String {
        let mut out = String::new();
        let written = self.text.get(start..end).unwrap_or_default();
        for (at, c) in written.char_indices() {
            match self.folding.digit(c) {
                // A version, or what is said with a slash, is not what its digits are without that.
                _ if !dialled && matches!(c, '.' | '/') && self.digit_at(start + at + 1).is_some() => {
                    out.push(c)
                }
                Some(digit) => out.push(char::from(b'0' + digit)),
                None if c.is_alphanumeric() => out.extend(c.to_uppercase()),
                None => {}
            }
        }
        match out.strip_prefix("00") {
            Some(rest) if dialled && rest.len() >= FEWEST_DIALLED => rest.to_owned(),
            _ => out,
        }
    }
}

/// Letters of the scripts in which such names are written.
pub(super) fn is_code_letter(c: char) -> bool {
    c.is_alphabetic() && matches!(c, 'A'..='Z' | 'a'..='z' | '\u{C0}'..='\u{24F}' | '\u{400}'..='\u{4FF}')
}
