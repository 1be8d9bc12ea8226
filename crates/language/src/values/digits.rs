//! Numbers in digits.

use super::decimal::{Decimal, MOST_DIGITS};
use super::reader::{Reader, is_thin};
use super::types::Reading;

/// A number has no more groups of digits.
const MOST_GROUPS: usize = 12;

/// A run of digits without anything between them.
#[derive(Debug, Clone, Copy, Default)]
struct Group {
    value: i128,
    digits: usize,
    end: usize,
    /// What stands between it and the group before.
    mark: char,
}

/// A number written in digits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Written {
    pub(super) reading: Reading,
    pub(super) end: usize,
    /// Digits alone, without any mark: how many.
    pub(super) plain: Option<usize>,
}

/// What a run of digits turned out to be.
#[derive(Debug, Clone, Copy)]
pub(super) enum Digits {
    Number(Written),
    /// Too long for a quantity, or divided as no number is; ends here.
    Name(usize),
}

impl Reader<'_> {
    /// The digits at a place, and where they end; the value is wrong where they are too many.
    fn group(&self, at: usize) -> Group {
        let mut group = Group { end: at, ..Group::default() };
        while let Some(c) = self.char_at(group.end) {
            let Some(digit) = self.folding.digit(c) else {
                break;
            };
            if group.digits < MOST_DIGITS {
                group.value = group.value * 10 + i128::from(digit);
            }
            group.digits += 1;
            group.end += c.len_utf8();
        }
        group
    }

    /// A whole number in digits with nothing between them: its value, how many digits, and where it ends.
    pub(super) fn integer(&self, at: usize, most_digits: usize) -> Option<(u64, usize, usize)> {
        let mut end = at;
        let mut value = 0_u64;
        let mut digits = 0;
        while let Some(c) = self.char_at(end) {
            let Some(digit) = self.folding.digit(c) else {
                break;
            };
            if digits == most_digits {
                return None;
            }
            value = value.checked_mul(10)?.checked_add(u64::from(digit))?;
            digits += 1;
            end += c.len_utf8();
        }
        (digits > 0).then_some((value, digits, end))
    }

    /// The longest number in digits that begins here.
    pub(super) fn digits(&self, at: usize) -> Option<Digits> {
        let mut groups = [Group::default(); MOST_GROUPS];
        let mut count = 0;
        let mut next = at;
        let mut mark = ' ';
        for place in &mut groups {
            let group = Group { mark, ..self.group(next) };
            if group.digits == 0 {
                break;
            }
            if group.digits > MOST_DIGITS {
                // Only the first can be told from here; another is met by itself.
                if count == 0 {
                    return Some(Digits::Name(group.end));
                }
                break;
            }
            *place = group;
            count += 1;
            match self.mark(group, count == 1) {
                Some((behind, found)) => (next, mark) = (behind, found),
                None => break,
            }
        }
        // Behind a comma without space: one number of a list, not the decimals of it.
        let listed = self.char_before(at) == Some(',')
            && self.char_before(at - 1).is_some_and(|c| self.folding.digit(c).is_some());
        self.interpret(groups.get(..if listed { 1 } else { count })?)
    }

    /// The mark behind a group of digits where more digits follow it.
    fn mark(&self, group: Group, first: bool) -> Option<(usize, char)> {
        let c = self.char_at(group.end)?;
        let behind = group.end + c.len_utf8();
        let three = || {
            let next = self.integer(behind, 4);
            (group.digits == 3 || (first && group.digits < 3))
                && next.is_some_and(|(_, digits, _)| digits == 3)
        };
        let found = match c {
            '.' | '\u{FF0E}' => '.',
            ',' | '\u{66B}' | '\u{66C}' => c,
            '\'' | '’' if three() => '\'',
            ' ' if self.numbers.marks.spaced && three() => ' ',
            c if is_thin(c) && three() => ' ',
            _ => return None,
        };
        self.digit_at(behind).map(|_| (behind, found))
    }

    fn interpret(&self, groups: &[Group]) -> Option<Digits> {
        for count in (1..=groups.len()).rev() {
            let some = groups.get(..count)?;
            let all_marks = |wanted: char| some.iter().skip(1).all(|group| group.mark == wanted);
            if let Some(reading) = self.reading(some) {
                let only = some.first().filter(|_| count == 1);
                return Some(Digits::Number(Written {
                    reading,
                    end: some.last()?.end,
                    plain: only.map(|group| group.digits),
                }));
            }
            if count > 2 && all_marks('.') {
                return Some(Digits::Name(some.last()?.end));
            }
            if count > 2 && all_marks(',') {
                // A list.
                return self.interpret(groups.get(..1)?);
            }
        }
        None
    }

    fn reading(&self, groups: &[Group]) -> Option<Reading> {
        let digits: usize = groups.iter().map(|group| group.digits).sum();
        if digits > MOST_DIGITS {
            return None;
        }
        let last = groups.last()?;
        let (first_marks, last_mark) =
            (groups.get(1..groups.len().max(2) - 1).unwrap_or_default(), last.mark);
        let whole = groups.get(..groups.len() - 1)?;
        let as_integer = || decimal(groups, 0);
        let as_decimal = || decimal(groups, last.digits);
        if groups.len() == 1 {
            return as_integer().map(Reading::sure);
        }
        let same = first_marks.iter().all(|group| group.mark == last_mark);
        let one = groups.len() == 2;
        let integer = grouped(groups).then(as_integer).flatten();
        match last_mark {
            ' ' | '\'' | '\u{66C}' => integer.filter(|_| same).map(Reading::sure),
            '\u{66B}' => (one || grouped(whole)).then(as_decimal).flatten().map(Reading::sure),
            _ if one => {
                let zero = groups.first().is_some_and(|group| group.value == 0);
                let integer = integer.filter(|_| !zero);
                let decimal = as_decimal()?;
                match integer {
                    None => Some(Reading::sure(decimal)),
                    Some(integer) if last_mark == self.numbers.marks.decimal => {
                        Some(Reading { value: decimal, other: Some(integer) })
                    }
                    // Nobody writes three decimals that are all zero.
                    Some(integer) if last.value == 0 => Some(Reading::sure(integer)),
                    Some(integer) => Some(Reading { value: integer, other: Some(decimal) }),
                }
            }
            _ if same => integer.map(Reading::sure),
            _ => {
                let mark = first_marks.first()?.mark;
                let alike = mark != last_mark && first_marks.iter().all(|group| group.mark == mark);
                (alike && grouped(whole)).then(as_decimal).flatten().map(Reading::sure)
            }
        }
    }
}

/// Whether these are groups of thousands, or of thousands and hundreds behind them as in India.
fn grouped(groups: &[Group]) -> bool {
    let Some(((first, last), middle)) = groups.split_first().and_then(|(first, rest)| {
        let (last, middle) = rest.split_last()?;
        Some(((first, last), middle))
    }) else {
        return true;
    };
    let thousands = first.digits <= 3 && middle.iter().all(|group| group.digits == 3);
    let lakhs = first.digits <= 2 && !middle.is_empty() && middle.iter().all(|group| group.digits == 2);
    last.digits == 3 && (thousands || lakhs)
}

fn decimal(groups: &[Group], behind: usize) -> Option<Decimal> {
    let mut mantissa = 0_i128;
    for group in groups {
        let power = 10_i128.checked_pow(u32::try_from(group.digits).ok()?)?;
        mantissa = mantissa.checked_mul(power)?.checked_add(group.value)?;
    }
    Some(Decimal::new(mantissa, u32::try_from(behind).ok()?))
}
