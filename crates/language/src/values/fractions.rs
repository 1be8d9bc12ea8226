//! Fractions: in one character, in digits, and halves in words.

use super::amounts::{Part, Quantity};
use super::decimal::Decimal;
use super::fold::Sort;
use super::lexicon::Mean;
use super::reader::Reader;
use super::types::Reading;

/// Fractions of one character.
const FRACTIONS: [(char, u64, u64); 18] = [
    ('½', 1, 2),
    ('¼', 1, 4),
    ('¾', 3, 4),
    ('⅓', 1, 3),
    ('⅔', 2, 3),
    ('⅕', 1, 5),
    ('⅖', 2, 5),
    ('⅗', 3, 5),
    ('⅘', 4, 5),
    ('⅙', 1, 6),
    ('⅚', 5, 6),
    ('⅐', 1, 7),
    ('⅛', 1, 8),
    ('⅜', 3, 8),
    ('⅝', 5, 8),
    ('⅞', 7, 8),
    ('⅑', 1, 9),
    ('⅒', 1, 10),
];

impl Quantity {
    pub(super) fn fraction(over: u64, under: u64) -> Self {
        let decimal = Decimal::of_fraction(over, under);
        decimal.map_or_else(
            || {
                let common = common_factor(over, under);
                Quantity::Fraction(over / common, under / common)
            },
            |number| Quantity::Number(Reading::sure(number)),
        )
    }
}

fn common_factor(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { common_factor(b, a % b) }
}

impl Reader<'_> {
    /// Digits, a slash, digits: a fraction where such a one is in use. `24/7` is none.
    pub(super) fn written_fraction(&self, at: usize) -> Option<(u64, u64, usize)> {
        let (over, _, end) = self.integer(at, 3)?;
        let slash = self.char_at(end).filter(|c| matches!(c, '/' | '\u{2044}'))?;
        let (under, _, end) = self.integer(end + slash.len_utf8(), 3)?;
        let ends = !matches!(self.char_at(end), Some('/' | '\u{2044}')) && self.digit_at(end).is_none();
        (ends && is_fraction(over, under)).then_some((over, under, end))
    }

    /// "One and a half", where no unit stands between.
    pub(super) fn and_half(&self, number: Part) -> Option<Part> {
        let start = self.half_behind(number.end)?;
        let half = |mean| matches!(mean, Mean::Fraction(1, 2) | Mean::UnitFraction(1, 2)).then_some(());
        let ((), end) = self.here(start).pick(half)?;
        let reading = number.quantity.reading()?.map(|number| number.plus(Decimal::new(5, 1)))?;
        self.unit(self.link(end))?;
        Some(Part { end, quantity: Quantity::Number(reading), weak: false, plain: None, ..number })
    }

    /// Behind a joiner, and an article behind that: where a half may stand.
    pub(super) fn half_behind(&self, at: usize) -> Option<usize> {
        let (start, joined) = self.behind_join(at);
        if !joined && self.sort_at(at) != Some(Sort::Han) {
            return None;
        }
        let article = self.here(start).pick(|mean| matches!(mean, Mean::Weak(_)).then_some(()));
        Some(article.map_or(start, |((), end)| self.gap(end)))
    }

    /// `2½`, `1 1/2`.
    pub(super) fn and_fraction(&self, number: Part) -> Option<Part> {
        number.plain?;
        let start = self.gap(number.end);
        let (over, under, end) = match self.char_at(start).and_then(vulgar) {
            Some((over, under)) => (over, under, start + self.char_at(start)?.len_utf8()),
            None if start > number.end => self.written_fraction(start)?,
            None => return None,
        };
        let fraction = Decimal::of_fraction(over, under)?;
        let reading = number.quantity.reading()?.map(|whole| whole.plus(fraction))?;
        Some(Part { end, quantity: Quantity::Number(reading), plain: None, ..number })
    }
}

/// Whether two numbers with a slash between them are a fraction that is in use, and no day and month.
pub(super) fn is_fraction(over: u64, under: u64) -> bool {
    over > 0 && over < under && matches!(under, 2..=6 | 8 | 10 | 16 | 100)
}

/// A fraction of one character.
pub(super) fn vulgar(c: char) -> Option<(u64, u64)> {
    FRACTIONS.iter().find(|(sign, ..)| *sign == c).map(|(_, over, under)| (*over, *under))
}
