//! Numbers in words.

use super::decimal::Decimal;
use super::fold::Sort;
use super::lexicon::Mean;
use super::reader::Reader;

/// A number written in words.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spelled {
    pub(super) value: Decimal,
    pub(super) end: usize,
    /// It is a number only before a unit, a currency or a counter.
    pub(super) weak: bool,
}

/// No number grows beyond this, nor has more words.
const LARGEST: u64 = 1_000_000_000_000_000;
const MOST_WORDS: usize = 24;
/// Nor are more digits named one after another.
const MOST_NAMED: usize = 12;

/// The number that the words read so far make.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    value: u64,
    /// How many words it has, and whether all of them named a single digit.
    words: usize,
    digits: bool,
    /// What is behind the decimal mark, where a word names that.
    decimal: Option<Decimal>,
}

impl Sum {
    /// Adds a number word, where that makes one number: its digits must be zeros so far.
    fn add(self, number: u64, joined: bool, units_first: bool, by_digits: bool) -> Option<Self> {
        let digit = number < 10;
        let next = Sum { words: self.words + 1, digits: digit && (self.words == 0 || self.digits), ..self };
        if self.decimal.is_some() {
            return None;
        }
        if self.words == 0 {
            return Some(Sum { value: number, ..next });
        }
        if by_digits && self.digits && digit && self.words < MOST_NAMED {
            return Some(Sum { value: self.value.checked_mul(10)?.checked_add(number)?, ..next });
        }
        let power = 10_u64.checked_pow(number.checked_ilog10().unwrap_or(0) + 1)?;
        if number > 0 && self.value > 0 && self.value.is_multiple_of(power) {
            return Some(Sum { value: self.value.checked_add(number)?, ..next });
        }
        // Four and twenty.
        let units = self.value % 100;
        if units_first
            && joined
            && (1..10).contains(&units)
            && (20..100).contains(&number)
            && number.is_multiple_of(10)
        {
            return Some(Sum { value: self.value.checked_add(number)?, ..next });
        }
        None
    }

    /// Multiplies what stands before, as far as it is smaller.
    fn times(self, scale: u64) -> Option<Self> {
        let next = Sum { words: self.words + 1, digits: false, ..self };
        if self.words == 0 {
            return Some(Sum { value: scale, ..next });
        }
        if let Some(decimal) = self.decimal {
            // One and a half hundred thousand.
            let value = decimal.times(i128::from(scale))?.whole()?;
            return Some(Sum { value, decimal: None, ..next });
        }
        let low = self.value % scale;
        let high = self.value - low;
        if low == 0 || !high.is_multiple_of(scale.checked_mul(10)?) {
            return None;
        }
        Some(Sum { value: high.checked_add(low.checked_mul(scale)?)?, ..next })
    }
}

fn is_number(mean: Mean) -> Option<Mean> {
    matches!(mean, Mean::Add(_) | Mean::Weak(_) | Mean::Times(_)).then_some(mean)
}

impl Reader<'_> {
    /// The longest number in words that begins here.
    pub(super) fn spelled(&self, at: usize) -> Option<Spelled> {
        self.memory.spelled.or_find(at, || self.spell(at))
    }

    fn spell(&self, at: usize) -> Option<Spelled> {
        let quarters = |mean| if let Mean::Quarters(quarters) = mean { Some(quarters) } else { None };
        let (mut sum, mut end, mut weak) = match self.here(at).pick(quarters) {
            Some((quarters, end)) => self.with_quarters(self.gap(end), quarters)?,
            None => self.word(at, Sum::default(), false)?,
        };
        while sum.words < MOST_WORDS {
            let Some((more, behind, joined)) = self.next_word(end, sum) else {
                break;
            };
            // "One hundred and two hundred" are two numbers: what was joined must not be multiplied away.
            if joined && self.multiplied(behind, more) {
                break;
            }
            // In company no word is weak.
            (sum, end, weak) = (more, behind, false);
        }
        if sum.value > LARGEST || (sum.digits && matches!(sum.words, 2 | 3)) {
            // "Two three days" are no twenty-three.
            return None;
        }
        Some(Spelled { value: sum.decimal.unwrap_or(Decimal::from(sum.value)), end, weak })
    }

    /// The number word here with quarters more or fewer; of a scale, or before a unit, those of one.
    fn with_quarters(&self, at: usize, quarters: i8) -> Option<(Sum, usize, bool)> {
        let scale = self.here(at).has(|mean| matches!(mean, Mean::Times(_)));
        let (whole, end, weak) = match self.word(at, Sum::default(), false).filter(|_| !scale) {
            Some((sum, end, weak)) if sum.decimal.is_none() => (sum.value, end, weak),
            Some(_) => return None,
            // Behind the word itself, up to the gap.
            None => (1, self.text.get(..at)?.trim_end().len(), true),
        };
        if whole == 1 && quarters == 2 {
            return None;
        }
        let part = Decimal::new(i128::from(quarters) * 25, 2);
        let decimal = Decimal::from(whole).plus(part)?;
        Some((Sum { words: 1, decimal: Some(decimal), ..Sum::default() }, end, weak))
    }

    /// The number with the next word, with or without a joiner before it.
    fn next_word(&self, end: usize, sum: Sum) -> Option<(Sum, usize, bool)> {
        let next = self.link(end);
        let han = self.sort_at(end) == Some(Sort::Han);
        if next == end && !han {
            return None;
        }
        if let Some((more, behind, _)) = self.word(next, sum, false) {
            return Some((more, behind, false));
        }
        if self.numbers.numerals.compounds {
            // "Between two and twenty": what belongs together is one word.
            return None;
        }
        if let Some(((), joiner)) = self.here(next).pick(|mean| (mean == Mean::Join).then_some(())) {
            let start = self.link(joiner);
            let han = self.sort_at(joiner) == Some(Sort::Han);
            if start > joiner || han {
                return self.word(start, sum, true).map(|(more, behind, _)| (more, behind, true));
            }
            return None;
        }
        let start = self.behind_joiner(next)?;
        self.word(start, sum, true).map(|(more, behind, _)| (more, behind, true))
    }

    /// Whether a word follows that can only multiply what was joined last.
    fn multiplied(&self, end: usize, sum: Sum) -> bool {
        let here = self.here(self.link(end));
        let scale = here.pick(|mean| if let Mean::Times(scale) = mean { Some(scale) } else { None });
        scale.is_some_and(|(scale, _)| sum.times(scale).is_none())
    }

    /// Adds the word at a place, or all parts of a compound; also where it ends, and whether it is weak.
    fn word(&self, at: usize, sum: Sum, joined: bool) -> Option<(Sum, usize, bool)> {
        if let Some((mean, end)) = self.here(at).pick(is_number) {
            if self.numbers.numerals.by_digits
                && sum.words == 0
                && let Mean::Times(scale) = mean
            {
                // Where every scale is one character, larger ones begin other words.
                return (scale == 10).then_some((sum.times(scale)?, end, true));
            }
            return Some((self.take(mean, sum, joined)?, end, matches!(mean, Mean::Weak(_))));
        }
        if self.numbers.numerals.compounds { self.compound(at, sum, joined) } else { None }
    }

    fn take(&self, mean: Mean, sum: Sum, joined: bool) -> Option<Sum> {
        let rules = &self.numbers.numerals;
        match mean {
            Mean::Times(scale) => sum.times(scale),
            Mean::Add(number) | Mean::Weak(number) => match number.whole() {
                Some(number) => sum.add(number, joined, rules.units_first, rules.by_digits),
                None if sum.words == 0 => Some(Sum { words: 1, decimal: Some(number), ..sum }),
                None => None,
            },
            _ => None,
        }
    }

    /// The parts of a number written as one word, to its end.
    fn compound(&self, at: usize, mut sum: Sum, mut joined: bool) -> Option<(Sum, usize, bool)> {
        let mut end = at;
        for _ in 0..MOST_WORDS {
            let here = self.here(end);
            let number = here.pick_part(is_number);
            let joiner = here.pick_part(|mean| (mean == Mean::Join).then_some(mean));
            match (number, joiner) {
                (Some((mean, behind)), _) => {
                    // Twenty in "dreihundertzwanzig" fits at once; in "dreiundzwanzig", behind a joiner.
                    sum = self.take(mean, sum, joined)?;
                    (end, joined) = (behind, false);
                }
                (None, Some((_, behind))) if end > at => (end, joined) = (behind, true),
                // "Two-year": the rest of the word is its unit.
                _ if end > at
                    && !joined
                    && here.has(|mean| matches!(mean, Mean::Time(_) | Mean::Unit(_))) =>
                {
                    return Some((sum, end, false));
                }
                _ => return None,
            }
            if self.sort_at(end) != Some(Sort::Letter) {
                return (!joined).then_some((sum, end, false));
            }
        }
        None
    }
}
